package sim

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// More closed forms: of clients that do not wait for ever, that are few, that
// fail by chance, and of servers in trouble all the time.

// always is a fault that lasts the whole run.
func always(f Fault) []Fault {
	f.For = maxStop
	return []Fault{f}
}

// dropped is the share of the measured calls that is thrown away in the queue.
func dropped() probe {
	return probe{"dropped_ratio", func(e *engine) func() float64 {
		return func() float64 { return quotient(e.tally.measured().drops, e.tally.measured().calls) }
	}}
}

func TestPatienceOracle(t *testing.T) { consultPatience(t, 1) }

// M/M/1+D: whoever has waited for 5 s leaves the queue.
func consultPatience(t *testing.T, length float64) {
	for _, test := range []struct{ rate, abandons, tolerance float64 }{
		{.8, .076987, .05},
		{1.2, .223855, .03},
	} {
		t.Run(fmt.Sprint(test.rate), func(t *testing.T) {
			o := oracle{
				server:   Capacity{Workers: 1, Queue: Unlimited, Service: markov(), DropAbandoned: true},
				rate:     test.rate,
				policy:   mustParse(t, "immediate + attempts(1) + timeout(5s)"),
				measured: 8 * time.Hour,
			}
			f := simulate(t, o.scenario(length), dropped())
			f.expect(t, "dropped_ratio", test.abandons, test.tolerance/math.Sqrt(length))
			f.expect(t, MetricUtilisation, test.rate*(1-test.abandons), .02/math.Sqrt(length))
		})
	}
}

func TestErlangAOracle(t *testing.T) { consultErlangA(t, 1) }

// Erlang A: M/M/c whose clients leave the queue after Exp(θ).
func consultErlangA(t *testing.T, length float64) {
	for _, test := range []struct {
		workers                 int
		rate, leaving, abandons float64
		measured                time.Duration
	}{
		{10, 12, .5, .195656, time.Hour},
		{100, 110, 1, .099192, 10 * time.Minute},
	} {
		t.Run(fmt.Sprint(test.workers), func(t *testing.T) {
			o := oracle{
				server:   Capacity{Workers: test.workers, Queue: Unlimited, Service: markov(), DropAbandoned: true},
				rate:     test.rate,
				policy:   once(),
				measured: test.measured,
			}
			s := o.scenario(length)
			s.Client.Patience = Exponential(time.Duration(float64(time.Second) / test.leaving))
			f := simulate(t, s, dropped())
			f.expect(t, "dropped_ratio", test.abandons, .06/math.Sqrt(length))
		})
	}
}

func TestClosedOracle(t *testing.T) { consultClosed(t, 1) }

// M/M/1//N: N clients that think for 10 s. They find a throughput X, and wait for
// N/X − 10 s each time.
func consultClosed(t *testing.T, length float64) {
	for _, test := range []struct {
		clients    int
		throughput float64
	}{
		{5, .436048},
		{11, .836768},
		{20, .998131},
	} {
		t.Run(fmt.Sprint(test.clients), func(t *testing.T) {
			const hours, warmUp = 6 * time.Hour, time.Hour / 2
			f := simulate(t, Scenario{
				Load:         Load{Closed: &Closed{Think: Exponential(10 * time.Second), WarmUp: WarmUp{Fixed: warmUp}}},
				Server:       Server{Capacity: &Capacity{Workers: 1, Queue: Unlimited, Service: markov()}},
				Policies:     []strategies.Policy{once()},
				Clients:      []int{test.clients},
				Replications: 20,
				Stop:         warmUp + time.Duration(length*float64(hours)),
			})
			f.expect(t, MetricGoodput, test.throughput, .02/math.Sqrt(length))
			f.expect(t, MetricUtilisation, test.throughput, .02/math.Sqrt(length))
			f.expect(t, "latency_mean_seconds", float64(test.clients)/test.throughput-10, .03/math.Sqrt(length))
		})
	}
}

// Everybody who finds the server full is told the same time: a hundred rounds, of
// which each has ten served.
func TestSynchronisedRetryAfter(t *testing.T) {
	f := simulate(t, herdOf(1000, 2, mustParse(t, "full(base=500ms, cap=30s) + retry-after(honour)"), Capacity{
		Workers: 10,
		Service: Constant(100 * time.Millisecond),
		Limit:   &Limit{Requests: 10, Per: time.Second, RetryAfter: time.Second},
	}))
	f.exactly(t, MetricCalls, 50_500)
	f.exactly(t, MetricRejected, 49_500.0/50_500)
	f.exactly(t, MetricCompletion, 99.1)
	f.exactly(t, MetricPeak, 1000)
}

