package sim

import (
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// start begins the operation with this number at a time not before now.
func (e *engine) start(number uint64, at time.Duration) {
	op := e.slot()
	e.ops[op] = operation{
		key:   operationKey(e.key, number),
		state: strategies.Operation{Start: at},
	}
	e.tally.started(at)
	e.send(op, at)
}

// slot returns the place of an operation that ended, or a new one.
func (e *engine) slot() uint32 {
	if n := len(e.free); n > 0 {
		op := e.free[n-1]
		e.free = e.free[:n-1]
		return op
	}
	e.ops = append(e.ops, operation{})
	return uint32(len(e.ops) - 1)
}

// send sends the next attempt at a time not before now. A policy's Before
// depends on nothing but the operation and the time, so it is asked ahead, and
// the attempt needs no event of its own before the server's.
func (e *engine) send(op uint32, at time.Duration) {
	o := &e.ops[op]
	if v := e.policy.Before(&o.state, at); v.Action == strategies.GiveUp {
		e.end(op, v)
		return
	}
	e.schedule(at+e.leg(o, drawRequest), arrives, op, 0)
}

// answered decides what follows the answer that reached the client.
func (e *engine) answered(op uint32, status uint16) {
	o := &e.ops[op]
	u := unit(draw(o.key, drawBackoff, o.state.Attempts))
	v := e.policy.After(&o.state, strategies.Outcome{Status: int(status)}, e.now, u)
	if v.Action != strategies.Wait {
		e.end(op, v)
		return
	}
	e.tally.retried(v.Wait)
	e.send(op, e.now+min(v.Wait, e.stop+1-e.now))
}

// end ends an operation.
func (e *engine) end(op uint32, v strategies.Verdict) {
	e.tally.ended(e.now, e.ops[op].state.Start, v)
	e.free = append(e.free, op)
}
