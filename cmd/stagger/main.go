// Command stagger shows what a retry policy does to a server before an outage
// does.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/sim/scenario"
	"github.com/stagger-sim/stagger/strategies"
)

func main() {
	os.Exit(run(context.Background(), os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}

// Exit codes.
const (
	exitDone        = 0
	exitFailed      = 1 // input or output: no such file, cannot write
	exitWrong       = 2 // the request, or the content of a file, is wrong
	exitUnmet       = 3 // an expectation of the scenario was not met
	exitInterrupted = 130
)

// run is the whole command, until the context ends; it returns its exit code.
func run(ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, args []string) int {
	root := newRoot()
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(args)
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errInterrupted) {
		_, _ = fmt.Fprintln(stderr, "stagger: interrupted")
		return exitInterrupted
	}
	for line := range strings.Lines(err.Error()) {
		if !strings.HasPrefix(line, " ") { // the excerpt of a file
			line = "stagger: " + line
		}
		_, _ = fmt.Fprintln(stderr, strings.TrimRight(line, "\n"))
	}
	if errors.Is(err, errUnmet) {
		return exitUnmet
	}
	if !started || wrongRequest(err) {
		return exitWrong
	}
	return exitFailed
}

// wrongRequest tells what the user can mend by asking differently from a failure
// of input or output.
func wrongRequest(err error) bool {
	for _, wrong := range []error{
		errUsage, sim.ErrScenario, scenario.ErrUnknown, strategies.ErrPolicy, reports.ErrFormat, reports.ErrResult,
	} {
		if errors.Is(err, wrong) {
			return true
		}
	}
	return false
}

// errUnmet is wrapped by the error about expectations that were not met.
var errUnmet = errors.New("expectations not met")

// errInterrupted ends a simulation that the user does not want any more.
var errInterrupted = errors.New("interrupted")

// errUsage is wrapped by errors about flags and arguments.
var errUsage = errors.New("wrong usage")

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "stagger",
		Short: "Show what a retry policy does to a server before an outage does",
		Long: `stagger shows what a retry policy does to a server before an outage does.

It simulates clients that contend for a server of limited capacity and retry
by one policy or another, and compares what that costs: calls, time, waves.`,
		Example: `  stagger run            the default herd: six policies, up to 5,000 clients
  stagger run herd --clients 2000 --policy "full(base=1s, cap=1m)" -o out
  stagger report out/result.json --format markdown`,
		Version:       sim.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.AddCommand(newRun(), newReport(), newScenarios(), newVersion())
	return root
}
