package strategies

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// Policy is a whole retry policy: a wait, and when to stop. It is an immutable
// value; what changes while an operation runs is in its [Operation].
type Policy struct {
	Name     string // what reports call it, such as careful; empty: by its wait
	Wait     Backoff
	Attempts int           // how many attempts in all, the first included; 0: no limit
	Deadline time.Duration // every retry starts before this, from the operation's start; 0: no limit
	Timeout  time.Duration // how long the client waits for an answer to one attempt; 0: for ever
	Hints    Hints         // what becomes of the server's Retry-After
	Rate     Rate          // how many attempts a second a client makes at most; 0: no limit
	Retry    Statuses      // what is retried although the decision table says no
	Final    Statuses      // what is not retried although the decision table says yes
	Unsafe   bool          // repeats an operation even where that may do its work twice
}

// Operation is what a policy remembers of one operation. The zero value starts
// one at time 0.
type Operation struct {
	Start    time.Duration // when the operation began
	Backoff  State
	Attempts int32 // attempts sent so far
	// Unsafe says that doing the work twice does harm: the method is not
	// idempotent, and the operation has no idempotency key that the server knows.
	Unsafe bool
}

// Action says what happens to an operation next.
type Action uint8

// The actions of a Verdict.
const (
	Done   Action = iota // the operation succeeded
	GiveUp               // the operation failed for good
	Send                 // the attempt may go out
	Wait                 // another attempt follows after Verdict.Wait
)

// Why is the reason of a Verdict.
type Why uint8

// The reasons of a Verdict.
const (
	WhySuccess   Why = iota // the attempt was answered with success
	WhyPermanent            // the outcome will not heal by itself
	WhyAttempts             // no attempt is left
	WhyDeadline             // the next attempt could not start before the deadline
	WhyTransient            // the outcome is worth another attempt
	WhyAllowed              // nothing forbids the attempt
	WhyUnsafe               // the work may have been done, and must not be done twice
)

// String returns the reason in words.
func (w Why) String() string {
	names := [...]string{"succeeded", "permanent failure", "no attempt left", "deadline", "transient failure", "allowed", "not safe to repeat"}
	if int(w) < len(names) {
		return names[w]
	}
	return fmt.Sprintf("Why(%d)", uint8(w))
}

// Verdict is what a policy decided, and why.
type Verdict struct {
	Action Action
	Why    Why
	Wait   time.Duration // with the action Wait: how long
}

// Before decides whether an attempt may go out at the time now, and counts it
// if so. A refusal ends the operation.
func (p *Policy) Before(op *Operation, now time.Duration) Verdict {
	if op.Attempts > 0 && p.late(op, now, 0) {
		return Verdict{Action: GiveUp, Why: WhyDeadline}
	}
	op.Attempts++
	return Verdict{Action: Send, Why: WhyAllowed}
}

// After decides what follows an attempt that ended with this outcome at the
// time now; u is one uniform draw in [0, 1). The order is fixed: the decision
// table, whether the work may be repeated, the attempts, the wait (computed, or
// the server's), the deadline, which the wait must fit.
func (p *Policy) After(op *Operation, out Outcome, now time.Duration, u float64) Verdict {
	if out.Success() {
		return Verdict{Action: Done, Why: WhySuccess}
	}
	if !p.retries(out) {
		return Verdict{Action: GiveUp, Why: WhyPermanent}
	}
	if op.Unsafe && !p.Unsafe && out.MaybeProcessed() {
		return Verdict{Action: GiveUp, Why: WhyUnsafe}
	}
	if p.Attempts > 0 && int(op.Attempts) >= p.Attempts {
		return Verdict{Action: GiveUp, Why: WhyAttempts}
	}
	wait, next := p.Wait.Next(op.Backoff, Try{U: u, Hint: out.RetryAfter, Throttled: out.Status == 429})
	if out.RetryAfter > 0 {
		wait = p.Hints.apply(wait, out.RetryAfter, limitOf(p.Wait), u)
	}
	if p.late(op, now, wait) {
		return Verdict{Action: GiveUp, Why: WhyDeadline}
	}
	op.Backoff = next
	return Verdict{Action: Wait, Why: WhyTransient, Wait: wait}
}

// retries is the decision table with the policy's own rows.
func (p *Policy) retries(out Outcome) bool {
	if p.Final.Has(out) {
		return false
	}
	return out.Retryable() || p.Retry.Has(out)
}

// late reports whether an attempt after this wait would miss the deadline. It
// subtracts only: now + wait may be more than a duration can hold.
func (p *Policy) late(op *Operation, now, wait time.Duration) bool {
	return p.Deadline > 0 && wait >= p.Deadline-(now-op.Start)
}

// Bounds of what somebody can mean.
const (
	maxSpread = 100
	maxRate   = 1e6
)

// validName reports whether a name can stand before a policy's text.
func validName(name string) bool {
	for i, c := range []byte(name) {
		letter, rest := c >= 'a' && c <= 'z', c >= '0' && c <= '9' || c == '-'
		if !letter && (i == 0 || !rest) {
			return false
		}
	}
	return name != "" && !slices.Contains(Waits(), name)
}

// Validate names every bad field.
func (p Policy) Validate() error {
	var bad []error
	if p.Name != "" && !validName(p.Name) {
		bad = append(bad, fmt.Errorf("%q is no name for a policy: write a word of small letters, digits and dashes that is no wait", p.Name))
	}
	switch wait := p.Wait.(type) {
	case nil:
		bad = append(bad, errors.New("a wait is missing"))
	case interface{ Validate() error }:
		bad = append(bad, wait.Validate())
	}
	if p.Attempts < 0 || p.Attempts > math.MaxInt32 {
		bad = append(bad, fmt.Errorf("attempts must be from 1 to %d, got %d", math.MaxInt32, p.Attempts))
	}
	for _, limit := range []struct {
		name string
		d    time.Duration
	}{{"deadline", p.Deadline}, {"timeout", p.Timeout}, {"retry-after: cap", p.Hints.Cap}} {
		if limit.d < 0 {
			bad = append(bad, fmt.Errorf("%s must be above 0, got %s", limit.name, formatDuration(limit.d)))
		}
	}
	if p.Hints.Mode > Floor {
		bad = append(bad, fmt.Errorf("retry-after: there is no mode %d", p.Hints.Mode))
	}
	if !(p.Hints.Spread >= 0 && p.Hints.Spread <= maxSpread) || p.Hints.Spread > 0 && p.Hints.Mode != Floor {
		bad = append(bad, fmt.Errorf("retry-after: spread goes from 0%% to %d%% and with floor only", maxSpread*100))
	}
	if !(p.Rate >= 0 && p.Rate <= maxRate) || p.Rate > 0 && p.Rate < 1/maxRate {
		bad = append(bad, fmt.Errorf("rate must be from %g/s to %.0f/s, got %v/s", 1/maxRate, maxRate, float64(p.Rate)))
	}
	if p.Retry.meets(p.Final) {
		bad = append(bad, errors.New("retry and final have a status in common"))
	}
	return errors.Join(bad...)
}
