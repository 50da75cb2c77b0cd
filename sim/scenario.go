package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Scenario is an experiment: one server, one load, and the grid of client
// counts and policies to try on it. It is plain data; the same scenario and
// seed give the same Result, byte for byte.
type Scenario struct {
	Name         string              `json:"name"`
	Title        string              `json:"title,omitempty"` // one sentence, for headings
	Load         Load                `json:"load"`
	Network      Network             `json:"network"`
	Server       Server              `json:"server"`
	Policies     []strategies.Policy `json:"policies"`
	Clients      []int               `json:"clients"`
	Replications int                 `json:"replications"`
	Seed         uint64              `json:"seed"`
	Stop         time.Duration       `json:"stop"` // simulated time at which a replication ends in any case
}

// Load says when operations start. Exactly one field is set.
type Load struct {
	Herd   *Herd   `json:"herd,omitempty"`
	Stream *Stream `json:"stream,omitempty"`
}

// Herd is one operation for each client, all at once or spread evenly at random
// over a window.
type Herd struct {
	Spread time.Duration `json:"spread"`
}

// Stream is an open Poisson stream of operations, up to the scenario's Stop.
// Clients are many and independent: each of them starts Rate operations a
// second on average, whatever becomes of the earlier ones.
type Stream struct {
	Rate   float64 `json:"rate"`    // operations per second and client
	WarmUp WarmUp  `json:"warm_up"` // what is left out of all figures
}

// WarmUp says how much of the beginning of a stream is not measured.
type WarmUp struct {
	Fixed time.Duration // this much, unless MSER5
	MSER5 bool          // as much as the rule MSER-5 finds in a pilot replication
}

// Network is the way between a client and the server.
type Network struct {
	Leg Distribution `json:"leg"` // of each message, one way
}

// Server is what the clients contend for. Exactly one field is set.
type Server struct {
	Contention *Contention `json:"contention,omitempty"`
	Capacity   *Capacity   `json:"capacity,omitempty"`
}

// Contention is optimistic concurrency on one row: a client reads the row's
// version, then writes; the write succeeds if the version is still the same.
// The server is never busy.
type Contention struct{}

// Capacity is a server with Workers, each on one request at a time, and a queue
// in the order of arrival. A request that finds the queue full is answered 503
// at once.
type Capacity struct {
	Workers int          `json:"workers"`
	Service Distribution `json:"service"`
	Queue   int          `json:"queue"` // places, or Unlimited
}

// Unlimited is the Queue of a server that queues whatever comes.
const Unlimited = -1

// Bounds of what a scenario may ask for.
const (
	maxClients      = 100_000_000
	maxReplications = 1_000_000
	maxWorkers      = 100_000_000
	maxStop         = 10 * 365 * 24 * time.Hour
)

// ErrScenario is wrapped by every error about a scenario's content.
var ErrScenario = errors.New("invalid scenario")

// Validate names every bad field at once; each part of the joined error wraps
// [ErrScenario].
func (s Scenario) Validate() error {
	var c complaints
	s.Load.validate(&c)
	c.add("network: leg", s.Network.Leg.Validate())
	s.Server.validate(&c)
	validatePolicies(&c, s.Policies)
	validateClients(&c, s.Clients)
	c.require(s.Replications >= 1 && s.Replications <= maxReplications,
		"replications: must be from 1 to %d, got %d", maxReplications, s.Replications)
	c.require(s.Stop > 0 && s.Stop <= maxStop, "stop: must be above 0 and at most 10 years, got %s", s.Stop)
	if s.Load.Herd != nil {
		c.require(s.Load.Herd.Spread <= s.Stop, "load: herd: spread: must not pass the stop (%s), got %s",
			s.Stop, s.Load.Herd.Spread)
	}
	if s.Load.Stream != nil {
		c.require(s.Load.Stream.WarmUp.Fixed < s.Stop, "load: stream: warm_up: must end before the stop (%s), got %s",
			s.Stop, s.Load.Stream.WarmUp.Fixed)
	}
	return errors.Join(c...)
}

// complaints collects what is wrong with a scenario.
type complaints []error

func (c *complaints) require(ok bool, format string, args ...any) {
	if !ok {
		*c = append(*c, fmt.Errorf("%w: "+format, append([]any{ErrScenario}, args...)...))
	}
}

func (c *complaints) add(field string, err error) {
	if err != nil {
		*c = append(*c, fmt.Errorf("%w: %s: %w", ErrScenario, field, err))
	}
}

func (l Load) validate(c *complaints) {
	c.require((l.Herd == nil) != (l.Stream == nil), "load: must be either a herd or a stream")
	if l.Herd != nil {
		c.require(l.Herd.Spread >= 0, "load: herd: spread: must not be negative, got %s", l.Herd.Spread)
	}
	if l.Stream != nil {
		c.require(l.Stream.Rate > 0 && l.Stream.Rate <= 1e9,
			"load: stream: rate: must be above 0 and at most 1e9 per second, got %v", l.Stream.Rate)
		c.require(l.Stream.WarmUp.Fixed >= 0, "load: stream: warm_up: must not be negative, got %s", l.Stream.WarmUp.Fixed)
	}
}

func (s Server) validate(c *complaints) {
	c.require((s.Contention == nil) != (s.Capacity == nil), "server: must be either contention or capacity")
	if s.Capacity == nil {
		return
	}
	c.require(s.Capacity.Workers >= 1 && s.Capacity.Workers <= maxWorkers,
		"server: workers: must be from 1 to %d, got %d", maxWorkers, s.Capacity.Workers)
	c.require(s.Capacity.Queue >= Unlimited, "server: queue: must not be negative, got %d", s.Capacity.Queue)
	c.add("server: service", s.Capacity.Service.Validate())
}

func validatePolicies(c *complaints, policies []strategies.Policy) {
	c.require(len(policies) > 0, "policies: at least one is needed")
	seen := map[string]bool{}
	for i, p := range policies {
		c.add(fmt.Sprintf("policies: number %d", i+1), p.Validate())
		text := p.String()
		c.require(!seen[text], "policies: %s stands twice", text)
		seen[text] = true
	}
}

func validateClients(c *complaints, clients []int) {
	c.require(len(clients) > 0, "clients: at least one number is needed")
	for i, n := range clients {
		c.require(n >= 1 && n <= maxClients, "clients: must be from 1 to %d, got %d", maxClients, n)
		c.require(!slices.Contains(clients[:i], n), "clients: %d stands twice", n)
	}
}
