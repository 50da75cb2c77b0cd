package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// expectedLines prints each expectation with its value and whether it is met.
func expectedLines(r *sim.Result) []string {
	labels := Labels(r)
	var lines []string
	for _, c := range r.Expected {
		verdict := "MET    "
		if !c.Met {
			verdict = "NOT MET"
		}
		measured := value(r, c)
		if other := against(r, c); other != "" {
			measured += " against " + other
		}
		lines = append(lines, fmt.Sprintf("%s  %s: %s (%s, %s clients)",
			verdict, c.Expectation, measured, labels[c.Policy], Count(float64(c.Clients))))
	}
	return lines
}

// value prints a figure that was checked; if it was held against a number, with
// its 95 % interval unless that prints as one figure.
func value(r *sim.Result, c sim.Checked) string {
	figure, _ := cutExpectation(c.Expectation)
	if c.Value == nil {
		return missing(r, c, figure)
	}
	write := writer(figure)
	text := write(*c.Value)
	if c.Against == nil && c.CI95 != nil && write(c.CI95[0]) != write(c.CI95[1]) {
		text += fmt.Sprintf(" [%s, %s]", write(c.CI95[0]), write(c.CI95[1]))
	}
	return text
}

// against prints the other figure of an expectation that compares two; it is
// empty where the bound is a number.
func against(r *sim.Result, c sim.Checked) string {
	figure, bound := cutExpectation(c.Expectation)
	if c.Against != nil {
		return writer(figure)(*c.Against)
	}
	_, metric := cutFigure(bound)
	if !slices.Contains(sim.MetricNames(), sim.BaseMetric(metric)) {
		return ""
	}
	return missing(r, c, bound)
}

// missing says what stands for a figure without a value. A recovery that was
// looked for and not found never came; whether it can be looked for depends on
// the faults and the stop, so that it is the same for all policies.
func missing(r *sim.Result, c sim.Checked, figure string) string {
	if _, metric := cutFigure(figure); metric != sim.MetricRecovery {
		return "no value"
	}
	for _, cell := range r.Cells {
		if cell.Policy == c.Policy && cell.Clients == c.Clients && cell.Metrics[sim.MetricRecovered] != nil {
			return never
		}
	}
	return "no value"
}

// writer returns how the values of a figure are printed: shares as percentages.
func writer(figure string) func(float64) string {
	_, metric := cutFigure(figure)
	metric = sim.BaseMetric(metric)
	if strings.HasSuffix(metric, "_ratio") || metric == sim.MetricRecovered || metric == sim.MetricCollapsed {
		return percent
	}
	return Number
}

// Unmet counts the expectations of a result that are not met.
func Unmet(r *sim.Result) int {
	unmet := 0
	for _, c := range r.Expected {
		if !c.Met {
			unmet++
		}
	}
	return unmet
}
