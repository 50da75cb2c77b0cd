package scenario

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestErrorShowsEachLineWithAMark(t *testing.T) {
	_, err := Parse("my.yaml", []byte(least+"sed: 2\nstop: soon # or later\n"))
	want := `my.yaml:4:1: sed: unknown key (did you mean "seed"?)
    4 | sed: 2
        ^
my.yaml:5:7: stop: "soon" is no duration (write 500ms, 1.5s, 2m)
    5 | stop: soon # or later
              ^`
	if diff := cmp.Diff(want, fmt.Sprint(err)); diff != "" {
		t.Error(diff)
	}
}

// A mark stands under its place also after letters of several bytes and in a line
// that is too long to be shown.
func TestMarkStandsUnderItsPlace(t *testing.T) {
	seen := 0
	for _, head := range []string{"", "größe µs ", strings.Repeat("long ", 100)} {
		_, err := Parse("my.yaml", []byte(least+`client: {"`+head+`": 1, creates: x}`+"\n"))
		for block := range strings.SplitSeq(fmt.Sprint(err), "my.yaml:") {
			lines := strings.Split(strings.TrimSuffix(block, "\n"), "\n")
			if len(lines) != 3 || !strings.Contains(block, `"x" is not`) {
				continue
			}
			seen++
			column := strings.IndexByte(lines[2], '^')
			if shown := []rune(lines[1]); len(shown) > 80 || string(shown[column:column+1]) != "x" {
				t.Errorf("column %d of\n%s", column, block)
			}
		}
	}
	if seen != 3 {
		t.Errorf("saw %d excerpts", seen)
	}
}

func TestMessagesAreFitForATerminal(t *testing.T) {
	_, err := Parse("my.yaml", []byte(least+`"\e[31m\n`+strings.Repeat("k", 10_000)+`": 1`+"\n"))
	if text := fmt.Sprint(err); strings.ContainsRune(text, '\x1b') || strings.Count(text, "\n") != 2 || len(text) > 1000 {
		t.Errorf("%d bytes: %q", len(text), text)
	}
}

func TestManyProblemsAreCounted(t *testing.T) {
	_, err := Parse("my.yaml", []byte(least+strings.Repeat("colour: red\n", 30)))
	if text := fmt.Sprint(err); strings.Count(text, "unknown key") != 20 || !strings.HasSuffix(text, "my.yaml: and 10 more") {
		t.Error(text)
	}
}
