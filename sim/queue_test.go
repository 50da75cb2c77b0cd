package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// queues lists the engine's queue and the plain one.
func queues() map[string]func() queue {
	return map[string]func() queue{
		"radix": func() queue { return new(radixQueue) },
		"heap":  func() queue { return new(heapQueue) },
	}
}

// plan pushes an event of a kind at a time; op tells it from the others.
func plan(q queue, at time.Duration, k kind, op uint32) {
	q.push(event{key: eventKey(at, k), op: op, code: codeOf(k, 0)})
}

// drain pops all events and returns their ops.
func drain(q queue) []uint32 {
	var ops []uint32
	for e, ok := q.pop(); ok; e, ok = q.pop() {
		ops = append(ops, e.op)
	}
	return ops
}

func TestQueueGoesByTime(t *testing.T) {
	for name, newQueue := range queues() {
		q := newQueue()
		plan(q, 3*time.Hour, arrives, 4)
		plan(q, time.Nanosecond, arrives, 2)
		plan(q, maxStop, arrives, 5)
		plan(q, 0, arrives, 1)
		plan(q, time.Second, arrives, 3)
		if got, want := drain(q), []uint32{1, 2, 3, 4, 5}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestEqualTimesAreFirstInFirstOut(t *testing.T) {
	for name, newQueue := range queues() {
		q := newQueue()
		plan(q, time.Second, arrives, 1)
		plan(q, time.Second, answers, 2)
		plan(q, time.Millisecond, arrives, 0)
		plan(q, time.Second, opens, 3)
		if e, _ := q.pop(); e.op != 0 {
			t.Fatalf("%s: event %d comes first, want 0", name, e.op)
		}
		// Who plans when the time is near goes behind those who planned ahead.
		plan(q, time.Second, arrives, 4)
		if e, _ := q.pop(); e.op != 1 {
			t.Fatalf("%s: event %d comes second, want 1", name, e.op)
		}
		plan(q, time.Second, arrives, 5) // the very time at hand
		if got, want := drain(q), []uint32{2, 3, 4, 5}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestDeparturesPrecedeOthersOfTheirTime(t *testing.T) {
	for name, newQueue := range queues() {
		q := newQueue()
		plan(q, time.Second, opens, 4)
		plan(q, time.Second, arrives, 5)
		plan(q, time.Second, departs, 2)
		plan(q, time.Second-1, answers, 1)
		plan(q, time.Second, writes, 6)
		plan(q, time.Second, departs, 3)
		plan(q, time.Second, answers, 7)
		plan(q, time.Second+1, departs, 8)
		if got, want := drain(q), []uint32{1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestEventKeyKeepsTheTime(t *testing.T) {
	for _, at := range []time.Duration{0, 1, time.Second, maxStop, maxStop + 1} {
		for k := opens; k <= answers; k++ {
			if got := (event{key: eventKey(at, k)}).at(); got != at {
				t.Errorf("kind %d: got %v, want %v", k, got, at)
			}
		}
	}
}

// The one thing that the fast queue must get right: whatever is pushed, as long
// as no key lies below the last one popped, it gives the order of the plain one.
func TestRadixQueueAgreesWithTheHeap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fast, plain queue = new(radixQueue), new(heapQueue)
		last := uint64(0)
		pop := func() {
			got, gotOne := fast.pop()
			want, wantOne := plain.pop()
			if got != want || gotOne != wantOne {
				t.Fatalf("got %+v, %v; want %+v, %v", got, gotOne, want, wantOne)
			}
			last = max(last, want.key)
		}
		// Steps of few values make many keys equal, to each other and to the last
		// one popped; steps of many bits reach all buckets.
		step := rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64Range(0, 3), rapid.Uint64Range(0, 1<<20), rapid.Uint64Range(0, 1<<58))
		pushed := uint32(0)
		for range rapid.IntRange(0, 300).Draw(t, "actions") {
			switch action := rapid.IntRange(0, 99).Draw(t, "action"); {
			case action < 60:
				pushed++
				e := event{key: min(last+step.Draw(t, "step"), 1<<60), op: pushed}
				fast.push(e)
				plain.push(e)
			case action < 99:
				pop()
			default:
				fast.reset()
				plain.reset()
				last = 0
			}
		}
		for range pushed + 1 {
			pop()
		}
	})
}

func TestResetForgetsEventsAndTime(t *testing.T) {
	for name, newQueue := range queues() {
		q := newQueue()
		plan(q, time.Hour, arrives, 1)
		plan(q, time.Hour, arrives, 2)
		plan(q, 2*time.Hour, arrives, 3)
		q.pop()
		q.reset()
		if e, ok := q.pop(); ok {
			t.Errorf("%s: event %d outlives a reset", name, e.op)
		}
		plan(q, time.Second, arrives, 5)
		plan(q, 0, arrives, 4)
		if got, want := drain(q), []uint32{4, 5}; !slices.Equal(got, want) {
			t.Errorf("%s: after a reset got %v, want %v", name, got, want)
		}
	}
}

// Filled once, the queue of a replication serves all later ones.
func TestRadixQueueReusesItsMemory(t *testing.T) {
	q := new(radixQueue)
	replication := func() {
		q.reset()
		for i := range uint32(1000) {
			plan(q, time.Duration(mix(uint64(i))>>34), arrives, i)
		}
		for range 1000 {
			q.pop()
		}
	}
	replication()
	if allocs := testing.AllocsPerRun(10, replication); allocs != 0 {
		t.Errorf("a replication allocates %v times", allocs)
	}
}

// BenchmarkQueue is the hold model: with so many events pending, the next is
// popped and another pushed, an exponential time (mean 1 s) later.
func BenchmarkQueue(b *testing.B) {
	gaps := make([]time.Duration, 1<<16)
	for i := range gaps {
		gaps[i] = Exponential(time.Second).Sample(mix(uint64(i)))
	}
	for _, name := range []string{"radix", "heap"} {
		for _, pending := range []int{1e3, 1e5, 1e6} {
			b.Run(fmt.Sprintf("queue=%s/pending=%d", name, pending), func(b *testing.B) {
				q := queues()[name]()
				for i := range pending {
					plan(q, gaps[i%len(gaps)]+time.Duration(i), arrives, uint32(i))
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					e, _ := q.pop()
					plan(q, e.at()+gaps[i%len(gaps)], arrives, e.op)
					i++
				}
			})
		}
	}
}
