package scenario

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml/token"

	"github.com/stagger-sim/stagger/sim"
)

// FileError is everything that is wrong with a scenario file. It wraps
// [sim.ErrScenario].
type FileError struct {
	Name     string
	Problems []Problem // in the order of the file
	more     int       // problems beyond those
	source   []string
}

// Problem is one fault of a file.
type Problem struct {
	Line, Column int // from 1; 0 for the file as a whole
	Text         string
}

func (p Problem) at() [2]int { return [2]int{p.Line, p.Column} }

// Error lists the problems, each as file:line:column with the line itself and a
// mark under the place; several of one place share those.
func (e *FileError) Error() string {
	var lines []string
	for i, p := range e.Problems {
		if p.Line == 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", e.Name, p.Text))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Name, p.Line, p.Column, p.Text))
		more := i+1 < len(e.Problems) && e.Problems[i+1].at() == p.at()
		if !more && p.Line <= len(e.source) {
			lines = append(lines, excerpt(e.source[p.Line-1], p)...)
		}
	}
	if e.more > 0 {
		lines = append(lines, fmt.Sprintf("%s: and %d more", e.Name, e.more))
	}
	return strings.Join(lines, "\n")
}

// excerpt shows the part of a line around the problem.
func excerpt(line string, p Problem) []string {
	const most = 70
	runes := []rune(strings.ToValidUTF8(strings.TrimRight(line, "\r"), "?"))
	column := min(max(p.Column-1, 0), len(runes))
	from := max(0, column-most/2)
	shown := printable(string(runes[from:min(len(runes), from+most)]))
	number := fmt.Sprintf("%5d | ", p.Line)
	return []string{number + shown, strings.Repeat(" ", len(number)+column-from) + "^"}
}

// Unwrap returns sim.ErrScenario.
func (e *FileError) Unwrap() error { return sim.ErrScenario }

// Bounds of what is worth a reader's time.
const (
	mostProblems = 20
	longestText  = 400
)

// add notes a problem, in one line that is fit for a terminal whatever the file
// has in it.
func (e *FileError) add(at *token.Position, format string, args ...any) {
	if len(e.Problems) >= mostProblems {
		e.more++
		return
	}
	text := strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")
	if len(text) > longestText {
		text = text[:longestText] + "…"
	}
	p := Problem{Text: printable(text)}
	if at != nil {
		p.Line, p.Column = at.Line, at.Column
	}
	e.Problems = append(e.Problems, p)
}

// printable puts a space or a ? for what a terminal would not print.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

func (e *FileError) sort() {
	slices.SortStableFunc(e.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
