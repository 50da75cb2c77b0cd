package charts

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stagger-sim/stagger/reports"
	"github.com/stagger-sim/stagger/sim"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func result(t *testing.T, name string) *sim.Result {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := reports.ReadJSON(data)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestChartsAreAsBefore compares with the pictures that the README shows.
func TestChartsAreAsBefore(t *testing.T) {
	charts := All(result(t, "herd"))
	for _, chart := range All(result(t, "outage")) {
		if chart.Name == "timeline" {
			charts = append(charts, chart)
		}
	}
	if len(charts) != 5 {
		t.Fatalf("%d charts, want 5", len(charts))
	}
	for _, chart := range charts {
		var out bytes.Buffer
		if err := chart.Write(&out, "svg"); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", chart.Name+".svg")
		if *update {
			if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) {
			t.Errorf("%s differs; look at it, and make golden rewrites it", path)
		}
	}
}

func TestEveryResultCanBeDrawnInEveryFormat(t *testing.T) {
	for _, name := range []string{"herd", "small", "stream", "single", "outage", "chain"} {
		for _, chart := range All(result(t, name)) {
			for _, format := range Formats() {
				var out bytes.Buffer
				if err := chart.Write(&out, format); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if out.Len() < 1000 {
					t.Errorf("%s: %s.%s has %d bytes", name, chart.Name, format, out.Len())
				}
			}
		}
	}
}

// TestCapacityIsDrawnOfALoneServer: what a chain can do hangs on every layer, and
// one dashed line would be a guess.
func TestCapacityIsDrawnOfALoneServer(t *testing.T) {
	r := result(t, "chain")
	if got := capacityPerWindow(r, 0.1); got != 0 {
		t.Errorf("a chain can do %g in 100 ms, want nothing said", got)
	}
	r.Scenario.Behind = nil
	if got := capacityPerWindow(r, 0.1); got != 800 {
		t.Errorf("40 workers that need 5 ms can do %g in 100 ms, want 800", got)
	}
}

func TestPNGIsLargeEnoughForASlide(t *testing.T) {
	var out bytes.Buffer
	if err := All(result(t, "small"))[0].Write(&out, "png"); err != nil {
		t.Fatal(err)
	}
	config, err := png.DecodeConfig(&out)
	if err != nil {
		t.Fatal(err)
	}
	if config.Width < 1600 || config.Height < 900 {
		t.Errorf("%d × %d pixels", config.Width, config.Height)
	}
}

func TestNoTwoPoliciesLookAlike(t *testing.T) {
	looks := styles(result(t, "herd"))
	seen := map[string]string{}
	for policy, s := range looks {
		key := string([]byte{s.color.R, s.color.G, s.color.B})
		if other, ok := seen[key]; ok {
			t.Errorf("%s and %s have the same colour", policy, other)
		}
		seen[key] = policy
	}
}
