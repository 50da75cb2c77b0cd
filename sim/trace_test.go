package sim

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// traced is a scenario of these arrivals, with one worker who needs 20 ms.
func traced(t *testing.T, policy string, arrivals ...Arrival) Scenario {
	t.Helper()
	return Scenario{
		Name:     "traced",
		Load:     Load{Trace: &Trace{File: "a.csv", Arrivals: arrivals}},
		Server:   Server{Capacity: &Capacity{Workers: 1, Service: Constant(20 * ms), Queue: Unlimited}},
		Policies: []strategies.Policy{mustParse(t, policy)},
		Clients:  []int{2}, Replications: 1, Stop: time.Second,
	}
}

// What a stream does evenly, a log of its starts does as well, for every policy and
// through a fault, in every figure.
func TestTraceGivesTheFiguresOfItsStream(t *testing.T) {
	s := valid(t)
	s.Clients, s.Stop = []int{7}, 30*time.Second
	s.Faults = []Fault{{Kind: Down, From: 5 * time.Second, For: time.Second}}
	const gap = 4 * ms
	s.Load = Load{Stream: &Stream{Rate: 250.0 / 7, Even: true, WarmUp: WarmUp{Fixed: 2 * time.Second}}}
	stream, _ := run(t, s, Options{})
	trace := &Trace{File: "a.csv", WarmUp: s.Load.Stream.WarmUp}
	for i := range uint32(7500) {
		trace.Arrivals = append(trace.Arrivals, Arrival{At: time.Duration(i+1) * gap, Client: i})
	}
	s.Load = Load{Trace: trace}
	replayed, _ := run(t, s, Options{})
	for name, cell := range cells(t, stream) {
		if got := cells(t, replayed)[name]; got != cell {
			t.Errorf("%s: the stream gives\n%s\nits trace\n%s", name, cell, got)
		}
	}
}

// scribe logs the operations that a load starts.
type scribe struct {
	load
	log []Arrival
}

func (s *scribe) open(e *engine, client uint32) {
	before := e.tally.operations
	s.load.open(e, client)
	if e.tally.operations > before {
		s.log = append(s.log, Arrival{At: e.now, Client: uint32(before)})
	}
}

// A random stream, its rate changing, is repeated by the log of itself: number by
// number, and so with the same luck.
func TestTraceReplaysARandomStream(t *testing.T) {
	s := valid(t)
	s.Clients, s.Stop = []int{7}, 10*time.Second
	s.Load = Load{Stream: &Stream{Rate: 50, Profile: []RatePoint{{Factor: 1}, {At: time.Second, Factor: 0.2, Ramp: true}}}}
	stream := prepared(s)
	w := &scribe{load: stream.load}
	stream.load = w
	if err := stream.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.Load = Load{Trace: &Trace{File: "a.csv", Arrivals: w.log}}
	replayed := prepared(s)
	if err := replayed.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(w.log) < 500 || stream.tally.counts != replayed.tally.counts ||
		!slices.Equal(stream.tally.latencies, replayed.tally.latencies) {
		t.Errorf("the stream gives %+v, its %d arrivals %+v", stream.tally.counts, len(w.log), replayed.tally.counts)
	}
}

