package sim

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// prepared returns an engine that is ready for the first cell of a scenario.
func prepared(s Scenario) *engine {
	e := newEngine()
	e.prepare(s, &newGrid(s).cells[0], 0)
	return e
}

// timetable starts an operation at each of its times, all planned beforehand.
type timetable []time.Duration

func (l timetable) begin(e *engine) {
	for i, at := range l {
		e.start(uint64(i), uint32(i), at)
	}
}

func (l timetable) size() int { return len(l) }

func (timetable) open(*engine, uint32) { panic("a timetable has no events of its own") }

func (timetable) ended(*engine, uint32) {}

// follow runs operations that start at these times against a server, over a
// network that takes no time.
func follow(t *testing.T, l timetable, c Capacity, policy string, stop time.Duration) *engine {
	t.Helper()
	e := prepared(Scenario{
		Load:     Load{Herd: &Herd{}},
		Server:   Server{Capacity: &c},
		Policies: []strategies.Policy{mustParse(t, policy)},
		Clients:  []int{len(l)}, Replications: 1, Stop: stop,
	})
	e.load = l
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

// The arrival was planned long before the departure of the same time, which
// comes first all the same.
func TestFreedWorkerServesWhoArrivesInThatInstant(t *testing.T) {
	e := follow(t, timetable{5 * ms, 10 * ms}, Capacity{Workers: 1, Service: Constant(5 * ms)}, "immediate + attempts(1)", time.Second)
	if e.tally.succeeded != 2 || e.tally.refusals != 0 {
		t.Errorf("%d succeeded, %d were refused; want 2 and 0", e.tally.succeeded, e.tally.refusals)
	}
}

// Only what was planned for a time before it came can be put in order: work that
// takes no time ends after the arrivals of its instant.
func TestDepartureOfTheInstantAtHandComesLast(t *testing.T) {
	e := follow(t, timetable{0, 0}, Capacity{Workers: 1}, "immediate + attempts(1)", time.Second)
	if e.tally.succeeded != 1 || e.tally.refusals != 1 {
		t.Errorf("%d succeeded, %d were refused; want 1 and 1", e.tally.succeeded, e.tally.refusals)
	}
}

func TestLineIsServedInTheOrderOfArrival(t *testing.T) {
	e := follow(t, timetable{3 * ms, 0, ms, 2 * ms}, Capacity{Workers: 1, Service: Constant(10 * ms), Queue: Unlimited}, "immediate", time.Second)
	// Those who came at 0, 1, 2 and 3 ms leave at 10, 20, 30 and 40 ms.
	if want := []time.Duration{10 * ms, 19 * ms, 28 * ms, 37 * ms}; !slices.Equal(e.tally.latencies, want) {
		t.Errorf("latencies %v, want %v", e.tally.latencies, want)
	}
}

func TestEventsAtTheStopStillHappen(t *testing.T) {
	server := Capacity{Workers: 1, Service: Constant(10 * ms)}
	if e := follow(t, timetable{0}, server, "immediate", 10*ms); e.tally.succeeded != 1 {
		t.Errorf("at the stop, %d succeeded, want 1", e.tally.succeeded)
	}
	e := follow(t, timetable{0}, server, "immediate", 10*ms-1)
	if e.tally.succeeded != 0 || e.now != 10*ms-1 {
		t.Errorf("past the stop, %d succeeded and the run ended at %v; want 0, at the stop", e.tally.succeeded, e.now)
	}
}

// A run ends with its last operation, even if it might go on.
func TestRunEndsWithTheLastOperation(t *testing.T) {
	e := follow(t, timetable{0, 5 * ms}, Capacity{Workers: 2, Service: Constant(10 * ms)}, "immediate", maxStop)
	if e.now != 15*ms || e.tally.completion() != 0.015 {
		t.Errorf("the run ended at %v, its operations after %v s; want 15 ms", e.now, e.tally.completion())
	}
}

// A wait longer than any run must not overflow time.
func TestEndlessWaitPassesTheStop(t *testing.T) {
	e := follow(t, timetable{0, ms}, Capacity{Workers: 1, Service: Constant(10 * ms)}, "fixed(2562047h)", time.Second)
	if c := e.tally.counts; c.succeeded != 1 || c.retries != 1 || c.calls != 2 || e.now != time.Second {
		t.Errorf("at %v: %+v; want one operation still waiting at the stop", e.now, c)
	}
}

// Latencies count from operations that start after the warm-up; calls and work,
// from the end of the warm-up on.
func TestWarmUpIsLeftOut(t *testing.T) {
	s := Scenario{
		Load:     Load{Stream: &Stream{Rate: 1}},
		Server:   Server{Capacity: &Capacity{Workers: 1, Service: Constant(10 * ms), Queue: Unlimited}},
		Policies: []strategies.Policy{mustParse(t, "immediate")},
		Clients:  []int{1}, Replications: 1, Stop: 100 * ms,
	}
	e := newEngine()
	e.prepare(s, &cell{clients: 1, warmUp: 15 * ms}, 0)
	e.load = timetable{0, 5 * ms, 15 * ms, 60 * ms} // served until 10, 20, 30 and 70 ms
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for i, value := range e.tally.observe(applicable(s), s.Stop) {
		got[applicable(s)[i].name] = value
	}
	for name, want := range map[string]float64{
		MetricCalls:            2,
		MetricPeak:             2,
		"latency_mean_seconds": 0.0125,
		MetricUtilisation:      25. / 85,
		"queue_mean":           5. / 85,
		"queue_wait_seconds":   0.005 / 2,
		MetricGoodput:          3 / 0.085,
	} {
		near(t, name, got[name], want, 1e-12)
	}
}

// standingStill is two clients at a server with room for one: the other spins
// in the same instant.
func standingStill(t *testing.T) Scenario {
	return Scenario{
		Load:     Load{Herd: &Herd{}},
		Server:   Server{Capacity: &Capacity{Workers: 1, Service: Constant(time.Second)}},
		Policies: []strategies.Policy{mustParse(t, "immediate")},
		Clients:  []int{2}, Replications: 1, Stop: time.Minute,
	}
}

func TestStandstillIsAnError(t *testing.T) {
	_, err := Run(t.Context(), standingStill(t), Options{})
	const want = "invalid scenario: immediate with 2 clients, replication 1: time stands still: operations are retried " +
		"without end in the same instant; give the policy a wait or a limit of attempts, or the network a leg above 0"
	if !errors.Is(err, ErrScenario) || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestStandstillIsCuredAsItsErrorSays(t *testing.T) {
	cures := map[string]func(*Scenario){
		"a wait":              func(s *Scenario) { s.Policies[0].Wait = strategies.Fixed{Delay: ms} },
		"a limit of attempts": func(s *Scenario) { s.Policies[0].Attempts = 1000 },
		"a leg above 0":       func(s *Scenario) { s.Network.Leg = Constant(ms) },
	}
	for name, cure := range cures {
		s := standingStill(t)
		cure(&s)
		if _, err := Run(t.Context(), s, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Much may happen in one instant without standing still.
func TestGreatHerdOfOneInstantIsNoStandstill(t *testing.T) {
	s := standingStill(t)
	s.Server.Capacity = &Capacity{Workers: 1, Queue: Unlimited} // work takes no time
	s.Clients = []int{500_000}
	e := prepared(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e.tally.succeeded != 500_000 || e.now != 0 {
		t.Errorf("%d succeeded until %v, want 500000 at once", e.tally.succeeded, e.now)
	}
}

func TestCancelledContextStopsAReplication(t *testing.T) {
	s := standingStill(t)
	s.Policies[0].Wait = strategies.Fixed{Delay: time.Microsecond}
	s.Server.Capacity.Service = Constant(10 * time.Second) // ten million retries
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	e := prepared(s)
	if err := e.run(ctx); !errors.Is(err, cause) {
		t.Errorf("got %v, want the cause", err)
	}
	if e.tally.calls > checkEvery {
		t.Errorf("%d calls after the end of the context", e.tally.calls)
	}
}
