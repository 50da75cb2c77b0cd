package reports

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// Claim is one sentence that a scenario puts to the test, and how it came out.
type Claim struct {
	Says     string // as the scenario has it
	Measured string // each figure that decides, with its bound in brackets
	Verdict  string // one of sim.BorneOut, sim.NotBorneOut and sim.CannotBeTold
}

// Claims returns the claims of a result in the scenario's order.
func Claims(r *sim.Result) []Claim {
	var list []Claim
	for _, j := range r.Claims {
		list = append(list, Claim{Says: j.Claim, Measured: measured(r, j.Evidence), Verdict: j.Verdict})
	}
	return list
}

// measured writes the figures of a claim's evidence, each with its bound, once.
func measured(r *sim.Result, evidence []sim.Checked) string {
	var parts []string
	for _, c := range evidence {
		figure, bound := cutExpectation(c.Expectation)
		if len(r.Scenario.Clients) > 1 && !strings.Contains(figure, "@") {
			policy, metric := cutFigure(figure)
			figure = policy + "@" + strconv.Itoa(c.Clients) + "." + metric
		}
		if other := against(r, c); other != "" {
			bound += ": " + other
			// Where nothing is decided, the difference shows why.
			if d := c.Difference; d != nil && !c.Met && !c.Refuted {
				bound += fmt.Sprintf(", difference [%s, %s]", Number(d[0]), Number(d[1]))
			}
		}
		parts = append(parts, figure+" "+value(r, c)+" ("+bound+")")
	}
	return strings.Join(slices.Compact(parts), "; ")
}

// cutExpectation parts the figure of an expectation from its sign and bound,
// which begin at the first sign behind a policy's text in quotes. Without a sign
// all of it is the figure.
func cutExpectation(text string) (figure, bound string) {
	from := 0
	if strings.HasPrefix(text, `"`) {
		from = 2 + strings.Index(text[1:], `"`)
	}
	sign := strings.IndexAny(text[from:], "<>=")
	if sign < 0 {
		return text, ""
	}
	return strings.TrimSpace(text[:from+sign]), text[from+sign:]
}

// cutFigure parts the policy of a figure from its metric. Without a dot all of it
// is the policy.
func cutFigure(figure string) (policy, metric string) {
	dot := strings.LastIndex(figure, ".")
	if dot < 0 {
		return figure, ""
	}
	return figure[:dot], figure[dot+1:]
}

// claimLines prints each claim as a block of its own.
func claimLines(list []Claim) [][]string {
	var blocks [][]string
	for _, c := range list {
		blocks = append(blocks, []string{
			"claim     " + c.Says,
			"measured  " + c.Measured,
			"verdict   " + strings.ToUpper(c.Verdict),
		})
	}
	return blocks
}
