package strategies

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// now is the instant of RFC 9110's own examples, less a minute.
var now = time.Date(1994, time.November, 6, 8, 48, 37, 0, time.UTC)

func TestParseRetryAfter(t *testing.T) {
	const never = -1 // no hint
	for _, c := range []struct {
		name   string
		values []string
		want   time.Duration
	}{
		{"none", nil, never},
		{"empty", []string{""}, never},
		{"blank", []string{"  "}, never},
		{"seconds", []string{"120"}, 2 * time.Minute},
		{"zero", []string{"0"}, 0},
		{"leading zeros", []string{"007"}, 7 * time.Second},
		{"white space around", []string{" \t5 "}, 5 * time.Second},
		{"negative", []string{"-3"}, never},
		{"plus", []string{"+3"}, never},
		{"fraction", []string{"1.5"}, never},
		{"exponent", []string{"1e3"}, never},
		{"hexadecimal", []string{"0x10"}, never},
		{"not a number", []string{"NaN"}, never},
		{"infinity", []string{"inf"}, never},
		{"a unit", []string{"5s"}, never},
		{"two numbers", []string{"5 6"}, never},
		{"a list", []string{"5, 6"}, never},
		{"other digits", []string{"٥"}, never},
		{"30 days", []string{"2592000"}, 720 * time.Hour},
		{"30 days in milliseconds", []string{"2592000000"}, 720_000 * time.Hour},
		{"the longest whole seconds", []string{"9223372036"}, 9223372036 * time.Second},
		{"beyond the longest", []string{"9223372037"}, math.MaxInt64},
		{"99999999999", []string{"99999999999"}, math.MaxInt64},
		{"MaxInt64", []string{"9223372036854775807"}, math.MaxInt64},
		{"beyond int64", []string{"99999999999999999999999999"}, math.MaxInt64},
		{"IMF-fixdate", []string{"Sun, 06 Nov 1994 08:49:37 GMT"}, time.Minute},
		{"RFC 850", []string{"Sunday, 06-Nov-94 08:49:37 GMT"}, time.Minute},
		{"asctime", []string{"Sun Nov  6 08:49:37 1994"}, time.Minute},
		{"past", []string{"Sun, 06 Nov 1994 08:00:00 GMT"}, 0},
		{"year 9999", []string{"Fri, 31 Dec 9999 23:59:59 GMT"}, math.MaxInt64},
		{"year 10000", []string{"Sat, 01 Jan 10000 00:00:00 GMT"}, never},
		{"another zone", []string{"Sun, 06 Nov 1994 08:49:37 EST"}, never},
		{"RFC 3339", []string{"1994-11-06T08:49:37Z"}, never},
		{"half a date", []string{"Sun, 06 Nov 1994"}, never},
		{"February 30", []string{"Wed, 30 Feb 1995 00:00:00 GMT"}, never},
		{"two headers", []string{"5", "7"}, 7 * time.Second},
		{"two headers, one broken", []string{"soon", "7"}, 7 * time.Second},
		{"two headers, both broken", []string{"soon", "later"}, never},
	} {
		got, ok := ParseRetryAfter(c.values, now)
		if !ok {
			got = never
		}
		if got != c.want {
			t.Errorf("%s: %q gives %s, want %s", c.name, c.values, got, c.want)
		}
	}
}

// A date of two digits is the nearest year of its kind that is at most 50 years
// ahead.
func TestParseRetryAfterReadsYearsOfTwoDigits(t *testing.T) {
	at := time.Date(2026, time.December, 1, 0, 0, 0, 0, time.UTC)
	for value, want := range map[string]bool{
		"Wednesday, 01-Dec-27 00:00:00 GMT": true,  // 2027
		"Monday, 01-Dec-99 00:00:00 GMT":    false, // 1999
	} {
		got, ok := ParseRetryAfter([]string{value}, at)
		if !ok || (got > 0) != want {
			t.Errorf("%s gives %s, %t", value, got, ok)
		}
	}
}

func FuzzParseRetryAfter(f *testing.F) {
	for _, value := range []string{"", "120", "-1", "1.5", "99999999999999999999", "Sun, 06 Nov 1994 08:49:37 GMT",
		"Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		if hint, ok := ParseRetryAfter([]string{value}, now); hint < 0 || !ok && hint != 0 {
			t.Errorf("%q gives %s, %t", value, hint, ok)
		}
	})
}

func TestHints(t *testing.T) {
	const computed, limit = 2 * time.Second, 30 * time.Second
	for _, c := range []struct {
		name string
		h    Hints
		hint time.Duration
		u    float64
		want time.Duration
	}{
		{"no hint", Hints{}, 0, 0.5, computed},
		{"honoured though shorter", Hints{}, time.Second, 0.5, time.Second},
		{"honoured though longer", Hints{}, 5 * time.Second, 0.5, 5 * time.Second},
		{"a day, under the cap", Hints{}, 86400 * time.Second, 0.5, limit},
		{"a cap of its own", Hints{Cap: time.Minute}, time.Hour, 0.5, time.Minute},
		{"ignored", Hints{Mode: Ignore}, 5 * time.Second, 0.5, computed},
		{"floor below", Hints{Mode: Floor}, time.Second, 0.5, computed},
		{"floor above", Hints{Mode: Floor}, 5 * time.Second, 0.5, 5 * time.Second},
		{"floor, spread", Hints{Mode: Floor, Spread: 1}, 5 * time.Second, 0.5, 7500 * time.Millisecond},
		{"floor, no luck", Hints{Mode: Floor, Spread: 1}, 5 * time.Second, 0, 5 * time.Second},
	} {
		if got := c.h.apply(computed, c.hint, limit, c.u); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

// No hint parks a client for longer than the cap and its spread, nor lets it come
// back before the server asked.
func TestHintsStayBetweenTheServersWishAndTheCap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := Hints{
			Mode:   rapid.SampledFrom([]HintMode{Honour, Floor}).Draw(t, "mode"),
			Spread: rapid.Float64Range(0, maxSpread).Draw(t, "spread"),
			Cap:    time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "cap")),
		}
		hint := time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "hint"))
		u := rapid.Float64Range(0, 1-0x1p-53).Draw(t, "u")
		got := h.apply(0, hint, time.Hour, u)
		if got < min(hint, h.Cap) {
			t.Fatalf("%s comes back after %s", h, got)
		}
		if h.Mode == Honour && got > h.Cap {
			t.Fatalf("%s waits %s", h, got)
		}
	})
}
