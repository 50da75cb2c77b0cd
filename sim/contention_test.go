package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog (2015):
// clients that each update one row, with optimistic concurrency. The figures are
// those of an independent simulator of the experiment.

// articleScenario is that experiment. Its longest run ends after half an hour.
func articleScenario(policy strategies.Policy, clients, replications int) Scenario {
	return Scenario{
		Load:         Load{Herd: &Herd{}},
		Network:      articleNetwork(),
		Server:       Server{Contention: &Contention{}},
		Policies:     []strategies.Policy{policy},
		Clients:      []int{clients},
		Replications: replications,
		Stop:         24 * time.Hour,
	}
}

func articleNetwork() Network {
	return Network{Leg: Normal(10*time.Millisecond, 2*time.Millisecond)}
}

// articleBase is the base in the article's own terms.
const articleBase = 5 * time.Millisecond

const articleCap = 2 * time.Second

// articleStrategies lists the article's strategies under its names.
func articleStrategies() []string {
	return []string{"none", "exponential", "full", "equal", "decorrelated"}
}

// articlePolicy is a strategy as the article coded it: n counts from 1, so that
// the first ceiling is twice the base, but for decorrelated.
func articlePolicy(t *testing.T, strategy string, base, limit time.Duration) strategies.Policy {
	t.Helper()
	if strategy != "decorrelated" {
		base *= 2
	}
	return plainPolicy(t, strategy, base, limit)
}

// plainPolicy is a strategy whose first ceiling is the base.
func plainPolicy(t *testing.T, strategy string, base, limit time.Duration) strategies.Policy {
	t.Helper()
	if strategy == "none" {
		return mustParse(t, "immediate")
	}
	return mustParse(t, fmt.Sprintf("%s(base=%s, cap=%s)", strategy, base, limit))
}

// effort is how much of the reference figures a test goes through.
type effort struct {
	clients      int             // at most
	replications func(n int) int // where the reference has n
}

// quick is what every run of the tests affords.
func quick() effort {
	return effort{clients: 100, replications: func(n int) int { return max(n/10, 100) }}
}

func TestContentionAgreesWithTheArticle(t *testing.T) {
	compareContention(t, quick())
}

func TestContentionVariantsAgreeWithTheArticle(t *testing.T) {
	e := quick()
	e.clients = 50
	compareContentionVariants(t, e)
}

func compareContention(t *testing.T, e effort) {
	for _, r := range readRows(t, "aws-contention.csv") {
		clients := r.count(t, "clients")
		if clients > e.clients {
			continue
		}
		t.Run(fmt.Sprintf("%s/%d", r["strategy"], clients), func(t *testing.T) {
			policy := articlePolicy(t, r["strategy"], articleBase, articleCap)
			n := r.count(t, "replications")
			f := simulate(t, articleScenario(policy, clients, e.replications(n)), mostAttempts())
			compareCallsAndTime(t, f, r)
			for _, pair := range []struct {
				figure, column string
				units          float64
			}{
				{"latency_mean_seconds", "client_time_ms", 1e3},
				{"most_attempts", "max_attempts", 1},
			} {
				want := r.estimate(t, pair.column, pair.units)
				f.agrees(t, pair.figure, want)
				f.spreads(t, pair.figure, want)
			}
			// Without jitter times are lumpy, and a mean says little.
			f.divides(t, MetricCompletion, 0.1, r.number(t, "p10_time_ms")/1e3, n)
			f.divides(t, MetricCompletion, 0.5, r.number(t, "p50_time_ms")/1e3, n)
			f.divides(t, MetricCompletion, 0.9, r.number(t, "p90_time_ms")/1e3, n)
		})
	}
}

func compareContentionVariants(t *testing.T, e effort) {
	for _, r := range readRows(t, "aws-contention-variants.csv") {
		clients := r.count(t, "clients")
		if clients > e.clients {
			continue
		}
		name := fmt.Sprintf("%s/%s/%d/base=%s/cap=%s", r["variant"], r["strategy"], clients, r["base_ms"], r["cap_ms"])
		t.Run(name, func(t *testing.T) {
			policyOf := articlePolicy
			if r["variant"] == "index0" {
				policyOf = plainPolicy
			}
			policy := policyOf(t, r["strategy"], r.milliseconds(t, "base_ms"), r.milliseconds(t, "cap_ms"))
			f := simulate(t, articleScenario(policy, clients, e.replications(r.count(t, "replications"))))
			compareCallsAndTime(t, f, r)
		})
	}
}

// compareCallsAndTime compares what all files of the article's figures have.
func compareCallsAndTime(t *testing.T, f figures, r row) {
	t.Helper()
	calls, completion := r.estimate(t, "calls", 1), r.estimate(t, "time_ms", 1e3)
	f.agrees(t, MetricCalls, calls)
	f.spreads(t, MetricCalls, calls)
	f.agrees(t, MetricCompletion, completion)
	f.spreads(t, MetricCompletion, completion)
}

// One client makes one call: four legs.
func TestContentionOfOneIsFourLegs(t *testing.T) {
	for _, strategy := range articleStrategies() {
		t.Run(strategy, func(t *testing.T) {
			const replications = 10_000
			policy := articlePolicy(t, strategy, articleBase, articleCap)
			f := simulate(t, articleScenario(policy, 1, replications))
			f.exactly(t, MetricCalls, 1)
			f.expect(t, MetricCompletion, 0.040, 0.005)
			f.spreads(t, MetricCompletion, estimate{n: replications, mean: 0.040, sd: 0.004})
		})
	}
}

// Of two clients one wins at once and the other at its second call, after eight
// legs and a wait; only a run in a million lets one finish before the other
// reads.
func TestContentionOfTwoIsThreeCalls(t *testing.T) {
	tests := []struct {
		strategy     string
		milliseconds float64
	}{
		{"none", 81.954},
		{"exponential", 91.954},
		{"full", 86.954},
		{"equal", 89.454},
		{"decorrelated", 91.954},
	}
	for _, test := range tests {
		t.Run(test.strategy, func(t *testing.T) {
			policy := articlePolicy(t, test.strategy, articleBase, articleCap)
			f := simulate(t, articleScenario(policy, 2, 10_000))
			f.exactly(t, MetricCalls, 3)
			f.expect(t, MetricCompletion, test.milliseconds/1e3, 0.005)
		})
	}
}
