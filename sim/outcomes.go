package sim

import (
	"strconv"

	"github.com/stagger-sim/stagger/strategies"
)

// outcomeCounts names the outcomes that there were, with their numbers.
func (t *tally) outcomeCounts() map[string]int {
	counts := map[string]int{}
	for place, n := range t.outcomes {
		switch {
		case n == 0:
		case place > 1000:
			counts[strategies.Fault(place-1000).String()] = n
		default:
			counts[strconv.Itoa(place)] = n
		}
	}
	return counts
}

// meanOutcomes returns the mean of each outcome over the replications.
func meanOutcomes(replications []map[string]int) map[string]float64 {
	sums := map[string]int{}
	for _, counts := range replications {
		for name, n := range counts {
			sums[name] += n
		}
	}
	means := map[string]float64{}
	for name, sum := range sums {
		means[name] = float64(sum) / float64(len(replications))
	}
	return means
}
