package sim

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// What the reports will tell of outages and payments, measured with an
// independent simulator over 10 to 30 replications. Most of its figures are known
// as rounded means.

// waits are the waits of the stories, but for those that do not wait.
func waits() []string {
	return []string{
		"fixed(1s)", "exponential(base=500ms, cap=30s)", "equal(base=500ms, cap=30s)",
		"full(base=500ms, cap=30s)", "decorrelated(base=500ms, cap=30s)",
	}
}

const impatient = " + attempts(4) + timeout(1s)"

// Half a minute's outage at 70 % load: without retries it is over when the queue
// is; with four attempts it never is, whatever the wait. If the last come first,
// it is over at once.
func TestOutage(t *testing.T) {
	consultOutage(t, []string{"immediate", "full(base=500ms, cap=30s)"}, 2, 2*time.Minute)
}

func consultOutage(t *testing.T, waits []string, replications int, stop time.Duration) {
	t.Run("no retry", func(t *testing.T) {
		f := simulate(t, cellOf(t, "outage", "immediate + attempts(1) + timeout(1s)", 700, 2*replications))
		f.exactly(t, MetricRecovered, 1)
		f.within(t, MetricRecovery, 31.6, .1)
	})
	for _, wait := range waits {
		t.Run(wait, func(t *testing.T) {
			s := cellOf(t, "outage", wait+impatient, 700, replications)
			s.Stop = stop
			f := simulate(t, s, lastGoodput(), callsBetween(stop-time.Minute, stop))
			f.exactly(t, MetricRecovered, 0)
			f.exactly(t, "last_goodput_per_second", 0)
			f.within(t, "calls_per_second", 2800, .01)
		})
	}
	t.Run("last first", func(t *testing.T) {
		s := cellOf(t, "outage", "immediate"+impatient, 700, replications)
		s.Server.Capacity.LastFirst = true
		f := simulate(t, s)
		f.exactly(t, MetricRecovered, 1)
		for _, seconds := range f.sample(t, MetricRecovery) {
			if !(seconds <= 1) { // the first whole second after the outage
				t.Errorf("recovers in %g s, want at once", seconds)
			}
		}
	})
}

// A queue of less than the clients' second of patience saves them.
func TestOutageWithShorterQueue(t *testing.T) {
	for _, test := range []struct {
		queue     Places
		recovered float64
	}{
		{800, 1},
		{1000, 0},
	} {
		t.Run(fmt.Sprint(test.queue), func(t *testing.T) {
			s := cellOf(t, "outage", "full(base=500ms, cap=30s)"+impatient, 700, 4)
			s.Server.Capacity.Queue = test.queue
			s.Stop = 2 * time.Minute
			f := simulate(t, s)
			f.exactly(t, MetricRecovered, test.recovered)
			if mean, _ := moments(f[MetricRecovery]); test.recovered == 1 && mean > 2 {
				t.Errorf("recovers in %.1f s, want 2 at most", mean)
			}
		})
	}
}

// The load decides: a quarter of the capacity is what four attempts need.
func TestOutageByLoad(t *testing.T) {
	for _, test := range []struct {
		load                int
		recovered, recovery float64
	}{
		{200, 1, 36},
		{260, 0, 0},
	} {
		t.Run(fmt.Sprint(test.load), func(t *testing.T) {
			f := simulate(t, cellOf(t, "outage", "full(base=500ms, cap=30s)"+impatient, test.load, 3))
			f.exactly(t, MetricRecovered, test.recovered)
			if test.recovered == 1 {
				f.within(t, MetricRecovery, test.recovery, .15)
			}
		})
	}
}

// The calls per second during an outage in which the server refuses. The queue is
// short, so all is well soon after.
func TestRetryStorm(t *testing.T) {
	for wait, calls := range map[string]float64{
		"immediate":                         3988,
		"full(base=500ms, cap=30s)":         3401,
		"equal(base=500ms, cap=30s)":        3135,
		"exponential(base=500ms, cap=30s)":  2851,
		"fixed(1s)":                         2757,
		"decorrelated(base=500ms, cap=30s)": 2362,
	} {
		t.Run(wait, func(t *testing.T) {
			f := simulate(t, cellOf(t, "retry-storm", wait+impatient, 1000, 2), callsBetween(20*time.Second, 25*time.Second))
			f.within(t, "calls_per_second", calls, .1)
			f.exactly(t, MetricRecovered, 1)
			if worst := slices.Max(f[MetricRecovery]); worst > 6.4 {
				t.Errorf("recovers in %g s, want 6.4 at most", worst)
			}
		})
	}
}

// When it hangs instead, retries wait for the timeout, and the worst second comes
// after the outage.
func TestRetryStormOfHangingServer(t *testing.T) {
	s := cellOf(t, "retry-storm", "immediate"+impatient, 1000, 10)
	s.Faults[0].Kind = Hang
	f := simulate(t, s, callsBetween(20*time.Second, 25*time.Second), worstSecond(25*time.Second))
	f.within(t, "calls_per_second", 2767, .1)
	f.within(t, "worst_second_calls", 8111, .15)
}

