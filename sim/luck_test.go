package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Common random numbers: each step of an operation draws for its own purpose and
// attempt, from the key of the operation's number. So its whole life can be told
// beforehand, and that is done here without an engine.
func TestLuckOfAnOperation(t *testing.T) {
	s := Scenario{
		Load:     Load{Herd: &Herd{}},
		Network:  Network{Leg: Uniform(0, 10*ms)},
		Server:   Server{Capacity: &Capacity{Workers: 1, Service: Uniform(100*ms, 150*ms)}},
		Policies: []strategies.Policy{{Wait: strategies.Full{Base: 10 * ms, Cap: 30 * ms}}},
		Clients:  []int{2}, Replications: 1, Seed: 7, Stop: time.Second,
	}
	e := prepared(s)
	e.load = timetable{0, 20 * ms} // the second comes while the first is served
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}

	first := operationKey(replicationKey(7, 0), 0)
	leg := func(key uint64, p purpose, attempt int32) time.Duration {
		return s.Network.Leg.Sample(draw(key, p, attempt))
	}
	served := leg(first, drawRequest, 1) + s.Server.Capacity.Service.Sample(draw(first, drawService, 1))

	second := operationKey(replicationKey(7, 0), 1)
	at, attempt, took := 20*ms, int32(1), time.Duration(0)
	for wait := (strategies.State{}); ; attempt++ {
		at += leg(second, drawRequest, attempt)
		if at >= served {
			at += s.Server.Capacity.Service.Sample(draw(second, drawService, attempt)) + leg(second, drawAnswer, attempt)
			took = at - 20*ms
			break
		}
		at += leg(second, drawAnswer, attempt)
		_, wait = s.Policies[0].Wait.Next(wait, strategies.Try{U: unit(draw(second, drawBackoff, attempt))})
		at += wait.Prev
	}
	if attempt < 4 {
		t.Fatalf("only %d attempts: the wait hardly matters", attempt)
	}
	if want := []time.Duration{served + leg(first, drawAnswer, 1), took}; !slices.Equal(e.tally.latencies, want) {
		t.Errorf("the operations took %v, want %v", e.tally.latencies, want)
	}
	if e.tally.calls != 1+int(attempt) {
		t.Errorf("%d calls, want %d", e.tally.calls, 1+attempt)
	}
}

// A lone READ and WRITE are four legs, each drawn for itself.
func TestLuckOfAContention(t *testing.T) {
	s := valid(t)
	s.Load, s.Server, s.Clients = Load{Herd: &Herd{}}, Server{Contention: &Contention{}}, []int{1}
	e := prepared(s)
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	key := operationKey(replicationKey(s.Seed, 0), 0)
	want := time.Duration(0)
	for _, p := range []purpose{drawRequest, drawReadAnswer, drawWrite, drawAnswer} {
		want += s.Network.Leg.Sample(draw(key, p, 1))
	}
	if !slices.Equal(e.tally.latencies, []time.Duration{want}) {
		t.Errorf("the operation took %v, want %v", e.tally.latencies, want)
	}
}

func TestLuckOfTheStarts(t *testing.T) {
	const clients, seed = 20, 7
	u := func(number uint64) uint64 { return draw(operationKey(replicationKey(seed, 0), number), drawStart, 0) }
	starts := func(l Load) []time.Duration {
		s := valid(t)
		s.Load, s.Network, s.Clients, s.Seed = l, Network{}, []int{clients}, seed
		s.Server.Capacity = &Capacity{Workers: 1, Queue: Unlimited}
		s.Stop = time.Second
		e := prepared(s)
		spy := &arrivals{server: e.server}
		e.server = spy
		if err := e.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return spy.times
	}

	var herd []time.Duration
	for number := range uint64(clients) {
		herd = append(herd, Uniform(0, 500*ms).Sample(u(number)))
	}
	slices.Sort(herd)
	if got := starts(Load{Herd: &Herd{Spread: 500 * ms}}); !slices.Equal(got, herd) {
		t.Errorf("a herd starts at %v, want %v", got, herd)
	}

	var stream []time.Duration
	// The gaps are not cut to nanoseconds one by one, which would add up.
	at := 0.0
	for number := uint64(0); ; number++ {
		at -= 1e9 / (5 * clients) * ln(open(u(number)))
		if at > 1e9 {
			break
		}
		stream = append(stream, time.Duration(at))
	}
	if got := starts(Load{Stream: &Stream{Rate: 5}}); !slices.Equal(got, stream) {
		t.Errorf("a stream starts at %v, want %v", got, stream)
	}
}

// arrivals notes when requests reach the server.
type arrivals struct {
	server
	times []time.Duration
}

func (a *arrivals) handle(e *engine, ev event) {
	if ev.kind() == arrives {
		a.times = append(a.times, e.now)
	}
	a.server.handle(e, ev)
}
