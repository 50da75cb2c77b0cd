package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

// What holds in every run, whatever the scenario. Times are few and round, so
// that many events fall on the same instant, and the stop cuts many runs short.

func anyScenario(t *rapid.T) Scenario {
	s := Scenario{
		Replications: 1,
		Seed:         rapid.Uint64().Draw(t, "seed"),
		Network:      Network{Leg: anyLeg(t)},
		Server:       anyServer(t),
		Clients:      []int{rapid.SampledFrom([]int{1, 2, 5, 20, 100}).Draw(t, "clients")},
		Stop:         rapid.SampledFrom([]time.Duration{10 * ms, 100 * ms, time.Second}).Draw(t, "stop"),
	}
	if rapid.Bool().Draw(t, "herd") {
		s.Load.Herd = &Herd{Spread: rapid.SampledFrom([]time.Duration{0, ms, 10 * ms}).Draw(t, "spread")}
	} else {
		s.Load.Stream = &Stream{Rate: rapid.SampledFrom([]float64{1, 10, 30}).Draw(t, "rate")}
		s.Load.Stream.WarmUp.Fixed = s.Stop * time.Duration(rapid.IntRange(0, 9).Draw(t, "warm-up")) / 10
	}
	s.Policies = []strategies.Policy{anyPolicy(t, s.Network.Leg == Constant(0))}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

func anyLeg(t *rapid.T) Distribution {
	return rapid.SampledFrom([]Distribution{
		Constant(0), Constant(ms), Uniform(0, 2*ms), Normal(5*ms, ms), Exponential(3 * ms),
	}).Draw(t, "leg")
}

func anyServer(t *rapid.T) Server {
	if rapid.Bool().Draw(t, "contention") {
		return Server{Contention: &Contention{}}
	}
	return Server{Capacity: &Capacity{
		Workers: rapid.IntRange(1, 4).Draw(t, "workers"),
		Service: rapid.SampledFrom([]Distribution{
			Constant(0), Constant(ms), Constant(10 * ms), Exponential(2 * ms), Exponential(20 * ms),
		}).Draw(t, "service"),
		Queue: rapid.SampledFrom([]Places{0, 1, 2, 10, Unlimited}).Draw(t, "queue"),
	}}
}

// anyPolicy draws one that cannot make time stand still.
func anyPolicy(t *rapid.T, legsTakeNoTime bool) strategies.Policy {
	base := rapid.SampledFrom([]time.Duration{ms, 5 * ms, 20 * ms}).Draw(t, "base")
	limit := base * time.Duration(rapid.IntRange(1, 10).Draw(t, "cap"))
	p := strategies.Policy{
		Wait: rapid.SampledFrom([]strategies.Backoff{
			strategies.Immediate{},
			strategies.Fixed{Delay: base},
			strategies.Exponential{Base: base, Cap: limit},
			strategies.Equal{Base: base, Cap: limit},
			strategies.Full{Base: base, Cap: limit},
			strategies.Decorrelated{Base: base, Cap: limit},
		}).Draw(t, "wait"),
		Attempts: rapid.SampledFrom([]int{0, 1, 2, 10}).Draw(t, "attempts"),
		Deadline: rapid.SampledFrom([]time.Duration{0, 10 * ms, 100 * ms}).Draw(t, "deadline"),
	}
	if legsTakeNoTime && p.Wait == (strategies.Immediate{}) && p.Attempts == 0 {
		p.Attempts = 5
	}
	return p
}

func TestLawsOfARun(t *testing.T) {
	reused := newEngine()
	rapid.Check(t, func(t *rapid.T) {
		s := anyScenario(t)
		c := &cell{clients: s.Clients[0]}
		if s.Load.Stream != nil {
			c.warmUp = s.Load.Stream.WarmUp.Fixed
		}
		for replication := range 3 {
			fresh := &engine{queue: new(heapQueue)}
			for _, e := range []*engine{fresh, reused} {
				e.prepare(s, c, replication)
				e.server = &guard{server: e.server, t: t, scenario: s, lucks: map[uint64]bool{}}
				if err := e.run(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			checkSame(t, &fresh.tally, &reused.tally)
			checkCounts(t, s, reused)
			checkEnds(t, s, reused)
			checkWhereabouts(t, reused) // empties the queue
		}
	})
}

// guard stands before a server and checks what holds at every moment.
type guard struct {
	server
	t        *rapid.T
	scenario Scenario
	last     time.Duration
	lucks    map[uint64]bool // keys of the operations seen
}

func (g *guard) handle(e *engine, ev event) {
	if e.now < g.last || e.now > e.stop {
		g.t.Fatalf("an event at %v follows one at %v; the stop is %v", e.now, g.last, e.stop)
	}
	g.last = e.now
	if ev.kind() == arrives {
		g.sent(e, &e.ops[ev.op])
	}
	g.server.handle(e, ev)
	queued, busy := g.held()
	if c := g.scenario.Server.Capacity; c != nil {
		if busy > c.Workers || c.Queue != Unlimited && queued > int(c.Queue) || queued > 0 && busy < c.Workers {
			g.t.Fatalf("%d busy of %d workers, %d queued in %d places", busy, c.Workers, queued, c.Queue)
		}
	}
	if busy != e.tally.busy.level || queued != e.tally.queued.level {
		g.t.Fatalf("%d busy and %d queued are counted as %d and %d", busy, queued, e.tally.busy.level, e.tally.queued.level)
	}
}

// sent checks the attempt that arrives against its policy. It left as long ago
// as the leg takes, which the draw tells again.
func (g *guard) sent(e *engine, op *operation) {
	left := e.now - e.leg(op, drawRequest)
	attempt, p := int(op.state.Attempts), g.scenario.Policies[0]
	if g.lucks[op.key] != (attempt > 1) {
		g.t.Fatalf("attempt %d, but an operation with its luck was seen before: %v", attempt, g.lucks[op.key])
	}
	g.lucks[op.key] = true
	if attempt < 1 || p.Attempts > 0 && attempt > p.Attempts {
		g.t.Fatalf("attempt %d, where %d are allowed", attempt, p.Attempts)
	}
	if left < op.state.Start || attempt > 1 && p.Deadline > 0 && left-op.state.Start >= p.Deadline {
		g.t.Fatalf("attempt %d leaves %v after the start, where the deadline is %v", attempt, left-op.state.Start, p.Deadline)
	}
}

// checkSame holds the fast queue, in an engine that has run before, to the plain
// one in a new engine.
func checkSame(t *rapid.T, plain, fast *tally) {
	if plain.counts != fast.counts || plain.base != fast.base || plain.windows != fast.windows ||
		plain.busy != fast.busy || plain.queued != fast.queued ||
		plain.queueWait != fast.queueWait || plain.waiting != fast.waiting ||
		plain.censored != fast.censored || plain.lastEnd != fast.lastEnd ||
		!slices.Equal(plain.latencies, fast.latencies) {
		t.Fatalf("the plain queue gives %+v\nthe fast one %+v", *plain, *fast)
	}
}

// checkCounts holds the counts to each other: nothing appears or is lost.
func checkCounts(t *rapid.T, s Scenario, e *engine) {
	c := e.tally.counts
	queued, busy := e.server.held()
	if c.calls != c.services+c.refusals+queued+busy {
		t.Fatalf("%d calls, but %d served + %d refused + %d queued + %d in service", c.calls, c.services, c.refusals, queued, busy)
	}
	if c.admissions != c.services+busy {
		t.Fatalf("%d admitted, but %d served + %d in service", c.admissions, c.services, busy)
	}
	if c.succeeded > c.services || c.gaveUp > c.refusals || c.succeeded+c.gaveUp > c.operations {
		t.Fatalf("more ends than reasons for them: %+v", c)
	}
	if s.Load.Herd != nil && c.operations != s.Clients[0] {
		t.Fatalf("%d operations of %d clients", c.operations, s.Clients[0])
	}
	if measured := e.tally.measured().calls; measured != e.tally.windows.all {
		t.Fatalf("%d calls measured, %d in windows", measured, e.tally.windows.all)
	}
}

// checkEnds holds what is known of the operations that ended to their number.
func checkEnds(t *rapid.T, s Scenario, e *engine) {
	c := e.tally.counts
	for _, d := range e.tally.latencies {
		if d < 0 || d > e.now {
			t.Fatalf("an operation took %v of %v", d, e.now)
		}
	}
	timed, censored := len(e.tally.latencies), e.tally.censored
	if timed > c.succeeded || censored > c.gaveUp || e.tally.from == 0 && timed+censored != c.succeeded+c.gaveUp {
		t.Fatalf("%d latencies and %d without, but %+v", timed, censored, c)
	}
	completion, last := e.tally.completion(), e.tally.lastEnd
	if last > e.now || e.now > s.Stop {
		t.Fatalf("the last operation ended at %v, the run at %v, the stop is %v", last, e.now, s.Stop)
	}
	ended := c.succeeded+c.gaveUp == c.operations
	if ended && completion != last.Seconds() || !ended && !math.IsNaN(completion) {
		t.Fatalf("completion %v, but the last of %+v at %v", completion, c, last)
	}
	if ended && s.Load.Herd != nil && e.now != last {
		t.Fatalf("all ended at %v, the run at %v", last, e.now)
	}
}

// checkWhereabouts finds each operation in exactly one place: ended, on its way,
// or in the server's line.
func checkWhereabouts(t *rapid.T, e *engine) {
	places := make([]int, len(e.ops))
	for _, op := range e.free {
		places[op]++
	}
	underWay := 0
	for ev, ok := e.queue.pop(); ok; ev, ok = e.queue.pop() {
		switch ev.kind() {
		case arrives, writes:
			underWay++
			places[ev.op]++
		case departs: // in a job
		case answers:
			places[ev.op]++
		case opens, measure:
		}
	}
	if c, ok := e.server.(*guard).server.(*capacity); ok {
		for id, j := range c.jobs.list {
			if !slices.Contains(c.jobs.free, uint32(id)) {
				places[j.op]++
			}
		}
		for c.line.len() > 0 {
			places[c.line.first().op]++
		}
	}
	for number := range e.tally.operations {
		delete(e.server.(*guard).lucks, operationKey(e.key, uint64(number)))
	}
	if strangers := len(e.server.(*guard).lucks); strangers > 0 {
		t.Fatalf("%d operations have the luck of none that started", strangers)
	}
	for op, n := range places {
		if n != 1 {
			t.Fatalf("operation %d is in %d places", op, n)
		}
	}
	c := e.tally.counts
	if active := len(e.ops) - len(e.free); active != c.operations-c.succeeded-c.gaveUp {
		t.Fatalf("%d operations are active, but %+v", active, c)
	}
	if sent := c.operations + c.retries; c.calls != sent-underWay {
		t.Fatalf("%d calls of %d attempts sent, %d under way", c.calls, sent, underWay)
	}
}
