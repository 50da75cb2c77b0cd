package sim

import (
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// start begins the operation with this number at a time not before now, and returns
// its place.
func (e *engine) start(number uint64, client uint32, at time.Duration) uint32 {
	op := e.slot()
	e.ops[op] = operation{
		key:    operationKey(e.key, number),
		state:  strategies.Operation{Start: at, Unsafe: e.client.Creates},
		client: client,
	}
	e.tally.started(at)
	e.sendAt(op, at)
	return op
}

// slot returns the place of an operation that ended, or a new one.
func (e *engine) slot() uint32 {
	if n := len(e.free); n > 0 {
		op := e.free[n-1]
		e.free = e.free[:n-1]
		if e.calls != nil {
			e.calls[op] = call{}
		}
		if e.given != nil {
			e.given[op] = 0
		}
		return op
	}
	e.ops = append(e.ops, operation{})
	if e.calls != nil {
		e.calls = append(e.calls, call{})
	}
	if e.given != nil {
		e.given = append(e.given, 0)
	}
	return uint32(len(e.ops) - 1)
}

// sendAt sends the next attempt at a time not before now. What a policy answers for
// an operation alone depends on nothing but the time, so it is asked ahead, and the
// attempt needs no event of its own before the server's; unless clients share
// something, which is asked when the attempt is due, or the operation can be
// cancelled before.
func (e *engine) sendAt(op uint32, at time.Duration) {
	if e.shared != nil || e.cancels && at > e.now {
		e.plan(at, request{op: op})
		return
	}
	e.send(op, strategies.Shared{}, at)
}

// plan schedules the sending of an attempt.
func (e *engine) plan(at time.Duration, r request) {
	if e.cancels {
		e.ops[r.op].goesOut()
	}
	e.schedule(at, sends, r, 0)
}

// send sends the next attempt, if the policy lets it go out.
func (e *engine) send(op uint32, shared strategies.Shared, at time.Duration) {
	o := &e.ops[op]
	u := 0.0
	if e.shared != nil {
		u = unit(draw(o.key, drawBefore, o.state.Attempts))
	}
	if v := e.policy.Before(&o.state, shared, at, u); v.Action != strategies.Send {
		e.heldBack(op, v)
		return
	}
	o.phase = awaiting
	r := request{op, uint16(o.state.Attempts)}
	if e.roaming {
		o.goesOut() // the request
		if limit := e.timeout(o); limit > 0 {
			o.goesOut() // and the end of the wait for its answer
			e.schedule(at+min(limit, e.stop+1-at), expires, r, 0)
		}
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
	o := &e.ops[r.op]
	if !o.waitsFor(r) {
		return
	}
	o.phase = pausing
	if e.calls != nil {
		e.giveUpBehind(r.op)
	}
	e.decide(r.op, strategies.Outcome{Fault: strategies.TimedOut})
}

// decide asks the policy what follows an outcome.
func (e *engine) decide(op uint32, out strategies.Outcome) {
	o := &e.ops[op]
	o.phase = pausing
	e.tally.saw(out)
	if e.depth > 0 {
		e.calls[op].heard(out)
	}
	u := unit(draw(o.key, drawBackoff, o.state.Attempts))
	v := e.policy.After(&o.state, e.sharedBy(o), out, e.now, u)
	if v.Action != strategies.Wait {
		e.end(op, v)
		return
	}
	e.tally.retried(min(v.Wait, e.stop-e.now))
	e.sendAt(op, e.now+min(v.Wait, e.stop+1-e.now))
}

// end ends an operation and tells whoever it was for. Its place is used again only
// if no request of it can still be on the way or with the server.
func (e *engine) end(op uint32, v strategies.Verdict) {
	o := &e.ops[op]
	o.phase = ended
	e.tally.ended(e.now, o.state.Start, v)
	if o.out == 0 {
		e.free = append(e.free, op)
	}
	if e.depth > 0 {
		e.returned(e.calls[op], v)
		return
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
	if o.phase == ended && o.out == 0 {
		e.free = append(e.free, op)
	}
}
