package main

import (
	"bytes"
	"os"
	"testing"
)

// TestHerdIsTheResultThatReportsAreTestedWith keeps the pictures of the README
// true, and the bytes of the main job the same.
func TestHerdIsTheResultThatReportsAreTestedWith(t *testing.T) {
	want, err := os.ReadFile("../../reports/testdata/herd.json")
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := run(t.Context(), nil, &out, &errs, []string{"run", "herd", "--format", "json"}); code != exitDone {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("stagger run herd --format json no longer gives reports/testdata/herd.json")
	}
}
