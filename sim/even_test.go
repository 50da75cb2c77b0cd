package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// idle is a server that has room for all, and its operations need no retry.
func idle(load Load, clients int, stop time.Duration) Scenario {
	return Scenario{
		Load:     load,
		Server:   Server{Capacity: &Capacity{Workers: 1000, Service: Constant(ms)}},
		Policies: []strategies.Policy{{Wait: strategies.Immediate{}}},
		Clients:  []int{clients}, Replications: 1, Stop: stop,
	}
}

// started runs one replication and returns how many operations it started.
func started(t *testing.T, s Scenario) int {
	t.Helper()
	e := prepared(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e.tally.operations
}

// Even streams follow a rate that changes, as those at random do.
func TestEvenStreamsFollowTheRate(t *testing.T) {
	for _, test := range []struct {
		name   string
		stream Stream
		want   float64
	}{
		{"constant", Stream{Rate: 10}, 600},
		{"from next to nothing to all", Stream{Rate: 10, Profile: []RatePoint{{Factor: 0.001}, {At: 10 * time.Second, Factor: 1}}}, 500},
		{"a ramp", Stream{Rate: 10, Profile: []RatePoint{{Ramp: true}, {At: time.Minute, Factor: 1}}}, 300},
		{"a wave", Stream{Rate: 10, Sine: &Sine{Period: 20 * time.Second, Amplitude: 1}}, 600},
		{"a pause", Stream{Rate: 10, Profile: []RatePoint{{Factor: 1}, {At: 10 * time.Second}, {At: 40 * time.Second, Factor: 2}}}, 500},
	} {
		test.stream.Even = true
		if got := started(t, idle(Load{Stream: &test.stream}, 1, time.Minute)); math.Abs(float64(got)-test.want) > 2 {
			t.Errorf("%s: %d operations, want %v", test.name, got, test.want)
		}
	}
}

// A round that would start at the very stop is none of the run.
func TestPeriodicRoundsEndBeforeTheStop(t *testing.T) {
	load := Load{Periodic: &Periodic{Every: 10 * time.Second}}
	if got := started(t, idle(load, 7, time.Minute)); got != 42 {
		t.Errorf("%d operations, want 7 in each of 6 rounds", got)
	}
}

// A run in which nothing happens any more lasts up to its stop all the same.
func TestSilenceCounts(t *testing.T) {
	s := idle(Load{Closed: &Closed{Think: Constant(time.Second)}}, 3, time.Minute)
	s.Faults = []Fault{{Kind: Hang, From: 10 * time.Second, For: 10 * time.Second}} // and no timeout
	r, _ := run(t, s, Options{})
	if want := "no timeout, so whoever gets no answer waits for ever: immediate"; !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	m := r.Cells[0].Metrics
	if got := m[MetricGoodput].Mean; math.Abs(got-27./60) > 0.06 {
		t.Errorf("goodput %v, want about 27 operations in a minute", got)
	}
	if m[MetricCollapsed].Mean != 1 {
		t.Error("all clients wait for ever, and nothing has collapsed")
	}
}

// A retry that is not due yet takes no turn from the client's other operations.
func TestPacedRetriesTakeTheirTurnWhenDue(t *testing.T) {
	s := idle(Load{Stream: &Stream{Rate: 50, Even: true}}, 1, 20*time.Second)
	s.Policies = []strategies.Policy{mustParse(t, "fixed(5s) + rate(100/s)")}
	s.Faults = []Fault{{Kind: Error, For: time.Minute, Share: 0.01, Status: 503}}
	r, _ := run(t, s, Options{})
	if p50 := r.Cells[0].Metrics[MetricLatencyP50].Mean; p50 > 0.01 {
		t.Errorf("half of the operations take %v s", p50)
	}
}

// An expectation of recovery is not met by those replications alone that did
// recover.
func TestExpectedRecoveryMeansEveryReplication(t *testing.T) {
	e, err := ParseExpectation("immediate.recovery_seconds < 1m")
	if err != nil {
		t.Fatal(err)
	}
	s := Scenario{Policies: []strategies.Policy{mustParse(t, "immediate")}}
	for share, met := range map[float64]bool{1: true, 0.95: false} {
		cell := Cell{Policy: "immediate", Metrics: map[string]*Metric{
			MetricRecovery: {Mean: 5}, MetricRecovered: {Mean: share},
		}}
		if got := e.check(s, []Cell{cell}); len(got) != 1 || got[0].Met != met {
			t.Errorf("recovered in %v: %+v", share, got)
		}
	}
}
