package sim

import (
	"slices"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// tally watches one replication and never steers it. The engine reports each
// step through its methods; metric.go turns what it has seen into figures.
type tally struct {
	counts               // since the start of the run
	base   counts        // what of it lies before the measured time
	from   time.Duration // start of the measured time
	busy   gauge
	queued gauge

	queueWait float64         // summed over the measured attempts, ns
	waiting   float64         // summed over the waits decided in the measured time, ns
	latencies []time.Duration // of the measured operations that succeeded
	censored  int             // measured operations that gave up
	overdue   int             // measured operations still under way at the end, for longer than usual
	lastEnd   time.Duration
	lastFault time.Duration // when the last fault ended that ends before the stop
	trouble   trouble
	wasted    float64 // worker time spent on requests nobody waited for any more, ns

	windows  windows
	outcomes [outcomeKinds]int // as the clients saw them, by place
	series   *series           // nil: not recorded
	lifeline *lifeline         // nil: not recorded
	pilot    *pilot            // nil: not recorded

	brief  bool     // no latencies are kept: the operations are calls of another server
	behind []*tally // of the servers behind
}

// counts counts the steps of attempts and operations.
type counts struct {
	operations   int // started
	succeeded    int
	gaveUp       int
	retries      int // decided
	calls        int // attempts that reached the server
	refusals     int
	admissions   int
	services     int // finished
	lostRequests int // that vanished on the way
	lostAnswers  int
	swallows     int              // requests that a hanging server took and forgot
	drops        int              // requests thrown away at their turn
	ignores      int              // answers that nobody waited for any more
	duplicates   int              // resources beyond the one that an operation wanted
	shorted      int              // attempts that a breaker or throttle held back
	withdrawn    int              // waits for an attempt that was not made after all
	cancels      int              // calls given up since nobody needed them any more
	reasons      [reasonKinds]int // operations that gave up, by why
}

// reasonKinds is room for every reason to give up.
const reasonKinds = 10

func (t *tally) reset(from time.Duration) {
	*t = tally{from: from, latencies: t.latencies[:0], behind: t.behind[:0]}
}

// restart begins the measured time.
func (t *tally) restart(now time.Duration) {
	t.base = t.counts
	t.busy.restart(now)
	t.queued.restart(now)
	t.queueWait, t.waiting, t.wasted = 0, 0, 0
	t.outcomes = [outcomeKinds]int{}
	t.windows = windows{}
	for _, b := range t.behind {
		b.restart(now)
	}
}

func (t *tally) started(at time.Duration) {
	t.operations++
	if t.lifeline != nil {
		t.lifeline.at(at).started++
	}
}

func (t *tally) arrived(now time.Duration, retry bool) {
	t.calls++
	t.windows.add(now, retry)
	if t.series != nil {
		t.series.add(now)
	}
	if t.lifeline != nil {
		t.lifeline.at(now).calls++
	}
}

// lined reports that the queue has grown or shrunk.
func (t *tally) lined(now time.Duration, by int) {
	t.queued.add(now, by)
	if t.lifeline != nil {
		s := t.lifeline.at(now)
		t.lifeline.queued = t.queued.level
		s.queued = max(s.queued, t.queued.level)
	}
}

func (t *tally) rejected() { t.refusals++ }

// admitted reports that work on an attempt starts after so long in the queue.
func (t *tally) admitted(queued time.Duration) {
	t.admissions++
	t.queueWait += float64(queued)
}

// served reports that an attempt has been worked on for so long, and whether its
// client still waits for the answer.
func (t *tally) served(work time.Duration, awaited bool) {
	t.services++
	if !awaited {
		t.wasted += float64(work)
	}
}

func (t *tally) requestLost() { t.lostRequests++ }
func (t *tally) answerLost()  { t.lostAnswers++ }
func (t *tally) swallowed()   { t.swallows++ }
func (t *tally) dropped()     { t.drops++ }
func (t *tally) ignored()     { t.ignores++ }
func (t *tally) duplicated()  { t.duplicates++ }
func (t *tally) withdrew()    { t.withdrawn++ }
func (t *tally) cancelled()   { t.cancels++ }

// shortCircuited reports that a breaker or throttle held an attempt back.
func (t *tally) shortCircuited(now time.Duration) {
	t.shorted++
	if t.lifeline != nil {
		t.lifeline.at(now).shorted++
	}
}

// waited reports a wait, as far as it lies before the stop, that ends with no retry
// but with another look.
func (t *tally) waited(wait time.Duration) { t.waiting += float64(wait) }

// retried reports the wait before a retry, as far as it lies before the stop.
func (t *tally) retried(wait time.Duration) {
	t.retries++
	t.waited(wait)
}

func (t *tally) ended(now, start time.Duration, v strategies.Verdict) {
	t.lastEnd = now
	done := v.Action == strategies.Done
	if done {
		t.succeeded++
	} else {
		t.gaveUp++
		t.reasons[v.Why]++
	}
	if t.pilot != nil {
		t.pilot.add(now, now-start)
	}
	if t.lifeline != nil && done {
		t.lifeline.at(now).succeeded++
		t.lifeline.at(start).kept++
	}
	switch {
	case start < t.from || t.brief:
	case done:
		t.latencies = append(t.latencies, now-start)
	default:
		t.censored++
	}
}

// outcomeKinds is room for every status, and for the faults from 1000 on.
const outcomeKinds = 1010

// saw counts an outcome of an attempt.
func (t *tally) saw(out strategies.Outcome) {
	if out.Fault != strategies.NoFault {
		t.outcomes[1000+int(out.Fault)]++
		return
	}
	t.outcomes[out.Status]++
}

// settle counts what was still under way when the run ended: operations that
// have taken longer already than 99 % of those that succeeded are overdue, and
// count as if they had failed; of the younger ones nothing is known yet. Only the
// operations of clients are judged, not the calls between servers, which calls (nil:
// there are none) tells apart.
func (t *tally) settle(ops []operation, calls []call, end time.Duration) {
	usual, _ := t.quantile(0.99)
	for i := range ops {
		if calls != nil && calls[i].depth > 0 {
			continue
		}
		if o := &ops[i]; o.phase != ended && o.state.Start >= t.from && end-o.state.Start > usual {
			t.overdue++
		}
	}
}

// judged is how many of the measured operations something is known of.
func (t *tally) judged() int { return len(t.latencies) + t.censored + t.overdue }

// quantile returns the latency that a share q of the judged operations did not
// exceed. One that gave up or is overdue took longer than any that succeeded;
// when the quantile is one of those, there is none.
func (t *tally) quantile(q float64) (time.Duration, bool) {
	n := t.judged()
	if n == 0 {
		return 0, false
	}
	rank := rankOf(q, n)
	if rank >= len(t.latencies) {
		return 0, false
	}
	if !slices.IsSorted(t.latencies) {
		slices.Sort(t.latencies)
	}
	return t.latencies[rank], true
}

// trouble measures the calls that reach the server while any fault lasts.
type trouble struct {
	lasts bool
	since time.Duration // when the trouble at hand began
	at    int           // the calls until then
	took  time.Duration // of the troubles that are over
	calls int           // during these
}

// troubled reports whether any fault lasts from now on.
func (t *tally) troubled(now time.Duration, lasts bool) {
	w := &t.trouble
	switch {
	case lasts && !w.lasts:
		w.since, w.at = now, t.calls
	case !lasts && w.lasts:
		w.took += now - w.since
		w.calls += t.calls - w.at
	}
	w.lasts = lasts
}

// faultLoad is the calls per second that reached the server while faults lasted.
func (t *tally) faultLoad() float64 { return float64(t.trouble.calls) / t.trouble.took.Seconds() }

// gauge integrates a level over time.
type gauge struct {
	level int
	area  float64 // level × ns since the start or the last restart
	since time.Duration
}

func (g *gauge) add(now time.Duration, by int) {
	g.advance(now)
	g.level += by
}

func (g *gauge) advance(now time.Duration) {
	g.area += float64(float64(g.level) * float64(now-g.since))
	g.since = now
}

func (g *gauge) restart(now time.Duration) {
	g.since, g.area = now, 0
}

// Window is the length of the windows in which the calls that reach the server
// are counted; they are aligned to its multiples.
const Window = 100 * time.Millisecond

// windows counts calls per window and keeps what the peak metrics need.
type windows struct {
	began, ends time.Duration // the window at hand
	first       time.Duration // the beginning of the first window
	calls       int           // in the window at hand
	retries     int
	all         int
	peak        int
	peakRetries int
}

func (w *windows) add(now time.Duration, retry bool) {
	if now >= w.ends {
		w.roll(now)
	}
	w.calls++
	w.all++
	if retry {
		w.retries++
	}
}

// roll closes the window at hand and opens the one of now.
func (w *windows) roll(now time.Duration) {
	w.peak = max(w.peak, w.calls)
	w.peakRetries = max(w.peakRetries, w.retries)
	w.calls, w.retries = 0, 0
	w.began = now - now%Window
	if w.all == 0 {
		w.first = w.began
	}
	w.ends = w.began + Window
}

// herdScore is the peak over the mean calls per window, from the first window
// with a call to the last.
func (w *windows) herdScore() float64 {
	spanned := (w.ends - w.first) / Window
	return float64(max(w.peak, w.calls)) * float64(spanned) / float64(w.all)
}

// series counts calls per window over the whole run. When it grows too long, it
// doubles its windows.
type series struct {
	window time.Duration
	calls  []int
}

// longestSeries holds ten minutes in windows of 100 ms.
const longestSeries = 6000

func (s *series) add(now time.Duration) {
	i := int(now / s.window)
	for i >= longestSeries {
		s.double()
		i = int(now / s.window)
	}
	for len(s.calls) <= i {
		s.calls = append(s.calls, 0)
	}
	s.calls[i]++
}

func (s *series) double() {
	s.window *= 2
	for i := range s.calls {
		half := s.calls[i]
		s.calls[i] = 0
		s.calls[i/2] += half
	}
	s.calls = s.calls[:(len(s.calls)+1)/2]
}