// With a long queue nobody survives a hang; and of an outage in which the server
// refuses, only who has spent his attempts in it.
func TestRetryStormWithLongQueue(t *testing.T) {
	for _, test := range []struct {
		kind      FaultKind
		wait      string
		recovered float64
	}{
		{Hang, "immediate", 0},
		{Hang, "full(base=500ms, cap=30s)", 0},
		{Down, "immediate", 1},
		{Down, "full(base=500ms, cap=30s)", 0},
	} {
		t.Run(string(test.kind)+"/"+test.wait, func(t *testing.T) {
			s := cellOf(t, "retry-storm", test.wait+impatient, 1000, 2)
			s.Server.Capacity.Queue = 2400
			s.Faults[0].Kind = test.kind
			f := simulate(t, s, lastGoodput())
			f.exactly(t, MetricRecovered, test.recovered)
			if test.recovered == 0 {
				f.exactly(t, "last_goodput_per_second", 0)
			}
		})
	}
}

// Twenty seconds of refusals do not scatter a herd that has no jitter: it comes
// back whole, ever later.
func TestPoliteHerd(t *testing.T) {
	for wait, completion := range map[string]float64{
		"exponential(base=500ms, cap=30s)": 152.3,
		"fixed(1s)":                        25,
	} {
		t.Run(wait, func(t *testing.T) {
			f := simulate(t, cellOf(t, "polite-herd", wait, 1000, 10))
			f.exactly(t, MetricSuccess, 1)
			f.within(t, MetricCompletion, completion, .01)
			f.exactly(t, MetricPeak, 1000)
			if wait == "fixed(1s)" {
				f.within(t, MetricCalls, 22_556, .01)
			}
		})
	}
	for wait, peaks := range map[string][]float64{
		"full(base=500ms, cap=30s)":         {147, 77, 44, 25, 16},
		"decorrelated(base=500ms, cap=30s)": {132, 65, 58, 38, 28},
	} {
		t.Run(wait, func(t *testing.T) {
			var probes []probe
			for k := range peaks {
				probes = append(probes, peakAfterWave(k+1))
			}
			f := simulate(t, cellOf(t, "polite-herd", wait, 1000, 20), probes...)
			f.exactly(t, MetricSuccess, 1)
			f.within(t, MetricCompletion, 49.5, .15)
			for i, p := range probes {
				f.within(t, p.name, peaks[i], .15)
			}
		})
	}
}

// wave is the window in which a herd comes for the k-th time that waits for
// 0.5, 1, 2 … seconds without jitter, and hears the refusal after 20 ms.
func wave(k int) int { return int((500*(math.Exp2(float64(k))-1) + 20*float64(k)) / 100) }

// peakAfterWave is the largest number of calls in a window from such a wave to the
// next.
func peakAfterWave(k int) probe {
	return probe{fmt.Sprintf("peak_after_wave_%d", k), func(e *engine) func() float64 {
		if e.tally.series == nil {
			e.tally.series = &series{window: Window}
		}
		s := e.tally.series
		return func() float64 { return float64(slices.Max(s.calls[wave(k)+1 : wave(k+1)])) }
	}}
}

// The exponential herd is whole in each wave.
func TestPoliteHerdComesInWaves(t *testing.T) {
	calls := firstSeries(t, cellOf(t, "polite-herd", "exponential(base=500ms, cap=30s)", 1000, 1))
	for k := 1; k <= 6; k++ {
		if n := calls[wave(k)] + calls[wave(k)+1] + calls[wave(k)-1]; n != 1000 {
			t.Errorf("%d come in wave %d, want all 1000", n, k)
		}
	}
}

// Whatever reaches a server that loses nothing has an outcome.
func TestOutcomesAddUp(t *testing.T) {
	s := cellOf(t, "polite-herd", "fixed(1s)", 1000, 3)
	r, err := Run(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Cells[0]
	sum := 0.0
	for _, n := range c.Outcomes {
		sum += n
	}
	if calls := c.Metrics[MetricCalls].Mean; math.Abs(sum-calls) > 1e-6 {
		t.Errorf("%v are %g outcomes of %g calls", c.Outcomes, sum, calls)
	}
	// All of them are refused once a second until the server is up.
	if c.Outcomes["200"] != 1000 || c.Outcomes["refused"] != 20_000 {
		t.Errorf("outcomes %v, want 1000 of 200 and 20000 refused", c.Outcomes)
	}
}

// One in fifty answers is lost after the payment. Who repeats it without a key
// charges again, once for each loss but the last; who does not is told "failed"
// though charged.
func TestDoubleCharge(t *testing.T) {
	const payments, lost = 10_000, .02
	for _, test := range []struct {
		name, policy        string
		key                 bool
		duplicates, givenUp float64
	}{
		{"repeated", "full(base=500ms, cap=30s) + attempts(4) + unsafe", false, payments * (lost + lost*lost + lost*lost*lost), 0},
		{"not repeated", "full(base=500ms, cap=30s) + attempts(4)", false, 0, payments * lost},
		{"no retry", "immediate + attempts(1)", false, 0, payments * lost},
		{"with a key", "full(base=500ms, cap=30s) + attempts(4)", true, 0, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := cellOf(t, "double-charge", test.policy, payments, 20)
			s.Client.Key = test.key
			f := simulate(t, s, chargedTwice())
			if test.duplicates > 0 {
				f.expect(t, MetricDuplicates, test.duplicates, .06)
				f.agrees(t, MetricDuplicates, estimate{20, 206, 12})
				f.agrees(t, "charged_twice", estimate{20, 202, 12})
			} else {
				f.exactly(t, MetricDuplicates, 0)
			}
			if test.givenUp > 0 {
				f.expect(t, MetricGivenUp, test.givenUp, .06)
			}
		})
	}
}

