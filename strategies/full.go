package strategies

import "time"

// Full waits U(0, min(Cap, Base·Factor^n)): full jitter.
type Full struct {
	Base, Cap time.Duration
	Factor    float64 // 0 means 2
}

// FullJitter returns a wait in [0, ceiling) for a draw u in [0, 1).
//
// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog
// (2015).
func FullJitter(ceiling time.Duration, u float64) time.Duration { return scale(u, ceiling) }

// Next spreads the exponential wait over all of [0, ceiling).
func (f Full) Next(s State, t Try) (time.Duration, State) {
	wait := FullJitter(Ceiling(f.Base, f.Cap, f.Factor, s.N), t.U)
	return wait, s.after(wait)
}

// Limit returns the cap.
func (f Full) Limit() time.Duration { return f.Cap }

// Validate names every bad field.
func (f Full) Validate() error { return validateGrowth(f.Base, f.Cap, f.Factor) }

// String returns the text form.
func (f Full) String() string { return formatGrowth("full", f.Base, f.Cap, f.Factor, 2) }
