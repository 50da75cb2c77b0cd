package reports

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/stagger-sim/stagger/sim"
)

// longestLabel is how long a policy's whole text may be to serve as its label.
const longestLabel = 16

// Labels returns a short name for each policy of a result, by its canonical
// text: its own name; or the wait's name where no other policy shares it; else the
// whole text if that is short, and the wait's name with a number if not.
func Labels(r *sim.Result) map[string]string {
	shared := map[string]int{}
	for _, p := range r.Scenario.Policies {
		if p.Name == "" {
			shared[waitName(p.String())]++
		}
	}
	labels := map[string]string{}
	number := map[string]int{}
	for _, p := range r.Scenario.Policies {
		text := p.String()
		name := waitName(text)
		if p.Name == "" {
			number[name]++
		}
		switch {
		case p.Name != "":
			labels[text] = p.Name
		case shared[name] == 1:
			labels[text] = name
		case utf8.RuneCountInString(text) <= longestLabel:
			labels[text] = text
		default:
			labels[text] = fmt.Sprintf("%s %d", name, number[name])
		}
	}
	return labels
}

// waitName cuts a policy's text down to the name of its wait.
func waitName(text string) string {
	end := strings.IndexAny(text, "( ")
	if end < 0 {
		return text
	}
	return text[:end]
}

// legend says what the labels stand for, in one line for all policies whose
// text differs only in the name.
func legend(r *sim.Result) []string {
	labels := Labels(r)
	var order []string
	names := map[string][]string{}
	for _, p := range r.Scenario.Policies {
		text := p.String()
		label := labels[text]
		if label == text {
			continue
		}
		rest := "…" + strings.TrimPrefix(text, label)
		switch {
		case p.Name != "":
			rest = strings.TrimPrefix(text, p.Name+": ")
		case label != waitName(text):
			rest = text
		}
		if names[rest] == nil {
			order = append(order, rest)
		}
		names[rest] = append(names[rest], label)
	}
	var lines []string
	for _, rest := range order {
		lines = append(lines, strings.Join(names[rest], ", ")+" = "+rest)
	}
	return lines
}
