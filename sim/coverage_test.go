package sim

import (
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// An interval that says 95 % must contain the truth in about 95 of 100
// experiments. The truth is known for one Poisson stream, one worker and
// exponential work: a mean sojourn of 1/(μ − λ).
func TestIntervalsCoverTheTruth(t *testing.T) {
	if testing.Short() {
		t.Skip("4000 replications")
	}
	const (
		arrivals, served = 0.5, 1. // λ and μ, per second
		truth            = 1 / (served - arrivals)
		experiments      = 400
	)
	s := Scenario{
		Load:         Load{Stream: &Stream{Rate: arrivals, WarmUp: WarmUp{Fixed: 100 * time.Second}}},
		Server:       Server{Capacity: &Capacity{Workers: 1, Service: Exponential(time.Second), Queue: Unlimited}},
		Policies:     []strategies.Policy{mustParse(t, "immediate")},
		Clients:      []int{1},
		Replications: 10,
		Stop:         4100 * time.Second, // some 2000 operations
	}
	covered := 0
	for seed := range uint64(experiments) {
		s.Seed = seed
		r, err := Run(t.Context(), s, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ci := r.Cells[0].Metrics["latency_mean_seconds"].CI95; ci[0] <= truth && truth <= ci[1] {
			covered++
		}
	}
	if share := float64(covered) / experiments; share < 0.92 || share > 0.98 {
		t.Errorf("%d of %d intervals contain the truth, want 92 to 98 %%", covered, experiments)
	}
}
