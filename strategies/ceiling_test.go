package strategies_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

func TestFirstCeilings(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		factor float64
		want   []time.Duration
	}{
		{0, []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms}},
		{1, []time.Duration{100 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms, 100 * ms}},
		{1.5, []time.Duration{100 * ms, 150 * ms, 225 * ms, 337500 * time.Microsecond, 506250 * time.Microsecond, 759375 * time.Microsecond}},
		{2, []time.Duration{100 * ms, 200 * ms, 400 * ms, 800 * ms, 1600 * ms, 3200 * ms}},
		{3, []time.Duration{100 * ms, 300 * ms, 900 * ms, 2700 * ms, 8100 * ms, 10000 * ms}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint("factor=", test.factor), func(t *testing.T) {
			var got []time.Duration
			for n := range test.want {
				got = append(got, strategies.Ceiling(100*ms, 10*time.Second, test.factor, n))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestCeilingTakesNegativeCountAsFirst(t *testing.T) {
	for _, factor := range []float64{1.5, 2} {
		if got := strategies.Ceiling(time.Second, time.Minute, factor, -1); got != time.Second {
			t.Errorf("factor %v: got %v, want 1s", factor, got)
		}
	}
}

// Doubling is done by shifts, so it owes the exact value everywhere.
func TestCeilingDoublesExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.Int64Min(1).Draw(t, "base")
		limit := rapid.Int64Min(base).Draw(t, "limit")
		n := rapid.IntRange(0, 1100).Draw(t, "n")

		grown := new(big.Int).Lsh(big.NewInt(base), uint(n))
		want := limit
		if grown.Cmp(big.NewInt(limit)) < 0 {
			want = grown.Int64()
		}
		if got := strategies.Ceiling(time.Duration(base), time.Duration(limit), 2, n); got != time.Duration(want) {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}

// Other factors are products of floats: exact to a few parts in 10^13, from the
// first ceiling to far beyond the last that a duration can hold.
func TestCeilingGrowsUpToTheLimit(t *testing.T) {
	for _, factor := range []float64{1, 1.5, 2, 3, 1e6} {
		for _, base := range []time.Duration{1, time.Millisecond, 100 * time.Millisecond, time.Hour, math.MaxInt64} {
			for _, limit := range []time.Duration{30 * time.Second, math.MaxInt64} {
				limit = max(base, limit)
				for n := range 1100 {
					got := float64(strategies.Ceiling(base, limit, factor, n))
					want := boundedPower(base, limit, factor, n)
					if math.Abs(got-want) > max(1, 1e-13*want) {
						t.Fatalf("base %v, limit %v, factor %v, n=%d: got %v, want %v", base, limit, factor, n, got, want)
					}
				}
			}
		}
	}
}

// boundedPower is min(limit, base·factor^n), multiplied out step by step with
// more digits than a float64 has.
func boundedPower(base, limit time.Duration, factor float64, n int) float64 {
	grown := new(big.Float).SetPrec(200).SetInt64(int64(base))
	bound := new(big.Float).SetInt64(int64(limit))
	for range n {
		if factor == 1 || grown.Cmp(bound) >= 0 {
			break
		}
		grown.Mul(grown, big.NewFloat(factor))
	}
	if grown.Cmp(bound) > 0 {
		grown = bound
	}
	value, _ := grown.Float64()
	return value
}
