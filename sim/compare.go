package sim

import (
	"fmt"
	"math"
	"strings"
)

// Comparison sets one policy against the best of the same client count in one
// metric, by the differences in the same replication, where both had the same
// luck.
type Comparison struct {
	Clients     int         `json:"clients"`
	Metric      string      `json:"metric"`
	Best        string      `json:"best"` // the policy with the lowest mean
	Policy      string      `json:"policy"`
	Difference  float64     `json:"difference"`  // mean of policy − best
	CI95        *[2]float64 `json:"ci95"`        // null for a single replication
	P           *float64    `json:"p"`           // paired t-test, adjusted by Holm; null for a single replication
	Correlation *float64    `json:"correlation"` // between the pairs; null where one does not vary
	ToldApart   bool        `json:"told_apart"`  // the adjusted p is below 5 %
}

// level is the chance of a false "they differ" among one group of comparisons.
const level = 0.05

// compared lists the metrics in which policies are compared; less is better in
// all of them.
func compared(s Scenario) []string {
	if s.Load.Herd != nil {
		return []string{MetricCalls, MetricCompletion, MetricLatencyP99}
	}
	return []string{MetricCalls, MetricLatencyP99}
}

// compare sets every policy of one client count against the best. Samples are by
// policy, then by replication; a policy with a missing value, or without a
// sample, takes no part. The best is found in the same data, so p is adjusted for
// all pairs and not only for those with the best.
func compare(clients int, metric string, policies []string, samples [][]float64) []Comparison {
	takingPart, best := contestants(samples)
	var list []Comparison
	var p []float64
	with := map[int]int{} // the pairs with the best, by their place in list
	for n, i := range takingPart {
		for _, j := range takingPart[:n] {
			one, other := i, j
			if i == best {
				one, other = j, i
			}
			c, pi := paired(samples[one], samples[other])
			p = append(p, pi)
			if other == best {
				c.Clients, c.Metric, c.Best, c.Policy = clients, metric, policies[best], policies[one]
				with[len(p)-1] = len(list)
				list = append(list, c)
			}
		}
	}
	if len(p) == 0 || math.IsNaN(p[0]) {
		return list
	}
	for pair, adjusted := range holm(p) {
		if i, ok := with[pair]; ok {
			list[i].P = &adjusted
			list[i].ToldApart = adjusted < level
		}
	}
	return list
}

// contestants returns who has a value in every replication, and the lowest mean
// of them.
func contestants(samples [][]float64) (takingPart []int, best int) {
	best = -1
	least := 0.0
	for i, sample := range samples {
		if len(sample) == 0 || missing(sample) {
			continue
		}
		takingPart = append(takingPart, i)
		if mean, _ := moments(sample); best < 0 || mean < least {
			best, least = i, mean
		}
	}
	return takingPart, best
}

// paired compares a sample with the best; its p is NaN for a single pair.
func paired(sample, best []float64) (Comparison, float64) {
	differences := make([]float64, len(sample))
	for i := range sample {
		differences[i] = sample[i] - best[i]
	}
	mean, sd := moments(differences)
	c := Comparison{Difference: mean}
	n := len(differences)
	if n < 2 {
		return c, math.NaN()
	}
	c.CI95 = interval(mean, sd, n)
	if r, ok := correlation(sample, best); ok {
		c.Correlation = &r
	}
	switch {
	case sd > 0:
		return c, studentTails(mean/(sd/math.Sqrt(float64(n))), n-1)
	case mean != 0 && n > 2:
		return c, 0
	default: // no difference, or two pairs that happen to differ alike
		return c, 1
	}
}

// doubts says which policies cannot be told apart from the best of their group;
// a group is what compare returns.
func doubts(group []Comparison) []string {
	var alike []string
	identical := true
	for _, c := range group {
		if !c.ToldApart {
			alike = append(alike, c.Policy)
			identical = identical && c.Difference == 0 && c.CI95 != nil && c.CI95[0] == c.CI95[1]
		}
	}
	if len(alike) == 0 || identical {
		return nil
	}
	c := group[0]
	return []string{fmt.Sprintf("%d clients, %s: cannot be told apart from the best, %s: %s",
		c.Clients, c.Metric, c.Best, strings.Join(alike, "; "))}
}
