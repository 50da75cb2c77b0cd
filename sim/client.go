package sim

import (
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// start begins the operation with this number at a time not before now.
func (e *engine) start(number uint64, client uint32, at time.Duration) {
	op := e.slot()
	e.ops[op] = operation{
		key:    operationKey(e.key, number),
		state:  strategies.Operation{Start: at, Unsafe: e.client.unsafe()},
		client: client,
	}
	e.tally.started(at)
	e.sendAt(op, at)
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

// sendAt sends the next attempt at a time not before now. A policy's Before
// depends on nothing but the operation and the time, so it is asked ahead, and
// the attempt needs no event of its own before the server's; unless the client
// keeps to a rate, whose turns are given when they are due.
func (e *engine) sendAt(op uint32, at time.Duration) {
	o := &e.ops[op]
	if e.pacers != nil {
		if at > e.now {
			e.schedule(at, sends, request{op: op}, 0)
			return
		}
		at += min(e.pacers[o.client].WaitAt(at), e.stop+1-at)
	}
	if v := e.policy.Before(&o.state, at); v.Action == strategies.GiveUp {
		e.end(op, v)
		return
	}
	if e.pacers != nil {
		e.pacers[o.client].TurnAt(e.now, e.policy.Rate)
	}
	o.awaits = true
	r := request{op, uint16(o.state.Attempts)}
	if e.roaming {
		o.goesOut() // the request
		o.goesOut() // and the end of the wait for its answer
		e.schedule(at+min(e.timeout(o), e.stop+1-at), expires, r, 0)
	}
	e.transmit(r, at)
}

// answered hands the answer that reached the client to its policy, unless the
// client has stopped waiting for it.
func (e *engine) answered(r request, status uint16) {
	o := &e.ops[r.op]
	e.over(r.op)
	if !o.waitsFor(r) {
		e.tally.ignored()
		return
	}
	e.decide(r.op, outcomeOf(status, o.note))
}

// expired ends the wait for an answer that did not come in time.
func (e *engine) expired(r request) {
	e.over(r.op)
	if e.ops[r.op].waitsFor(r) {
		e.decide(r.op, strategies.Outcome{Fault: strategies.TimedOut})
	}
}

// decide asks the policy what follows an outcome.
func (e *engine) decide(op uint32, out strategies.Outcome) {
	o := &e.ops[op]
	o.awaits = false
	e.tally.saw(out)
	u := unit(draw(o.key, drawBackoff, o.state.Attempts))
	v := e.policy.After(&o.state, out, e.now, u)
	if v.Action != strategies.Wait {
		e.end(op, v)
		return
	}
	e.tally.retried(min(v.Wait, e.stop-e.now))
	e.sendAt(op, e.now+min(v.Wait, e.stop+1-e.now))
}

// end ends an operation. Its place is used again only if no request of it can
// still be on the way or with the server.
func (e *engine) end(op uint32, v strategies.Verdict) {
	o := &e.ops[op]
	o.awaits, o.ended = false, true
	e.tally.ended(e.now, o.state.Start, v)
	if o.out == 0 {
		e.free = append(e.free, op)
	}
	e.load.ended(e, o.client)
}

// everOut marks an operation with so many requests under way at once that they
// are counted no more; its place is not used again.
const everOut = 255

// goesOut counts one more event to come that names the operation.
func (o *operation) goesOut() {
	if o.out < everOut {
		o.out++
	}
}

// over counts one that has come, or never will. With the last of them, the place
// of an operation that has ended can be used again.
func (e *engine) over(op uint32) {
	o := &e.ops[op]
	if !e.roaming || o.out == everOut {
		return
	}
	o.out--
	if o.ended && o.out == 0 {
		e.free = append(e.free, op)
	}
}
