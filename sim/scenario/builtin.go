package scenario

import (
	"embed"
	"fmt"
	"strings"
	"time"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// BuiltIn is a scenario that comes with stagger.
type BuiltIn struct {
	sim.Scenario
	About string // what it shows, in a few sentences
}

// Names lists the names of the built-in scenarios, the default first and those
// that belong together next to each other.
func Names() []string {
	return []string{
		"herd", "herd-constant", "rush-hour", "retry-storm", "fixed-delay", "polite-herd", "aws-contention",
		"decision-table", "retry-after", "everybody-at-once", "too-many-requests", "double-charge",
		"how-many-attempts", "attempts-in-an-outage", "outage", "metastable", "short-queue",
		"retry-budget", "circuit-breaker", "defence-in-depth", "layers", "retry-once",
	}
}

// BuiltIns lists the built-in scenarios in the order of [Names].
func BuiltIns() []BuiltIn {
	var list []BuiltIn
	for _, name := range Names() {
		list = append(list, builtIn(name))
	}
	return list
}

//go:embed builtin/*.yaml
var files embed.FS

// builtIn reads the file of a built-in scenario; the comment it begins with says
// what the scenario shows.
func builtIn(name string) BuiltIn {
	file := "builtin/" + name + ".yaml"
	data, err := files.ReadFile(file)
	if err != nil {
		panic(fmt.Sprintf("scenario: %v", err))
	}
	s, err := Parse(file, data)
	if err != nil {
		panic(fmt.Sprintf("scenario: %v", err))
	}
	var about []string
	for line := range strings.Lines(string(data)) {
		text, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		about = append(about, strings.TrimSpace(text))
	}
	return BuiltIn{Scenario: s, About: strings.Join(about, "\n")}
}

const (
	base = 500 * time.Millisecond
	top  = 30 * time.Second
)

// unlimited returns policies with these waits and no other limit.
func unlimited(waits ...strategies.Backoff) []strategies.Policy {
	policies := make([]strategies.Policy, len(waits))
	for i, w := range waits {
		policies[i] = strategies.Policy{Wait: w}
	}
	return policies
}

// usual is the comparison that most scenarios make.
func usual() []strategies.Policy {
	return unlimited(
		strategies.Immediate{},
		strategies.Fixed{Delay: time.Second},
		strategies.Exponential{Base: base, Cap: top},
		strategies.Equal{Base: base, Cap: top},
		strategies.Decorrelated{Base: base, Cap: top},
		strategies.Full{Base: base, Cap: top},
	)
}
