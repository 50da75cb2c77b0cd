package sim

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Closed forms of queueing theory that the engine must meet. The network has no
// length here, and a service takes a second on average, so that figures are
// those of the textbooks.

// oracle is an open stream at a server, and what theory expects of it.
type oracle struct {
	name     string
	server   Capacity
	rate     float64 // operations per second
	policy   strategies.Policy
	measured time.Duration // what a quick test simulates after the warm-up
	want     []expectation
}

// expectation is a figure's value, and how close a quick test comes to it: the
// measured time was chosen to make this four standard errors or more.
type expectation struct {
	figure           string
	value, tolerance float64
}

func TestOracles(t *testing.T) { consult(t, oracles(), 1) }

// consult simulates so many times as long as a quick test, and asks for that
// much smaller errors.
func consult(t *testing.T, oracles []oracle, length float64) {
	for _, o := range oracles {
		t.Run(o.name, func(t *testing.T) {
			f := simulate(t, o.scenario(length), allBusy(o.server.Workers))
			f["in_system_mean"] = inSystem(f, o.server.Workers)
			for _, w := range o.want {
				f.expect(t, w.figure, w.value, w.tolerance/math.Sqrt(length))
			}
		})
	}
}

func (o oracle) scenario(length float64) Scenario {
	warmUp := o.measured / 10
	return Scenario{
		Load:         Load{Stream: &Stream{Rate: o.rate, WarmUp: WarmUp{Fixed: warmUp}}},
		Server:       Server{Capacity: &o.server},
		Policies:     []strategies.Policy{o.policy},
		Clients:      []int{1},
		Replications: 20,
		Stop:         warmUp + time.Duration(length*float64(o.measured)),
	}
}

// inSystem is the mean number of requests that wait or are served.
func inSystem(f figures, workers int) []float64 {
	var means []float64
	for i, queued := range f["queue_mean"] {
		means = append(means, queued+float64(workers)*f[MetricUtilisation][i])
	}
	return means
}

func oracles() []oracle {
	return slices.Concat(singleServers(), lossServers(), boundedQueues(), []oracle{
		erlangC(10, 8, .409180, .204590, .05, 6*time.Hour),
		orbit("M/M/1", 1, markov(), .8, .1, 35.2, 0, .05, 10*time.Hour),
		orbit("M/M/1", 1, markov(), .8, 1, 6.4, 0, .05, 10*time.Hour),
		orbit("M/D/1", 1, Constant(time.Second), .8, 1, 4.8, 0, .05, 5*time.Hour),
		orbit("M/M/2", 2, markov(), 1.6, 1, 6.04703, .675297, .05, 6*time.Hour),
		orbit("M/M/5", 5, markov(), 4, 1, 5.26139, .455345, .05, 3*time.Hour),
		orbit("M/M/10", 10, markov(), 8, 1, 4.35379, .279240, .05, 2*time.Hour),
		orbit("M/M/10", 10, markov(), 8, .1, 26.68953, .242420, .05, 2*time.Hour),
	})
}

// once is no retry at all.
func once() strategies.Policy {
	return strategies.Policy{Wait: strategies.Immediate{}, Attempts: 1}
}

// markov is the service that forgets how long it has lasted.
func markov() Distribution { return Exponential(time.Second) }

