package charts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

const (
	delayRetries  = 10  // retries shown
	delayClients  = 50  // dots for each of them
	delayExamples = 400 // operations behind the ranges
	delayColumns  = 3
)

// delays draws what each policy's waits look like, retry by retry: a dot for
// each of some clients, over the range of many.
func delays(r *sim.Result) Chart {
	columns := min(delayColumns, len(r.Scenario.Policies))
	rowsNeeded := (len(r.Scenario.Policies) + columns - 1) / columns
	return Chart{Name: "delays", height: highEnough(rowsNeeded, 2), draw: func(c draw.Canvas) error {
		looks := styles(r)
		var panels []*plot.Plot
		greatest := 0.0
		all := make([][][]float64, len(r.Scenario.Policies))
		for i, policy := range r.Scenario.Policies {
			all[i] = waitsOf(policy)
			for _, column := range all[i] {
				greatest = max(greatest, slices.Max(column))
			}
		}
		if greatest == 0 {
			greatest = 1
		}
		for i, policy := range r.Scenario.Policies {
			p := newPlot("", "")
			p.X.Min, p.X.Max = 0.4, delayRetries+0.6
			p.Y.Min, p.Y.Max = 0, greatest*1.04
			p.X.Tick.Marker = valueTicks([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
			p.Y.Tick.Marker = plot.TickerFunc(linearTicks)
			if i%columns > 0 {
				p.Y.Tick.Marker = unlabelled(linearTicks)
			} else {
				p.Y.Label.Text = "wait, seconds"
			}
			if i >= len(r.Scenario.Policies)-columns {
				p.X.Label.Text = "retry"
			}
			p.Add(rules{}, strips{looks[policy.String()], all[i]})
			panels = append(panels, p)
		}
		heading(c, "How long each policy waits before every retry",
			"Each dot is one client's wait, each bar the range of many. "+
				"Dots in a row: clients that come back together.")
		boxes := drawPanels(draw.Crop(c, 14, -20, 12, -headRoom-24), rows(panels, columns), 34)
		for i, policy := range r.Scenario.Policies {
			box := boxes[i/columns][i%columns]
			name := writing(tickSize, darkened(looks[policy.String()].color))
			c.FillText(name, vg.Point{X: box.Min.X, Y: box.Max.Y + 14}, panelTitle(r, policy))
		}
		return nil
	}}
}

// panelTitle is a policy's wait, after its label where several share the wait.
func panelTitle(r *sim.Result, policy strategies.Policy) string {
	const longest = 40
	wait := fmt.Sprint(policy.Wait)
	title := wait
	if label := reports.Labels(r)[policy.String()]; !strings.HasPrefix(wait, label) {
		_, parameters, _ := strings.Cut(wait, "(")
		title = label + " (" + parameters
	}
	if runes := []rune(title); len(runes) > longest {
		title = string(runes[:longest-1]) + "…"
	}
	return title
}

// rows lays panels out in rows; the last may have nil places.
func rows(panels []*plot.Plot, columns int) [][]*plot.Plot {
	var grid [][]*plot.Plot
	for row := range slices.Chunk(panels, columns) {
		row = slices.Clone(row)
		for len(row) < columns {
			row = append(row, nil)
		}
		grid = append(grid, row)
	}
	return grid
}

// waitsOf returns, retry by retry, the waits of many clients in seconds. The
// draws are always the same.
func waitsOf(policy strategies.Policy) [][]float64 {
	retries := delayRetries
	if policy.Attempts > 0 {
		retries = min(retries, policy.Attempts-1)
	}
	random := rand.New(rand.NewPCG(1, 2))
	columns := make([][]float64, retries)
	for range delayExamples {
		var state strategies.State
		for n := range columns {
			var wait time.Duration
			wait, state = policy.Wait.Next(state, strategies.Try{U: random.Float64()})
			columns[n] = append(columns[n], wait.Seconds())
		}
	}
	return columns
}

// strips draws the waits of each retry as a bar over their range with dots.
type strips struct {
	style style
	waits [][]float64
}

func (s strips) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for n, waits := range s.waits {
		left, right := toX(float64(n)+0.62), toX(float64(n)+1.38)
		bottom, top := toY(slices.Min(waits)), toY(slices.Max(waits))
		bar := vg.Rectangle{Min: vg.Point{X: left, Y: bottom - 1.2}, Max: vg.Point{X: right, Y: top + 1.2}}
		c.SetColor(faded(s.style.color, 0.22))
		c.Fill(bar.Path())
		for i, wait := range waits[:delayClients] {
			x := left + (right-left)*(vg.Length(i)+0.5)/delayClients
			dot := draw.GlyphStyle{Color: s.style.color, Radius: 1.3, Shape: draw.CircleGlyph{}}
			c.DrawGlyph(dot, vg.Point{X: x, Y: toY(wait)})
		}
	}
}
