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
	out := runREADME(t, "outage.yaml", exitUnmet)
	for _, want := range []string{"NOT MET  jitter.recovery_seconds < 10s: never (jitter, 700 clients)", "   never\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// TestREADMELayersGiveTheTableThatItShows runs the file about layers.
func TestREADMELayersGiveTheTableThatItShows(t *testing.T) {
	_, table, _ := strings.Cut(read(t, "../../README.md"), "```\nAmplification by layer")
	table, _, found := strings.Cut("Amplification by layer"+table, "```")
	if !found {
		t.Fatal("the README shows no amplification by layer")
	}
	if out := runREADME(t, "layers.yaml", exitDone); !strings.Contains(out, table) || strings.Contains(out, "NOT BORNE OUT") {
		t.Errorf("want all claims borne out and\n%s\ngot\n%s", table, out)
	}
}

// runREADME runs a scenario that the README writes into a file, and returns the
// report.
func runREADME(t *testing.T, name string, want int) string {
	t.Helper()
	_, file, _ := strings.Cut(read(t, "../../README.md"), "cat > "+name+" <<'END'\n")
	file, _, found := strings.Cut(file, "END\n")
	if !found {
		t.Fatalf("the README has no %s", name)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	if code := run(t.Context(), nil, &out, &errs, []string{"run", name}); code != want {
		t.Fatalf("exit %d, want %d: %s", code, want, errs.String())
	}
	return out.String()
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