// M/M/1: L = ρ/(1−ρ), and the sojourn is exponential with the rate μ − λ.
// M/G/1: Wq = λE[S²]/(2(1−ρ)) (Pollaczek and Khinchine).
func singleServers() []oracle {
	single := func(name string, service Distribution, rate float64, measured time.Duration, want ...expectation) oracle {
		server := Capacity{Workers: 1, Queue: Unlimited, Service: service}
		return oracle{fmt.Sprintf("%s rho=%g", name, rate), server, rate, once(), measured, want}
	}
	return []oracle{
		single("M/M/1", markov(), .8, 60*time.Hour,
			expectation{"in_system_mean", 4, .03},
			expectation{"latency_mean_seconds", 5, .03},
			expectation{"queue_wait_seconds", 4, .03},
			expectation{MetricLatencyP50, 5 * math.Ln2, .03},
			expectation{MetricLatencyP99, 23.0259, .05},
			expectation{MetricUtilisation, .8, .01},
			expectation{MetricGoodput, .8, .01}),
		single("M/M/1", markov(), .95, 100*time.Hour,
			expectation{"in_system_mean", 19, .06},
			expectation{"latency_mean_seconds", 20, .06},
			expectation{"queue_wait_seconds", 19, .06},
			expectation{MetricLatencyP99, 20 * math.Log(100), .09}),
		single("M/D/1", Constant(time.Second), .8, 12*time.Hour, expectation{"queue_wait_seconds", 2, .03}),
		single("M/E2/1", Erlang(time.Second, 2), .8, 32*time.Hour, expectation{"queue_wait_seconds", 3, .03}),
		single("M/H2/1 cv2=4", Hyperexponential(time.Second, 4), .8, 50*time.Hour, expectation{"queue_wait_seconds", 10, .06}),
	}
}

// Erlang B: the share that finds no worker, B_k = aB_{k−1}/(k + aB_{k−1}).
func lossServers() []oracle {
	var list []oracle
	for _, s := range []struct {
		workers       int
		rate, blocked float64
		measured      time.Duration
	}{
		{10, 8, .121661, time.Hour},
		{10, 10, .214582, time.Hour},
		{10, 20, .537963, 15 * time.Minute},
		{100, 100, .075700, 20 * time.Minute},
		{100, 150, .345373, 4 * time.Minute},
	} {
		list = append(list, oracle{
			name:     fmt.Sprintf("Erlang B c=%d a=%g", s.workers, s.rate),
			server:   Capacity{Workers: s.workers, Service: markov()},
			rate:     s.rate,
			policy:   once(),
			measured: s.measured,
			want: []expectation{
				{MetricRejected, s.blocked, .03},
				{"all_busy_ratio", s.blocked, .03},
				{MetricUtilisation, s.rate * (1 - s.blocked) / float64(s.workers), .01},
			},
		})
	}
	return list
}

// erlangC: the share that has to wait is C = B/(1−ρ(1−B)), and Wq = C/(cμ−λ).
func erlangC(workers int, rate, waits, wq, tolerance float64, measured time.Duration) oracle {
	return oracle{
		name:     fmt.Sprintf("Erlang C c=%d a=%g", workers, rate),
		server:   Capacity{Workers: workers, Queue: Unlimited, Service: markov()},
		rate:     rate,
		policy:   once(),
		measured: measured,
		want: []expectation{
			{"all_busy_ratio", waits, tolerance},
			{"queue_wait_seconds", wq, tolerance},
		},
	}
}

// M/M/1/K: P_K = (1−ρ)ρ^K/(1−ρ^(K+1)), with K = 10 in the system; M/M/c/K with
// 10 workers and K = 20. The wait is that of the admitted.
func boundedQueues() []oracle {
	bounded := func(workers, queue int, rate float64, measured time.Duration, want ...expectation) oracle {
		name := fmt.Sprintf("M/M/%d/%d a=%g", workers, workers+queue, rate)
		return oracle{name, Capacity{Workers: workers, Queue: Places(queue), Service: markov()}, rate, once(), measured, want}
	}
	return []oracle{
		bounded(1, 9, .8, 30*time.Hour, expectation{MetricRejected, .023493, .05}, expectation{"in_system_mean", 2.966314, .02}),
		bounded(1, 9, 1, 6*time.Hour, expectation{MetricRejected, 1.0 / 11, .05}),
		bounded(1, 9, 1.2, 5*time.Hour, expectation{MetricRejected, .192586, .03}),
		bounded(1, 9, 2, time.Hour, expectation{MetricRejected, .500244, .02}),
		bounded(10, 10, 8, 8*time.Hour, expectation{MetricRejected, .009107, .06}, expectation{"queue_wait_seconds", .145060, .03}),
		bounded(10, 10, 12, time.Hour, expectation{MetricRejected, .179666, .03}, expectation{"queue_wait_seconds", .635969, .02}),
	}
}

