package reports

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextFitsATerminal(t *testing.T) {
	for _, name := range []string{"herd", "small", "stream", "single", "outage", "chain"} {
		var out bytes.Buffer
		if err := Text(&out, result(t, name)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
				t.Errorf("%s: a line of %d columns: %s", name, n, line)
			}
		}
	}
}

func TestFoldKeepsWordsAndWidth(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("word ", 40))
	for _, c := range []struct{ name, line, second string }{
		{"a sentence", words, "  word"},
		{"a word set apart", "claim     " + words, "          word"},
		{"two words set apart", "NOT MET  " + words, "  word"},
		{"a word set far apart", "a" + strings.Repeat(" ", 200) + words, "  word"},
		{"blanks only in front", "   " + words, "  word"},
	} {
		var out bytes.Buffer
		fold(&out, c.line)
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		if len(lines) < 2 || !strings.HasPrefix(lines[1], c.second) {
			t.Errorf("%s: the second line should begin %q:\n%s", c.name, c.second, out.String())
		}
		for _, line := range lines {
			if len(line) > width {
				t.Errorf("%s: a line of %d columns: %s", c.name, len(line), line)
			}
		}
		if got, want := strings.Fields(out.String()), strings.Fields(c.line); len(got) != len(want) {
			t.Errorf("%s: %d words, want %d", c.name, len(got), len(want))
		}
	}
}

// full is a writer that has no room.
type full struct{ room int }

var errFull = errors.New("no room")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

func TestEveryFormatReportsAFailedWrite(t *testing.T) {
	r := result(t, "small")
	for _, format := range Formats() {
		if err := Write(&full{room: 10}, r, format); !errors.Is(err, errFull) {
			t.Errorf("%s: got %v, want %v", format, err, errFull)
		}
	}
}
