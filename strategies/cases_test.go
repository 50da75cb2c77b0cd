package strategies_test

import (
	"math"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Faults that others' retry code really had, and that ours must not have. Each
// test is named after the public report of one or several of them.

// growing lists the waits that grow, up to this cap.
func growing(base, limit time.Duration) []strategies.Backoff {
	return []strategies.Backoff{
		strategies.Exponential{Base: base, Cap: limit},
		strategies.Equal{Base: base, Cap: limit},
		strategies.Full{Base: base, Cap: limit},
		strategies.Decorrelated{Base: base, Cap: limit},
		strategies.Exponential{Base: base, Cap: limit, Factor: 1.5},
		strategies.Full{Base: base, Cap: limit, Factor: 3},
	}
}

// after returns the wait of retry n (from 0) for a draw of one half, the last
// wait having been the cap.
func after(b strategies.Backoff, n int, last time.Duration) time.Duration {
	wait, _ := b.Next(strategies.State{N: n, Prev: last}, strategies.Try{U: 0.5})
	return wait
}

// Late retries overflowed to NaN, to a negative wait (at once), to none at all,
// or panicked.
func TestCaseOverflow(t *testing.T) {
	for name, retries := range map[string][]int{
		"Polly#2163, urllib3, openai-agents-python#3226": {1023, 1024, 1025, 1026, 1075, 5000},
		"azure-sdk-for-go#23441, goback#5":               {35, 36, 37, 48, 49, 50},
		"avast/retry-go#159, openai-go#519":              {33, 34, 35},
		"flow-go#2258, go-retry#13, kubernetes#105094":   {62, 63, 64, 65},
		"weaviate#10179, go-f3#516, retry4j#36":          {84, 100, 1000},
		"TransientFaultHandling.Core#2":                  {21, 22, 23, 31, 32},
		"shifts by more than the word":                   {127, 128, 255, 256, math.MaxInt32},
	} {
		t.Run(name, func(t *testing.T) {
			for _, limit := range []time.Duration{5 * time.Minute, math.MaxInt64} {
				for _, b := range growing(800*time.Millisecond, limit) {
					for _, n := range retries {
						if wait := after(b, n, limit); wait <= 0 || wait > limit {
							t.Errorf("%v, retry %d: %s", b, n, wait)
						}
					}
				}
			}
		})
	}
}

// Polly#1866: an overflow ignored the cap.
func TestCaseOverflowEndsAtTheCap(t *testing.T) {
	b := strategies.Exponential{Base: time.Second, Cap: 5 * time.Minute}
	if wait := after(b, 2000, 0); wait != 5*time.Minute {
		t.Errorf("got %s", wait)
	}
}

// retry4j#36, amazon-qldb-driver-rust#260: the first wait was none, the second
// 2^n − 1, or base^n instead of base·2^n.
func TestCaseFirstWaits(t *testing.T) {
	b := strategies.Exponential{Base: 3 * time.Second, Cap: time.Hour}
	for n, want := range []time.Duration{3, 6, 12, 24, 48, 96} {
		if wait := after(b, n, 0); wait != want*time.Second {
			t.Errorf("retry %d: %s, want %ds", n, wait, want)
		}
	}
}

// cenkalti/backoff#117 and #139, agenda#1748: jitter passed the cap.
func TestCaseJitterPassesTheCap(t *testing.T) {
	for _, b := range growing(time.Second, 10*time.Second) {
		wait, _ := b.Next(strategies.State{N: 20, Prev: 10 * time.Second}, strategies.Try{U: 1 - 0x1p-53})
		if wait > 10*time.Second {
			t.Errorf("%v waits %s", b, wait)
		}
	}
}

// tenacity#703, backon#184, exponential-backoff#36: jitter died at the cap, did
// not grow with the wait, or was silently gone.
func TestCaseJitterDies(t *testing.T) {
	for _, b := range []strategies.Backoff{
		strategies.Equal{Base: time.Second, Cap: 10 * time.Second},
		strategies.Full{Base: time.Second, Cap: 10 * time.Second},
	} {
		low, _ := b.Next(strategies.State{N: 20}, strategies.Try{U: 0.1})
		high, _ := b.Next(strategies.State{N: 20}, strategies.Try{U: 0.9})
		if high-low < 4*time.Second-time.Nanosecond {
			t.Errorf("%v at the cap spreads from %s to %s", b, low, high)
		}
	}
}

// kubernetes#131122, cluster-api-provider-aws#1283: reaching the cap used up the
// attempts.
func TestCaseCapUsesUpAttempts(t *testing.T) {
	p := strategies.Policy{Wait: strategies.Exponential{Base: time.Second, Cap: time.Second}, Attempts: 5}
	var op strategies.Operation
	sent := 0
	for p.Before(&op, 0).Action == strategies.Send {
		sent++
		if p.After(&op, strategies.Outcome{Status: 503}, 0, 0.5).Action != strategies.Wait {
			break
		}
	}
	if sent != 5 {
		t.Errorf("%d attempts, want 5", sent)
	}
}

// convoy#2829: a base of 0 switched the growth off.
func TestCaseBaseOfZero(t *testing.T) {
	if err := (strategies.Full{Cap: time.Second}).Validate(); err == nil {
		t.Error("a base of 0 is accepted")
	}
}

// afterHint is what a policy does with a 503 and this Retry-After, the computed
// wait being 2 s.
func afterHint(text string, hint time.Duration) strategies.Verdict {
	p, err := strategies.Parse(text)
	if err != nil {
		panic(err)
	}
	var op strategies.Operation
	return p.After(&op, strategies.Outcome{Status: 503, RetryAfter: hint}, 0, 0.5)
}

// go-retryablehttp#247, urllib3#3743, eliza#23807: a hint of hours, or of 30
// days, parked the client or wrapped to 1 ms.
func TestCaseHintOfDays(t *testing.T) {
	for _, hint := range []time.Duration{24 * time.Hour, 720 * time.Hour, math.MaxInt64} {
		if v := afterHint("fixed(2s)", hint); v.Wait != strategies.DefaultCap {
			t.Errorf("%s: %+v", hint, v)
		}
	}
}

// mastra#23778, pydantic-ai#7065, vane#469, anthropic-sdk-python#1827, pi#9724,
// acme.sh#7201, curl#15833: values that are no Retry-After were read as years, as
// negative, not finite or none at all; dates were not read.
func TestCaseValuesThatAreNoRetryAfter(t *testing.T) {
	now := time.Date(2026, time.December, 1, 12, 0, 0, 0, time.UTC)
	for _, value := range []string{"-3", "1.5", "NaN", "inf", "soon", "Mon, 99 Foo 2026", ""} {
		if hint, ok := strategies.ParseRetryAfter([]string{value}, now); ok {
			t.Errorf("%q is read as %s", value, hint)
		}
	}
	if hint, ok := strategies.ParseRetryAfter([]string{"Tue, 01 Dec 2026 12:00:05 GMT"}, now); !ok || hint != 5*time.Second {
		t.Errorf("a date is read as %s, %t", hint, ok)
	}
	if hint, ok := strategies.ParseRetryAfter([]string{"Tue, 01 Dec 2020 12:00:05 GMT"}, now); !ok || hint != 0 {
		t.Errorf("a past date is read as %s, %t", hint, ok)
	}
}

// cenkalti/backoff#159: a hint beyond the time left ended it all in silence.
func TestCaseHintBeyondTheDeadlineSaysWhy(t *testing.T) {
	if v := afterHint("fixed(2s) + deadline(10s)", 20*time.Second); v.Action != strategies.GiveUp || v.Why != strategies.WhyDeadline {
		t.Errorf("got %+v", v)
	}
}

// openclaw#68543, go-application-framework#649: jitter undercut the hint, or all
// clients came back in its very millisecond.
func TestCaseHintAndJitter(t *testing.T) {
	if v := afterHint("full + retry-after(floor, spread=50%)", 5*time.Second); v.Wait != 6250*time.Millisecond {
		t.Errorf("got %+v", v)
	}
	if v := afterHint("full + retry-after(honour)", 5*time.Second); v.Wait != 5*time.Second {
		t.Errorf("got %+v", v)
	}
}

// iggy#4168, analytics-react-native#1294: hints were read with 429 only.
func TestCaseHintWithAnyRetriedStatus(t *testing.T) {
	p, err := strategies.Parse("fixed(2s) + retry(529)")
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []int{429, 502, 503, 529} {
		var op strategies.Operation
		if v := p.After(&op, strategies.Outcome{Status: status, RetryAfter: 5 * time.Second}, 0, 0); v.Wait != 5*time.Second {
			t.Errorf("%d: %+v", status, v)
		}
	}
}

// go-retryablehttp#272, linkerd#2369, trigger.dev#3750, litl/backoff#186: the
// whole deadline was slept out, or never looked at, or only after the first
// retry.
func TestCaseDeadline(t *testing.T) {
	p, err := strategies.Parse("fixed(2s) + deadline(5s)")
	if err != nil {
		t.Fatal(err)
	}
	var op strategies.Operation
	for _, step := range []struct {
		now  time.Duration
		want strategies.Action
	}{{0, strategies.Wait}, {2 * time.Second, strategies.Wait}, {3 * time.Second, strategies.GiveUp}} {
		if v := p.After(&op, strategies.Outcome{Status: 503}, step.now, 0); v.Action != step.want {
			t.Errorf("at %s: %+v", step.now, v)
		}
	}
}

// gax-java#827: a deadline of 0 forbade every retry.
func TestCaseNoDeadlineIsNoLimit(t *testing.T) {
	p := strategies.Policy{Wait: strategies.Immediate{}, Attempts: 3}
	var op strategies.Operation
	if v := p.After(&op, strategies.Outcome{Status: 503}, time.Hour, 0); v.Action != strategies.Wait {
		t.Errorf("got %+v", v)
	}
}

// axios-retry#66 and #17, PanoramicData.OData.Client#43, testsprite-cli#103: what
// creates something was repeated although it may have been done.
func TestCaseDoubleWork(t *testing.T) {
	p := strategies.Policy{Wait: strategies.Immediate{}}
	for _, out := range []strategies.Outcome{
		{Fault: strategies.TimedOut}, {Fault: strategies.Broken}, {Status: 504},
	} {
		op := strategies.Operation{Unsafe: true}
		if v := p.After(&op, out, 0, 0); v.Why != strategies.WhyUnsafe {
			t.Errorf("%+v: %+v", out, v)
		}
	}
}

// go-retryablehttp#175, aiohttp_retry#42, axios-retry#153: what does not heal was
// retried; pgbackrest#2661: what heals was not.
func TestCaseStatuses(t *testing.T) {
	for status, want := range map[int]bool{505: false, 506: false, 510: false, 511: false, 501: false, 429: true, 503: true} {
		if got := (strategies.Outcome{Status: status}).Retryable(); got != want {
			t.Errorf("%d: %t", status, got)
		}
	}
}
