package reports

import (
	"bytes"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/stagger-sim/stagger/sim"
)

// Text writes the comparison table for a terminal of 80 columns.
func Text(w io.Writer, r *sim.Result) error {
	s := newSheet(r)
	var out bytes.Buffer
	paragraph(&out, append([]string{s.title}, s.facts...))
	if err := s.table(&out); err != nil {
		return err
	}
	out.WriteByte('\n')
	if len(s.layers) > 0 {
		out.WriteString("Amplification by layer: attempts that reach a server ÷ the clients' operations\n")
	}
	for _, layers := range s.layers {
		if err := layers.table(&out); err != nil {
			return err
		}
		out.WriteByte('\n')
	}
	for _, block := range claimLines(s.claims) {
		paragraph(&out, block)
	}
	paragraph(&out, s.verdictLines())
	paragraph(&out, append(s.columns, s.legend...))
	paragraph(&out, s.expected)
	for _, doubt := range s.doubts {
		paragraph(&out, []string{"warning: " + doubt})
	}
	_, err := w.Write(bytes.TrimRight(out.Bytes(), "\n"))
	if err == nil {
		_, err = io.WriteString(w, "\n")
	}
	return err
}

// verdictLines prints the verdict under a heading.
func (s sheet) verdictLines() []string {
	if len(s.verdict) == 0 {
		return nil
	}
	lines := []string{"At " + s.largest + ":"}
	for _, f := range s.verdict {
		lines = append(lines, f.Contest+": "+f.Outcome)
	}
	return lines
}

// newTable begins a table of names at the left and figures at the right, as they
// are, with the sheet's header.
func (s sheet) newTable(out io.Writer, r tw.Renderer, more ...tablewriter.Option) *tablewriter.Table {
	align := make([]tw.Align, len(s.header))
	for i := range align {
		align[i] = tw.AlignRight
	}
	align[0] = tw.AlignLeft
	table := tablewriter.NewTable(out, append(more,
		tablewriter.WithRenderer(r),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: align}),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)...)
	table.Header(s.header)
	return table
}

// table draws the figures, right-aligned, with no more lines than needed.
func (s sheet) table(out io.Writer) error {
	var drawn bytes.Buffer
	table := s.newTable(&drawn, renderer.NewBlueprint(tw.Rendition{
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
		Settings: tw.Settings{
			Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
			Lines:      tw.Lines{ShowHeaderLine: tw.On},
		},
	}), tablewriter.WithSymbols(tw.NewSymbols(tw.StyleLight)))
	for i, g := range s.groups {
		if i > 0 {
			if err := table.Append(make([]string, len(s.header))); err != nil {
				return err
			}
		}
		if err := table.Append(append([]string{g.name}, make([]string, len(s.header)-1)...)); err != nil {
			return err
		}
		for _, row := range g.rows {
			if err := table.Append(row); err != nil {
				return err
			}
		}
	}
	if err := table.Render(); err != nil {
		return err
	}
	for line := range strings.Lines(drawn.String()) {
		if _, err := io.WriteString(out, strings.TrimRight(line, " \n")+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// width is how wide text may be.
const width = 80

// paragraph writes lines, folded at words, and an empty line after them.
func paragraph(out *bytes.Buffer, lines []string) {
	if len(lines) == 0 {
		return
	}
	for _, line := range lines {
		fold(out, line)
	}
	out.WriteByte('\n')
}

// fold breaks a line at its blanks so that it fits the width; what follows is
// indented.
func fold(out *bytes.Buffer, line string) {
	line = printable(line)
	indent, further := "", hanging(line)
	for len([]rune(line)) > width-len(indent) {
		runes := []rune(line)
		cut := strings.LastIndex(string(runes[:width-len(indent)+1]), " ")
		if cut <= 0 {
			cut = strings.Index(line, " ") // one word that is too long
		}
		if cut <= 0 {
			break
		}
		out.WriteString(indent + strings.TrimRight(line[:cut], " ") + "\n")
		line = strings.TrimLeft(line[cut:], " ")
		indent = further
	}
	out.WriteString(indent + line + "\n")
}

// hanging returns the indent of a line's further lines: below the text where one
// word is set apart in front of it, else two blanks.
func hanging(line string) string {
	word, rest, apart := strings.Cut(line, "  ")
	if apart && word != "" && !strings.Contains(word, " ") {
		text := strings.TrimLeft(rest, " ")
		if indent := utf8.RuneCountInString(line) - utf8.RuneCountInString(text); indent <= width/4 {
			return strings.Repeat(" ", indent)
		}
	}
	return "  "
}

// printable replaces control characters: a title comes from a file, and must not
// steer the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
}
