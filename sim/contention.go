package sim

// contention is the running state of a Contention server: the row's version.
type contention struct {
	version int64
}

func (c *contention) handle(e *engine, ev event) {
	if ev.kind == arrives {
		c.read(e, ev.op)
		return
	}
	c.write(e, ev.op)
}

// read answers a READ with the version; the client turns the answer into a
// WRITE at once, so both legs are one event.
func (c *contention) read(e *engine, op uint32) {
	o := &e.ops[op]
	o.note = c.version
	legs := e.leg(o, drawReadAnswer) + e.leg(o, drawWrite)
	e.schedule(e.now+legs, writes, op, 0)
}

// write succeeds if nobody else has written since the READ. A lost race is
// answered 503: the retry reads the row again, so it may succeed, unlike one
// after a 409.
func (c *contention) write(e *engine, op uint32) {
	o := &e.ops[op]
	e.tally.arrived(e.now, o.state.Attempts > 1)
	if o.note != c.version {
		e.tally.rejected()
		e.answer(op, 503)
		return
	}
	c.version++
	e.tally.admitted(0)
	e.tally.served(e.now)
	e.answer(op, 200)
}

func (c *contention) held() (queued, busy int) { return 0, 0 }
