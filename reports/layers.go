package reports

import (
	"unicode/utf8"

	"github.com/stagger-sim/stagger/sim"
)

// layerFact says in a line what stands behind the server that the clients call.
func layerFact(l sim.Layer) string {
	text := "behind it, " + l.Name + ": " + capacityFact(l.Capacity)
	if l.Leg != nil {
		text += ", legs " + l.Leg.String()
	}
	if l.Policy != nil {
		text += ", called with " + l.Policy.String()
	}
	if l.Cancel {
		text += ", cancelled"
	}
	return text
}

// layerTables sets the amplification at every server side by side, in as many
// tables as it takes to fit the width. Their rows are those of the groups. There
// is none where nothing stands behind the server.
func layerTables(r *sim.Result, groups []group) []sheet {
	if len(r.Scenario.Behind) == 0 {
		return nil
	}
	names := []string{"server"}
	metrics := []string{sim.MetricAmplification}
	for _, l := range r.Scenario.Behind {
		names = append(names, l.Name)
		metrics = append(metrics, sim.LayerMetric(sim.MetricAmplification, l.Name))
	}
	columns := make([][]string, len(metrics)) // each a figure a cell
	for i, metric := range metrics {
		for _, c := range r.Cells {
			text := absent
			if m := c.Metrics[metric]; m != nil {
				text = Number(m.Mean)
			}
			columns[i] = append(columns[i], text)
		}
	}
	var tables []sheet
	for len(names) > 0 {
		n := fitting(groups, names, columns)
		tables = append(tables, layerTable(groups, names[:n], columns[:n]))
		names, columns = names[n:], columns[n:]
	}
	return tables
}

// layerTable puts columns of figures behind the labels of the groups' rows.
func layerTable(groups []group, names []string, columns [][]string) sheet {
	s := sheet{header: append([]string{"policy"}, names...)}
	cell := 0
	for _, g := range groups {
		part := group{name: g.name}
		for _, row := range g.rows {
			cells := []string{row[0]}
			for _, column := range columns {
				cells = append(cells, column[cell])
			}
			part.rows = append(part.rows, cells)
			cell++
		}
		s.groups = append(s.groups, part)
	}
	return s
}

// fitting returns how many of the columns fit the width beside the labels, at
// least one. Each column takes a blank on either side.
func fitting(groups []group, names []string, columns [][]string) int {
	const blanks = 2
	var first []string
	for _, g := range groups {
		first = append(first, g.name)
		for _, row := range g.rows {
			first = append(first, row[0])
		}
	}
	used := widest(first) + blanks
	for i, name := range names {
		used += max(utf8.RuneCountInString(name), widest(columns[i])) + blanks
		if used > width {
			return max(i, 1)
		}
	}
	return len(names)
}

// widest returns the width of the widest text.
func widest(texts []string) int {
	most := 0
	for _, text := range texts {
		most = max(most, utf8.RuneCountInString(text))
	}
	return most
}
