package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/sim/scenario"
	"github.com/stagger-sim/stagger/strategies"
)

// runFlags are what a run may change about its scenario, and where its result
// goes.
type runFlags struct {
	clients      counts
	policies     []string
	replications int
	seed         seed
	format       string
	output       string
}

func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Simulate a scenario and print the comparison table",
		Long: `Simulate a scenario and print the comparison table.

SCENARIO is the name of a built-in scenario (see stagger scenarios), a file in
YAML (stagger scenarios herd prints one to start from), or - for standard
input; the default is herd. Flags change what the scenario says. The same
scenario and seed always give the same result.

A policy is a wait, then limits; before it may stand a name (careful: full):
  immediate | fixed(1s)
  exponential | equal | decorrelated | full, as in
    full(base=500ms, cap=30s, factor=2)
  … + attempts(5) + deadline(10s) + timeout(1s)
  … + retry-after(ignore) + retry(500) + final(504, timeout) + unsafe + key
  … + budget(10%, window=10s, min=10/s), or another budget:
    tokens(100, add=0.1), grpc-throttling(10, ratio=0.1),
    concurrency(20%, min=3), gate(10%)
  … + breaker(50%, window=10s, min=20, open=5s, probes=5, when-open=retry)
  … + throttle(2, window=2m)
Left out, base is 500ms, cap 30s and factor 2 (3 with decorrelated). Each client
has a budget, breaker and throttle of its own; per=all and per=50 share them.`,
		Example: `  stagger run
  stagger run retry-storm
  stagger run herd --clients 500,5000 --policy "fixed(2s)" --policy full
  stagger run aws-contention -o out
  stagger run my.yaml`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenario.Names(), cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name := "herd"
			if len(args) == 1 {
				name = args[0]
			}
			return runScenario(cmd, name, flags)
		},
	}
	f := cmd.Flags()
	f.Var(&flags.clients, "clients", "numbers of clients, as in 100,1000")
	f.StringArrayVar(&flags.policies, "policy", nil, "a `policy` to compare; repeat it for more")
	f.IntVar(&flags.replications, "replications", 0, "independent repetitions")
	f.Var(&flags.seed, "seed", "start of all random numbers")
	f.StringVar(&flags.format, "format", "text", "print as "+strings.Join(reports.Formats(), ", "))
	f.StringVarP(&flags.output, "output", "o", "", "a `directory` for result.json, results.csv, charts")
	return cmd
}

func runScenario(cmd *cobra.Command, name string, flags runFlags) error {
	if err := reports.CheckFormat(flags.format); err != nil {
		return err
	}
	s, err := chosenScenario(cmd, name, flags)
	if err != nil {
		return err
	}
	var out *folder
	if cmd.Flags().Changed("output") {
		if flags.output == "" {
			return fmt.Errorf("%w: --output needs a directory", errUsage)
		}
		if out, err = openFolder(flags.output); err != nil {
			return err
		}
	}
	result, err := simulate(cmd, s)
	if err != nil {
		return err
	}
	// Files first: whoever reads the table may stop in the middle.
	if out != nil {
		if err := writeAll(cmd, out, result); err != nil {
			return err
		}
	}
	if err := reports.Write(cmd.OutOrStdout(), result, flags.format); err != nil {
		return err
	}
	if n := reports.Unmet(result); n > 0 {
		return fmt.Errorf("%w: %d of %d", errUnmet, n, len(result.Expected))
	}
	return nil
}

// chosenScenario returns the named scenario with the changes that the flags
// ask for.
func chosenScenario(cmd *cobra.Command, name string, flags runFlags) (sim.Scenario, error) {
	s, err := loadScenario(cmd.InOrStdin(), name)
	if err != nil {
		return sim.Scenario{}, err
	}
	changed := cmd.Flags().Changed
	if changed("clients") {
		s.Clients = flags.clients
	}
	if changed("replications") {
		s.Replications = flags.replications
	}
	if changed("seed") {
		s.Seed = uint64(flags.seed)
	}
	if changed("policy") {
		if s.Policies, err = parsePolicies(flags.policies); err != nil {
			return sim.Scenario{}, err
		}
	}
	// What a built-in scenario expects and claims is about its own policies and
	// clients; a file's author is told about both at once.
	if !isFile(name) && (changed("clients") || changed("policy")) {
		if s, err = answerable(cmd, s); err != nil {
			return sim.Scenario{}, err
		}
	}
	return s, s.Validate()
}