// When each attempt fails with probability p, whatever the load, m attempts end
// well with 1 − p^m, and are (1−p^m)/(1−p) on average. If the work was done all
// the same, every retry does it once more.
func TestAmplificationOracle(t *testing.T) {
	const clients = 2000
	for _, processed := range []bool{false, true} {
		for _, p := range []float64{.3, .5, .9} {
			for _, m := range []int{3, 4, 5} {
				t.Run(fmt.Sprintf("p=%g/m=%d/processed=%v", p, m, processed), func(t *testing.T) {
					policy := strategies.Policy{Wait: strategies.Fixed{Delay: time.Second}, Attempts: m}
					s := herdOf(clients, 20, policy, Capacity{Workers: clients, Service: Constant(time.Millisecond)})
					s.Faults = always(Fault{Kind: Error, Share: p, Status: 503, Processed: processed})
					s.Client.Creates = true
					f := simulate(t, s)
					failures := math.Pow(p, float64(m))
					amplification := (1 - failures) / (1 - p)
					f.expect(t, MetricAmplification, amplification, .02)
					f.expect(t, MetricSuccess, 1-failures, .02)
					f.expect(t, MetricGivenUp, clients*failures, .5)
					if processed {
						f.expect(t, MetricDuplicates, clients*(amplification-1), .05)
						f.exactly(t, MetricRejected, 0)
					} else {
						f.exactly(t, MetricDuplicates, 0)
						f.expect(t, MetricRejected, p, .05)
					}
				})
			}
		}
	}
}

// When each message is lost with probability q, an attempt fails with
// p = 1 − (1−q)², and only 1−q of the attempts are seen at the server.
func TestLossOracle(t *testing.T) {
	const clients, attempts, q = 5000, 4, .3
	s := herdOf(clients, 20, mustParse(t, "immediate + attempts(4) + timeout(1s)"),
		Capacity{Workers: clients, Service: Constant(time.Millisecond)})
	s.Faults = always(Fault{Kind: Loss, Share: q})
	f := simulate(t, s)
	const p = 1 - (1-q)*(1-q)
	failures := math.Pow(p, attempts)
	f.expect(t, MetricSuccess, 1-failures, .01)
	f.expect(t, MetricCalls, clients*(1-q)*(1-failures)/(1-p), .01)
}

// A server that is slowed down, or has lost workers, is one that has been so from
// the start: M/M/1 at 80 %, and Erlang B with 5 workers.
func TestTroubledServerOracle(t *testing.T) {
	tests := []struct {
		name  string
		o     oracle
		fault Fault
		want  expectation
	}{
		{
			"slow", oracle{server: Capacity{Workers: 1, Queue: Unlimited, Service: markov()}, rate: .4, policy: once(), measured: 80 * time.Hour},
			Fault{Kind: Slow, Factor: 2}, expectation{"latency_mean_seconds", 10, .04},
		},
		{
			"capacity", oracle{server: Capacity{Workers: 10, Service: markov()}, rate: 4, policy: once(), measured: time.Hour},
			Fault{Kind: Reduced, Factor: .5}, expectation{MetricRejected, .199067, .03},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := test.o.scenario(1)
			s.Faults = always(test.fault)
			simulate(t, s).expect(t, test.want.figure, test.want.value, test.want.tolerance)
		})
	}
}

// A rate that swings brings as many as its integral says: an hour's wave of
// amplitude a brings 1 + 2a/π of the mean in its first half.
func TestSineOracle(t *testing.T) {
	const rate, amplitude = 2, .5
	s := oracle{server: Capacity{Workers: 1000, Service: markov()}, rate: rate, policy: once()}.scenario(1)
	s.Load.Stream.Sine = &Sine{Period: time.Hour, Amplitude: amplitude}
	s.Stop = time.Hour
	half := func(name string, from, to int) probe {
		return ticked(name, func(ticks []tick) float64 {
			n := 0
			for _, one := range ticks[from:to] {
				n += one.starts
			}
			return float64(n)
		})
	}
	f := simulate(t, s, half("first", 0, 1800), half("second", 1800, 3599))
	f.expect(t, "first", rate*1800*(1+2*amplitude/math.Pi), .02)
	f.expect(t, "second", rate*1799*(1-2*amplitude/math.Pi), .02)
}

// Even spacing leaves nothing to chance: D/D/1 never waits, and a profile brings
// its factor of starts to the second.
func TestEvenStream(t *testing.T) {
	s := oracle{server: Capacity{Workers: 1, Queue: Unlimited, Service: Constant(99 * time.Millisecond)}, rate: 10, policy: once()}.scenario(1)
	s.Load.Stream.Even = true
	s.Load.Stream.Profile = []RatePoint{{At: 10 * time.Second, Factor: .5}, {At: 20 * time.Second}, {At: 30 * time.Second, Factor: 1}}
	s.Stop = 40 * time.Second
	f := simulate(t, s, completions())
	f.exactly(t, "latency_mean_seconds", .099)
	f.within(t, "completions", 100+50+100, .01)
}