// chargedTwice are the operations of a herd that created more than they wanted.
func chargedTwice() probe {
	return probe{"charged_twice", func(e *engine) func() float64 {
		twice := 0
		w := &departures{server: e.server, after: func(o *operation) {
			if o.resources == 2 {
				twice++
			}
		}}
		e.server = w
		return func() float64 { return float64(twice) }
	}}
}

// departures looks at each operation whose request has been worked on.
type departures struct {
	server
	after func(*operation)
}

func (w *departures) handle(e *engine, ev event) {
	if ev.kind() != departs {
		w.server.handle(e, ev)
		return
	}
	op := w.server.(*capacity).jobs.list[ev.op].op
	w.server.handle(e, ev)
	w.after(&e.ops[op])
}

// Slowness alone charges twice, if the client has less patience than it takes.
func TestDoubleChargeBySlowness(t *testing.T) {
	for _, test := range []struct {
		timeout    string
		duplicates float64
		tolerance  float64
	}{
		{"300ms", 652, .05},
		{"500ms", 84, .15},
	} {
		t.Run(test.timeout, func(t *testing.T) {
			policy := "full(base=500ms, cap=30s) + attempts(4) + unsafe + timeout(" + test.timeout + ")"
			s := cellOf(t, "double-charge", policy, 10_000, 10)
			s.Faults = nil
			simulate(t, s).within(t, MetricDuplicates, test.duplicates, test.tolerance)
		})
	}
}

// How many of the operations that start while a server refuses for twenty seconds
// succeed with so many attempts, in per cent.
func TestHowManyAttempts(t *testing.T) {
	attempts := []int{3, 4, 5, 6, 7, 8, 10}
	for wait, percents := range map[string][]float64{
		"full(base=500ms, cap=30s)":         {4, 9, 19, 39, 76, 97, 100},
		"exponential(base=500ms, cap=30s)":  {8, 18, 38, 78, 100, 100, 100},
		"decorrelated(base=500ms, cap=30s)": {14, 28, 49, 66, 79, 87, 96},
		"fixed(1s)":                         {10, 15, 20, 25, 31, 36, 45},
	} {
		for i, n := range attempts {
			t.Run(fmt.Sprintf("%s/%d", wait, n), func(t *testing.T) {
				s := cellOf(t, "many-attempts", fmt.Sprintf("%s + attempts(%d)", wait, n), 200, 4)
				s.Stop = 70 * time.Second
				f := simulate(t, s, succeededOf(10*time.Second, 30*time.Second))
				mean, sd := moments(f.sample(t, "success_of_started"))
				// Known in whole per cents, and subject to the same luck as ours.
				if !(math.Abs(100*mean-percents[i]) <= .5+unlucky*100*sd*math.Sqrt(2.0/4)) {
					t.Errorf("%.1f %% succeed, want %g", 100*mean, percents[i])
				}
			})
		}
	}
}

// A limit that is used up when 2,000 come. Told the same time, all of them come
// together again, ten times; told to spread out, most succeed the first time.
func TestEverybodyAtOnce(t *testing.T) {
	t.Run("exactly", func(t *testing.T) {
		f := simulate(t, cellOf(t, "everybody-at-once", "full(base=500ms, cap=30s)", 2000, 4))
		f.exactly(t, MetricCalls, 13_000)
		f.within(t, MetricCompletion, 50.25, .005)
	})
	for policy, want := range map[string][2]float64{
		"full(base=500ms, cap=30s) + retry-after(floor, spread=100%)": {4990, 20.4},
		"full(base=500ms, cap=30s) + retry-after(ignore)":             {10_742, 33.2},
	} {
		_, name, _ := strings.Cut(policy, "retry-after")
		t.Run(name, func(t *testing.T) {
			f := simulate(t, cellOf(t, "everybody-at-once", policy, 2000, 20))
			f.within(t, MetricCalls, want[0], .05)
			f.within(t, MetricCompletion, want[1], .15)
		})
	}
}