// answerable leaves out what a scenario expects and claims about policies and
// clients that it does not have, and says so.
func answerable(cmd *cobra.Command, s sim.Scenario) (sim.Scenario, error) {
	s, left := s.Answerable()
	if len(left) == 0 {
		return s, nil
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "not checked, since the flags change what is simulated:\n  %s\n\n", strings.Join(left, "\n  "))
	return s, err
}

// loadScenario reads a file, and the trace that it may name, or finds a built-in
// scenario.
func loadScenario(stdin io.Reader, name string) (sim.Scenario, error) {
	if !isFile(name) {
		b, err := scenario.Find(name)
		return b.Scenario, err
	}
	data, err := readFile(stdin, name)
	if err != nil {
		return sim.Scenario{}, fmt.Errorf("reading the scenario: %w", err)
	}
	if name == "-" {
		name = "stdin"
	}
	// A trace stands relative to the file that names it.
	return scenario.ParseWith(name, data, func(trace string) (io.ReadCloser, error) {
		if !filepath.IsAbs(trace) {
			trace = filepath.Join(filepath.Dir(name), trace)
		}
		return openRegular(trace)
	})
}

// openRegular opens a regular file; of a pipe or a device one could wait for
// ever.
func openRegular(name string) (io.ReadCloser, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	return os.Open(name)
}

// isFile reports whether SCENARIO means a file and not a built-in.
func isFile(name string) bool {
	return name == "-" || strings.ContainsRune(name, filepath.Separator) ||
		slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(name))
}

// readFile reads a file, or standard input for "-".
func readFile(stdin io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}

// parsePolicies reads all texts, and reports all that are wrong.
func parsePolicies(texts []string) ([]strategies.Policy, error) {
	var policies []strategies.Policy
	var wrong []error
	for _, text := range texts {
		p, err := strategies.Parse(text)
		wrong = append(wrong, err)
		policies = append(policies, p)
	}
	return policies, errors.Join(wrong...)
}

// simulate runs the scenario and shows how far it is.
func simulate(cmd *cobra.Command, s sim.Scenario) (*sim.Result, error) {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := newProgress(cmd.ErrOrStderr(), "simulating "+s.Name)
	defer p.finish()
	result, err := sim.Run(ctx, s, sim.Options{Progress: p.update})
	if err != nil && ctx.Err() != nil {
		return nil, errInterrupted
	}
	return result, err
}

// writeAll writes every file of a run into the folder and says so.
func writeAll(cmd *cobra.Command, out *folder, r *sim.Result) error {
	if err := out.write("result.json", func(w io.Writer) error { return reports.JSON(w, r) }); err != nil {
		return err
	}
	if err := out.write("results.csv", func(w io.Writer) error { return reports.CSV(w, r) }); err != nil {
		return err
	}
	if err := writeCharts(out, r); err != nil {
		return err
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), "wrote\n%s\n\n", out)
	return err
}

// counts is a flag of numbers of clients.
type counts []int

func (c *counts) String() string { return "" }
func (c *counts) Type() string   { return "N,N" }

func (c *counts) Set(text string) error {
	*c = nil
	for field := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(field))
		if err != nil {
			return fmt.Errorf("%q is no whole number", strings.TrimSpace(field))
		}
		*c = append(*c, n)
	}
	return nil
}

// seed is a flag of any 64 bits.
type seed uint64

func (s *seed) String() string { return "" }
func (s *seed) Type() string   { return "N" }

func (s *seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("a seed is a whole number from 0 to %d", uint64(1<<64-1))
	}
	*s = seed(n)
	return nil
}
