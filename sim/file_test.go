package sim

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// ParseScenario reads scenario files; TestMain sets it.
var ParseScenario func(name string, data []byte) (Scenario, error)

// readScenario reads a scenario file from testdata.
func readScenario(t *testing.T, name string) Scenario {
	t.Helper()
	path := filepath.Join("testdata", name+".yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := ParseScenario(path, data)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// cellOf is one cell of a scenario file, or of its like with another policy or
// number of clients.
func cellOf(t *testing.T, name, policy string, clients, replications int) Scenario {
	t.Helper()
	s := readScenario(t, name)
	s.Policies = []strategies.Policy{mustParse(t, policy)}
	s.Clients = []int{clients}
	s.Replications = replications
	return s
}

// What follows are probes of what happened when. They take the engine's own
// count by seconds, which it keeps of streams with faults.

// lifelineOf returns the count by seconds, which it starts if need be.
func lifelineOf(e *engine) *lifeline {
	if e.tally.lifeline == nil {
		e.tally.lifeline = new(lifeline)
	}
	return e.tally.lifeline
}

// between sums up the seconds from one time to another.
func (l *lifeline) between(from, to time.Duration) second {
	var sum second
	for t := from; t < to; t += time.Second {
		s := l.at(t)
		sum.started += s.started
		sum.kept += s.kept
		sum.calls += s.calls
		sum.succeeded += s.succeeded
	}
	return sum
}

// callsBetween is how many calls reach the server per second from one time to
// another.
func callsBetween(from, to time.Duration) probe {
	return probe{"calls_per_second", func(e *engine) func() float64 {
		l := lifelineOf(e)
		return func() float64 { return float64(l.between(from, to).calls) / (to - from).Seconds() }
	}}
}

// worstSecond is the largest number of calls that reach the server in a second
// from a time on.
func worstSecond(from time.Duration) probe {
	return probe{"worst_second_calls", func(e *engine) func() float64 {
		l := lifelineOf(e)
		return func() float64 {
			worst := 0
			for t := from; t < e.stop; t += time.Second {
				worst = max(worst, l.at(t).calls)
			}
			return float64(worst)
		}
	}}
}

// succeededOf is the share of the operations that start from one time to another
// and succeed in the end.
func succeededOf(from, to time.Duration) probe {
	return probe{"success_of_started", func(e *engine) func() float64 {
		l := lifelineOf(e)
		return func() float64 {
			s := l.between(from, to)
			return float64(s.kept) / float64(s.started)
		}
	}}
}

// lastGoodput is the goodput of the last ten seconds.
func lastGoodput() probe {
	return probe{"last_goodput_per_second", func(e *engine) func() float64 {
		l := lifelineOf(e)
		return func() float64 { return float64(l.between(e.stop-10*time.Second, e.stop).succeeded) / 10 }
	}}
}

// timely is from the end of a fault to that of the first whole second, from one
// second later on, in which over 95 % as many operations succeeded as started;
// NaN if there is none.
func timely(end time.Duration) probe {
	return probe{"timely_seconds", func(e *engine) func() float64 {
		l := lifelineOf(e)
		return func() float64 {
			for t := (end + 2*time.Second - 1).Truncate(time.Second); t+time.Second <= e.stop; t += time.Second {
				if s := l.at(t); float64(s.succeeded) > .95*float64(s.started) {
					return (t + time.Second - end).Seconds()
				}
			}
			return math.NaN()
		}
	}}
}

// certain is how many standard errors lie between shares that chance makes differ
// once in a thousand cases.
const certain = 3.29

// sharesAgree fails if so many of n ours and so many of m elsewhere cannot well
// come from the same share.
func sharesAgree(t *testing.T, what string, ours, n, theirs, m int) {
	t.Helper()
	p := float64(ours+theirs) / float64(n+m)
	difference := float64(ours)/float64(n) - float64(theirs)/float64(m)
	if difference == 0 {
		return
	}
	if z := difference / math.Sqrt(p*(1-p)*(1/float64(n)+1/float64(m))); !(math.Abs(z) < certain) {
		t.Errorf("%s: %d of %d, want as many as %d of %d (z = %.1f)", what, ours, n, theirs, m, z)
	}
}
