package sim

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// What the tests share that hold the engine to figures known from elsewhere:
// measured with other simulators, or computed from closed forms. Each comes
// twice: quick in every run of the tests, and whole (TestReference…, behind the
// build tag reference) with the replications that the figures deserve.

// referenceSeed was chosen before any figure was seen. A test that fails with it
// has found something; another seed is no answer.
const referenceSeed = 1

// unlucky is how many standard errors chance may explain: 1 test in 16,000 of
// true agreement goes beyond.
const unlucky = 4

// figures are the values of every metric and probe, by replication.
type figures map[string][]float64

// probe is a figure that is no metric. What attach returns reads it after the
// replication that attach was called before.
type probe struct {
	name   string
	attach func(*engine) (read func() float64)
}

// simulate runs all replications of a scenario of one cell. Short tests look for
// races, which millions of events show no better than a few.
func simulate(t *testing.T, s Scenario, probes ...probe) figures {
	t.Helper()
	if testing.Short() {
		t.Skip("figures need many replications")
	}
	s.Seed = referenceSeed
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	g := newGrid(s)
	if len(g.cells) != 1 {
		t.Fatalf("%d cells, want 1", len(g.cells))
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	if err := g.pilots(ctx, Options{}); err != nil {
		t.Fatal(err)
	}
	f := figures{}
	for _, p := range probes {
		f[p.name] = make([]float64, s.Replications)
	}
	err := g.parallel(ctx, cancel, Options{}, s.Replications, func(e *engine, replication int) error {
		c := &g.cells[0]
		e.prepare(s, c, replication)
		reads := make([]func() float64, len(probes))
		for i, p := range probes {
			reads[i] = p.attach(e)
		}
		if err := e.run(ctx); err != nil {
			return err
		}
		for i, value := range e.tally.observe(g.metrics, e.now) {
			c.samples[i][replication] = value
		}
		for i, p := range probes {
			f[p.name][replication] = reads[i]()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range g.metrics {
		f[m.name] = g.cells[0].samples[i]
	}
	return f
}

// lastAtServer is the time of the last event at the server, in seconds: a
// departure, unless that was followed by a refusal.
func lastAtServer() probe {
	return probe{"last_at_server_seconds", func(e *engine) func() float64 {
		w := &lastEvent{server: e.server}
		e.server = w
		return func() float64 { return w.at.Seconds() }
	}}
}

type lastEvent struct {
	server
	at time.Duration
}

func (w *lastEvent) handle(e *engine, ev event) {
	w.at = e.now
	w.server.handle(e, ev)
}

// allBusy is the share of the measured time in which all workers were busy.
func allBusy(workers int) probe {
	return probe{"all_busy_ratio", func(e *engine) func() float64 {
		w := &saturation{server: e.server, workers: workers, since: e.tally.from}
		e.server = w
		return func() float64 {
			w.advance(e.now)
			return w.full.Seconds() / (e.now - e.tally.from).Seconds()
		}
	}}
}

type saturation struct {
	server
	workers     int
	since, full time.Duration
}

func (w *saturation) handle(e *engine, ev event) {
	w.advance(e.now)
	w.server.handle(e, ev)
}

func (w *saturation) advance(now time.Duration) {
	if now < w.since {
		return
	}
	if _, busy := w.held(); busy == w.workers {
		w.full += now - w.since
	}
	w.since = now
}

// mostAttempts is the largest number of attempts that one operation of a herd
// needed.
func mostAttempts() probe {
	return probe{"most_attempts", func(e *engine) func() float64 {
		return func() float64 {
			most := 0
			for i := range e.ops {
				most = max(most, int(e.ops[i].state.Attempts))
			}
			return float64(most)
		}
	}}
}

// mustParse returns the policy of a text.
func mustParse(t *testing.T, text string) strategies.Policy {
	t.Helper()
	p, err := strategies.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sample returns the values of a figure.
func (f figures) sample(t *testing.T, figure string) []float64 {
	t.Helper()
	if len(f[figure]) == 0 {
		t.Fatalf("%s was not measured", figure)
	}
	return f[figure]
}

// exactly fails unless a figure has this value in every replication.
func (f figures) exactly(t *testing.T, figure string, want float64) {
	t.Helper()
	for replication, got := range f.sample(t, figure) {
		if got != want {
			t.Errorf("%s = %v in replication %d, want exactly %v", figure, got, replication+1, want)
			return
		}
	}
}

// expect fails unless the mean of a figure agrees with its expectation: within
// what chance may explain, and within a relative tolerance, lest a sample too
// small to tell anything pass.
func (f figures) expect(t *testing.T, figure string, want, tolerance float64) {
	t.Helper()
	sample := f.sample(t, figure)
	mean, sd := moments(sample)
	z := (mean - want) / (sd / math.Sqrt(float64(len(sample))))
	if !(math.Abs(z) < unlucky) { // negated, so that NaN fails
		t.Errorf("%s = %.6g over %d replications, want %.6g (z = %.1f)", figure, mean, len(sample), want, z)
	}
	f.within(t, figure, want, tolerance)
}

// within fails unless the mean of a figure is so close, relatively.
func (f figures) within(t *testing.T, figure string, want, tolerance float64) {
	t.Helper()
	if mean, _ := moments(f.sample(t, figure)); !(math.Abs(mean-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s = %.6g, want %.6g within %.3g %%", figure, mean, want, 100*tolerance)
	}
}

// estimate is what n replications elsewhere say of a figure.
type estimate struct {
	n        int
	mean, sd float64
}

// agrees fails if the mean of a figure differs from an estimate by more than
// chance may explain.
func (f figures) agrees(t *testing.T, figure string, want estimate) {
	t.Helper()
	sample := f.sample(t, figure)
	mean, sd := moments(sample)
	// What never varied in n replications may still vary once in a few n.
	span := max(slices.Max(sample), want.mean) - min(slices.Min(sample), want.mean)
	difference := mean - want.mean
	if difference == 0 {
		return
	}
	z := difference / math.Hypot(standardError(sd, len(sample), span), standardError(want.sd, want.n, span))
	if !(math.Abs(z) < unlucky) {
		t.Errorf("%s = %.6g over %d replications, want %.6g over %d (z = %.1f)",
			figure, mean, len(sample), want.mean, want.n, z)
	}
}

func standardError(sd float64, n int, span float64) float64 {
	if sd == 0 {
		return span / float64(n)
	}
	return sd / math.Sqrt(float64(n))
}

// spreads fails if the standard deviation of a figure differs from an estimate
// by more than chance may explain. A deviation that is nothing beside its mean
// is left out: it may hang on few replications. So is that of a figure with two
// values: it follows from the mean, and the formula below is none for it.
func (f figures) spreads(t *testing.T, figure string, want estimate) {
	t.Helper()
	sample := f.sample(t, figure)
	mean, sd := moments(sample)
	small := sd <= 0.01*math.Abs(mean) || want.sd <= 0.01*math.Abs(want.mean)
	if small || twoValued(sample) {
		return
	}
	// The logarithm of a deviation over n values has the variance
	// (kurtosis − 1) / 4n.
	variance := (kurtosis(sample) - 1) / 2 * (0.5/float64(len(sample)) + 0.5/float64(want.n))
	if ratio := math.Log(sd / want.sd); !(math.Abs(ratio) < unlucky*math.Sqrt(variance)) {
		t.Errorf("sd of %s = %.4g over %d replications, want %.4g over %d (ratio off by %.1f standard errors)",
			figure, sd, len(sample), want.sd, want.n, ratio/math.Sqrt(variance))
	}
}

// twoValued reports whether a sample has at most two values.
func twoValued(sample []float64) bool {
	low, high := slices.Min(sample), slices.Max(sample)
	return !slices.ContainsFunc(sample, func(x float64) bool { return low < x && x < high })
}

// kurtosis returns the fourth central moment over the squared variance; 3 for a
// normal distribution.
func kurtosis(sample []float64) float64 {
	mean, _ := moments(sample)
	squares, fourths := 0.0, 0.0
	for _, x := range sample {
		d := (x - mean) * (x - mean)
		squares += d
		fourths += d * d
	}
	return fourths * float64(len(sample)) / (squares * squares)
}

// divides fails if the share of a figure's values up to a quantile that was
// estimated elsewhere differs from q by more than chance may explain.
func (f figures) divides(t *testing.T, figure string, q, quantile float64, n int) {
	t.Helper()
	sample := f.sample(t, figure)
	below := 0
	for _, x := range sample {
		if x <= quantile {
			below++
		}
	}
	ours := len(sample)
	share := float64(below) / float64(ours)
	z := (share - q) / math.Sqrt(q*(1-q)*(1/float64(ours)+1/float64(n)))
	if !(math.Abs(z) < unlucky) {
		t.Errorf("%.3f of %s over %d replications lie up to %.6g, want %g (z = %.1f)", share, figure, ours, quantile, q, z)
	}
}

// row is a line of a file of figures, by the names in its first line.
type row map[string]string

// readRows reads a file of figures from testdata.
func readRows(t *testing.T, name string) []row {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	lines, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, line := range lines[1:] {
		r := row{}
		for i, column := range lines[0] {
			r[column] = line[i]
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		t.Fatalf("%s has no rows", name)
	}
	return rows
}

func (r row) number(t *testing.T, column string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(r[column], 64)
	if err != nil {
		t.Fatalf("column %s: %v", column, err)
	}
	return x
}

func (r row) count(t *testing.T, column string) int {
	t.Helper()
	return int(r.number(t, column))
}

// milliseconds reads a column of milliseconds.
func (r row) milliseconds(t *testing.T, column string) time.Duration {
	t.Helper()
	return time.Duration(r.number(t, column) * float64(time.Millisecond))
}

// estimate reads the columns mean_… and sd_…, in so many units to our one.
func (r row) estimate(t *testing.T, column string, units float64) estimate {
	t.Helper()
	return estimate{
		n:    r.count(t, "replications"),
		mean: r.number(t, "mean_"+column) / units,
		sd:   r.number(t, "sd_"+column) / units,
	}
}
