package charts

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stagger-sim/stagger/sim"
)

func TestRecoveryIsToldWhereThereWasTrouble(t *testing.T) {
	cell := func(share, took *sim.Metric) sim.Cell {
		return sim.Cell{Metrics: map[string]*sim.Metric{sim.MetricRecovered: share, sim.MetricRecovery: took}}
	}
	for _, c := range []struct {
		name string
		cell sim.Cell
		want string
	}{
		{"no trouble", sim.Cell{}, ""},
		{"trouble that is not judged", cell(nil, nil), ""},
		{"never", cell(&sim.Metric{}, nil), "never recovers"},
		{"always", cell(&sim.Metric{Mean: 1}, &sim.Metric{Mean: 2.5}), "back after 2.50 s"},
		{"sometimes", cell(&sim.Metric{Mean: 0.25}, &sim.Metric{Mean: 2.5}), "back after 2.50 s (25 %)"},
	} {
		if got := recoveryOf(c.cell); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// TestOpenBreakersAreShaded opens the breakers of one panel for two spells: of all
// clients, then of half of them.
func TestOpenBreakersAreShaded(t *testing.T) {
	const word, all, half = "Green: breaker open", `fill:#009D73;fill-opacity:0.4"`, `;fill-opacity:0.2"`
	r := result(t, "outage")
	svg := timelineOf(t, r)
	for _, none := range []string{word, all, half} {
		if strings.Contains(svg, none) {
			t.Errorf("without a breaker the chart has %q", none)
		}
	}
	open := make([]float64, len(r.Cells[0].Timeline.Calls))
	open[20], open[21], open[40] = 1, 1, 0.5
	r.Cells[0].Timeline.Open = open
	svg = timelineOf(t, r)
	for _, once := range []string{word, all, half} {
		if n := strings.Count(svg, once); n != 1 {
			t.Errorf("with two spells the chart has %q %d times, want once", once, n)
		}
	}
}

func timelineOf(t *testing.T, r *sim.Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := timeline(r).Write(&out, "svg"); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
