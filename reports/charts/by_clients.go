package charts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
)

func totalCalls(r *sim.Result) Chart {
	title := "Calls it takes until every client is done"
	if r.Scenario.Load.Herd == nil {
		title = "Calls that reach the server in the measured time"
	}
	return byClients(r, "total-calls", sim.MetricCalls, title, "calls")
}

func completionTime(r *sim.Result) Chart {
	return byClients(r, "completion-time", sim.MetricCompletion, "Time until the last client is done", "seconds")
}

func latency(r *sim.Result) Chart {
	return byClients(r, "latency", sim.MetricLatencyP99, "Time within which 99 % of the operations are done", "seconds")
}

// fitClients lets a linear axis begin near the least number of clients.
func fitClients(axis *plot.Axis, least, greatest float64) {
	margin := (greatest - least) / 20
	if margin == 0 {
		margin = greatest / 2
	}
	axis.Min, axis.Max = least-margin, greatest+margin
}

// subtitle says what the figures are.
func subtitle(r *sim.Result) string {
	text := strings.TrimSuffix(r.Scenario.Title, ".")
	if text == "" {
		text = r.Scenario.Name
	}
	if r.Scenario.Replications == 1 {
		return text + ". One replication."
	}
	return fmt.Sprintf("%s. Mean of %d replications; the band is its 95 %% interval.", text, r.Scenario.Replications)
}

// curve is one policy's figures over the numbers of clients.
type curve struct {
	style style
	mean  plotter.XYs
	band  plotter.XYs // the outline of the 95 % intervals
}

// byClients draws a metric against the number of clients, a line a policy, each
// named at its end.
func byClients(r *sim.Result, name, metric, title, unit string) Chart {
	return Chart{Name: name, height: slide, draw: func(c draw.Canvas) error {
		curves := curvesOf(r, metric)
		p := newPlot("clients", unit)
		least, greatest := extent(curves)
		scaleAxis(&p.Y, least, greatest, logFiguresFrom)
		clients := slices.Sorted(slices.Values(r.Scenario.Clients))
		scaleAxis(&p.X, float64(clients[0]), float64(clients[len(clients)-1]), logClientsFrom)
		if _, log := p.X.Scale.(plot.LogScale); !log {
			fitClients(&p.X, float64(clients[0]), float64(clients[len(clients)-1]))
		}
		if len(clients) <= 8 {
			p.X.Tick.Marker = valueTicks(clients)
		}
		if _, log := p.Y.Scale.(plot.LogScale); log {
			p.Y.Label.Text += " (log scale)"
		}
		p.Add(rules{})
		for i, curve := range curves {
			// Each line is thinner than those under it, so that it hides none.
			width := 4.5 - 2.5*vg.Length(i)/vg.Length(len(curves))
			if err := curve.addTo(p, width); err != nil {
				return err
			}
		}
		heading(c, title, subtitle(r))
		drawWithEndLabels(c, p, curves)
		return nil
	}}
}

func curvesOf(r *sim.Result, metric string) []curve {
	looks := styles(r)
	clients := slices.Sorted(slices.Values(r.Scenario.Clients))
	var curves []curve
	for _, policy := range r.Scenario.Policies {
		text := policy.String()
		c := curve{style: looks[text]}
		var lower, upper plotter.XYs
		for _, n := range clients {
			cell, ok := cellOf(r, text, n)
			if !ok || cell.Metrics[metric] == nil {
				continue
			}
			m := cell.Metrics[metric]
			x := float64(n)
			c.mean = append(c.mean, plotter.XY{X: x, Y: m.Mean})
			if m.CI95 != nil {
				// A lower bound under 0 has no place on a logarithmic axis.
				lower = append(lower, plotter.XY{X: x, Y: max(m.CI95[0], m.Mean/10)})
				upper = append(upper, plotter.XY{X: x, Y: m.CI95[1]})
			}
		}
		slices.Reverse(lower)
		c.band = slices.Concat(upper, lower)
		if len(c.mean) > 0 {
			curves = append(curves, c)
		}
	}
	return curves
}

// extent returns the least and the greatest figure of all curves.
func extent(curves []curve) (least, greatest float64) {
	for i, c := range curves {
		for j, xy := range append(slices.Clone(c.mean), c.band...) {
			if i+j == 0 {
				least, greatest = xy.Y, xy.Y
			}
			least, greatest = min(least, xy.Y), max(greatest, xy.Y)
		}
	}
	return least, greatest
}

func (c curve) addTo(p *plot.Plot, width vg.Length) error {
	if len(c.band) > 3 {
		band, err := plotter.NewPolygon(c.band)
		if err != nil {
			return err
		}
		band.Color = faded(c.style.color, 0.25)
		band.Width = 0
		p.Add(band)
	}
	line, points, err := plotter.NewLinePoints(c.mean)
	if err != nil {
		return err
	}
	line.LineStyle = draw.LineStyle{Color: c.style.color, Width: width, Dashes: c.style.dashes}
	points.GlyphStyle = draw.GlyphStyle{Color: c.style.color, Radius: 4.5, Shape: c.style.marker}
	p.Add(line, points)
	return nil
}

// last is the curve's figure at the largest number of clients it has.
func (c curve) last() plotter.XY { return c.mean[len(c.mean)-1] }

// endText is what stands at the end of the curve.
func (c curve) endText() string { return c.style.label + "  " + reports.Number(c.last().Y) }

// drawWithEndLabels draws the plot and, right of it, the name and last figure of
// each curve at the height of its end, moved apart where they would touch.
func drawWithEndLabels(c draw.Canvas, p *plot.Plot, curves []curve) {
	const toMarker, toText = 26, 10
	room := vg.Length(0)
	for _, curve := range curves {
		room = max(room, writing(labelSize, ink()).Width(curve.endText()))
	}
	area := draw.Crop(c, 14, -room-toMarker-toText-14, 12, -headRoom)
	p.Draw(area)
	data := p.DataCanvas(area)
	toX, toY := p.Transforms(&data)

	ends := slices.Clone(curves)
	slices.SortStableFunc(ends, func(a, b curve) int { return cmp.Compare(a.last().Y, b.last().Y) })
	heights := make([]vg.Length, len(ends))
	for i, end := range ends {
		heights[i] = toY(end.last().Y)
	}
	spreadApart(heights, 20, data.Min.Y, data.Max.Y)
	for i, end := range ends {
		marker := vg.Point{X: data.Max.X + toMarker, Y: heights[i]}
		leader := draw.LineStyle{Color: faded(end.style.color, 0.6), Width: 0.8}
		c.StrokeLine2(leader, toX(end.last().X)+7, toY(end.last().Y), marker.X-7, marker.Y)
		c.DrawGlyph(draw.GlyphStyle{Color: end.style.color, Radius: 4.5, Shape: end.style.marker}, marker)
		c.FillText(writing(labelSize, darkened(end.style.color)), vg.Point{X: marker.X + toText, Y: marker.Y}, end.endText())
	}
}

// spreadApart moves sorted heights so that neighbours are a gap apart and all
// lie within the bounds, each as near to its own place as that allows.
func spreadApart(heights []vg.Length, gap, least, greatest vg.Length) {
	for range 100 {
		for i := 1; i < len(heights); i++ {
			if overlap := heights[i-1] + gap - heights[i]; overlap > 0 {
				heights[i-1] -= overlap / 2
				heights[i] += overlap / 2
			}
		}
		for i := range heights {
			heights[i] = min(greatest, max(least, heights[i]))
		}
	}
}
