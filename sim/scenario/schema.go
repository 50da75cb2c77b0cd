package scenario

import (
	"encoding"
	"encoding/json"
	"io"
	"reflect"
	"time"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// schema is a JSON schema, or a part of one.
type schema struct {
	Schema        string             `json:"$schema,omitempty"`
	Title         string             `json:"title,omitempty"`
	Description   string             `json:"description,omitempty"`
	Type          string             `json:"type,omitempty"`
	Enum          []any              `json:"enum,omitempty"`
	AnyOf         []schema           `json:"anyOf,omitempty"`
	Pattern       string             `json:"pattern,omitempty"`
	Items         *schema            `json:"items,omitempty"`
	Properties    map[string]*schema `json:"properties,omitempty"`
	Required      []string           `json:"required,omitempty"`
	Additional    any                `json:"additionalProperties,omitempty"` // false, or a schema
	MinProperties int                `json:"minProperties,omitempty"`
	MaxProperties int                `json:"maxProperties,omitempty"`
	Default       json.RawMessage    `json:"default,omitempty"`
}

// WriteSchema prints the JSON schema of scenario files, by which editors
// complete and check them. It is made from the types and from Defaults, so it
// cannot fall behind.
func WriteSchema(w io.Writer) error {
	data, err := json.Marshal(Defaults())
	if err != nil {
		return err
	}
	var defaults map[string]json.RawMessage
	if err := json.Unmarshal(data, &defaults); err != nil {
		return err
	}
	t := reflect.TypeFor[sim.Scenario]()
	s := schemaOf(t)
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "stagger scenario"
	for i := range t.NumField() {
		if f := t.Field(i); f.Tag.Get("need") == "" && nameOf(f) != "name" { // a file's name is its default
			s.Properties[nameOf(f)].Default = defaults[nameOf(f)]
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(s)
}

const durationPattern = `^([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*$|^0$`

func schemaOf(t reflect.Type) *schema {
	switch t {
	case reflect.TypeFor[time.Duration]():
		return &schema{Type: "string", Pattern: durationPattern}
	case reflect.TypeFor[sim.Places]():
		return &schema{AnyOf: []schema{{Type: "integer"}, {Enum: []any{"unlimited"}}}}
	case reflect.TypeFor[strategies.Policy]():
		named := schema{Type: "object", Additional: &schema{Type: "string"}, MinProperties: 1, MaxProperties: 1}
		return &schema{AnyOf: []schema{{Type: "string"}, named}}
	case reflect.TypeFor[sim.FaultKind]():
		var kinds []any
		for _, k := range sim.FaultKinds() {
			kinds = append(kinds, k)
		}
		return &schema{Enum: kinds}
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return &schema{Type: "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.Slice:
		return &schema{Type: "array", Items: schemaOf(t.Elem())}
	case reflect.Struct:
		return objectOf(t)
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.String:
		return &schema{Type: "string"}
	default:
		return &schema{Type: "integer"}
	}
}

func objectOf(t reflect.Type) *schema {
	s := &schema{Type: "object", Properties: map[string]*schema{}, Additional: false}
	choice := t.NumField() > 0
	for _, f := range fieldsOf(t) {
		property := schemaOf(f.Type)
		property.Description = f.Tag.Get("doc")
		s.Properties[nameOf(f)] = property
		if f.Tag.Get("need") != "" {
			s.Required = append(s.Required, nameOf(f))
		}
		choice = choice && f.Type.Kind() == reflect.Pointer
	}
	if choice { // a struct of pointers is one thing or another
		s.MinProperties, s.MaxProperties = 1, 1
	}
	return s
}
