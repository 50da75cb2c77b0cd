package reports

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// ErrFormat is wrapped by the error about a format that does not exist.
var ErrFormat = errors.New("unknown format")

// Formats lists the names that Write takes.
func Formats() []string { return []string{"text", "markdown", "csv", "json"} }

// Write writes a result in the named format. The error wraps [ErrFormat] if
// there is no such format; any other comes from the writer.
func Write(w io.Writer, r *sim.Result, format string) error {
	switch format {
	case "text":
		return Text(w, r)
	case "markdown":
		return Markdown(w, r)
	case "csv":
		return CSV(w, r)
	case "json":
		return JSON(w, r)
	}
	return CheckFormat(format)
}

// CheckFormat returns an error that wraps [ErrFormat] unless Write knows the
// format.
func CheckFormat(format string) error {
	for _, known := range Formats() {
		if format == known {
			return nil
		}
	}
	if near := strategies.Nearest(format, Formats()); near != "" {
		return fmt.Errorf("%w %q (did you mean %q?)", ErrFormat, format, near)
	}
	return fmt.Errorf("%w %q (known: %s)", ErrFormat, format, strings.Join(Formats(), ", "))
}
