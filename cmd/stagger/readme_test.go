package main

import (
	"os"
	"strings"
	"testing"
)

// TestREADMEShowsTheTablesThatItsCommandsGive compares the lines of the README's
// tables with the golden reports.
func TestREADMEShowsTheTablesThatItsCommandsGive(t *testing.T) {
	readme := read(t, "../../README.md")
	blocks := strings.Split(readme, "```\n policy ")[1:]
	reports := []string{"herd", "outage"}
	if len(blocks) != len(reports) {
		t.Fatalf("%d tables, want %d", len(blocks), len(reports))
	}
	for i, name := range reports {
		report := read(t, "../../reports/testdata/"+name+".txt")
		table, _, _ := strings.Cut(" policy "+blocks[i], "```")
		for line := range strings.Lines(table) {
			if line = strings.TrimRight(line, "\n"); !strings.Contains(report, line) {
				t.Errorf("%s: not in the report: %s", name, line)
			}
		}
	}
}

// TestREADMEOutageIsTheOneThatReportsAreTestedWith runs the tutorial's file.
func TestREADMEOutageIsTheOneThatReportsAreTestedWith(t *testing.T) {
	_, file, _ := strings.Cut(read(t, "../../README.md"), "cat > outage.yaml <<'END'\n")
	file, _, found := strings.Cut(file, "END\n")
	if !found {
		t.Fatal("the README has no outage.yaml")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("outage.yaml", []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := run(t.Context(), nil, &out, &errs, []string{"run", "outage.yaml"}); code != exitUnmet {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	for _, want := range []string{"NOT MET  jitter.recovery_seconds < 10s: never (jitter, 700 clients)", "   never\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, out.String())
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