// What the log says takes the place of the server's draw, for every attempt; what
// slows the server slows it too; and 0 leaves it to the server.
func TestServiceTimesOfATraceReachTheServer(t *testing.T) {
	arrivals := []Arrival{{Service: 30 * ms}, {At: 5 * ms}, {At: 10 * ms, Service: 10 * ms}}
	for _, test := range []struct {
		name     string
		arrivals []Arrival
		capacity Capacity
		faults   []Fault
		want     []time.Duration
	}{
		{"as logged", arrivals, Capacity{}, nil, []time.Duration{30 * ms, 45 * ms, 50 * ms}},
		{"slowed by a fault", arrivals, Capacity{}, []Fault{{Kind: Slow, For: time.Second, Factor: 2}},
			[]time.Duration{60 * ms, 95 * ms, 110 * ms}},
		{"slowed by concurrency", arrivals, Capacity{PerConcurrent: ms}, nil, []time.Duration{31 * ms, 47 * ms, 53 * ms}},
		{"again at a retry", arrivals[:1], Capacity{}, []Fault{{Kind: Error, For: 35 * ms, Share: 1, Status: 503, Processed: true}},
			[]time.Duration{70 * ms}},
		{"not at the next operation of the place", []Arrival{arrivals[0], {At: 100 * ms}}, Capacity{}, nil,
			[]time.Duration{30 * ms, 20 * ms}},
		{"nowhere logged", []Arrival{{}, {At: 100 * ms}}, Capacity{}, nil, []time.Duration{20 * ms, 20 * ms}},
	} {
		s := traced(t, "fixed(10ms)", test.arrivals...)
		s.Server.Capacity.PerConcurrent = test.capacity.PerConcurrent
		s.Faults = test.faults
		e := prepared(s)
		if err := e.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(e.tally.latencies, test.want) {
			t.Errorf("%s: latencies %v, want %v", test.name, e.tally.latencies, test.want)
		}
	}
}

// rollCall notes whose each request is.
type rollCall struct {
	server
	clients []uint32
}

func (r *rollCall) handle(e *engine, ev event) {
	if ev.kind() == arrives {
		r.clients = append(r.clients, e.ops[ev.op].client)
	}
	r.server.handle(e, ev)
}

func TestClientsOfATraceAreCountedRound(t *testing.T) {
	e := prepared(traced(t, "immediate", Arrival{Client: 4}, Arrival{Client: 1}, Arrival{Client: 1<<32 - 1}, Arrival{Client: 2}))
	r := &rollCall{server: e.server}
	e.server = r
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if want := []uint32{0, 1, 1, 0}; !slices.Equal(r.clients, want) {
		t.Errorf("the clients are %d, want %d", r.clients, want)
	}
}

