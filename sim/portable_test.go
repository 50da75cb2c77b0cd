package sim

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// near fails when got is off by more than a relative error of tolerance.
func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Max(1e-300, math.Abs(want))) {
		t.Errorf("%s = %.17g, want %.17g within %g", what, got, want, tolerance)
	}
}

func TestPortableFunctionsAgreeWithTheStandardLibrary(t *testing.T) {
	for x := 1e-18; x < 1e18; x *= 1.37 {
		if math.Abs(x-1) > 0.01 {
			near(t, "ln", ln(x), math.Log(x), 1e-15)
		}
		near(t, "atan", atan(x), math.Atan(x), 1e-14)
		near(t, "pow", pow(x, 1.7), math.Pow(x, 1.7), 1e-13)
	}
	for x := -30.0; x < 30; x += 0.173 {
		near(t, "exp", exp(x), math.Exp(x), 1e-14)
	}
	near(t, "ln", ln(1+0x1p-40), math.Log1p(0x1p-40), 1e-14)
}

func TestProbitAgreesWithGonum(t *testing.T) {
	for p := 0x1p-53; p < 1; p += math.Min(p, 0.0007) {
		near(t, "probit", probit(p), distuv.UnitNormal.Quantile(p), 1e-13)
	}
}
