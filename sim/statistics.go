package sim

import (
	"math"
	"slices"
)

// Metric is one figure of a cell over its replications. The replication is the
// unit: SD and CI95 are those between replications.
type Metric struct {
	Mean float64     `json:"mean"`
	SD   *float64    `json:"sd"`   // null for a single replication
	CI95 *[2]float64 `json:"ci95"` // Student's t-interval of the mean; null for a single replication
	P10  float64     `json:"p10"`  // quantiles are values that occurred
	P50  float64     `json:"p50"`
	P90  float64     `json:"p90"`
}

// summarise returns the figures of a sample that is not empty.
func summarise(sample []float64) *Metric {
	mean, sd := moments(sample)
	sorted := slices.Sorted(slices.Values(sample))
	at := func(q float64) float64 { return sorted[rankOf(q, len(sorted))] }
	m := &Metric{Mean: mean, P10: at(0.1), P50: at(0.5), P90: at(0.9)}
	if len(sample) > 1 {
		m.SD = &sd
		m.CI95 = interval(mean, sd, len(sample))
	}
	return m
}

// interval returns the 95 % t-interval of a mean.
func interval(mean, sd float64, n int) *[2]float64 {
	half := float64(studentQuantile(0.05, n-1) * sd / math.Sqrt(float64(n)))
	return &[2]float64{mean - half, mean + half}
}

// wilson returns the 95 % interval of a share of n yes-or-no outcomes, which
// does not shrink to nothing where all are alike (E. B. Wilson, 1927).
func wilson(share float64, n int) *[2]float64 {
	const z = 1.959963984540054
	size := float64(n)
	middle := share + z*z/2/size
	half := float64(z * math.Sqrt((float64(share*(1-share))+z*z/4/size)/size))
	scale := 1 + z*z/size
	return &[2]float64{max(0, (middle-half)/scale), min(1, (middle+half)/scale)}
}

// moments returns the mean and, for two values and more, the standard deviation
// with n − 1; 0 otherwise. Equal values have a deviation of exactly 0.
func moments(sample []float64) (mean, sd float64) {
	sum := 0.0
	for _, x := range sample {
		sum += x - sample[0]
	}
	mean = sample[0] + sum/float64(len(sample))
	if len(sample) < 2 {
		return mean, 0
	}
	squares := 0.0
	for _, x := range sample {
		squares += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(squares / float64(len(sample)-1))
}

// rankOf returns the index, in n sorted values, of the least value that a share
// q of them does not exceed.
func rankOf(q float64, n int) int {
	return max(0, int(math.Ceil(float64(q*float64(n))))-1)
}

// correlation returns Pearson's coefficient; false if a sample is constant.
func correlation(a, b []float64) (float64, bool) {
	meanA, sdA := moments(a)
	meanB, sdB := moments(b)
	if sdA == 0 || sdB == 0 {
		return 0, false
	}
	sum := 0.0
	for i := range a {
		sum += float64((a[i] - meanA) * (b[i] - meanB))
	}
	r := sum / float64(len(a)-1) / sdA / sdB
	return max(-1, min(1, r)), true
}

// holm adjusts p-values for their number, so that the chance of any false
// "they differ" stays under the level (S. Holm, 1979).
func holm(p []float64) []float64 {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch {
		case p[i] < p[j]:
			return -1
		case p[i] > p[j]:
			return 1
		}
		return 0
	})
	adjusted := make([]float64, len(p))
	least := 0.0
	for rank, i := range order {
		least = max(least, min(1, float64(float64(len(p)-rank)*p[i])))
		adjusted[i] = least
	}
	return adjusted
}
