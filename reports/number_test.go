package reports

import "testing"

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want string
	}{
		{0, "0"}, {1, "1.00"}, {9.994, "9.99"}, {9.996, "10.0"}, {99.94, "99.9"}, {99.96, "100"},
		{0.5733, "0.573"}, {0.0012345, "0.00123"}, {1e-9, "0.000000"}, {123.4, "123"},
		{1234567, "1,234,567"}, {-1234.5, "-1,234"}, {-0.25, "-0.250"},
	} {
		if got := Number(c.x); got != c.want {
			t.Errorf("Number(%v) = %s, want %s", c.x, got, c.want)
		}
	}
}

func TestCountIsWholeWhereItCanBe(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 5: "5", 5000: "5,000", 37.4: "37.4", 1334.35: "1,334"} {
		if got := Count(x); got != want {
			t.Errorf("Count(%v) = %s, want %s", x, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for x, want := range map[float64]string{0: "0%", 1: "100%", 0.123: "12%", 0.0123: "1.2%", 0.000812: "0.08%", 1e-6: "<0.01%", 0.9951: "99.51%", 0.99999999: "99.99%"} {
		if got := percent(x); got != want {
			t.Errorf("percent(%v) = %s, want %s", x, got, want)
		}
	}
}
