package sim

import (
	"testing"
	"unsafe"
)

// The queue moves events by the million, and an operation should not straddle
// two cache lines.
func TestSizesThatSpeedDependsOn(t *testing.T) {
	if n := unsafe.Sizeof(event{}); n != 16 {
		t.Errorf("an event has %d bytes, want 16", n)
	}
	if n := unsafe.Sizeof(operation{}); n != 64 {
		t.Errorf("an operation has %d bytes, want 64", n)
	}
}
