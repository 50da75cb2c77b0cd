package charts

import (
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestAnAxisHasAFewLabels(t *testing.T) {
	for _, c := range []struct{ least, greatest float64 }{{0, 1}, {0, 3.3}, {0, 31.2}, {0, 190}, {0, 581121}, {0, 0.02}} {
		if n := len(linearTicks(c.least, c.greatest)); n < 3 || n > 13 {
			t.Errorf("linear %v: %d ticks", c, n)
		}
	}
	for _, c := range []struct{ least, greatest float64 }{{1, 40}, {0.5, 600}, {100, 6e5}, {0.001, 1e6}} {
		if n := len(logTicks(c.least, c.greatest)); n < 3 || n > 13 {
			t.Errorf("logarithmic %v: %d ticks", c, n)
		}
	}
}

func TestLabelsAreMovedApart(t *testing.T) {
	heights := []vg.Length{10, 11, 12, 100}
	spreadApart(heights, 20, 0, 110)
	for i := 1; i < len(heights); i++ {
		if heights[i]-heights[i-1] < 19.5 {
			t.Errorf("too close: %v", heights)
		}
	}
	if heights[0] < 0 || heights[3] > 110 {
		t.Errorf("out of bounds: %v", heights)
	}
}
