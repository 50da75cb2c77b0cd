package sim

import (
	"math"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

const ms = time.Millisecond

// theory is a distribution and what is known of it, in milliseconds.
type theory struct {
	distribution Distribution
	mean, sd     float64
	cdf          func(float64) float64 // nil: there is no luck in it
}

// everyDistribution is the list that a new shape joins to be held to its theory.
func everyDistribution() []theory {
	return []theory{
		{Constant(0), 0, 0, nil},
		{Constant(7 * ms), 7, 0, nil},
		{Uniform(10*ms, 10*ms), 10, 0, nil},
		known(Uniform(0, 20*ms), distuv.Uniform{Min: 0, Max: 20}),
		known(Uniform(10*ms, 25*ms), distuv.Uniform{Min: 10, Max: 25}),
		known(Exponential(100*ms), distuv.Exponential{Rate: 1. / 100}),
		known(Normal(100*ms, 10*ms), distuv.Normal{Mu: 100, Sigma: 10}), // ten sigma from the fold
		folded(Normal(10*ms, 8*ms), 10, 8),
		folded(Normal(0, 10*ms), 0, 10),
		known(Lognormal(20*ms, 0.5), distuv.LogNormal{Mu: math.Log(20), Sigma: 0.5}),
		{Lognormal(20*ms, 0), 20, 0, nil},
		known(Pareto(10*ms, 5), distuv.Pareto{Xm: 10, Alpha: 5}),
		known(Pareto(10*ms, 20), distuv.Pareto{Xm: 10, Alpha: 20}),
		known(Erlang(100*ms, 1), distuv.Gamma{Alpha: 1, Beta: 1. / 100}),
		known(Erlang(100*ms, 2), distuv.Gamma{Alpha: 2, Beta: 2. / 100}),
		known(Erlang(100*ms, 20), distuv.Gamma{Alpha: 20, Beta: 20. / 100}),
		known(Hyperexponential(100*ms, 1), distuv.Exponential{Rate: 1. / 100}),
		balanced(Hyperexponential(100*ms, 4), 100, 4),
		balanced(Hyperexponential(100*ms, 20), 100, 20),
	}
}

// known takes the theory from gonum.
func known(d Distribution, g interface {
	Mean() float64
	StdDev() float64
	CDF(float64) float64
}) theory {
	return theory{d, g.Mean(), g.StdDev(), g.CDF}
}

// folded is |N(mu, sigma)|.
func folded(d Distribution, mu, sigma float64) theory {
	n := distuv.Normal{Mu: mu, Sigma: sigma}
	mean := sigma*math.Sqrt(2/math.Pi)*math.Exp(-mu*mu/(2*sigma*sigma)) + mu*(1-2*n.CDF(0))
	sd := math.Sqrt(mu*mu + sigma*sigma - mean*mean)
	return theory{d, mean, sd, func(x float64) float64 { return n.CDF(x) - n.CDF(-x) }}
}

// balanced is a fast exponential with probability p or else a slow one, each
// with half of the mean.
func balanced(d Distribution, mean, cv2 float64) theory {
	p := (1 + math.Sqrt((cv2-1)/(cv2+1))) / 2
	fast := distuv.Exponential{Rate: 2 * p / mean}
	slow := distuv.Exponential{Rate: 2 * (1 - p) / mean}
	cdf := func(x float64) float64 { return p*fast.CDF(x) + (1-p)*slow.CDF(x) }
	return theory{d, mean, mean * math.Sqrt(cv2), cdf}
}

func TestSamplesAgreeWithTheory(t *testing.T) {
	const n = 200_000
	for _, want := range everyDistribution() {
		t.Run(want.distribution.String(), func(t *testing.T) {
			sample := samples(want.distribution, n)
			mean, sd := moments(sample)
			if want.cdf == nil {
				if mean != want.mean || sd != 0 {
					t.Errorf("mean %v and sd %v, want exactly %v and 0", mean, sd, want.mean)
				}
				return
			}
			if z := (mean - want.mean) / (want.sd / math.Sqrt(n)); !(math.Abs(z) < unlucky) {
				t.Errorf("mean %v, want %v (z = %.1f)", mean, want.mean, z)
			}
			// The logarithm of a deviation has the variance (kurtosis − 1) / 4n.
			if z := math.Log(sd/want.sd) / math.Sqrt((kurtosis(sample)-1)/(4*n)); !(math.Abs(z) < unlucky) {
				t.Errorf("sd %v, want %v (z = %.1f)", sd, want.sd, z)
			}
			// Beyond 2.2 lies 1 sample in 8000.
			if d := kolmogorovSmirnov(sample, want.cdf); !(d < 2.2) {
				t.Errorf("the distribution is another: Kolmogorov-Smirnov %.2f", d)
			}
		})
	}
}

// samples draws as the engine does, once for each of many operations.
func samples(d Distribution, n int) []float64 {
	replication := replicationKey(1, 0)
	list := make([]float64, n)
	for i := range list {
		list[i] = float64(d.Sample(draw(operationKey(replication, uint64(i)), drawService, 1))) / float64(ms)
	}
	return list
}

// kolmogorovSmirnov returns √n times the largest distance between a sample's
// distribution and the theory.
func kolmogorovSmirnov(sample []float64, cdf func(float64) float64) float64 {
	slices.Sort(sample)
	n := float64(len(sample))
	distance := 0.0
	for i, x := range sample {
		p := cdf(x)
		distance = max(distance, math.Abs(p-float64(i)/n), math.Abs(float64(i+1)/n-p))
	}
	return distance * math.Sqrt(n)
}

// A shape that the text form knows but the battery does not would be untested.
func TestEveryShapeIsHeldToTheory(t *testing.T) {
	for shape, n := range notations() {
		held := func(t theory) bool { return t.distribution.shape == family(shape) }
		if !slices.ContainsFunc(everyDistribution(), held) {
			t.Errorf("everyDistribution lacks %s", n.name)
		}
	}
}

func TestMeanAgreesWithTheory(t *testing.T) {
	for _, want := range everyDistribution() {
		// Mean neglects the folding of a normal, which is documented.
		if d := want.distribution; d.shape != shapeNormal || d.first >= 10*d.second {
			near(t, "mean of "+d.String(), d.Mean()/float64(ms), want.mean, 1e-12)
		}
	}
	for _, alpha := range []float64{0.5, 1} {
		if got := Pareto(ms, alpha).Mean(); !math.IsInf(got, 1) {
			t.Errorf("mean of a Pareto with alpha %v: got %v, want +Inf", alpha, got)
		}
	}
}

// anyDistribution draws a valid one, often with parameters at their bounds.
func anyDistribution(t *rapid.T) Distribution {
	duration := rapid.OneOf(
		rapid.SampledFrom([]time.Duration{0, 1, longest - 1, longest}),
		rapid.Map(rapid.Int64Range(0, int64(longest)), func(n int64) time.Duration { return time.Duration(n) }),
	)
	number := func(least, most float64) float64 {
		return rapid.OneOf(rapid.SampledFrom([]float64{least, most}), rapid.Float64Range(least, most)).Draw(t, "number")
	}
	first := duration.Draw(t, "first")
	switch shape := rapid.SampledFrom(notations()).Draw(t, "shape").name; shape {
	case "constant":
		return Constant(first)
	case "uniform":
		second := duration.Draw(t, "second")
		return Uniform(min(first, second), max(first, second))
	case "exponential":
		return Exponential(first)
	case "normal":
		return Normal(first, duration.Draw(t, "second"))
	case "lognormal":
		return Lognormal(first, number(0, 20))
	case "pareto":
		return Pareto(first, number(math.SmallestNonzeroFloat64, 1e6))
	case "erlang":
		return Erlang(first, rapid.IntRange(1, 1000).Draw(t, "k"))
	case "hyperexponential":
		return Hyperexponential(first, number(1, 1e6))
	default:
		t.Fatalf("how to draw a distribution of shape %s?", shape)
		return Distribution{}
	}
}

// No luck is so extreme that a duration is negative or overflows.
func TestSamplesAreDurations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDistribution(t)
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		bits := rapid.OneOf(rapid.SampledFrom([]uint64{0, 1, math.MaxUint64 - 1, math.MaxUint64}), rapid.Uint64()).Draw(t, "bits")
		got := d.Sample(bits)
		if got < 0 || got > longest {
			t.Fatalf("%s: bits %#x give %v", d, bits, got)
		}
		if (d.shape == shapeUniform || d.shape == shapePareto) && got < d.first {
			t.Fatalf("%s: bits %#x give %v, below the least", d, bits, got)
		}
		if d.shape == shapeUniform && d.second > d.first && got >= d.second {
			t.Fatalf("%s: bits %#x give %v, not below the greatest", d, bits, got)
		}
	})
}

