package sim

import (
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// The answer to the first attempt is lost after the work. A server that knows the
// operation by its key repeats the answer at once; another does the work again.
func TestKeyRepeatsTheAnswerWithoutTheWork(t *testing.T) {
	for _, test := range []struct {
		client     Client
		policy     string
		took       time.Duration
		duplicates int
	}{
		{Client{Creates: true, Key: true}, "fixed(50ms)", 60 * ms, 0},
		{Client{Creates: true}, "fixed(50ms) + unsafe", 70 * ms, 1},
	} {
		e := prepared(Scenario{
			Load:     Load{Herd: &Herd{}},
			Server:   Server{Capacity: &Capacity{Workers: 1, Service: Constant(10 * ms)}},
			Faults:   []Fault{{Kind: LoseAnswers, For: 15 * ms, Share: 1}},
			Client:   test.client,
			Policies: []strategies.Policy{mustParse(t, test.policy)},
			Clients:  []int{1}, Replications: 1, Stop: time.Second,
		})
		if err := e.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(e.tally.latencies) != 1 || e.tally.latencies[0] != test.took || e.tally.duplicates != test.duplicates {
			t.Errorf("%+v: took %v with %d duplicates, want %v with %d",
				test.client, e.tally.latencies, e.tally.duplicates, test.took, test.duplicates)
		}
	}
}

// Patience ends the wait for an answer although the policy would wait for ever.
func TestPatienceEndsTheWait(t *testing.T) {
	e := prepared(Scenario{
		Load:     Load{Herd: &Herd{}},
		Server:   Server{Capacity: &Capacity{Workers: 1, Service: Constant(10 * ms)}},
		Client:   Client{Patience: Constant(5 * ms)},
		Policies: []strategies.Policy{mustParse(t, "immediate + attempts(1)")},
		Clients:  []int{1}, Replications: 1, Stop: time.Second,
	})
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e.tally.gaveUp != 1 || e.tally.lastEnd != 5*ms {
		t.Errorf("%d gave up, the last at %v; want 1 at 5ms", e.tally.gaveUp, e.tally.lastEnd)
	}
}
