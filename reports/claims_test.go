package reports

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stagger-sim/stagger/sim"
)

func TestClaimsSayWhatWasMeasured(t *testing.T) {
	some := func(x float64) *float64 { return &x }
	r := &sim.Result{Claims: []sim.Judged{
		{Claim: "it is so", Verdict: sim.BorneOut, Evidence: []sim.Checked{
			{Expectation: `"full(base=1s, cap=2s)"@10.calls <= 5`, Value: some(4), CI95: &[2]float64{3.5, 4.5}, Met: true},
			{Expectation: "full.success_ratio > 50%", Value: some(0.6), CI95: &[2]float64{0.6, 0.6}, Met: true},
		}},
		{Claim: "it is not", Verdict: sim.NotBorneOut, Evidence: []sim.Checked{
			{Expectation: "full.calls<0.5 * fixed.calls", Clients: 10, Value: some(1000), CI95: &[2]float64{900, 1100}, Against: some(500)},
			{Expectation: "full.recovery_seconds < 5s"},
		}},
		{Claim: "who knows", Verdict: sim.CannotBeTold, Evidence: []sim.Checked{
			{Expectation: "full@10.calls < fixed@10.calls", Value: some(4), Against: some(5), Difference: &[2]float64{-3, 1}},
			{Expectation: "full@10.calls < fixed@10.calls", Value: some(4), Against: some(5), Difference: &[2]float64{-3, 1}},
		}},
	}}
	r.Scenario.Clients = []int{10, 20}
	want := []Claim{
		{"it is so", `"full(base=1s, cap=2s)"@10.calls 4.00 [3.50, 4.50] (<= 5); full@0.success_ratio 60% (> 50%)`, sim.BorneOut},
		{"it is not", "full@10.calls 1,000 (<0.5 * fixed.calls: 500); full@0.recovery_seconds no value (< 5s)", sim.NotBorneOut},
		{"who knows", "full@10.calls 4.00 (< fixed@10.calls: 5.00, difference [-3.00, 1.00])", sim.CannotBeTold},
	}
	if diff := cmp.Diff(want, Claims(r)); diff != "" {
		t.Error(diff)
	}
}

func TestFiguresThatNeverCameAreNamed(t *testing.T) {
	recovered := func(share float64) map[string]*sim.Metric {
		return map[string]*sim.Metric{sim.MetricRecovered: {Mean: share}}
	}
	some := func(x float64) *float64 { return &x }
	for _, c := range []struct {
		name    string
		metrics map[string]*sim.Metric
		checked sim.Checked
		value   string
		against string
	}{
		{"it never recovered", recovered(0), sim.Checked{Expectation: "a.recovery_seconds < 5s"}, "never", ""},
		{"nobody can tell", map[string]*sim.Metric{sim.MetricRecovered: nil}, sim.Checked{Expectation: "a.recovery_seconds < 5s"}, "no value", ""},
		{"the other never recovered", recovered(1), sim.Checked{Expectation: "a.recovery_seconds < b.recovery_seconds", Value: some(7)}, "7.00", "never"},
		{"only the other recovered", recovered(0), sim.Checked{Expectation: "a.recovery_seconds < 2 * b.recovery_seconds", Against: some(7)}, "never", "7.00"},
		{"another figure", recovered(1), sim.Checked{Expectation: "a.calls < b.latency_p99_seconds", Value: some(7)}, "7.00", "no value"},
		{"a share against a share", recovered(1), sim.Checked{Expectation: "a.success_ratio > b.success_ratio", Value: some(0.5), Against: some(0.25)}, "50%", "25%"},
	} {
		r := &sim.Result{Cells: []sim.Cell{{Metrics: c.metrics}}}
		if got := value(r, c.checked); got != c.value {
			t.Errorf("%s: value is %q, want %q", c.name, got, c.value)
		}
		if got := against(r, c.checked); got != c.against {
			t.Errorf("%s: against is %q, want %q", c.name, got, c.against)
		}
	}
}

func TestAnyTextCanStandWhereAnExpectationShould(t *testing.T) {
	r := &sim.Result{Claims: []sim.Judged{{}}}
	r.Scenario.Clients = []int{1, 2}
	for _, text := range []string{"", `"`, `""`, `"a`, "a", "<", "a.", ".", "a<b", `"a.b"<`, "a.calls", "=a.calls"} {
		one := 1.0
		r.Claims[0].Evidence = []sim.Checked{{Expectation: text, Value: &one}, {Expectation: text}}
		r.Expected = r.Claims[0].Evidence
		if got := len(Claims(r)) + len(expectedLines(r)); got != 3 {
			t.Errorf("%q: %d lines, want 3", text, got)
		}
	}
}
