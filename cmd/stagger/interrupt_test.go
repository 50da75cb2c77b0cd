package main

import (
	"bytes"
	"context"
	"os"
	"testing"
)

func TestInterruptedRunLeavesNoFile(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var out, errs bytes.Buffer
	// A run so long that it can only end by the interruption.
	args := []string{"run", "herd", "--replications", "1000000", "-o", dir}
	if code := run(ctx, nil, &out, &errs, args); code != exitInterrupted {
		t.Errorf("exit %d, want %d: %s", code, exitInterrupted, errs.String())
	}
	if out.Len() > 0 || errs.String() != "stagger: interrupted\n" {
		t.Errorf("printed %q and %q", out.String(), errs.String())
	}
	files, err := os.ReadDir(dir)
	if err != nil || len(files) > 0 {
		t.Errorf("left %v (%v)", files, err)
	}
}
