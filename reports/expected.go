package reports

import (
	"fmt"

	"github.com/stagger-sim/stagger/sim"
)

// expectedLines prints each expectation with its value and whether it is met.
func expectedLines(r *sim.Result) []string {
	labels := Labels(r)
	var lines []string
	for _, c := range r.Expected {
		verdict, value := "MET    ", "no value"
		if !c.Met {
			verdict = "NOT MET"
		}
		if c.Value != nil {
			value = Number(*c.Value)
			if c.CI95 != nil {
				value += fmt.Sprintf(" [%s, %s]", Number(c.CI95[0]), Number(c.CI95[1]))
			}
		}
		lines = append(lines, fmt.Sprintf("%s  %s: %s (%s, %s clients)",
			verdict, c.Expectation, value, labels[c.Policy], Count(float64(c.Clients))))
	}
	return lines
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
