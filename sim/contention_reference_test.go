//go:build reference

package sim

import (
	"math"
	"testing"
)

// whole goes through all reference figures, with so many times their
// replications that most of the doubt is theirs.
func whole(times int) effort {
	return effort{clients: math.MaxInt, replications: func(n int) int { return times * n }}
}

func TestReferenceContention(t *testing.T) { compareContention(t, whole(3)) }

func TestReferenceContentionVariants(t *testing.T) { compareContentionVariants(t, whole(10)) }
