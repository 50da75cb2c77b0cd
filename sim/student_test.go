package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestStudentAgreesWithGonum(t *testing.T) {
	for freedom := 1; freedom <= 200; freedom++ {
		g := distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}
		for x := 0.0; x < 30; x += 0.37 {
			got, want := studentTails(x, freedom), 2*g.CDF(-x)
			if !(math.Abs(got-want) <= 1e-12) {
				t.Errorf("freedom %d: P(|T| > %.2f) = %.17g, want %.17g", freedom, x, got, want)
			}
			if other := studentTails(-x, freedom); got != other {
				t.Errorf("freedom %d: P(|T| > %.2f) = %v, but %v on the other side", freedom, x, got, other)
			}
		}
		for _, tails := range []float64{0.5, 0.1, 0.05, 0.01, 0.001} {
			near(t, "Student's quantile", studentQuantile(tails, freedom), -g.Quantile(tails/2), 1e-9)
		}
	}
}

// What every table of Student's t prints.
func TestStudentQuantileAgreesWithTables(t *testing.T) {
	for freedom, want := range map[int]float64{1: 12.7062, 2: 4.3027, 4: 2.7764, 9: 2.2622, 19: 2.0930, 99: 1.9842, 100_000: 1.9600} {
		if got := studentQuantile(0.05, freedom); !(math.Abs(got-want) <= 5e-5) {
			t.Errorf("freedom %d: got %.5f, want %.4f", freedom, got, want)
		}
	}
}

func TestStudentTailsAtTheEnds(t *testing.T) {
	for _, freedom := range []int{1, 2, 3, 10, 999, 1000} {
		if got := studentTails(0, freedom); got != 1 {
			t.Errorf("freedom %d: P(|T| > 0) = %v, want 1", freedom, got)
		}
		for _, x := range []float64{1e30, 1e200, math.MaxFloat64, math.Inf(1), math.Inf(-1)} {
			if got := studentTails(x, freedom); !(got >= 0 && got < 1e-15) {
				t.Errorf("freedom %d: P(|T| > %g) = %v, want about 0", freedom, x, got)
			}
		}
	}
}
