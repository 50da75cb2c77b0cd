package sim

import (
	"bytes"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"
)

// A scenario's durations are text with a unit in JSON, as in scenario files, and
// not numbers of nanoseconds. Every type that belongs to a scenario is written
// and read by the two functions below.

// MarshalJSON writes the scenario with its durations as text.
func (s Scenario) MarshalJSON() ([]byte, error) { return json.Marshal(spelled(reflect.ValueOf(s))) }

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Scenario) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return err
	}
	return fill(reflect.ValueOf(s).Elem(), tree, "scenario")
}

// member is one field of a JSON object, in the order of the struct.
type member struct {
	name  string
	value any
}

type object []member

func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&out, "%q:%s", m.name, value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// spelled turns a value into what encoding/json writes the way that is wanted.
func spelled(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Duration:
		return x.String()
	case json.Marshaler, encoding.TextMarshaler:
		if _, isScenario := x.(Scenario); !isScenario {
			return x
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return spelled(v.Elem())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = spelled(v.Index(i))
		}
		return list
	case reflect.Struct:
		o := object{}
		for i := range v.NumField() {
			name, omit := jsonName(v.Type().Field(i))
			if f := v.Field(i); !omit || !f.IsZero() {
				o = append(o, member{name, spelled(f)})
			}
		}
		return o
	default:
		return v.Interface()
	}
}

// jsonName returns a field's name in JSON, and whether its zero value is left
// out.
func jsonName(f reflect.StructField) (name string, omitEmpty bool) {
	name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, rest == "omitempty"
}

// fill sets a value from decoded JSON.
func fill(v reflect.Value, tree any, path string) error {
	if tree == nil {
		return nil
	}
	text, isText := tree.(string)
	if number, ok := tree.(json.Number); ok {
		text, isText = number.String(), v.Type() == reflect.TypeFor[Places]()
	}
	switch x := v.Addr().Interface().(type) {
	case *time.Duration:
		d, err := time.ParseDuration(text)
		if !isText || err != nil {
			return fmt.Errorf("%s: %v is no duration", path, tree)
		}
		*x = d
		return nil
	case encoding.TextUnmarshaler:
		if number, ok := tree.(json.Number); ok {
			text, isText = number.String(), true // such as a queue's places
		}
		if !isText {
			return fmt.Errorf("%s: %v is no text", path, tree)
		}
		if err := x.UnmarshalText([]byte(text)); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return fill(v.Elem(), tree, path)
	case reflect.Slice:
		return fillSlice(v, tree, path)
	case reflect.Struct:
		return fillStruct(v, tree, path)
	default:
		data, err := json.Marshal(tree)
		if err == nil {
			err = json.Unmarshal(data, v.Addr().Interface())
		}
		if err != nil {
			return fmt.Errorf("%s: %v is no %s", path, tree, v.Kind())
		}
		return nil
	}
}

func fillSlice(v reflect.Value, tree any, path string) error {
	items, ok := tree.([]any)
	if !ok {
		return fmt.Errorf("%s: %v is no list", path, tree)
	}
	list := reflect.MakeSlice(v.Type(), len(items), len(items))
	for i, item := range items {
		if err := fill(list.Index(i), item, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	v.Set(list)
	return nil
}

func fillStruct(v reflect.Value, tree any, path string) error {
	members, ok := tree.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %v is no object", path, tree)
	}
	for i := range v.NumField() {
		name, _ := jsonName(v.Type().Field(i))
		if err := fill(v.Field(i), members[name], path+"."+name); err != nil {
			return err
		}
	}
	return nil
}

// MarshalText writes "mser5" or the fixed duration.
func (w WarmUp) MarshalText() ([]byte, error) {
	if w.MSER5 {
		return []byte("mser5"), nil
	}
	return []byte(w.Fixed.String()), nil
}

// UnmarshalText reads "mser5" or a duration.
func (w *WarmUp) UnmarshalText(text []byte) error {
	if string(text) == "mser5" {
		*w = WarmUp{MSER5: true}
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("warm-up %q is neither mser5 nor a duration", text)
	}
	*w = WarmUp{Fixed: d}
	return nil
}
