package sim

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// A server without a queue that takes the longer, the more it has in service,
// and clients that abandon their requests there: once it is too slow for them, it
// works for nobody. The figures are those of an independent simulator.

// metronome counts what happens in every second, by ticks of its own among the
// events of the load.
type metronome struct {
	load
	last  tick
	ticks []tick // by second
}

// tick is what a tally had seen at a time; or between two, but for the requests
// in service, which are those at the end.
type tick struct {
	starts, successes, retries, timeouts, inService int
}

const timedOut = 1000 + int(strategies.TimedOut)

func (m *metronome) begin(e *engine) {
	m.tock(e)
	m.load.begin(e)
}

func (m *metronome) tock(e *engine) {
	e.schedule(e.now+time.Second, opens, request{op: math.MaxUint32}, 0)
}

func (m *metronome) open(e *engine, client uint32) {
	if client != math.MaxUint32 {
		m.load.open(e, client)
		return
	}
	_, busy := e.server.held()
	now := tick{e.tally.operations, e.tally.succeeded, e.tally.retries, e.tally.outcomes[timedOut], busy}
	m.ticks = append(m.ticks, tick{
		starts:    now.starts - m.last.starts,
		successes: now.successes - m.last.successes,
		retries:   now.retries - m.last.retries,
		timeouts:  now.timeouts - m.last.timeouts,
		inService: busy,
	})
	m.last = now
	m.tock(e)
}

// ticked is a figure of all ticks of a replication.
func ticked(name string, read func([]tick) float64) probe {
	return probe{name, func(e *engine) func() float64 {
		m, running := e.load.(*metronome)
		if !running {
			m = &metronome{load: e.load}
			e.load = m
		}
		return func() float64 { return read(m.ticks) }
	}}
}

// collapseFigures are the columns of the reference.
func collapseFigures() map[string]func(tick) int {
	return map[string]func(tick) int{
		"starts":             func(s tick) int { return s.starts },
		"successes":          func(s tick) int { return s.successes },
		"retries":            func(s tick) int { return s.retries },
		"timeouts":           func(s tick) int { return s.timeouts },
		"concurrency_at_end": func(s tick) int { return s.inService },
	}
}

// totals are those figures over the whole run, but for the last.
func totals() []probe {
	var list []probe
	for name, read := range collapseFigures() {
		if name == "concurrency_at_end" {
			continue
		}
		list = append(list, ticked(name, func(ticks []tick) float64 {
			sum := 0
			for _, s := range ticks {
				sum += read(s)
			}
			return float64(sum)
		}))
	}
	return list
}

// inSecond are those figures of one second.
func inSecond(second int) []probe {
	var list []probe
	for name, read := range collapseFigures() {
		list = append(list, ticked(fmt.Sprintf("%s@%d", name, second), func(ticks []tick) float64 {
			return float64(read(ticks[second]))
		}))
	}
	return list
}

// collapsePolicies are the policies of the reference, under its names.
func collapsePolicies() map[string]string {
	return map[string]string{
		"no_backoff":         "immediate + attempts(3) + timeout(3s)",
		"backoff_and_jitter": "full(base=20s, cap=40s) + attempts(3) + timeout(3s)",
	}
}

// collapseCell is the scenario of a run such as ramp_no_backoff.
func collapseCell(t *testing.T, run string, replications int) Scenario {
	t.Helper()
	file, policy, _ := strings.Cut(run, "_")
	return cellOf(t, "collapse-"+file, collapsePolicies()[policy], 1, replications)
}

// collapsed is how many replications have a goodput below 1/s in the end.
func collapsed(t *testing.T, f figures) int {
	t.Helper()
	n := 0
	for _, goodput := range f.sample(t, "last_goodput_per_second") {
		if goodput < 1 {
			n++
		}
	}
	return n
}

func TestCollapse(t *testing.T) { compareCollapse(t, 100) }

func compareCollapse(t *testing.T, replications int) {
	for _, r := range readRows(t, "collapse-totals.csv") {
		t.Run(r["run"], func(t *testing.T) {
			f := simulate(t, collapseCell(t, r["run"], replications), append(totals(), lastGoodput())...)
			ours, theirs, n := collapsed(t, f), r.number(t, "collapsed_fraction"), r.count(t, "replications")
			if theirs == 0.75 {
				theirs, n = 437.0/600, 600 // of all that were run, not only of those with figures
			}
			sharesAgree(t, "collapsed", ours, replications, int(math.Round(theirs*float64(n))), n)
			f.agrees(t, "starts", r.estimate(t, "starts", 1))
			if 0 < ours && ours < replications {
				survivors(t, f)
				return // means of runs that collapse and runs that do not say nothing
			}
			for _, name := range []string{"successes", "retries", "timeouts"} {
				f.agrees(t, name, r.estimate(t, name, 1))
				f.spreads(t, name, r.estimate(t, name, 1))
			}
		})
	}
}

// survivors fails unless replications that do not collapse serve in the end all
// that is offered, 40/s: no third way is known.
func survivors(t *testing.T, f figures) {
	t.Helper()
	rest := figures{}
	for _, goodput := range f["last_goodput_per_second"] {
		if goodput >= 1 {
			rest["surviving_goodput"] = append(rest["surviving_goodput"], goodput)
		}
	}
	rest.agrees(t, "surviving_goodput", estimate{25, 40.03, 2.3})
}
