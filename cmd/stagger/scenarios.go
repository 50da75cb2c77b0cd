package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagger-sim/stagger/sim/scenario"
)

func newScenarios() *cobra.Command {
	var schema, reference bool
	cmd := &cobra.Command{
		Use:   "scenarios [NAME]",
		Short: "List the built-in scenarios, or print one as a file to start from",
		Long: `List the built-in scenarios, or print one as a file in YAML to start from. Its
comments explain the format. Where stagger.schema.json (--schema) stands beside
the file, editors that know YAML schemas complete and check it.`,
		Example: `  stagger scenarios
  stagger scenarios herd > my.yaml
  stagger run my.yaml
  stagger scenarios --schema > stagger.schema.json`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenario.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case (schema || reference) && len(args) > 0, schema && reference:
				return fmt.Errorf("%w: give --schema, --reference or a NAME", errUsage)
			case reference:
				return scenario.WriteReference(cmd.OutOrStdout())
			case schema:
				return scenario.WriteSchema(cmd.OutOrStdout())
			case len(args) == 0:
				return listScenarios(cmd.OutOrStdout())
			}
			b, err := scenario.Find(args[0])
			if err != nil {
				return err
			}
			return scenario.Write(cmd.OutOrStdout(), b.Scenario, b.About)
		},
	}
	cmd.Flags().BoolVar(&reference, "reference", false, "print the reference of scenario files in Markdown")
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON schema of scenario files")
	return cmd
}

func listScenarios(w io.Writer) error {
	var text strings.Builder
	for _, b := range scenario.BuiltIns() {
		fmt.Fprintf(&text, "%-22s %s\n", b.Name, b.Title)
	}
	text.WriteString("\nstagger scenarios NAME prints one as a file; stagger run NAME simulates it.\n")
	_, err := io.WriteString(w, text.String())
	return err
}
