package sim

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// The herd that the reports show: 5,000 clients at once, at 100 workers. Its
// figures were measured with an independent simulator, over 20 replications.

const herdClients = 5000

// herdScenario is that herd. Each synchronised wave gets 200 served with a queue
// of 100, so its figures can be checked by hand.
func herdScenario(policy strategies.Policy, clients, queue int, service Distribution, replications int) Scenario {
	return Scenario{
		Load:         Load{Herd: &Herd{}},
		Network:      articleNetwork(),
		Server:       Server{Capacity: &Capacity{Workers: 100, Service: service, Queue: Places(queue)}},
		Policies:     []strategies.Policy{policy},
		Clients:      []int{clients},
		Replications: replications,
		Stop:         time.Hour,
	}
}

// herdService is a service of 100 ms on average.
func herdService() Distribution { return Exponential(100 * time.Millisecond) }

// secondPeak is the peak after the first two windows, in which all arrive for
// the first time.
func secondPeak() probe {
	return probe{"second_peak", func(e *engine) func() float64 {
		s := &series{window: Window}
		e.tally.series = s
		return func() float64 { return float64(slices.Max(s.calls[2:])) }
	}}
}

// herdCase is a policy, and what the herd made of it elsewhere.
type herdCase struct {
	policy                     string
	calls, sd                  float64
	completion, p50, p99, peak float64
}

func herdCases() []herdCase {
	return []herdCase{
		{"fixed(1s)", 57_204, 350, 22.2, 10.7, 21.6, 4788},
		{"exponential(base=500ms, cap=30s)", 57_459, 316, 489, 167, 482, 4788},
		{"equal(base=500ms, cap=30s)", 19_690, 115, 8.2, 3.1, 7.2, 1935},
		{"full(base=500ms, cap=30s)", 20_246, 120, 18.3, 2.5, 9.3, 1340},
		{"decorrelated(base=500ms, cap=30s)", 14_508, 121, 11.2, 2.9, 7.9, 566},
	}
}

// immediateHerd takes ten times as long as all others.
func immediateHerd() herdCase {
	return herdCase{"immediate", 581_995, 12_372, 5.42, 2.52, 5.0, 22_812}
}

func TestHerd(t *testing.T) { compareHerd(t, herdCases(), 20) }

func TestHerdOfImmediateRetries(t *testing.T) { compareHerd(t, []herdCase{immediateHerd()}, 4) }

func compareHerd(t *testing.T, cases []herdCase, replications int) {
	for _, c := range cases {
		t.Run(c.policy, func(t *testing.T) {
			s := herdScenario(mustParse(t, c.policy), herdClients, 100, herdService(), replications)
			f := simulate(t, s, secondPeak())
			f.exactly(t, MetricSuccess, 1)
			f.agrees(t, MetricCalls, estimate{n: 20, mean: c.calls, sd: c.sd})
			// Of these only rounded means are known.
			f.within(t, MetricCompletion, c.completion, .15)
			f.within(t, MetricLatencyP50, c.p50, .15)
			f.within(t, MetricLatencyP99, c.p99, .15)
			f.within(t, "second_peak", c.peak, .15)
		})
	}
}

// Without chance in the service every wave of a herd without jitter fills the
// workers and the queue anew: 25 waves of 200, or 50 of 100.
func TestHerdWithConstantService(t *testing.T) {
	tests := []struct {
		policy            string
		queue             int
		calls, completion float64
	}{
		{"fixed(1s)", 100, 65_000, 24.73},
		{"exponential(base=500ms, cap=30s)", 100, 65_000, 572},
		{"fixed(1s)", 0, 127_500, 50.2},
		{"exponential(base=500ms, cap=30s)", 0, 127_500, 1323},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s/queue=%d", test.policy, test.queue), func(t *testing.T) {
			service := Constant(100 * time.Millisecond)
			f := simulate(t, herdScenario(mustParse(t, test.policy), herdClients, test.queue, service, 10))
			f.exactly(t, MetricCalls, test.calls)
			f.within(t, MetricCompletion, test.completion, .005)
		})
	}
}

