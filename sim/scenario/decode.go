package scenario

import (
	"bytes"
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// Parse reads a scenario file in YAML that needs no other file, as [ParseWith]
// does; that one names a trace is an error.
func Parse(file string, data []byte) (sim.Scenario, error) {
	return ParseWith(file, data, func(string) (io.ReadCloser, error) {
		return nil, errors.New("other files cannot be read here")
	})
}

// ParseWith reads a scenario file in YAML, and the trace that it names with open,
// which gets the trace's name as it stands in the file. The file's name stands in
// its errors and, without its folder and ending, is the scenario's name if the
// file gives none. All that cannot be read is reported at once; if all can, all
// that contradicts itself: the error is a [*FileError].
func ParseWith(file string, data []byte, open func(string) (io.ReadCloser, error)) (sim.Scenario, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // the mark that some editors begin a file with
	d := decoder{file: &FileError{Name: file, source: strings.Split(string(data), "\n")}, places: map[string]*token.Position{}}
	s := Defaults()
	if root := readYAML(d.file, data); root != nil {
		d.places[""] = startOf(root)
		d.value(root, reflect.ValueOf(&s).Elem(), "")
		if s.Load.Trace != nil && s.Load.Trace.File != "" {
			d.trace(s.Load.Trace, open)
		}
		if _, given := d.places["stop"]; !given {
			s.Stop = usualStop(s)
		}
		if len(d.file.Problems) == 0 {
			d.meaning(s)
		}
	}
	if len(d.file.Problems) > 0 {
		d.file.sort()
		return sim.Scenario{}, d.file
	}
	if s.Name == "" {
		base := filepath.Base(file)
		s.Name = cmp.Or(strings.TrimSuffix(base, filepath.Ext(base)), "scenario")
	}
	return s, nil
}

// Defaults is what a scenario file need not say.
func Defaults() sim.Scenario {
	return sim.Scenario{
		Network:      sim.Network{Leg: sim.Normal(10*time.Millisecond, 2*time.Millisecond)},
		Policies:     usual(),
		Replications: 20,
		Seed:         1,
		Stop:         24 * time.Hour,
	}
}

// usualStop is the stop if the file gives none.
func usualStop(s sim.Scenario) time.Duration {
	switch {
	case s.Load.Herd != nil:
		return s.Stop
	case s.Load.Trace != nil && len(s.Load.Trace.Arrivals) > 0:
		return s.Load.Trace.Arrivals[len(s.Load.Trace.Arrivals)-1].At + afterTrace
	default:
		return endlessStop
	}
}

const (
	// endlessStop is the stop of a load that starts operations without end: a day
	// of those would take hours.
	endlessStop = 5 * time.Minute
	// afterTrace leaves the last operations of a trace the time of their retries.
	afterTrace = 30 * time.Second
)

// decoder walks the syntax tree of one file.
type decoder struct {
	file   *FileError
	places map[string]*token.Position // where each field stands, by its path
}

// value sets v from a node. Its depth is that of the types, whatever the file.
func (d *decoder) value(node ast.Node, v reflect.Value, path string) {
	switch {
	case readsText(v):
		d.text(node, v, path)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(node, v.Elem(), path)
	case v.Kind() == reflect.Struct:
		d.mapping(node, v, path)
	case v.Kind() == reflect.Slice:
		d.list(node, v, path)
	default:
		d.scalar(node, v, path)
	}
}

// readsText reports whether a value is a duration or reads itself from text.
func readsText(v reflect.Value) bool {
	_, ok := v.Addr().Interface().(encoding.TextUnmarshaler)
	return ok || v.Type() == reflect.TypeFor[time.Duration]()
}

// bad reports a problem of the field that a node is about.
func (d *decoder) bad(node ast.Node, path, format string, args ...any) {
	d.file.add(startOf(node), "%s: %s", cmp.Or(path, "the file"), fmt.Sprintf(format, args...))
}

// scalarText returns what a single value says, and notes where.
func (d *decoder) scalarText(node ast.Node, path string) (string, bool) {
	d.places[path] = startOf(node)
	text, err := scalarOfNode(node)
	if err != nil {
		d.bad(node, path, "%v", err)
	}
	return text, err == nil
}

// text sets a value that reads itself from text, or a duration.
func (d *decoder) text(node ast.Node, v reflect.Value, path string) {
	if name, wait, ok := namedPolicy(node, v); ok {
		d.named(name, wait, v, path)
		return
	}
	text, ok := d.scalarText(node, path)
	if !ok {
		return
	}
	if duration, isDuration := v.Addr().Interface().(*time.Duration); isDuration {
		parsed, err := time.ParseDuration(text)
		if err != nil {
			d.bad(node, path, "%q is no duration (write 500ms, 1.5s, 2m)", text)
		}
		*duration = parsed
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		d.bad(node, path, "%v", err)
	}
}

// namedPolicy returns the parts of "careful: full", which YAML reads as a mapping
// of one key.
func namedPolicy(node ast.Node, v reflect.Value) (name, wait ast.Node, ok bool) {
	if v.Type() != reflect.TypeFor[strategies.Policy]() {
		return nil, nil, false
	}
	pairs, ok := pairsOf(node)
	if !ok || len(pairs) != 1 {
		return nil, nil, false
	}
	return pairs[0].Key, pairs[0].Value, true
}

// named sets a policy from its name and the rest of its text.
func (d *decoder) named(name, wait ast.Node, v reflect.Value, path string) {
	text, ok := d.scalarText(wait, path)
	if !ok {
		return
	}
	text = name.GetToken().Value + ": " + text
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		d.bad(name, path, "%v", err)
	}
}

