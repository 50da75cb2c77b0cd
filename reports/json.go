package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// JSON writes the whole result, which [ReadJSON] reads back.
func JSON(w io.Writer, r *sim.Result) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(r)
}

// ErrResult is wrapped by every error about JSON that is no result of stagger.
var ErrResult = errors.New("not a result of stagger")

// ReadJSON reads a result that JSON has written. An error about the content
// wraps [ErrResult] and names the line.
func ReadJSON(data []byte) (*sim.Result, error) {
	var r sim.Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrResult, located(data, err))
	}
	if r.Schema != sim.ResultSchema {
		return nil, fmt.Errorf("%w: schema is %q, want %q", ErrResult, r.Schema, sim.ResultSchema)
	}
	if err := check(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrResult, err)
	}
	return &r, nil
}

// located says at which line an error of encoding/json arose.
func located(data []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset := int64(-1)
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return "the file is empty"
	case errors.As(err, &syntax):
		if text := bytes.TrimRight(data, " \n\r\t"); syntax.Offset >= int64(len(text)) {
			return fmt.Sprintf("line %d: the file ends too early (was it cut off?)", lineOf(text, syntax.Offset))
		}
		offset = syntax.Offset
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Sprintf("line %d: it is a JSON %s, not an object", lineOf(data, kind.Offset), kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("line %d: %s is a JSON %s", lineOf(data, kind.Offset), kind.Field, kind.Value)
	}
	if offset >= 0 {
		return fmt.Sprintf("line %d: %s", lineOf(data, offset), err)
	}
	return err.Error()
}

func lineOf(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}

// check reports what would leave a report without figures.
func check(r *sim.Result) error {
	if err := r.Scenario.Validate(); err != nil {
		return errors.New(strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	if want := len(r.Scenario.Policies) * len(r.Scenario.Clients); len(r.Cells) != want {
		return fmt.Errorf("it has %d cells, and its scenario %d", len(r.Cells), want)
	}
	for i, c := range r.Cells {
		policy := r.Scenario.Policies[i%len(r.Scenario.Policies)].String()
		clients := r.Scenario.Clients[i/len(r.Scenario.Policies)]
		if c.Policy != policy || c.Clients != clients {
			return fmt.Errorf("cell %d is %s at %d clients, and its scenario has %s at %d there",
				i+1, c.Policy, c.Clients, policy, clients)
		}
		if err := checkCell(c); err != nil {
			return fmt.Errorf("cell %d: %w", i+1, err)
		}
	}
	return nil
}

// Bounds of what a simulation can give. Beyond them a file was made by something
// else, and axes and columns would not fit.
const (
	mostFigure  = 1e15
	mostWindows = 6000
	mostSeconds = 1_000_000 // of a timeline
)

func checkCell(c sim.Cell) error {
	if m, ok := c.Metrics[sim.MetricCalls]; !ok || m == nil {
		return fmt.Errorf("it has no figure for %s", sim.MetricCalls)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Metrics)) {
		if m := c.Metrics[name]; m != nil && !plausible(m) {
			return fmt.Errorf("%s is not a figure that a simulation gives", name)
		}
	}
	if s := c.CallsOverTime; s != nil {
		if !(s.WindowSeconds >= 0.001 && s.WindowSeconds <= 1e9) {
			return fmt.Errorf("it has windows of %g s", s.WindowSeconds)
		}
		if len(s.Calls) > mostWindows || slices.ContainsFunc(s.Calls, negative) {
			return errors.New("its calls over time are too many or below 0")
		}
	}
	if t := c.Timeline; t != nil {
		for _, values := range [][]int{t.Offered, t.Calls, t.Succeeded, t.Queued} {
			if len(values) != len(t.Calls) || len(values) > mostSeconds || slices.ContainsFunc(values, negative) {
				return errors.New("its timeline is uneven, too long or below 0")
			}
		}
	}
	return nil
}

func negative(n int) bool { return n < 0 }

// plausible reports whether all of a metric lies in bounds; no metric is below 0,
// though its interval may be.
func plausible(m *sim.Metric) bool {
	all := []float64{m.Mean, m.P10, m.P50, m.P90}
	if m.SD != nil {
		all = append(all, *m.SD)
	}
	for _, x := range all {
		if !(x == 0 || x >= 1/mostFigure && x <= mostFigure) {
			return false
		}
	}
	if m.CI95 == nil {
		return true
	}
	low, high := m.CI95[0], m.CI95[1]
	return low >= -mostFigure && low <= m.Mean && m.Mean <= high && high <= mostFigure
}
