package sim

import "math"

// studentTails returns the probability that |T| exceeds |t| for Student's t with
// so many degrees of freedom.
//
// Source: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions",
// 26.7.3 (odd) and 26.7.4 (even): finite series for whole degrees of freedom.
func studentTails(t float64, freedom int) float64 {
	t = math.Abs(t)
	if t > 1e100 {
		return 0
	}
	n := float64(freedom)
	hypotenuse := math.Sqrt(n + float64(t*t))
	sin, cos := t/hypotenuse, math.Sqrt(n)/hypotenuse
	if freedom%2 == 0 {
		return max(0, 1-float64(sin*cosineSeries(cos, 1, freedom)))
	}
	angle := atan(t / math.Sqrt(n))
	if freedom > 1 {
		angle += float64(float64(sin*cos) * cosineSeries(cos, 2, freedom))
	}
	return max(0, 1-angle*2/math.Pi)
}

// cosineSeries returns 1 + f/(f+1)·cos² + f(f+2)/((f+1)(f+3))·cos⁴ + …, with f
// from first in steps of 2 while below freedom.
func cosineSeries(cos float64, first, freedom int) float64 {
	square := float64(cos * cos)
	sum, term := 1.0, 1.0
	for f := first; f+1 < freedom; f += 2 {
		term = float64(term * square * float64(f) / float64(f+1))
		sum += term
	}
	return sum
}

// studentQuantile returns the t that |T| exceeds with this probability.
func studentQuantile(tails float64, freedom int) float64 {
	low, high := 0.0, 1.0
	for studentTails(high, freedom) > tails {
		high *= 2
	}
	for range 60 {
		middle := (low + high) / 2
		if studentTails(middle, freedom) > tails {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
