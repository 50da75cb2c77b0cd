package main

import (
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"stagger": main}) }

// TestScripts drives the real command as a user would.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command that must end with this code and, unless the code is 0,
// say why in one line, which an excerpt of a file may follow: exits CODE COMMAND
// ARG…
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	said := ts.ReadFile("stderr")
	if lines := strings.Count("\n"+said, "\n") - strings.Count("\n"+said, "\n ") - 1; want != 0 && lines != 1 {
		ts.Fatalf("want one line of error, got:\n%s", said)
	}
}
