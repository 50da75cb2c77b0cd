package sim

import (
	"context"
	"errors"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// engine is one replication of one cell: a single-threaded loop over events.
// The steps of an attempt's life are its methods, a file each: load.go,
// client.go, shared.go, network.go, capacity.go and contention.go, and tier.go from
// one server to the next; metrics.go watches.
//
// No closure, goroutine, channel, map or allocation per event: a herd of
// millions must run while somebody waits for it (BenchmarkEngine).
type engine struct {
	*tier  // where the event at hand happens
	tiers  []tier
	load   load
	queue  queue
	faults *faults // nil: none

	key     uint64 // of the replication's draws
	stop    time.Duration
	endless bool // operations start up to the stop
	now     time.Duration
	due     uint64 // the key of the event at hand
	ops     []operation
	free    []uint32        // operations that ended and may be used again
	calls   []call          // by operation; nil where no server stands behind the first
	given   []time.Duration // by operation: how long it takes by a log; nil if none says
}

func newEngine() *engine {
	e := new(engine)
	e.queue = &radixQueue{ops: &e.ops}
	return e
}

// operation is a client's side of one operation. It fills a cache line, so that
// none straddles two.
type operation struct {
	key   uint64 // of its draws
	note  int64  // what the server keeps on the attempt at hand, or its hint
	state strategies.Operation

	client    uint32 // whose operation it is
	phase     phase
	working   bool  // the server is at a request of it that carries a key
	resources uint8 // how many the operation has created
	out       uint8 // requests and timeouts of it that are still to come, see over
}

// phase says what the client of an operation does.
type phase uint8

const (
	pausing  phase = iota // it waits to send, or is just about to
	awaiting              // it waits for an answer to its last attempt
	ended                 // the operation is over
)

// waitsFor reports whether the client still waits for the answer to a request.
func (o *operation) waitsFor(r request) bool {
	return o.phase == awaiting && uint16(o.state.Attempts) == r.gen
}

// server is what an event at the server is handed to. It knows nothing of
// policies: it answers with a status.
type server interface {
	handle(e *engine, ev event)
	held() (queued, busy int)
}

// errStandstill reports a run that would never end.
var errStandstill = errors.New("time stands still: operations are retried without end in the same instant; " +
	"give the policy a wait or a limit of attempts, or the network a leg above 0")

// checkEvery is the number of events between two looks at the context.
const checkEvery = 1 << 16

// run handles events until none is left or the stop is passed.
func (e *engine) run(ctx context.Context) error {
	if e.faults != nil {
		e.faults.begin(e)
	}
	e.load.begin(e)
	attempts := attemptsInAll(e.tiers)
	still := 0
	for n := 1; ; n++ {
		ev, ok := e.queue.pop()
		if !ok {
			if e.endless {
				e.now = e.stop // nothing happened any more
			}
			return nil
		}
		at := ev.at()
		if at > e.stop {
			e.queue.push(ev)
			e.now = e.stop
			return nil
		}
		if at != e.now {
			still = n
		} else if n-still > standstill+8*len(e.ops)*attempts {
			return errStandstill
		}
		e.now, e.due = at, ev.key
		if e.calls == nil {
			e.handle(ev)
		} else {
			e.handleWhereItBelongs(ev)
		}
		if n%checkEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

// standstill is how many events, besides a few for each operation, may happen
// in one instant.
const standstill = 1_000_000

func (e *engine) handle(ev event) {
	switch ev.kind() {
	case opens:
		e.load.open(e, ev.op)
	case measure:
		e.tally.restart(e.now)
	case sends:
		e.turn(ev.request())
	case looks:
		e.look()
	case changes:
		e.faults.change(e, ev.request())
	case answers:
		e.answered(ev.request(), ev.status())
	case expires:
		e.expired(ev.request())
	case arrives:
		if e.faults == nil || !e.faults.strikes(e, ev.request()) {
			e.server.handle(e, ev)
		}
	default:
		e.server.handle(e, ev)
	}
}

// schedule plans an event. One planned for the very instant at hand comes after
// all that is there already; one beyond the stop will not happen.
func (e *engine) schedule(at time.Duration, k kind, r request, status uint16) {
	if at > e.stop || at < 0 {
		at = e.stop + 1
	}
	e.queue.push(event{key: max(e.due, eventKey(at, k)), op: r.op, gen: r.gen, code: codeOf(k, status)})
}
