package reports

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// Bounds of what a simulation can give. Beyond them a file was made by something
// else, and axes and columns would not fit.
const (
	mostFigure  = 1e15
	mostWindows = 6000
	mostSeconds = 1_000_000 // of a timeline
)

// mostFaults is how many faults one error lists.
const mostFaults = 10

// verdicts are all that a claim can get.
var verdicts = []string{sim.BorneOut, sim.NotBorneOut, sim.CannotBeTold}

// metricName is the form of every metric's name.
var metricName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,99}$`)

// faults collects what is wrong with a result.
type faults []string

func (f *faults) require(ok bool, format string, args ...any) {
	if !ok {
		*f = append(*f, fmt.Sprintf(format, args...))
	}
}

// err joins the faults in one line; nil if there are none.
func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	if more := len(f) - mostFaults; more > 0 {
		f = append(f[:mostFaults:mostFaults], fmt.Sprintf("and %d more", more))
	}
	return errors.New(strings.Join(f, "; "))
}

// place names one cell of a result.
type place struct {
	policy  string
	clients int
}

// check reports everything that would leave a report without figures, or with
// figures that no simulation gives. A scenario that is wrong is reported alone:
// all else is held against it.
func check(r *sim.Result) error {
	if err := r.Scenario.Validate(); err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	var places []place // of the cells, in order
	known := map[place]bool{}
	for _, clients := range r.Scenario.Clients {
		for _, p := range r.Scenario.Policies {
			at := place{p.String(), clients}
			places, known[at] = append(places, at), true
		}
	}
	var f faults
	f.require(len(r.Cells) == len(places), "it has %d cells, and its scenario %d", len(r.Cells), len(places))
	for i, c := range r.Cells[:min(len(r.Cells), len(places))] {
		want := places[i]
		f.require(c.Policy == want.policy && c.Clients == want.clients,
			"cell %d is %s at %d clients, and its scenario has %s at %d there", i+1, c.Policy, c.Clients, want.policy, want.clients)
		for _, fault := range checkCell(c, r.Scenario) {
			f = append(f, fmt.Sprintf("cell %d: %s", i+1, fault))
		}
	}
	for i, c := range r.Comparisons {
		f.checkComparison(fmt.Sprintf("comparisons[%d]", i), c, known)
	}
	for i, c := range r.Expected {
		f.checkChecked(fmt.Sprintf("expected[%d]", i), c, known)
	}
	for i, j := range r.Claims {
		path := fmt.Sprintf("claims[%d]", i)
		f.require(slices.Contains(verdicts, j.Verdict), "%s: %q is no verdict (known: %s)", path, j.Verdict, strings.Join(verdicts, ", "))
		for k, c := range j.Evidence {
			f.checkChecked(fmt.Sprintf("%s.evidence[%d]", path, k), c, known)
		}
	}
	return f.err()
}

// checkCell returns what is wrong with the figures of a cell.
func checkCell(c sim.Cell, s sim.Scenario) faults {
	var f faults
	f.require(c.Replications == s.Replications, "it has %d replications, and its scenario %d", c.Replications, s.Replications)
	f.require(c.Metrics[sim.MetricCalls] != nil, "it has no figure for %s", sim.MetricCalls)
	for _, name := range slices.Sorted(maps.Keys(c.Metrics)) {
		f.require(metricName.MatchString(name), "%q is no name of a metric", name)
		if m := c.Metrics[name]; m != nil {
			f.require(plausible(m), "%s is not a figure that a simulation gives", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Outcomes)) {
		f.require(isCount(c.Outcomes[name]), "outcome %q: %g is no count", name, c.Outcomes[name])
	}
	f.checkGivenUp(c, s)
	if t := c.CallsOverTime; t != nil {
		f.require(t.WindowSeconds >= 0.001 && t.WindowSeconds <= 1e9, "it has windows of %g s", t.WindowSeconds)
		f.require(len(t.Calls) <= mostWindows && !slices.ContainsFunc(t.Calls, negative), "its calls over time are too many or below 0")
	}
	if t := c.Timeline; t != nil {
		f.checkTimeline(t)
	}
	return f
}

// checkGivenUp looks at the reasons for giving up: together they are the
// operations given up, which are at most those that there are. Only a herd shows
// these: elsewhere an operation may begin before the measured time and end in it.
func (f *faults) checkGivenUp(c sim.Cell, s sim.Scenario) {
	sum := 0.0
	for _, reason := range slices.Sorted(maps.Keys(c.GivenUpBy)) {
		n := c.GivenUpBy[reason]
		f.require(isCount(n), "given up by %q: %g is no count", reason, n)
		sum += n
	}
	const rounding = 1 + 1e-6 // of means over the replications
	most := mostFigure
	if m := c.Metrics[sim.MetricGivenUp]; m != nil {
		most = m.Mean
	}
	if s.Load.Herd != nil {
		most = min(most, float64(c.Clients))
	}
	f.require(sum <= most*rounding, "the reasons count %g operations given up, and there are %g", sum, most)
}

func (f *faults) checkTimeline(t *sim.Timeline) {
	series := [][]int{t.Offered, t.Calls, t.Succeeded, t.Queued}
	if t.Open != nil || t.ShortCircuited != nil { // a policy has a breaker
		series = append(series, t.ShortCircuited)
		f.require(len(t.Open) == len(t.Calls) && !slices.ContainsFunc(t.Open, noShare), "its timeline has shares of open breakers that are none")
	}
	wrong := func(values []int) bool {
		return len(values) != len(t.Calls) || len(values) > mostSeconds || slices.ContainsFunc(values, negative)
	}
	f.require(!slices.ContainsFunc(series, wrong), "its timeline is uneven, too long or below 0")
}

func (f *faults) checkComparison(path string, c sim.Comparison, known map[place]bool) {
	f.require(metricName.MatchString(c.Metric), "%s: %q is no name of a metric", path, c.Metric)
	for _, policy := range []string{c.Best, c.Policy} {
		f.checkPlace(path, place{policy, c.Clients}, known)
	}
	f.checkFigures(path, []*float64{&c.Difference, c.Correlation}, []*[2]float64{c.CI95})
	f.require(c.P == nil || !noShare(*c.P), "%s: its p is no probability", path)
}

// checkChecked looks at an expectation that was held against a cell.
func (f *faults) checkChecked(path string, c sim.Checked, known map[place]bool) {
	_, err := sim.ParseExpectation(c.Expectation)
	f.require(err == nil, "%s: %v", path, err)
	f.checkPlace(path, place{c.Policy, c.Clients}, known)
	f.checkFigures(path, []*float64{c.Value, c.Against}, []*[2]float64{c.CI95, c.Difference})
}

func (f *faults) checkPlace(path string, p place, known map[place]bool) {
	f.require(known[p], "%s: there is no cell of %s at %d clients", path, p.policy, p.clients)
}

// checkFigures looks at figures and intervals, of which each may be missing.
func (f *faults) checkFigures(path string, figures []*float64, intervals []*[2]float64) {
	ok := true
	for _, x := range figures {
		ok = ok && (x == nil || inBounds(*x))
	}
	for _, d := range intervals {
		ok = ok && (d == nil || inBounds(d[0]) && inBounds(d[1]) && d[0] <= d[1])
	}
	f.require(ok, "%s: it has figures that no simulation gives", path)
}

func negative(n int) bool { return n < 0 }

func noShare(x float64) bool { return !(x >= 0 && x <= 1) }

func isCount(x float64) bool { return x >= 0 && x <= mostFigure }

func inBounds(x float64) bool { return math.Abs(x) <= mostFigure }

// plausible reports whether all of a metric lies in bounds; no metric is below 0,
// though its interval may be.
func plausible(m *sim.Metric) bool {
	all := []float64{m.Mean, m.P10, m.P50, m.P90}
	if m.SD != nil {
		all = append(all, *m.SD)
	}
	for _, x := range all {
		if !(x == 0 || x >= 1/mostFigure && x <= mostFigure) {
			return false
		}
	}
	if m.CI95 == nil {
		return true
	}
	low, high := m.CI95[0], m.CI95[1]
	return low >= -mostFigure && low <= m.Mean && m.Mean <= high && high <= mostFigure
}
