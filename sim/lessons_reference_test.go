//go:build reference

package sim

import (
	"testing"
	"time"
)

func TestReferenceOutage(t *testing.T) {
	consultOutage(t, append(waits(), "immediate"), 10, 10*time.Minute)
}

// Half an hour later it still is not over.
func TestReferenceOutageForHalfAnHour(t *testing.T) {
	s := cellOf(t, "outage", "full(base=500ms, cap=30s)"+impatient, 700, 2)
	s.Stop = 30 * time.Minute
	f := simulate(t, s)
	f.exactly(t, MetricRecovered, 0)
	f.within(t, MetricAmplification, 4, .02)
}
