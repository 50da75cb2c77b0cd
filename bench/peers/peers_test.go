package peers

import (
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	avast "github.com/avast/retry-go/v5"
	aws "github.com/aws/aws-sdk-go-v2/aws/retry"
	cenkalti "github.com/cenkalti/backoff/v5"
	gax "github.com/googleapis/gax-go/v2"
	jpillora "github.com/jpillora/backoff"
	sethvargo "github.com/sethvargo/go-retry"
	k8s "k8s.io/apimachinery/pkg/util/wait"

	"github.com/stagger-sim/stagger/strategies"
)

// Every library is given the same base, limit and factor 2. Variables, so that
// the compiler does not compute with them beforehand.
var (
	base  = 500 * time.Millisecond
	limit = 30 * time.Second
)

// waits are those of one operation: its retries 0 to 9, of which the last four
// have reached the limit. Each adapter below fills them in the way its library
// is used, from the start of an operation on, and draws as the library does.
type waits [10]time.Duration

// contender is one library with one shape of wait, and the envelope it promises.
type contender struct {
	shape, lib string
	operation  func(*waits)
	envelope   func(ceiling time.Duration) (low, high time.Duration)
}

func contenders() []contender {
	plain := func(b sethvargo.Backoff) sethvargo.Backoff { return b }
	percent := func(b sethvargo.Backoff) sethvargo.Backoff { return sethvargo.WithJitterPercent(50, b) }
	rnd := draws{rand.NewPCG(1, 2)}
	return []contender{
		// No jitter, so nobody draws.
		{"exponential", "stagger", staggerPlain{strategies.Exponential{Base: base, Cap: limit}}.operation, exact},
		{"exponential", "stagger-formula", formulaExponential, exact},
		{"exponential", "avast", newAvast(avast.BackOffDelay, base).operation, exact},
		{"exponential", "jpillora", newJpillora(false).operation, exact},
		{"exponential", "k8s", newK8s(0).operation, exact},
		{"exponential", "sethvargo", sethvargoWith{plain}.operation, exact},

		{"full", "stagger", stagger{strategies.Full{Base: base, Cap: limit}, rnd}.operation, upTo},
		{"full", "stagger-formula", formulaFull{rnd}.operation, upTo},
		{"full", "avast", newAvast(avast.FullJitterBackoffDelay, base/2).operation, upTo},
		{"full", "aws", newAWS().operation, upTo},
		{"full", "gax", gaxPause, upTo},
		// Full but for its start at the base, below which it never waits.
		{"full", "jpillora", newJpillora(true).operation, fromBase},
		{"full", "sethvargo", sethvargoWith{sethvargo.WithFullJitter}.operation, upTo},

		// Part of the wait is certain. The parts differ, so these are neighbours
		// and not equals; equal jitter is the nearest that we have.
		{"part", "stagger", stagger{strategies.Equal{Base: base, Cap: limit}, rnd}.operation, between(0.5, 1)},
		{"part", "stagger-formula", formulaEqual{rnd}.operation, between(0.5, 1)},
		{"part", "cenkalti", newCenkalti().operation, between(0.5, 1.5)},
		{"part", "k8s", newK8s(0.1).operation, between(1, 1.1)},
		{"part", "sethvargo", sethvargoWith{percent}.operation, between(0.5, 1.5)},
	}
}

// BenchmarkDelay does operation after operation; an iteration is one wait.
func BenchmarkDelay(b *testing.B) {
	for _, c := range contenders() {
		b.Run("shape="+c.shape+"/lib="+c.lib, func(b *testing.B) {
			b.ReportAllocs()
			var w waits
			for i := 0; i < b.N; i += len(w) {
				c.operation(&w)
			}
		})
	}
}

// draws are uniform numbers in [0, 1), of 53 bits as those of rand.Float64.
type draws struct{ source *rand.PCG }

func (d draws) next() float64 { return float64(d.source.Uint64()>>11) * 0x1p-53 }

// stagger goes through the interface, as a policy does, with a draw of the
// caller's: a PCG of math/rand/v2 of its own. The peers draw from the global
// source, which is safe to share and slower; the AWS SDK from crypto/rand.
type stagger struct {
	wait strategies.Backoff
	rnd  draws
}

func (s stagger) operation(w *waits) {
	var state strategies.State
	for n := range w {
		w[n], state = s.wait.Next(state, strategies.Try{U: s.rnd.next()})
	}
}