func (d *decoder) scalar(node ast.Node, v reflect.Value, path string) {
	text, ok := d.scalarText(node, path)
	if !ok {
		return
	}
	if v.Kind() == reflect.String {
		v.SetString(text)
		return
	}
	want, err := setNumber(v, text)
	switch {
	case quotedNode(node) && err == nil:
		d.bad(node, path, "%q is a text; write %s without quotes", text, want)
	case err != nil:
		d.bad(node, path, "%q is not %s", text, want)
	}
}

// setNumber sets a number or a bool, and says what is wanted.
func setNumber(v reflect.Value, text string) (want string, err error) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(text == "true")
		if text != "true" && text != "false" {
			err = strconv.ErrSyntax
		}
		return "true or false", err
	case reflect.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		v.SetInt(n)
		return "a whole number", err
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		v.SetUint(n)
		return fmt.Sprintf("a whole number from 0 to %d", uint64(1<<64-1)), err
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		v.SetFloat(f)
		if math.IsNaN(f) || math.IsInf(f, 0) || strings.ContainsAny(text, "xX") {
			err = strconv.ErrSyntax
		}
		return "a number", err
	default:
		panic(fmt.Sprintf("scenario: no decoder for %s", v.Type()))
	}
}

func (d *decoder) list(node ast.Node, v reflect.Value, path string) {
	items, ok := node.(*ast.SequenceNode)
	switch {
	case !ok:
		d.wrongKind(node, path, "must be a list, each item on a line after a dash, or as in [1, 2]")
		return
	case len(items.Values) > mostItems:
		d.bad(node, path, "has %d items; a list has at most %d", len(items.Values), mostItems)
		return
	case len(items.Values) == 0:
		v.SetZero()
		return
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items.Values), len(items.Values)))
	for i, item := range items.Values {
		at := fmt.Sprintf("%s[%d]", path, i)
		d.places[at] = startOf(item)
		d.value(item, v.Index(i), at)
	}
}

func (d *decoder) mapping(node ast.Node, v reflect.Value, path string) {
	pairs, ok := pairsOf(node)
	fields, keys := fieldsOf(v.Type()), keysOf(v.Type())
	if !ok {
		d.wrongKind(node, path, "must be a mapping; its keys are "+strings.Join(keys, ", "))
		return
	}
	seen := map[string]bool{}
	for _, pair := range pairs {
		key, err := scalarOfNode(pair.Key)
		at := join(path, key)
		switch i := slices.Index(keys, key); {
		case err != nil:
			d.badKey(pair.Key, path, err)
		case i < 0:
			seen[d.unknown(pair.Key, at, key, keys)] = true
		case seen[key]:
			d.bad(pair.Key, at, "stands twice")
		default:
			seen[key] = true
			d.places[at] = startOf(pair.Key)
			d.value(pair.Value, v.FieldByIndex(fields[i].Index), at)
		}
	}
	for i, key := range keys {
		if fields[i].Tag.Get("need") != "" && !seen[key] {
			d.file.add(d.places[path], "%s: is missing (%s)", join(path, key), fields[i].Tag.Get("doc"))
		}
	}
}

// wrongKind reports something else than a list or a mapping.
func (d *decoder) wrongKind(node ast.Node, path, want string) {
	if _, err := scalarOfNode(node); errors.Is(err, errForeign) {
		want = err.Error()
	} else if _, null := node.(*ast.NullNode); null && path != "" && strings.HasPrefix(want, "must be a mapping") {
		want = "has no value; write {} if nothing in it is to be set"
	}
	d.bad(node, path, "%s", want)
}

// badKey reports a key that is not a word.
func (d *decoder) badKey(node ast.Node, path string, err error) {
	if !errors.Is(err, errForeign) {
		err = errors.New("a key must be a word")
	}
	d.bad(node, path, "%v", err)
}

// unknown reports a key that is none, and returns the one that was meant.
func (d *decoder) unknown(node ast.Node, path, key string, known []string) string {
	near := ""
	if len(key) < 100 {
		near = strategies.Nearest(key, known)
	}
	switch {
	case near != "":
		d.bad(node, path, "unknown key (did you mean %q?)", near)
	case len(known) == 0:
		d.bad(node, path, "unknown key (there are none here)")
	default:
		d.bad(node, path, "unknown key (known: %s)", strings.Join(known, ", "))
	}
	return near
}

// trace reads the arrivals of a trace from its own file.
func (d *decoder) trace(t *sim.Trace, open func(string) (io.ReadCloser, error)) {
	log, err := open(t.File)
	if err == nil {
		t.Arrivals, err = ReadTrace(t.File, log)
		log.Close()
	}
	for _, one := range each(err) {
		d.file.add(d.place("load.trace.file"), "load.trace.file: %v", one)
	}
}

// each lists the errors that were joined to one; none if it is nil.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// meaning reports what the scenario's own rules forbid, each at its place.
func (d *decoder) meaning(s sim.Scenario) {
	for _, one := range each(s.Validate()) {
		var field *sim.FieldError
		if errors.As(one, &field) {
			d.file.add(d.place(field.Path), "%s: %v", field.Path, field.Err)
		} else {
			d.file.add(nil, "%v", one)
		}
	}
}

// place finds where a field stands, or else the nearest that holds it.
func (d *decoder) place(path string) *token.Position {
	for path != "" {
		if at, ok := d.places[path]; ok {
			return at
		}
		path = path[:max(0, strings.LastIndexAny(path, ".["))]
	}
	return d.places[""]
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// fieldsOf lists the fields of a struct that a file can set.
func fieldsOf(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); nameOf(f) != "-" {
			fields = append(fields, f)
		}
	}
	return fields
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for _, f := range fieldsOf(t) {
		keys = append(keys, nameOf(f))
	}
	return keys
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
