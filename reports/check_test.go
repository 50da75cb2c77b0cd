package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
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

// brief returns the text of a result with everything in it, but short series.
func brief(t testing.TB) []byte {
	t.Helper()
	r := result(t, "chain")
	for i := range r.Cells {
		c := &r.Cells[i]
		c.CallsOverTime.Calls = c.CallsOverTime.Calls[:2]
		l := c.Timeline
		for _, values := range []*[]int{&l.Offered, &l.Calls, &l.Succeeded, &l.Queued, &l.ShortCircuited} {
			*values = (*values)[:min(2, len(*values))]
		}
		l.Open = l.Open[:min(2, len(l.Open))]
	}
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// leaves returns a function for each place of a JSON document, that sets it.
func leaves(node any) []func(any) {
	var list []func(any)
	switch node := node.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(node)) {
			list = append(list, func(v any) { node[key] = v })
			list = append(list, leaves(node[key])...)
		}
	case []any:
		for i := range node {
			list = append(list, func(v any) { node[i] = v })
			list = append(list, leaves(node[i])...)
		}
	}
	return list
}

// change sets the nth place of a document to a value and holds what is read
// against its promises: an error about the result or reports in every format,
// without a figure that is none.
func change(t *testing.T, document []byte, n int, value any) {
	t.Helper()
	var tree any
	if err := json.Unmarshal(document, &tree); err != nil {
		t.Fatal(err)
	}
	all := leaves(tree)
	all[n%len(all)](value)
	data, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	r, err := ReadJSON(data)
	if err != nil {
		if !errors.Is(err, ErrResult) || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("place %d, %v: the error is %q", n, value, err)
		}
		return
	}
	for _, format := range Formats() {
		var out bytes.Buffer
		if err := Write(&out, r, format); err != nil {
			t.Errorf("place %d, %v, %s: %v", n, value, format, err)
		}
		if text := out.String(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") || strings.Contains(text, "\x1b") {
			t.Errorf("place %d, %v, %s: no figure or a control character in\n%s", n, value, format, text)
		}
	}
}

func TestNoChangeOfAResultCrashesAReport(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a thousand results")
	}
	document := brief(t)
	var tree any
	if err := json.Unmarshal(document, &tree); err != nil {
		t.Fatal(err)
	}
	values := []any{nil, true, "", "\"", "x\x1b[31m\n", 0.0, -1.0, 1e300, 0.5, []any{}, []any{nil}, map[string]any{}, map[string]any{"a": nil}}
	// Every second place, each with the next value: all values come to all kinds of
	// places, and FuzzChangedResult goes further.
	for n := 0; n < len(leaves(tree)); n += 2 {
		change(t, document, n, values[n%len(values)])
	}
}

func FuzzChangedResult(f *testing.F) {
	document := brief(f)
	f.Add(uint16(3), `"immediate"`)
	f.Add(uint16(700), "-0")
	f.Add(uint16(1500), `{"says": "a", "mean": 1e15}`)
	f.Fuzz(func(t *testing.T, n uint16, text string) {
		var value any
		if json.Unmarshal([]byte(text), &value) == nil {
			change(t, document, int(n), value)
		}
	})
}
