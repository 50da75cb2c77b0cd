package sim

import (
	"math"
	"time"
)

// pilot records the latencies of a replication, in the order of their ends, for
// the choice of a warm-up.
type pilot struct {
	ends      []time.Duration
	latencies []float64
}

func (p *pilot) add(end, latency time.Duration) {
	p.ends = append(p.ends, end)
	p.latencies = append(p.latencies, float64(latency))
}

// batch is the 5 of MSER-5.
const batch = 5

// mser5 returns when the warm-up ends: the cut that minimises the standard
// error of the mean of what is left, over batches of five latencies. It is
// false when the best cut lies in the second half, or there is too little to
// choose from: then the run has not become stationary.
//
// Source: K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five
// steady-state truncation heuristics for simulation", Winter Simulation
// Conference (2000).
func (p *pilot) mser5() (time.Duration, bool) {
	n := len(p.latencies) / batch
	if n < 10 {
		return 0, false
	}
	means := make([]float64, n)
	for i := range means {
		means[i], _ = moments(p.latencies[i*batch : (i+1)*batch])
	}
	// From the back, so that each cut adds one batch to the sums; less the last
	// mean, so that squares of long times do not swamp small differences.
	sum, squares := 0.0, 0.0
	best, cut := math.Inf(1), 0
	for i := n - 1; i >= 0; i-- {
		x := means[i] - means[n-1]
		sum += x
		squares += float64(x * x)
		left := float64(n - i)
		if left < batch {
			continue
		}
		// A tie goes to the longer remainder.
		if score := (squares - float64(sum*sum)/left) / float64(left*left); score <= best {
			best, cut = score, i
		}
	}
	if cut == 0 {
		return 0, true
	}
	return p.ends[cut*batch-1], cut <= n/2
}
