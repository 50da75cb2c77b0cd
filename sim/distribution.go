package sim

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// family is the kind of a Distribution.
type family uint8

// The shapes, in the order of their constructors.
const (
	shapeConstant family = iota
	shapeUniform
	shapeExponential
	shapeNormal
	shapeLognormal
	shapePareto
	shapeErlang
	shapeHyperexponential
)

// Distribution is a distribution of durations, none negative. It is a plain
// value: compare it, print it, read it back with [ParseDistribution]. The zero
// value is a constant 0.
type Distribution struct {
	shape  family
	first  time.Duration // mean, median or least value
	second time.Duration // greatest value, or standard deviation
	number float64       // sigma, alpha, k or cv²
}

// Constant is always d.
func Constant(d time.Duration) Distribution {
	return Distribution{shape: shapeConstant, first: d}
}

// Uniform is evenly spread over [least, greatest).
func Uniform(least, greatest time.Duration) Distribution {
	return Distribution{shape: shapeUniform, first: least, second: greatest}
}

// Exponential has this mean.
func Exponential(mean time.Duration) Distribution {
	return Distribution{shape: shapeExponential, first: mean}
}

// Normal is |N(mean, sd)|: folded at 0, so that no duration is negative.
func Normal(mean, sd time.Duration) Distribution {
	return Distribution{shape: shapeNormal, first: mean, second: sd}
}

// Lognormal has this median; sigma is the standard deviation of its logarithm.
func Lognormal(median time.Duration, sigma float64) Distribution {
	return Distribution{shape: shapeLognormal, first: median, number: sigma}
}

// Pareto starts at least; P(X > x) = (least/x)^alpha.
func Pareto(least time.Duration, alpha float64) Distribution {
	return Distribution{shape: shapePareto, first: least, number: alpha}
}

// Erlang is the sum of k exponentials, with this mean in all.
func Erlang(mean time.Duration, k int) Distribution {
	return Distribution{shape: shapeErlang, first: mean, number: float64(k)}
}

// Hyperexponential is one of two exponentials by chance, with this mean and
// squared coefficient of variation cv2 ≥ 1; both contribute half of the mean
// (balanced means).
func Hyperexponential(mean time.Duration, cv2 float64) Distribution {
	return Distribution{shape: shapeHyperexponential, first: mean, number: cv2}
}

// longest bounds a sample, so that a heavy tail cannot overflow time.
const longest = 100 * 365 * 24 * time.Hour

// Sample returns the duration that 64 random bits stand for. Shapes that need
// more draws than one derive them from the same bits.
func (d Distribution) Sample(bits uint64) time.Duration {
	switch d.shape {
	case shapeConstant:
		return d.first
	case shapeUniform:
		return d.first + time.Duration(unit(bits)*float64(d.second-d.first))
	case shapeExponential:
		return d.times(-ln(open(bits)))
	case shapeNormal:
		return d.folded(probit(open(bits)))
	case shapeLognormal:
		return d.times(exp(float64(d.number * probit(open(bits)))))
	case shapePareto:
		return max(d.first, d.times(pow(open(bits), -1/d.number))) // a float64 may round a long least value down
	case shapeErlang:
		return d.erlang(bits)
	case shapeHyperexponential:
		return d.hyperexponential(bits)
	}
	panic(fmt.Sprintf("sim: no sampler for shape %d", d.shape))
}

// times returns x·first for x ≥ 0, bounded by longest.
func (d Distribution) times(x float64) time.Duration {
	if product := float64(x * float64(d.first)); product < float64(longest) {
		return time.Duration(product)
	}
	if d.first == 0 { // x is infinite
		return 0
	}
	return longest
}

// folded returns |first + z·second|, bounded by longest.
func (d Distribution) folded(z float64) time.Duration {
	// Bounded before it is a whole number, which could not hold it.
	offset := time.Duration(max(-2*float64(longest), min(float64(longest), float64(z*float64(d.second)))))
	return min(longest, max(d.first+offset, -(d.first+offset)))
}

func (d Distribution) erlang(bits uint64) time.Duration {
	sum := 0.0
	for i := range int(d.number) {
		sum -= ln(open(mix(bits + golden*uint64(i))))
	}
	return d.times(sum / d.number)
}

func (d Distribution) hyperexponential(bits uint64) time.Duration {
	p := d.branch()
	exponential := -ln(open(mix(bits + golden)))
	if unit(bits) < p {
		return d.times(exponential / (2 * p))
	}
	return d.times(exponential / (2 * (1 - p)))
}

// branch returns the probability of the faster exponential under balanced
// means.
func (d Distribution) branch() float64 {
	return (1 + math.Sqrt((d.number-1)/(d.number+1))) / 2
}

// Mean returns the mean; +Inf for a Pareto with alpha ≤ 1. The folding of a
// Normal is neglected.
func (d Distribution) Mean() float64 {
	first := float64(d.first)
	switch d.shape {
	case shapeUniform:
		return (first + float64(d.second)) / 2
	case shapeLognormal:
		return float64(first * exp(float64(d.number*d.number)/2))
	case shapePareto:
		if d.number <= 1 {
			return math.Inf(1)
		}
		return first * d.number / (d.number - 1)
	default:
		return first
	}
}

// Validate names every bad parameter.
func (d Distribution) Validate() error {
	var bad []error
	require := func(ok bool, format string, args ...any) {
		if !ok {
			bad = append(bad, fmt.Errorf(format, args...))
		}
	}
	require(min(d.first, d.second) >= 0 && max(d.first, d.second) <= longest, "%s: durations go from 0 to 100 years", d)
	switch d.shape {
	case shapeUniform:
		require(d.second >= d.first, "%s: the greatest value is below the least", d)
	case shapeLognormal:
		require(d.number >= 0 && d.number <= 20, "%s: sigma goes from 0 to 20", d)
	case shapePareto:
		require(d.number > 0 && d.number <= 1e6, "%s: alpha goes from above 0 to 1e6", d)
	case shapeErlang:
		require(d.number >= 1 && d.number <= 1000, "%s: k goes from 1 to 1000", d)
	case shapeHyperexponential:
		require(d.number >= 1 && d.number <= 1e6, "%s: cv2 goes from 1 to 1e6", d)
	}
	return errors.Join(bad...)
}
