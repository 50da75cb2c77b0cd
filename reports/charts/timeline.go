package charts

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
)

// timeline draws a stream second by second, at the largest number of clients:
// what is offered, what arrives, what succeeds, where a fault lasts and a breaker
// is open; a panel a policy, all on one axis.
func timeline(r *sim.Result) Chart {
	return Chart{Name: "timeline", height: highEnough(len(r.Scenario.Policies), 6), draw: func(c draw.Canvas) error {
		clients := slices.Max(r.Scenario.Clients)
		var cells []sim.Cell
		greatest, longest, until := 1, 1, 1
		for _, policy := range r.Scenario.Policies {
			cell, ok := cellOf(r, policy.String(), clients)
			if !ok || cell.Timeline == nil || len(cell.Timeline.Calls) == 0 {
				continue
			}
			cells = append(cells, cell)
			greatest = max(greatest, slices.Max(cell.Timeline.Calls), slices.Max(cell.Timeline.Offered))
			longest = max(longest, slices.Max(cell.Timeline.Queued))
			until = max(until, len(cell.Timeline.Calls))
		}
		if len(cells) == 0 {
			return fmt.Errorf("the result has no timeline")
		}
		plots := make([][]*plot.Plot, len(cells))
		for i, cell := range cells {
			p := newPlot("", "")
			p.Y.Min, p.Y.Max = 0, float64(greatest)*1.05
			p.Y.Tick.Marker = plot.TickerFunc(fewTicks)
			timeAxis(&p.X, float64(until), i == len(cells)-1)
			p.Add(shade(r.Scenario.Faults), held(cell.Timeline.Open), rules{})
			for _, add := range course(cell.Timeline, float64(greatest)/float64(longest)) {
				p.Add(add)
			}
			plots[i] = []*plot.Plot{p}
		}
		title := "Second by second"
		if len(r.Scenario.Faults) > 0 {
			title = "Through the trouble, second by second"
		}
		heading(c, fmt.Sprintf("%s: %s clients, one replication", title, reports.Count(float64(clients))), key(r, cells))
		boxes := drawPanels(draw.Crop(c, 14, -190, 12, -headRoom), plots, 6)
		looks := styles(r)
		for i, cell := range cells {
			describePanel(c, boxes[i][0], looks[cell.Policy], cell)
		}
		return nil
	}}
}

// key says what the colours mean, of shades only those that there are.
func key(r *sim.Result, cells []sim.Cell) string {
	faults, open := "", ""
	if len(r.Scenario.Faults) > 0 {
		faults = "Grey: faults. "
	}
	if slices.ContainsFunc(cells, func(c sim.Cell) bool { return len(c.Timeline.Open) > 0 }) {
		open = "Green: breaker open. "
	}
	return faults + open + "Orange: calls. Dashed: operations offered. Blue: successes. Dotted: the queue, to a scale of its own."
}

// course is what one panel shows, from the back to the front. The queue, often
// many times longer than what a second brings, is scaled to the panel.
func course(t *sim.Timeline, queueScale float64) []plot.Plotter {
	orange, blue := palette()[1].color, palette()[5].color
	calls := steps(t.Calls)
	area := append(slices.Clone(calls), plotter.XY{X: calls[len(calls)-1].X, Y: 0}, plotter.XY{X: 0, Y: 0})
	fill := &plotter.Polygon{XYs: []plotter.XYs{area}, Color: faded(orange, 0.55)}
	line := func(values []int, c color.Color, width vg.Length, dashes ...vg.Length) *plotter.Line {
		return &plotter.Line{XYs: steps(values), LineStyle: draw.LineStyle{Color: c, Width: width, Dashes: dashes}}
	}
	queue := line(t.Queued, palette()[0].color, 1.2, 1.5, 2.5)
	for i := range queue.XYs {
		queue.XYs[i].Y *= queueScale
	}
	return []plot.Plotter{
		fill,
		queue,
		line(t.Offered, ink(), 1, 5, 3),
		line(t.Succeeded, blue, 2),
	}
}

// steps holds each second's value over the whole second.
func steps(values []int) plotter.XYs {
	xys := make(plotter.XYs, 0, 2*len(values))
	for i, v := range values {
		xys = append(xys, plotter.XY{X: float64(i), Y: float64(v)}, plotter.XY{X: float64(i + 1), Y: float64(v)})
	}
	return xys
}

// fewTicks marks the bottom, the middle and the top of a low panel.
func fewTicks(least, greatest float64) []plot.Tick {
	ticks := linearTicks(least, greatest)
	var few []plot.Tick
	step := int(math.Ceil(float64(len(ticks)-1) / 2))
	for i := 0; i < len(ticks); i += max(1, step) {
		few = append(few, ticks[i])
	}
	return few
}

// shade draws the faults as bands; the random part of their length, fainter.
type shade []sim.Fault

func (s shade) Plot(c draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&c)
	band := func(from, until float64, grey color.Color) {
		until = min(until, p.X.Max)
		if from >= until {
			return
		}
		c.SetColor(grey)
		c.Fill(vg.Rectangle{Min: vg.Point{X: toX(from), Y: c.Min.Y}, Max: vg.Point{X: toX(until), Y: c.Max.Y}}.Path())
	}
	for _, f := range s {
		end := (f.From + f.For).Seconds()
		band(f.From.Seconds(), end, color.NRGBA{0xcc, 0xcc, 0xcc, 0xff})
		band(end, end+f.Spread.Seconds(), color.NRGBA{0xe8, 0xe8, 0xe8, 0xff})
	}
}

// held draws where breakers are open, second by second: the share of the time
// that they are, times the share of the clients that have one, as the depth of
// the colour.
type held []float64

func (h held) Plot(c draw.Canvas, p *plot.Plot) {
	toX, _ := p.Transforms(&c)
	for i, until := 0, 0; i < len(h); i = until {
		// Seconds of the same depth are one band, without seams between them.
		until = i + 1
		for until < len(h) && h[until] == h[i] {
			until++
		}
		if h[i] > 0 {
			c.SetColor(faded(palette()[6].color, 0.4*h[i]))
			c.Fill(vg.Rectangle{Min: vg.Point{X: toX(float64(i)), Y: c.Min.Y}, Max: vg.Point{X: toX(float64(until)), Y: c.Max.Y}}.Path())
		}
	}
}

// recoveryOf says how a cell recovered; nothing where there was no trouble.
func recoveryOf(cell sim.Cell) string {
	share, took := cell.Metrics[sim.MetricRecovered], cell.Metrics[sim.MetricRecovery]
	switch {
	case share == nil:
		return ""
	case took == nil:
		return "never recovers"
	case share.Mean < 1:
		return fmt.Sprintf("back after %s s (%.0f %%)", reports.Number(took.Mean), share.Mean*100)
	default:
		return "back after " + reports.Number(took.Mean) + " s"
	}
}

// describePanel writes a panel's policy, how it recovered and the scale of its
// queue to its right.
func describePanel(c, box draw.Canvas, s style, cell sim.Cell) {
	x := box.Max.X + 12
	middle := (box.Min.Y+box.Max.Y)/2 + 15
	c.FillText(writing(labelSize, darkened(s.color)), vg.Point{X: x, Y: middle}, s.label)
	below := middle - 19
	for _, line := range []string{recoveryOf(cell), "queue up to " + reports.Count(float64(slices.Max(cell.Timeline.Queued)))} {
		if line != "" {
			c.FillText(writing(tickSize, ink()), vg.Point{X: x, Y: below}, line)
			below -= 16
		}
	}
}
