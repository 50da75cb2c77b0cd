package sim

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

func TestMoments(t *testing.T) {
	tests := []struct {
		sample   []float64
		mean, sd float64
	}{
		{[]float64{5}, 5, 0},
		{[]float64{1, 3}, 2, math.Sqrt2},
		{[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, math.Sqrt(32. / 7)},
		{[]float64{0.1, 0.1, 0.1}, 0.1, 0}, // exactly, although 0.3 / 3 is not 0.1
		{[]float64{1e15, 1e15 + 2}, 1e15 + 1, math.Sqrt2},
	}
	for _, test := range tests {
		mean, sd := moments(test.sample)
		if mean != test.mean {
			t.Errorf("%v: mean %v, want %v", test.sample, mean, test.mean)
		}
		near(t, "sd", sd, test.sd, 1e-15)
	}
}

func TestMomentsAgreeWithGonum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sample := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 50).Draw(t, "sample")
		mean, sd := moments(sample)
		wantMean, wantSD := stat.MeanStdDev(sample, nil)
		if !(math.Abs(mean-wantMean) <= 1e-8 && math.Abs(sd-wantSD) <= 1e-8) {
			t.Fatalf("got %v ± %v, want %v ± %v", mean, sd, wantMean, wantSD)
		}
	})
}

// The least value that a share q does not exceed: of 100 values the 99th, not
// the greatest.
func TestRankOf(t *testing.T) {
	tests := []struct {
		q       float64
		n, want int
	}{
		{0, 5, 0}, {1, 5, 4},
		{0.5, 1, 0}, {0.5, 2, 0}, {0.5, 3, 1}, {0.5, 4, 1},
		{0.1, 9, 0}, {0.1, 10, 0}, {0.1, 11, 1},
		{0.9, 10, 8}, {0.9, 11, 9},
		{0.99, 1, 0}, {0.99, 99, 98}, {0.99, 100, 98}, {0.99, 101, 99}, {0.99, 200, 197},
	}
	for _, test := range tests {
		if got := rankOf(test.q, test.n); got != test.want {
			t.Errorf("rankOf(%v, %d) = %d, want %d", test.q, test.n, got, test.want)
		}
	}
}

// The product q·n is rounded, which must not push it over a whole number.
func TestRankOfIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.SampledFrom([]int{10, 50, 90, 99}).Draw(t, "percent")
		n := rapid.IntRange(1, 100_000_000).Draw(t, "n")
		want := (percent*n+99)/100 - 1
		if got := rankOf(float64(percent)/100, n); got != want {
			t.Fatalf("got %d, want %d", got, want)
		}
	})
}

func TestSummarise(t *testing.T) {
	m := summarise([]float64{4, 1, 3, 2, 10})
	if m.Mean != 4 || m.P10 != 1 || m.P50 != 3 || m.P90 != 10 {
		t.Errorf("got %+v, want mean 4, quantiles 1, 3 and 10", *m)
	}
	sd := math.Sqrt(12.5)
	near(t, "sd", *m.SD, sd, 1e-15)
	half := 2.7764451051977987 * sd / math.Sqrt(5) // t for 4 degrees of freedom
	near(t, "low end", m.CI95[0], 4-half, 1e-12)
	near(t, "high end", m.CI95[1], 4+half, 1e-12)
}

func TestSummariseLeavesTheSampleInOrder(t *testing.T) {
	sample := []float64{3, 1, 2}
	summarise(sample)
	if !slices.Equal(sample, []float64{3, 1, 2}) {
		t.Errorf("the sample is now %v", sample)
	}
}

// One replication says nothing of the spread between replications.
func TestOneValueHasNoSpread(t *testing.T) {
	m := summarise([]float64{7})
	if m.SD != nil || m.CI95 != nil {
		t.Errorf("sd %v, ci95 %v, want neither", m.SD, m.CI95)
	}
	if m.Mean != 7 || m.P10 != 7 || m.P50 != 7 || m.P90 != 7 {
		t.Errorf("got %+v, want 7 everywhere", *m)
	}
}

func TestCorrelation(t *testing.T) {
	tests := []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 20, 30}, 1},
		{[]float64{1, 2, 3}, []float64{-0.1, -0.2, -0.3}, -1},
		{[]float64{1, 2, 3, 4}, []float64{1, -1, -1, 1}, 0},
		{[]float64{1, 2, 3, 4, 5}, []float64{2, 1, 4, 3, 5}, 0.8},
	}
	for _, test := range tests {
		got, ok := correlation(test.a, test.b)
		if !ok || !(math.Abs(got-test.want) <= 1e-15) || math.Abs(got) > 1 {
			t.Errorf("%v and %v: got %v, %v; want %v", test.a, test.b, got, ok, test.want)
		}
	}
	for _, constant := range [][2][]float64{{{1, 1, 1}, {1, 2, 3}}, {{1, 2, 3}, {1, 1, 1}}} {
		if r, ok := correlation(constant[0], constant[1]); ok {
			t.Errorf("%v: got %v, want none", constant, r)
		}
	}
}

func TestHolm(t *testing.T) {
	tests := []struct{ p, want []float64 }{
		{[]float64{0.03}, []float64{0.03}},
		// 0.01·4, 0.02·3, 0.03·2 and 0.04·1, none below the one before.
		{[]float64{0.01, 0.02, 0.03, 0.04}, []float64{0.04, 0.06, 0.06, 0.06}},
		{[]float64{0.04, 0.01, 0.03, 0.02}, []float64{0.06, 0.04, 0.06, 0.06}},
		// 0.005·4, 0.01·3, 0.03·2 and 0.04·1, in other places.
		{[]float64{0.01, 0.04, 0.03, 0.005}, []float64{0.03, 0.06, 0.06, 0.02}},
		{[]float64{0.5, 0.9, 0}, []float64{1, 1, 0}},
	}
	for _, test := range tests {
		got := holm(slices.Clone(test.p))
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }) {
			t.Errorf("%v: got %v, want %v", test.p, got, test.want)
		}
	}
}

// Adjusting keeps the order, never lowers a p and keeps it a probability.
func TestHolmNeverLowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 1, 20).Draw(t, "p")
		adjusted := holm(p)
		for i := range p {
			if adjusted[i] < p[i] || adjusted[i] > 1 {
				t.Fatalf("%v becomes %v", p[i], adjusted[i])
			}
			for j := range p {
				if p[i] < p[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("%v and %v become %v and %v", p[i], p[j], adjusted[i], adjusted[j])
				}
			}
		}
	})
}

func TestWilson(t *testing.T) {
	for _, c := range []struct {
		yes, n    int
		low, high float64
	}{{0, 20, 0, 0.161}, {42, 60, 0.575, 0.801}, {20, 20, 0.839, 1}} {
		got := wilson(float64(c.yes)/float64(c.n), c.n)
		if math.Abs(got[0]-c.low) > 5e-4 || math.Abs(got[1]-c.high) > 5e-4 {
			t.Errorf("%d of %d: %v, want [%v, %v]", c.yes, c.n, *got, c.low, c.high)
		}
	}
}
