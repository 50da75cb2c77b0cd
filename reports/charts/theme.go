package charts

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
)

// style is how one policy looks in every chart: a colour, and a marker and
// dashes by which it is known without colour.
type style struct {
	label  string
	color  color.NRGBA
	marker draw.GlyphDrawer
	dashes []vg.Length
}

// palette is Okabe and Ito's, which the colour-blind can tell apart, without
// its yellow, which a projector swallows. The waits without jitter are warm or
// black, those with jitter cool.
func palette() []style {
	solid, dashed, dotted := []vg.Length(nil), []vg.Length{9, 4}, []vg.Length{3, 3}
	return []style{
		{color: color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, marker: draw.PyramidGlyph{}, dashes: dotted},
		{color: color.NRGBA{0xe6, 0x9f, 0x00, 0xff}, marker: draw.BoxGlyph{}, dashes: solid},
		{color: color.NRGBA{0x00, 0x00, 0x00, 0xff}, marker: draw.SquareGlyph{}, dashes: dashed},
		{color: color.NRGBA{0x56, 0xb4, 0xe9, 0xff}, marker: draw.TriangleGlyph{}, dashes: solid},
		{color: color.NRGBA{0xcc, 0x79, 0xa7, 0xff}, marker: draw.RingGlyph{}, dashes: solid},
		{color: color.NRGBA{0x00, 0x72, 0xb2, 0xff}, marker: draw.CircleGlyph{}, dashes: solid},
		{color: color.NRGBA{0x00, 0x9e, 0x73, 0xff}, marker: draw.CrossGlyph{}, dashes: solid},
		{color: color.NRGBA{0x80, 0x80, 0x80, 0xff}, marker: draw.PlusGlyph{}, dashes: dashed},
	}
}

// usual are the waits that have a place of their own in the palette, so that
// they look the same in every comparison.
func usual() []string {
	return []string{"immediate", "fixed", "exponential", "equal", "decorrelated", "full"}
}

// styles gives each policy of a result a look, by its canonical text.
func styles(r *sim.Result) map[string]style {
	labels := reports.Labels(r)
	free := palette()
	given := map[string]style{}
	for i, name := range usual() {
		for text, label := range labels {
			if label == name {
				s := free[i]
				s.label = label
				given[text] = s
			}
		}
	}
	taken := map[color.NRGBA]bool{}
	for _, s := range given {
		taken[s.color] = true
	}
	next := 0
	for _, p := range r.Scenario.Policies {
		text := p.String()
		if _, ok := given[text]; ok {
			continue
		}
		for tries := 0; taken[free[next%len(free)].color] && tries < len(free); tries++ {
			next++
		}
		s := free[next%len(free)]
		if round := next / len(free); round > 0 {
			// The colours are used up: the same again with other markers.
			s.marker = free[(next+3*round)%len(free)].marker
		}
		taken[s.color] = true
		s.label = labels[text]
		given[text] = s
		next++
	}
	return given
}

// The text sizes, readable from the back of a room.
const (
	titleSize = 20
	labelSize = 15
	tickSize  = 13
)

func ink() color.NRGBA   { return color.NRGBA{0x22, 0x22, 0x22, 0xff} }
func grey() color.NRGBA  { return color.NRGBA{0x59, 0x59, 0x59, 0xff} }
func faint() color.NRGBA { return color.NRGBA{0xdd, 0xdd, 0xdd, 0xff} }

// headRoom is the height of what heading writes.
const headRoom = 66

// heading paints the background, white on paper and in dark pages alike, and
// writes the title and the line under it.
func heading(c draw.Canvas, title, subtitle string) {
	c.SetColor(color.White)
	c.Fill(c.Path())
	c.FillText(writing(titleSize, ink()), vg.Point{X: c.Min.X + 20, Y: c.Max.Y - 24}, title)
	c.FillText(writing(tickSize, grey()), vg.Point{X: c.Min.X + 20, Y: c.Max.Y - 48}, subtitle)
}

// darkened is a colour for writing: the light ones of the palette are too pale
// for letters.
func darkened(c color.NRGBA) color.NRGBA {
	return color.NRGBA{c.R / 4 * 3, c.G / 4 * 3, c.B / 4 * 3, c.A}
}

// faded is a colour with this much opacity.
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(255 * opacity)
	return c
}

// writing returns a text style of this size.
func writing(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{
		Color:   c,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		Handler: plot.DefaultTextHandler,
		XAlign:  text.XLeft,
		YAlign:  text.YCenter,
	}
}

// newPlot returns a plot with the theme's fonts, without frame and title.
func newPlot(x, y string) *plot.Plot {
	p := plot.New()
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Label.TextStyle.Font = writing(labelSize, ink()).Font
		axis.Label.TextStyle.Color = ink()
		axis.Label.Padding = 6
		axis.Tick.Label.Font = writing(tickSize, ink()).Font
		axis.Tick.Label.Color = ink()
		axis.Color = ink()
		axis.Tick.Color = ink()
		axis.Padding = 4
	}
	return p
}
