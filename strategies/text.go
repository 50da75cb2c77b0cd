package strategies

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// String returns the canonical text form, which [Parse] reads back to an equal
// policy; a parameter that spells out its default comes back as 0, its meaning.
func (p Policy) String() string {
	terms := []string{fmt.Sprint(p.Wait)}
	if p.Name != "" {
		terms[0] = p.Name + ": " + terms[0]
	}
	if p.Attempts != 0 {
		terms = append(terms, fmt.Sprintf("attempts(%d)", p.Attempts))
	}
	if p.Deadline != 0 {
		terms = append(terms, "deadline("+formatDuration(p.Deadline)+")")
	}
	if p.Timeout != 0 {
		terms = append(terms, "timeout("+formatDuration(p.Timeout)+")")
	}
	if text := p.Hints.String(); text != "" {
		terms = append(terms, text)
	}
	if p.Rate != 0 {
		terms = append(terms, "rate("+p.Rate.String()+")")
	}
	if p.Retry != (Statuses{}) {
		terms = append(terms, "retry("+p.Retry.String()+")")
	}
	if p.Final != (Statuses{}) {
		terms = append(terms, "final("+p.Final.String()+")")
	}
	if p.Unsafe {
		terms = append(terms, "unsafe")
	}
	if p.Key {
		terms = append(terms, "key")
	}
	if p.Budget != nil {
		terms = append(terms, p.Budget.String())
	}
	if p.Breaker != (Breaker{}) {
		terms = append(terms, p.Breaker.String())
	}
	if p.Throttle != (Throttle{}) {
		terms = append(terms, p.Throttle.String())
	}
	return strings.Join(terms, " + ")
}

// String returns the term of a policy's text, empty for the zero value.
func (h Hints) String() string {
	if h == (Hints{}) {
		return ""
	}
	text := "retry-after(" + [...]string{Honour: "honour", Ignore: "ignore", Floor: "floor"}[h.Mode]
	if h.Spread != 0 {
		text += ", spread=" + formatShare(h.Spread)
	}
	if h.Cap != 0 {
		text += ", cap=" + formatDuration(h.Cap)
	}
	return text + ")"
}

// MarshalText returns the canonical text form.
func (p Policy) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the text form.
func (p *Policy) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*p = parsed
	return nil
}

// formatShare prints a share as a percentage, unless that would not read back to
// the same number.
func formatShare(share float64) string {
	// Fifteen digits drop what the multiplication rounded: 7%, not 7.000000000000001%.
	percent := decimal(strconv.FormatFloat(share*100, 'g', 15, 64))
	if text := strconv.FormatFloat(percent, 'f', -1, 64) + "%"; readShare(text) == share {
		return text
	}
	return strconv.FormatFloat(share, 'f', -1, 64)
}

// formatGrowth prints an exponential wait; a factor that is the default is left
// out.
func formatGrowth(name string, base, limit time.Duration, factor, usual float64) string {
	text := name + "(base=" + formatDuration(base) + ", cap=" + formatDuration(limit)
	if factor != 0 && factor != usual {
		text += ", factor=" + strconv.FormatFloat(factor, 'g', -1, 64)
	}
	return text + ")"
}

// formatDuration prints as time.Duration does, without trailing zero units:
// 1m, not 1m0s.
func formatDuration(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}
