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
	Name         string              `json:"name" doc:"what reports call it; if it is left out, the name of the file"`
	Title        string              `json:"title,omitempty" doc:"one sentence, for headings"`
	Load         Load                `json:"load" need:"yes" doc:"when operations start: one of herd, stream, closed, periodic and trace"`
	Network      Network             `json:"network" doc:"the way between a client and the server"`
	Server       Server              `json:"server" need:"yes" doc:"what the clients contend for: one of capacity and contention"`
	Behind       []Layer             `json:"behind,omitempty" doc:"servers behind it, each called by the one before when its own work on a request is over"`
	Faults       []Fault             `json:"faults,omitempty" doc:"trouble, each for a while"`
	Client       Client              `json:"client,omitempty" doc:"what all clients have in common"`
	Policies     []strategies.Policy `json:"policies" doc:"retry policies to compare, each a wait and limits in one text"`
	Clients      []int               `json:"clients" need:"yes" doc:"numbers of clients to try, each with every policy"`
	Replications int                 `json:"replications" doc:"independent repetitions of everything"`
	Seed         uint64              `json:"seed" doc:"start of all random numbers"`
	Stop         time.Duration       `json:"stop" doc:"simulated time at which a replication ends in any case; left out, 5m where operations start without end, and 30s after the last arrival of a trace"`
	Expect       []Expectation       `json:"expect,omitempty" doc:"what must come out, as in full@1000.amplification <= 1.1; else the exit code is 3"`
	Claims       []Claim             `json:"claims,omitempty" doc:"sentences to put to the test; the report says of each what was measured and whether that bears it out"`
}

// Load says when operations start. Exactly one field is set.
type Load struct {
	Herd     *Herd     `json:"herd,omitempty" doc:"one operation for each client"`
	Stream   *Stream   `json:"stream,omitempty" doc:"operations without end, up to the stop"`
	Closed   *Closed   `json:"closed,omitempty" doc:"each client thinks, does one operation, thinks again, up to the stop"`
	Periodic *Periodic `json:"periodic,omitempty" doc:"each client does one operation at every multiple of a period, as cron jobs do"`
	Trace    *Trace    `json:"trace,omitempty" doc:"operations at the times of a log, up to the stop"`
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
	Rate    float64     `json:"rate" need:"yes" doc:"operations per second that each client starts, on average"`
	WarmUp  WarmUp      `json:"warm_up" doc:"what is left out of all figures: a duration, or mser5 to find it in a pilot run"`
	Even    bool        `json:"even,omitempty" doc:"evenly spaced instead of at random"`
	Profile []RatePoint `json:"profile,omitempty" doc:"how the rate changes: steps and ramps"`
	Sine    *Sine       `json:"sine,omitempty" doc:"a wave upon the rate"`
}

// RatePoint changes a stream's rate.
type RatePoint struct {
	At     time.Duration `json:"at" need:"yes" doc:"from when on"`
	Factor float64       `json:"factor" need:"yes" doc:"the rate is multiplied by this"`
	Ramp   bool          `json:"ramp,omitempty" doc:"it changes evenly up to the next point, instead of staying"`
}

// Sine lets a stream's rate swing.
type Sine struct {
	Period    time.Duration `json:"period" need:"yes" doc:"length of one wave"`
	Amplitude float64       `json:"amplitude" need:"yes" doc:"the rate swings by this share up and down, from 0 to 1"`
}

// Closed is a population of clients, each with one operation at a time.
type Closed struct {
	Think  Distribution `json:"think" need:"yes" doc:"time between an operation and the client's next"`
	WarmUp WarmUp       `json:"warm_up" doc:"what is left out of all figures: a duration, or mser5"`
}

// Periodic is what everybody's cron does at :00.
type Periodic struct {
	Every  time.Duration `json:"every" need:"yes" doc:"the period"`
	Splay  time.Duration `json:"splay" doc:"each start is later by up to this, at random"`
	WarmUp WarmUp        `json:"warm_up" doc:"what is left out of all figures: a duration, or mser5"`
}

