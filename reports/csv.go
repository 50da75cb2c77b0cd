package reports

import (
	"encoding/csv"
	"io"
	"maps"
	"slices"
	"strconv"

	"github.com/stagger-sim/stagger/sim"
)

// CSV writes one row a cell, with a header. Each metric has the columns
// NAME_mean, _sd, _ci95_low, _ci95_high, _p10, _p50 and _p90; what a cell cannot
// say is empty.
func CSV(w io.Writer, r *sim.Result) error {
	names := metricNames(r)
	header := []string{"policy", "clients", "replications"}
	for _, name := range names {
		for _, part := range []string{"mean", "sd", "ci95_low", "ci95_high", "p10", "p50", "p90"} {
			header = append(header, name+"_"+part)
		}
	}
	out := csv.NewWriter(w)
	if err := out.Write(header); err != nil {
		return err
	}
	for _, c := range r.Cells {
		row := []string{c.Policy, strconv.Itoa(c.Clients), strconv.Itoa(c.Replications)}
		for _, name := range names {
			row = append(row, metricFields(c.Metrics[name])...)
		}
		if err := out.Write(row); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// metricNames lists the metrics that any cell has, sorted.
func metricNames(r *sim.Result) []string {
	all := map[string]bool{}
	for _, c := range r.Cells {
		for name := range c.Metrics {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

func metricFields(m *sim.Metric) []string {
	fields := make([]string, 7)
	if m == nil {
		return fields
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	fields[0] = number(m.Mean)
	if m.SD != nil {
		fields[1] = number(*m.SD)
	}
	if m.CI95 != nil {
		fields[2], fields[3] = number(m.CI95[0]), number(m.CI95[1])
	}
	fields[4], fields[5], fields[6] = number(m.P10), number(m.P50), number(m.P90)
	return fields
}
