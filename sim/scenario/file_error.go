package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/token"

	"github.com/stagger-sim/stagger/sim"
)

// FileError is everything that is wrong with a scenario file. It wraps
// [sim.ErrScenario].
type FileError struct {
	Name     string
	Problems []Problem // in the order of the file
	source   []string
}

// Problem is one fault of a file.
type Problem struct {
	Line, Column int // from 1; 0 for the file as a whole
	Text         string
}

// Error lists the problems, each as file:line:column with the line itself and a
// mark under the place.
func (e *FileError) Error() string {
	var lines []string
	for _, p := range e.Problems {
		if p.Line == 0 {
			lines = append(lines, fmt.Sprintf("%s: %s", e.Name, p.Text))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Name, p.Line, p.Column, p.Text))
		if p.Line <= len(e.source) {
			lines = append(lines, excerpt(e.source[p.Line-1], p)...)
		}
	}
	return strings.Join(lines, "\n")
}

// excerpt shows the part of a line around the problem.
func excerpt(line string, p Problem) []string {
	const most = 70
	runes := []rune(strings.ToValidUTF8(strings.TrimRight(line, "\r"), "?"))
	for i, r := range runes {
		if r < ' ' {
			runes[i] = ' '
		}
	}
	column := min(max(p.Column-1, 0), len(runes))
	from := max(0, column-most/2)
	shown := string(runes[from:min(len(runes), from+most)])
	number := fmt.Sprintf("%5d | ", p.Line)
	return []string{number + shown, strings.Repeat(" ", len(number)+column-from) + "^"}
}

// Unwrap returns sim.ErrScenario.
func (e *FileError) Unwrap() error { return sim.ErrScenario }

// mostProblems is how many problems are worth a reader's time.
const mostProblems = 20

func (e *FileError) add(at *token.Position, format string, args ...any) {
	if len(e.Problems) >= mostProblems {
		return
	}
	p := Problem{Text: fmt.Sprintf(format, args...)}
	if at != nil {
		p.Line, p.Column = at.Line, at.Column
	}
	e.Problems = append(e.Problems, p)
}

// addSyntax reports what the YAML parser said.
func (e *FileError) addSyntax(err error) {
	var syntax yaml.Error
	if errors.As(err, &syntax) && syntax.GetToken() != nil {
		e.add(syntax.GetToken().Position, "%s", syntax.GetMessage())
		return
	}
	e.add(nil, "%s", strings.ReplaceAll(err.Error(), "\n", " "))
}

func (e *FileError) sort() {
	slices.SortStableFunc(e.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
