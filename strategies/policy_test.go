package strategies_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// step is one question to a policy: whether an attempt may go out (ask), or
// what follows one that ended with a status.
type step struct {
	at     time.Duration
	status int
	u      float64
	want   string
}

const ask = 0

// words puts a verdict into one line.
func words(v strategies.Verdict) string {
	switch v.Action {
	case strategies.Done:
		return "done: " + v.Why.String()
	case strategies.GiveUp:
		return "give up: " + v.Why.String()
	case strategies.Send:
		return "send: " + v.Why.String()
	case strategies.Wait:
		return fmt.Sprintf("wait %v: %v", v.Wait, v.Why)
	}
	return fmt.Sprintf("unknown action %d", v.Action)
}

func mustParse(t *testing.T, text string) strategies.Policy {
	t.Helper()
	policy, err := strategies.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return policy
}

// follow runs the life of one operation that begins with the first step.
func follow(t *testing.T, policy strategies.Policy, steps []step) {
	t.Helper()
	op := strategies.Operation{Start: steps[0].at}
	for i, s := range steps {
		var got strategies.Verdict
		if s.status == ask {
			got = policy.Before(&op, s.at)
		} else {
			got = policy.After(&op, strategies.Outcome{Status: s.status}, s.at, s.u)
		}
		if words(got) != s.want {
			t.Fatalf("step %d, at %v: got %q, want %q", i, s.at, words(got), s.want)
		}
	}
}

func TestOperations(t *testing.T) {
	const ms = time.Millisecond
	tests := []struct {
		name, policy string
		steps        []step
	}{
		{"success ends", "fixed(1s) + attempts(3)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{50 * ms, 503, 0, "wait 1s: transient failure"},
			{1050 * ms, ask, 0, "send: allowed"},
			{1100 * ms, 200, 0, "done: succeeded"},
		}},
		{"attempts counts the first", "fixed(1s) + attempts(2)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{50 * ms, 503, 0, "wait 1s: transient failure"},
			{1050 * ms, ask, 0, "send: allowed"},
			{1100 * ms, 503, 0, "give up: no attempt left"},
		}},
		{"one attempt is no retry", "fixed(1s) + attempts(1)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{50 * ms, 503, 0, "give up: no attempt left"},
		}},
		{"no limit, no end", "immediate", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{0 * ms, 503, 0, "wait 0s: transient failure"},
			{0 * ms, ask, 0, "send: allowed"},
			{0 * ms, 503, 0, "wait 0s: transient failure"},
			{0 * ms, ask, 0, "send: allowed"},
			{0 * ms, 503, 0, "wait 0s: transient failure"},
		}},
		{"waits grow and the draw scales them", "full(base=1s, cap=3s)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{0 * ms, 503, 0.5, "wait 500ms: transient failure"},
			{500 * ms, ask, 0, "send: allowed"},
			{500 * ms, 503, 0.25, "wait 500ms: transient failure"},
			{1000 * ms, ask, 0, "send: allowed"},
			{1000 * ms, 503, 0.5, "wait 1.5s: transient failure"},
		}},
		{"a decorrelated wait remembers the one before", "decorrelated(base=1s, cap=1m)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{0 * ms, 503, 0.5, "wait 2s: transient failure"},
			{2000 * ms, ask, 0, "send: allowed"},
			{2000 * ms, 503, 0.5, "wait 3.5s: transient failure"},
		}},
		{"a wait that ends before the deadline fits", "fixed(1s) + deadline(2s)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{999 * ms, 503, 0, "wait 1s: transient failure"},
			{1999 * ms, ask, 0, "send: allowed"},
			{1999 * ms, 503, 0, "give up: deadline"},
		}},
		{"a wait that ends at the deadline does not", "fixed(1s) + deadline(2s)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{1000 * ms, 503, 0, "give up: deadline"},
		}},
		{"the deadline counts from the start", "fixed(1s) + deadline(2s)", []step{
			{5000 * ms, ask, 0, "send: allowed"},
			{5500 * ms, 503, 0, "wait 1s: transient failure"},
			{6500 * ms, ask, 0, "send: allowed"},
			{6999 * ms, 503, 0, "give up: deadline"},
		}},
		{"an attempt that comes late stays at home", "fixed(1s) + deadline(2s)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{500 * ms, 503, 0, "wait 1s: transient failure"},
			{2000 * ms, ask, 0, "give up: deadline"},
		}},
		{"success after the deadline is success", "fixed(1s) + deadline(2s)", []step{
			{0 * ms, ask, 0, "send: allowed"},
			{9000 * ms, 200, 0, "done: succeeded"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { follow(t, mustParse(t, test.policy), test.steps) })
	}
}

// The first attempt asks nothing of the deadline: an operation that waited in a
// queue before its start still gets its one chance.
func TestFirstAttemptAlwaysGoesOut(t *testing.T) {
	policy := mustParse(t, "fixed(1s) + deadline(2s)")
	op := strategies.Operation{Start: 0}
	if got := words(policy.Before(&op, time.Hour)); got != "send: allowed" {
		t.Errorf("got %q", got)
	}
}

func TestStatuses(t *testing.T) {
	tests := []struct {
		statuses []int
		want     string
	}{
		{[]int{200, 201, 202, 204, 299}, "done: succeeded"},
		{[]int{429, 502, 503, 504}, "wait 1s: transient failure"},
		{[]int{400, 401, 403, 404, 409, 410, 422, 500, 501, 505}, "give up: permanent failure"},
		{[]int{100, 199, 300, 301, 304}, "give up: permanent failure"},
	}
	for _, test := range tests {
		for _, status := range test.statuses {
			follow(t, mustParse(t, "fixed(1s)"), []step{
				{0, ask, 0, "send: allowed"},
				{0, status, 0, test.want},
			})
		}
	}
}