// Whom the workers and the queue have room for is not refused.
func TestHerdWithRoomForAll(t *testing.T) {
	for _, c := range append(herdCases(), immediateHerd()) {
		for _, clients := range []int{100, 200} {
			t.Run(fmt.Sprintf("%s/%d", c.policy, clients), func(t *testing.T) {
				f := simulate(t, herdScenario(mustParse(t, c.policy), clients, 100, herdService(), 20))
				f.exactly(t, MetricCalls, float64(clients))
				f.exactly(t, MetricRejected, 0)
				f.exactly(t, MetricSuccess, 1)
			})
		}
	}
}

// Six attempts are enough only for those who spread them.
func TestHerdOfSixAttempts(t *testing.T) {
	tests := []struct {
		policy  string
		success float64
	}{
		{"immediate", .07},
		{"fixed(1s)", .27},
		{"exponential(base=500ms, cap=30s)", .27},
		{"equal(base=500ms, cap=30s)", 1},
		{"full(base=500ms, cap=30s)", 1},
		{"decorrelated(base=500ms, cap=30s)", 1},
	}
	for _, test := range tests {
		t.Run(test.policy, func(t *testing.T) {
			policy := mustParse(t, test.policy+" + attempts(6)")
			f := simulate(t, herdScenario(policy, herdClients, 100, herdService(), 20))
			// Known in whole per cents, and subject to the same luck as ours.
			_, sd := moments(f.sample(t, MetricSuccess))
			f.within(t, MetricSuccess, test.success, (.005+unlucky*sd*math.Sqrt(2.0/20))/test.success)
		})
	}
}

// A start spread over a second does for the herd what the policy does not.
func TestHerdWithSpreadStart(t *testing.T) {
	policy := mustParse(t, "exponential(base=500ms, cap=30s)")
	s := herdScenario(policy, herdClients, 100, herdService(), 20)
	s.Load.Herd.Spread = time.Second
	simulate(t, s).within(t, MetricCompletion, 17, .15)
}

// A refusal that costs a millisecond of a worker's time changes little for those
// who spread out; who comes back at once makes the server refuse all day. The
// threshold is where all refusals of a round trip keep all workers busy: 0.41 ms.
func TestHerdWithCostlyRefusals(t *testing.T) {
	for _, c := range herdCases() {
		t.Run(c.policy, func(t *testing.T) {
			s := herdScenario(mustParse(t, c.policy), herdClients, 100, herdService(), 4)
			s.Server.Capacity.RefusalCost = time.Millisecond
			f := simulate(t, s)
			f.exactly(t, MetricSuccess, 1)
			f.within(t, MetricCalls, c.calls, .05)
		})
	}
	for cost, livelocks := range map[time.Duration]bool{200 * time.Microsecond: false, time.Millisecond: true} {
		t.Run("immediate/"+cost.String(), func(t *testing.T) {
			s := herdScenario(mustParse(t, "immediate"), herdClients, 100, herdService(), 1)
			s.Server.Capacity.RefusalCost = cost
			s.Stop = 10 * time.Second
			if success := simulate(t, s)[MetricSuccess][0]; (success < 1) != livelocks {
				t.Errorf("%g of all are served in %s", success, s.Stop)
			}
		})
	}
}

// Clients that wait for a second only, at a queue without end: those without
// jitter or a growing wait keep it full of requests that nobody waits for.
func TestHerdOfImpatientClients(t *testing.T) {
	for policy, completion := range map[string]float64{
		"immediate":                        0,
		"fixed(1s)":                        0,
		"exponential(base=500ms, cap=30s)": 144,
		"equal(base=500ms, cap=30s)":       55,
		"full(base=500ms, cap=30s)":        61,
	} {
		t.Run(policy, func(t *testing.T) {
			s := herdScenario(mustParse(t, policy+" + timeout(1s)"), herdClients, 0, herdService(), 10)
			s.Server.Capacity.Queue = Unlimited
			if completion > 0 {
				f := simulate(t, s)
				f.exactly(t, MetricSuccess, 1)
				f.within(t, MetricCompletion, completion, .15)
				return
			}
			s.Replications, s.Stop = 1, 10*time.Minute
			f := simulate(t, s)
			f.within(t, MetricWasted, .998*100*s.Stop.Seconds(), .002)
		})
	}
}