func TestTraceWithoutArrivalsIsValidButNotRun(t *testing.T) {
	s := traced(t, "immediate")
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	_, err := Run(t.Context(), s, Options{})
	const want = "invalid scenario: load.trace: has no arrivals: they are read from its file before the run"
	if !errors.Is(err, ErrScenario) || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestArrivalsThatNoLogHas(t *testing.T) {
	first := Arrival{At: 5 * ms, Service: ms}
	for _, test := range []struct {
		second Arrival
		want   string
	}{
		{Arrival{At: 4 * ms}, "must not be before 5ms, got 4ms"},
		{Arrival{At: maxStop + 1}, "must be within 10 years, got 87600h0m0.000000001s"},
		{Arrival{At: 5 * ms, Service: -1}, "must need from 0s to 100 years, got -1ns"},
		{Arrival{At: 5 * ms, Service: longest + 1}, "must need from 0s to 100 years, got 876000h0m0.000000001s"},
	} {
		err := traced(t, "immediate", first, test.second, Arrival{}).Validate()
		if err == nil || err.Error() != "invalid scenario: load.trace.arrivals[1]: "+test.want {
			t.Errorf("%+v: got %v, want %s", test.second, err, test.want)
		}
	}
	if err := traced(t, "immediate", Arrival{At: -1}).Validate(); err == nil {
		t.Error("an arrival before the beginning is valid")
	}
	s := traced(t, "immediate", first, first)
	*s.Load.Trace = Trace{WarmUp: WarmUp{Fixed: s.Stop}}
	const want = "invalid scenario: load.trace.file: must name a file\n" +
		"invalid scenario: load.trace.warm_up: must end before the stop (1s), got 1s"
	if err := s.Validate(); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	s = traced(t, "immediate", first)
	s.Stop = longestLife + 1
	if err := s.Validate(); err == nil || !strings.HasPrefix(err.Error(), "invalid scenario: stop: must be at most ") {
		t.Errorf("got %v of a run too long to be watched", err)
	}
}

// An arrival at the stop itself still happens, but nothing comes of it; a later one
// does not, and a warning says so.
func TestStopBeforeTheLastArrival(t *testing.T) {
	s := traced(t, "immediate", Arrival{}, Arrival{At: time.Second / 2}, Arrival{At: time.Second},
		Arrival{At: time.Second + 1}, Arrival{At: time.Hour})
	e := prepared(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c := e.tally.counts; c.operations != 3 || c.succeeded != 2 || e.now != time.Second {
		t.Errorf("%+v at %s; want 3 operations, 2 of them done, at the stop", c, e.now)
	}
	r, _ := run(t, s, Options{})
	const want = "trace a.csv: 2 of its 5 arrivals are later than the stop (1s) and are not simulated"
	if !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}

// However many cells and replications there are, a trace is warned of once.
func TestTraceWarnsOnce(t *testing.T) {
	const retries = "trace a.csv: logged arrivals already contain the retries of those clients; each counts as an operation of its own"
	const service = "trace a.csv: its service times are not used, since the server is never busy"
	s := traced(t, "fixed(10ms)", Arrival{Service: ms}, Arrival{At: ms})
	s.Clients, s.Replications = []int{1, 2, 3}, 2
	s.Policies = append(s.Policies, mustParse(t, "fixed(20ms)"))
	r, _ := run(t, s, Options{})
	if want := []string{retries}; !slices.Equal(r.Warnings[:1], want) || strings.Count(strings.Join(r.Warnings, "\n"), "trace a.csv") != 1 {
		t.Errorf("warnings %q, want %q once", r.Warnings, want)
	}
	s.Server = Server{Contention: &Contention{}}
	r, _ = run(t, s, Options{})
	if want := []string{retries, service}; !slices.Equal(r.Warnings[:2], want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}

// A trace has the figures and the timeline of a load up to the stop, and its
// arrivals do not get into the scenario's JSON.
func TestTraceIsAnEndlessLoad(t *testing.T) {
	s := traced(t, "immediate", Arrival{}, Arrival{At: 1500 * ms})
	s.Stop = 4 * time.Second
	r, text := run(t, s, Options{})
	c := r.Cells[0]
	if goodput := c.Metrics[MetricGoodput].Mean; goodput != 0.5 {
		t.Errorf("%v operations a second, want 2 in 4 s", goodput)
	}
	if c.Metrics[MetricCollapsed] == nil || c.Metrics[MetricCollapsed].Mean != 0 {
		t.Errorf("collapsed is %+v, want 0", c.Metrics[MetricCollapsed])
	}
	if want := []int{1, 1, 0, 0}; c.Timeline == nil || !slices.Equal(c.Timeline.Offered, want) {
		t.Errorf("the timeline is %+v, want %v offered", c.Timeline, want)
	}
	if !strings.Contains(text, `"load":{"trace":{"file":"a.csv","warm_up":"0s"}}`) {
		t.Errorf("the scenario in %s has more of the trace than its name", text)
	}
	var back Result
	if err := json.Unmarshal([]byte(text), &back); err != nil || back.Scenario.Load.Trace.File != "a.csv" {
		t.Errorf("the trace comes back as %+v, %v", back.Scenario.Load.Trace, err)
	}
}

func TestWarmUpOfATraceIsLeftOut(t *testing.T) {
	s := traced(t, "immediate", Arrival{}, Arrival{At: 100 * ms}, Arrival{At: 600 * ms})
	s.Load.Trace.WarmUp.Fixed = 500 * ms
	r, _ := run(t, s, Options{})
	if calls := r.Cells[0].Metrics[MetricCalls].Mean; calls != 1 {
		t.Errorf("%v calls are measured, want that of the last arrival", calls)
	}
}

// A log cut to whole seconds may have any number of arrivals in one instant.
func TestManyArrivalsOfOneInstantAreNoStandstill(t *testing.T) {
	e := prepared(traced(t, "immediate", make([]Arrival, 1_500_000)...))
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e.tally.operations != 1_500_000 {
		t.Errorf("%d operations, want 1500000", e.tally.operations)
	}
}
