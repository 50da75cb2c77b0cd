package main

import (
	"os"
	"strings"
	"testing"
)

// TestREADMEShowsTheTableThatTheHerdGives compares the rows of the README's
// table with the golden report.
func TestREADMEShowsTheTableThatTheHerdGives(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile("../../reports/testdata/herd.txt")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "```\n policy ")
	table, _, _ = strings.Cut(table, "```")
	rows := strings.Split(strings.TrimSpace(table), "\n")
	if len(rows) != 8 {
		t.Fatalf("found %d lines, want the header, the group and six policies:\n%s", len(rows), table)
	}
	for _, row := range rows {
		if !strings.Contains(string(report), row) {
			t.Errorf("not in the report: %s", row)
		}
	}
}
