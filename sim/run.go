package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Options of a Run. They change nothing in its result.
type Options struct {
	// Workers is the number of replications run at a time; 0 means one a
	// processor. Memory grows with it, not with the number of replications.
	Workers int
	// Progress is told after each replication how many of all are done. It may
	// be called from several goroutines at once.
	Progress func(done, all int)
}

// Run simulates every policy of a scenario at every number of clients, over all
// replications, and sets the policies against each other. It returns an error
// that wraps [ErrScenario] if the scenario is invalid, would never end, or has a
// trace without arrivals, and the context's cause if that ends first.
func Run(ctx context.Context, s Scenario, o Options) (*Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := s.Load.Trace.ready(); err != nil {
		return nil, err
	}
	g := newGrid(s)
	if err := g.run(ctx, o); err != nil {
		return nil, err
	}
	return g.result(), nil
}

// grid holds the cells of a run: policies by client counts.
type grid struct {
	scenario Scenario
	metrics  []metric
	cells    []cell
}

// cell is one policy at one number of clients while it is simulated.
type cell struct {
	policy   int
	clients  int
	samples  [][]float64      // by metric, then by replication
	series   *series          // of the first replication
	lifeline *lifeline        // of the first replication
	outcomes []map[string]int // by replication
	reasons  []map[string]int // by replication
	warmUp   time.Duration
	steady   bool // the pilot found a warm-up
}

func newGrid(s Scenario) *grid {
	g := &grid{scenario: s, metrics: applicable(s)}
	for _, clients := range s.Clients {
		for policy := range s.Policies {
			c := cell{policy: policy, clients: clients, steady: true,
				outcomes: make([]map[string]int, s.Replications), reasons: make([]map[string]int, s.Replications)}
			for range g.metrics {
				c.samples = append(c.samples, make([]float64, s.Replications))
			}
			g.cells = append(g.cells, c)
		}
	}
	return g
}

// run simulates all replications of all cells, several at a time. Each writes
// into places of its own, so their order does not matter.
func (g *grid) run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if err := g.pilots(ctx, o); err != nil {
		return err
	}
	all := len(g.cells) * g.scenario.Replications
	var done atomic.Int64
	return g.parallel(ctx, cancel, o, all, func(e *engine, job int) error {
		c := &g.cells[job/g.scenario.Replications]
		if err := g.replicate(ctx, e, c, job%g.scenario.Replications); err != nil {
			return err
		}
		if n := done.Add(1); o.Progress != nil {
			o.Progress(int(n), all)
		}
		return nil
	})
}

// parallel hands the jobs to workers, each with an engine of its own, and
// returns the error of the first job that failed.
func (g *grid) parallel(ctx context.Context, cancel context.CancelCauseFunc, o Options, jobs int,
	do func(*engine, int) error) error {
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, jobs) {
		wait.Go(func() {
			e := newEngine()
			for {
				job := int(next.Add(1)) - 1
				if job >= jobs || ctx.Err() != nil {
					return
				}
				if err := do(e, job); err != nil {
					cancel(err)
					return
				}
			}
		})
	}
	wait.Wait()
	return context.Cause(ctx)
}

