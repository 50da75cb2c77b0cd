package strategies

import "time"

// Immediate retries at once: the first design fault, and the baseline of every
// comparison.
type Immediate struct{}

// Next returns no wait.
func (Immediate) Next(s State, _ Try) (time.Duration, State) { return 0, s.after(0) }

// String returns the text form.
func (Immediate) String() string { return "immediate" }
