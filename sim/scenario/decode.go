package scenario

import (
	"encoding"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// Parse reads a scenario file in YAML. The name stands in its errors and is the
// scenario's name if the file gives none. Every fault of the file is reported at
// once: the error is a [*FileError].
func Parse(name string, data []byte) (sim.Scenario, error) {
	d := decoder{file: &FileError{Name: name, source: strings.Split(string(data), "\n")}, places: map[string]*token.Position{}}
	s := Defaults()
	if stem := strings.TrimSuffix(path.Base(name), path.Ext(name)); stem != "" && name != "-" {
		s.Name = stem
	}
	if root := d.root(data); root != nil {
		d.value(root, reflect.ValueOf(&s).Elem(), "")
	}
	// What could not be read would be reported once more as missing.
	if len(d.file.Problems) == 0 {
		d.meaning(s)
	}
	if len(d.file.Problems) > 0 {
		d.file.sort()
		return sim.Scenario{}, d.file
	}
	return s, nil
}

// Defaults is what a scenario file need not say.
func Defaults() sim.Scenario {
	return sim.Scenario{
		Name:         "scenario",
		Network:      sim.Network{Leg: sim.Normal(10*time.Millisecond, 2*time.Millisecond)},
		Policies:     usual(),
		Replications: 20,
		Seed:         1,
		Stop:         24 * time.Hour,
	}
}

// Bounds of a file, far beyond what people write: a hostile file must not cost
// more than a moment.
const (
	mostBytes   = 1 << 20
	mostNesting = 20
)

// decoder walks the syntax tree of one file.
type decoder struct {
	file   *FileError
	places map[string]*token.Position // where each field stands, by its path
	depth  int
}

// root parses the file and returns its one mapping; nil if there is none.
func (d *decoder) root(data []byte) ast.Node {
	if len(data) > mostBytes {
		d.file.add(nil, "the file has %d bytes; a scenario has at most %d", len(data), mostBytes)
		return nil
	}
	if line, ok := nested(d.file.source); ok {
		d.file.add(&token.Position{Line: line, Column: 1}, "brackets or dashes are nested more than %d deep", mostNesting)
		return nil
	}
	file, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		d.file.addSyntax(err)
		return nil
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		d.file.add(nil, "the file is empty; stagger scenarios herd prints one to start from")
		return nil
	}
	if len(file.Docs) > 1 && file.Docs[1].Body != nil {
		d.file.add(file.Docs[1].Body.GetToken().Position, "a second document; a file holds one scenario")
		return nil
	}
	return file.Docs[0].Body
}

// nested returns a line that opens more brackets or list items than a scenario
// can need.
func nested(lines []string) (int, bool) {
	open := 0
	for i, line := range lines {
		open += strings.Count(line, "[") + strings.Count(line, "{") - strings.Count(line, "]") - strings.Count(line, "}")
		if open > mostNesting || strings.Count(line, "- ") > 2*mostNesting {
			return i + 1, true
		}
	}
	return 0, false
}

// value sets v from a node.
func (d *decoder) value(node ast.Node, v reflect.Value, path string) {
	d.places[path] = node.GetToken().Position
	if d.depth++; d.depth > mostNesting {
		d.file.add(node.GetToken().Position, "%s: nested more than %d deep", path, mostNesting)
		return
	}
	defer func() { d.depth-- }()
	switch node.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		d.file.add(node.GetToken().Position, "%s: anchors, aliases and tags are not for scenarios", label(path))
		return
	}
	if _, ok := v.Addr().Interface().(encoding.TextUnmarshaler); ok || v.Type() == reflect.TypeFor[time.Duration]() {
		d.text(node, v, path)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.value(node, v.Elem(), path)
	case reflect.Struct:
		d.mapping(node, v, path)
	case reflect.Slice:
		d.list(node, v, path)
	default:
		d.scalar(node, v, path)
	}
}

// scalarText returns what a node that is no list and no mapping says.
func (d *decoder) scalarText(node ast.Node, path string) (string, bool) {
	switch n := node.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return node.GetToken().Value, true
	case *ast.NullNode:
		d.file.add(node.GetToken().Position, "%s: has no value", label(path))
	default:
		d.file.add(node.GetToken().Position, "%s: must be a single value, not a list or a mapping", label(path))
	}
	return "", false
}

