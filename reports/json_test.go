package reports

import (
	"bytes"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadJSONReadsWhatJSONWrites(t *testing.T) {
	r := result(t, "herd")
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	again, err := ReadJSON(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	if err := JSON(&second, again); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(out.String(), second.String()); diff != "" {
		t.Error(diff)
	}
}

func TestReadJSONSaysWhatIsWrong(t *testing.T) {
	data, err := os.ReadFile("testdata/small.json")
	if err != nil {
		t.Fatal(err)
	}
	good := string(data)
	head, _, _ := strings.Cut(good, `"cells"`)
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"blank", " \n\t", "the file is empty"},
		{"no JSON", "\nhello", "line 2: invalid character 'h' looking for beginning of value"},
		{"truncated", good[:len(good)/2], "the file ends too early (was it cut off?)"},
		{"trailing", good + "{}", "invalid character '{' after top-level value"},
		{"foreign", `{"name": "stagger"}`, `schema is "", want "stagger.result/v1"`},
		{"later version", strings.Replace(good, "result/v1", "result/v9", 1), `schema is "stagger.result/v9"`},
		{"wrong type", strings.Replace(good, `"replications": 3`, `"replications": "three"`, 1), "scenario.replications: three is no int"},
		{"bad policy", strings.Replace(good, `"immediate"`, `"immediat"`, 1), `unknown wait "immediat" (did you mean "immediate"?)`},
		{"no cells", `{"schema": "stagger.result/v1"}`, "load: must be one of herd, stream, closed, periodic and trace"},
		{"cells missing", head + `"cells": []}`, "it has 0 cells, and its scenario 4"},
		{"cell of another policy", strings.Replace(good, `"policy": "fixed(1s)"`, `"policy": "fixed(2s)"`, 1), "cell 2 is fixed(2s) at 3 clients"},
		{"no calls", strings.Replace(good, `"calls": {`, `"cals": {`, 1), "cell 1: it has no figure for calls"},
		{"no window", strings.Replace(good, `"window_seconds": 0.1`, `"window_seconds": 0`, 1), "cell 1: it has windows of 0 s"},
		{"an array", "[]", "line 1: it is a JSON array, not an object"},
		{"a figure too large", strings.Replace(good, `"mean": 3,`, `"mean": 1e300,`, 1), "is not a figure that a simulation gives"},
		{"a figure below 0", strings.Replace(good, `"mean": 3,`, `"mean": -3,`, 1), "is not a figure that a simulation gives"},
		{"a figure next to nothing", strings.Replace(good, `"mean": 3,`, `"mean": 5e-324,`, 1), "is not a figure that a simulation gives"},
		{"endless windows", strings.Replace(good, `"window_seconds": 0.1`, `"window_seconds": 1e300`, 1), "cell 1: it has windows of 1e+300 s"},
		{"calls below 0", regexp.MustCompile(`"calls": \[\s*3`).ReplaceAllString(good, `"calls": [-3`), "its calls over time are too many or below 0"},
	} {
		_, err := ReadJSON([]byte(c.text))
		if !errors.Is(err, ErrResult) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want it to say %q", c.name, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: more than one line: %v", c.name, err)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, name := range []string{"small", "chain"} {
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"schema": "stagger.result/v1"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := ReadJSON(data)
		if err != nil {
			return
		}
		for _, format := range Formats() {
			if err := Write(&bytes.Buffer{}, r, format); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
}
