package sim

import (
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// M. Brooker, "Open and Closed, Omission and Collapse" (2023): the same server
// under a stream and under one and ten clients that think, measured with an
// independent simulator. Of its services only the exponential one is among our
// distributions. For the bimodal one (one in a thousand takes ten seconds) stands
// in what has its first two moments: they decide the mean latency of a stream, and
// of a single client, and nothing else.

// omissionLatencies are the figures of the reference for exponential service.
func omissionLatencies() map[string]string {
	return map[string]string{
		"latency_mean_seconds": "latency",
		MetricLatencyP50:       "p50",
		"latency_p90_seconds":  "p90",
		MetricLatencyP99:       "p99",
	}
}

func latencyP90() probe {
	return probe{"latency_p90_seconds", func(e *engine) func() float64 {
		return func() float64 { return e.tally.latency(.9) }
	}}
}

// completions are the operations that succeed.
func completions() probe {
	return probe{"completions", func(e *engine) func() float64 {
		return func() float64 { return float64(e.tally.succeeded) }
	}}
}

func TestOmission(t *testing.T) { compareOmission(t, 20) }

func compareOmission(t *testing.T, replications int) {
	think := func(mean time.Duration) *Closed { return &Closed{Think: Exponential(mean)} }
	simple, bimodal := Exponential(100*time.Millisecond), Hyperexponential(109900*time.Microsecond, 17.2128)
	tests := map[string]struct {
		service Distribution
		clients int
		load    Load
	}{
		"exp_open":       {simple, 1, Load{Stream: &Stream{Rate: 8}}},
		"exp_closed_1":   {simple, 1, Load{Closed: think(20 * time.Millisecond)}},
		"exp_closed_10":  {simple, 10, Load{Closed: think(1145 * time.Millisecond)}},
		"bimod_open":     {bimodal, 1, Load{Stream: &Stream{Rate: .8 / .1099}}},
		"bimod_closed_1": {bimodal, 1, Load{Closed: think(21980 * time.Microsecond)}},
	}
	for _, r := range readRows(t, "queue-omission.csv") {
		test, ok := tests[r["name"]]
		if !ok {
			continue
		}
		t.Run(r["name"], func(t *testing.T) {
			f := simulate(t, Scenario{
				Load:         test.load,
				Server:       Server{Capacity: &Capacity{Workers: 1, Queue: Unlimited, Service: test.service}},
				Policies:     []strategies.Policy{once()},
				Clients:      []int{test.clients},
				Replications: replications,
				Stop:         time.Duration(r.count(t, "run_t")) * time.Second,
			}, completions(), latencyP90())
			f.agrees(t, "completions", r.estimate(t, "completions", 1))
			f.agrees(t, "latency_mean_seconds", r.estimate(t, "latency", 1))
			if test.service != simple {
				return
			}
			for figure, column := range omissionLatencies() {
				f.agrees(t, figure, r.estimate(t, column, 1))
				f.spreads(t, figure, r.estimate(t, column, 1))
			}
		})
	}
}