// text sets a value that reads itself from text, or a duration.
func (d *decoder) text(node ast.Node, v reflect.Value, path string) {
	text, ok := d.scalarText(node, path)
	if !ok {
		return
	}
	if duration, isDuration := v.Addr().Interface().(*time.Duration); isDuration {
		parsed, err := time.ParseDuration(text)
		if err != nil {
			d.file.add(node.GetToken().Position, "%s: %q is no duration (write 500ms, 1.5s, 2m)", label(path), text)
		}
		*duration = parsed
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		d.file.add(node.GetToken().Position, "%s: %s", label(path), strings.ReplaceAll(err.Error(), "\n", "; "))
	}
}

func (d *decoder) scalar(node ast.Node, v reflect.Value, path string) {
	text, ok := d.scalarText(node, path)
	if !ok {
		return
	}
	complain := func(want string) { d.file.add(node.GetToken().Position, "%s: %q is no %s", label(path), text, want) }
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		b, err := strconv.ParseBool(text)
		if err != nil || text != "true" && text != "false" {
			complain("true or false")
		}
		v.SetBool(b)
	case reflect.Int:
		n, err := strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		if err != nil {
			complain("whole number")
		}
		v.SetInt(n)
	case reflect.Uint64:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			complain(fmt.Sprintf("whole number from 0 to %d", uint64(1<<64-1)))
		}
		v.SetUint(n)
	case reflect.Float64:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			complain("number")
		}
		v.SetFloat(f)
	default:
		panic(fmt.Sprintf("scenario: no decoder for %s", v.Type()))
	}
}

func (d *decoder) list(node ast.Node, v reflect.Value, path string) {
	items, ok := node.(*ast.SequenceNode)
	if !ok {
		d.file.add(node.GetToken().Position, "%s: must be a list, as in [1, 2]", label(path))
		return
	}
	list := reflect.MakeSlice(v.Type(), len(items.Values), len(items.Values))
	for i, item := range items.Values {
		d.value(item, list.Index(i), fmt.Sprintf("%s[%d]", path, i))
	}
	if len(items.Values) > 0 {
		v.Set(list)
	}
}

func (d *decoder) mapping(node ast.Node, v reflect.Value, path string) {
	pairs, ok := pairsOf(node)
	if !ok {
		d.file.add(node.GetToken().Position, "%s: must be a mapping of %s", label(path), strings.Join(keysOf(v.Type()), ", "))
		return
	}
	seen := map[string]bool{}
	for _, pair := range pairs {
		position := pair.Key.GetToken().Position
		key := pair.Key.GetToken().Value
		field, known := fieldOf(v, key)
		switch {
		case !known:
			d.unknown(position, key, path, v.Type())
			continue
		case seen[key]:
			d.file.add(position, "%s: stands twice", join(path, key))
			continue
		}
		seen[key] = true
		d.value(pair.Value, field, join(path, key))
	}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if name := nameOf(f); f.Tag.Get("need") != "" && !seen[name] {
			d.file.add(node.GetToken().Position, "%s: is missing: %s", join(path, name), f.Tag.Get("doc"))
		}
	}
}

func (d *decoder) unknown(at *token.Position, key, path string, t reflect.Type) {
	known := keysOf(t)
	if near := strategies.Nearest(key, known); near != "" {
		d.file.add(at, "%s: unknown key (did you mean %q?)", join(path, key), near)
		return
	}
	d.file.add(at, "%s: unknown key (known: %s)", join(path, key), strings.Join(known, ", "))
}

// meaning reports what the scenario's own rules forbid, each at its place.
func (d *decoder) meaning(s sim.Scenario) {
	err := s.Validate()
	if err == nil {
		return
	}
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok {
		d.file.add(nil, "%v", err)
		return
	}
	for _, one := range joined.Unwrap() {
		var field *sim.FieldError
		if errors.As(one, &field) {
			d.file.add(d.place(field.Path), "%s: %s", field.Path, strings.ReplaceAll(field.Err.Error(), "\n", "; "))
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

// pairsOf returns the pairs of a mapping; one pair alone is a node of its own.
func pairsOf(node ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := node.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func keysOf(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		keys = append(keys, nameOf(t.Field(i)))
	}
	return keys
}

func fieldOf(v reflect.Value, key string) (reflect.Value, bool) {
	i := slices.Index(keysOf(v.Type()), key)
	if i < 0 {
		return reflect.Value{}, false
	}
	return v.Field(i), true
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

// label names a place in an error; the whole file has no path.
func label(path string) string {
	if path == "" {
		return "the file"
	}
	return path
}
