package strategies

import (
	"fmt"
	"time"
)

// Fixed waits the same time before every retry: the second design fault, with
// which everybody comes back in the same instant.
type Fixed struct {
	Delay time.Duration
}

// Next returns Delay.
func (f Fixed) Next(s State, _ Try) (time.Duration, State) {
	wait := max(0, f.Delay)
	return wait, s.after(wait)
}

// Validate reports a Delay that is not above 0.
func (f Fixed) Validate() error {
	if f.Delay <= 0 {
		return fmt.Errorf("delay must be above 0, got %s (for no wait write immediate)", formatDuration(f.Delay))
	}
	return nil
}

// String returns the text form.
func (f Fixed) String() string { return "fixed(" + formatDuration(f.Delay) + ")" }