// staggerPlain is stagger for a wait without jitter.
type staggerPlain struct{ wait strategies.Backoff }

func (s staggerPlain) operation(w *waits) {
	var state strategies.State
	for n := range w {
		w[n], state = s.wait.Next(state, strategies.Try{})
	}
}

// The formulas behind the waits, for a caller that knows which one it wants; the
// peers whose type is known are called like that too.

func formulaExponential(w *waits) {
	for n := range w {
		w[n] = strategies.Ceiling(base, limit, 2, n)
	}
}

type formulaFull struct{ rnd draws }

func (f formulaFull) operation(w *waits) {
	for n := range w {
		w[n] = strategies.FullJitter(strategies.Ceiling(base, limit, 2, n), f.rnd.next())
	}
}

type formulaEqual struct{ rnd draws }

func (f formulaEqual) operation(w *waits) {
	for n := range w {
		w[n] = strategies.EqualJitter(strategies.Ceiling(base, limit, 2, n), f.rnd.next())
	}
}

var errFailed = errors.New("failed")

// avastWith calls a delay type through its function type and the interface of
// its configuration, and caps what it returns, as the library's own loop does.
type avastWith struct {
	delay  avast.DelayTypeFunc
	config avast.DelayContext
}

// newAvast takes the delay that makes the first ceiling the base: the library
// counts from 1, and its full jitter doubles before the first retry.
func newAvast(delay avast.DelayTypeFunc, first time.Duration) avastWith {
	return avastWith{delay, avast.New(avast.Delay(first), avast.MaxDelay(limit))}
}

func (a avastWith) operation(w *waits) {
	for n := range w {
		w[n] = min(limit, a.delay(uint(n)+1, errFailed, a.config))
	}
}

// awsStandard is the standard retryer: its exponential backoff alone cannot be
// given a base, and does not draw once at the limit.
type awsStandard struct{ retryer *aws.Standard }

func newAWS() awsStandard {
	return awsStandard{aws.NewStandard(func(o *aws.StandardOptions) {
		o.BaseDelay, o.MaxBackoff = base, limit
	})}
}

func (a awsStandard) operation(w *waits) {
	for n := range w {
		w[n], _ = a.retryer.RetryDelay(n+1, errFailed) // fails only when crypto/rand does
	}
}

type cenkaltiExponential struct{ backoff *cenkalti.ExponentialBackOff }

func newCenkalti() cenkaltiExponential {
	b := cenkalti.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval, b.Multiplier = base, limit, 2
	return cenkaltiExponential{b}
}

func (c cenkaltiExponential) operation(w *waits) {
	c.backoff.Reset()
	for n := range w {
		w[n] = c.backoff.NextBackOff()
	}
}

func gaxPause(w *waits) {
	b := gax.Backoff{Initial: base, Max: limit, Multiplier: 2}
	for n := range w {
		w[n] = b.Pause()
	}
}

type jpilloraBackoff struct{ backoff *jpillora.Backoff }

func newJpillora(jitter bool) jpilloraBackoff {
	return jpilloraBackoff{&jpillora.Backoff{Min: base, Max: limit, Factor: 2, Jitter: jitter}}
}

func (j jpilloraBackoff) operation(w *waits) {
	for n := range w {
		w[n] = j.backoff.ForAttempt(float64(n))
	}
}

type k8sBackoff struct{ backoff k8s.Backoff }

func newK8s(jitter float64) k8sBackoff {
	return k8sBackoff{k8s.Backoff{Duration: base, Cap: limit, Factor: 2, Jitter: jitter, Steps: len(waits{})}}
}

func (k k8sBackoff) operation(w *waits) {
	for n := range w {
		w[n] = k.backoff.Step()
	}
}

// sethvargoWith makes a backoff for each operation, since it cannot be reset.
// Ten waits share the few objects that takes, which go test rounds down to 0
// allocs/op; B/op shows them.
type sethvargoWith struct {
	jitter func(sethvargo.Backoff) sethvargo.Backoff
}

func (s sethvargoWith) operation(w *waits) {
	b := s.jitter(sethvargo.WithCappedDuration(limit, sethvargo.NewExponential(base)))
	for n := range w {
		w[n], _ = b.Next() // stops only under a limit on retries
	}
}
