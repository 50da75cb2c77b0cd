package charts

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/stagger-sim/stagger/sim"
)

// Chart is one picture of a result.
type Chart struct {
	Name   string // without an ending, such as total-calls
	height vg.Length
	draw   func(draw.Canvas) error
}

// All returns the charts that a result can fill.
func All(r *sim.Result) []Chart {
	all := []Chart{totalCalls(r)}
	if r.Scenario.Load.Herd != nil {
		all = append(all, completionTime(r))
	} else {
		all = append(all, latency(r))
	}
	if has(r, func(c sim.Cell) bool { return c.Timeline != nil && len(c.Timeline.Calls) > 0 }) {
		all = append(all, timeline(r))
	}
	if has(r, func(c sim.Cell) bool { return c.CallsOverTime != nil && len(c.CallsOverTime.Calls) > 0 }) {
		all = append(all, callsOverTime(r))
	}
	return append(all, delays(r))
}

// has reports whether any cell of the largest number of clients has something to
// draw.
func has(r *sim.Result, what func(sim.Cell) bool) bool {
	clients := slices.Max(r.Scenario.Clients)
	return slices.ContainsFunc(r.Cells, func(c sim.Cell) bool { return c.Clients == clients && what(c) })
}

// Formats lists the endings that Write takes.
func Formats() []string { return []string{"png", "svg", "pdf"} }

// The size of a chart: that of a slide, and higher where many panels ask for it.
const (
	width = 12 * vg.Inch
	slide = 6.75 * vg.Inch
	dpi   = 150
)

// Write draws the chart. PNG and SVG are the same bytes for the same result; a
// PDF carries its date.
func (c Chart) Write(w io.Writer, format string) error {
	canvas, err := newCanvas(format, c.height)
	if err != nil {
		return err
	}
	if err := c.draw(draw.New(canvas)); err != nil {
		return fmt.Errorf("drawing %s: %w", c.Name, err)
	}
	if format == "svg" {
		return writeSVG(w, canvas)
	}
	_, err = canvas.WriteTo(w)
	return err
}

// writeSVG names fonts to fall back on: an SVG does not carry its font, and
// where that is missing a reader would see a serif one.
func writeSVG(w io.Writer, canvas io.WriterTo) error {
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return err
	}
	const name = "font-family:Liberation Sans"
	_, err := w.Write(bytes.ReplaceAll(out.Bytes(), []byte(name), []byte(name+",Arial,Helvetica,sans-serif")))
	return err
}

func newCanvas(format string, height vg.Length) (vg.CanvasWriterTo, error) {
	switch format {
	case "png":
		return vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}, nil
	case "svg":
		return vgsvg.New(width, height), nil
	case "pdf":
		return vgpdf.New(width, height), nil
	}
	return nil, fmt.Errorf("no chart format %q (known: %v)", format, Formats())
}

// cellOf returns the cell of a policy at a number of clients.
func cellOf(r *sim.Result, policy string, clients int) (sim.Cell, bool) {
	i := slices.IndexFunc(r.Cells, func(c sim.Cell) bool { return c.Policy == policy && c.Clients == clients })
	if i < 0 {
		return sim.Cell{}, false
	}
	return r.Cells[i], true
}
