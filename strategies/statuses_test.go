package strategies

import "testing"

// The decision table, outcome by outcome, with the policy's own rows and with an
// operation that must not be done twice.
func TestDecisionTable(t *testing.T) {
	status := func(n int) Outcome { return Outcome{Status: n} }
	fault := func(f Fault) Outcome { return Outcome{Fault: f} }
	const retry, final, unsafe = "transient failure", "permanent failure", "not safe to repeat"
	for _, c := range []struct {
		policy string
		out    Outcome
		safe   string // what becomes of an operation that may be repeated
		unsafe string // and of one that may not
	}{
		{"immediate", status(200), "succeeded", "succeeded"},
		{"immediate", status(204), "succeeded", "succeeded"},
		{"immediate", status(304), final, final},
		{"immediate", status(400), final, final},
		{"immediate", status(401), final, final},
		{"immediate", status(403), final, final},
		{"immediate", status(404), final, final},
		{"immediate", status(408), final, final},
		{"immediate", status(409), final, final},
		{"immediate", status(422), final, final},
		{"immediate", status(429), retry, retry},
		{"immediate", status(500), final, final},
		{"immediate", status(501), final, final},
		{"immediate", status(502), retry, unsafe},
		{"immediate", status(503), retry, retry},
		{"immediate", status(504), retry, unsafe},
		{"immediate", status(505), final, final},
		{"immediate", status(511), final, final},
		{"immediate", fault(Refused), retry, retry},
		{"immediate", fault(TimedOut), retry, unsafe},
		{"immediate", fault(Broken), retry, unsafe},
		{"immediate + retry(500, 408)", status(500), retry, unsafe},
		{"immediate + retry(500, 408)", status(408), retry, retry},
		{"immediate + final(503, timeout)", status(503), final, final},
		{"immediate + final(503, timeout)", fault(TimedOut), final, final},
		{"immediate + final(503, timeout)", fault(Broken), retry, unsafe},
		{"immediate + unsafe", status(504), retry, retry},
		{"immediate + unsafe", fault(Broken), retry, retry},
	} {
		p, err := Parse(c.policy)
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range []Operation{{}, {Unsafe: true}} {
			want := c.safe
			if op.Unsafe {
				want = c.unsafe
			}
			if got := p.After(&op, c.out, 0, 0).Why.String(); got != want {
				t.Errorf("%s, %+v, unsafe %t: %s, want %s", c.policy, c.out, op.Unsafe, got, want)
			}
		}
	}
}

func TestRetryAfterThatCannotFitTheDeadlineGivesUpAtOnce(t *testing.T) {
	p, err := Parse("full + deadline(10s)")
	if err != nil {
		t.Fatal(err)
	}
	var op Operation
	out := Outcome{Status: 503, RetryAfter: 20e9}
	if v := p.After(&op, out, 0, 0.5); v.Action != GiveUp || v.Why != WhyDeadline {
		t.Errorf("got %+v", v)
	}
}

func TestRetryAfterDoesNotChangeTheComputedWaits(t *testing.T) {
	p, err := Parse("decorrelated(base=1s, cap=1m)")
	if err != nil {
		t.Fatal(err)
	}
	var with, without Operation
	p.After(&with, Outcome{Status: 503, RetryAfter: 30e9}, 0, 0.5)
	p.After(&without, Outcome{Status: 503}, 0, 0.5)
	if with.Backoff != without.Backoff {
		t.Errorf("%+v and %+v", with.Backoff, without.Backoff)
	}
}
