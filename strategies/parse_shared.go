package strategies

import (
	"slices"
	"strconv"
	"strings"
)

// budgets lists the names of the terms of which a policy has one at most.
func budgets() []string {
	return []string{"budget", "tokens", "grpc-throttling", "concurrency", "gate"}
}

// oneBudget reads a budget into the policy, unless it has one already.
func (p *parser) oneBudget(t term, policy *Policy) {
	if p.budget != "" {
		if p.budget != t.name { // the same twice is reported where terms are counted
			p.fault("%s is a second budget; a policy has one", t.name)
		}
		return
	}
	p.budget = t.name
	switch t.name {
	case "budget":
		policy.Budget = valid(p, t, p.ratio)
	case "tokens":
		policy.Budget = valid(p, t, p.tokens)
	case "grpc-throttling":
		policy.Budget = valid(p, t, p.grpcThrottling)
	case "concurrency":
		policy.Budget = valid(p, t, p.concurrency)
	case "gate":
		policy.Budget = valid(p, t, p.gate)
	}
}

// valid reads a term and checks that its parameters, each readable, also fit
// together.
func valid[T interface{ Validate() error }](p *parser, t term, read func(term) T) T {
	faults := len(p.faults)
	part := read(t)
	if len(p.faults) > faults {
		return part
	}
	if err := part.Validate(); err != nil {
		p.fault("%s", oneLine(err))
	}
	return part
}

// parameter is one that a term knows, and what reads its value.
type parameter struct {
	key  string
	read func(what, value string)
}

// arguments reads the first value, which has no name, and the named rest. A bare
// word later on is a parameter without a value. The example shows a term whose
// first value is missing; empty: it may be missing.
func (p *parser) arguments(t term, first func(what, value string), example string, rest ...parameter) {
	seen := map[string]bool{}
	var keys []string
	for _, known := range rest {
		keys = append(keys, known.key)
	}
	for i, a := range t.args {
		if i == 0 && a.key == "" {
			first(t.name, a.value)
			seen[""] = true
			continue
		}
		key := a.key
		if key == "" {
			key = a.value
		}
		at := slices.Index(keys, key)
		switch {
		case at < 0:
			p.unknown(t.name+" parameter", key, keys)
		case seen[key]:
			p.fault("%s: %s stands twice", t.name, key)
		default:
			rest[at].read(t.name+": "+key, a.value)
		}
		seen[key] = true
	}
	if example != "" && !seen[""] {
		p.fault("%s begins with a value that needs no name, as in %s", t.name, example)
	}
}

// into returns a reader that stores what it reads.
func into[T any](where *T, read func(what, value string) T) func(what, value string) {
	return func(what, value string) { *where = read(what, value) }
}

func (p *parser) ratio(t term) Ratio {
	r := Ratio{Window: DefaultWindow}
	p.arguments(t, into(&r.Share, p.share), "budget(10%, window=10s)",
		parameter{"window", into(&r.Window, p.duration)},
		parameter{"min", into(&r.Min, p.rate)},
		parameter{"refill", into(&r.Refill, p.refill)},
		parameter{"per", into(&r.Per, p.scope)})
	return r
}

func (p *parser) tokens(t term) Tokens {
	var b Tokens
	p.arguments(t, into(&b.Max, p.amount), "tokens(100, add=0.1)",
		parameter{"cost", into(&b.Cost, p.amount)},
		parameter{"throttled", into(&b.Throttled, p.amount)},
		parameter{"add", into(&b.Amount, p.amount)},
		parameter{"refill", into(&b.Refill, p.refill)},
		parameter{"keep", into(&b.Keep, p.amountOrNone)},
		parameter{"refund", into(&b.Refund, p.word)},
		parameter{"per", into(&b.Per, p.scope)})
	return b.canonical()
}

// canonical turns amounts that spell out their defaults into 0, their meaning.
func (t Tokens) canonical() Tokens {
	if t.Throttled == t.cost(Usual) {
		t.Throttled = 0
	}
	if t.Cost == DefaultCost {
		t.Cost = 0
	}
	if t.Amount == DefaultAmount {
		t.Amount = 0
	}
	return t
}

