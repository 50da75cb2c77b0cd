package sim

import "time"

// leg draws one way over the network for the attempt at hand.
func (e *engine) leg(op *operation, p purpose) time.Duration {
	return e.network.Leg.Sample(draw(op.key, p, op.state.Attempts))
}

// answer sends the server's answer back to the client.
func (e *engine) answer(op uint32, status uint16) {
	e.schedule(e.now+e.leg(&e.ops[op], drawAnswer), answers, op, status)
}
