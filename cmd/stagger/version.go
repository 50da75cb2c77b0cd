package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/stagger-sim/stagger/sim"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  stagger version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "stagger %s (%s, %s/%s)\n",
				sim.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
