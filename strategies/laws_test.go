package strategies_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

const (
	forever  = time.Duration(math.MaxInt64)
	greatest = 1 - 1.0/(1<<53) // the greatest draw there is
)

// strategy is a wait under test: whatever is remembered and drawn, it is from
// floor to limit.
type strategy struct {
	wait         strategies.Backoff
	floor, limit time.Duration
}

// everyStrategy is the list that a new wait joins to be held to the laws. The
// extreme parameters stand for all those in between.
func everyStrategy() []strategy {
	all := []strategy{
		{strategies.Immediate{}, 0, 0},
		{strategies.Fixed{Delay: time.Nanosecond}, time.Nanosecond, time.Nanosecond},
		{strategies.Fixed{Delay: time.Second}, time.Second, time.Second},
		{strategies.Fixed{Delay: forever}, forever, forever},
	}
	for _, p := range []struct {
		base, limit time.Duration
		factor      float64
	}{
		{100 * time.Millisecond, 10 * time.Second, 0},
		{100 * time.Millisecond, 10 * time.Second, 1},
		{100 * time.Millisecond, 10 * time.Second, 1.5},
		{100 * time.Millisecond, 10 * time.Second, 2.5},
		{time.Second, time.Second, 0},
		{time.Nanosecond, forever, 0},
		{time.Nanosecond, forever, 1e6},
		{1<<60 + 100, forever, 1}, // a base that no float64 holds
		{forever, forever, 0},
		{forever, forever, 1.5},
	} {
		all = append(all,
			strategy{strategies.Exponential{Base: p.base, Cap: p.limit, Factor: p.factor}, p.base, p.limit},
			strategy{strategies.Equal{Base: p.base, Cap: p.limit, Factor: p.factor}, p.base / 2, p.limit},
			strategy{strategies.Full{Base: p.base, Cap: p.limit, Factor: p.factor}, 0, p.limit},
			strategy{strategies.Decorrelated{Base: p.base, Cap: p.limit, Factor: p.factor}, p.base, p.limit},
		)
	}
	// Each with the usual factor of the others; its own, spelled out, reads back as 0.
	return append(all,
		strategy{strategies.Exponential{Base: time.Second, Cap: time.Minute, Factor: 3}, time.Second, time.Minute},
		strategy{strategies.Equal{Base: time.Second, Cap: time.Minute, Factor: 3}, time.Second / 2, time.Minute},
		strategy{strategies.Full{Base: time.Second, Cap: time.Minute, Factor: 3}, 0, time.Minute},
		strategy{strategies.Decorrelated{Base: time.Second, Cap: time.Minute, Factor: 2}, time.Second, time.Minute},
	)
}

func TestLaws(t *testing.T) {
	laws := []struct {
		name  string
		holds func(*testing.T, strategy)
	}{
		{"within bounds", holdsWithinBounds},
		{"pure", holdsPure},
		{"state advances", holdsStateAdvances},
		{"no overflow", holdsNoOverflow},
		{"never shorter later", holdsNeverShorterLater},
		{"never shorter by a greater draw", holdsNeverShorterByGreaterDraw},
		{"no allocation", holdsNoAllocation},
		{"valid", holdsValid},
		{"text round trip", holdsTextRoundTrip},
	}
	for _, s := range everyStrategy() {
		for _, law := range laws {
			t.Run(fmt.Sprint(s.wait, "/", law.name), func(t *testing.T) { law.holds(t, s) })
		}
	}
}

// A wait that the text form knows but the battery does not would obey no law.
func TestLawsCoverEveryWait(t *testing.T) {
	for _, name := range strategies.Waits() {
		covered := false
		for _, s := range everyStrategy() {
			head, _, _ := strings.Cut(fmt.Sprint(s.wait), "(")
			covered = covered || head == name
		}
		if !covered {
			t.Errorf("everyStrategy lacks %s", name)
		}
	}
}

func anyState(t *rapid.T) strategies.State {
	return strategies.State{
		N:    rapid.IntRange(0, 1<<31).Draw(t, "N"),
		Prev: time.Duration(rapid.Int64Min(0).Draw(t, "Prev")),
	}
}

