package strategies

import "time"

// Exponential waits min(Cap, Base·Factor^n), without jitter: it spreads the
// load over time, but clients that failed together return together.
type Exponential struct {
	Base, Cap time.Duration
	Factor    float64 // 0 means 2
}

// Next returns the ceiling itself.
func (e Exponential) Next(s State, _ Try) (time.Duration, State) {
	wait := Ceiling(e.Base, e.Cap, e.Factor, s.N)
	return wait, s.after(wait)
}

// Limit returns the cap.
func (e Exponential) Limit() time.Duration { return e.Cap }

// Validate names every bad field.
func (e Exponential) Validate() error { return validateGrowth(e.Base, e.Cap, e.Factor) }

// String returns the text form.
func (e Exponential) String() string { return formatGrowth("exponential", e.Base, e.Cap, e.Factor, 2) }
