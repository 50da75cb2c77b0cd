package sim

import (
	"math"
	"time"
)

// capacity is the running state of a Capacity server.
type capacity struct {
	workers int
	places  int
	service Distribution
	busy    int
	line    ring
}

func newCapacity(c Capacity) *capacity {
	places := c.Queue
	if places == Unlimited {
		places = math.MaxInt
	}
	return &capacity{workers: c.Workers, places: places, service: c.Service}
}

func (c *capacity) handle(e *engine, ev event) {
	if ev.kind == arrives {
		c.arrive(e, ev.op)
		return
	}
	c.depart(e, ev.op)
}

// arrive admits, queues or refuses a request.
func (c *capacity) arrive(e *engine, op uint32) {
	o := &e.ops[op]
	e.tally.arrived(e.now, o.state.Attempts > 1)
	switch {
	case c.busy < c.workers:
		c.busy++
		e.tally.busy.add(e.now, 1)
		c.serve(e, op, e.now)
	case c.line.len() < c.places:
		o.note = int64(e.now)
		c.line.push(op)
		e.tally.queued.add(e.now, 1)
	default:
		e.tally.rejected()
		e.answer(op, 503)
	}
}

// serve starts to work on a request that arrived at this time.
func (c *capacity) serve(e *engine, op uint32, arrived time.Duration) {
	o := &e.ops[op]
	e.tally.admitted(e.now - arrived)
	work := c.service.Sample(draw(o.key, drawService, o.state.Attempts))
	e.schedule(e.now+work, departs, op, 0)
}

// depart ends the work on a request, and takes the next from the queue.
func (c *capacity) depart(e *engine, op uint32) {
	e.tally.served(e.now)
	e.answer(op, 200)
	if c.line.len() == 0 {
		c.busy--
		e.tally.busy.add(e.now, -1)
		return
	}
	next := c.line.pop()
	e.tally.queued.add(e.now, -1)
	c.serve(e, next, time.Duration(e.ops[next].note))
}

func (c *capacity) held() (queued, busy int) { return c.line.len(), c.busy }

// ring is a growing first-in, first-out queue of operations.
type ring struct {
	buf        []uint32 // its length is 0 or a power of two
	head, tail uint64
}

func (r *ring) len() int { return int(r.tail - r.head) }

func (r *ring) push(op uint32) {
	if r.len() == len(r.buf) {
		r.grow()
	}
	r.buf[r.tail&uint64(len(r.buf)-1)] = op
	r.tail++
}

func (r *ring) pop() uint32 {
	op := r.buf[r.head&uint64(len(r.buf)-1)]
	r.head++
	return op
}

func (r *ring) grow() {
	grown := make([]uint32, max(16, 2*len(r.buf)))
	n := r.len()
	for i := range n {
		grown[i] = r.pop()
	}
	r.buf, r.head, r.tail = grown, 0, uint64(n)
}
