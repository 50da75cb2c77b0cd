package sim

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// run returns the result of a scenario, and its JSON, in which NaN has no place.
func run(t *testing.T, s Scenario, o Options) (*Result, string) {
	t.Helper()
	r, err := Run(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return r, string(text)
}

// varied returns scenarios with every kind of load and server.
func varied(t *testing.T) map[string]Scenario {
	contention := valid(t)
	contention.Server = Server{Contention: &Contention{}}
	stream := valid(t)
	stream.Load = Load{Stream: &Stream{Rate: 10, WarmUp: WarmUp{MSER5: true}}}
	stream.Stop = 5 * time.Second
	return map[string]Scenario{"capacity": valid(t), "contention": contention, "stream": stream}
}

func TestResultDoesNotDependOnWorkers(t *testing.T) {
	for name, s := range varied(t) {
		_, want := run(t, s, Options{Workers: 1})
		for _, workers := range []int{0, 2, 7} {
			if _, got := run(t, s, Options{Workers: workers}); got != want {
				t.Errorf("%s: %d workers give another result than 1", name, workers)
			}
		}
	}
}

func TestAnotherSeedGivesOtherFigures(t *testing.T) {
	for name, s := range varied(t) {
		one, _ := run(t, s, Options{})
		s.Seed++
		two, _ := run(t, s, Options{})
		for i, c := range one.Cells {
			if a, b := c.Metrics["latency_mean_seconds"].Mean, two.Cells[i].Metrics["latency_mean_seconds"].Mean; a == b {
				t.Errorf("%s, %s: both seeds give a latency of %v s", name, c.Policy, a)
			}
		}
	}
}

func TestReplicationsDiffer(t *testing.T) {
	for name, s := range varied(t) {
		r, _ := run(t, s, Options{})
		for _, c := range r.Cells {
			if m := c.Metrics["latency_mean_seconds"]; !(*m.SD > 0) {
				t.Errorf("%s, %s: the latency is %v s in each replication", name, c.Policy, m.Mean)
			}
		}
	}
}

// cells returns the JSON of each cell by its policy and clients.
func cells(t *testing.T, r *Result) map[string]string {
	t.Helper()
	byName := map[string]string{}
	for _, c := range r.Cells {
		text, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		byName[fmt.Sprintf("%s with %d clients", c.Policy, c.Clients)] = string(text)
	}
	return byName
}

func TestOneMorePolicyOrCountChangesNoOtherCell(t *testing.T) {
	for name, s := range varied(t) {
		few, _ := run(t, s, Options{})
		s.Policies = slices.Insert(s.Policies, 1, mustParse(t, "equal(base=50ms, cap=1s)"))
		s.Clients = slices.Insert(s.Clients, 0, 7)
		many, _ := run(t, s, Options{})
		if len(few.Cells) != 4 || len(many.Cells) != 9 {
			t.Errorf("%s: %d and %d cells, want 4 and 9", name, len(few.Cells), len(many.Cells))
		}
		got := cells(t, many)
		for cell, want := range cells(t, few) {
			if got[cell] != want {
				t.Errorf("%s: %s was\n%s\nand becomes\n%s", name, cell, want, got[cell])
			}
		}
	}
}

// With a worker for each, nobody is in anybody's way, and one more client has
// no part in the luck of the others.
func TestOneMoreClientChangesNobodysLuck(t *testing.T) {
	s := valid(t)
	s.Server.Capacity.Workers = 1000
	latencies := func(clients int) []time.Duration {
		s.Clients = []int{clients}
		e := prepared(s)
		if err := e.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(slices.Values(e.tally.latencies))
	}
	few, more := latencies(100), latencies(101)
	for i, d := range more {
		if i == len(few) || d != few[i] {
			more = slices.Delete(more, i, i+1)
			break
		}
	}
	if !slices.Equal(few, more) {
		t.Error("the latencies of 100 clients are not among those of 101")
	}
}

func TestResultSaysWhatItIs(t *testing.T) {
	s := valid(t)
	r, text := run(t, s, Options{})
	if r.Schema != "stagger.result/v1" || r.Version != Version || r.Seed != s.Seed || r.Scenario.Name != s.Name {
		t.Errorf("got %q, %q, seed %d, scenario %q", r.Schema, r.Version, r.Seed, r.Scenario.Name)
	}
	var order []string
	for _, c := range r.Cells {
		order = append(order, fmt.Sprint(c.Clients, " ", c.Policy))
		if c.Replications != 5 || c.CallsOverTime.WindowSeconds != 0.1 || len(c.CallsOverTime.Calls) == 0 {
			t.Errorf("%d replications, series %+v", c.Replications, c.CallsOverTime)
		}
	}
	want := []string{"10 fixed(50ms)", "10 full(base=50ms, cap=1s)", "20 fixed(50ms)", "20 full(base=50ms, cap=1s)"}
	if !slices.Equal(order, want) {
		t.Errorf("cells %q, want %q", order, want)
	}
	var back Result
	if err := json.Unmarshal([]byte(text), &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(back); err != nil || string(again) != text {
		t.Errorf("the result does not come back from its JSON: %v", err)
	}
}

func TestMetricsThatApply(t *testing.T) {
	always := []string{"amplification", "calls", "given_up", "herd_score", "latency_mean_seconds", "latency_p50_seconds",
		"latency_p99_seconds", "peak_calls", "peak_retries", "rejected_ratio", "success_ratio"}
	capacity := []string{"queue_mean", "queue_wait_seconds", "utilisation"}
	want := map[string][]string{
		"capacity":   slices.Concat(always, capacity, []string{"completion_seconds"}),
		"contention": slices.Concat(always, []string{"completion_seconds"}),
		"stream":     slices.Concat(always, capacity, []string{"goodput_per_second", "waiting_mean"}),
	}
	for name, s := range varied(t) {
		r, _ := run(t, s, Options{})
		slices.Sort(want[name])
		for _, c := range r.Cells {
			var got []string
			for metric, value := range c.Metrics {
				got = append(got, metric)
				if value == nil {
					t.Errorf("%s, %s: %s is null", name, c.Policy, metric)
				}
			}
			slices.Sort(got)
			if !slices.Equal(got, want[name]) {
				t.Errorf("%s has the metrics %q, want %q", name, got, want[name])
			}
		}
	}
}

func TestSingleReplicationHasNoIntervals(t *testing.T) {
	s := valid(t)
	s.Replications = 1
	r, text := run(t, s, Options{})
	want := []string{"1 replication: there are no intervals, and no difference between policies can be told from luck"}
	if !slices.Equal(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	for _, c := range r.Cells {
		for name, m := range c.Metrics {
			if m.SD != nil || m.CI95 != nil {
				t.Errorf("%s has sd %v and ci95 %v", name, m.SD, m.CI95)
			}
		}
	}
	if len(r.Comparisons) == 0 {
		t.Error("there are no comparisons")
	}
	for _, c := range r.Comparisons {
		if c.P != nil || c.CI95 != nil || c.ToldApart {
			t.Errorf("%+v tells what one replication cannot", c)
		}
	}
	if !strings.Contains(text, `"sd":null,"ci95":null`) || !strings.Contains(text, `"p":null`) {
		t.Error("what cannot be computed is not null")
	}
}

func TestStopTooEarlyForCompletion(t *testing.T) {
	s := valid(t)
	s.Policies, s.Clients = s.Policies[:1], []int{100}
	s.Stop = 60 * ms
	r, _ := run(t, s, Options{})
	c := r.Cells[0]
	if m, ok := c.Metrics[MetricCompletion]; m != nil || !ok {
		t.Errorf("completion is %+v, want null", m)
	}
	if m := c.Metrics[MetricCalls]; m == nil || m.Mean < 100 {
		t.Errorf("calls are %+v, want a number", m)
	}
	want := "100 clients, completion_seconds: none, since operations had not ended at the stop: fixed(50ms)"
	if !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}

func TestStopBeforeAnythingHappens(t *testing.T) {
	for name, s := range varied(t) {
		s.Network.Leg = Constant(time.Second)
		s.Policies, s.Clients = s.Policies[:1], s.Clients[:1]
		s.Stop = 20 * ms
		r, text := run(t, s, Options{})
		nulls := 0
		for metric, m := range r.Cells[0].Metrics {
			told := func(w string) bool { return strings.Contains(w, " "+metric+": none, since ") }
			if (m == nil) != slices.ContainsFunc(r.Warnings, told) {
				t.Errorf("%s: %s is %+v, the warnings are %q", name, metric, m, r.Warnings)
			}
			if m == nil {
				nulls++
			}
		}
		if nulls == 0 {
			t.Errorf("%s: everything is measured before anything happens", name)
		}
		if !strings.Contains(text, `"calls_over_time":{"window_seconds":0.1,"calls":[]}`) {
			t.Errorf("%s: no call is no empty series in %s", name, text)
		}
	}
}

// When more than 1 % gave up, nobody knows how long the slowest 1 % take.
func TestQuantileAmongThoseWhoGaveUp(t *testing.T) {
	s := valid(t)
	s.Policies = []strategies.Policy{mustParse(t, "fixed(1ms) + attempts(1)")}
	s.Clients = []int{10}
	s.Server.Capacity = &Capacity{Workers: 8, Service: Constant(time.Second)} // 2 of 10 are refused
	r, _ := run(t, s, Options{})
	c := r.Cells[0]
	if c.Metrics[MetricSuccess].Mean != 0.8 {
		t.Fatalf("success is %v, want 0.8", c.Metrics[MetricSuccess].Mean)
	}
	for name, none := range map[string]bool{MetricLatencyP50: false, "latency_mean_seconds": true, MetricLatencyP99: true} {
		if m, ok := c.Metrics[name]; !ok || (m == nil) != none {
			t.Errorf("%s is %+v; null: want %v", name, m, none)
		}
	}
	want := []string{
		"10 clients, latency_mean_seconds: none, since no operation ended, or some gave up or were still under way, and nobody knows how long they would take: " +
			"fixed(1ms) + attempts(1)",
		"10 clients, latency_p99_seconds: none, since no operation ended, or so many gave up or were still under way that this share of them did not succeed: " +
			"fixed(1ms) + attempts(1)",
	}
	if !slices.Equal(r.Warnings, want) {
		t.Errorf("warnings %q\nwant %q", r.Warnings, want)
	}
}

func TestUnsteadyStreamIsAWarning(t *testing.T) {
	s := valid(t)
	s.Load = Load{Stream: &Stream{Rate: 100, WarmUp: WarmUp{MSER5: true}}}
	s.Server.Capacity = &Capacity{Workers: 1, Service: Constant(20 * ms), Queue: Unlimited} // half of what is needed
	s.Policies, s.Clients, s.Stop = s.Policies[:1], []int{1}, 10*time.Second
	r, _ := run(t, s, Options{})
	want := "1 clients, fixed(50ms): not stationary: MSER-5 found no warm-up in the first half; a longer stop may help"
	if !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}

func TestProgressCountsEachReplicationOnce(t *testing.T) {
	s := valid(t)
	var lock sync.Mutex
	var told []int
	run(t, s, Options{Workers: 3, Progress: func(done, all int) {
		lock.Lock()
		defer lock.Unlock()
		told = append(told, done)
		if all != 20 {
			t.Errorf("%d in all, want 2 · 2 · 5", all)
		}
	}})
	slices.Sort(told)
	if len(told) != 20 || told[0] != 1 || told[19] != 20 || len(slices.Compact(told)) != 20 {
		t.Errorf("told %v, want 1 to 20", told)
	}
}

func TestCancelledRunReturnsTheCause(t *testing.T) {
	cause := errors.New("enough")
	for _, workers := range []int{1, 4} {
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := Run(ctx, valid(t), Options{Workers: workers, Progress: func(done, _ int) {
			if done == 2 {
				cancel(cause)
			}
		}})
		if r != nil || !errors.Is(err, cause) {
			t.Errorf("%d workers: got %v, %v; want the cause", workers, r, err)
		}
	}
}

func TestRunLeavesTheScenarioAlone(t *testing.T) {
	for name, s := range varied(t) {
		before, _ := json.Marshal(s)
		run(t, s, Options{})
		if after, _ := json.Marshal(s); string(after) != string(before) {
			t.Errorf("%s was %s\nand is now %s", name, before, after)
		}
	}
}

// Whoever gives up early is done first, with fewest calls; that is no contest.
func TestPoliciesOfLessSuccessAreNotCompared(t *testing.T) {
	s := valid(t)
	s.Policies = []strategies.Policy{mustParse(t, "fixed(50ms)"), mustParse(t, "full(base=50ms, cap=1s)"),
		mustParse(t, "fixed(50ms) + attempts(1)")}
	s.Clients, s.Replications = []int{100}, 5
	r, _ := run(t, s, Options{})
	for _, c := range r.Comparisons {
		if strings.Contains(c.Best+c.Policy, "attempts(1)") {
			t.Errorf("%+v", c)
		}
	}
	want := "100 clients: not compared with the others, since fewer of their operations succeeded: fixed(50ms) + attempts(1)"
	if !slices.Contains(r.Warnings, want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
}

// An operation that still waits at the stop, for longer than others took, did
// not succeed.
func TestOperationsStillUnderWayCountAgainstAPolicy(t *testing.T) {
	s := valid(t)
	s.Policies = []strategies.Policy{mustParse(t, "fixed(25h)")}
	s.Clients = []int{100}
	r, _ := run(t, s, Options{})
	if m := r.Cells[0].Metrics[MetricLatencyP99]; m != nil {
		t.Errorf("p99 is %+v, want null", m)
	}
}
