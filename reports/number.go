package reports

import (
	"math"
	"strconv"
	"strings"

	"github.com/stagger-sim/stagger/sim"
)

// absent stands where there is no figure.
const absent = "–"

// Number prints a figure for people: three significant digits, whole from 100
// on, thousands set apart by commas.
func Number(x float64) string {
	// The exponent after rounding: 9.996 is 10.0, not 9.996 to two places.
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', 2, 64), "e")
	power, err := strconv.Atoi(exponent)
	if err != nil || x == 0 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(x, 'f', min(6, max(0, 2-power)), 64), ".")
	if fraction != "" {
		fraction = "." + fraction
	}
	return Thousands(whole) + fraction
}

// Count prints a number of things: whole if it is, or large.
func Count(x float64) string {
	if x == math.Trunc(x) {
		return Thousands(strconv.FormatFloat(x, 'f', 0, 64))
	}
	return Number(x)
}

// Thousands sets the thousands of a whole number's digits apart by commas.
func Thousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// percent prints a share with two significant digits.
func percent(share float64) string {
	x := share * 100
	switch {
	case x == 0:
		return "0%"
	case x < 0.01:
		return "<0.01%"
	case x < 0.0995:
		return strconv.FormatFloat(x, 'f', 2, 64) + "%"
	case x < 9.95:
		return strconv.FormatFloat(x, 'f', 1, 64) + "%"
	case x > 99 && x < 100:
		// Not all of it, however near.
		return strconv.FormatFloat(min(99.99, math.Floor(x*100)/100), 'f', -1, 64) + "%"
	default:
		return strconv.FormatFloat(x, 'f', 0, 64) + "%"
	}
}

// plusMinus prints half the width of a figure's interval relative to its mean;
// empty where there is none or the figure is exact.
func plusMinus(m *sim.Metric) string {
	if m == nil || m.CI95 == nil || m.Mean == 0 || m.CI95[0] == m.CI95[1] {
		return ""
	}
	return percent((m.CI95[1] - m.CI95[0]) / 2 / math.Abs(m.Mean))
}
