package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// Finding is one sentence of a verdict: a contest and how it ended.
type Finding struct {
	Contest string // such as "fewest calls"
	Outcome string
}

// Verdict says what a result shows at its largest number of clients: which
// policy is best in what, and at which price. It is empty where nothing differs,
// and for a single replication, where nobody can tell.
func Verdict(r *sim.Result) []Finding {
	if r.Scenario.Replications == 1 {
		return nil
	}
	f := finder{r: r, labels: Labels(r)}
	clients := slices.Max(r.Scenario.Clients)
	for _, c := range r.Cells {
		if c.Clients == clients {
			f.cells = append(f.cells, c)
		}
	}
	givenUp := f.givenUp() // of all policies, before only those of most success are left
	findings := append(f.mostSuccess(), givenUp...)
	if len(f.cells) < 2 {
		return findings
	}
	for _, contest := range []struct{ name, metric, unit, needs string }{
		{"fewest calls", sim.MetricCalls, "", "needs %s× as many"},
		{"first done", sim.MetricCompletion, " s", "takes %s× as long"},
		{"lowest p99", sim.MetricLatencyP99, " s", "takes %s× as long"},
	} {
		if outcome := f.outcome(contest.metric, contest.unit, contest.needs); outcome != "" {
			findings = append(findings, Finding{contest.name, outcome})
		}
	}
	return findings
}

// finder looks at the cells of one number of clients.
type finder struct {
	r      *sim.Result
	cells  []sim.Cell
	labels map[string]string
}

// givenUp says why operations were given up, policy by policy, the most frequent
// reason first; counts are means over the replications.
func (f finder) givenUp() []Finding {
	var parts []string
	for _, c := range f.cells {
		reasons := slices.SortedFunc(maps.Keys(c.GivenUpBy), func(a, b string) int {
			return cmp.Or(cmp.Compare(c.GivenUpBy[b], c.GivenUpBy[a]), cmp.Compare(a, b))
		})
		var texts []string
		for _, reason := range reasons {
			texts = append(texts, reason+" "+Number(c.GivenUpBy[reason]))
		}
		if len(texts) > 0 {
			parts = append(parts, f.labels[c.Policy]+" ("+strings.Join(texts, ", ")+")")
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return []Finding{{"given up", strings.Join(parts, "; ")}}
}

// mostSuccess says how many operations succeeded where that differs, and leaves
// only the policies of most success for the other contests: whoever gives up
// early is done first, with fewest calls.
func (f *finder) mostSuccess() []Finding {
	least, greatest := f.extremes(sim.MetricSuccess)
	if least == nil {
		return nil
	}
	low, high := least.Metrics[sim.MetricSuccess].Mean, greatest.Metrics[sim.MetricSuccess].Mean
	if high-low <= 0.01 {
		return nil
	}
	var best, others []string
	all := f.cells
	f.cells = nil
	for _, c := range all {
		if m := c.Metrics[sim.MetricSuccess]; m != nil && m.Mean >= high-0.01 {
			best = append(best, f.labels[c.Policy])
			f.cells = append(f.cells, c)
		} else {
			others = append(others, f.labels[c.Policy])
		}
	}
	who := strings.Join(best, ", ")
	if len(others) < len(best) {
		who = "all but " + strings.Join(others, ", ")
	}
	return []Finding{{"most succeed", fmt.Sprintf("%s (%s); %s only %s",
		who, percent(high), f.labels[least.Policy], percent(low))}}
}

// outcome says who is best in a metric and what that costs, who cannot be told
// apart from the best, and how far off the worst is.
func (f finder) outcome(metric, unit, needs string) string {
	best, worst := f.extremes(metric)
	if best == nil || best.Metrics[metric].Mean == worst.Metrics[metric].Mean {
		return ""
	}
	alike := f.alike(best.Clients, metric)
	if len(alike) == len(f.cells)-1 {
		return "none can be told apart from the best"
	}
	text := fmt.Sprintf("%s (%s%s", f.labels[best.Policy], Number(best.Metrics[metric].Mean), unit)
	if price := f.price(*best); price >= 1.05 {
		text += fmt.Sprintf(", with %s× the fewest calls", Number(price))
	}
	text += ")"
	if len(alike) > 0 {
		text += "; cannot be told apart from it: " + strings.Join(alike, ", ")
	}
	if ratio := worst.Metrics[metric].Mean / best.Metrics[metric].Mean; ratio >= 1.05 && best.Metrics[metric].Mean > 0 {
		text += "; " + f.labels[worst.Policy] + " " + fmt.Sprintf(needs, Number(ratio))
	}
	return text
}

// extremes returns the cells with the least and the greatest mean; nil if none
// has the metric.
func (f finder) extremes(metric string) (least, greatest *sim.Cell) {
	for i := range f.cells {
		m := f.cells[i].Metrics[metric]
		if m == nil {
			continue
		}
		if least == nil || m.Mean < least.Metrics[metric].Mean {
			least = &f.cells[i]
		}
		if greatest == nil || m.Mean > greatest.Metrics[metric].Mean {
			greatest = &f.cells[i]
		}
	}
	return least, greatest
}

// price is a cell's calls as a multiple of the fewest; 1 where somebody made none.
func (f finder) price(c sim.Cell) float64 {
	fewest, _ := f.extremes(sim.MetricCalls)
	if fewest.Metrics[sim.MetricCalls].Mean == 0 {
		return 1
	}
	return c.Metrics[sim.MetricCalls].Mean / fewest.Metrics[sim.MetricCalls].Mean
}

// alike lists the policies that cannot be told apart from the best.
func (f finder) alike(clients int, metric string) []string {
	var names []string
	for _, c := range f.r.Comparisons {
		if c.Clients == clients && c.Metric == metric && !c.ToldApart {
			names = append(names, f.labels[c.Policy])
		}
	}
	return names
}
