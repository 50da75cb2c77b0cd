package sim

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Scenario is an experiment: one server, one load, and the grid of client
// counts and policies to try on it. It is plain data; the same scenario and
// seed give the same Result, byte for byte.
//
// The tags describe its file format: need marks what has no default, doc is the
// reference.
type Scenario struct {
	Name         string              `json:"name" doc:"what reports call it"`
	Title        string              `json:"title,omitempty" doc:"one sentence, for headings"`
	Load         Load                `json:"load" need:"yes" doc:"when operations start: one of herd and stream"`
	Network      Network             `json:"network" doc:"the way between a client and the server"`
	Server       Server              `json:"server" need:"yes" doc:"what the clients contend for: one of capacity and contention"`
	Faults       []Fault             `json:"faults,omitempty" doc:"trouble, each for a while"`
	Client       Client              `json:"client" doc:"what all clients have in common"`
	Policies     []strategies.Policy `json:"policies" doc:"retry policies to compare, each a wait and limits in one text"`
	Clients      []int               `json:"clients" need:"yes" doc:"numbers of clients to try, each with every policy"`
	Replications int                 `json:"replications" doc:"independent repetitions of everything"`
	Seed         uint64              `json:"seed" doc:"start of all random numbers"`
	Stop         time.Duration       `json:"stop" doc:"simulated time at which a replication ends in any case"`
	Expect       []Expectation       `json:"expect,omitempty" doc:"what must come out, as in full@1000.amplification <= 1.1; else the exit code is 3"`
}

// Load says when operations start. Exactly one field is set.
type Load struct {
	Herd   *Herd   `json:"herd,omitempty" doc:"one operation for each client"`
	Stream *Stream `json:"stream,omitempty" doc:"operations without end, up to the stop"`
}

// Herd is one operation for each client, all at once or spread evenly at random
// over a window.
type Herd struct {
	Spread time.Duration `json:"spread" doc:"starts are spread evenly at random over this; 0s: all at t = 0"`
}

// Stream is an open Poisson stream of operations, up to the scenario's Stop.
// Clients are many and independent: each of them starts Rate operations a
// second on average, whatever becomes of the earlier ones.
type Stream struct {
	Rate   float64 `json:"rate" need:"yes" doc:"operations per second that each client starts, on average"`
	WarmUp WarmUp  `json:"warm_up" doc:"what is left out of all figures: a duration, or mser5 to find it in a pilot run"`
}

// WarmUp says how much of the beginning of a stream is not measured.
type WarmUp struct {
	Fixed time.Duration // this much, unless MSER5
	MSER5 bool          // as much as the rule MSER-5 finds in a pilot replication
}

// Network is the way between a client and the server.
type Network struct {
	Leg Distribution `json:"leg" doc:"time of each message, one way"`
}

// Server is what the clients contend for. Exactly one field is set.
type Server struct {
	Capacity   *Capacity   `json:"capacity,omitempty" doc:"workers and a queue"`
	Contention *Contention `json:"contention,omitempty" doc:"one row that all clients read and write, under optimistic concurrency: {}"`
}

// Contention is optimistic concurrency on one row: a client reads the row's
// version, then writes; the write succeeds if the version is still the same.
// The server is never busy.
type Contention struct{}

// Capacity is a server with Workers, each on one request at a time, and a queue
// in the order of arrival. A request that finds the queue full is answered 503
// at once.
type Capacity struct {
	Workers       int           `json:"workers" need:"yes" doc:"requests worked on at a time"`
	Service       Distribution  `json:"service" need:"yes" doc:"time that a worker needs for one"`
	Queue         Places        `json:"queue" need:"yes" doc:"places for requests that wait, or unlimited; a request that finds none is answered 503"`
	LastFirst     bool          `json:"last_first,omitempty" doc:"the queue is a stack: who came last is next"`
	DropOlder     time.Duration `json:"drop_older,omitempty" doc:"a request older than this is thrown away, unanswered, at its turn; 0s: none is"`
	DropAbandoned bool          `json:"drop_abandoned,omitempty" doc:"so is one whose client has stopped waiting"`
	PerConcurrent time.Duration `json:"per_concurrent,omitempty" doc:"added to the service time for each request in service, itself included"`
	RefusalCost   time.Duration `json:"refusal_cost,omitempty" doc:"worker time that each refusal takes from the next request"`
	Limit         *Limit        `json:"limit,omitempty" doc:"a rate limit; what passes it is answered 429"`
}

// Places is the length of a queue.
type Places int

// Unlimited is the Queue of a server that queues whatever comes.
const Unlimited Places = -1

// MarshalJSON writes the number, or "unlimited".
func (p Places) MarshalJSON() ([]byte, error) {
	if p == Unlimited {
		return []byte(`"unlimited"`), nil
	}
	return strconv.AppendInt(nil, int64(p), 10), nil
}

// UnmarshalText reads a number or "unlimited".
func (p *Places) UnmarshalText(text []byte) error {
	if string(text) == "unlimited" {
		*p = Unlimited
		return nil
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return fmt.Errorf("%q is neither a whole number nor unlimited", text)
	}
	*p = Places(n)
	return nil
}

