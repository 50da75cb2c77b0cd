package strategies

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrPolicy is wrapped by every error about a policy's text.
var ErrPolicy = errors.New("invalid policy")

// What a growing wait is when its text leaves a parameter out.
const (
	DefaultBase = 500 * time.Millisecond
	DefaultCap  = 30 * time.Second
)

// Waits lists the names that a policy's first term can have.
func Waits() []string {
	return []string{"immediate", "fixed", "exponential", "equal", "decorrelated", "full"}
}

// limits lists the names of the terms that may follow the wait.
func limits() []string {
	return append([]string{"attempts", "deadline", "timeout", "retry-after", "rate", "retry", "final", "unsafe", "key", "breaker", "throttle"}, budgets()...)
}

// Parse reads a policy in its text form: a wait, then limits joined by "+", as
// in
//
//	full(base=500ms, cap=30s) + attempts(5) + deadline(10s) + budget(10%)
//
// The waits are immediate, fixed(1s), and exponential, equal, decorrelated and
// full with base (500ms), cap (30s) and factor (2; decorrelated 3). The other
// terms are attempts(5), deadline(10s), timeout(1s), rate(100/s), unsafe, key,
// retry(500, timeout) and final(504), which change the decision table, and
// retry-after(honour), (ignore) or (floor, spread=50%), each with cap=60s if
// need be.
//
// What clients share follows: one budget of budget(10%, window=10s, min=10/s),
// tokens(100, add=0.1), grpc-throttling(10, ratio=0.1), concurrency(20%, min=3)
// and gate(10%), a breaker(50%, window=10s, min=20, open=5s, probes=1) or
// breaker(consecutive=5), and throttle(2, window=2m). Each belongs to one client
// unless per=all or, for groups of clients, per=20 stands in it. A Boolean
// parameter is a bare word, as in tokens(100, refund).
//
// A name may stand before it all, as in careful: full + attempts(3). The error
// wraps [ErrPolicy], stands on one line, and names every fault of the text.
func Parse(text string) (Policy, error) {
	var p parser
	policy := p.policy(text)
	if len(p.faults) > 0 {
		return Policy{}, fmt.Errorf("%w %q: %s", ErrPolicy, text, strings.Join(p.faults, "; "))
	}
	return policy, nil
}

// parser collects the faults of one text.
type parser struct {
	faults []string
	budget string // the name of the budget that was read
}

// fault notes what is wrong, on one line whatever the arguments hold.
func (p *parser) fault(format string, args ...any) {
	p.faults = append(p.faults, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

func (p *parser) policy(text string) Policy {
	var policy Policy
	if strings.TrimSpace(text) == "" {
		p.fault("it is empty; write a wait such as full(base=500ms, cap=30s)")
		return policy
	}
	if name, rest, named := strings.Cut(text, ":"); named {
		policy.Name, text = strings.TrimSpace(name), rest
		if !validName(policy.Name) {
			p.fault("%q is no name for a policy: write a word of small letters, digits and dashes that is no wait", policy.Name)
		}
	}
	seen := map[string]bool{}
	for i, part := range splitTerms(text) {
		t, ok := p.term(part)
		if !ok {
			continue
		}
		if i == 0 {
			policy.Wait = p.validWait(t)
			continue
		}
		if seen[t.name] && slices.Contains(limits(), t.name) {
			p.fault("%s stands twice", t.name)
		}
		seen[t.name] = true
		p.limit(t, &policy)
	}
	p.fitting(policy)
	return policy
}

// fitting checks that terms which are right by themselves also fit together.
func (p *parser) fitting(policy Policy) {
	if len(p.faults) > 0 {
		return
	}
	if err := policy.Validate(); err != nil {
		p.fault("%s", oneLine(err))
	}
}

// oneLine joins the lines of joined errors.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// splitTerms cuts a text at each "+" outside of parentheses.
func splitTerms(text string) []string {
	var terms []string
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '+':
			if depth <= 0 {
				terms = append(terms, text[start:i])
				start = i + 1
			}
		}
	}
	return append(terms, text[start:])
}

// term is name(key=value, …); a value without a key has the key "".
type term struct {
	name string
	args []argument
}

type argument struct {
	key, value string
}

// term cuts one term into its parts.
func (p *parser) term(text string) (term, bool) {
	text = strings.TrimSpace(text)
	if text == "" {
		p.fault(`a term is missing beside a "+"`)
		return term{}, false
	}
	name, rest, open := strings.Cut(text, "(")
	t := term{name: strings.TrimSpace(name)}
	if !open {
		return t, true
	}
	if strings.Count(text, "(") > strings.Count(text, ")") {
		p.fault(`%q lacks a ")"`, text)
		return term{}, false
	}
	inside, closed := strings.CutSuffix(rest, ")")
	if !closed || strings.ContainsAny(inside, "()") {
		p.fault(`%q is not one term; write name(…), joined by "+"`, text)
		return term{}, false
	}
	if strings.TrimSpace(inside) == "" {
		return t, true
	}
	for field := range strings.SplitSeq(inside, ",") {
		key, value, keyed := strings.Cut(field, "=")
		if !keyed {
			key, value = "", key
		}
		a := argument{strings.TrimSpace(key), strings.TrimSpace(value)}
		if a.value == "" || keyed && a.key == "" {
			p.fault("%q has an empty parameter; fill it in or leave it out", text)
			continue
		}
		t.args = append(t.args, a)
	}
	return t, true
}

