package sim

import (
	"testing"
	"time"
)

// callsOf runs a stream against a server with room for all and returns how many
// operations each client started.
func callsOf(t *testing.T, load Stream, clients int, stop time.Duration) []float64 {
	t.Helper()
	c := &census{calls: make([]float64, clients)}
	e := prepared(idle(Load{Stream: &load}, clients, stop))
	c.server, e.server = e.server, c
	if err := e.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c.calls
}

// census counts the calls of each client.
type census struct {
	server
	calls []float64
}

func (c *census) handle(e *engine, ev event) {
	if ev.kind() == arrives {
		c.calls[e.ops[ev.op].client]++
	}
	c.server.handle(e, ev)
}

// The stream of many independent clients is theirs together: each starts a Poisson
// number of operations, whose variance is its mean. The bounds are four standard
// deviations of the ratio at so many clients, √(2/2000).
func TestEachClientOfAStreamCallsAtRandom(t *testing.T) {
	mean, sd := moments(callsOf(t, Stream{Rate: 1}, 2000, 20*time.Second))
	if ratio := sd * sd / mean; ratio < 0.8732 || ratio > 1.1268 {
		t.Errorf("the calls of the clients vary by %.3f of their mean, want 1", ratio)
	}
}

// Evenly spaced, the operations go round the clients. The last may fall beyond the
// stop.
func TestEvenStreamDealsItsOperationsOut(t *testing.T) {
	for client, calls := range callsOf(t, Stream{Rate: 1, Even: true}, 10, 20*time.Second) {
		if calls != 20 && calls != 19 {
			t.Errorf("client %d calls %v times in 20 s", client, calls)
		}
	}
}