// pilots finds each cell's warm-up where the scenario asks for MSER-5.
func (g *grid) pilots(ctx context.Context, o Options) error {
	warmUp, _ := g.scenario.Load.warmUp()
	for i := range g.cells {
		g.cells[i].warmUp = warmUp.Fixed
	}
	if !warmUp.MSER5 {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	return g.parallel(ctx, cancel, o, len(g.cells), func(e *engine, job int) error {
		c := &g.cells[job]
		e.prepare(g.scenario, c, 0)
		e.tally.pilot = new(pilot)
		if err := e.run(ctx); err != nil {
			return g.failed(c, 0, err)
		}
		c.warmUp, c.steady = e.tally.pilot.mser5()
		return nil
	})
}

// replicate runs one replication of a cell and keeps its figures.
func (g *grid) replicate(ctx context.Context, e *engine, c *cell, replication int) error {
	e.prepare(g.scenario, c, replication)
	if replication == 0 {
		c.series = &series{window: Window, calls: []int{}}
		e.tally.series = c.series
	}
	if err := e.run(ctx); err != nil {
		return g.failed(c, replication, err)
	}
	e.tally.settle(e.ops, e.calls, e.now)
	if e.tally.lifeline != nil {
		e.tally.lifeline.at(e.stop - 1)
	}
	for i, value := range e.tally.observe(g.metrics, e.now) {
		c.samples[i][replication] = value
	}
	c.outcomes[replication] = e.tally.outcomeCounts()
	c.reasons[replication] = e.tally.reasonCounts()
	if replication == 0 {
		c.lifeline = e.tally.lifeline
	}
	return nil
}

// failed says which replication an error belongs to.
func (g *grid) failed(c *cell, replication int, err error) error {
	if errors.Is(err, errStandstill) {
		return fmt.Errorf("%w: %s with %d clients, replication %d: %w",
			ErrScenario, g.name(c), c.clients, replication+1, err)
	}
	return err
}

// prepare readies the engine for one replication of a cell.
func (e *engine) prepare(s Scenario, c *cell, replication int) {
	e.build(s, c)
	e.load = newLoad(s.Load, c.clients)
	e.faults = newFaults(s)
	e.key = replicationKey(s.Seed, replication)
	e.stop, e.endless = s.Stop, s.Load.endless()
	e.now, e.due = 0, 0
	e.ops, e.free, e.given = slices.Grow(e.ops[:0], e.load.size()), e.free[:0], nil
	e.queue.reset()
	if recordsLife(s) {
		e.tally.lifeline = &lifeline{last: int((e.stop - 1) / time.Second)}
		if replication == 0 && e.shared != nil && e.shared.breakers != nil {
			e.schedule(time.Second, looks, request{}, 0)
		}
	}
	if c.warmUp > 0 {
		e.schedule(c.warmUp, measure, request{}, 0)
	}
}

func newServer(s Server) server {
	if s.Contention != nil {
		return new(contention)
	}
	return newCapacity(*s.Capacity)
}

// result joins the cells in the order of the scenario.
func (g *grid) result() *Result {
	r := &Result{
		Schema: ResultSchema, Version: Version, Seed: g.scenario.Seed, Scenario: g.scenario,
		Warnings: []string{}, Comparisons: []Comparison{},
	}
	if g.scenario.Replications == 1 {
		r.Warnings = append(r.Warnings,
			"1 replication: there are no intervals, and no difference between policies can be told from luck")
	}
	r.Warnings = append(r.Warnings, g.scenario.Load.Trace.warnings(g.scenario)...)
	for i := range g.cells {
		r.Cells = append(r.Cells, g.summary(&g.cells[i]))
	}
	r.Warnings = append(r.Warnings, g.unsteady()...)
	r.Warnings = append(r.Warnings, g.scenario.waitsForEver()...)
	for _, clients := range g.scenario.Clients {
		r.Warnings = append(r.Warnings, g.gaps(clients)...)
		r.Warnings = append(r.Warnings, g.outclassed(clients)...)
	}
	for _, clients := range g.scenario.Clients {
		for _, name := range compared(g.scenario) {
			group := g.compare(clients, name)
			r.Comparisons = append(r.Comparisons, group...)
			if g.scenario.Replications > 1 {
				r.Warnings = append(r.Warnings, doubts(group)...)
			}
		}
	}
	for _, e := range g.scenario.Expect {
		r.Expected = append(r.Expected, e.check(g, r.Cells)...)
	}
	for _, c := range g.scenario.Claims {
		r.Claims = append(r.Claims, c.judge(g, r.Cells))
	}
	return r
}

// summary turns a cell's samples into its metrics; one that is missing in any
// replication is nil.
func (g *grid) summary(c *cell) Cell {
	out := Cell{
		Policy:       g.name(c),
		Clients:      c.clients,
		Replications: g.scenario.Replications,
		Metrics:      map[string]*Metric{},
	}
	if c.series != nil {
		out.CallsOverTime = &Series{WindowSeconds: c.series.window.Seconds(), Calls: c.series.calls}
	}
	for i, m := range g.metrics {
		out.Metrics[m.name] = nil
		sample := c.samples[i]
		if m.kind == conditional {
			sample = slices.DeleteFunc(slices.Clone(sample), math.IsNaN)
		}
		if len(sample) > 0 && !missing(sample) {
			out.Metrics[m.name] = summarise(sample)
			if m.kind == yesNo && len(sample) > 1 {
				out.Metrics[m.name].CI95 = wilson(out.Metrics[m.name].Mean, len(sample))
			}
		}
	}
	if c.lifeline != nil {
		out.Timeline = c.lifeline.result()
	}
	out.Outcomes = meanCounts(c.outcomes)
	out.GivenUpBy = meanCounts(c.reasons)
	return out
}

// name is the policy of a cell in its canonical text form.
func (g *grid) name(c *cell) string { return g.scenario.Policies[c.policy].String() }

// missing reports whether a value could not be computed in some replication.
func missing(sample []float64) bool { return slices.ContainsFunc(sample, math.IsNaN) }

// unsteady says which cells have no warm-up that MSER-5 would accept.
func (g *grid) unsteady() []string {
	var warnings []string
	for i := range g.cells {
		if c := &g.cells[i]; !c.steady {
			warnings = append(warnings, fmt.Sprintf("%d clients, %s: not stationary: "+
				"MSER-5 found no warm-up in the first half; a longer stop may help", c.clients, g.name(c)))
		}
	}
	return warnings
}

// waitsForEver says who would wait for ever for answers that never come.
func (s Scenario) waitsForEver() []string {
	var warnings []string
	if s.Client.patient() && s.silent("", s.Server.Capacity) {
		if policies := withoutTimeout(s.Policies); policies != "" {
			warnings = append(warnings, "no timeout, so whoever gets no answer waits for ever: "+policies)
		}
	}
	for _, l := range s.Behind {
		callers := s.Policies
		if l.Policy != nil {
			callers = []strategies.Policy{*l.Policy}
		}
		if policies := withoutTimeout(callers); policies != "" && s.silent(l.Name, &l.Capacity) {
			warnings = append(warnings, fmt.Sprintf("no timeout, so a worker that gets no answer of %s waits for ever: %s",
				l.Name, policies))
		}
	}
	return warnings
}

// silent reports whether a server, by the name of its layer, may leave requests
// unanswered.
func (s Scenario) silent(layer string, c *Capacity) bool {
	return c != nil && c.DropOlder > 0 || slices.ContainsFunc(s.Faults, func(f Fault) bool {
		return f.Layer == layer && (f.Kind == Hang || f.Kind == Loss)
	})
}

// withoutTimeout names the policies whose callers wait for ever.
func withoutTimeout(policies []strategies.Policy) string {
	var texts []string
	for _, p := range policies {
		if !hasTimeout(p) {
			texts = append(texts, p.String())
		}
	}
	return strings.Join(texts, "; ")
}

// gaps says which metrics could not be computed at a number of clients, for
// which policies, and why: one warning for all that lack for the same reason.
func (g *grid) gaps(clients int) []string {
	var order []string
	lacking := map[string][]string{} // metrics by reason
	for i, m := range g.metrics {
		var policies []string
		for j := range g.cells {
			if c := &g.cells[j]; c.clients == clients && m.kind != conditional && missing(c.samples[i]) {
				policies = append(policies, g.name(c))
			}
		}
		if len(policies) == 0 {
			continue
		}
		reason := fmt.Sprintf("none, since %s: %s", m.absent, strings.Join(policies, "; "))
		if lacking[reason] == nil {
			order = append(order, reason)
		}
		lacking[reason] = append(lacking[reason], m.name)
	}
	var warnings []string
	for _, reason := range order {
		warnings = append(warnings, fmt.Sprintf("%d clients, %s: %s", clients, strings.Join(lacking[reason], ", "), reason))
	}
	return warnings
}

// succeeding is by how much fewer operations of a policy may succeed, for it to
// be compared with the policy of most successes. Whoever gives up early is done
// first, with fewest calls.
const succeeding = 0.01

// compare sets the policies of one client count against each other.
func (g *grid) compare(clients int, name string) []Comparison {
	var policies []string
	var samples [][]float64
	least := g.mostSuccess(clients) - succeeding
	for i := range g.cells {
		c := &g.cells[i]
		if c.clients != clients {
			continue
		}
		policies = append(policies, g.name(c))
		if g.success(c) < least {
			samples = append(samples, nil)
			continue
		}
		samples = append(samples, g.sample(c, name))
	}
	return compare(clients, name, policies, samples)
}

// sample returns a cell's values of a metric, by replication.
func (g *grid) sample(c *cell, name string) []float64 {
	for m := range g.metrics {
		if g.metrics[m].name == name {
			return c.samples[m]
		}
	}
	return nil
}

// success is the mean share of operations that succeeded; 0 if there is none.
func (g *grid) success(c *cell) float64 {
	sample := g.sample(c, MetricSuccess)
	if missing(sample) {
		return 0
	}
	mean, _ := moments(sample)
	return mean
}

// mostSuccess is the greatest success of a number of clients.
func (g *grid) mostSuccess(clients int) float64 {
	most := 0.0
	for i := range g.cells {
		if c := &g.cells[i]; c.clients == clients {
			most = max(most, g.success(c))
		}
	}
	return most
}

// outclassed says which policies are not compared, since too few of their
// operations succeeded.
func (g *grid) outclassed(clients int) []string {
	most := g.mostSuccess(clients)
	var policies []string
	for i := range g.cells {
		if c := &g.cells[i]; c.clients == clients && g.success(c) < most-succeeding {
			policies = append(policies, g.name(c))
		}
	}
	if len(policies) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d clients: not compared with the others, since fewer of their operations succeeded: %s",
		clients, strings.Join(policies, "; "))}
}
