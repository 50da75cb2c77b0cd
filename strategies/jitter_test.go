package strategies_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

func TestJitterStaysBelowTheCeiling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ceiling := time.Duration(rapid.Int64Min(1).Draw(t, "ceiling"))
		u := rapid.OneOf(rapid.Just(greatest), rapid.Float64Range(0, greatest)).Draw(t, "u")
		if got := strategies.FullJitter(ceiling, u); got < 0 || got >= ceiling {
			t.Fatalf("full waits %d", got)
		}
		if got := strategies.EqualJitter(ceiling, u); got < ceiling/2 || got >= ceiling {
			t.Fatalf("equal waits %d", got)
		}
	})
}

// An odd ceiling has a nanosecond that neither half may lose.
func TestGreatestDrawReachesTheLastNanosecond(t *testing.T) {
	for ceiling := time.Duration(1); ceiling <= 9; ceiling++ {
		if got := strategies.FullJitter(ceiling, greatest); got != ceiling-1 {
			t.Errorf("full of %d ns waits %d ns", ceiling, got)
		}
		if got := strategies.EqualJitter(ceiling, greatest); got != ceiling-1 {
			t.Errorf("equal of %d ns waits %d ns", ceiling, got)
		}
	}
}

func TestDecorrelatedJitter(t *testing.T) {
	const s = time.Second
	tests := []struct {
		base, limit, prev time.Duration
		factor, u         float64
		want              time.Duration
	}{
		{s, time.Minute, 0, 3, 0.5, 2 * s},     // the first: between base and 3·base
		{s, time.Minute, 4 * s, 3, 0, s},       // the least is always base
		{s, time.Minute, 5 * s, 3, 0.5, 8 * s}, // between 1 s and 15 s
		{s, time.Minute, 5 * s, 2, 0.5, 5500 * time.Millisecond},
		{s, 6 * s, 5 * s, 3, 0.5, 6 * s},       // cut at the cap
		{s, time.Minute, s / 2, 1, 0.5, s},     // a previous wait below base counts as base
		{0, forever, 1 << 62, 3, 0.5, 1 << 62}, // 3·2^62 is taken for 2^63
	}
	for _, test := range tests {
		got := strategies.DecorrelatedJitter(test.base, test.limit, test.prev, test.factor, test.u)
		if got != test.want {
			t.Errorf("%+v: got %v", test, got)
		}
	}
}
