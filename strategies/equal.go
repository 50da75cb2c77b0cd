package strategies

import "time"

// Equal waits half of min(Cap, Base·Factor^n) for certain and the other half
// at random: equal jitter.
type Equal struct {
	Base, Cap time.Duration
	Factor    float64 // 0 means 2
}

// EqualJitter returns a wait in [ceiling/2, ceiling) for a draw u in [0, 1).
//
// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog
// (2015).
func EqualJitter(ceiling time.Duration, u float64) time.Duration {
	return ceiling/2 + scale(u, ceiling-ceiling/2)
}

// Next keeps half of the exponential wait and spreads the rest.
func (e Equal) Next(s State, t Try) (time.Duration, State) {
	wait := EqualJitter(Ceiling(e.Base, e.Cap, e.Factor, s.N), t.U)
	return wait, s.after(wait)
}

// Limit returns the cap.
func (e Equal) Limit() time.Duration { return e.Cap }

// Validate names every bad field.
func (e Equal) Validate() error { return validateGrowth(e.Base, e.Cap, e.Factor) }

// String returns the text form.
func (e Equal) String() string { return formatGrowth("equal", e.Base, e.Cap, e.Factor, 2) }
