// Command table reads the output of go test -bench from standard input and
// prints how the libraries compare, shape by shape. It fails, and shows what it
// read, when a benchmark failed or none ran.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
	"golang.org/x/perf/benchfmt"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	if err := compare(text, out); err != nil {
		return fmt.Errorf("%w; the input was:\n%s", err, text)
	}
	return nil
}

// ours is the library that the others are measured by.
const ours = "stagger"

// compare writes the table of one run of the benchmarks.
func compare(text []byte, out io.Writer) error {
	// A pipe hides the status of go test.
	if regexp.MustCompile(`(?m)^(\s*--- FAIL|FAIL|panic:)`).Match(text) {
		return errors.New("the benchmarks failed")
	}
	rows, err := read(text)
	if err != nil {
		return err
	}
	if len(rows) == 0 {
		return errors.New("no benchmark named shape=…/lib=… ran")
	}
	return draw(rows, out)
}

// row is one library with one shape, and what each run measured.
type row struct {
	shape, lib             string
	seconds, bytes, allocs []float64 // for each wait
}

// read collects the benchmarks in the order in which they ran.
func read(text []byte) ([]*row, error) {
	var rows []*row
	reader := benchfmt.NewReader(bytes.NewReader(text), "standard input")
	for reader.Scan() {
		switch record := reader.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, record
		case *benchfmt.Result:
			shape, lib := key(record.Name, "shape"), key(record.Name, "lib")
			if shape == "" || lib == "" {
				continue
			}
			i := slices.IndexFunc(rows, func(r *row) bool { return r.shape == shape && r.lib == lib })
			if i < 0 {
				i = len(rows)
				rows = append(rows, &row{shape: shape, lib: lib})
			}
			if err := rows[i].add(record); err != nil {
				return nil, err
			}
		}
	}
	return rows, reader.Err()
}

// key returns the value of a key=value part of a benchmark's name.
func key(name benchfmt.Name, key string) string {
	_, parts := name.Parts()
	for _, part := range parts {
		if value, ok := strings.CutPrefix(string(part), "/"+key+"="); ok {
			return value
		}
	}
	return ""
}

// add takes over one line of output.
func (r *row) add(line *benchfmt.Result) error {
	seconds, timed := line.Value("sec/op")
	bytes, counted := line.Value("B/op")
	allocs, _ := line.Value("allocs/op")
	if !timed || !counted {
		return fmt.Errorf("%s has no ns/op or no B/op", line.Name)
	}
	r.seconds = append(r.seconds, seconds)
	r.bytes = append(r.bytes, bytes)
	r.allocs = append(r.allocs, allocs)
	return nil
}

// time is the shortest of all runs: whatever else the machine does only adds to
// a time, so this one says most about the code. The median beside it says how
// busy the machine was.
func (r *row) time() float64 { return slices.Min(r.seconds) }

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

// draw writes the shapes in the order in which they ran, each from its fastest
// library to its slowest.
func draw(rows []*row, out io.Writer) error {
	left, right := tw.AlignLeft, tw.AlignRight
	align := tw.CellAlignment{PerColumn: []tw.Align{left, left, right, right, right, right, right}}
	table := tablewriter.NewTable(out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
			Settings: tw.Settings{
				Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off},
				Lines:      tw.Lines{ShowHeaderLine: tw.On},
			},
		})),
		tablewriter.WithSymbols(tw.NewSymbols(tw.StyleLight)),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignmentConfig(align),
		tablewriter.WithRowAlignmentConfig(align),
	)
	table.Header("shape", "library", "ns/op", "median", "times ours", "B/op", "allocs/op")
	for i, group := range groups(rows) {
		if i > 0 {
			if err := table.Append("", "", "", "", "", "", ""); err != nil {
				return err
			}
		}
		for _, r := range group {
			err := table.Append(r.shape, r.lib,
				fixed(r.time()*1e9, 1), fixed(median(r.seconds)*1e9, 1), timesOurs(r, group),
				fixed(median(r.bytes), 0), fixed(median(r.allocs), 0))
			if err != nil {
				return err
			}
		}
	}
	return table.Render()
}

// groups gathers the rows by shape and sorts each group by time.
func groups(rows []*row) [][]*row {
	var groups [][]*row
	for _, r := range rows {
		i := slices.IndexFunc(groups, func(g []*row) bool { return g[0].shape == r.shape })
		if i < 0 {
			groups = append(groups, []*row{r})
			continue
		}
		groups[i] = append(groups[i], r)
	}
	for _, g := range groups {
		slices.SortStableFunc(g, func(a, b *row) int { return cmp.Compare(a.time(), b.time()) })
	}
	return groups
}

// timesOurs is how much longer a library takes than ours does for the shape.
func timesOurs(r *row, group []*row) string {
	i := slices.IndexFunc(group, func(r *row) bool { return r.lib == ours })
	if i < 0 {
		return "-"
	}
	return fixed(r.time()/group[i].time(), 2)
}

func fixed(f float64, decimals int) string { return strconv.FormatFloat(f, 'f', decimals, 64) }