// warmUp returns the warm-up of a load that has one, and the load's name.
func (l Load) warmUp() (WarmUp, string) {
	switch {
	case l.Stream != nil:
		return l.Stream.WarmUp, "stream"
	case l.Closed != nil:
		return l.Closed.WarmUp, "closed"
	case l.Periodic != nil:
		return l.Periodic.WarmUp, "periodic"
	case l.Trace != nil:
		return l.Trace.WarmUp, "trace"
	}
	return WarmUp{}, "herd"
}

// endless reports whether operations start up to the stop.
func (l Load) endless() bool { return l.Herd == nil }

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
	Shed          time.Duration `json:"shed,omitempty" doc:"refuses requests while the oldest in the queue has waited longer than this; 0s: never"`
	RefusalCost   time.Duration `json:"refusal_cost,omitempty" doc:"worker time that each refusal takes; the workers share it as they start their next requests"`
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
	if err != nil || n < 0 {
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
	longestLife     = 1_000_000 * time.Second
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
	c.add("client.patience", s.Client.Patience.Validate())
	c.require(!s.Client.Key || s.Client.Creates, "client.key", "means nothing unless operations create something")
	c.require(!s.Client.Creates || s.Server.Contention == nil, "client.creates", "needs a capacity server")
	c.require(!recordsLife(s) || s.Stop <= longestLife, "stop",
		"must be at most %s where faults or changes of the rate are watched second by second, got %s", longestLife, s.Stop)
	validatePolicies(&c, s.Policies)
	validateClients(&c, s.Clients)
	c.require(s.Replications >= 1 && s.Replications <= maxReplications,
		"replications", "must be from 1 to %d, got %d", maxReplications, s.Replications)
	c.positive("stop", s.Stop)
	texts := policyTexts(s.Policies)
	for i, e := range s.Expect {
		e.validate(&c, fmt.Sprintf("expect[%d]", i), s, texts)
	}
	if s.Load.Herd != nil && s.Stop > 0 {
		c.require(s.Load.Herd.Spread <= s.Stop, "load.herd.spread", "must not pass the stop (%s), got %s",
			s.Stop, s.Load.Herd.Spread)
	}
	if warmUp, load := s.Load.warmUp(); s.Stop > 0 {
		c.require(warmUp.Fixed < s.Stop, "load."+load+".warm_up", "must end before the stop (%s), got %s", s.Stop, warmUp.Fixed)
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

// notNegative complains about each of the durations that is, or is longer than
// any run, so that no sum of a few can overflow.
func (c *complaints) notNegative(path string, durations map[string]time.Duration) {
	for _, name := range slices.Sorted(maps.Keys(durations)) {
		c.require(durations[name] >= 0, path+"."+name, "must not be negative, got %s", durations[name])
		c.require(durations[name] <= maxStop, path+"."+name, "must be at most 10 years, got %s", durations[name])
	}
}

// positive complains about a duration that is not.
func (c *complaints) positive(path string, d time.Duration) {
	c.require(d > 0 && d <= maxStop, path, "must be above 0s and at most 10 years, got %s", d)
}

func (l Load) validate(c *complaints) {
	set := 0
	for _, is := range []bool{l.Herd != nil, l.Stream != nil, l.Closed != nil, l.Periodic != nil} {
		if is {
			set++
		}
	}
	c.require(set == 1, "load", "must be one of herd, stream, closed and periodic")
	if l.Herd != nil {
		c.notNegative("load.herd", map[string]time.Duration{"spread": l.Herd.Spread})
	}
	if l.Stream != nil {
		l.Stream.validate(c, "load.stream")
	}
	if l.Closed != nil {
		c.add("load.closed.think", l.Closed.Think.Validate())
		c.notNegative("load.closed", map[string]time.Duration{"warm_up": l.Closed.WarmUp.Fixed})
	}
	if l.Periodic != nil {
		c.positive("load.periodic.every", l.Periodic.Every)
		c.notNegative("load.periodic", map[string]time.Duration{"splay": l.Periodic.Splay, "warm_up": l.Periodic.WarmUp.Fixed})
		c.require(l.Periodic.Splay <= l.Periodic.Every, "load.periodic.splay", "must not pass the period (%s), got %s", l.Periodic.Every, l.Periodic.Splay)
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
		"shed":           s.Capacity.Shed,
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
		c.require(p.Name == "" || !seen[p.Name] || seen[text], path, "the name %s stands twice", p.Name)
		seen[text], seen[p.Name] = true, true
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
