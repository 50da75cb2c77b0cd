package sim

import (
	"math"
	"time"
)

// capacity is the running state of a Capacity server.
type capacity struct {
	Capacity
	places int
	limit  *limiter // nil: none

	line line
	jobs jobs
	busy int
	debt time.Duration // worker time that refusals have cost and nobody has spent yet

	// What faults change.
	open   int     // workers that may start a request
	slow   float64 // factor of the service time
	paused bool
}

func newCapacity(c Capacity) *capacity {
	places := int(c.Queue)
	if c.Queue == Unlimited {
		places = math.MaxInt
	}
	s := &capacity{Capacity: c, places: places, open: c.Workers, slow: 1}
	if c.Limit != nil {
		s.limit = &limiter{Limit: *c.Limit}
	}
	return s
}

func (c *capacity) handle(e *engine, ev event) {
	if ev.kind() == arrives {
		c.arrive(e, ev.request())
		return
	}
	c.depart(e, ev.op)
}

// arrive admits, queues or refuses a request.
func (c *capacity) arrive(e *engine, r request) {
	e.tally.arrived(e.now, r.gen > 1)
	if c.limit != nil {
		if hint, ok := c.limit.admit(e.now, e.ops[r.op].client); !ok {
			c.refuse(e, r, 429, hint)
			return
		}
	}
	switch {
	case c.busy < c.open && !c.paused:
		c.serve(e, waiting{r, e.now})
	case c.line.len() < c.places && !c.sheds(e.now):
		c.line.push(waiting{r, e.now})
		e.tally.lined(e.now, 1)
	default:
		c.refuse(e, r, 503, 0)
	}
}

// sheds reports whether the queue is too slow to let anybody in.
func (c *capacity) sheds(now time.Duration) bool {
	return c.Shed > 0 && c.line.len() > 0 && now-c.line.at(c.line.head).since > c.Shed
}

// refuse answers at once, at the cost of some worker time.
func (c *capacity) refuse(e *engine, r request, status uint16, hint time.Duration) {
	e.tally.rejected()
	c.debt = min(longest, c.debt+c.RefusalCost)
	e.answer(r, status, hint)
}

// serve starts to work on a request; or refuses it, while the server is at another
// with the same key.
func (c *capacity) serve(e *engine, w waiting) {
	o := &e.ops[w.op]
	if o.working {
		c.refuse(e, w.request, 409, 0)
		return
	}
	o.working = e.policy.Key
	c.busy++
	e.tally.busy.add(e.now, 1)
	e.tally.admitted(e.now - w.since)
	work := c.work(e, w.request)
	e.schedule(e.now+work, departs, request{op: c.jobs.add(job{request: w.request, began: e.now})}, e.depth)
}

// work is how long a request takes: what it needs, slowed by whatever slows the
// server, and its part of what refusals before it have cost; nothing, if the answer
// is known by the operation's key.
func (c *capacity) work(e *engine, r request) time.Duration {
	if e.replays(&e.ops[r.op]) {
		return 0
	}
	work := c.need(e, r)
	if c.PerConcurrent > 0 {
		work += scaled(c.PerConcurrent, float64(c.busy))
	}
	if c.slow != 1 {
		work = scaled(work, c.slow)
	}
	return min(longest, work+c.repay())
}

// repay takes from the debt what one worker pays of it with its next request, so
// that all of them share it.
func (c *capacity) repay() time.Duration {
	share := c.debt / time.Duration(max(1, c.open))
	if share == 0 {
		share = c.debt
	}
	c.debt -= share
	return share
}

// need is how long a worker needs for a request by itself: as long as a log says,
// or its draw.
func (c *capacity) need(e *engine, r request) time.Duration {
	if e.given != nil && e.given[r.op] > 0 {
		return e.given[r.op]
	}
	return c.Service.Sample(draw(e.ops[r.op].key, drawService, int32(r.gen)))
}

// scaled multiplies a duration, at most to the longest that is sampled.
func scaled(d time.Duration, by float64) time.Duration {
	if product := float64(d) * by; product < float64(longest) {
		return time.Duration(product)
	}
	return longest
}

// depart ends the server's own work on a request: the last server answers, others
// call the one behind them.
func (c *capacity) depart(e *engine, id uint32) {
	if int(e.depth) == len(e.tiers)-1 {
		c.finish(e, id, 200, 0)
		return
	}
	e.callBehind(id)
}

// finish answers a request, with a Retry-After unless it is 0, frees its worker and
// takes the next request from the queue.
func (c *capacity) finish(e *engine, id uint32, status uint16, retryAfter time.Duration) {
	j := c.jobs.remove(id)
	c.busy--
	e.tally.busy.add(e.now, -1)
	o := &e.ops[j.op]
	o.working = false
	e.tally.served(e.now-j.began, o.waitsFor(j.request))
	if status == 200 {
		e.commit(o)
		e.answerAfterWork(j.request)
	} else {
		e.answer(j.request, status, retryAfter)
	}
	c.next(e)
}

// next starts requests of the queue while workers are free.
func (c *capacity) next(e *engine) {
	for c.busy < c.open && !c.paused && c.line.len() > 0 {
		var w waiting
		if c.LastFirst {
			w = c.line.last()
		} else {
			w = c.line.first()
		}
		e.tally.lined(e.now, -1)
		if c.drops(e, w) {
			e.tally.dropped()
			e.over(w.op)
			continue
		}
		c.serve(e, w)
	}
}

// drops reports whether a request is thrown away, unanswered, when its turn
// comes.
func (c *capacity) drops(e *engine, w waiting) bool {
	if c.DropOlder > 0 && e.now-w.since > c.DropOlder {
		return true
	}
	return c.DropAbandoned && !e.ops[w.op].waitsFor(w.request)
}

func (c *capacity) held() (queued, busy int) { return c.line.len(), c.busy }

// job is a request that a worker is at.
type job struct {
	request
	call  uint32        // of the server behind, for it
	began time.Duration // when work on it began
}

// jobs numbers the requests that are worked on, and uses the numbers again.
type jobs struct {
	list []job
	free []uint32
}

func (j *jobs) add(one job) uint32 {
	if n := len(j.free); n > 0 {
		id := j.free[n-1]
		j.free = j.free[:n-1]
		j.list[id] = one
		return id
	}
	j.list = append(j.list, one)
	return uint32(len(j.list) - 1)
}

func (j *jobs) remove(id uint32) job {
	j.free = append(j.free, id)
	return j.list[id]
}