// Each policy has more reasons to stop than the one before; the first in the
// order of decisions is the one that is counted.
func TestFirstReasonWins(t *testing.T) {
	tests := []struct {
		policy string
		status int
		want   string
	}{
		{"fixed(10s) + attempts(1) + deadline(5s)", 200, "done: succeeded"},
		{"fixed(10s) + attempts(1) + deadline(5s)", 404, "give up: permanent failure"},
		{"fixed(10s) + attempts(1) + deadline(5s)", 503, "give up: no attempt left"},
		{"fixed(10s) + attempts(2) + deadline(5s)", 503, "give up: deadline"},
		{"fixed(10s) + attempts(2) + deadline(15s)", 503, "wait 10s: transient failure"},
	}
	for _, test := range tests {
		follow(t, mustParse(t, test.policy), []step{
			{0, ask, 0, "send: allowed"},
			{time.Second, test.status, 0, test.want},
		})
	}
}

func TestOnlyARetryAdvancesTheBackoff(t *testing.T) {
	policy := mustParse(t, "exponential(base=1s, cap=1m) + attempts(9) + deadline(5s)")
	tests := []struct {
		at     time.Duration
		status int
		want   strategies.State
	}{
		{0, 200, strategies.State{}},
		{0, 404, strategies.State{}},
		{4 * time.Second, 503, strategies.State{}}, // too late for a wait of 1 s
		{0, 503, strategies.State{N: 1, Prev: time.Second}},
	}
	for _, test := range tests {
		op := strategies.Operation{Attempts: 1}
		policy.After(&op, strategies.Outcome{Status: test.status}, test.at, 0.5)
		if op.Backoff != test.want {
			t.Errorf("status %d at %v: got %+v, want %+v", test.status, test.at, op.Backoff, test.want)
		}
	}
}

func TestOnlyASentAttemptCounts(t *testing.T) {
	policy := mustParse(t, "fixed(1s) + deadline(2s)")
	var op strategies.Operation
	policy.Before(&op, 0)
	policy.Before(&op, time.Second)
	policy.Before(&op, time.Hour) // refused
	if op.Attempts != 2 {
		t.Errorf("got %d attempts, want 2", op.Attempts)
	}
}

// A wait near the end of time must not wrap around to a moment long ago.
func TestEndOfTime(t *testing.T) {
	const soon = forever - 1
	tests := []struct {
		name   string
		policy strategies.Policy
		steps  []step
	}{
		{"no deadline", strategies.Policy{Wait: strategies.Fixed{Delay: forever}}, []step{
			{soon, ask, 0, "send: allowed"},
			{soon, 503, 0, "wait 2562047h47m16.854775807s: transient failure"},
		}},
		{"short deadline", strategies.Policy{Wait: strategies.Fixed{Delay: forever}, Deadline: time.Second}, []step{
			{soon, ask, 0, "send: allowed"},
			{soon, 503, 0, "give up: deadline"},
		}},
		{"longest deadline", strategies.Policy{Wait: strategies.Fixed{Delay: forever}, Deadline: forever}, []step{
			{time.Second, ask, 0, "send: allowed"},
			{time.Second, 503, 0, "give up: deadline"},
		}},
		{"room before the longest deadline", strategies.Policy{Wait: strategies.Fixed{Delay: soon}, Deadline: forever}, []step{
			{time.Second, ask, 0, "send: allowed"},
			{time.Second, 503, 0, "wait 2562047h47m16.854775806s: transient failure"},
			{forever, ask, 0, "send: allowed"},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { follow(t, test.policy, test.steps) })
	}
}

func TestValidateNamesEveryBadField(t *testing.T) {
	tests := []struct {
		policy strategies.Policy
		want   []string
	}{
		{strategies.Policy{}, []string{"a wait is missing"}},
		{strategies.Policy{Attempts: -1, Deadline: -time.Second}, []string{
			"a wait is missing",
			"attempts must be from 1 to 2147483647, got -1",
			"deadline must be above 0, got -1s",
		}},
		{strategies.Policy{Wait: strategies.Immediate{}, Attempts: 1 << 31}, []string{
			"attempts must be from 1 to 2147483647, got 2147483648",
		}},
		{strategies.Policy{Wait: strategies.Fixed{}, Attempts: -1}, []string{
			"delay must be above 0, got 0s (for no wait write immediate)",
			"attempts must be from 1 to 2147483647, got -1",
		}},
		{strategies.Policy{Wait: strategies.Full{Base: -time.Second, Cap: -time.Minute, Factor: 0.5}}, []string{
			"base must be above 0, got -1s",
			"cap must be at least base (-1s), got -1m",
			"factor must be from 1 to 1000000, got 0.5",
		}},
		{strategies.Policy{Wait: strategies.Equal{Base: time.Second, Cap: time.Millisecond}}, []string{
			"cap must be at least base (1s), got 1ms",
		}},
		{strategies.Policy{Wait: strategies.Exponential{Cap: time.Second, Factor: math.NaN()}}, []string{
			"base must be above 0, got 0s",
			"factor must be from 1 to 1000000, got NaN",
		}},
		{strategies.Policy{Wait: strategies.Decorrelated{Base: 1, Cap: 1, Factor: math.Inf(1)}}, []string{
			"factor must be from 1 to 1000000, got +Inf",
		}},
	}
	for _, test := range tests {
		err := test.policy.Validate()
		if want := strings.Join(test.want, "\n"); err == nil || err.Error() != want {
			t.Errorf("%#v:\n got %v\nwant %s", test.policy, err, want)
		}
	}
}
