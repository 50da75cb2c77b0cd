package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/stagger-sim/stagger/reports/charts"
	"github.com/stagger-sim/stagger/sim"
)

// folder is a directory into which a command writes whole files.
type folder struct {
	dir   string
	files []string
}

// openFolder makes the directory if need be, and makes sure that files can be
// written there before anybody waits for a simulation.
func openFolder(dir string) (*folder, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the output directory: %w", err)
	}
	probe, err := os.CreateTemp(dir, ".stagger-*")
	if err != nil {
		return nil, fmt.Errorf("writing into the output directory: %w", err)
	}
	if err := probe.Close(); err != nil {
		return nil, err
	}
	return &folder{dir: dir}, os.Remove(probe.Name())
}

// write writes a file whole: under another name first, so that nobody ever sees
// half of it.
func (f *folder) write(name string, content func(io.Writer) error) error {
	// Made anew with the usual rights, which the user's mask narrows.
	hidden := filepath.Join(f.dir, fmt.Sprintf(".stagger-%d-%s", os.Getpid(), name))
	file, err := os.OpenFile(hidden, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	err = content(file)
	if closing := file.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(file.Name(), filepath.Join(f.dir, name))
	}
	if err != nil {
		_ = os.Remove(file.Name())
		return fmt.Errorf("writing %s: %w", name, err)
	}
	f.files = append(f.files, name)
	return nil
}

// String lists what was written, files that differ only in their ending as one.
func (f *folder) String() string {
	var stems []string
	endings := map[string][]string{}
	for _, file := range f.files {
		ending := filepath.Ext(file)
		stem := strings.TrimSuffix(file, ending)
		if endings[stem] == nil {
			stems = append(stems, stem)
		}
		endings[stem] = append(endings[stem], strings.TrimPrefix(ending, "."))
	}
	var lines []string
	for _, stem := range stems {
		name := strings.Join(endings[stem], ",")
		if len(endings[stem]) > 1 {
			name = "{" + name + "}"
		}
		lines = append(lines, "  "+filepath.Join(f.dir, stem)+"."+name)
	}
	return strings.Join(lines, "\n")
}

// writeCharts draws every chart in every format.
func writeCharts(out *folder, r *sim.Result) error {
	for _, chart := range charts.All(r) {
		for _, format := range charts.Formats() {
			err := out.write(chart.Name+"."+format, func(w io.Writer) error { return chart.Write(w, format) })
			if err != nil {
				return err
			}
		}
	}
	return nil
}
