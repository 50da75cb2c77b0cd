package charts

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"

	"github.com/stagger-sim/stagger/reports"
)

// Ranges beyond which an axis is logarithmic: a linear one would press most of
// the figures against its end.
const (
	logClientsFrom = 20
	logFiguresFrom = 30
)

// logarithmic reports whether an axis over these values should be.
func logarithmic(least, greatest, from float64) bool {
	return least > 0 && greatest/least >= from
}

// scaleAxis gives an axis its scale, range and ticks.
func scaleAxis(axis *plot.Axis, least, greatest, from float64) {
	if logarithmic(least, greatest, from) {
		axis.Scale = plot.LogScale{}
		axis.Min, axis.Max = least/1.15, greatest*1.15
		axis.Tick.Marker = plot.TickerFunc(logTicks)
		return
	}
	axis.Min, axis.Max = 0, greatest*1.05
	if greatest <= 0 {
		axis.Max = 1
	}
	axis.Tick.Marker = plot.TickerFunc(linearTicks)
}

// logTicks marks powers of ten, and 2 and 5 times them where there is room.
func logTicks(least, greatest float64) []plot.Tick {
	multiples := []float64{1}
	if greatest/least < 3000 {
		multiples = []float64{1, 2, 5}
	}
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(least)); e <= math.Log10(greatest); e++ {
		for _, m := range multiples {
			if value := m * math.Pow(10, e); value >= least && value <= greatest {
				ticks = append(ticks, plot.Tick{Value: value, Label: tickLabel(value)})
			}
		}
	}
	return ticks
}

// linearTicks marks about five round values.
func linearTicks(least, greatest float64) []plot.Tick {
	if !(greatest > least) {
		return []plot.Tick{{Value: least, Label: tickLabel(least)}}
	}
	step := math.Pow(10, math.Floor(math.Log10((greatest-least)/2)))
	for (greatest-least)/step > 12 {
		step *= 2
	}
	for (greatest-least)/step < 4 {
		step /= 2
	}
	var ticks []plot.Tick
	for value := math.Ceil(least/step) * step; value <= greatest*(1+1e-9); value += step {
		ticks = append(ticks, plot.Tick{Value: value, Label: tickLabel(value)})
	}
	return ticks
}

// valueTicks marks these very values.
func valueTicks(values []int) plot.TickerFunc {
	return func(float64, float64) []plot.Tick {
		ticks := make([]plot.Tick, len(values))
		for i, v := range values {
			ticks[i] = plot.Tick{Value: float64(v), Label: tickLabel(float64(v))}
		}
		return ticks
	}
}

// rules draws faint lines at the ticks of both axes, labelled or not.
type rules struct{}

func (rules) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	line := draw.LineStyle{Color: faint(), Width: 0.7}
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if x := toX(tick.Value); c.ContainsX(x) {
			c.StrokeLine2(line, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if y := toY(tick.Value); c.ContainsY(y) {
			c.StrokeLine2(line, c.Min.X, y, c.Max.X, y)
		}
	}
}

// tickLabel prints a round value without needless zeros.
func tickLabel(value float64) string {
	if math.Abs(value) >= 100 || value == math.Trunc(value) {
		return reports.Count(math.Round(value))
	}
	return trimZeros(reports.Number(value))
}

func trimZeros(s string) string {
	for len(s) > 1 && s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	return s
}
