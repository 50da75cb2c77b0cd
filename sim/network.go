package sim

import (
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// leg draws one way over the network for the attempt at hand.
func (e *engine) leg(op *operation, p purpose) time.Duration {
	return e.network.Leg.Sample(draw(op.key, p, op.state.Attempts))
}

// transmit sends a request to the server at a time not before now. Whether it is
// lost shows when it would arrive: the faults of a time to come are not known.
func (e *engine) transmit(r request, at time.Duration) {
	e.schedule(at+e.leg(&e.ops[r.op], drawRequest), arrives, r, 0)
}

// answer sends the server's answer, with a Retry-After unless it is 0, back to
// the client. If that has stopped waiting, nobody will miss it.
func (e *engine) answer(r request, status uint16, retryAfter time.Duration) {
	o := &e.ops[r.op]
	if !o.waitsFor(r) {
		e.tally.ignored()
		e.over(r.op)
		return
	}
	if e.faults != nil && e.faults.loses(e, r, drawLostAnswer) {
		e.tally.answerLost()
		e.over(r.op)
		return
	}
	o.note = int64(retryAfter)
	e.schedule(e.now+e.leg(o, drawAnswer), answers, r, status)
}

// Beyond the HTTP statuses, an answer can be that of the network itself.
const (
	statusRefused = 1000 + uint16(strategies.Refused)
	statusBroken  = 1000 + uint16(strategies.Broken)
)

// outcomeOf is what the client makes of an answer.
func outcomeOf(status uint16, retryAfter int64) strategies.Outcome {
	if status > 1000 {
		return strategies.Outcome{Fault: strategies.Fault(status - 1000)}
	}
	return strategies.Outcome{Status: int(status), RetryAfter: time.Duration(retryAfter)}
}
