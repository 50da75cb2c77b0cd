package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// FaultKind says what is wrong while a Fault lasts.
type FaultKind string

// The kinds of faults.
const (
	Down        FaultKind = "down"     // connections are refused
	Hang        FaultKind = "hang"     // requests are swallowed: no answer comes
	Pause       FaultKind = "pause"    // requests queue, none is started; what is in service ends
	Error       FaultKind = "error"    // a share is answered with Status instead
	LoseAnswers FaultKind = "lost"     // a share of the answers to work done is lost: the connection breaks
	Slow        FaultKind = "slow"     // service takes Factor times as long
	Reduced     FaultKind = "capacity" // Factor times as many workers
	Loss        FaultKind = "loss"     // a share of all messages vanishes
)

// FaultKinds lists the kinds.
func FaultKinds() []FaultKind {
	return []FaultKind{Down, Hang, Pause, Error, LoseAnswers, Slow, Reduced, Loss}
}

// Fault is trouble for a while.
type Fault struct {
	Kind       FaultKind     `json:"kind" need:"yes" doc:"down, hang, pause, error, lost, slow, capacity or loss"`
	From       time.Duration `json:"from" need:"yes" doc:"when it begins"`
	For        time.Duration `json:"for" need:"yes" doc:"how long it lasts"`
	Spread     time.Duration `json:"spread,omitempty" doc:"it lasts longer by up to this, at random in each replication"`
	Share      float64       `json:"share,omitempty" doc:"error, lost, loss: which share of the requests is struck, from 0 to 1; with an error of the client's own (4xx but 429), of the operations"`
	Factor     float64       `json:"factor,omitempty" doc:"slow, capacity: factor of the service time or of the workers"`
	Status     int           `json:"status,omitempty" doc:"error: the status answered"`
	RetryAfter time.Duration `json:"retry_after,omitempty" doc:"error: told with the status"`
	Processed  bool          `json:"processed,omitempty" doc:"error: comes after the work was done"`
	Layer      string        `json:"layer,omitempty" doc:"the name of the server behind that is struck; left out, the one that the clients call"`
}

// validate names every bad field.
func (f Fault) validate(c *complaints, path string, s Scenario) {
	c.notNegative(path, map[string]time.Duration{"from": f.From, "spread": f.Spread, "retry_after": f.RetryAfter})
	c.positive(path+".for", f.For)
	switch f.Kind {
	case Error, LoseAnswers, Loss:
		c.require(f.Share > 0 && f.Share <= 1, path+".share", "must be above 0 and at most 1, got %v", f.Share)
	case Slow, Reduced:
		c.require(f.Factor > 0 && f.Factor <= 1e6, path+".factor", "must be above 0 and at most 1e6, got %v", f.Factor)
	case Down, Hang, Pause:
	default:
		c.require(false, path+".kind", "%q is none of %s", f.Kind, strings.Trim(fmt.Sprint(FaultKinds()), "[]"))
	}
	if f.Kind == Error {
		c.require(f.Status >= 400 && f.Status <= 599, path+".status", "must be from 400 to 599, got %d", f.Status)
	}
	f.validateUnused(c, path)
	late := f.Kind == LoseAnswers || f.Kind == Error && f.Processed
	c.require(!late || s.Server.Contention == nil, path+".kind", "a fault after the work needs a capacity server")
	needsWorkers := f.Kind == Pause || f.Kind == Slow || f.Kind == Reduced
	c.require(!needsWorkers || s.Server.Capacity != nil, path+".kind", "%s needs a capacity server", f.Kind)
	if f.Layer != "" && s.depthOf(f.Layer) == 0 {
		c.add(path+".layer", s.noLayer(f.Layer))
	}
}

// validateUnused complains about what is said of a fault that does not need it:
// whoever wrote it meant something by it.
func (f Fault) validateUnused(c *complaints, path string) {
	for _, field := range []struct {
		name string
		set  bool
		by   []FaultKind
	}{
		{"share", f.Share != 0, []FaultKind{Error, LoseAnswers, Loss}},
		{"factor", f.Factor != 0, []FaultKind{Slow, Reduced}},
		{"status", f.Status != 0, []FaultKind{Error}},
		{"retry_after", f.RetryAfter != 0, []FaultKind{Error}},
		{"processed", f.Processed, []FaultKind{Error}},
	} {
		c.require(!field.set || slices.Contains(field.by, f.Kind), path+"."+field.name, "means nothing to a fault of the kind %s", f.Kind)
	}
}

// heals reports whether any fault ends before the stop, its spread left aside.
func (s Scenario) heals() bool {
	return slices.ContainsFunc(s.Faults, func(f Fault) bool { return f.From+f.For < s.Stop })
}

// faults is the running state of a scenario's faults.
type faults struct {
	list   []Fault
	depths []uint16 // of the tiers that they strike
	active []bool
}

