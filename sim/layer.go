package sim

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/strategies"
)

// Layer is a server behind another: that one calls it for each request, when its
// own work on the request is over, and keeps the worker until the call has ended.
// What becomes of the call is the answer: 200, the status of its failure, 504 after
// a timeout, else 502.
type Layer struct {
	Name     string             `json:"name" need:"yes" doc:"a word of small letters, digits and _, by which faults and expectations call it"`
	Capacity Capacity           `json:"capacity" need:"yes" doc:"its workers and queue"`
	Leg      *Distribution      `json:"leg,omitempty" doc:"time of each message between it and the server before, one way; left out, as network.leg"`
	Policy   *strategies.Policy `json:"policy,omitempty" doc:"of the server before, which is one process, in its calls to this one; left out, the policy that is tried"`
	Cancel   bool               `json:"cancel,omitempty" doc:"when nobody waits for an answer of the server before any more, its call to this one is given up too"`
}

// Bounds of a scenario's layers.
const (
	maxBehind   = 20
	longestName = 40
)

// firstServer is what the server is called that the clients call. No layer can have
// the name.
const firstServer = "server"

// validateBehind names every bad field of the servers behind the first.
func (s Scenario) validateBehind(c *complaints) {
	if len(s.Behind) == 0 {
		return
	}
	if len(s.Behind) > maxBehind {
		c.require(false, "behind", "at most %d servers can stand behind the first, got %d", maxBehind, len(s.Behind))
		return
	}
	c.require(s.Server.Capacity != nil, "behind", "needs a capacity server in front")
	c.require(!s.Client.Creates, "client.creates", "cannot be told where servers stand behind the first: each may create something")
	seen := map[string]bool{}
	word := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	for i, l := range s.Behind {
		path := fmt.Sprintf("behind[%d]", i)
		switch {
		case !word.MatchString(l.Name) || len(l.Name) > longestName:
			c.add(path+".name", fmt.Errorf("%q is no name; write a word of small letters, digits and _, of at most %d", l.Name, longestName))
		case l.Name == firstServer:
			c.add(path+".name", fmt.Errorf("%s is the one that the clients call", firstServer))
		case seen[l.Name]:
			c.add(path+".name", fmt.Errorf("%s stands twice", l.Name))
		}
		seen[l.Name] = true
		l.Capacity.validate(c, path+".capacity")
		if l.Leg != nil {
			c.add(path+".leg", l.Leg.Validate())
		}
		if l.Policy != nil {
			c.add(path+".policy", l.Policy.Validate())
		}
	}
}

// depthOf returns how many servers stand before the one of this name; 0 if there
// is none of it behind the first.
func (s Scenario) depthOf(name string) uint16 {
	return uint16(1 + slices.IndexFunc(s.Behind, func(l Layer) bool { return l.Name == name }))
}

// noLayer says that no server behind the first has this name.
func (s Scenario) noLayer(name string) error {
	var names []string
	for _, l := range s.Behind {
		names = append(names, l.Name)
	}
	switch {
	case len(names) == 0:
		return errors.New("there are no servers behind the first")
	case name == firstServer:
		return fmt.Errorf("%s is the first one: leave the name out", firstServer)
	}
	if near := strategies.Nearest(name, names); near != "" {
		return fmt.Errorf("no server behind the first is called %q (did you mean %q?)", name, near)
	}
	return fmt.Errorf("no server behind the first is called %q (there are: %s)", name, strings.Join(names, ", "))
}

// LayerMetric is the name of a metric, one of [LayerMetrics], for a server behind
// the first.
func LayerMetric(metric, layer string) string { return metric + "_" + layer }

// LayerMetrics lists the metrics that every server behind the first has.
func LayerMetrics() []string {
	return []string{
		MetricCalls, MetricAmplification, MetricRejected, MetricUtilisation, MetricDenied, MetricShorted, MetricWasted,
	}
}

// BaseMetric is the name of a metric without the layer that it is of, if it is of
// one.
func BaseMetric(name string) string {
	if layer, ok := layerOf(name); ok {
		return strings.TrimSuffix(name, "_"+layer)
	}
	return name
}

// layerOf returns the layer in the name of a metric, if there is one.
func layerOf(name string) (layer string, ok bool) {
	for _, metric := range LayerMetrics() {
		if layer, ok := strings.CutPrefix(name, metric+"_"); ok {
			return layer, true
		}
	}
	return "", false
}

// metricsBehind are the figures of the servers behind the first. Amplification is
// calls ÷ operations of the clients: what all policies before it multiply to.
func metricsBehind(behind []Layer) []metric {
	always := func(Scenario) bool { return true }
	const nothing = "there was nothing to measure"
	const unreached = "nothing reached it"
	var list []metric
	for i, l := range behind {
		calls := func(t *tally) int { return t.behind[i].measured().calls }
		used := utilisation(l.Capacity.Workers)
		list = append(list, []metric{
			{LayerMetric(MetricCalls, l.Name), always, func(t *tally, _ float64) float64 { return float64(calls(t)) }, nothing, plain},
			{LayerMetric(MetricAmplification, l.Name), always, func(t *tally, _ float64) float64 {
				return quotient(calls(t), t.measured().operations)
			}, nothing, plain},
			{LayerMetric(MetricRejected, l.Name), always, func(t *tally, _ float64) float64 {
				return quotient(t.behind[i].measured().refusals, calls(t))
			}, unreached, plain},
			{LayerMetric(MetricUtilisation, l.Name), always, func(t *tally, ns float64) float64 { return used(t.behind[i], ns) }, nothing, plain},
			{LayerMetric(MetricDenied, l.Name), always, func(t *tally, _ float64) float64 {
				return float64(t.behind[i].measured().reasons[strategies.WhyBudget])
			}, nothing, plain},
			{LayerMetric(MetricShorted, l.Name), always, func(t *tally, _ float64) float64 {
				return float64(t.behind[i].measured().shorted)
			}, nothing, plain},
			{LayerMetric(MetricWasted, l.Name), always, func(t *tally, _ float64) float64 { return t.behind[i].wasted / 1e9 }, nothing, plain},
		}...)
	}
	return list
}
