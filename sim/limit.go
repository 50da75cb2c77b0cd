package sim

import "time"

// Limit is a server's rate limit. What passes it is answered 429 at once.
type Limit struct {
	Requests     int           `json:"requests" need:"yes" doc:"requests of all clients together that are admitted in every window"`
	Per          time.Duration `json:"per" need:"yes" doc:"length of the window"`
	Burst        int           `json:"burst,omitempty" doc:"makes it a token bucket that holds this many; 0: fixed windows"`
	RetryAfter   time.Duration `json:"retry_after,omitempty" doc:"told with a 429; 0s: nothing is told"`
	Slots        bool          `json:"slots,omitempty" doc:"tells each client a time of its own, one after the other, instead of the same to all"`
	WholeSeconds bool          `json:"whole_seconds,omitempty" doc:"rounds what is told up to seconds, as HTTP does"`
	BanAfter     int           `json:"ban_after,omitempty" doc:"requests inside its own Retry-After that get a client banned; 0: none do"`
	BanFor       time.Duration `json:"ban_for,omitempty" doc:"how long it is refused then"`
}

func (l Limit) validate(c *complaints, path string) {
	c.require(l.Requests >= 1 && l.Requests <= maxWorkers, path+".requests", "must be from 1 to %d, got %d", maxWorkers, l.Requests)
	c.positive(path+".per", l.Per)
	c.require(l.Burst >= 0 && l.Burst <= maxWorkers, path+".burst", "must be from 0 to %d, got %d", maxWorkers, l.Burst)
	c.notNegative(path, map[string]time.Duration{"retry_after": l.RetryAfter, "ban_for": l.BanFor})
	// Tokens and slots come one by one, whole nanoseconds apart.
	c.require(l.Burst == 0 && !l.Slots || l.Per/time.Duration(max(1, l.Requests)) >= time.Microsecond,
		path+".requests", "must be at most one a microsecond, got %d in %s", l.Requests, l.Per)
	c.require(l.RetryAfter > 0 || !l.Slots && !l.WholeSeconds, path+".retry_after", "is needed for slots and whole_seconds")
	c.require(l.BanAfter > 0 || l.BanFor == 0, path+".ban_for", "means nothing without ban_after")
	c.require(l.BanAfter >= 0, path+".ban_after", "must not be negative, got %d", l.BanAfter)
	c.require(l.BanAfter == 0 || l.BanFor > 0 && l.RetryAfter > 0, path+".ban_after", "needs retry_after and ban_for above 0s")
}

// limiter is the running state of a Limit.
type limiter struct {
	Limit
	window time.Duration // the beginning of the window at hand
	used   int           // in it
	full   time.Duration // when the token bucket will be full again
	slot   time.Duration // the last slot handed out
	guests map[uint32]*guest
}

// guest is what the server remembers of a client that it has told to come back
// later.
type guest struct {
	until   time.Duration // when it may come back
	strikes int           // how often it did not wait
	banned  time.Duration // until when
}

// admit takes one place, or tells when to come back.
func (l *limiter) admit(now time.Duration, client uint32) (hint time.Duration, ok bool) {
	if l.BanAfter > 0 && l.bans(now, client) {
		return l.rounded(l.guests[client].banned - now), false
	}
	hint, ok = l.take(now)
	if !ok && l.BanAfter > 0 {
		if l.guests == nil {
			l.guests = map[uint32]*guest{}
		}
		if l.guests[client] == nil {
			l.guests[client] = new(guest)
		}
		l.guests[client].until = now + hint
	}
	return hint, ok
}

// bans reports whether a client is banned, and bans one that came too early too
// often.
func (l *limiter) bans(now time.Duration, client uint32) bool {
	g := l.guests[client]
	if g == nil {
		return false
	}
	if now < g.until {
		if g.strikes++; g.strikes >= l.BanAfter {
			g.strikes, g.banned = 0, now+l.BanFor
		}
	}
	return now < g.banned
}

func (l *limiter) take(now time.Duration) (hint time.Duration, ok bool) {
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
	return l.rounded(hint)
}

// rounded is a hint as it is told.
func (l *limiter) rounded(hint time.Duration) time.Duration {
	if l.WholeSeconds {
		hint = (hint + time.Second - 1).Truncate(time.Second)
	}
	return hint
}
