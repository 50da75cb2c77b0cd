package sim

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Expectation is a sentence about a result that is true or not, such as
//
//	full.amplification <= 1.1
//	immediate@5000.success_ratio < 5%
//	full.recovery_seconds < 10s
//
// It calls a policy by its name, or else its wait, or by its whole text in quotes, a number of
// clients (without it, all must pass), a metric, and a bound: a number, a
// percentage or a duration. It is met when the metric's whole 95 % interval is on
// the right side of the bound, so that luck does not pass it.
type Expectation struct {
	text    string
	policy  string
	clients int // 0: all
	metric  string
	sign    string
	bound   float64
}

// ParseExpectation reads the text form.
func ParseExpectation(text string) (Expectation, error) {
	form := regexp.MustCompile(`^\s*(?:"([^"]+)"|([a-z][a-z0-9-]*))(?:@([0-9]+))?\.([a-z0-9_]+)\s*(<=|>=|<|>|==)\s*(\S+)\s*$`)
	parts := form.FindStringSubmatch(text)
	if parts == nil {
		return Expectation{}, fmt.Errorf("%q is no expectation; write it like full@1000.amplification <= 1.1", text)
	}
	e := Expectation{text: strings.TrimSpace(text), policy: parts[1] + parts[2], metric: parts[4], sign: parts[5]}
	if parts[3] != "" {
		n, err := strconv.Atoi(parts[3])
		if err != nil || n < 1 {
			return Expectation{}, fmt.Errorf("%q: %s is no number of clients", text, parts[3])
		}
		e.clients = n
	}
	if names := MetricNames(); !slices.Contains(names, e.metric) {
		if near := strategies.Nearest(e.metric, names); near != "" {
			return Expectation{}, fmt.Errorf("%q: unknown metric %q (did you mean %q?)", text, e.metric, near)
		}
		return Expectation{}, fmt.Errorf("%q: unknown metric %q (known: %s)", text, e.metric, strings.Join(names, ", "))
	}
	bound, ok := parseBound(parts[6], strings.HasSuffix(e.metric, "_seconds"))
	if !ok {
		return Expectation{}, fmt.Errorf("%q: %q is no bound of %s; write 1.1, 5%% or, for seconds, 10s", text, parts[6], e.metric)
	}
	e.bound = bound
	return e, nil
}

// MetricNames lists the metrics that an expectation can name.
func MetricNames() []string {
	var names []string
	for _, m := range metrics() {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// parseBound reads 1.1, 5% or, for what is measured in seconds, 10s.
func parseBound(text string, seconds bool) (float64, bool) {
	if strings.ContainsAny(text, "xX") { // no hexadecimal numbers
		return 0, false
	}
	if digits, ok := strings.CutSuffix(text, "%"); ok {
		f, err := strconv.ParseFloat(digits, 64)
		return f / 100, err == nil && !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	d, err := time.ParseDuration(text)
	return d.Seconds(), seconds && err == nil
}

// String returns the text form.
func (e Expectation) String() string { return e.text }

// MarshalText returns the text form.
func (e Expectation) MarshalText() ([]byte, error) { return []byte(e.text), nil }

// UnmarshalText reads the text form.
func (e *Expectation) UnmarshalText(text []byte) error {
	parsed, err := ParseExpectation(string(text))
	*e = parsed
	return err
}

// Checked is an expectation held against one cell of a result.
type Checked struct {
	Expectation string      `json:"expectation"`
	Policy      string      `json:"policy"`
	Clients     int         `json:"clients"`
	Value       *float64    `json:"value"` // null if the metric has none: the expectation is not met
	CI95        *[2]float64 `json:"ci95"`  // null for a single replication
	Met         bool        `json:"met"`
}

func policyTexts(policies []strategies.Policy) []string {
	texts := make([]string, len(policies))
	for i, p := range policies {
		texts[i] = p.String()
	}
	return texts
}

// matches lists those of the policies that the expectation means.
func (e Expectation) matches(policies []string) []string {
	var texts []string
	for _, text := range policies {
		called, _, named := strings.Cut(text, ":")
		if !named {
			called, _, _ = strings.Cut(text, "(")
			called, _, _ = strings.Cut(called, " ")
		}
		if text == e.policy || called == e.policy {
			texts = append(texts, text)
		}
	}
	return texts
}

// validate complains about an expectation that the scenario cannot answer.
func (e Expectation) validate(c *complaints, path string, s Scenario, policies []string) {
	switch texts := e.matches(policies); {
	case len(texts) == 0:
		c.require(false, path, "%s: no policy is called %q", e.text, e.policy)
	case len(texts) > 1:
		c.require(false, path, "%s: %q can mean %s or %s; write the whole text in quotes", e.text, e.policy, texts[0], texts[1])
	}
	c.require(e.clients == 0 || slices.Contains(s.Clients, e.clients), path, "%s: %d clients are not simulated", e.text, e.clients)
	applies := slices.ContainsFunc(metrics(), func(m metric) bool { return m.name == e.metric && m.needs(s) })
	c.require(applies, path, "%s: %s does not apply to this scenario", e.text, e.metric)
}

// check holds the expectation against the cells that it means.
func (e Expectation) check(s Scenario, cells []Cell) []Checked {
	texts := e.matches(policyTexts(s.Policies))
	var list []Checked
	for _, c := range cells {
		if !slices.Contains(texts, c.Policy) || e.clients != 0 && c.Clients != e.clients {
			continue
		}
		one := Checked{Expectation: e.text, Policy: c.Policy, Clients: c.Clients}
		if m := c.Metrics[e.metric]; m != nil {
			one.Value, one.CI95 = &m.Mean, m.CI95
			low, high := m.Mean, m.Mean
			if m.CI95 != nil {
				low, high = m.CI95[0], m.CI95[1]
			}
			// A figure of those replications only that went well proves nothing.
			all := e.metric != MetricRecovery || c.Metrics[MetricRecovered] != nil && c.Metrics[MetricRecovered].Mean == 1
			one.Met = all && e.holds(low, high)
		}
		list = append(list, one)
	}
	return list
}

// holds reports whether all of an interval is on the right side.
func (e Expectation) holds(low, high float64) bool {
	switch e.sign {
	case "<":
		return high < e.bound
	case "<=":
		return high <= e.bound
	case ">":
		return low > e.bound
	case ">=":
		return low >= e.bound
	default:
		return low <= e.bound && e.bound <= high
	}
}
