package bench

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Variables, so that the compiler does not compute with them beforehand.
var (
	base  = 500 * time.Millisecond
	limit = 30 * time.Second
)

// waits are those of one operation: its retries 0 to 9, of which the last four
// have reached the limit. Operations are timed one after the other, and an
// iteration of a benchmark is one wait.
type waits [10]time.Duration

// draws returns what the benchmarks draw from: a PCG, the cheaper one of the two
// sources of math/rand/v2.
func draws() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// shapes are all the waits, each with the name of its formula.
func shapes() []shape {
	return []shape{
		{"immediate", strategies.Immediate{}},
		{"fixed", strategies.Fixed{Delay: base}},
		{"exponential", strategies.Exponential{Base: base, Cap: limit}},
		{"equal", strategies.Equal{Base: base, Cap: limit}},
		{"full", strategies.Full{Base: base, Cap: limit}},
		{"decorrelated", strategies.Decorrelated{Base: base, Cap: limit}},
	}
}

type shape struct {
	name string
	wait strategies.Backoff
}

// operation asks for the waits the way a policy does: through the interface,
// and with a draw whether the wait uses it or not.
func (s shape) operation(w *waits, rnd *rand.Rand) {
	var state strategies.State
	for n := range w {
		w[n], state = s.wait.Next(state, strategies.Try{U: rnd.Float64()})
	}
}

func BenchmarkDelay(b *testing.B) {
	for _, s := range shapes() {
		b.Run("shape="+s.name+"/lib=stagger", func(b *testing.B) {
			b.ReportAllocs()
			var w waits
			rnd := draws()
			for i := 0; i < b.N; i += len(w) {
				s.operation(&w, rnd)
			}
		})
	}
}

// BenchmarkFormula times the formulas behind the waits, called directly.
func BenchmarkFormula(b *testing.B) {
	for _, f := range formulas() {
		b.Run("shape="+f.name, func(b *testing.B) {
			b.ReportAllocs()
			var w waits
			rnd := draws()
			for i := 0; i < b.N; i += len(w) {
				f.operation(&w, rnd)
			}
		})
	}
}

type formula struct {
	name      string
	operation func(*waits, *rand.Rand)
}

func formulas() []formula {
	return []formula{
		{"exponential", func(w *waits, _ *rand.Rand) {
			for n := range w {
				w[n] = strategies.Ceiling(base, limit, 2, n)
			}
		}},
		{"equal", func(w *waits, rnd *rand.Rand) {
			for n := range w {
				w[n] = strategies.EqualJitter(strategies.Ceiling(base, limit, 2, n), rnd.Float64())
			}
		}},
		{"full", func(w *waits, rnd *rand.Rand) {
			for n := range w {
				w[n] = strategies.FullJitter(strategies.Ceiling(base, limit, 2, n), rnd.Float64())
			}
		}},
		{"decorrelated", func(w *waits, rnd *rand.Rand) {
			prev := base
			for n := range w {
				prev = strategies.DecorrelatedJitter(base, limit, prev, 3, rnd.Float64())
				w[n] = prev
			}
		}},
	}
}

func TestDelayAllocatesNothing(t *testing.T) {
	rnd := draws()
	var w waits
	for _, s := range shapes() {
		if n := testing.AllocsPerRun(100, func() { s.operation(&w, rnd) }); n != 0 {
			t.Errorf("%s: %v allocations an operation, want 0", s.name, n)
		}
	}
	for _, f := range formulas() {
		if n := testing.AllocsPerRun(100, func() { f.operation(&w, rnd) }); n != 0 {
			t.Errorf("formula %s: %v allocations an operation, want 0", f.name, n)
		}
	}
}
