package reports

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stagger-sim/stagger/sim"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// result reads a saved result.
func result(t testing.TB, name string) *sim.Result {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := ReadJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// golden compares with a file of testdata, or rewrites it.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s differs (-want +got; make golden rewrites it):\n%s", name, diff)
	}
}

func TestEveryFormatIsAsBefore(t *testing.T) {
	endings := map[string]string{"text": ".txt", "markdown": ".md", "csv": ".csv", "json": ".json"}
	for _, name := range []string{"herd", "small", "stream", "single", "outage", "chain"} {
		for _, format := range Formats() {
			t.Run(name+"/"+format, func(t *testing.T) {
				var out bytes.Buffer
				if err := Write(&out, result(t, name), format); err != nil {
					t.Fatal(err)
				}
				golden(t, name+endings[format], out.Bytes())
			})
		}
	}
}
