package strategies_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

func TestParseToCanonicalText(t *testing.T) {
	tests := []struct{ text, want string }{
		{"immediate", "immediate"},
		{"immediate()", "immediate"},
		{" careful :full+attempts(3)", "careful: full(base=500ms, cap=30s) + attempts(3)"},
		{"full + timeout(1s) + deadline(10s) + attempts(5)", "full(base=500ms, cap=30s) + attempts(5) + deadline(10s) + timeout(1s)"},
		{"fixed(1s) + rate(100/s)", "fixed(1s) + rate(100/s)"},
		{"fixed(1s) + rate(0.5/s) + unsafe", "fixed(1s) + rate(0.5/s) + unsafe"},
		{"fixed(1s) + retry(timeout, 500,408) + final( 504 )", "fixed(1s) + retry(408, 500, timeout) + final(504)"},
		{"fixed(1s) + retry-after(honour)", "fixed(1s)"},
		{"fixed(1s) + retry-after(honour, cap=60s)", "fixed(1s) + retry-after(honour, cap=1m)"},
		{"fixed(1s) + retry-after(floor, spread=50%)", "fixed(1s) + retry-after(floor, spread=50%)"},
		{"fixed(1s) + retry-after(ignore)", "fixed(1s) + retry-after(ignore)"},
		{"fixed(1s)", "fixed(1s)"},
		{"fixed(60s)", "fixed(1m)"},
		{"fixed(90m)", "fixed(1h30m)"},
		{"fixed(1h0m5s)", "fixed(1h0m5s)"},
		{"fixed(1.5us)", "fixed(1.5µs)"},
		{"exponential", "exponential(base=500ms, cap=30s)"},
		{"equal()", "equal(base=500ms, cap=30s)"},
		{"full", "full(base=500ms, cap=30s)"},
		{"decorrelated", "decorrelated(base=500ms, cap=30s)"},
		{"full(base=1s)", "full(base=1s, cap=30s)"},
		{"full(cap=1m)", "full(base=500ms, cap=1m)"},
		{"full(cap=1h, base=0.1s)", "full(base=100ms, cap=1h)"},
		{"full(base=30s)", "full(base=30s, cap=30s)"},
		{"full(factor=1.5)", "full(base=500ms, cap=30s, factor=1.5)"},
		{"full(factor=1e6)", "full(base=500ms, cap=30s, factor=1e+06)"},
		{"full(factor=2)", "full(base=500ms, cap=30s)"},
		{"full(factor=3)", "full(base=500ms, cap=30s, factor=3)"},
		{"decorrelated(factor=3)", "decorrelated(base=500ms, cap=30s)"},
		{"decorrelated(factor=2)", "decorrelated(base=500ms, cap=30s, factor=2)"},
		{"immediate + attempts(1)", "immediate + attempts(1)"},
		{"full + attempts(5) + deadline(10s)", "full(base=500ms, cap=30s) + attempts(5) + deadline(10s)"},
		{"full + deadline(10s) + attempts(5)", "full(base=500ms, cap=30s) + attempts(5) + deadline(10s)"},
		{"  full ( base = 1s ,cap=2s )+attempts( 5 )\n", "full(base=1s, cap=2s) + attempts(5)"},

		// What clients share.
		{"full + key", "full(base=500ms, cap=30s) + key"},
		{"full + budget(10%)", "full(base=500ms, cap=30s) + budget(10%, window=10s)"},
		{"full + budget(0.1)", "full(base=500ms, cap=30s) + budget(10%, window=10s)"},
		{"full + budget(7%, window=60s, min=10/s)", "full(base=500ms, cap=30s) + budget(7%, window=1m, min=10/s)"},
		{"full + budget(100%, min=0.5/s, refill=success, per=all)", "full(base=500ms, cap=30s) + budget(100%, window=10s, min=0.5/s, refill=success, per=all)"},
		{"full + budget(10%, refill=first, per=1)", "full(base=500ms, cap=30s) + budget(10%, window=10s)"},
		{"full + tokens(10)", "full(base=500ms, cap=30s) + tokens(10)"},
		{"full + tokens(500, cost=1, add=0.1)", "full(base=500ms, cap=30s) + tokens(500)"},
		{"full + tokens(500, cost=14, throttled=14)", "full(base=500ms, cap=30s) + tokens(500, cost=14)"},
		{"full + tokens(500, throttled=1)", "full(base=500ms, cap=30s) + tokens(500)"},
		{"full + tokens(500, cost=14, throttled=5, add=1, keep=0)", "full(base=500ms, cap=30s) + tokens(500, cost=14, throttled=5, add=1)"},
		{"full + tokens( 500 , refund , keep=0.5, refill=success, per=20 )", "full(base=500ms, cap=30s) + tokens(500, refill=success, keep=0.5, refund, per=20)"},
		{"full + grpc-throttling(10)", "full(base=500ms, cap=30s) + grpc-throttling(10)"},
		{"full + grpc-throttling(10, ratio=0.1)", "full(base=500ms, cap=30s) + grpc-throttling(10)"},
		{"full + grpc-throttling(100, ratio=0.5, per=all)", "full(base=500ms, cap=30s) + grpc-throttling(100, ratio=0.5, per=all)"},
		{"full + concurrency(20%)", "full(base=500ms, cap=30s) + concurrency(20%)"},
		{"full + concurrency(20%, min=3)", "full(base=500ms, cap=30s) + concurrency(20%)"},
		{"full + concurrency(20%, parked, min=5, per=50)", "full(base=500ms, cap=30s) + concurrency(20%, min=5, parked, per=50)"},
		{"full + gate(10%)", "full(base=500ms, cap=30s) + gate(10%)"},
		{"full + gate(10%, per=all)", "full(base=500ms, cap=30s) + gate(10%, per=all)"},
		{"full + breaker(50%)", "full(base=500ms, cap=30s) + breaker(50%, window=10s, min=20, open=5s)"},
		{"full + breaker(50%, window=10s, min=20, open=5s, probes=1)", "full(base=500ms, cap=30s) + breaker(50%, window=10s, min=20, open=5s)"},
		{"full + breaker(50%, window=10s, min=10, open=10s, max-open=1m, probes=5, when-open=wait)", "full(base=500ms, cap=30s) + breaker(50%, window=10s, min=10, open=10s, max-open=1m, probes=5, when-open=wait)"},
		{"full + breaker(50%, calls=10, min=10)", "full(base=500ms, cap=30s) + breaker(50%, calls=10, min=10, open=5s)"},
		{"full + breaker(50%, calls=100, min=20, when-open=fail)", "full(base=500ms, cap=30s) + breaker(50%, calls=100, min=20, open=5s)"},
		{"full + breaker(consecutive=5)", "full(base=500ms, cap=30s) + breaker(consecutive=5, open=5s)"},
		{"full + breaker(consecutive=5, open=1m, per=all)", "full(base=500ms, cap=30s) + breaker(consecutive=5, open=1m, per=all)"},
		{"fixed(1s) + breaker(12.5%, when-open=retry)", "fixed(1s) + breaker(12.5%, window=10s, min=20, open=5s, when-open=retry)"},
		{"full + throttle(2)", "full(base=500ms, cap=30s) + throttle(2, window=2m)"},
		{"full + throttle(1.5, window=120s, per=all)", "full(base=500ms, cap=30s) + throttle(1.5, window=2m, per=all)"},
		{"full + throttle(2) + breaker(consecutive=3) + gate(1%) + key + attempts(3)", "full(base=500ms, cap=30s) + attempts(3) + key + gate(1%) + breaker(consecutive=3, open=5s) + throttle(2, window=2m)"},
	}
	for _, test := range tests {
		policy, err := strategies.Parse(test.text)
		if err != nil {
			t.Error(err)
		} else if got := policy.String(); got != test.want {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}

// What the documentation and the faults show is a policy, and every part can be
// shared.
func TestParseReadsItsOwnExamples(t *testing.T) {
	for _, term := range []string{
		"budget(10%, window=10s, min=10/s, refill=success)",
		"tokens(500, cost=14, throttled=5, add=1, refill=success, keep=0, refund)",
		"grpc-throttling(10, ratio=0.1)",
		"concurrency(20%, min=3, parked)",
		"gate(10%)",
		"breaker(50%, window=10s, min=20, open=5s, max-open=1m, probes=5, when-open=fail)",
		"breaker(50%, calls=100, min=20, open=5s, max-open=1m, probes=5, when-open=fail)",
		"breaker(consecutive=5, open=5s, max-open=1m, probes=5, when-open=fail)",
		"throttle(2, window=2m)",
	} {
		mustParse(t, "careful: full + "+term)
		mustParse(t, "full + "+strings.TrimSuffix(term, ")")+", per=50)")
	}
}

func TestParseReadsEveryField(t *testing.T) {
	got := mustParse(t, "equal(base=1s, cap=1m, factor=1.5) + attempts(5) + deadline(10s)")
	want := strategies.Policy{
		Wait:     strategies.Equal{Base: time.Second, Cap: time.Minute, Factor: 1.5},
		Attempts: 5,
		Deadline: 10 * time.Second,
	}
	if got != want {
		t.Errorf("got %#v, want %#v", got, want)
	}
}

// Written out or left to the default, a factor is the same policy.
func TestUsualFactorIsLeftOut(t *testing.T) {
	if got, want := mustParse(t, "full(factor=2)"), mustParse(t, "full"); got != want {
		t.Errorf("got %#v, want %#v", got, want)
	}
	wait := strategies.Full{Base: time.Second, Cap: time.Minute, Factor: 2}
	if got, want := wait.String(), "full(base=1s, cap=1m)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseNamesEveryFault(t *testing.T) {
	tests := []struct {
		text   string
		faults []string
	}{
		// No policy at all.
		{"", []string{"it is empty; write a wait such as full(base=500ms, cap=30s)"}},
		{" \n", []string{"it is empty; write a wait such as full(base=500ms, cap=30s)"}},

		// Names.
		{"ful", []string{`unknown wait "ful" (did you mean "full"?)`}},
		{"Full", []string{`unknown wait "Full" (did you mean "full"?)`}},
		{"jitter", []string{`unknown wait "jitter" (known: immediate, fixed, exponential, equal, decorrelated, full)`}},
		{"full + atempts(5)", []string{`unknown term "atempts" (did you mean "attempts"?)`}},
		{"full + magic", []string{`unknown term "magic" (known: attempts, deadline, timeout, retry-after, rate, retry, final, unsafe, key, breaker, throttle, budget, tokens, grpc-throttling, concurrency, gate)`}},
		{"full + retry-after", []string{`retry-after takes honour, ignore or floor, as in retry-after(floor, spread=50%)`}},
		{"full + retry-after(honor)", []string{`unknown retry-after mode "honor" (did you mean "honour"?)`}},
		{"full + retry-after(ignore, spread=50%)", []string{`retry-after: spread goes with floor only`}},
		{"full + retry-after(floor, spread=half)", []string{`retry-after: spread: "half" is no percentage from 0% to 10000%`}},
		{"full + rate(100)", []string{`rate: "100" is no rate (write 100/s; up to 1000000/s)`}},
		{"full + rate(NaN/s)", []string{`rate: "NaN/s" is no rate (write 100/s; up to 1000000/s)`}},
		{"full + retry", []string{`retry takes statuses and faults, as in retry(500, timeout)`}},
		{"full + retry(200)", []string{`retry: "200" is neither a status from 400 to 599 nor refused, timeout or broken`}},
		{"full + retry(500) + final(500)", []string{`retry and final have a status in common`}},
		{"full + unsafe(1)", []string{`unsafe takes no parameters`}},
		{"full + timeout(0s)", []string{`timeout must be at least 1ns, got 0s`}},
		{"Careful: full", []string{`"Careful" is no name for a policy: write a word of small letters, digits and dashes that is no wait`}},
		{"full: full", []string{`"full" is no name for a policy: write a word of small letters, digits and dashes that is no wait`}},
		{"a: b: full", []string{`unknown wait "b: full" (did you mean "full"?)`}},
		{"full(bsae=1s)", []string{`unknown full parameter "bsae" (did you mean "base"?)`}},
		{"full(jitter=1)", []string{`unknown full parameter "jitter" (known: base, cap, factor)`}},

		// Shape.
		{"full(base=1s", []string{`"full(base=1s" lacks a ")"`}},
		{"full(base=1s + attempts(5)", []string{`"full(base=1s + attempts(5)" lacks a ")"`}},
		{"full(base=1s))", []string{`"full(base=1s))" is not one term; write name(…), joined by "+"`}},
		{"full() attempts(5)", []string{`"full() attempts(5)" is not one term; write name(…), joined by "+"`}},
		{"full(base=)", []string{`"full(base=)" has an empty parameter; fill it in or leave it out`}},
		{"full(=1s)", []string{`"full(=1s)" has an empty parameter; fill it in or leave it out`}},
		{"full(base=1s,)", []string{`"full(base=1s,)" has an empty parameter; fill it in or leave it out`}},
		{"full +", []string{`a term is missing beside a "+"`}},
		{"+ attempts(5)", []string{`a term is missing beside a "+"`}},
		{"full ++ attempts(5)", []string{`a term is missing beside a "+"`}},

		// Which terms, and how often.
		{"attempts(5)", []string{"attempts is a limit, and the first term must be a wait; write full + attempts(…)"}},
		{"attempts(5) + full", []string{
			"attempts is a limit, and the first term must be a wait; write full + attempts(…)",
			"full is a wait; a policy has exactly one, as its first term",
		}},
		{"full + equal", []string{"equal is a wait; a policy has exactly one, as its first term"}},
		{"full + attempts(5) + attempts(5)", []string{"attempts stands twice"}},
		{"full(base=1s, base=1s)", []string{"full: base stands twice"}},

		// Parameters of the wrong kind.
		{"immediate(1s)", []string{"immediate takes no parameters"}},
		{"fixed", []string{"fixed takes a wait, as in fixed(1s)"}},
		{"fixed(delay=1s)", []string{"fixed takes a wait, as in fixed(1s)"}},
		{"fixed(1s, 2s)", []string{"fixed takes a wait, as in fixed(1s)"}},
		{"full(1s)", []string{`full: name the parameter of "1s", as in base=1s`}},
		{"full + attempts", []string{"attempts takes a number, as in attempts(5)"}},
		{"full + deadline()", []string{"deadline takes a duration, as in deadline(10s)"}},

		// Values.
		{"fixed(0)", []string{"fixed must be at least 1ns, got 0"}},
		{"fixed(0.1ns)", []string{"fixed must be at least 1ns, got 0.1ns"}},
		{"full(base=500)", []string{`full: base: "500" is no duration (write 500ms, 1.5s, 2m; at most 2562047h)`}},
		{"full(cap=9999999h)", []string{`full: cap: "9999999h" is no duration (write 500ms, 1.5s, 2m; at most 2562047h)`}},
		{"full(base=-1s)", []string{"full: base must be at least 1ns, got -1s"}},
		{"full(base=2s, cap=1s)", []string{"full: cap must be at least base (2s), got 1s"}},
		{"full(base=1m)", []string{"full: cap must be at least base (1m), got 30s"}},
		{"full(factor=NaN)", []string{`full: factor: "NaN" is no number from 1 to 1000000`}},
		{"full(factor=Inf)", []string{`full: factor: "Inf" is no number from 1 to 1000000`}},
		{"full(factor=0)", []string{`full: factor: "0" is no number from 1 to 1000000`}},
		{"full(factor=0.99)", []string{`full: factor: "0.99" is no number from 1 to 1000000`}},
		{"full(factor=1e7)", []string{`full: factor: "1e7" is no number from 1 to 1000000`}},
		{"full(factor=two)", []string{`full: factor: "two" is no number from 1 to 1000000`}},
		{"full + attempts(0)", []string{`attempts: "0" is no whole number from 1 to 2147483647`}},
		{"full + attempts(-1)", []string{`attempts: "-1" is no whole number from 1 to 2147483647`}},
		{"full + attempts(1.5)", []string{`attempts: "1.5" is no whole number from 1 to 2147483647`}},
		{"full + attempts(99999999999)", []string{`attempts: "99999999999" is no whole number from 1 to 2147483647`}},
		{"full + deadline(0s)", []string{"deadline must be at least 1ns, got 0s"}},
		{"full + deadline(soon)", []string{`deadline: "soon" is no duration (write 500ms, 1.5s, 2m; at most 2562047h)`}},

		// Budgets.
		{"full + budgt(10%)", []string{`unknown term "budgt" (did you mean "budget"?)`}},
		{"full + budget", []string{"budget begins with a value that needs no name, as in budget(10%, window=10s)"}},
		{"full + budget()", []string{"budget begins with a value that needs no name, as in budget(10%, window=10s)"}},
		{"full + budget(window=10s)", []string{"budget begins with a value that needs no name, as in budget(10%, window=10s)"}},
		{"full + budget(10%, 10s)", []string{`unknown budget parameter "10s" (known: window, min, refill, per)`}},
		{"full + budget(10%, windwo=10s)", []string{`unknown budget parameter "windwo" (did you mean "window"?)`}},
		{"full + budget(10%, window=10s, window=10s)", []string{"budget: window stands twice"}},
		{"full + budget(10%, window=0s)", []string{"budget: window must be at least 1ns, got 0s"}},
		{"full + budget(10%, window=9ns)", []string{"budget: window must be from 10ns to 8760h, got 9ns"}},
		{"full + budget(10%, window=8761h)", []string{"budget: window must be from 10ns to 8760h, got 8761h"}},
		{"full + budget(0%)", []string{"budget: the share must be from 0.1% to 10000%, got 0%"}},
		{"full + budget(0.05%)", []string{"budget: the share must be from 0.1% to 10000%, got 0.05%"}},
		{"full + budget(10.05%)", []string{"budget: the share must be no finer than 0.1%, got 10.05%"}},
		{"full + budget(-5%)", []string{`budget: "-5%" is no percentage from 0% to 10000%`}},
		{"full + budget(%)", []string{`budget: "%" is no percentage from 0% to 10000%`}},
		{"full + budget(x)", []string{`budget: "x" is no percentage from 0% to 10000%`}},
		{"full + budget(NaN)", []string{`budget: "NaN" is no percentage from 0% to 10000%`}},
		{"full + budget(NaN%)", []string{`budget: "NaN%" is no percentage from 0% to 10000%`}},
		{"full + budget(0x1%)", []string{`budget: "0x1%" is no percentage from 0% to 10000%`}},
		{"full + budget(0x1p-3)", []string{`budget: "0x1p-3" is no percentage from 0% to 10000%`}},
		{"full + budget(1e300)", []string{`budget: "1e300" is no percentage from 0% to 10000%`}},
		{"full + budget(10%, min=10)", []string{`budget: min: "10" is no rate (write 100/s; up to 1000000/s)`}},
		{"full + budget(10%, min=0x1/s)", []string{`budget: min: "0x1/s" is no rate (write 100/s; up to 1000000/s)`}},
		{"full + budget(10%, refill=succes)", []string{`unknown budget refill "succes" (did you mean "success"?)`}},
		{"full + budget(10%, per=0)", []string{`budget: per: "0" is neither all nor a number of clients`}},
		{"full + budget(10%, per=-1)", []string{`budget: per: "-1" is neither all nor a number of clients`}},
		{"full + budget(10%, per=1.5)", []string{`budget: per: "1.5" is neither all nor a number of clients`}},
		{"full + budget(10%, per=1000000001)", []string{`budget: per: "1000000001" is neither all nor a number of clients`}},
		{"full + budget(10%, per=some)", []string{`budget: per: "some" is neither all nor a number of clients`}},
		{"full + budget(10%) + tokens(10)", []string{"tokens is a second budget; a policy has one"}},
		{"full + budget(10%) + budget(20%)", []string{"budget stands twice"}},
		{"full + tokens", []string{"tokens begins with a value that needs no name, as in tokens(100, add=0.1)"}},
		{"full + tokens(add=1)", []string{"tokens begins with a value that needs no name, as in tokens(100, add=0.1)"}},
		{"full + tokens(0)", []string{`tokens: "0" is no number from 0.001 to 1000000000`}},
		{"full + tokens(-1)", []string{`tokens: "-1" is no number from 0.001 to 1000000000`}},
		{"full + tokens(NaN)", []string{`tokens: "NaN" is no number from 0.001 to 1000000000`}},
		{"full + tokens(Inf)", []string{`tokens: "Inf" is no number from 0.001 to 1000000000`}},
		{"full + tokens(1e300)", []string{`tokens: "1e300" is no number from 0.001 to 1000000000`}},
		{"full + tokens(0x10)", []string{`tokens: "0x10" is no number from 0.001 to 1000000000`}},
		{"full + tokens(10%)", []string{`tokens: "10%" is no number from 0.001 to 1000000000`}},
		{"full + tokens(1.0005)", []string{"tokens must be no finer than a thousandth, got 1.0005"}},
		{"full + tokens(10, cost=0)", []string{`tokens: cost: "0" is no number from 0.001 to 1000000000`}},
		{"full + tokens(10, add=0.0015)", []string{"tokens: add must be no finer than a thousandth, got 0.0015"}},
		{"full + tokens(10, kep=1)", []string{`unknown tokens parameter "kep" (did you mean "keep"?)`}},
		{"full + tokens(10, refund=yes)", []string{"tokens: refund takes no value"}},
		{"full + tokens(10, refunds)", []string{`unknown tokens parameter "refunds" (did you mean "refund"?)`}},
		{"full + tokens(10, refund, refund)", []string{"tokens: refund stands twice"}},
		{"full + tokens(5, cost=6)", []string{"tokens: the cost (6) and what to keep (0) are never there with 5 at most"}},
		{"full + tokens(5, throttled=6)", []string{"tokens: throttled (6) and what to keep (0) are never there with 5 at most"}},
		{"full + tokens(5, keep=4.5)", []string{"tokens: the cost (1) and what to keep (4.5) are never there with 5 at most"}},
		{"full + grpc-throttling", []string{"grpc-throttling begins with a value that needs no name, as in grpc-throttling(10, ratio=0.1)"}},
		{"full + grpc-throttling(1001)", []string{"grpc-throttling must be from 0.001 to 1000, got 1001"}},
		{"full + grpc-throttling(10, ratio=0.0125)", []string{"grpc-throttling: ratio must be no finer than a thousandth, got 0.0125"}},
		{"full + grpc-throttling(10, rate=0.1)", []string{`unknown grpc-throttling parameter "rate" (did you mean "ratio"?)`}},
		{"full + concurrency", []string{"concurrency begins with a value that needs no name, as in concurrency(20%, min=3)"}},
		{"full + concurrency(20%, min=0)", []string{`concurrency: min: "0" is no whole number from 1 to 2147483647`}},
		{"full + concurrency(20%, min=2000000000)", []string{"concurrency: min must be from 1 to 1000000000, got 2000000000"}},
		{"full + concurrency(20%, park)", []string{`unknown concurrency parameter "park" (did you mean "parked"?)`}},
		{"full + concurrency(20%, parked=no)", []string{"concurrency: parked takes no value"}},
		{"full + gate", []string{"gate begins with a value that needs no name, as in gate(10%)"}},
		{"full + gate(0%)", []string{"gate: the share must be from 0.1% to 10000%, got 0%"}},
		{"full + gate(10%, pre=all)", []string{`unknown gate parameter "pre" (did you mean "per"?)`}},

		// Breakers and throttles.
		{"full + breaker", []string{"breaker begins with a value that needs no name, as in breaker(50%, window=10s) or breaker(consecutive=5)"}},
		{"full + breaker(0%)", []string{"breaker: the share must be from 0.1% to 100%, got 0%"}},
		{"full + breaker(101%)", []string{"breaker: the share must be from 0.1% to 100%, got 101%"}},
		{"full + breaker(33.33%)", []string{"breaker: the share must be no finer than 0.1%, got 33.33%"}},
		{"full + breaker(50%, cals=10)", []string{`unknown breaker parameter "cals" (did you mean "calls"?)`}},
		{"full + breaker(50%, window=10s, calls=10)", []string{"breaker: counts over either a window or calls"}},
		{"full + breaker(50%, calls=1000001)", []string{"breaker: calls must be from 1 to 1000000, got 1000001"}},
		{"full + breaker(50%, calls=10, min=11)", []string{"breaker: min (11) can never be reached by the last 10 calls"}},
		{"full + breaker(50%, min=0)", []string{`breaker: min: "0" is no whole number from 1 to 2147483647`}},
		{"full + breaker(50%, window=1ns)", []string{"breaker: window must be from 10ns to 8760h, got 1ns"}},
		{"full + breaker(50%, consecutive=5)", []string{"breaker: consecutive stands alone: no share, window, calls or min"}},
		{"full + breaker(consecutive=5, min=20)", []string{"breaker: consecutive stands alone: no share, window, calls or min"}},
		{"full + breaker(consecutive=0)", []string{`breaker: consecutive: "0" is no whole number from 1 to 2147483647`}},
		{"full + breaker(50%, open=0s)", []string{"breaker: open must be at least 1ns, got 0s"}},
		{"full + breaker(50%, open=8761h)", []string{"breaker: open must be above 0s and at most 8760h, got 8761h"}},
		{"full + breaker(50%, max-open=1s)", []string{"breaker: max-open must be from open (5s) to 8760h, got 1s"}},
		{"full + breaker(50%, open=10s, max-open=5s)", []string{"breaker: max-open must be from open (10s) to 8760h, got 5s"}},
		{"full + breaker(50%, probes=0)", []string{`breaker: probes: "0" is no whole number from 1 to 2147483647`}},
		{"full + breaker(50%, when-open=rety)", []string{`unknown breaker when-open "rety" (did you mean "retry"?)`}},
		{"full + breaker(50%, when-open=sometimes)", []string{`unknown breaker when-open "sometimes" (known: fail, retry, wait)`}},
		{"full + breaker(50%) + breaker(50%)", []string{"breaker stands twice"}},
		{"immediate + breaker(50%, when-open=retry)", []string{"breaker: when-open=retry with immediate needs attempts(…), or it tries without end while open"}},
		{"full + throttle", []string{"throttle begins with a value that needs no name, as in throttle(2, window=2m)"}},
		{"full + throttle(0.5)", []string{`throttle: "0.5" is no number from 1 to 1000000`}},
		{"full + throttle(NaN)", []string{`throttle: "NaN" is no number from 1 to 1000000`}},
		{"full + throttle(0x2)", []string{`throttle: "0x2" is no number from 1 to 1000000`}},
		{"full + throttle(2, window=5ns)", []string{"throttle: window must be from 10ns to 8760h, got 5ns"}},
		{"full + throttle(2, windo=2m)", []string{`unknown throttle parameter "windo" (did you mean "window"?)`}},

		// The rest.
		{"full(factor=0x2)", []string{`full: factor: "0x2" is no number from 1 to 1000000`}},
		{"full + key + unsafe", []string{"unsafe means nothing beside key, which makes repeating safe"}},
		{"full + unsafe + key", []string{"unsafe means nothing beside key, which makes repeating safe"}},
		{"full + throttle(2) + throttle(2)", []string{"throttle stands twice"}},
		{"budget(10%)", []string{
			"budget is a limit, and the first term must be a wait",
			"write full + budget(…)",
		}},
		{"full + unsafe + budget(x) + tokens(0) + breaker(0%, probes=0)", []string{
			`budget: "x" is no percentage from 0% to 10000%`,
			"tokens is a second budget; a policy has one",
			`breaker: probes: "0" is no whole number from 1 to 2147483647`,
		}},

		// Several at once.
		{"full(base=2s, cap=1s) + attempts(0) + deadlin(1s)", []string{
			"full: cap must be at least base (2s), got 1s",
			`attempts: "0" is no whole number from 1 to 2147483647`,
			`unknown term "deadlin" (did you mean "deadline"?)`,
		}},
		{"ful(base=x) + + attempts(5) + attempts(x)", []string{
			`unknown wait "ful" (did you mean "full"?)`,
			`a term is missing beside a "+"`,
			"attempts stands twice",
			`attempts: "x" is no whole number from 1 to 2147483647`,
		}},
	}
	for _, test := range tests {
		policy, err := strategies.Parse(test.text)
		if err == nil {
			t.Errorf("%q is taken for %s", test.text, policy)
			continue
		}
		if !errors.Is(err, strategies.ErrPolicy) {
			t.Errorf("%q: %v does not wrap ErrPolicy", test.text, err)
		}
		_, faults, _ := strings.Cut(err.Error(), `": `)
		if want := strings.Join(test.faults, "; "); faults != want {
			t.Errorf("%q:\n got %s\nwant %s", test.text, faults, want)
		}
	}
}

func TestParseErrorQuotesTheText(t *testing.T) {
	_, err := strategies.Parse("ful\n+ attempts(5)")
	want := `invalid policy "ful\n+ attempts(5)": unknown wait "ful" (did you mean "full"?)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestUnmarshalKeepsThePolicyOnError(t *testing.T) {
	policy := mustParse(t, "fixed(1s)")
	if err := policy.UnmarshalText([]byte("ful")); !errors.Is(err, strategies.ErrPolicy) {
		t.Errorf("got %v, want ErrPolicy", err)
	}
	if want := mustParse(t, "fixed(1s)"); policy != want {
		t.Errorf("the policy became %v", policy)
	}
}

func anyHints(t *rapid.T) strategies.Hints {
	h := strategies.Hints{
		Mode: rapid.SampledFrom([]strategies.HintMode{strategies.Honour, strategies.Ignore, strategies.Floor}).Draw(t, "mode"),
		Cap:  time.Duration(rapid.Int64Min(0).Draw(t, "hint cap")),
	}
	if h.Mode == strategies.Floor {
		h.Spread = rapid.Float64Range(0, 100).Draw(t, "spread")
	}
	return h
}

// anySets returns two sets without a common outcome.
func anySets(t *rapid.T) (retry, final strategies.Statuses) {
	for _, status := range rapid.SliceOfN(rapid.IntRange(400, 599), 0, 5).Draw(t, "statuses") {
		if out := (strategies.Outcome{Status: status}); status%2 == 0 {
			retry = retry.With(out)
		} else {
			final = final.With(out)
		}
	}
	return retry.With(strategies.Outcome{Fault: strategies.TimedOut}), final.With(strategies.Outcome{Fault: strategies.Refused})
}

// anyThousandths draws a number of so many thousandths, the finest that budgets
// and breakers count in.
func anyThousandths(t *rapid.T, what string, least, most int) float64 {
	return float64(rapid.IntRange(least, most).Draw(t, what)) / 1000
}

// but leaves out the value that spells out a default: Parse turns it into 0, its
// meaning.
func but[T ~int](g *rapid.Generator[T], usual T) *rapid.Generator[T] {
	return g.Filter(func(drawn T) bool { return drawn != usual })
}

func anyScope(t *rapid.T) strategies.Scope {
	scopes := rapid.OneOf(
		rapid.SampledFrom([]strategies.Scope{0, strategies.All}),
		rapid.Custom(func(t *rapid.T) strategies.Scope {
			return strategies.Scope(rapid.IntRange(2, 1e9).Draw(t, "clients"))
		}))
	return but(scopes, 1).Draw(t, "per")
}

func anyRate(t *rapid.T) strategies.Rate {
	return strategies.Rate(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-6, 1e6)).Draw(t, "rate"))
}

func anyWindow(t *rapid.T) time.Duration {
	return time.Duration(rapid.Int64Range(10, int64(8760*time.Hour)).Draw(t, "window"))
}

func anyRefill(t *rapid.T) strategies.Refill {
	return rapid.SampledFrom([]strategies.Refill{strategies.PerFirst, strategies.PerSuccess}).Draw(t, "refill")
}

// anyRatio draws a budget whose reserve, if any, is one retry at least.
func anyRatio(t *rapid.T) strategies.Ratio {
	r := strategies.Ratio{
		Share:  anyThousandths(t, "share", 1, 100_000),
		Window: anyWindow(t),
		Min:    anyRate(t),
		Refill: anyRefill(t),
		Per:    anyScope(t),
	}
	if float64(r.Min)*r.Window.Seconds() < 1 {
		r.Min = 0
	}
	return r
}

// anyTokens draws a bucket whose cost and what it keeps are half of it at most,
// so that they are there together.
func anyTokens(t *rapid.T) strategies.Tokens {
	b := strategies.Tokens{Max: anyThousandths(t, "max", 4000, 1e12)}
	half := int(b.Max * 500)
	b.Cost = anyThousandths(t, "cost", 0, half)
	b.Throttled = anyThousandths(t, "throttled", 0, half)
	b.Amount = anyThousandths(t, "add", 0, 1e12)
	b.Keep = anyThousandths(t, "keep", 0, half)
	b.Refill = anyRefill(t)
	b.Refund = rapid.Bool().Draw(t, "refund")
	b.Per = anyScope(t)
	if b.Cost == 1 {
		b.Cost = 0
	}
	if b.Throttled == b.Cost || b.Throttled == 1 && b.Cost == 0 {
		b.Throttled = 0
	}
	if b.Amount == 0.1 {
		b.Amount = 0
	}
	return b
}

func anyBudget(t *rapid.T) strategies.Budget {
	switch rapid.IntRange(0, 5).Draw(t, "budget") {
	case 1:
		return anyRatio(t)
	case 2:
		return anyTokens(t)
	case 3:
		return strategies.GRPCThrottling{
			Max:   anyThousandths(t, "max", 1, 1e6),
			Ratio: anyThousandths(t, "ratio", 101, 1e6),
			Per:   anyScope(t),
		}
	case 4:
		return strategies.Concurrency{
			Share:  anyThousandths(t, "share", 1, 100_000),
			Min:    but(rapid.IntRange(0, 1e9), 3).Draw(t, "min"),
			Parked: rapid.Bool().Draw(t, "parked"),
			Per:    anyScope(t),
		}
	case 5:
		return strategies.Gate{Share: anyThousandths(t, "share", 1, 100_000), Per: anyScope(t)}
	}
	return nil
}

// anyBreaker draws none, or one of the three kinds. A breaker whose refusals are
// retried needs more of the policy, so none is drawn.
func anyBreaker(t *rapid.T) strategies.Breaker {
	b := strategies.Breaker{
		Open:     time.Duration(rapid.Int64Range(1, 1e15).Draw(t, "open")),
		Probes:   but(rapid.IntRange(0, 1e6), 1).Draw(t, "probes"),
		WhenOpen: rapid.SampledFrom([]strategies.WhenOpen{strategies.FailWhenOpen, strategies.WaitWhenOpen}).Draw(t, "when open"),
		Per:      anyScope(t),
	}
	if rapid.Bool().Draw(t, "max-open") {
		b.MaxOpen = b.Open + time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "longer"))
	}
	switch rapid.IntRange(0, 3).Draw(t, "breaker") {
	case 1:
		b.Consecutive = rapid.IntRange(1, 1e6).Draw(t, "consecutive")
	case 2:
		b.Share, b.Calls = anyThousandths(t, "share", 1, 1000), rapid.IntRange(1, 1e6).Draw(t, "calls")
		b.Min = but(rapid.IntRange(0, b.Calls), min(20, b.Calls)).Draw(t, "min")
	case 3:
		b.Share, b.Window = anyThousandths(t, "share", 1, 1000), anyWindow(t)
		b.Min = but(rapid.IntRange(0, 1e6), 20).Draw(t, "min")
	default:
		return strategies.Breaker{}
	}
	return b
}

func anyThrottle(t *rapid.T) strategies.Throttle {
	if rapid.Bool().Draw(t, "no throttle") {
		return strategies.Throttle{}
	}
	return strategies.Throttle{K: rapid.Float64Range(1, 1e6).Draw(t, "K"), Window: anyWindow(t), Per: anyScope(t)}
}

// anyPolicy draws a valid policy, defaults written the way Parse returns them.
func anyPolicy(t *rapid.T) strategies.Policy {
	retry, final := anySets(t)
	base := time.Duration(rapid.Int64Min(1).Draw(t, "base"))
	limit := time.Duration(rapid.Int64Min(int64(base)).Draw(t, "cap"))
	factor := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1, 1e6)).
		Filter(func(f float64) bool { return f != 2 && f != 3 }).Draw(t, "factor")
	key := rapid.Bool().Draw(t, "key")
	return strategies.Policy{
		Name: rapid.SampledFrom([]string{"", "careful", "b-2"}).Draw(t, "name"),
		Wait: rapid.SampledFrom([]strategies.Backoff{
			strategies.Immediate{},
			strategies.Fixed{Delay: base},
			strategies.Exponential{Base: base, Cap: limit, Factor: factor},
			strategies.Equal{Base: base, Cap: limit, Factor: factor},
			strategies.Decorrelated{Base: base, Cap: limit, Factor: factor},
			strategies.Full{Base: base, Cap: limit, Factor: factor},
		}).Draw(t, "wait"),
		Attempts: rapid.IntRange(0, 1<<31-1).Draw(t, "attempts"),
		Deadline: time.Duration(rapid.Int64Min(0).Draw(t, "deadline")),
		Timeout:  time.Duration(rapid.Int64Min(0).Draw(t, "timeout")),
		Hints:    anyHints(t),
		Rate:     anyRate(t),
		Retry:    retry,
		Final:    final,
		Unsafe:   !key && rapid.Bool().Draw(t, "unsafe"),
		Key:      key,
		Budget:   anyBudget(t),
		Breaker:  anyBreaker(t),
		Throttle: anyThrottle(t),
	}
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := anyPolicy(t)
		if err := policy.Validate(); err != nil {
			t.Fatal(err)
		}
		text, err := policy.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var got strategies.Policy
		if err := got.UnmarshalText(text); err != nil {
			t.Fatal(err)
		}
		if got != policy {
			t.Fatalf("%s comes back as %#v", text, got)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		policy, err := strategies.Parse(text)
		if err != nil {
			if !errors.Is(err, strategies.ErrPolicy) || strings.Contains(err.Error(), "\n") {
				t.Errorf("want one line that wraps ErrPolicy, got %v", err)
			}
			return
		}
		if err := policy.Validate(); err != nil {
			t.Errorf("%q is taken, but invalid: %v", text, err)
		}
		again, err := strategies.Parse(policy.String())
		if err != nil {
			t.Fatal(err)
		}
		if again != policy {
			t.Errorf("%q is %#v, but its text %q is %#v", text, policy, policy, again)
		}
	})
}
