//go:build reference

package sim

import "testing"

func TestReferenceHerd(t *testing.T) {
	compareHerd(t, append(herdCases(), immediateHerd()), 100)
}
