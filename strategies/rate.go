package strategies

import (
	"math"
	"time"
)

// Rate is a limit of attempts per second that a client keeps to by itself.
type Rate float64

// Pacer spaces attempts so that a Rate is kept: each gets its own turn, evenly
// after the one before. The zero value starts with a turn that is free.
type Pacer struct {
	next time.Duration
}

// WaitAt returns how long from now the next turn is.
func (p *Pacer) WaitAt(now time.Duration) time.Duration { return max(0, p.next-now) }

// TurnAt takes the next turn and returns how long from now it is.
func (p *Pacer) TurnAt(now time.Duration, r Rate) time.Duration {
	turn := max(now, p.next)
	p.next = add(turn, time.Duration(float64(time.Second)/float64(r)))
	return turn - now
}

// add adds two durations that are not negative, at most the longest there is.
func add(a, b time.Duration) time.Duration {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
