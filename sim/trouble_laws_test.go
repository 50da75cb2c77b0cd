package sim

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

// What holds in every run when all that can go wrong does: faults, limits,
// queues that drop, clients that stop waiting, budgets and breakers.

func anyTroubledScenario(t *rapid.T) Scenario {
	s := anyScenario(t)
	pick := func(label string, of ...time.Duration) time.Duration { return rapid.SampledFrom(of).Draw(t, label) }
	s.Client = Client{
		Creates:  s.Server.Capacity != nil && rapid.Bool().Draw(t, "creates"),
		Patience: rapid.SampledFrom([]Distribution{{}, Exponential(5 * ms), Constant(2 * ms)}).Draw(t, "patience"),
	}
	s.Policies[0].Timeout = pick("timeout", 0, ms, 10*ms, 50*ms)
	s.Policies[0].Unsafe = rapid.Bool().Draw(t, "unsafe")
	s.Policies[0].Key = !s.Policies[0].Unsafe && rapid.Bool().Draw(t, "key")
	s.Policies[0].Hints = rapid.SampledFrom([]strategies.Hints{
		{}, {Mode: strategies.Ignore}, {Mode: strategies.Floor, Spread: 1}, {Cap: 5 * ms},
	}).Draw(t, "hints")
	if s.Policies[0].Attempts == 0 {
		s.Policies[0].Attempts = 20 // what is refused at once, for ever, may stand still
	}
	share(t, &s.Policies[0])
	if c := s.Server.Capacity; c != nil {
		c.LastFirst = rapid.Bool().Draw(t, "last first")
		c.DropAbandoned = rapid.Bool().Draw(t, "drop abandoned")
		c.DropOlder = pick("drop older", 0, 5*ms)
		c.Shed = pick("shed", 0, 5*ms)
		c.PerConcurrent = pick("per concurrent", 0, ms)
		c.RefusalCost = pick("refusal cost", 0, ms)
		if rapid.Bool().Draw(t, "limited") {
			c.Limit = &Limit{
				Requests: rapid.IntRange(1, 5).Draw(t, "requests"), Per: 10 * ms,
				Burst: rapid.IntRange(0, 3).Draw(t, "burst"), RetryAfter: 5 * ms,
				Slots:    rapid.Bool().Draw(t, "slots"),
				BanAfter: rapid.IntRange(0, 2).Draw(t, "ban after"),
			}
			if c.Limit.BanAfter > 0 {
				c.Limit.BanFor = 20 * ms
			}
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		f := anyFault(t)
		needsCapacity := f.Kind == Pause || f.Kind == Slow || f.Kind == Reduced || f.Kind == LoseAnswers || f.Processed
		if s.Server.Capacity != nil || !needsCapacity {
			s.Faults = append(s.Faults, f)
		}
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s
}

// anyFault draws a fault of any kind at the first server.
func anyFault(t *rapid.T) Fault {
	pick := func(label string, of ...time.Duration) time.Duration { return rapid.SampledFrom(of).Draw(t, label) }
	f := Fault{
		Kind:   rapid.SampledFrom(FaultKinds()).Draw(t, "kind"),
		From:   pick("from", 0, 5*ms, 50*ms),
		For:    pick("for", ms, 20*ms, time.Second),
		Spread: pick("fault spread", 0, 10*ms),
	}
	switch f.Kind {
	case Error, LoseAnswers, Loss:
		f.Share = rapid.SampledFrom([]float64{0.1, 0.5, 1}).Draw(t, "share")
	case Slow, Reduced:
		f.Factor = rapid.SampledFrom([]float64{0.3, 0.5, 3}).Draw(t, "factor")
	}
	if f.Kind == Error {
		f.Status = rapid.SampledFrom([]int{404, 429, 503, 504}).Draw(t, "status")
		f.RetryAfter = pick("fault retry after", 0, 5*ms)
		f.Processed = rapid.Bool().Draw(t, "processed")
	}
	return f
}

func TestLawsOfARunInTrouble(t *testing.T) {
	reused := newEngine()
	rapid.Check(t, func(t *rapid.T) {
		s := anyTroubledScenario(t)
		c := &cell{clients: s.Clients[0]}
		plain := &engine{queue: new(heapQueue)}
		for _, e := range []*engine{plain, reused} {
			e.prepare(s, c, 0)
			if err := e.run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		checkSame(t, &plain.tally, &reused.tally)
		checkTroubledCounts(t, reused)
		checkOperations(t, s, reused)
	})
}

// checkTroubledCounts finds each attempt in exactly one place.
func checkTroubledCounts(t *rapid.T, e *engine) {
	c := e.tally.counts
	queued, busy := e.server.held()
	if c.calls != c.services+c.refusals+c.swallows+c.drops+queued+busy {
		t.Fatalf("%d calls, but %d queued, %d in service and %+v", c.calls, queued, busy, c)
	}
	underWay, planned := 0, 0
	for ev, ok := e.queue.pop(); ok; ev, ok = e.queue.pop() {
		switch ev.kind() {
		case arrives, writes:
			underWay++
		case sends:
			planned++
		}
	}
	most := c.operations + c.retries - c.shorted - c.withdrawn - planned - c.lostRequests - underWay
	least := most
	if e.capacity == nil {
		least = 0 // a client that has stopped waiting sends no WRITE after its READ
	}
	if c.calls > most || c.calls < least {
		t.Fatalf("%d calls of %d to %d attempts that left and were not lost: %+v", c.calls, least, most, c)
	}
}

// checkOperations holds each operation to its policy and its client.
func checkOperations(t *rapid.T, s Scenario, e *engine) {
	c, p := e.tally.counts, s.Policies[0]
	if c.succeeded+c.gaveUp > c.operations {
		t.Fatalf("more operations ended than started: %+v", c)
	}
	over, duplicates := 0, 0
	for i := range e.ops {
		o := &e.ops[i]
		if o.phase == ended {
			over++
		}
		if int(o.state.Attempts) > p.Attempts {
			t.Fatalf("%d attempts, where %d are allowed", o.state.Attempts, p.Attempts)
		}
		if p.Key && o.resources > 1 {
			t.Fatalf("one key created %d resources", o.resources)
		}
		duplicates += max(0, int(o.resources)-1)
	}
	// Places are used again, so only what is active can be counted.
	if active := len(e.ops) - over; active != c.operations-c.succeeded-c.gaveUp || duplicates > c.duplicates {
		t.Fatalf("%d active and %d duplicates, but %+v", active, duplicates, c)
	}
	checkPlaces(t, e)
	if p.Deadline > 0 && p.Timeout > 0 && p.Rate == 0 {
		for _, took := range e.tally.latencies {
			if took >= p.Deadline+p.Timeout && took > p.Timeout {
				t.Fatalf("an operation took %s, with %s and %s", took, p.Deadline, p.Timeout)
			}
		}
	}
}

// checkPlaces finds no place twice among those that can be used again, and none
// of an operation that is still active.
func checkPlaces(t *rapid.T, e *engine) {
	seen := map[uint32]bool{}
	for _, op := range e.free {
		if seen[op] || e.ops[op].phase != ended || e.ops[op].out != 0 {
			t.Fatalf("place %d is free, twice %t: %+v", op, seen[op], e.ops[op])
		}
		seen[op] = true
	}
}

// A token bucket never gives more than its burst and what has flowed in since.
func TestTokenBucketIsNeverOverdrawn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := limiter{Limit: Limit{
			Requests: rapid.IntRange(1, 10).Draw(t, "requests"), Per: time.Second,
			Burst: rapid.IntRange(1, 5).Draw(t, "burst"),
		}}
		var admitted []time.Duration
		now := time.Duration(0)
		for range 200 {
			now += time.Duration(rapid.IntRange(0, 300).Draw(t, "gap")) * ms
			if _, ok := l.admit(now, 0); ok {
				admitted = append(admitted, now)
			}
		}
		for i := range admitted {
			for j := i; j < len(admitted); j++ {
				flowed := int((admitted[j] - admitted[i]) / l.gap())
				if n := j - i + 1; n > l.Burst+flowed {
					t.Fatalf("%d admitted within %s", n, admitted[j]-admitted[i])
				}
			}
		}
	})
}