// validWait reads the first term and checks that its parameters, each readable,
// also fit together.
func (p *parser) validWait(t term) Backoff {
	faults := len(p.faults)
	wait := p.wait(t)
	if len(p.faults) > faults {
		return wait
	}
	if err := (Policy{Wait: wait}).Validate(); err != nil {
		p.fault("%s: %s", t.name, oneLine(err))
	}
	return wait
}

// wait reads the first term.
func (p *parser) wait(t term) Backoff {
	switch t.name {
	case "immediate":
		p.known(t)
		return Immediate{}
	case "fixed":
		return Fixed{Delay: only(p, t, "a wait, as in fixed(1s)", p.duration)}
	case "exponential":
		base, limit, factor := p.growth(t, 2)
		return Exponential{Base: base, Cap: limit, Factor: factor}
	case "equal":
		base, limit, factor := p.growth(t, 2)
		return Equal{Base: base, Cap: limit, Factor: factor}
	case "full":
		base, limit, factor := p.growth(t, 2)
		return Full{Base: base, Cap: limit, Factor: factor}
	case "decorrelated":
		base, limit, factor := p.growth(t, 3)
		return Decorrelated{Base: base, Cap: limit, Factor: factor}
	}
	if slices.Contains(limits(), t.name) {
		p.fault("%s is a limit, and the first term must be a wait; write full + %s(…)", t.name, t.name)
	} else {
		p.unknown("wait", t.name, Waits())
	}
	return nil
}

// limit reads a later term into the policy.
func (p *parser) limit(t term, policy *Policy) {
	switch t.name {
	case "attempts":
		policy.Attempts = only(p, t, "a number, as in attempts(5)", p.count)
	case "deadline":
		policy.Deadline = only(p, t, "a duration, as in deadline(10s)", p.duration)
	case "timeout":
		policy.Timeout = only(p, t, "a duration, as in timeout(1s)", p.duration)
	case "retry-after":
		policy.Hints = p.hints(t)
	case "rate":
		policy.Rate = only(p, t, "a rate, as in rate(100/s)", p.rate)
	case "retry":
		policy.Retry = p.statuses(t)
	case "final":
		policy.Final = p.statuses(t)
		if policy.Final.meets(policy.Retry) {
			p.fault("retry and final have a status in common")
		}
	case "unsafe":
		p.known(t)
		policy.Unsafe = true
	case "key":
		p.known(t)
		policy.Key = true
	case "breaker":
		policy.Breaker = valid(p, t, p.breaker)
	case "throttle":
		policy.Throttle = valid(p, t, p.throttle)
	default:
		if slices.Contains(budgets(), t.name) {
			p.oneBudget(t, policy)
			return
		}
		if slices.Contains(Waits(), t.name) {
			p.fault("%s is a wait; a policy has exactly one, as its first term", t.name)
			return
		}
		p.unknown("term", t.name, limits())
	}
}

// growth reads base, cap and factor; a factor that is the usual one is 0.
func (p *parser) growth(t term, usual float64) (base, limit time.Duration, factor float64) {
	p.known(t, "base", "cap", "factor")
	base, limit = DefaultBase, DefaultCap
	for _, a := range t.args {
		switch a.key {
		case "base":
			base = p.duration(t.name+": base", a.value)
		case "cap":
			limit = p.duration(t.name+": cap", a.value)
		case "factor":
			factor = p.number(t.name+": factor", a.value)
		}
	}
	if factor == usual {
		factor = 0
	}
	return base, limit, factor
}

// known reports the arguments of a term that are none of its parameters, and
// those that stand twice.
func (p *parser) known(t term, keys ...string) {
	seen := map[string]bool{}
	for _, a := range t.args {
		switch {
		case len(keys) == 0:
			p.fault("%s takes no parameters", t.name)
			return
		case a.key == "":
			p.fault("%s: name the parameter of %q, as in %s=%s", t.name, a.value, keys[0], a.value)
		case !slices.Contains(keys, a.key):
			p.unknown(t.name+" parameter", a.key, keys)
		case seen[a.key]:
			p.fault("%s: %s stands twice", t.name, a.key)
		}
		seen[a.key] = true
	}
}

// only reads the single, nameless argument of a term.
func only[T any](p *parser, t term, what string, read func(what, value string) T) T {
	if len(t.args) != 1 || t.args[0].key != "" {
		p.fault("%s takes %s", t.name, what)
		var none T
		return none
	}
	return read(t.name, t.args[0].value)
}

