package reports

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/stagger-sim/stagger/sim"
)

// reread writes a result and reads it back.
func reread(t *testing.T, r *sim.Result) error {
	t.Helper()
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	_, err := ReadJSON(out.Bytes())
	return err
}

func TestReadJSONRefusesWhatNoRunGives(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*sim.Result)
		want  string
	}{
		{"no expectation", func(r *sim.Result) { r.Expected[0].Expectation = "nonsense" }, `expected[0]: "nonsense" is no expectation`},
		{"no expectation of a claim", func(r *sim.Result) { r.Claims[1].Evidence[0].Expectation = "" }, `claims[1].evidence[0]: "" is no expectation`},
		{"a quote without end", func(r *sim.Result) { r.Claims[0].Evidence[0].Expectation = `"` }, "claims[0].evidence[0]: "},
		{"no metric", func(r *sim.Result) { r.Claims[0].Evidence[0].Expectation = "a < 1" }, "claims[0].evidence[0]: "},
		{"unknown verdict", func(r *sim.Result) { r.Claims[2].Verdict = "sure" }, `claims[2]: "sure" is no verdict (known: borne out, not borne out, cannot be told)`},
		{"an endless figure", func(r *sim.Result) { *r.Expected[0].Value = 1e300 }, "expected[0]: it has figures that no simulation gives"},
		{"an endless other figure", func(r *sim.Result) { *r.Claims[0].Evidence[0].Against = -1e16 }, "claims[0].evidence[0]: it has figures"},
		{"an interval turned around", func(r *sim.Result) { r.Expected[0].CI95 = &[2]float64{2, 1} }, "expected[0]: it has figures"},
		{"an endless difference", func(r *sim.Result) { r.Claims[3].Evidence[0].Difference = &[2]float64{-1e300, 1} }, "claims[3].evidence[0]: it has figures"},
		{"another policy", func(r *sim.Result) { r.Expected[0].Policy = "immediate" }, "expected[0]: there is no cell of immediate at 200 clients"},
		{"other clients", func(r *sim.Result) { r.Claims[0].Evidence[1].Clients = 7 }, "claims[0].evidence[1]: there is no cell of three: "},
		{"fewer than no operations", func(r *sim.Result) { r.Cells[0].GivenUpBy["attempts"] = -1 }, `cell 1: given up by "attempts": -1 is no count`},
		{"more operations than given up", func(r *sim.Result) { r.Cells[1].GivenUpBy["attempts"] = 1e6 }, "cell 2: the reasons count "},
		{"more operations than a herd has", func(r *sim.Result) {
			stream := r.Scenario.Load
			r.Scenario.Load = sim.Load{Herd: &sim.Herd{Spread: stream.Stream.WarmUp.Fixed}}
			r.Scenario.Faults, r.Scenario.Expect, r.Scenario.Claims = nil, nil, nil
		}, "operations given up, and there are 200"},
		{"an outcome below 0", func(r *sim.Result) { r.Cells[0].Outcomes["200"] = -1 }, `cell 1: outcome "200": -1 is no count`},
		{"fewer replications", func(r *sim.Result) { r.Cells[2].Replications = 2 }, "cell 3: it has 2 replications, and its scenario 3"},
		{"a metric with a bad name", func(r *sim.Result) { r.Cells[0].Metrics["a b"] = nil }, `cell 1: "a b" is no name of a metric`},
		{"a comparison of a bad metric", func(r *sim.Result) {
			r.Comparisons = []sim.Comparison{{Metric: "A", Policy: r.Cells[0].Policy, Best: r.Cells[1].Policy, Clients: 200}}
		}, `comparisons[0]: "A" is no name of a metric`},
		{"a comparison with nobody", func(r *sim.Result) {
			r.Comparisons = []sim.Comparison{{Metric: "calls", Policy: r.Cells[0].Policy, Best: "nobody", Clients: 200}}
		}, "comparisons[0]: there is no cell of nobody at 200 clients"},
		{"a probability above 1", func(r *sim.Result) {
			two := 2.0
			r.Comparisons = []sim.Comparison{{Metric: "calls", Policy: r.Cells[0].Policy, Best: r.Cells[1].Policy, Clients: 200, P: &two}}
		}, "comparisons[0]: its p is no probability"},
		{"an uneven timeline", func(r *sim.Result) { r.Cells[0].Timeline.Offered = nil }, "cell 1: its timeline is uneven, too long or below 0"},
		{"a share of breakers above 1", func(r *sim.Result) { r.Cells[1].Timeline.Open[3] = 1.5 }, "cell 2: its timeline has shares of open breakers that are none"},
		{"shares without calls", func(r *sim.Result) { r.Cells[1].Timeline.ShortCircuited = nil }, "cell 2: its timeline is uneven, too long or below 0"},
	} {
		r := result(t, "chain")
		c.spoil(r)
		err := reread(t, r)
		if !errors.Is(err, ErrResult) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want it to say %q", c.name, err, c.want)
		}
	}
}

func TestReadJSONNamesEveryFaultAtOnce(t *testing.T) {
	r := result(t, "chain")
	r.Cells[0].Replications = 9
	r.Cells[5].Metrics["no name"] = nil
	r.Expected[0].Expectation = "nonsense"
	r.Claims[0].Verdict = "sure\n\x1b[31m"
	err := reread(t, r)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"cell 1: it has 9", `cell 6: "no name"`, `expected[0]: "nonsense"`, `claims[0]: "sure`} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not say %q", err, want)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\x1b") {
		t.Errorf("control characters in %q", err)
	}

	for i := range r.Expected {
		r.Expected[i].Policy = "nobody"
	}
	for i := range r.Cells {
		r.Cells[i].Replications = 9
		r.Cells[i].Outcomes = map[string]float64{"200": -1}
	}
	if err = reread(t, r); err == nil || !strings.HasSuffix(err.Error(), "more") {
		t.Errorf("got %v, want it to end in how many more there are", err)
	}
}