// exponentialWait is the wait of the retrial queues: whoever is refused tries
// again at the rate theta.
type exponentialWait struct {
	theta float64 // per second
}

func (w exponentialWait) Next(s strategies.State, t strategies.Try) (time.Duration, strategies.State) {
	return time.Duration(-math.Log(1-t.U) / w.theta * 1e9), s
}

// orbit is a server without a queue whose clients never give up: in its orbit
// are those who wait for their next try, mean of them on average. All workers
// are busy for a share of the time, left out if 0.
//
// M/M/1: mean = ρ(λ+ρθ)/((1−ρ)θ); M/G/1: λ²E[S²]/(2(1−ρ)) + λρ/(θ(1−ρ)), both
// busy ρ; M/M/c was solved numerically. An operation takes 1 + θ·mean/λ attempts.
//
// Source: G. Falin, J. Templeton, "Retrial Queues", Chapman & Hall (1997).
func orbit(name string, workers int, service Distribution, rate, theta, mean, busy, tolerance float64,
	measured time.Duration) oracle {
	if busy == 0 {
		busy = rate // of a single worker
	}
	return oracle{
		name:     fmt.Sprintf("retrial %s lambda=%g theta=%g", name, rate, theta),
		server:   Capacity{Workers: workers, Service: service},
		rate:     rate,
		policy:   strategies.Policy{Wait: exponentialWait{theta}},
		measured: measured,
		want: []expectation{
			{"waiting_mean", mean, tolerance},
			{MetricAmplification, 1 + theta*mean/rate, tolerance},
			{"all_busy_ratio", busy, tolerance},
		},
	}
}

// When retries come so late that they find the server as a stranger would, those
// of K attempts and the first ones offer it Λ = a(1−B^K)/(1−B) together, with
// B = ErlangB(c, Λ). That is a limit: a server that overflows forgets in much
// less than the five services that this wait lasts at least, but those who wait
// are finitely many. So standard errors are not asked.
func TestSlowRetriesOracle(t *testing.T) {
	policy := mustParse(t, "equal(base=10s, cap=10s) + attempts(4)")
	for _, test := range []struct{ rate, amplification, loss float64 }{
		{110, 2.0476, .09797},
		{150, 2.7809, .3354},
	} {
		t.Run(fmt.Sprint(test.rate), func(t *testing.T) {
			f := simulate(t, Scenario{
				// The server tips over slowly: its retries come from its retries.
				Load:         Load{Stream: &Stream{Rate: test.rate, WarmUp: WarmUp{Fixed: 10 * time.Minute}}},
				Server:       Server{Capacity: &Capacity{Workers: 100, Service: Exponential(time.Second)}},
				Policies:     []strategies.Policy{policy},
				Clients:      []int{1},
				Replications: 4,
				Stop:         30 * time.Minute,
			})
			f.within(t, MetricAmplification, test.amplification, .01)
			f.within(t, MetricGoodput, test.rate*(1-test.loss), .005)
		})
	}
}

// herdOf is a herd at a server without a network between.
func herdOf(clients, replications int, policy strategies.Policy, server Capacity) Scenario {
	return Scenario{
		Load:         Load{Herd: &Herd{}},
		Server:       Server{Capacity: &server},
		Policies:     []strategies.Policy{policy},
		Clients:      []int{clients},
		Replications: replications,
		Stop:         24 * time.Hour,
	}
}

func TestBatchOracle(t *testing.T) { consultBatch(t, 400, .01) }

// A batch of N at c exponential servers: the last leaves after
// (N−c)/(cμ) + H_c/μ; on average they leave after 50.0545.
func consultBatch(t *testing.T, replications int, tolerance float64) {
	s := herdOf(1000, replications, once(), Capacity{Workers: 10, Queue: Unlimited, Service: Exponential(time.Second)})
	f := simulate(t, s)
	f.exactly(t, MetricCalls, 1000)
	f.expect(t, MetricCompletion, 101.928968, tolerance)
	f.expect(t, "latency_mean_seconds", 50.0545, tolerance)
}

func TestMaximumOracle(t *testing.T) { consultMaximum(t, 3000, .06) }

