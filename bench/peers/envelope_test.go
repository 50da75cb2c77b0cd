package peers

import (
	"math"
	"testing"
	"time"
)

// What is timed must be the wait that its name says: each one stays within its
// envelope and reaches both ends of it.
func TestWaitsFillTheirEnvelope(t *testing.T) {
	for _, c := range contenders() {
		t.Run("shape="+c.shape+"/lib="+c.lib, func(t *testing.T) {
			least, most := extremes(c.operation)
			for n, ceiling := range ceilings() {
				low, high := c.envelope(ceiling)
				// A nanosecond is what some libraries add against a wait of 0.
				if least[n] < low || most[n] > high+1 {
					t.Errorf("retry %d: waits from %v to %v, want %v to %v", n, least[n], most[n], low, high)
				}
				if slack := (high - low) / 20; least[n] > low+slack || most[n] < high-slack {
					t.Errorf("retry %d: waits only from %v to %v of %v to %v", n, least[n], most[n], low, high)
				}
			}
		})
	}
}

// extremes returns the least and the greatest of 2,000 waits before each retry:
// enough to miss a twentieth of the envelope once in 10^44.
func extremes(operation func(*waits)) (least, most waits) {
	for n := range least {
		least[n] = math.MaxInt64
	}
	for range 2000 {
		var w waits
		operation(&w)
		for n, wait := range w {
			least[n], most[n] = min(least[n], wait), max(most[n], wait)
		}
	}
	return least, most
}

// ceilings are min(limit, base·2^n), written without a library's help.
func ceilings() waits {
	var w waits
	ceiling := base
	for n := range w {
		w[n] = min(limit, ceiling)
		ceiling *= 2
	}
	return w
}

func exact(ceiling time.Duration) (low, high time.Duration) { return ceiling, ceiling }

func upTo(ceiling time.Duration) (low, high time.Duration) { return 0, ceiling }

func fromBase(ceiling time.Duration) (low, high time.Duration) { return base, ceiling }

func between(from, to float64) func(time.Duration) (low, high time.Duration) {
	return func(ceiling time.Duration) (low, high time.Duration) {
		return time.Duration(from * float64(ceiling)), time.Duration(to * float64(ceiling))
	}
}