// hints reads retry-after(mode, spread=50%, cap=60s).
func (p *parser) hints(t term) Hints {
	var h Hints
	seen := map[string]bool{}
	for i, a := range t.args {
		if seen[a.key] {
			p.fault("retry-after: %s stands twice", a.key)
		}
		seen[a.key] = true
		switch {
		case a.key == "" && i == 0:
			h.Mode = p.mode(a.value)
		case a.key == "spread":
			h.Spread = p.share("retry-after: spread", a.value)
		case a.key == "cap":
			h.Cap = p.duration("retry-after: cap", a.value)
		default:
			p.unknown("retry-after parameter", a.key+a.value, []string{"spread", "cap"})
		}
	}
	if len(t.args) == 0 || t.args[0].key != "" {
		p.fault("retry-after takes honour, ignore or floor, as in retry-after(floor, spread=50%%)")
	}
	if h.Spread > 0 && h.Mode != Floor {
		p.fault("retry-after: spread goes with floor only")
	}
	return h
}

func (p *parser) mode(value string) HintMode {
	names := []string{Honour: "honour", Ignore: "ignore", Floor: "floor"}
	i := slices.Index(names, value)
	if i < 0 {
		p.unknown("retry-after mode", value, names)
		return Honour
	}
	return HintMode(i)
}

// share reads a percentage, or a plain number.
func (p *parser) share(what, value string) float64 {
	f := readShare(value)
	if !(f >= 0 && f <= maxSpread) {
		p.fault("%s: %q is no percentage from 0%% to %d%%", what, value, maxSpread*100)
		return 0
	}
	return f
}

func (p *parser) rate(what, value string) Rate {
	digits, found := strings.CutSuffix(value, "/s")
	f := decimal(digits)
	if !found || !(f >= 1/maxRate && f <= maxRate) {
		p.fault("%s: %q is no rate (write 100/s; up to %.0f/s)", what, value, maxRate)
		return 0
	}
	return Rate(f)
}

// statuses reads retry(500, timeout).
func (p *parser) statuses(t term) Statuses {
	var set Statuses
	if len(t.args) == 0 {
		p.fault("%s takes statuses and faults, as in %s(500, timeout)", t.name, t.name)
	}
	for _, a := range t.args {
		if a.key != "" {
			p.fault("%s takes statuses and faults, not %s=%s", t.name, a.key, a.value)
			continue
		}
		out, ok := outcomeNamed(a.value)
		if !ok {
			p.fault("%s: %q is neither a status from 400 to 599 nor refused, timeout or broken", t.name, a.value)
			continue
		}
		set = set.With(out)
	}
	return set
}

// outcomeNamed reads a status or the name of a fault.
func outcomeNamed(name string) (Outcome, bool) {
	for f := Refused; f <= Broken; f++ {
		if f.String() == name {
			return Outcome{Fault: f}, true
		}
	}
	status, err := strconv.Atoi(name)
	out := Outcome{Status: status}
	_, ok := out.bit()
	return out, err == nil && ok
}

func (p *parser) duration(what, value string) time.Duration {
	d, err := time.ParseDuration(value)
	switch {
	case err != nil:
		p.fault("%s: %q is no duration (write 500ms, 1.5s, 2m; at most 2562047h)", what, value)
	case d <= 0:
		p.fault("%s must be at least 1ns, got %s", what, value)
	}
	return d
}

func (p *parser) count(what, value string) int {
	n, err := strconv.ParseInt(value, 10, 32)
	if err != nil || n < 1 {
		p.fault("%s: %q is no whole number from 1 to %d", what, value, math.MaxInt32)
	}
	return int(n)
}

func (p *parser) number(what, value string) float64 {
	f := decimal(value)
	if !(f >= 1 && f <= maxFactor) {
		p.fault("%s: %q is no number from 1 to %.0f", what, value, maxFactor)
		return 0
	}
	return f
}

// readShare reads 0.1 or 10% as 0.1, and anything else as NaN.
func readShare(text string) float64 {
	digits, percent := strings.CutSuffix(text, "%")
	switch {
	case !percent:
		return decimal(text)
	case strings.ContainsAny(digits, "eE"):
		return decimal(digits) / 100
	}
	// Scaled as text, 7% is the number nearest to 0.07, as 7.0/100 need not be.
	return decimal(digits + "e-2")
}

// decimal reads a number as people write it, and anything else, hexadecimal
// included, as NaN.
func decimal(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || strings.ContainsAny(text, "xX") {
		return math.NaN()
	}
	return f
}

func (p *parser) unknown(what, name string, known []string) {
	if near := Nearest(name, known); near != "" {
		p.fault("unknown %s %q (did you mean %q?)", what, name, near)
		return
	}
	p.fault("unknown %s %q (known: %s)", what, name, strings.Join(known, ", "))
}
