package reports

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextFitsATerminal(t *testing.T) {
	for _, name := range []string{"herd", "small", "stream", "single", "outage"} {
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
