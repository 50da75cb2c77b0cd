package scenario

import (
	"encoding"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/stagger-sim/stagger/sim"
)

// SchemaFile is where the first line of each printed file looks for the schema.
const SchemaFile = "stagger.schema.json"

// Write prints a scenario as a file that Parse reads, with comments that teach
// the format: what a field means, and the fields that it does not use.
func Write(w io.Writer, s sim.Scenario, about string) error {
	var p printer
	p.line(0, "# yaml-language-server: $schema=%s", SchemaFile)
	p.line(0, "# (written by: stagger scenarios --schema > %s)", SchemaFile)
	if about != "" {
		p.line(0, "#")
	}
	for line := range strings.Lines(about) {
		p.line(0, "# %s", strings.TrimRight(line, "\n"))
	}
	p.fields(reflect.ValueOf(s), 0)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// printer collects the lines of a file.
type printer struct {
	text strings.Builder
}

func (p *printer) line(depth int, format string, args ...any) {
	p.text.WriteString(strings.Repeat("  ", depth) + strings.TrimRight(fmt.Sprintf(format, args...), " ") + "\n")
}

func (p *printer) fields(v reflect.Value, depth int) {
	for _, f := range fieldsOf(v.Type()) {
		if depth == 0 {
			p.line(0, "")
		}
		p.field(nameOf(f), f.Tag.Get("doc"), v.FieldByIndex(f.Index), depth)
	}
}

// field prints one key; a field that is not used, as a comment.
func (p *printer) field(name, doc string, v reflect.Value, depth int) {
	if text, ok := scalarOf(v); ok {
		p.line(depth, "%-30s # %s", name+": "+text, doc)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			p.unused(name, doc, v.Type(), depth, 0)
			return
		}
		p.field(name, doc, v.Elem(), depth)
	case reflect.Slice:
		p.list(name, doc, v, depth)
	default:
		if v.NumField() == 0 {
			p.line(depth, "%-30s # %s", name+": {}", doc)
			return
		}
		p.line(depth, "%-30s # %s", name+":", doc)
		p.fields(v, depth+1)
	}
}

func (p *printer) list(name, doc string, v reflect.Value, depth int) {
	if v.Len() == 0 {
		p.line(depth, "%-30s # %s", name+": []", doc)
		p.below(v.Type(), depth, 1)
		return
	}
	if v.Type().Elem().Kind() == reflect.Int {
		p.line(depth, "%-30s # %s", name+": ["+strings.Join(strings.Fields(strings.Trim(fmt.Sprint(v), "[]")), ", ")+"]", doc)
		return
	}
	p.line(depth, "%-30s # %s", name+":", doc)
	for i := range v.Len() {
		if text, ok := scalarOf(v.Index(i)); ok {
			p.line(depth+1, "- %s", text)
			continue
		}
		p.line(depth+1, "- %s", flowValue(v.Index(i)))
	}
}

// unused shows, as comments, a key that is not used and the keys below it.
func (p *printer) unused(name, doc string, t reflect.Type, depth, below int) {
	p.line(depth, "%-30s # %s", "# "+strings.Repeat("  ", below)+name+":", doc)
	p.below(t, depth, below+1)
}

// below shows the keys of a type, if it is a mapping or a list of mappings.
func (p *printer) below(t reflect.Type, depth, below int) {
	dash := ""
	switch t.Kind() {
	case reflect.Pointer:
		t = t.Elem()
	case reflect.Slice:
		t, dash = t.Elem(), "- "
	default:
	}
	if t.Kind() != reflect.Struct || t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return
	}
	for _, f := range fieldsOf(t) {
		p.unused(dash+nameOf(f), f.Tag.Get("doc"), f.Type, depth, below)
		if dash == "- " {
			dash = "  "
		}
	}
}

// flow prints the fields of a struct that are set or needed, in one line.
func flow(v reflect.Value) string {
	var parts []string
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("need") != "" || !v.Field(i).IsZero() {
			parts = append(parts, nameOf(f)+": "+flowValue(v.Field(i)))
		}
	}
	return strings.Join(parts, ", ")
}

// flowValue prints a value in one line, whatever it holds.
func flowValue(v reflect.Value) string {
	if text, ok := scalarOf(v); ok {
		return flowText(text)
	}
	switch v.Kind() {
	case reflect.Pointer:
		return flowValue(v.Elem())
	case reflect.Slice:
		var items []string
		for i := range v.Len() {
			items = append(items, flowValue(v.Index(i)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		return "{" + flow(v) + "}"
	}
}

// flowText puts a text in quotes that would end early between brackets.
func flowText(text string) string {
	if strings.ContainsAny(text, ",[]{}") && !strings.HasPrefix(text, `"`) {
		return strconv.Quote(text)
	}
	return text
}

// scalarOf returns what stands behind a key in one piece.
func scalarOf(v reflect.Value) (string, bool) {
	if v.Kind() == reflect.Pointer && v.IsNil() {
		return "", false
	}
	switch x := v.Interface().(type) {
	case time.Duration:
		return short(x), true
	case sim.Places:
		if x == sim.Unlimited {
			return "unlimited", true
		}
		return strconv.Itoa(int(x)), true
	case sim.WarmUp:
		if !x.MSER5 {
			return short(x.Fixed), true
		}
		return "mser5", true
	case encoding.TextMarshaler:
		text, err := x.MarshalText()
		return quoted(string(text)), err == nil
	}
	switch v.Kind() {
	case reflect.Struct, reflect.Slice, reflect.Pointer:
		return "", false
	case reflect.String:
		return quoted(v.String()), true
	case reflect.Float64:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64), true // not all readers of YAML take 1e-05 for a number
	default:
		return fmt.Sprint(v.Interface()), true
	}
}

// quoted puts text in quotes unless it is sure that YAML reads it as it is: as a
// text, and whole.
func quoted(text string) string {
	words := []string{"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"}
	plain := !slices.Contains(words, strings.ToLower(text)) && !strings.HasSuffix(text, " ")
	for i, r := range text {
		plain = plain && (unicode.IsLetter(r) || i > 0 && strings.ContainsRune("0123456789 -_.,+/=<>@()%;", r))
	}
	if plain && text != "" {
		return text
	}
	return strconv.Quote(text)
}

// short prints a duration without trailing zero units.
func short(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	return strings.Replace(text, "h0m", "h", 1)
}