func anyTry(t *rapid.T) strategies.Try {
	return strategies.Try{
		U:         rapid.Float64Range(0, greatest).Draw(t, "U"),
		Hint:      time.Duration(rapid.Int64Min(0).Draw(t, "Hint")),
		Throttled: rapid.Bool().Draw(t, "Throttled"),
	}
}

func holdsWithinBounds(t *testing.T, s strategy) {
	rapid.Check(t, func(t *rapid.T) {
		wait, _ := s.wait.Next(anyState(t), anyTry(t))
		if wait < s.floor || wait > s.limit {
			t.Fatalf("waits %v, want from %v to %v", wait, s.floor, s.limit)
		}
	})
}

func holdsPure(t *testing.T, s strategy) {
	rapid.Check(t, func(t *rapid.T) {
		state, try := anyState(t), anyTry(t)
		wait, next := s.wait.Next(state, try)
		s.wait.Next(next, anyTry(t)) // another client's call must leave no trace
		waitAgain, nextAgain := s.wait.Next(state, try)
		if wait != waitAgain || next != nextAgain {
			t.Fatalf("first %v, %+v; then %v, %+v", wait, next, waitAgain, nextAgain)
		}
	})
}

func holdsStateAdvances(t *testing.T, s strategy) {
	rapid.Check(t, func(t *rapid.T) {
		state := anyState(t)
		wait, next := s.wait.Next(state, anyTry(t))
		if next.N != state.N+1 || next.Prev != wait {
			t.Fatalf("after %+v and a wait of %v the state is %+v", state, wait, next)
		}
	})
}

// extremeRetries are the counts at which shifts and floats overflow.
var extremeRetries = []int{0, 1, 62, 63, 64, 1023, 1024, 1 << 31}

func holdsNoOverflow(t *testing.T, s strategy) {
	for _, n := range extremeRetries {
		for _, prev := range []time.Duration{0, s.limit, forever} {
			for _, u := range []float64{0, 0.5, greatest} {
				wait, _ := s.wait.Next(strategies.State{N: n, Prev: prev}, strategies.Try{U: u})
				if wait < s.floor || wait > s.limit {
					t.Errorf("n=%d prev=%v u=%v: waits %v, want from %v to %v", n, prev, u, wait, s.floor, s.limit)
				}
				// Half of the first ceiling may be less than a nanosecond.
				if u == 0.5 && n > 0 && s.limit > 0 && wait == 0 {
					t.Errorf("n=%d prev=%v u=%v: the wait is lost", n, prev, u)
				}
			}
		}
	}
}

func holdsNeverShorterLater(t *testing.T, s strategy) {
	for _, u := range []float64{0, 0.5, greatest} {
		last := time.Duration(0)
		for n := range 200 {
			wait, _ := s.wait.Next(strategies.State{N: n}, strategies.Try{U: u})
			if wait < last {
				t.Fatalf("u=%v: retry %d waits %v, the one before %v", u, n, wait, last)
			}
			last = wait
		}
	}
}

func holdsNeverShorterByGreaterDraw(t *testing.T, s strategy) {
	rapid.Check(t, func(t *rapid.T) {
		state, a, b := anyState(t), anyTry(t), anyTry(t)
		low, _ := s.wait.Next(state, strategies.Try{U: min(a.U, b.U)})
		high, _ := s.wait.Next(state, strategies.Try{U: max(a.U, b.U)})
		if low > high {
			t.Fatalf("the smaller draw waits %v, the greater %v", low, high)
		}
	})
}

func holdsNoAllocation(t *testing.T, s strategy) {
	var state strategies.State
	allocs := testing.AllocsPerRun(100, func() {
		_, state = s.wait.Next(state, strategies.Try{U: 0.5})
	})
	if allocs != 0 {
		t.Errorf("Next allocates %v times", allocs)
	}
}

func holdsValid(t *testing.T, s strategy) {
	if err := (strategies.Policy{Wait: s.wait}).Validate(); err != nil {
		t.Error(err)
	}
}

func holdsTextRoundTrip(t *testing.T, s strategy) {
	policy := strategies.Policy{Wait: s.wait}
	got, err := strategies.Parse(policy.String())
	if err != nil {
		t.Fatal(err)
	}
	if got != policy {
		t.Errorf("%s comes back as %#v", policy, got.Wait)
	}
}