// struck is what the active faults of a tier amount to, but for what they do to its
// workers.
type struck struct {
	down, hang bool
	loss       float64
}

// newFaults returns the faults of a scenario; nil if there are none.
func newFaults(s Scenario) *faults {
	if len(s.Faults) == 0 {
		return nil
	}
	f := &faults{list: s.Faults, active: make([]bool, len(s.Faults))}
	for _, fault := range s.Faults {
		f.depths = append(f.depths, s.depthOf(fault.Layer))
	}
	return f
}

// begin plans when each fault begins and ends. One that outlasts the stop is not
// the last whose end is told, whatever its spread.
func (f *faults) begin(e *engine) {
	for i, fault := range f.list {
		u := unit(draw(e.key, drawFault, int32(i)))
		until := fault.From + fault.For + time.Duration(u*float64(fault.Spread))
		e.schedule(fault.From, changes, request{op: uint32(i), gen: 1}, 0)
		e.schedule(until, changes, request{op: uint32(i)}, 0)
		if fault.From+fault.For < e.stop {
			e.tally.lastFault = max(e.tally.lastFault, until)
		}
	}
}

// change begins (gen 1) or ends (gen 0) a fault.
func (f *faults) change(e *engine, r request) {
	f.active[r.op] = r.gen == 1
	e.tally.troubled(e.now, slices.Contains(f.active, true))
	first := e.enter(f.depths[r.op])
	f.strike(e)
	e.tier = first
}

// strike does to the tier at hand what its active faults amount to.
func (f *faults) strike(e *engine) {
	e.struck = struck{}
	slow, open, paused := 1.0, 1.0, false
	for i, fault := range f.list {
		if !f.lasts(e, i) {
			continue
		}
		switch fault.Kind {
		case Down:
			e.struck.down = true
		case Hang:
			e.struck.hang = true
		case Pause:
			paused = true
		case Slow:
			slow = float64(slow * fault.Factor)
		case Reduced:
			open = float64(open * fault.Factor)
		case Loss:
			e.struck.loss = 1 - float64((1-e.struck.loss)*(1-fault.Share))
		}
	}
	if c := e.capacity; c != nil {
		c.slow, c.paused = slow, paused
		c.open = int(min(maxWorkers, math.Floor(float64(float64(c.Workers)*open)+0.5)))
		c.next(e)
	}
}

// lasts reports whether fault number i is active at the tier at hand.
func (f *faults) lasts(e *engine, i int) bool { return f.active[i] && f.depths[i] == e.depth }

// strikes deals with a request at the server's door, and reports whether that
// was its end.
func (f *faults) strikes(e *engine, r request) bool {
	if f.loses(e, r, drawLostRequest) {
		e.tally.requestLost()
		e.over(r.op)
		return true
	}
	if !e.struck.down && !e.struck.hang {
		return f.errs(e, r)
	}
	e.tally.arrived(e.now, r.gen > 1)
	if e.struck.down {
		e.tally.rejected()
		e.answer(r, statusRefused, 0)
	} else {
		e.tally.swallowed()
		e.over(r.op)
	}
	return true
}

// errs answers a share of the requests with a status, before any work.
func (f *faults) errs(e *engine, r request) bool {
	for i, fault := range f.list {
		if f.lasts(e, i) && fault.Kind == Error && !fault.Processed && f.hits(e, r, drawFault, i) {
			e.tally.arrived(e.now, r.gen > 1)
			e.tally.rejected()
			e.answer(r, uint16(fault.Status), fault.RetryAfter)
			return true
		}
	}
	return false
}

// hits draws whether fault number i strikes a request. An error of the client's own
// strikes all attempts of an operation or none: to send it again does not mend it.
func (f *faults) hits(e *engine, r request, p purpose, i int) bool {
	attempt := int32(r.gen)
	if status := f.list[i].Status; status >= 400 && status < 500 && status != 429 {
		attempt = 0
	}
	bits := mix(draw(e.ops[r.op].key, p, attempt) + golden*uint64(i))
	return unit(bits) < f.list[i].Share
}

// loses draws whether a request or its answer vanishes.
func (f *faults) loses(e *engine, r request, p purpose) bool {
	return e.struck.loss > 0 && unit(draw(e.ops[r.op].key, p, int32(r.gen))) < e.struck.loss
}

// answerAfterWork answers a request that was served, unless a fault comes
// between.
func (e *engine) answerAfterWork(r request) {
	if e.faults != nil {
		for i, fault := range e.faults.list {
			late := fault.Kind == LoseAnswers || fault.Kind == Error && fault.Processed
			if !late || !e.faults.lasts(e, i) || !e.faults.hits(e, r, drawLate, i) {
				continue
			}
			if fault.Kind == LoseAnswers {
				e.answer(r, statusBroken, 0)
			} else {
				e.answer(r, uint16(fault.Status), fault.RetryAfter)
			}
			return
		}
	}
	e.answer(r, 200, 0)
}