// With room for all, the last of N leaves after the maximum of N services:
// WN/(N+1) for those uniform up to W, the harmonic number of N for exponential.
func consultMaximum(t *testing.T, replications int, tolerance float64) {
	for _, clients := range []int{2, 10, 500} {
		n := float64(clients)
		harmonic := 0.0
		for k := 1.0; k <= n; k++ {
			harmonic += 1 / k
		}
		tests := []struct {
			service Distribution
			want    float64
		}{
			{Uniform(0, 5*time.Second), 5 * n / (n + 1)},
			{Exponential(time.Second), harmonic},
		}
		for _, test := range tests {
			t.Run(fmt.Sprintf("%s/%d", test.service, clients), func(t *testing.T) {
				f := simulate(t, herdOf(clients, replications, once(), Capacity{Workers: clients, Service: test.service}))
				f.exactly(t, MetricRejected, 0)
				f.expect(t, MetricCompletion, test.want, tolerance)
			})
		}
	}
}

// A herd without jitter and without chance: each wave has as many served as the
// workers and the queue hold.
func TestDeterministicHerd(t *testing.T) {
	const clients, workers = 1000, 10
	tests := []struct {
		policy     string
		queue      int
		completion float64
	}{
		// A hundred waves: ceilings of 0.1, 0.2, … 6.4 s, 92 times ten seconds, and
		// the last service.
		{"exponential(base=100ms, cap=10s)", 0, 932.8},
		{"fixed(1s)", 0, 99.1},
		// Fifty waves. Each comes in the instant in which the one before it leaves,
		// and was scheduled before that: at equal times departures precede arrivals.
		{"fixed(200ms)", 10, 10},
	}
	for _, test := range tests {
		t.Run(test.policy, func(t *testing.T) {
			server := Capacity{Workers: workers, Queue: Places(test.queue), Service: Constant(100 * time.Millisecond)}
			f := simulate(t, herdOf(clients, 2, mustParse(t, test.policy), server))
			waves := clients / (workers + test.queue)
			calls := float64(clients * (waves + 1) / 2)
			f.exactly(t, MetricCompletion, test.completion)
			f.exactly(t, MetricCalls, calls)
			f.exactly(t, MetricRejected, (calls-clients)/calls)
			f.exactly(t, MetricPeak, clients)
		})
	}
}

// After its first wait W a herd arrives at the rate N/W with full jitter, and at
// 2N/W with equal jitter, in half of the time.
func TestRateAfterTheFirstWait(t *testing.T) {
	const clients = 100_000
	const perWindow = clients / 100 // if spread evenly over ten seconds
	tests := []struct {
		policy      string
		quiet, busy int // windows of 100 ms without retries, and with
		rate        float64
	}{
		{"full(base=10s, cap=10s) + attempts(2)", 0, 100, perWindow},
		{"equal(base=10s, cap=10s) + attempts(2)", 50, 50, 2 * perWindow},
	}
	for _, test := range tests {
		t.Run(test.policy, func(t *testing.T) {
			// All but one are refused, the first time and the second.
			server := Capacity{Workers: 1, Service: Constant(time.Hour)}
			calls := firstSeries(t, herdOf(clients, 1, mustParse(t, test.policy), server))
			calls[0] -= clients
			if len(calls) != test.quiet+test.busy {
				t.Fatalf("retries in %d windows, want %d", len(calls), test.quiet+test.busy)
			}
			for i, n := range calls[:test.quiet] {
				if n != 0 {
					t.Errorf("%d retries in window %d, want none", n, i)
				}
			}
			for i, n := range calls[test.quiet:] {
				if z := (float64(n) - test.rate) / math.Sqrt(test.rate); !(math.Abs(z) < unlucky) {
					t.Errorf("%d retries in window %d, want %g (z = %.1f)", n, test.quiet+i, test.rate, z)
				}
			}
		})
	}
}

// firstSeries runs a scenario of one cell and returns the calls over time of its
// first replication.
func firstSeries(t *testing.T, s Scenario) []int {
	t.Helper()
	s.Seed = referenceSeed
	r, err := Run(t.Context(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Cells[0].CallsOverTime.Calls
}
