package sim

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

func TestWindowsAreAlignedAndHalfOpen(t *testing.T) {
	var w windows
	calls := []struct {
		at    time.Duration
		retry bool
	}{
		{250 * ms, false}, {299 * ms, false}, {300*ms - 1, false}, // three from 200 ms on
		{300 * ms, true}, {399 * ms, true}, // two, both retries
		{650 * ms, false}, // one, after two windows without
	}
	for _, c := range calls {
		w.add(c.at, c.retry)
	}
	// The last window is still open.
	if peak, retries := max(w.peak, w.calls), max(w.peakRetries, w.retries); peak != 3 || retries != 2 {
		t.Errorf("peak %d, of retries %d; want 3 and 2", peak, retries)
	}
	// Six calls in the five windows from 200 to 700 ms are 1.2 a window.
	near(t, "herd score", w.herdScore(), 3/1.2, 1e-15)
}

func TestHerdScoreOfASingleWindowIsOne(t *testing.T) {
	for _, at := range []time.Duration{0, 50 * ms, time.Hour} {
		var w windows
		w.add(at, false)
		w.add(at, false)
		if got := w.herdScore(); got != 1 {
			t.Errorf("two calls at %v: got %v, want 1", at, got)
		}
	}
}

// However long a run, its series stays short and loses no call.
func TestSeriesDoublesItsWindows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		end := rapid.SampledFrom([]time.Duration{time.Second, time.Hour, maxStop}).Draw(t, "end")
		times := rapid.SliceOfN(rapid.Int64Range(0, int64(end)), 1, 100).Draw(t, "times")
		slices.Sort(times)
		s := &series{window: Window}
		for _, at := range times {
			s.add(time.Duration(at))
		}
		want := make([]int, times[len(times)-1]/int64(s.window)+1)
		for _, at := range times {
			want[at/int64(s.window)]++
		}
		if !slices.Equal(s.calls, want) {
			t.Fatalf("in windows of %v: got %v, want %v", s.window, s.calls, want)
		}
		if len(s.calls) > longestSeries || s.window > Window && len(s.calls) < longestSeries/2 {
			t.Fatalf("%d windows of %v", len(s.calls), s.window)
		}
	})
}

func TestSeriesDoublesWhenItIsFull(t *testing.T) {
	s := &series{window: Window}
	s.add(longestSeries*Window - 1)
	if len(s.calls) != longestSeries || s.window != Window {
		t.Errorf("%d windows of %v, want %d of %v", len(s.calls), s.window, longestSeries, Window)
	}
	s.add(longestSeries * Window)
	if len(s.calls) != longestSeries/2+1 || s.window != 2*Window {
		t.Errorf("%d windows of %v, want %d of %v", len(s.calls), s.window, longestSeries/2+1, 2*Window)
	}
}

func TestGaugeIntegratesItsLevel(t *testing.T) {
	var g gauge
	g.add(10, 2)
	g.add(20, 3)
	g.add(20, -1)
	g.advance(25)
	if want := 2.*10 + 4*5; g.area != want || g.level != 4 {
		t.Errorf("level %d, area %v; want 4 and %v", g.level, g.area, want)
	}
	g.restart(30)
	g.advance(40)
	if g.area != 40 {
		t.Errorf("area %v since the restart, want 40", g.area)
	}
}

// An operation that gave up took longer than any that succeeded.
func TestQuantilesCountWhoGaveUp(t *testing.T) {
	var tally tally
	for i := range 8 {
		tally.ended(time.Duration(80-10*i), 0, strategies.Verdict{Action: strategies.Done})
	}
	for range 2 {
		tally.ended(5, 0, strategies.Verdict{Action: strategies.GiveUp})
	}
	tests := []struct {
		q    float64
		want time.Duration
		ok   bool
	}{
		{0, 10, true}, {0.1, 10, true}, {0.5, 50, true}, {0.8, 80, true}, {0.81, 0, false}, {0.99, 0, false},
	}
	for _, test := range tests {
		if got, ok := tally.quantile(test.q); got != test.want || ok != test.ok {
			t.Errorf("quantile %v: got %d, %v; want %d, %v", test.q, got, ok, test.want, test.ok)
		}
	}
}

func TestNoOperationNoQuantile(t *testing.T) {
	if got, ok := new(tally).quantile(0.5); ok {
		t.Errorf("got %v of nothing", got)
	}
}
