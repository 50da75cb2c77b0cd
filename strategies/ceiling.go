package strategies

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// Ceiling returns min(limit, base·factor^n), the exponential growth that all
// waits but the constant ones start from; n = 0 is the first retry. It
// saturates at limit instead of overflowing. A factor of 0 means 2; a negative
// n counts as 0.
//
// Source: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog
// (2015), with n from 0 so that the first ceiling is the base.
func Ceiling(base, limit time.Duration, factor float64, n int) time.Duration {
	if factor == 0 || factor == 2 {
		// Asks whether base is within limit/2^n, so that nothing can overflow.
		n = max(n, 0)
		if uint64(base) <= uint64(limit)>>n {
			return base << n
		}
		return limit
	}
	if grown := float64(base) * power(factor, n); grown < float64(limit) {
		return max(base, time.Duration(grown)) // a float64 may round a long base down
	}
	return limit
}

// power returns x^n by repeated squaring. Products only: the result has the
// same bits on every processor, which math.Pow does not promise.
func power(x float64, n int) float64 {
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result *= x
		}
		x *= x
	}
	return result
}

// scale returns u·d for u in [0, 1). Even the greatest draw below 1 rounds to
// less than d.
func scale(u float64, d time.Duration) time.Duration { return time.Duration(u * float64(d)) }

// multiply returns f·d for f ≥ 1, at most the greatest duration there is, and
// never below d, which a float64 may round down.
func multiply(d time.Duration, f float64) time.Duration {
	product := f * float64(d)
	if product >= math.MaxInt64 {
		return math.MaxInt64
	}
	return max(d, time.Duration(product))
}

// validateGrowth names every bad parameter of an exponential wait.
func validateGrowth(base, limit time.Duration, factor float64) error {
	var bad []error
	if base <= 0 {
		bad = append(bad, fmt.Errorf("base must be above 0, got %s", formatDuration(base)))
	}
	if limit < base {
		bad = append(bad, fmt.Errorf("cap must be at least base (%s), got %s",
			formatDuration(base), formatDuration(limit)))
	}
	// Negated, so that NaN is caught too.
	if factor != 0 && !(factor >= 1 && factor <= maxFactor) {
		bad = append(bad, fmt.Errorf("factor must be from 1 to %.0f, got %v", maxFactor, factor))
	}
	return errors.Join(bad...)
}

// maxFactor bounds a factor that somebody can mean.
const maxFactor = 1e6
