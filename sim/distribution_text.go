package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// ErrDistribution is wrapped by every error about a distribution's text.
var ErrDistribution = errors.New("invalid distribution")

// notation is how a shape is written: name(first, second) or
// name(first, key=number).
type notation struct {
	name   string
	second bool
	key    string
}

// notations lists the shapes in the order of their constants.
func notations() []notation {
	return []notation{
		shapeConstant:         {name: "constant"},
		shapeUniform:          {name: "uniform", second: true},
		shapeExponential:      {name: "exponential"},
		shapeNormal:           {name: "normal", second: true},
		shapeLognormal:        {name: "lognormal", key: "sigma"},
		shapePareto:           {name: "pareto", key: "alpha"},
		shapeErlang:           {name: "erlang", key: "k"},
		shapeHyperexponential: {name: "hyperexponential", key: "cv2"},
	}
}

// example shows a shape as it is written.
func (n notation) example() string {
	switch {
	case n.second:
		return n.name + "(10ms, 20ms)"
	case n.key != "":
		return n.name + "(10ms, " + n.key + "=2)"
	}
	return n.name + "(10ms)"
}

// Distributions shows each shape of a distribution as it is written.
func Distributions() []string {
	var forms []string
	for _, n := range notations() {
		forms = append(forms, n.example())
	}
	return forms
}

// String returns the text form, such as exponential(100ms), normal(10ms, 2ms)
// or erlang(100ms, k=2).
func (d Distribution) String() string {
	n := notations()[d.shape]
	text := n.name + "(" + d.first.String()
	if n.second {
		text += ", " + d.second.String()
	}
	if n.key != "" {
		text += ", " + n.key + "=" + strconv.FormatFloat(d.number, 'g', -1, 64)
	}
	return text + ")"
}

// MarshalText returns the text form.
func (d Distribution) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the text form.
func (d *Distribution) UnmarshalText(text []byte) error {
	parsed, err := ParseDistribution(string(text))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// ParseDistribution reads the text form of a distribution. The error wraps
// [ErrDistribution].
func ParseDistribution(text string) (Distribution, error) {
	d, err := parseDistribution(text)
	if err == nil {
		err = d.Validate()
	}
	if err != nil {
		return Distribution{}, fmt.Errorf("%w %q: %w", ErrDistribution, text, err)
	}
	return d, nil
}

func parseDistribution(text string) (Distribution, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), "(")
	all := notations()
	shape := slices.IndexFunc(all, func(n notation) bool { return n.name == name })
	if shape < 0 {
		return Distribution{}, unknownShape(name, all)
	}
	n := all[shape]
	inside, closed := strings.CutSuffix(rest, ")")
	fields := strings.Split(inside, ",")
	want := 1
	if n.second || n.key != "" {
		want = 2
	}
	if !closed || len(fields) != want {
		return Distribution{}, fmt.Errorf("write %s", n.example())
	}
	d := Distribution{shape: family(shape)}
	var err error
	if d.first, err = time.ParseDuration(strings.TrimSpace(fields[0])); err != nil {
		return Distribution{}, fmt.Errorf("%q is no duration (write %s)", strings.TrimSpace(fields[0]), n.example())
	}
	if want == 1 {
		return d, nil
	}
	second := strings.TrimSpace(fields[1])
	if n.second {
		if d.second, err = time.ParseDuration(second); err != nil {
			return Distribution{}, fmt.Errorf("%q is no duration (write %s)", second, n.example())
		}
		return d, nil
	}
	value, keyed := strings.CutPrefix(second, n.key+"=")
	d.number, err = strconv.ParseFloat(value, 64)
	if !keyed || err != nil || math.IsNaN(d.number) || math.IsInf(d.number, 0) {
		return Distribution{}, fmt.Errorf("%q is no %s (write %s)", second, n.key, n.example())
	}
	if d.shape == shapeErlang && d.number != math.Trunc(d.number) {
		return Distribution{}, fmt.Errorf("k must be a whole number, got %s", value)
	}
	return d, nil
}

func unknownShape(name string, all []notation) error {
	names := make([]string, len(all))
	for i, n := range all {
		names[i] = n.name
	}
	if near := strategies.Nearest(name, names); near != "" {
		return fmt.Errorf("unknown shape %q (did you mean %q?)", name, near)
	}
	return fmt.Errorf("unknown shape %q (known: %s)", name, strings.Join(names, ", "))
}
