package charts

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// highEnough is the height of a chart with rows of panels, of which a slide has
// room for some.
func highEnough(rows, room int) vg.Length {
	return slide * vg.Length(max(rows, room)) / vg.Length(room)
}

// timeAxis is the axis that panels one above the other share; only the lowest is
// labelled.
func timeAxis(axis *plot.Axis, until float64, lowest bool) {
	axis.Min, axis.Max = 0, until
	axis.Tick.Marker = plot.TickerFunc(linearTicks)
	if lowest {
		axis.Label.Text = "seconds since the start"
		return
	}
	axis.Tick.Marker = unlabelled(linearTicks)
	axis.Tick.Length = 0
}

// drawPanels draws small multiples, this far apart from top to bottom, and
// returns the data area of each.
func drawPanels(area draw.Canvas, plots [][]*plot.Plot, apart vg.Length) [][]draw.Canvas {
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]), PadX: 12, PadY: apart}
	canvases := plot.Align(plots, tiles, area)
	boxes := make([][]draw.Canvas, len(plots))
	for i := range plots {
		boxes[i] = make([]draw.Canvas, len(plots[i]))
		for j, p := range plots[i] {
			if p == nil {
				continue
			}
			p.Draw(canvases[i][j])
			boxes[i][j] = p.DataCanvas(canvases[i][j])
		}
	}
	return boxes
}

// unlabelled keeps the ticks but not their labels.
func unlabelled(of plot.TickerFunc) plot.TickerFunc {
	return func(least, greatest float64) []plot.Tick {
		ticks := of(least, greatest)
		for i := range ticks {
			ticks[i].Label = ""
		}
		return ticks
	}
}
