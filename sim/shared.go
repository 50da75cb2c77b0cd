package sim

import (
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// shared is what the clients of a tier have in common by their policy: budgets,
// breakers and throttles, each for a group of clients; and the turns that each
// client's rate gives. A group's are made when its first client sends.
type shared struct {
	policy    *strategies.Policy
	pacers    []strategies.Pacer // by client; nil if the policy keeps to no rate
	budgets   []strategies.Allowance
	breakers  []*strategies.Circuit
	throttles []*strategies.Throttler
}

// newShared returns what so many clients share by a policy; nil if that is nothing.
func newShared(p *strategies.Policy, clients int) *shared {
	if p.Rate == 0 && !p.Shares() {
		return nil
	}
	s := &shared{policy: p}
	if p.Rate > 0 {
		s.pacers = make([]strategies.Pacer, clients)
	}
	if p.Budget != nil {
		s.budgets = make([]strategies.Allowance, p.Budget.Shared().Groups(clients))
	}
	if p.Breaker != (strategies.Breaker{}) {
		s.breakers = make([]*strategies.Circuit, p.Breaker.Per.Groups(clients))
	}
	if p.Throttle != (strategies.Throttle{}) {
		s.throttles = make([]*strategies.Throttler, p.Throttle.Per.Groups(clients))
	}
	return s
}

// of returns what a client shares with its group.
func (s *shared) of(client uint32) strategies.Shared {
	var all strategies.Shared
	if s.budgets != nil {
		budget := &s.budgets[s.policy.Budget.Shared().Group(client)]
		if *budget == nil {
			*budget = s.policy.Budget.New()
		}
		all.Budget = *budget
	}
	if s.breakers != nil {
		breaker := &s.breakers[s.policy.Breaker.Per.Group(client)]
		if *breaker == nil {
			*breaker = s.policy.Breaker.New()
		}
		all.Breaker = *breaker
	}
	if s.throttles != nil {
		throttle := &s.throttles[s.policy.Throttle.Per.Group(client)]
		if *throttle == nil {
			*throttle = s.policy.Throttle.New()
		}
		all.Throttle = *throttle
	}
	return all
}

// sharedBy returns what the client of an operation shares with others.
func (e *engine) sharedBy(o *operation) strategies.Shared {
	if e.shared == nil {
		return strategies.Shared{}
	}
	return e.shared.of(o.client)
}

// mostLookedAt is how many breakers are looked at: enough to tell a share of them,
// and few enough to look every second.
const mostLookedAt = 1000

// open returns the share of breakers that are not closed.
func (s *shared) open(now time.Duration) float64 {
	list := s.breakers[:min(len(s.breakers), mostLookedAt)]
	open := 0
	for _, b := range list {
		if b != nil && b.StateAt(now) != strategies.Closed {
			open++
		}
	}
	return float64(open) / float64(len(list))
}

// look notes, at the end of each second, how many breakers are open.
func (e *engine) look() {
	e.tally.lifeline.at(e.now - 1).open = e.shared.open(e.now)
	e.schedule(e.now+time.Second, looks, request{}, 0)
}

// turn sends an attempt that was planned, now that it is due, or at the client's
// next turn (gen 1: that is now).
func (e *engine) turn(r request) {
	o := &e.ops[r.op]
	if e.cancels {
		e.over(r.op)
		if o.phase == ended {
			return
		}
	}
	if s := e.shared; s != nil && s.pacers != nil && r.gen == 0 {
		if wait := s.pacers[o.client].TurnAt(e.now, e.policy.Rate); wait > 0 {
			e.plan(e.now+min(wait, e.stop+1-e.now), request{op: r.op, gen: 1})
			return
		}
	}
	e.send(r.op, e.sharedBy(o), e.now)
}

// heldBack does what the policy says instead of sending an attempt: it ends the
// operation, or waits. A wait for a breaker to close is no retry.
func (e *engine) heldBack(op uint32, v strategies.Verdict) {
	waits := v.Action == strategies.Wait && e.policy.Breaker.WhenOpen == strategies.WaitWhenOpen
	if v.Why == strategies.WhyThrottle || v.Why == strategies.WhyBreaker && !waits {
		e.tally.shortCircuited(e.now)
	}
	if v.Action != strategies.Wait {
		if v.Why == strategies.WhyDeadline {
			e.tally.withdrew()
		}
		e.end(op, v)
		return
	}
	wait := min(v.Wait, e.stop-e.now)
	if waits {
		e.tally.waited(wait)
	} else {
		e.tally.retried(wait)
	}
	e.sendAt(op, e.now+min(v.Wait, e.stop+1-e.now))
}
