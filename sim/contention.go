package sim

// contention is the running state of a Contention server: the row's version.
type contention struct {
	version int64
}

func (c *contention) handle(e *engine, ev event) {
	if ev.kind() == arrives {
		c.read(e, ev.request())
		return
	}
	c.write(e, ev.request())
}

// read answers a READ with the version; the client turns the answer into a
// WRITE at once, so both legs are one event.
func (c *contention) read(e *engine, r request) {
	o := &e.ops[r.op]
	if !o.waitsFor(r) {
		e.over(r.op)
		return
	}
	o.note = c.version
	legs := e.leg(o, drawReadAnswer) + e.leg(o, drawWrite)
	e.schedule(e.now+legs, writes, r, 0)
}

// write succeeds if nobody else has written since the READ. A lost race is
// answered 503: the retry reads the row again, so it may succeed, unlike one
// after a 409.
func (c *contention) write(e *engine, r request) {
	o := &e.ops[r.op]
	if !o.waitsFor(r) {
		e.over(r.op)
		return
	}
	e.tally.arrived(e.now, r.gen > 1)
	if o.note != c.version {
		e.tally.rejected()
		e.answer(r, 503, 0)
		return
	}
	c.version++
	e.tally.admitted(0)
	e.tally.served(0, true)
	e.answer(r, 200, 0)
}

func (c *contention) held() (queued, busy int) { return 0, 0 }
