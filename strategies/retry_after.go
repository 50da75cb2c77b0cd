package strategies

import (
	"math"
	"strings"
	"time"
)

// ParseRetryAfter reads the values of a response's Retry-After headers: whole
// seconds, or a date in one of the three forms of HTTP, which is taken relative
// to now. Of several valid values it takes the longest. A date that has passed
// is a hint of 0; a hint beyond the longest duration is that. Anything else (a
// sign, a fraction, words) is no hint, and the result false: the caller's own
// wait stands.
//
// Source: RFC 9110, sections 10.2.3 and 5.6.7.
func ParseRetryAfter(values []string, now time.Time) (time.Duration, bool) {
	longest, found := time.Duration(0), false
	for _, value := range values {
		value = strings.Trim(value, " \t")
		hint, ok := parseSeconds(value)
		if !ok {
			hint, ok = parseDate(value, now)
		}
		if ok {
			longest, found = max(longest, hint), true
		}
	}
	return longest, found
}

// parseSeconds reads one or more digits.
func parseSeconds(value string) (time.Duration, bool) {
	const most = math.MaxInt64 / int64(time.Second)
	seconds := int64(0)
	for _, c := range []byte(value) {
		if c < '0' || c > '9' {
			return 0, false
		}
		// Stays within int64: most is far below MaxInt64/10.
		seconds = min(seconds*10+int64(c-'0'), most+1)
	}
	if seconds > most {
		return math.MaxInt64, value != ""
	}
	return time.Duration(seconds) * time.Second, value != ""
}

// parseDate reads an IMF-fixdate, or one of the two forms that came before it.
func parseDate(value string, now time.Time) (time.Duration, bool) {
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		date, err := time.Parse(layout, value)
		if err != nil || strings.Contains(value, ".") { // Go reads fractions of seconds unasked
			continue
		}
		// A year of two digits that seems over 50 years ahead lies in the past.
		if strings.Contains(layout, "-06 ") && date.Year() > now.Year()+50 {
			date = date.AddDate(-100, 0, 0)
		}
		return max(0, date.Sub(now)), true
	}
	return 0, false
}

// HintMode says what a policy does with a server's Retry-After.
type HintMode uint8

// The modes of a Hints.
const (
	Honour HintMode = iota // wait as long as the server asks, at most the cap
	Ignore                 // wait as computed
	Floor                  // wait as computed, but not less than the server asks; and spread
)

// Hints is what a policy does with Retry-After. The zero value honours it under
// the wait's own cap.
type Hints struct {
	Mode   HintMode
	Spread float64       // with Floor: adds up to this share of the hint, at random
	Cap    time.Duration // the longest hint that is followed; 0: the wait's cap, or DefaultCap if it has none
}

// apply returns the wait for a computed one and the server's hint, 0 if none; u
// is the draw that the wait was computed with.
func (h Hints) apply(computed, hint, limit time.Duration, u float64) time.Duration {
	if hint <= 0 || h.Mode == Ignore {
		return computed
	}
	if h.Cap > 0 {
		limit = h.Cap
	}
	hint = min(hint, limit)
	if h.Mode == Honour {
		return hint
	}
	return max(computed, add(hint, time.Duration(u*h.Spread*float64(hint))))
}
