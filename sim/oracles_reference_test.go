//go:build reference

package sim

import (
	"slices"
	"testing"
	"time"
)

func TestReferenceOracles(t *testing.T) {
	consult(t, slices.Concat(oracles(), costlyOracles()), 4)
}

// costlyOracles need long to come close even for a quick test.
func costlyOracles() []oracle {
	return []oracle{
		erlangC(100, 90, .216940, .021694, .10, 90*time.Minute),
		erlangC(100, 95, .506457, .101291, .10, 80*time.Minute),
		orbit("M/M/1", 1, markov(), .8, 10, 3.52, 0, .05, 14*time.Hour),
		orbit("M/H2/1 cv2=4", 1, Hyperexponential(time.Second, 4), .8, 1, 11.2, 0, .05, 20*time.Hour),
	}
}

func TestReferenceBatchOracle(t *testing.T) { consultBatch(t, 4000, .004) }

func TestReferenceMaximumOracle(t *testing.T) { consultMaximum(t, 20_000, .02) }
