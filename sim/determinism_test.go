package sim

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// buildPortable builds testdata/portable for a target and returns the program.
func buildPortable(t *testing.T, target ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "portable")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./testdata/portable")
	build.Env = append(os.Environ(), target...)
	if message, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", target, err, message)
	}
	return program
}

// printed returns what a program prints.
func printed(t *testing.T, program *exec.Cmd) []byte {
	t.Helper()
	var output, message bytes.Buffer
	program.Stdout, program.Stderr = &output, &message
	if err := program.Run(); err != nil {
		t.Fatalf("%v: %v\n%s", program, err, &message)
	}
	return output.Bytes()
}

// sameBytes points at the first difference.
func sameBytes(t *testing.T, got, want []byte) {
	t.Helper()
	if bytes.Equal(got, want) {
		return
	}
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	around := func(b []byte) []byte { return b[max(0, i-100):min(len(b), i+100)] }
	t.Errorf("byte %d differs: got\n%s\nwant\n%s", i, around(got), around(want))
}

func TestProcessesAndProcessorsAgree(t *testing.T) {
	program := buildPortable(t)
	run := func(environment ...string) []byte {
		c := exec.CommandContext(t.Context(), program)
		c.Env = append(os.Environ(), environment...)
		return printed(t, c)
	}
	want := run("GOMAXPROCS=1")
	if bytes.Count(want, []byte("\n")) != 3 {
		t.Fatalf("%d results, want 3", bytes.Count(want, []byte("\n")))
	}
	sameBytes(t, run("GOMAXPROCS=1"), want)
	sameBytes(t, run("GOMAXPROCS=2"), want)
}
