package sim

import "time"

// Limit is a server's rate limit. What passes it is answered 429 at once.
type Limit struct {
	Requests     int           `json:"requests" need:"yes" doc:"requests admitted in every window"`
	Per          time.Duration `json:"per" need:"yes" doc:"length of the window"`
	Burst        int           `json:"burst,omitempty" doc:"makes it a token bucket that holds this many; 0: fixed windows"`
	RetryAfter   time.Duration `json:"retry_after,omitempty" doc:"told with a 429; 0s: nothing is told"`
	Slots        bool          `json:"slots,omitempty" doc:"tells each client a time of its own, one after the other, instead of the same to all"`
	WholeSeconds bool          `json:"whole_seconds,omitempty" doc:"rounds what is told up to seconds, as HTTP does"`
}

func (l Limit) validate(c *complaints, path string) {
	c.require(l.Requests >= 1 && l.Requests <= maxWorkers, path+".requests", "must be from 1 to %d, got %d", maxWorkers, l.Requests)
	c.require(l.Per > 0 && l.Per <= maxStop, path+".per", "must be above 0s and at most 10 years, got %s", l.Per)
	c.require(l.Burst >= 0 && l.Burst <= maxWorkers, path+".burst", "must be from 0 to %d, got %d", maxWorkers, l.Burst)
	c.notNegative(path, map[string]time.Duration{"retry_after": l.RetryAfter})
}

// limiter is the running state of a Limit.
type limiter struct {
	Limit
	window time.Duration // the beginning of the window at hand
	used   int           // in it
	full   time.Duration // when the token bucket will be full again
	slot   time.Duration // the last slot handed out
}

// admit takes one place, or tells when to come back.
func (l *limiter) admit(now time.Duration) (hint time.Duration, ok bool) {
	if l.Burst > 0 {
		ok = l.takeToken(now)
	} else {
		ok = l.takePlace(now)
	}
	if ok {
		return 0, true
	}
	return l.hint(now), false
}

func (l *limiter) gap() time.Duration { return l.Per / time.Duration(l.Requests) }

// takeToken is the generic cell rate algorithm: the bucket is a time at which it
// would be full, and each token moves that time by the gap between tokens.
func (l *limiter) takeToken(now time.Duration) bool {
	full := max(l.full, now) + l.gap()
	if full > now+time.Duration(l.Burst)*l.gap() {
		return false
	}
	l.full = full
	return true
}

func (l *limiter) takePlace(now time.Duration) bool {
	if begin := now - now%l.Per; begin != l.window {
		l.window, l.used = begin, 0
	}
	if l.used >= l.Requests {
		return false
	}
	l.used++
	return true
}

func (l *limiter) hint(now time.Duration) time.Duration {
	hint := l.RetryAfter
	if l.Slots {
		l.slot = max(l.slot+l.gap(), now+l.RetryAfter)
		hint = l.slot - now
	}
	if l.WholeSeconds {
		hint = (hint + time.Second - 1).Truncate(time.Second)
	}
	return hint
}
