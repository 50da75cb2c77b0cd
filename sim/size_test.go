package sim

import (
	"testing"
	"unsafe"
)

// The queue moves events by the million, an operation should not straddle two cache
// lines, and in a chain of servers each has a call.
func TestSizesThatSpeedDependsOn(t *testing.T) {
	if n := unsafe.Sizeof(event{}); n != 16 {
		t.Errorf("an event has %d bytes, want 16", n)
	}
	if n := unsafe.Sizeof(operation{}); n != 64 {
		t.Errorf("an operation has %d bytes, want 64", n)
	}
	if n := unsafe.Sizeof(call{}); n != 24 {
		t.Errorf("a call has %d bytes, want 24", n)
	}
}
