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
		{"full + magic", []string{`unknown term "magic" (known: attempts, deadline, timeout, retry-after, rate, retry, final, unsafe)`}},
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

// anyPolicy draws a valid policy, its factor written the way Parse returns it.
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

func anyPolicy(t *rapid.T) strategies.Policy {
	retry, final := anySets(t)
	base := time.Duration(rapid.Int64Min(1).Draw(t, "base"))
	limit := time.Duration(rapid.Int64Min(int64(base)).Draw(t, "cap"))
	factor := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1, 1e6)).
		Filter(func(f float64) bool { return f != 2 && f != 3 }).Draw(t, "factor")
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
		Rate:     strategies.Rate(rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(1e-6, 1e6)).Draw(t, "rate")),
		Retry:    retry,
		Final:    final,
		Unsafe:   rapid.Bool().Draw(t, "unsafe"),
	}
}

func TestTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := anyPolicy(t)
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