// What the rarest luck gives: 2^−53 from either end of (0, 1).
func TestExtremeBits(t *testing.T) {
	z := -distuv.UnitNormal.Quantile(0x1p-53)
	tests := []struct {
		distribution Distribution
		zeros, ones  float64 // for bits of all zeros and of all ones, in ns
	}{
		{Constant(ms), 1e6, 1e6},
		{Uniform(ms, 2*ms), 1e6, 2e6 - 1},
		{Exponential(ms), 53 * math.Ln2 * 1e6, 0},
		{Normal(0, ms), z * 1e6, z * 1e6},
		{Normal(ms, ms), (z - 1) * 1e6, (z + 1) * 1e6},
		{Lognormal(time.Minute, 1), 60e9 * math.Exp(-z), 60e9 * math.Exp(z)},
		{Pareto(1, 1), 0x1p53, 1},
		{Pareto(0, 0.001), 0, 0},
		// What would pass a hundred years ends there.
		{Exponential(longest), float64(longest), float64(longest) * 0x1p-53},
		{Normal(longest, longest), float64(longest), float64(longest)},
		{Lognormal(time.Minute, 20), 0, float64(longest)},
		{Pareto(ms, 0.001), float64(longest), 1e6},
	}
	for _, test := range tests {
		for bits, want := range map[uint64]float64{0: test.zeros, math.MaxUint64: test.ones} {
			got := float64(test.distribution.Sample(bits))
			if !(math.Abs(got-want) <= 1+1e-6*want) { // a fraction of a nanosecond is lost
				t.Errorf("%s: bits %#x give %.0f ns, want %.0f", test.distribution, bits, got, want)
			}
		}
	}
}
