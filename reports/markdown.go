package reports

import (
	"bytes"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter/renderer"

	"github.com/stagger-sim/stagger/sim"
)

// Markdown writes the comparison as a document with a table for each number of
// clients.
func Markdown(w io.Writer, r *sim.Result) error {
	s := newSheet(r)
	var out bytes.Buffer
	out.WriteString("# " + escape(s.title) + "\n\n")
	list(&out, s.facts)
	for _, g := range s.groups {
		out.WriteString("## " + g.name + "\n\n")
		if err := s.markdownTable(&out, g); err != nil {
			return err
		}
		out.WriteByte('\n')
	}
	if len(s.verdict) > 0 {
		out.WriteString("## What it shows at " + s.largest + "\n\n")
		for _, f := range s.verdict {
			out.WriteString("- **" + f.Contest + "**: " + escape(f.Outcome) + "\n")
		}
		out.WriteByte('\n')
	}
	out.WriteString("## How to read it\n\n")
	list(&out, append(s.columns, s.legend...))
	if len(s.expected) > 0 {
		out.WriteString("## Expectations\n\n")
		list(&out, s.expected)
	}
	if len(s.doubts) > 0 {
		out.WriteString("## Warnings\n\n")
		list(&out, s.doubts)
	}
	_, err := w.Write(append(bytes.TrimRight(out.Bytes(), "\n"), '\n'))
	return err
}

func (s sheet) markdownTable(out io.Writer, g group) error {
	table := s.newTable(out, renderer.NewMarkdown())
	for _, row := range g.rows {
		escaped := make([]string, len(row))
		for i, cell := range row {
			escaped[i] = escape(cell)
		}
		if err := table.Append(escaped); err != nil {
			return err
		}
	}
	return table.Render()
}

// escape keeps text from being read as markup.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, `<`, `&lt;`, `_`, `\_`, "`", "\\`", `[`, `\[`, `]`, `\]`, `#`, `\#`).Replace(printable(text))
}

func list(out *bytes.Buffer, lines []string) {
	for _, line := range lines {
		out.WriteString("- " + escape(line) + "\n")
	}
	if len(lines) > 0 {
		out.WriteByte('\n')
	}
}
