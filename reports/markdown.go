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
	if err := s.markdownLayers(&out); err != nil {
		return err
	}
	s.markdownClaims(&out)
	if len(s.verdict) > 0 {
		out.WriteString("## What it shows at " + s.largest + "\n\n")
		for _, f := range s.verdict {
			out.WriteString("- **" + escape(f.Contest) + "**: " + escape(f.Outcome) + "\n")
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

// markdownLayers writes the amplification by layer, if there are layers.
func (s sheet) markdownLayers(out *bytes.Buffer) error {
	if len(s.layers) > 0 {
		out.WriteString("## Amplification by layer\n\nThat is, attempts that reach a server ÷ the clients' operations.\n\n")
	}
	for _, layers := range s.layers {
		for _, g := range layers.groups {
			if len(layers.groups) > 1 {
				out.WriteString("### " + g.name + "\n\n")
			}
			if err := layers.markdownTable(out, g); err != nil {
				return err
			}
			out.WriteByte('\n')
		}
	}
	return nil
}

// markdownClaims writes the claims as a table, if there are any.
func (s sheet) markdownClaims(out *bytes.Buffer) {
	if len(s.claims) == 0 {
		return
	}
	out.WriteString("## Claims\n\n| claim | measured | verdict |\n|---|---|---|\n")
	for _, c := range s.claims {
		out.WriteString("| " + escape(c.Says) + " | " + escape(c.Measured) + " | **" + escape(c.Verdict) + "** |\n")
	}
	out.WriteByte('\n')
}

// markdownTable writes the rows of a group below the sheet's header.
func (s sheet) markdownTable(out io.Writer, g group) error {
	s.header = escapeAll(s.header)
	table := s.newTable(out, renderer.NewMarkdown())
	for _, row := range g.rows {
		if err := table.Append(escapeAll(row)); err != nil {
			return err
		}
	}
	return table.Render()
}

func escapeAll(texts []string) []string {
	escaped := make([]string, len(texts))
	for i, text := range texts {
		escaped[i] = escape(text)
	}
	return escaped
}

// markup is what would make markup of a text, and what stands for it.
var markup = strings.NewReplacer(`\`, `\\`, `|`, `\|`, `*`, `\*`, `<`, `&lt;`, `&`, `&amp;`, `_`, `\_`, "`", "\\`",
	`[`, `\[`, `]`, `\]`, `#`, `\#`, `~`, `\~`)

// escape keeps text from being read as markup.
func escape(text string) string { return markup.Replace(printable(text)) }

func list(out *bytes.Buffer, lines []string) {
	for _, line := range lines {
		out.WriteString("- " + escape(line) + "\n")
	}
	if len(lines) > 0 {
		out.WriteByte('\n')
	}
}
