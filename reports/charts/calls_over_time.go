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

// waves is one policy's panel of the calls-over-time chart.
type waves struct {
	style  style
	window float64 // seconds
	calls  []int
}

// end is the time of the last call in seconds.
func (w waves) end() float64 { return float64(len(w.calls)) * w.window }

// callsOverTime draws the waves in which calls reach the server at the largest
// number of clients: a panel a policy, all on one axis.
func callsOverTime(r *sim.Result) Chart {
	return Chart{Name: "calls-over-time", height: highEnough(len(r.Scenario.Policies), 6), draw: func(c draw.Canvas) error {
		clients := slices.Max(r.Scenario.Clients)
		panels := wavesOf(r, clients)
		if len(panels) == 0 {
			return fmt.Errorf("the result has no calls over time")
		}
		until := horizon(panels)
		greatest := 1.0
		for _, w := range panels {
			greatest = max(greatest, float64(slices.Max(w.calls)))
		}
		capacity := capacityPerWindow(r, panels[0].window)
		plots := make([][]*plot.Plot, len(panels))
		for i, w := range panels {
			p := newPlot("", "")
			p.Y.Scale = plot.LogScale{}
			p.Y.Min, p.Y.Max = 0.8, greatest*1.6
			p.Y.Tick.Marker = decades(greatest)
			timeAxis(&p.X, until, i == len(panels)-1)
			p.Add(rules{}, bars{w, until})
			if capacity > 0 {
				p.Add(level(capacity, until))
			}
			plots[i] = []*plot.Plot{p}
		}
		title := fmt.Sprintf("When the calls arrive: %s clients, calls per %s",
			reports.Count(float64(clients)), windowText(panels[0].window))
		subtitle := "One replication, log scale."
		if capacity > 0 {
			subtitle += fmt.Sprintf(" Dashed: what the server can do, %s per %s. What is above it waits or is turned away.",
				reports.Number(capacity), windowText(panels[0].window))
		}
		heading(c, title, subtitle)
		boxes := drawPanels(draw.Crop(c, 14, -170, 12, -headRoom), plots, 6)
		for i, w := range panels {
			describe(c, boxes[i][0], w, until)
		}
		return nil
	}}
}

func wavesOf(r *sim.Result, clients int) []waves {
	looks := styles(r)
	var list []waves
	for _, policy := range r.Scenario.Policies {
		cell, ok := cellOf(r, policy.String(), clients)
		if !ok || cell.CallsOverTime == nil || len(cell.CallsOverTime.Calls) == 0 {
			continue
		}
		list = append(list, waves{
			style:  looks[policy.String()],
			window: cell.CallsOverTime.WindowSeconds,
			calls:  cell.CallsOverTime.Calls,
		})
	}
	return sameWindows(list)
}

// sameWindows joins the windows of each panel to those of the panel with the
// longest: one axis needs one measure.
func sameWindows(list []waves) []waves {
	longest := 0.0
	for _, w := range list {
		longest = max(longest, w.window)
	}
	for i, w := range list {
		by := int(math.Round(longest / w.window)) // windows are doubled, so it is whole
		if by <= 1 {
			continue
		}
		joined := make([]int, (len(w.calls)+by-1)/by)
		for j, n := range w.calls {
			joined[j/by] += n
		}
		list[i].window, list[i].calls = longest, joined
	}
	return list
}

// all counts the calls of the whole run.
func (w waves) all() int {
	sum := 0
	for _, n := range w.calls {
		sum += n
	}
	return sum
}

// horizon is where the time axis ends. A policy that takes many times longer
// than all others does not press these against the left edge: it is cut, and its
// panel says so.
func horizon(panels []waves) float64 {
	var ends []float64
	for _, w := range panels {
		ends = append(ends, w.end())
	}
	slices.Sort(ends)
	last := len(ends) - 1
	for last > 0 && ends[last] > 4*ends[last-1] {
		last--
	}
	if last < len(ends)-1 {
		return ends[last] * 1.5
	}
	return ends[last] * 1.02
}

// capacityPerWindow is how many requests the server can finish in a window; 0
// if that is not limited, or where further layers limit it too.
func capacityPerWindow(r *sim.Result, window float64) float64 {
	c := r.Scenario.Server.Capacity
	if c == nil || len(r.Scenario.Behind) > 0 || c.Service.Mean() <= 0 || math.IsInf(c.Service.Mean(), 0) {
		return 0
	}
	return float64(c.Workers) * window * 1e9 / c.Service.Mean()
}

func windowText(seconds float64) string {
	if seconds < 1 {
		return reports.Number(seconds*1000) + " ms"
	}
	return reports.Count(seconds) + " s"
}

// bars draws the calls of each window from the axis up. It is a plotter of its
// own, since those of gonum know no logarithmic bars.
type bars struct {
	waves
	until float64
}

func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	c.SetColor(b.style.color)
	for i, n := range b.calls {
		from := float64(i) * b.window
		if n == 0 || from >= b.until {
			continue
		}
		left, right := toX(from), toX(min(from+b.window, b.until))
		// Thinner than half a point, a lone wave would vanish.
		right = max(right, left+0.9)
		bar := vg.Rectangle{Min: vg.Point{X: left, Y: c.Min.Y}, Max: vg.Point{X: right, Y: toY(float64(n))}}
		c.Fill(bar.Path())
	}
}

// level is a dashed line across the panel.
func level(y, until float64) *plotter.Line {
	line := &plotter.Line{XYs: plotter.XYs{{X: 0, Y: y}, {X: until, Y: y}}}
	line.LineStyle = draw.LineStyle{Color: color.Black, Width: 1.2, Dashes: []vg.Length{6, 3}}
	return line
}

// decades marks powers of ten, few enough for a low panel.
func decades(greatest float64) plot.TickerFunc {
	return func(float64, float64) []plot.Tick {
		step := 1.0
		if greatest > 1000 {
			step = 2
		}
		var ticks []plot.Tick
		for e := 0.0; math.Pow(10, e) <= greatest*1.6; e += step {
			value := math.Pow(10, e)
			ticks = append(ticks, plot.Tick{Value: value, Label: tickLabel(value)})
		}
		return ticks
	}
}

// describe writes a panel's name and figures to its right.
func describe(c, box draw.Canvas, w waves, until float64) {
	x := box.Max.X + 12
	middle := (box.Min.Y + box.Max.Y) / 2
	c.FillText(writing(labelSize, darkened(w.style.color)), vg.Point{X: x, Y: middle + 17}, w.style.label)
	c.FillText(writing(tickSize, ink()), vg.Point{X: x, Y: middle}, reports.Count(float64(w.all()))+" calls")
	last := "last at " + reports.Number(w.end()) + " s"
	if w.end() > until {
		last += "  →"
	}
	c.FillText(writing(tickSize, ink()), vg.Point{X: x, Y: middle - 16}, last)
}
