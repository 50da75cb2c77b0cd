package strategies_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// The mean and the spread of a wait decide what a server sees, so they are held
// to closed forms. A draw that enters once is averaged over an even grid, which
// leaves nothing to luck.

// gridMoments returns the mean and the standard deviation, in seconds, of a wait
// over the midpoints of an even grid of draws.
func gridMoments(wait func(u float64) time.Duration) (mean, sd float64) {
	const n = 10_000
	var sum, squares float64
	for i := range n {
		w := wait((float64(i) + 0.5) / n).Seconds()
		sum += w
		squares += w * w
	}
	mean = sum / n
	return mean, math.Sqrt(squares/n - mean*mean)
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6*want {
		t.Errorf("%s: got %.9f s, want %.9f s", what, got, want)
	}
}

func TestJitterMoments(t *testing.T) {
	const c = 8.0 // seconds
	ceiling := time.Duration(c * float64(time.Second))

	mean, sd := gridMoments(func(u float64) time.Duration { return strategies.FullJitter(ceiling, u) })
	near(t, "mean of full", mean, c/2)
	near(t, "sd of full", sd, c/math.Sqrt(12))

	mean, sd = gridMoments(func(u float64) time.Duration { return strategies.EqualJitter(ceiling, u) })
	near(t, "mean of equal", mean, 3*c/4)
	near(t, "sd of equal", sd, c/(2*math.Sqrt(12)))

	// U(1 s, 3·3 s)
	mean, sd = gridMoments(func(u float64) time.Duration {
		return strategies.DecorrelatedJitter(time.Second, time.Minute, 3*time.Second, 3, u)
	})
	near(t, "mean of decorrelated", mean, (1+9)/2.0)
	near(t, "sd of decorrelated", sd, c/math.Sqrt(12))
}

// With base 100 ms and cap 10 s, the ceilings of eight retries are 0.1, 0.2, …,
// 6.4 and 10 s: 22.7 s together.
func TestMeanOfEightWaits(t *testing.T) {
	const base, limit = 100 * time.Millisecond, 10 * time.Second
	tests := []struct {
		wait strategies.Backoff
		want float64
	}{
		{strategies.Exponential{Base: base, Cap: limit}, 22.7},
		{strategies.Equal{Base: base, Cap: limit}, 22.7 * 3 / 4},
		{strategies.Full{Base: base, Cap: limit}, 22.7 / 2},
	}
	for _, test := range tests {
		var total float64
		for n := range 8 {
			mean, _ := gridMoments(func(u float64) time.Duration {
				wait, _ := test.wait.Next(strategies.State{N: n}, strategies.Try{U: u})
				return wait
			})
			total += mean
		}
		near(t, fmt.Sprint("eight waits of ", test.wait), total, test.want)
	}
}

// Decorrelated waits depend on all draws before, so they are sampled.

// sample collects independent values.
type sample struct{ n, sum, squares float64 }

func (s *sample) add(x float64) {
	s.n++
	s.sum += x
	s.squares += x * x
}

// expect compares the mean with its expectation, in standard errors.
func (s *sample) expect(t *testing.T, what string, want float64) {
	t.Helper()
	mean := s.sum / s.n
	variance := (s.squares/s.n - mean*mean) * s.n / (s.n - 1)
	z := (mean - want) / math.Sqrt(variance/s.n)
	if !(math.Abs(z) < 4) { // negated, so that NaN fails
		t.Errorf("mean of %s: got %.5f, want %.5f (z = %.1f)", what, mean, want, z)
	}
}

const sequences = 200_000

// E(next) = (base + 3·previous)/2 solves to base·(2·1.5^k − 1) for the k-th wait.
func TestDecorrelatedUncappedMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	wait := strategies.Decorrelated{Base: 100 * time.Millisecond, Cap: time.Hour}
	var waits [4]sample
	for range sequences {
		var state strategies.State
		for k := range waits {
			_, state = wait.Next(state, strategies.Try{U: rng.Float64()})
			waits[k].add(state.Prev.Seconds())
		}
	}
	waits[0].expect(t, "1st wait", 0.2)
	waits[1].expect(t, "2nd wait", 0.35)
	waits[2].expect(t, "3rd wait", 0.575)
	waits[3].expect(t, "4th wait", 0.9125)
}

// The expectations come from integrating the step from one wait to the next,
// min(10 s, U(0.1 s, 3·previous)), on a grid of two million points.
func TestDecorrelatedCappedMeans(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	wait := strategies.Decorrelated{Base: 100 * time.Millisecond, Cap: 10 * time.Second}
	const settled = 60 // the start is forgotten to five digits
	var fifth, eighth, sumOfEight, last, atCap sample
	for range sequences {
		var state strategies.State
		sum := 0.0
		for k := 1; k <= settled; k++ {
			_, state = wait.Next(state, strategies.Try{U: rng.Float64()})
			if k <= 8 {
				sum += state.Prev.Seconds()
			}
			switch k {
			case 5:
				fifth.add(state.Prev.Seconds())
			case 8:
				eighth.add(state.Prev.Seconds())
				sumOfEight.add(sum)
			}
		}
		last.add(state.Prev.Seconds())
		if state.Prev == wait.Cap {
			atCap.add(1)
		} else {
			atCap.add(0)
		}
	}
	fifth.expect(t, "5th wait", 1.41096)
	eighth.expect(t, "8th wait", 3.15391)
	sumOfEight.expect(t, "first eight waits together", 11.25242)
	last.expect(t, "settled waits", 5.27186)
	atCap.expect(t, "settled waits at the cap", 0.31483)
}
