package scenario

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/sim"
)

// printedSchema is the schema as users get it.
func printedSchema(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteSchema(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func compiledSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(printedSchema(t)))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource(SchemaFile, doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile(SchemaFile)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// check holds a file in YAML against the schema, as an editor does.
func check(schema *jsonschema.Schema, text string) error {
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(doc)
}

func TestSchemaAcceptsWhatIsPrinted(t *testing.T) {
	schema := compiledSchema(t)
	for _, b := range BuiltIns() {
		var out bytes.Buffer
		if err := Write(&out, b.Scenario, b.About); err != nil {
			t.Fatal(err)
		}
		if err := check(schema, out.String()); err != nil {
			t.Errorf("%s: %v", b.Name, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := anyScenario(t)
		s.Name, s.Title = "any", "" // what is odd in a text is no matter of a schema
		if s.Load.Trace != nil {
			s.Load.Trace.File = "a.csv"
		}
		var out bytes.Buffer
		if err := Write(&out, s, ""); err != nil {
			t.Fatal(err)
		}
		if err := check(schema, out.String()); err != nil {
			t.Fatalf("%v\n%s", err, out.String())
		}
	})
}

func TestSchemaAcceptsTheLeast(t *testing.T) {
	if err := check(compiledSchema(t), least); err != nil {
		t.Error(err)
	}
}

func TestSchemaRefusesWhatParseRefuses(t *testing.T) {
	schema := compiledSchema(t)
	for name, text := range map[string]string{
		"unknown key":         least + "sed: 1\n",
		"unknown key below":   "load: {herd: {spreadd: 1s}}\n" + rest,
		"key of nothing":      load + "clients: [1]\nserver: {contention: {rows: 1}}\n",
		"missing key":         rest,
		"missing key below":   load + "clients: [1]\nserver: {capacity: {workers: 1, queue: 1}}\n",
		"missing in a list":   least + "faults: [{kind: down, from: 1s}]\n",
		"no choice":           "load: {}\n" + rest,
		"two choices":         "load: {herd: {}, stream: {rate: 1}}\n" + rest,
		"number as text":      least + "seed: '1'\n",
		"text as number":      least + "replications: many\n",
		"fraction":            least + "replications: 1.5\n",
		"no unit":             least + "stop: 60\n",
		"unknown unit":        least + "stop: 2d\n",
		"unknown kind":        least + "faults: [{kind: slo, from: 1s, for: 1s}]\n",
		"no truth":            least + "client: {creates: maybe}\n",
		"no list":             least + "policies: full\n",
		"nothing":             least + "client:\n",
		"neither nor":         strings.Replace(least, "unlimited", "endless", 1),
		"number for a policy": least + "policies: [5]\n",
		"a trace of nothing":  "load: {trace: {}}\n" + rest,
		"arrivals":            "load: {trace: {file: a.csv, arrivals: []}}\n" + rest,
	} {
		if check(schema, text) == nil {
			t.Errorf("%s: the schema accepts\n%s", name, text)
		}
		if problems(t, text) == nil {
			t.Errorf("%s: Parse accepts\n%s", name, text)
		}
	}
}

func TestSchemaKnowsTheDefaults(t *testing.T) {
	var schema struct {
		Properties map[string]struct {
			Default json.RawMessage `json:"default"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(printedSchema(t), &schema); err != nil {
		t.Fatal(err)
	}
	defaults := map[string]json.RawMessage{}
	for name, property := range schema.Properties {
		if property.Default != nil {
			defaults[name] = property.Default
		}
	}
	data, err := json.Marshal(defaults)
	if err != nil {
		t.Fatal(err)
	}
	var got sim.Scenario
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(asJSON(t, Defaults()), asJSON(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestSchemaExplainsEveryKey(t *testing.T) {
	if keys := everyKey(t); len(keys) < 50 || !slices.Contains(keys, "ban_after") {
		t.Errorf("found only %d keys: %v", len(keys), keys)
	}
}

// everyKey lists the keys of the schema, each of which must be explained.
func everyKey(t testing.TB) []string {
	t.Helper()
	type part struct {
		Description string
		Properties  map[string]*part
		Items       *part
	}
	var root part
	if err := json.Unmarshal(printedSchema(t), &root); err != nil {
		t.Fatal(err)
	}
	var keys []string
	var walk func(*part)
	walk = func(p *part) {
		for name, below := range p.Properties {
			if below.Description == "" {
				t.Errorf("%s has no description", name)
			}
			keys = append(keys, name)
			walk(below)
		}
		if p.Items != nil {
			walk(p.Items)
		}
	}
	walk(&root)
	return keys
}
