package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDistributionTextRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := anyDistribution(t)
		got, err := ParseDistribution(d.String())
		if err != nil {
			t.Fatal(err)
		}
		if got != d {
			t.Fatalf("%s comes back as %s", d, got)
		}
	})
}

func TestDistributionTexts(t *testing.T) {
	tests := []struct {
		text string
		want Distribution
		back string
	}{
		{"constant(0s)", Distribution{}, "constant(0s)"},
		{"constant(1500us)", Constant(1500 * time.Microsecond), "constant(1.5ms)"},
		{"uniform(10ms, 20ms)", Uniform(10*ms, 20*ms), "uniform(10ms, 20ms)"},
		{"exponential(0.1s)", Exponential(100 * ms), "exponential(100ms)"},
		{"normal(10ms,2ms)", Normal(10*ms, 2*ms), "normal(10ms, 2ms)"},
		{"lognormal(20ms, sigma=0.5)", Lognormal(20*ms, 0.5), "lognormal(20ms, sigma=0.5)"},
		{"pareto(1m, alpha=1.5)", Pareto(time.Minute, 1.5), "pareto(1m0s, alpha=1.5)"},
		{"erlang(100ms, k=2)", Erlang(100*ms, 2), "erlang(100ms, k=2)"},
		{"  hyperexponential( 100ms ,  cv2=4e0)\n", Hyperexponential(100*ms, 4), "hyperexponential(100ms, cv2=4)"},
	}
	for _, test := range tests {
		var got Distribution
		if err := got.UnmarshalText([]byte(test.text)); err != nil {
			t.Error(err)
			continue
		}
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
		if back, err := got.MarshalText(); string(back) != test.back || err != nil {
			t.Errorf("%q comes back as %q, %v; want %q", test.text, back, err, test.back)
		}
	}
}

func TestBadDistributionTexts(t *testing.T) {
	const all = "known: constant, uniform, exponential, normal, lognormal, pareto, erlang, hyperexponential"
	tests := []struct{ text, want string }{
		{"", `unknown shape "" (` + all + `)`},
		{"gamma(10ms)", `unknown shape "gamma" (` + all + `)`},
		{"expnential(10ms)", `unknown shape "expnential" (did you mean "exponential"?)`},
		{"10ms", `unknown shape "10ms" (` + all + `)`},
		{"constant", "write constant(10ms)"},
		{"constant(10ms", "write constant(10ms)"},
		{"constant()", `"" is no duration (write constant(10ms))`},
		{"constant(10)", `"10" is no duration (write constant(10ms))`},
		{"constant(1ms, 2ms)", "write constant(10ms)"},
		{"uniform(10ms)", "write uniform(10ms, 20ms)"},
		{"uniform(10ms, x)", `"x" is no duration (write uniform(10ms, 20ms))`},
		{"normal(10ms, 2ms, 3ms)", "write normal(10ms, 20ms)"},
		{"lognormal(10ms)", "write lognormal(10ms, sigma=2)"},
		{"lognormal(10ms, 0.5)", `"0.5" is no sigma (write lognormal(10ms, sigma=2))`},
		{"lognormal(10ms, mu=0.5)", `"mu=0.5" is no sigma (write lognormal(10ms, sigma=2))`},
		{"pareto(10ms, alpha=NaN)", `"alpha=NaN" is no alpha (write pareto(10ms, alpha=2))`},
		{"pareto(10ms, alpha=Inf)", `"alpha=Inf" is no alpha (write pareto(10ms, alpha=2))`},
		{"erlang(10ms, k=two)", `"k=two" is no k (write erlang(10ms, k=2))`},
		{"erlang(10ms, k=2.5)", "k must be a whole number, got 2.5"},
		{"erlang(10ms, k=0)", "erlang(10ms, k=0): k goes from 1 to 1000"},
		{"uniform(20ms, 10ms)", "uniform(20ms, 10ms): the greatest value is below the least"},
		{"exponential(-1s)", "exponential(-1s): durations go from 0 to 100 years"},
	}
	for _, test := range tests {
		_, err := ParseDistribution(test.text)
		want := fmt.Sprintf("invalid distribution %q: %s", test.text, test.want)
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
		if !errors.Is(err, ErrDistribution) {
			t.Errorf("%v does not wrap ErrDistribution", err)
		}
	}
}

func TestValidateNamesEveryBadParameter(t *testing.T) {
	const year = 365 * 24 * time.Hour
	tests := []struct {
		distribution Distribution
		want         []string
	}{
		{Constant(-1), []string{"constant(-1ns): durations go from 0 to 100 years"}},
		{Exponential(101 * year), []string{"exponential(884760h0m0s): durations go from 0 to 100 years"}},
		{Uniform(ms, -ms), []string{
			"uniform(1ms, -1ms): durations go from 0 to 100 years",
			"uniform(1ms, -1ms): the greatest value is below the least",
		}},
		{Normal(-ms, 101*year), []string{"normal(-1ms, 884760h0m0s): durations go from 0 to 100 years"}},
		{Lognormal(-ms, 21), []string{
			"lognormal(-1ms, sigma=21): durations go from 0 to 100 years",
			"lognormal(-1ms, sigma=21): sigma goes from 0 to 20",
		}},
		{Lognormal(ms, math.NaN()), []string{"lognormal(1ms, sigma=NaN): sigma goes from 0 to 20"}},
		{Pareto(ms, 0), []string{"pareto(1ms, alpha=0): alpha goes from above 0 to 1e6"}},
		{Pareto(ms, math.Inf(1)), []string{"pareto(1ms, alpha=+Inf): alpha goes from above 0 to 1e6"}},
		{Erlang(-ms, 1001), []string{
			"erlang(-1ms, k=1001): durations go from 0 to 100 years",
			"erlang(-1ms, k=1001): k goes from 1 to 1000",
		}},
		{Hyperexponential(ms, 0.9), []string{"hyperexponential(1ms, cv2=0.9): cv2 goes from 1 to 1e6"}},
	}
	for _, test := range tests {
		err := test.distribution.Validate()
		if want := strings.Join(test.want, "\n"); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}
