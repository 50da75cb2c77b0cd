package sim

import (
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// tier is one server of a run with whoever calls it: the clients, or the server
// before. The first tier is the one that the clients call; a scenario without
// [Layer] has no other. At every event the engine is at one of them, so that the
// steps of an attempt's life need not know how many there are.
//
// A request to a server before the last holds its worker while the server calls
// the next: the call is an operation of its own, at the next tier, with a policy,
// attempts and waits of its own.
type tier struct {
	policy   strategies.Policy // of whoever calls
	shared   *shared           // what the callers share; nil: nothing
	client   Client
	network  Network
	server   server
	capacity *capacity // the server, if it is one
	depth    uint16    // how many servers stand before it
	cancels  bool      // a call to it is given up when nobody waits for its caller's answer
	roaming  bool      // requests can outlive their operation
	struck   struck    // what faults do to it
	tally    tally
}

// build sets up the tiers of a cell. They are used again from one replication to
// the next, for the room in their tallies.
func (e *engine) build(s Scenario, c *cell) {
	if n := len(s.Behind) + 1; len(e.tiers) != n {
		e.tiers = make([]tier, n)
	}
	e.tier = &e.tiers[0]
	e.calls = nil
	if len(s.Behind) > 0 {
		e.calls = make([]call, 0, 16)
	}
	policy := s.Policies[c.policy]
	e.tiers[0] = tier{policy: policy, client: s.Client, network: s.Network, server: newServer(s.Server), tally: e.tally}
	for i, l := range s.Behind {
		t := &e.tiers[i+1]
		*t = tier{policy: policy, network: s.Network, server: newCapacity(l.Capacity), depth: uint16(i + 1), cancels: l.Cancel, tally: t.tally}
		if l.Policy != nil {
			t.policy = *l.Policy
		}
		if l.Leg != nil {
			t.network.Leg = *l.Leg
		}
	}
	for i := range e.tiers {
		t := &e.tiers[i]
		clients := c.clients
		if i > 0 {
			clients = 1 // the server before, which is one process
		}
		t.shared = newShared(&t.policy, clients)
		t.capacity, _ = t.server.(*capacity)
		t.roaming = t.outlives()
		t.tally.reset(c.warmUp)
		if i > 0 {
			t.tally.brief = true
			e.tally.behind = append(e.tally.behind, &t.tally)
		}
	}
}

// manyAttempts is as many as are counted, of one policy and of all together.
const manyAttempts = 1000

// attemptsInAll is how many requests to the last server one operation may cause,
// at least 1: every tier multiplies them.
func attemptsInAll(tiers []tier) int {
	all := 1
	for i := range tiers {
		all = min(all*min(max(1, tiers[i].policy.Attempts), manyAttempts), manyAttempts)
	}
	return all
}

// call is what the engine knows of an operation beyond its client's side, where
// servers stand behind the first: for whom it is done, and what answer to give.
type call struct {
	depth  uint16        // of its tier
	status uint16        // what its failure is answered with at the tier before
	job    uint32        // of the tier before, that waits for it
	held   uint32        // the job at its own server that holds its last attempt, plus 1; 0: none
	hint   time.Duration // the Retry-After told with the status; 0: none
}

// heard notes what a failure of the call will be answered with: as a gateway does,
// the server before passes a status on, tells 504 of a timeout and 502 of anything
// else.
func (c *call) heard(out strategies.Outcome) {
	c.status, c.hint = 502, 0
	switch {
	case out.Status >= 400:
		c.status, c.hint = uint16(out.Status), out.RetryAfter
	case out.Fault == strategies.TimedOut:
		c.status = 504
	}
}

// enter takes the engine to a tier and returns the one where it was.
func (e *engine) enter(depth uint16) *tier {
	before := e.tier
	e.tier = &e.tiers[depth]
	return before
}

// handleWhereItBelongs handles an event at its tier.
func (e *engine) handleWhereItBelongs(ev event) {
	first := e.tier
	switch ev.kind() {
	case sends, arrives, answers, expires:
		e.enter(e.calls[ev.op].depth)
	case departs:
		e.enter(ev.status())
	}
	e.handle(ev)
	e.tier = first
}

// callBehind starts the call of the next server that a job makes when its own work
// is over; unless nobody waits for its answer, and it need not.
func (e *engine) callBehind(id uint32) {
	j := &e.capacity.jobs.list[id]
	o := &e.ops[j.op]
	awaited := o.waitsFor(j.request)
	if e.tiers[e.depth+1].cancels && !awaited {
		e.capacity.finish(e, id, 502, 0)
		return
	}
	if awaited {
		e.calls[j.op].held = id + 1
	}
	key := draw(o.key, drawBehind, int32(j.gen))
	before := e.enter(e.depth + 1)
	j.call = e.slot()
	e.ops[j.call] = operation{key: key, state: strategies.Operation{Start: e.now}}
	e.calls[j.call] = call{depth: e.depth, status: 502, job: id}
	e.tally.started(e.now)
	e.sendAt(j.call, e.now)
	e.tier = before
}

// returned ends the job that waited for a call.
func (e *engine) returned(c call, v strategies.Verdict) {
	behind := e.enter(c.depth - 1)
	e.release(c.job)
	if v.Action == strategies.Done {
		e.capacity.finish(e, c.job, 200, 0)
	} else {
		e.capacity.finish(e, c.job, c.status, c.hint)
	}
	e.tier = behind
}

// release forgets that a job holds its operation's last attempt, if it does.
func (e *engine) release(job uint32) {
	if held := &e.calls[e.capacity.jobs.list[job].op].held; *held == job+1 {
		*held = 0
	}
}

// giveUpBehind gives up the call that the server makes for an attempt nobody waits
// for any more, where calls are given up.
func (e *engine) giveUpBehind(op uint32) {
	held := e.calls[op].held
	e.calls[op].held = 0
	if held == 0 || !e.tiers[e.depth+1].cancels {
		return
	}
	job := held - 1
	before := e.enter(e.depth + 1)
	e.cancel(before.capacity.jobs.list[job].call)
	e.tier = before
	e.capacity.finish(e, job, 502, 0)
}

// cancel ends a call that nobody needs any more, and those that it has caused
// further behind.
func (e *engine) cancel(op uint32) {
	o := &e.ops[op]
	if o.phase == pausing {
		e.tally.withdrew()
	}
	o.phase = pausing
	e.giveUpBehind(op)
	e.policy.Cancel(&o.state, e.sharedBy(o), e.now)
	e.tally.cancelled()
	o.phase = ended
	if o.out == 0 {
		e.free = append(e.free, op)
	}
}
