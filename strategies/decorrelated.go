package strategies

import "time"

// Decorrelated waits min(Cap, U(Base, Factor·previous wait)), the previous wait
// being Base at first: decorrelated jitter. It grows with its own luck instead
// of with the number of retries.
type Decorrelated struct {
	Base, Cap time.Duration
	Factor    float64 // 0 means 3
}

// DecorrelatedJitter returns min(limit, base + u·(factor·prev − base)) for a
// draw u in [0, 1), with prev not below base.
//
// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog
// (2015), with its factor of 3.
func DecorrelatedJitter(base, limit, prev time.Duration, factor, u float64) time.Duration {
	return min(limit, base+scale(u, multiply(max(prev, base), factor)-base))
}

// Next draws from the base up to a multiple of the last computed wait.
func (d Decorrelated) Next(s State, t Try) (time.Duration, State) {
	factor := d.Factor
	if factor == 0 {
		factor = 3
	}
	wait := DecorrelatedJitter(d.Base, d.Cap, s.Prev, factor, t.U)
	return wait, s.after(wait)
}

// Limit returns the cap.
func (d Decorrelated) Limit() time.Duration { return d.Cap }

// Validate names every bad field.
func (d Decorrelated) Validate() error { return validateGrowth(d.Base, d.Cap, d.Factor) }

// String returns the text form.
func (d Decorrelated) String() string {
	return formatGrowth("decorrelated", d.Base, d.Cap, d.Factor, 3)
}
