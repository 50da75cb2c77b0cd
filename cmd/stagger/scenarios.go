package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagger-sim/stagger/sim/scenario"
)

func newScenarios() *cobra.Command {
	return &cobra.Command{
		Use:   "scenarios [NAME]",
		Short: "List the built-in scenarios, or describe one",
		Example: `  stagger scenarios
  stagger scenarios aws-contention`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listScenarios(cmd.OutOrStdout())
			}
			b, err := scenario.Find(args[0])
			if err != nil {
				return err
			}
			return describeScenario(cmd.OutOrStdout(), b)
		},
	}
}

func scenarioNames() []string {
	var names []string
	for _, b := range scenario.BuiltIns() {
		names = append(names, b.Name)
	}
	return names
}

func listScenarios(w io.Writer) error {
	var text strings.Builder
	for _, b := range scenario.BuiltIns() {
		fmt.Fprintf(&text, "%-16s %s\n", b.Name, b.Title)
	}
	text.WriteString("\nstagger scenarios NAME describes one; stagger run NAME simulates it.\n")
	_, err := io.WriteString(w, text.String())
	return err
}

func describeScenario(w io.Writer, b scenario.BuiltIn) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s: %s\n\n%s\n\n", b.Name, b.Title, b.About)
	field := func(name, format string, args ...any) {
		fmt.Fprintf(&text, "%-13s %s\n", name, fmt.Sprintf(format, args...))
	}
	if s := b.Load.Stream; s != nil {
		warmUp, err := s.WarmUp.MarshalText()
		if err != nil {
			return err
		}
		field("load", "stream, %g/s from each client, warm-up %s", s.Rate, warmUp)
	} else if b.Load.Herd.Spread > 0 {
		field("load", "herd, spread over %s", b.Load.Herd.Spread)
	} else {
		field("load", "herd, all at t = 0")
	}
	if c := b.Server.Capacity; c != nil {
		field("server", "%d workers, service %s, queue %d", c.Workers, c.Service, c.Queue)
	} else {
		field("server", "contention for one row")
	}
	field("network", "legs %s", b.Network.Leg)
	field("clients", "%s", strings.Trim(fmt.Sprint(b.Clients), "[]"))
	field("replications", "%d", b.Replications)
	for i, p := range b.Policies {
		name := ""
		if i == 0 {
			name = "policies"
		}
		field(name, "%s", p)
	}
	_, err := io.WriteString(w, text.String())
	return err
}
