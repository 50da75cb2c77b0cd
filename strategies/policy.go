package strategies

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Policy is a whole retry policy: a wait, and when to stop. It is an immutable
// value; what changes while an operation runs is in its [Operation].
type Policy struct {
	Wait     Backoff
	Attempts int           // how many attempts in all, the first included; 0: no limit
	Deadline time.Duration // every attempt but the first starts before this, from the operation's start; 0: no limit
}

// Operation is what a policy remembers of one operation. The zero value starts
// one at time 0.
type Operation struct {
	Start    time.Duration // when the operation began
	Attempts int           // attempts sent so far
	Backoff  State
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
)

// String returns the reason in words.
func (w Why) String() string {
	names := [...]string{"succeeded", "permanent failure", "no attempt left", "deadline", "transient failure", "allowed"}
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
func (p Policy) Before(op *Operation, now time.Duration) Verdict {
	if op.Attempts > 0 && p.late(op, now, 0) {
		return Verdict{Action: GiveUp, Why: WhyDeadline}
	}
	op.Attempts++
	return Verdict{Action: Send, Why: WhyAllowed}
}

// After decides what follows an attempt that ended with this outcome at the
// time now; u is one uniform draw in [0, 1). The order is fixed: the decision
// table, the attempts, the wait, the deadline, which the wait must fit.
func (p Policy) After(op *Operation, out Outcome, now time.Duration, u float64) Verdict {
	if out.Success() {
		return Verdict{Action: Done, Why: WhySuccess}
	}
	if !out.Retryable() {
		return Verdict{Action: GiveUp, Why: WhyPermanent}
	}
	if p.Attempts > 0 && op.Attempts >= p.Attempts {
		return Verdict{Action: GiveUp, Why: WhyAttempts}
	}
	wait, next := p.Wait.Next(op.Backoff, Try{U: u, Throttled: out.Status == 429})
	if p.late(op, now, wait) {
		return Verdict{Action: GiveUp, Why: WhyDeadline}
	}
	op.Backoff = next
	return Verdict{Action: Wait, Why: WhyTransient, Wait: wait}
}

// late reports whether an attempt after this wait would miss the deadline. It
// subtracts only: now + wait may be more than a duration can hold.
func (p Policy) late(op *Operation, now, wait time.Duration) bool {
	return p.Deadline > 0 && wait >= p.Deadline-(now-op.Start)
}

// Validate names every bad field.
func (p Policy) Validate() error {
	var bad []error
	switch wait := p.Wait.(type) {
	case nil:
		bad = append(bad, errors.New("a wait is missing"))
	case interface{ Validate() error }:
		bad = append(bad, wait.Validate())
	}
	if p.Attempts < 0 || p.Attempts > math.MaxInt32 {
		bad = append(bad, fmt.Errorf("attempts must be from 1 to %d, got %d", math.MaxInt32, p.Attempts))
	}
	if p.Deadline < 0 {
		bad = append(bad, fmt.Errorf("deadline must be above 0, got %s", formatDuration(p.Deadline)))
	}
	return errors.Join(bad...)
}
