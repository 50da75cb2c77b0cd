package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
)

func newReport() *cobra.Command {
	var format, dir string
	cmd := &cobra.Command{
		Use:   "report RESULT.json",
		Short: "Render a saved result again",
		Long: `Render a result that stagger run has saved, in another format or as charts.
RESULT.json may be - for standard input.`,
		Example: `  stagger report out/result.json
  stagger report out/result.json --format markdown > comparison.md
  stagger report out/result.json --charts charts`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := reports.CheckFormat(format); err != nil {
				return err
			}
			r, err := readResult(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("charts") {
				return reports.Write(cmd.OutOrStdout(), r, format)
			}
			if dir == "" {
				return fmt.Errorf("%w: --charts needs a directory", errUsage)
			}
			out, err := openFolder(dir)
			if err != nil {
				return err
			}
			if err := writeCharts(out, r); err != nil {
				return err
			}
			if cmd.Flags().Changed("format") {
				if err := reports.Write(cmd.OutOrStdout(), r, format); err != nil {
					return err
				}
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "wrote\n%s\n", out)
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "print as "+strings.Join(reports.Formats(), ", "))
	cmd.Flags().StringVar(&dir, "charts", "", "a `directory` for the charts: PNG, SVG, PDF")
	return cmd
}

func readResult(stdin io.Reader, name string) (*sim.Result, error) {
	data, err := readFile(stdin, name)
	if err != nil {
		return nil, fmt.Errorf("reading the result: %w", err)
	}
	r, err := reports.ReadJSON(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