// Bounds of what a scenario may ask for.
const (
	maxClients      = 100_000_000
	maxReplications = 1_000_000
	maxWorkers      = 100_000_000
	maxStop         = 10 * 365 * 24 * time.Hour
)

// ErrScenario is wrapped by every error about a scenario's content.
var ErrScenario = errors.New("invalid scenario")

// FieldError is one bad field of a scenario. It wraps [ErrScenario].
type FieldError struct {
	Path string // such as server.capacity.workers or clients[2]
	Err  error
}

func (e *FieldError) Error() string { return fmt.Sprintf("%v: %s: %v", ErrScenario, e.Path, e.Err) }

// Unwrap returns ErrScenario and what is wrong.
func (e *FieldError) Unwrap() []error { return []error{ErrScenario, e.Err} }

// Validate names every bad field at once: the error joins one [FieldError] for
// each.
func (s Scenario) Validate() error {
	var c complaints
	s.Load.validate(&c)
	c.add("network.leg", s.Network.Leg.Validate())
	s.Server.validate(&c)
	for i, f := range s.Faults {
		f.validate(&c, fmt.Sprintf("faults[%d]", i), s.Server)
	}
	validatePolicies(&c, s.Policies)
	validateClients(&c, s.Clients)
	c.require(s.Replications >= 1 && s.Replications <= maxReplications,
		"replications", "must be from 1 to %d, got %d", maxReplications, s.Replications)
	c.require(s.Stop > 0 && s.Stop <= maxStop, "stop", "must be above 0s and at most 10 years, got %s", s.Stop)
	for i, e := range s.Expect {
		e.validate(&c, fmt.Sprintf("expect[%d]", i), s)
	}
	if s.Load.Herd != nil {
		c.require(s.Load.Herd.Spread <= s.Stop, "load.herd.spread", "must not pass the stop (%s), got %s",
			s.Stop, s.Load.Herd.Spread)
	}
	if s.Load.Stream != nil {
		c.require(s.Load.Stream.WarmUp.Fixed < s.Stop, "load.stream.warm_up", "must end before the stop (%s), got %s",
			s.Stop, s.Load.Stream.WarmUp.Fixed)
	}
	return errors.Join(c...)
}

// complaints collects what is wrong with a scenario.
type complaints []error

func (c *complaints) require(ok bool, path, format string, args ...any) {
	if !ok {
		*c = append(*c, &FieldError{path, fmt.Errorf(format, args...)})
	}
}

func (c *complaints) add(path string, err error) {
	if err != nil {
		*c = append(*c, &FieldError{path, err})
	}
}

// notNegative complains about each of the durations that is.
func (c *complaints) notNegative(path string, durations map[string]time.Duration) {
	for _, name := range slices.Sorted(maps.Keys(durations)) {
		c.require(durations[name] >= 0, path+"."+name, "must not be negative, got %s", durations[name])
	}
}

func (l Load) validate(c *complaints) {
	c.require((l.Herd == nil) != (l.Stream == nil), "load", "must be either a herd or a stream")
	if l.Herd != nil {
		c.notNegative("load.herd", map[string]time.Duration{"spread": l.Herd.Spread})
	}
	if l.Stream != nil {
		c.require(l.Stream.Rate > 0 && l.Stream.Rate <= 1e9,
			"load.stream.rate", "must be above 0 and at most 1e9 per second, got %v", l.Stream.Rate)
		c.notNegative("load.stream", map[string]time.Duration{"warm_up": l.Stream.WarmUp.Fixed})
	}
}

func (s Server) validate(c *complaints) {
	c.require((s.Contention == nil) != (s.Capacity == nil), "server", "must be either contention or capacity")
	if s.Capacity == nil {
		return
	}
	const path = "server.capacity"
	c.require(s.Capacity.Workers >= 1 && s.Capacity.Workers <= maxWorkers,
		path+".workers", "must be from 1 to %d, got %d", maxWorkers, s.Capacity.Workers)
	c.require(s.Capacity.Queue >= Unlimited, path+".queue", "must not be negative, got %d", s.Capacity.Queue)
	c.add(path+".service", s.Capacity.Service.Validate())
	c.notNegative(path, map[string]time.Duration{
		"per_concurrent": s.Capacity.PerConcurrent,
		"drop_older":     s.Capacity.DropOlder,
		"refusal_cost":   s.Capacity.RefusalCost,
	})
	if s.Capacity.Limit != nil {
		s.Capacity.Limit.validate(c, path+".limit")
	}
}

func validatePolicies(c *complaints, policies []strategies.Policy) {
	c.require(len(policies) > 0, "policies", "at least one is needed")
	seen := map[string]bool{}
	for i, p := range policies {
		path := fmt.Sprintf("policies[%d]", i)
		if err := p.Validate(); err != nil {
			c.add(path, err)
			continue
		}
		text := p.String()
		c.require(!seen[text], path, "%s stands twice", text)
		seen[text] = true
	}
}

func validateClients(c *complaints, clients []int) {
	c.require(len(clients) > 0, "clients", "at least one number is needed")
	for i, n := range clients {
		path := fmt.Sprintf("clients[%d]", i)
		c.require(n >= 1 && n <= maxClients, path, "must be from 1 to %d, got %d", maxClients, n)
		c.require(!slices.Contains(clients[:i], n), path, "%d stands twice", n)
	}
}