func (p *parser) grpcThrottling(t term) GRPCThrottling {
	var g GRPCThrottling
	p.arguments(t, into(&g.Max, p.amount), "grpc-throttling(10, ratio=0.1)",
		parameter{"ratio", into(&g.Ratio, p.amount)},
		parameter{"per", into(&g.Per, p.scope)})
	if g.Ratio == DefaultAmount {
		g.Ratio = 0
	}
	return g
}

func (p *parser) concurrency(t term) Concurrency {
	var c Concurrency
	p.arguments(t, into(&c.Share, p.share), "concurrency(20%, min=3)",
		parameter{"min", into(&c.Min, p.count)},
		parameter{"parked", into(&c.Parked, p.word)},
		parameter{"per", into(&c.Per, p.scope)})
	if c.Min == DefaultConcurrency {
		c.Min = 0
	}
	return c
}

func (p *parser) gate(t term) Gate {
	var g Gate
	p.arguments(t, into(&g.Share, p.share), "gate(10%)", parameter{"per", into(&g.Per, p.scope)})
	return g
}

// breaker reads both kinds: one that counts failures in a row has no share, and
// one that goes by a share has a window when nothing else is said.
func (p *parser) breaker(t term) Breaker {
	var b Breaker
	example := "breaker(50%, window=10s) or breaker(consecutive=5)"
	consecutive := slices.ContainsFunc(t.args, func(a argument) bool { return a.key == "consecutive" })
	if consecutive {
		example = ""
	}
	p.arguments(t, into(&b.Share, p.share), example,
		parameter{"window", into(&b.Window, p.duration)},
		parameter{"calls", into(&b.Calls, p.count)},
		parameter{"min", into(&b.Min, p.count)},
		parameter{"consecutive", into(&b.Consecutive, p.count)},
		parameter{"open", into(&b.Open, p.duration)},
		parameter{"max-open", into(&b.MaxOpen, p.duration)},
		parameter{"probes", into(&b.Probes, p.count)},
		parameter{"when-open", into(&b.WhenOpen, p.whenOpen)},
		parameter{"per", into(&b.Per, p.scope)})
	if !consecutive && b.Window == 0 && b.Calls == 0 {
		b.Window = DefaultWindow
	}
	if !consecutive && b.Min == b.least() {
		b.Min = 0
	}
	if b.Open == DefaultOpen {
		b.Open = 0
	}
	if b.Probes == DefaultProbes {
		b.Probes = 0
	}
	return b
}

func (p *parser) throttle(t term) Throttle {
	h := Throttle{Window: DefaultThrottleWindow}
	p.arguments(t, into(&h.K, p.number), "throttle(2, window=2m)",
		parameter{"window", into(&h.Window, p.duration)},
		parameter{"per", into(&h.Per, p.scope)})
	return h
}

// amount reads a number of tokens.
func (p *parser) amount(what, value string) float64 {
	f := decimal(value)
	if !(f >= 0.001 && f <= maxTokens) {
		p.fault("%s: %q is no number from 0.001 to %.0f", what, value, maxTokens)
		return 0
	}
	return f
}

// amountOrNone reads a number of tokens that may be 0.
func (p *parser) amountOrNone(what, value string) float64 {
	if decimal(value) == 0 {
		return 0
	}
	return p.amount(what, value)
}

// word reads a parameter whose presence says it all: as a bare word it has its
// own name for a value.
func (p *parser) word(what, value string) bool {
	if !strings.HasSuffix(what, ": "+value) {
		p.fault("%s takes no value", what)
	}
	return true
}

func (p *parser) refill(what, value string) Refill {
	names := []string{PerFirst: "first", PerSuccess: "success"}
	return Refill(p.oneOf(what, value, names))
}

func (p *parser) whenOpen(what, value string) WhenOpen {
	return WhenOpen(p.oneOf(what, value, whenOpenNames()))
}

// oneOf returns which of the names the value is, the first if it is none.
func (p *parser) oneOf(what, value string, names []string) int {
	i := slices.Index(names, value)
	if i < 0 {
		p.unknown(strings.ReplaceAll(what, ":", ""), value, names)
	}
	return max(i, 0)
}

// scope reads how many clients share a part; 1 is 0, the default.
func (p *parser) scope(what, value string) Scope {
	if value == "all" {
		return All
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 1 || n > maxGroup {
		p.fault("%s: %q is neither all nor a number of clients", what, value)
		return 0
	}
	if n == 1 {
		return 0
	}
	return Scope(n)
}
