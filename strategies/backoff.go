package strategies

import "time"

// State is what a wait remembers between the retries of one operation. The zero
// value starts one.
type State struct {
	N    int           // retries decided so far, since the start or a reset
	Prev time.Duration // the last computed wait; a Retry-After does not change it
	X    float64       // free for a formula that needs more
}

// after returns the state once a retry with this wait has been decided.
func (s State) after(wait time.Duration) State {
	return State{N: s.N + 1, Prev: wait, X: s.X}
}

// Try is what the next wait may depend on besides the State.
type Try struct {
	U         float64       // one uniform draw in [0, 1)
	Hint      time.Duration // the server's Retry-After, 0 if none
	Throttled bool          // the server said 429 or the like
}

// Backoff computes waits. Implementations are small comparable values, safe to
// share between clients: Next changes nothing, allocates nothing and returns
// the wait before the next attempt, never negative, together with the state to
// hand in next time. The first retry has s.N = 0.
type Backoff interface {
	Next(s State, t Try) (time.Duration, State)
}

// limitOf returns the cap of a wait that has one, and DefaultCap of any other:
// how long a server's Retry-After is followed unless the policy says so itself.
func limitOf(b Backoff) time.Duration {
	if capped, ok := b.(interface{ Limit() time.Duration }); ok {
		return capped.Limit()
	}
	return DefaultCap
}
