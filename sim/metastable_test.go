package sim

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// A queue that a pause of the server tips over. Afterwards it is so long that
// its clients have left before their turn: the server works for nobody, and the
// retries keep it busy. The figures were measured with an independent simulator,
// over 20 replications.

// outlook is what the pause leads to at a load.
type outlook struct {
	offered  int
	stuck    int     // replications of 20 whose last ten seconds have under half of the goodput
	recovery float64 // seconds, on average over the replications that recover; 0: unknown
	load     float64 // calls per second in the end; 0: unknown
}

const (
	pauseEnd = 30 * time.Second

	oneRetry     = "immediate + attempts(2) + timeout(1s)"
	threeRetries = "immediate + attempts(4) + timeout(1s)"
	jittered     = "full(base=1s, cap=20s) + attempts(4) + timeout(1s)"
)

// face holds a scenario against what a pause should lead to.
func face(t *testing.T, s Scenario, want outlook) {
	t.Helper()
	f := simulate(t, s, lastGoodput(), timely(pauseEnd), callsBetween(s.Stop-100*time.Second, s.Stop))
	sharesAgree(t, "stuck", stuck(t, f, want.offered), s.Replications, want.stuck, 20)
	if want.recovery > 0 {
		mean, _ := moments(recovered(t, f))
		if !(math.Abs(mean-want.recovery) <= max(.25*want.recovery, 2)) {
			t.Errorf("recovers in %.1f s, want %g", mean, want.recovery)
		}
	}
	if want.load > 0 {
		f.within(t, "calls_per_second", want.load, .02)
	}
}

// stuck is how many replications end with under half of the goodput that is
// offered.
func stuck(t *testing.T, f figures, offered int) int {
	t.Helper()
	n := 0
	for _, goodput := range f.sample(t, "last_goodput_per_second") {
		if goodput < float64(offered)/2 {
			n++
		}
	}
	return n
}

// recovered are the times in which those replications recover that do.
func recovered(t *testing.T, f figures) []float64 {
	t.Helper()
	var times []float64
	for _, x := range f.sample(t, "timely_seconds") {
		if !math.IsNaN(x) {
			times = append(times, x)
		}
	}
	if len(times) == 0 {
		t.Fatal("no replication recovers")
	}
	return times
}

// With one retry the queue stays tipped from half of the capacity on.
func outlooks() []outlook {
	return []outlook{
		{100, 0, 18, 101},
		{140, 0, 123, 140},
		{155, 20, 0, 307},
		{280, 20, 0, 560},
	}
}

func TestMetastableQueue(t *testing.T) {
	for _, want := range outlooks() {
		t.Run(fmt.Sprint(want.offered), func(t *testing.T) {
			face(t, cellOf(t, "metastable", oneRetry, want.offered, 8), want)
		})
	}
}

// remedy is what a server can do about it.
type remedy struct {
	name     string
	take     func(*Capacity)
	outlooks []outlook
}

// remedies are for clients with three immediate retries.
func remedies() []remedy {
	all := func(stuck int, recovery float64) []outlook {
		var list []outlook
		for _, offered := range []int{200, 240, 260, 280} {
			list = append(list, outlook{offered, stuck, recovery, 0})
		}
		return list
	}
	return []remedy{
		{"queue of 150", func(c *Capacity) { c.Queue = 150 }, all(0, 2.5)},
		{"queue of 290", func(c *Capacity) { c.Queue = 290 }, all(0, 2.5)},
		{"queue of 600", func(c *Capacity) { c.Queue = 600 }, all(20, 0)},
		{"last first", func(c *Capacity) { c.LastFirst = true }, all(0, 2)},
		{"drop older", func(c *Capacity) { c.DropOlder = time.Second / 2 }, all(0, 2)},
		{"drop abandoned", func(c *Capacity) { c.DropAbandoned = true }, []outlook{{200, 0, 5, 0}, {240, 0, 21, 0}}},
	}
}

func TestRemediesForAMetastableQueue(t *testing.T) {
	for _, m := range remedies() {
		t.Run(m.name, func(t *testing.T) {
			s := cellOf(t, "metastable", threeRetries, m.outlooks[0].offered, 4)
			s.Stop = 140 * time.Second
			m.take(s.Server.Capacity)
			face(t, s, m.outlooks[0])
		})
	}
}

// A queue may be as long as the clients' patience: 5 s at 10/s. Whoever is
// behind more waits in vain, long after the load is what it was.
func TestQueueLimit(t *testing.T) {
	for _, test := range []struct{ limit, stuck int }{{20, 0}, {50, 0}, {80, 20}, {100, 20}} {
		t.Run(fmt.Sprint(test.limit), func(t *testing.T) {
			s := readScenario(t, "queue-limit")
			s.Server.Capacity.Queue = Places(test.limit)
			if got := stuck(t, simulate(t, s, lastGoodput()), 5); got != test.stuck {
				t.Errorf("%d of 20 are stuck, want %d", got, test.stuck)
			}
		})
	}
}
