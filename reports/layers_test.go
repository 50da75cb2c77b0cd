package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stagger-sim/stagger/sim"
)

func TestTablesOfManyLayersFitATerminal(t *testing.T) {
	r := result(t, "chain")
	last := r.Scenario.Behind[0]
	const most = 1_000_000
	names := []string{"server", "service", "database"}
	for i := range 15 {
		last.Name = fmt.Sprintf("s%s%d", strings.Repeat("x", i), i)
		names = append(names, last.Name)
		r.Scenario.Behind = append(r.Scenario.Behind, last)
		r.Cells[0].Metrics[sim.LayerMetric(sim.MetricAmplification, last.Name)] = &sim.Metric{Mean: most}
	}
	var out bytes.Buffer
	if err := Text(&out, r); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(out.String(), "attempts that reach a server ÷ the clients' operations")
	tables, _, _ := strings.Cut(rest, "\nclaim ")
	for line := range strings.Lines(tables) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
			t.Errorf("a line of %d columns: %s", n, line)
		}
	}
	for _, name := range names {
		if n := strings.Count(tables, " "+name+" ") + strings.Count(tables, " "+name+"\n"); n != 1 {
			t.Errorf("%s stands %d times in\n%s", name, n, tables)
		}
	}
	if n := strings.Count(tables, Number(most)); n != 15 {
		t.Errorf("%d figures, want 15, in\n%s", n, tables)
	}
}
