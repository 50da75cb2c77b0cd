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

// reasonNames names the reasons for which operations are given up.
func reasonNames() map[strategies.Why]string {
	return map[strategies.Why]string{
		strategies.WhyPermanent: "permanent",
		strategies.WhyAttempts:  "attempts",
		strategies.WhyDeadline:  "deadline",
		strategies.WhyUnsafe:    "unsafe",
		strategies.WhyBudget:    "budget",
		strategies.WhyBreaker:   "breaker",
		strategies.WhyThrottle:  "throttle",
	}
}

// reasonCounts names the reasons for which operations were given up in the measured
// time, with their numbers.
func (t *tally) reasonCounts() map[string]int {
	counts := map[string]int{}
	measured := t.measured()
	for why, name := range reasonNames() {
		if n := measured.reasons[why]; n > 0 {
			counts[name] = n
		}
	}
	return counts
}

// meanCounts returns the mean of each count over the replications.
func meanCounts(replications []map[string]int) map[string]float64 {
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
