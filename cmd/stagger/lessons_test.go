package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/sim/scenario"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// What stands around the table of lessons in the README.
const (
	lessonsBegin = "<!-- lessons: written by make golden -->\n"
	lessonsEnd   = "<!-- end of lessons -->\n"
)

// TestLessons runs every built-in scenario that makes claims as its author wrote
// it, holds it to what it expects, and the README to what it measured.
func TestLessons(t *testing.T) {
	if testing.Short() {
		t.Skip("runs every lesson in full")
	}
	var table strings.Builder
	table.WriteString("| claim | `stagger run` | measured | verdict |\n|---|---|---|---|\n")
	lessons := 0
	for _, b := range scenario.BuiltIns() {
		if len(b.Claims) == 0 {
			continue
		}
		lessons++
		if len(b.Expect) == 0 {
			t.Errorf("%s claims, and expects nothing", b.Name)
		}
		r, err := sim.Run(t.Context(), b.Scenario, sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range r.Expected {
			if !e.Met {
				t.Errorf("%s: not met: %s (value %v)", b.Name, e.Expectation, e.Value)
			}
		}
		for _, c := range reports.Claims(r) {
			table.WriteString("| " + c.Says + " | `" + b.Name + "` | " + c.Measured + " | " + c.Verdict + " |\n")
		}
	}
	if lessons < 15 {
		t.Errorf("%d lessons", lessons)
	}
	holdREADME(t, table.String())
}

// holdREADME compares the README's table of lessons, or rewrites it.
func holdREADME(t *testing.T, table string) {
	t.Helper()
	const path = "../../README.md"
	before, rest, begun := strings.Cut(read(t, path), lessonsBegin)
	got, after, ended := strings.Cut(rest, lessonsEnd)
	if !begun || !ended {
		t.Fatal("the README has no place for the lessons")
	}
	if *update {
		if err := os.WriteFile(path, []byte(before+lessonsBegin+table+lessonsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != table {
		t.Errorf("the README's lessons are not what was measured; make golden rewrites them:\n%s", table)
	}
}
