package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// sheet is the comparison table before it becomes text or Markdown.
type sheet struct {
	title    string
	facts    []string // what was simulated
	header   []string
	groups   []group
	columns  []string // what each column means
	legend   []string // what each label stands for
	verdict  []Finding
	largest  string  // the group that the verdict is about
	layers   []sheet // the amplification by layer
	claims   []Claim
	expected []string
	doubts   []string
}

// group is the rows of one number of clients.
type group struct {
	name string
	rows [][]string
}

// column is one figure of the table.
type column struct {
	head  string
	means string
	cell  func(c sim.Cell) string
}

func newSheet(r *sim.Result) sheet {
	marks := newMarks(r)
	columns := columnsOf(r, marks)
	if r.Scenario.Replications == 1 {
		columns = slices.DeleteFunc(columns, func(c column) bool { return c.head == "±" })
	}
	s := sheet{
		title:    strings.TrimSuffix(r.Scenario.Name+": "+r.Scenario.Title, ": "),
		facts:    facts(r),
		header:   []string{"policy"},
		legend:   legend(r),
		verdict:  Verdict(r),
		claims:   Claims(r),
		expected: expectedLines(r),
		doubts:   otherWarnings(r),
	}
	for _, c := range columns {
		s.header = append(s.header, c.head)
		if c.means != "" {
			s.columns = append(s.columns, c.head+": "+c.means)
		}
	}
	labels := Labels(r)
	for _, clients := range r.Scenario.Clients {
		g := group{name: Count(float64(clients)) + " clients"}
		for _, c := range r.Cells {
			if c.Clients != clients {
				continue
			}
			row := []string{labels[c.Policy]}
			for _, column := range columns {
				row = append(row, column.cell(c))
			}
			g.rows = append(g.rows, row)
		}
		s.groups = append(s.groups, g)
	}
	if r.Scenario.Replications > 1 {
		s.columns = append(s.columns, "±: half of the mean's 95 % interval, as a share of the mean")
	}
	s.layers = layerTables(r, s.groups)
	s.largest = Count(float64(slices.Max(r.Scenario.Clients))) + " clients"
	if note := marks.note(); note != "" {
		s.columns = append(s.columns, note)
	}
	return s
}

// facts says in a few lines what was simulated.
func facts(r *sim.Result) []string {
	s := r.Scenario
	var server string
	switch {
	case s.Server.Capacity != nil:
		server = capacityFact(*s.Server.Capacity)
	case s.Server.Contention != nil:
		server = "one row, optimistic concurrency, no queue"
	}
	lines := []string{server + ", legs " + s.Network.Leg.String()}
	for _, l := range s.Behind {
		lines = append(lines, layerFact(l))
	}
	return append(lines, fmt.Sprintf("%s, seed %d, stagger %s", replications(s.Replications), r.Seed, r.Version))
}

// capacityFact says what a server has.
func capacityFact(c sim.Capacity) string {
	queue := "unlimited queue"
	if c.Queue != sim.Unlimited {
		queue = "queue " + Count(float64(c.Queue))
	}
	return fmt.Sprintf("%s workers, service %s, %s", Count(float64(c.Workers)), c.Service, queue)
}

func replications(n int) string {
	if n == 1 {
		return "1 replication"
	}
	return Count(float64(n)) + " replications"
}

// columnsOf chooses the columns that a scenario needs.
func columnsOf(r *sim.Result, marks marks) []column {
	figure := func(name string, write func(float64) string) func(sim.Cell) string {
		return func(c sim.Cell) string {
			m := c.Metrics[name]
			if m == nil {
				return absent
			}
			return marks.of(c, name) + write(m.Mean)
		}
	}
	spread := func(name string) column {
		return column{head: "±", cell: func(c sim.Cell) string { return plusMinus(c.Metrics[name]) }}
	}
	calls := column{"calls", "attempts that reached the server", figure(sim.MetricCalls, Count)}
	perOp := column{"per op", "attempts ÷ operations", figure(sim.MetricAmplification, Number)}
	p99 := column{"p99 s", "99 % of operations took no longer than this, in seconds", figure(sim.MetricLatencyP99, Number)}
	success := column{"ok", "operations that succeeded in the end", figure(sim.MetricSuccess, percent)}
	if r.Scenario.Load.Herd == nil {
		list := []column{
			calls, spread(sim.MetricCalls), perOp, success,
			{"goodput/s", "operations that succeeded, per second", figure(sim.MetricGoodput, Number)},
			{"p50 s", "half of the operations took no longer than this, in seconds", figure(sim.MetricLatencyP50, Number)},
			p99,
		}
		if _, judged := r.Cells[0].Metrics[sim.MetricRecovered]; judged {
			list = append(list, column{"back s", "seconds from the end of the trouble to the first ten in a row in which 99 % succeed", recovery})
		}
		return list
	}
	list := []column{
		calls, spread(sim.MetricCalls), perOp,
		{"done s", "when the last operation ended, in seconds", figure(sim.MetricCompletion, Number)},
		spread(sim.MetricCompletion), p99,
		{"peak", "most retries that came within 100 ms", figure(sim.MetricRetryPeak, Count)},
	}
	for _, c := range r.Cells {
		if m := c.Metrics[sim.MetricSuccess]; m != nil && m.Mean < 1 {
			return append(list, success)
		}
	}
	return list
}

// never stands for the time of a recovery that did not come.
const never = "never"

// recovery prints how long a policy took to recover and, if it did not always,
// how often it did; nothing where the run was too short to tell.
func recovery(c sim.Cell) string {
	share, took := c.Metrics[sim.MetricRecovered], c.Metrics[sim.MetricRecovery]
	switch {
	case share == nil:
		return absent
	case took == nil:
		return never
	case share.Mean < 1:
		return Number(took.Mean) + " (" + percent(share.Mean) + ")"
	}
	return Number(took.Mean)
}

// otherWarnings returns the warnings that the marks in the table do not show
// already, with the policies' labels.
func otherWarnings(r *sim.Result) []string {
	labels := Labels(r)
	texts := slices.Collect(maps.Keys(labels))
	// The longest first: one policy's text may begin with another's.
	slices.SortFunc(texts, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	var names []string
	for _, text := range texts {
		names = append(names, text, labels[text])
	}
	shorten := strings.NewReplacer(names...)
	var list []string
	for _, w := range r.Warnings {
		if !strings.Contains(w, "cannot be told apart from the best") {
			list = append(list, shorten.Replace(w))
		}
	}
	return list
}
