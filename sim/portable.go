package sim

import "math"

// Whatever reaches a Result is computed here or with + − × ÷ √ alone, each
// product rounded by a conversion against fused multiply-add: math.Log and its
// like, and sums in vector registers, give other last bits on other
// processors, and a result must not depend on where it was computed.

// ln returns the natural logarithm of a normal x > 0, to about one unit in the
// last place: x = m·2^e with m near 1, and the series of artanh for ln m.
func ln(x float64) float64 {
	m, e := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	// |s| ≤ 0.1716, so the twelfth term is below 1e-19.
	sum := 1.0 / 23
	for k := 21.0; k >= 1; k -= 2 {
		sum = float64(sum*z) + 1/k
	}
	return float64(float64(e)*math.Ln2) + float64(2*s*sum)
}

// exp returns e^x: e^x = 2^k·e^r with |r| ≤ ln 2 / 2, and the series of e^r.
// Beyond ±700 it is +Inf or 0.
func exp(x float64) float64 {
	if x > 700 {
		return math.Inf(1)
	}
	if x < -700 {
		return 0
	}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	// ln 2 in two parts, the first with few enough bits that k·high is exact.
	const high = 0x1.62e42fp-1
	const low = math.Ln2 - high
	r := x - float64(k*high) - float64(k*low)
	sum := 1.0
	for n := 14.0; n >= 1; n-- {
		sum = 1 + float64(sum*r)/n
	}
	return math.Ldexp(sum, int(k))
}

// pow returns x^y for x > 0.
func pow(x, y float64) float64 { return exp(float64(y * ln(x))) }

// atan returns the arc tangent of x ≥ 0: the angle is halved three times, then
// the series converges fast.
func atan(x float64) float64 {
	if x > 1 {
		return math.Pi/2 - atan(1/x)
	}
	for range 3 {
		x /= 1 + math.Sqrt(1+float64(x*x))
	}
	z := float64(x * x)
	sum := 0.0
	for k := 21.0; k >= 1; k -= 2 {
		sum = 1/k - float64(sum*z)
	}
	return 8 * float64(x*sum)
}

// probit returns the standard normal quantile of p in (0, 1).
//
// Source: M. J. Wichura, "Algorithm AS 241: The Percentage Points of the Normal
// Distribution", Applied Statistics 37 (1988), routine PPND16; relative
// accuracy about 1e-16.
func probit(p float64) float64 {
	q := p - 0.5
	if math.Abs(q) <= 0.425 {
		r := 0.180625 - float64(q*q)
		return float64(q * probitCentre(r))
	}
	r := p
	if q > 0 {
		r = 1 - p
	}
	r = math.Sqrt(-ln(r))
	x := probitTail(r)
	if q < 0 {
		return -x
	}
	return x
}

// probitCentre is AS 241's quotient for |p − ½| ≤ 0.425.
func probitCentre(r float64) float64 {
	return poly(r, 3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3, 1.3731693765509461125e4,
		4.5921953931549871457e4, 6.7265770927008700853e4, 3.3430575583588128105e4, 2.5090809287301226727e3) /
		poly(r, 1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
			2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4, 5.2264952788528545610e3)
}

// probitTail is AS 241's quotient for the tails, r = √(−ln of the tail).
func probitTail(r float64) float64 {
	if r <= 5 {
		r -= 1.6
		return poly(r, 1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
			1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4) /
			poly(r, 1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
				1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9)
	}
	r -= 5
	return poly(r, 6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
		2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7) /
		poly(r, 1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
			7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15)
}

// poly returns the polynomial with these coefficients, the constant term first.
// In pairs, and pairs of pairs, instead of one term after the other: the
// processor computes them side by side.
func poly(x, c0, c1, c2, c3, c4, c5, c6, c7 float64) float64 {
	x2 := float64(x * x)
	low := float64(c1*x) + c0 + float64((float64(c3*x)+c2)*x2)
	high := float64(c5*x) + c4 + float64((float64(c7*x)+c6)*x2)
	return low + float64(high*float64(x2*x2))
}
