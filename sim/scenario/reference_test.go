package scenario

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/stagger-sim/stagger/sim"
)

// The reference has a row for every field of every type of a scenario.
func TestReferenceNamesEveryKey(t *testing.T) {
	var out bytes.Buffer
	if err := WriteReference(&out); err != nil {
		t.Fatal(err)
	}
	rows := 0
	var walk func(typ reflect.Type, path string)
	walk = func(typ reflect.Type, path string) {
		for _, f := range fieldsOf(typ) {
			at := join(path, nameOf(f))
			if f.Tag.Get("doc") == "" {
				t.Errorf("%s has no doc", at)
			}
			if !strings.Contains(out.String(), "| `"+at+"` |") {
				t.Errorf("%s is not in the reference", at)
			}
			rows++
			if inner := within(f.Type); inner != nil {
				if f.Type.Kind() == reflect.Slice {
					at += "[]"
				}
				walk(inner, at)
			}
		}
	}
	walk(reflect.TypeFor[sim.Scenario](), "")
	for _, want := range []string{"- `hyperexponential(10ms, cv2=2)`", "- `recovery_seconds`", "- `amplification_NAME`"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s", want)
		}
	}
	if got := strings.Count(out.String(), "\n| `"); got != rows {
		t.Errorf("%d rows, want %d", got, rows)
	}
}
