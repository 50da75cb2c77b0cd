package scenario

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	"github.com/stagger-sim/stagger/sim"
)

// WriteReference prints the reference of scenario files in Markdown: every key,
// what it takes, its default and its meaning. It is made from the types, as the
// schema is.
func WriteReference(w io.Writer) error {
	r := reference{}
	r.line("# Scenario files")
	r.line("")
	r.line("A scenario is a YAML file. `stagger scenarios NAME` prints one to start from.")
	r.line("")
	r.line("| key | takes | default | meaning |")
	r.line("|:----|:------|:--------|:--------|")
	r.keys(reflect.ValueOf(Defaults()), "")
	r.list("Distributions", "A distribution is written as one of these.", sim.Distributions())
	r.list("Metrics", "An expectation, such as `full@1000.amplification <= 1.1`, names one of these; a policy by its name, "+
		"its wait, or in quotes its whole text. NAME stands for that of a server behind the first.", metricNames())
	_, err := io.WriteString(w, r.text.String())
	return err
}

// metricNames lists all metrics, those of the servers behind with NAME for a name.
func metricNames() []string {
	list := sim.MetricNames()
	for _, metric := range sim.LayerMetrics() {
		list = append(list, sim.LayerMetric(metric, "NAME"))
	}
	return list
}

type reference struct {
	text strings.Builder
}

func (r *reference) line(format string, args ...any) { fmt.Fprintf(&r.text, format+"\n", args...) }

// list is a section of its own.
func (r *reference) list(title, what string, items []string) {
	r.line("")
	r.line("## %s", title)
	r.line("")
	r.line("%s", what)
	r.line("")
	for _, item := range items {
		r.line("- `%s`", item)
	}
}

// keys lists the fields of a struct, and below each those that it holds.
func (r *reference) keys(v reflect.Value, path string) {
	for _, f := range fieldsOf(v.Type()) {
		value := v.FieldByIndex(f.Index)
		at := join(path, nameOf(f))
		r.line("| `%s` | %s | %s | %s |", at, takes(f.Type), usually(f, value), strings.ReplaceAll(f.Tag.Get("doc"), "|", `\|`))
		switch inner := within(f.Type); {
		case inner == nil:
		case f.Type.Kind() == reflect.Slice:
			r.keys(reflect.New(inner).Elem(), at+"[]")
		case f.Type.Kind() == reflect.Pointer:
			r.keys(reflect.New(inner).Elem(), at)
		default:
			r.keys(value, at)
		}
	}
}

// within returns the struct whose fields stand below a field; nil if none do.
func within(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return nil
	}
	return t
}

// takes names what stands behind a key.
func takes(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return takes(t.Elem())
	}
	switch t {
	case reflect.TypeFor[time.Duration]():
		return "duration"
	case reflect.TypeFor[sim.Distribution]():
		return "distribution"
	case reflect.TypeFor[sim.Places]():
		return "whole number or `unlimited`"
	}
	switch t.Kind() {
	case reflect.Slice:
		return "list"
	case reflect.Bool:
		return "true or false"
	case reflect.Float64:
		return "number"
	case reflect.Int, reflect.Uint64:
		return "whole number"
	case reflect.Struct:
		if within(t) != nil {
			return "mapping"
		}
	}
	return "text"
}

// usually is what a key is if it is left out.
func usually(f reflect.StructField, v reflect.Value) string {
	if f.Tag.Get("need") != "" {
		return "*needed*"
	}
	if v.Kind() == reflect.Slice && v.Len() > 0 {
		return fmt.Sprintf("the usual %d", v.Len())
	}
	if text, ok := scalarOf(v); ok {
		return "`" + text + "`"
	}
	return ""
}
