package scenario

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// reread prints a scenario and parses what was printed.
func reread(t interface {
	Helper()
	Fatal(...any)
}, s sim.Scenario) sim.Scenario {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, s, "a test"); err != nil {
		t.Fatal(err)
	}
	again, err := ParseWith("printed.yaml", out.Bytes(), func(name string) (io.ReadCloser, error) {
		if name != s.Load.Trace.File {
			t.Fatal("another trace is opened: ", name)
		}
		return io.NopCloser(strings.NewReader("0\n")), nil
	})
	if err != nil {
		t.Fatal(err.Error() + "\n" + out.String())
	}
	return again
}

func TestPrintedBuiltInIsTheSameScenario(t *testing.T) {
	for _, b := range BuiltIns() {
		if diff := cmp.Diff(asJSON(t, b.Scenario), asJSON(t, reread(t, b.Scenario))); diff != "" {
			t.Errorf("%s: %s", b.Name, diff)
		}
	}
}

func TestPrintedScenarioIsTheSameScenario(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyScenario(t)
		if err := s.Validate(); err != nil {
			t.Fatal("the generator is wrong: ", err)
		}
		if diff := cmp.Diff(asJSON(t, s), asJSON(t, reread(t, s))); diff != "" {
			t.Error(diff)
		}
	})
}

// TestPrintedFileTeachesEveryKey looks for each key of the format in the file of
// a scenario that uses few of them.
func TestPrintedFileTeachesEveryKey(t *testing.T) {
	var out bytes.Buffer
	if err := Write(&out, builtIn("herd").Scenario, builtIn("herd").About); err != nil {
		t.Fatal(err)
	}
	for _, key := range everyKey(t) {
		if !strings.Contains(out.String(), key+":") {
			t.Errorf("the file does not have %s", key)
		}
	}
	if text := out.String(); !strings.HasPrefix(text, "# yaml-language-server: $schema="+SchemaFile+"\n") ||
		!strings.Contains(text, "# A thundering herd.") || strings.Contains(text, " \n") {
		t.Error(text)
	}
}

// anyScenario draws a valid scenario out of everything that the format has.
func anyScenario(t *rapid.T) sim.Scenario {
	s := sim.Scenario{
		Name:         rapid.OneOf(rapid.SampledFrom(oddTexts), rapid.String()).Filter(func(s string) bool { return s != "" }).Draw(t, "name"),
		Title:        rapid.OneOf(rapid.SampledFrom(oddTexts), rapid.String()).Draw(t, "title"),
		Load:         anyLoad(t),
		Network:      sim.Network{Leg: anyDistribution().Draw(t, "leg")},
		Server:       anyServer(t),
		Client:       sim.Client{Creates: rapid.Bool().Draw(t, "creates")},
		Policies:     rapid.SliceOfNDistinct(anyPolicy(), 1, 5, strategies.Policy.String).Draw(t, "policies"),
		Clients:      rapid.SliceOfNDistinct(rapid.IntRange(1, 100_000_000), 1, 5, rapid.ID).Draw(t, "clients"),
		Replications: rapid.IntRange(1, 1_000_000).Draw(t, "replications"),
		Seed:         rapid.Uint64().Draw(t, "seed"),
		Stop:         24 * time.Hour,
	}
	if s.Server.Capacity != nil && rapid.Bool().Draw(t, "has layers") {
		s.Behind = anyLayers(t)
	}
	s.Client.Creates = s.Client.Creates && s.Server.Capacity != nil && s.Behind == nil
	if s.Server.Capacity != nil && rapid.Bool().Draw(t, "has faults") {
		s.Faults = rapid.SliceOfN(anyFault(), 1, 5).Draw(t, "faults")
		for i, l := range s.Behind {
			s.Faults[i%len(s.Faults)].Layer = l.Name
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "expectations") {
		s.Expect = append(s.Expect, anyExpectation(t, s))
	}
	return s
}

// oddTexts are texts that YAML reads as something else when they stand bare.
var oddTexts = []string{
	"", " ", "null", "~", "true", "Yes", "off", "5", "1e3", "0x1F", ".inf", "NaN", "-", "- a", "? a", ": a", "a: b", "a #b", "# a", "---", "...",
	"[a]", "{a: b}", "a, b", "&a", "*a", "!a", "!!str", "|", ">", "'a'", `"a"`, `\`, "%a", "@a", "`a`", "<<", "=", "a\nb", "a\n", "\ta", "a\r\nb",
	"größe µ", "日本", "\u2028", "\ufeff", "\x01", "\x7f", "a ", " a", "2001-01-01", "12:30", "1_000", "+1", "a:", ":", "y", "é",
}

func anyDuration(least, most time.Duration) *rapid.Generator[time.Duration] {
	nice := []time.Duration{time.Nanosecond, 1500 * time.Microsecond, time.Second, 90 * time.Second, time.Hour, time.Hour + 5*time.Second}
	nice = slices.DeleteFunc(nice, func(d time.Duration) bool { return d < least || d > most })
	drawn := rapid.Map(rapid.Int64Range(int64(least), int64(most)), func(n int64) time.Duration { return time.Duration(n) })
	if len(nice) == 0 {
		return drawn
	}
	return rapid.OneOf(rapid.SampledFrom(nice), drawn)
}

// upTo draws a duration from 0.
func upTo(most time.Duration) *rapid.Generator[time.Duration] { return anyDuration(0, most) }

func anyDistribution() *rapid.Generator[sim.Distribution] {
	return rapid.Custom(func(t *rapid.T) sim.Distribution {
		first := upTo(time.Hour).Draw(t, "first")
		switch rapid.IntRange(0, 7).Draw(t, "shape") {
		case 0:
			return sim.Constant(first)
		case 1:
			return sim.Uniform(first, first+upTo(time.Hour).Draw(t, "more"))
		case 2:
			return sim.Exponential(first)
		case 3:
			return sim.Normal(first, upTo(time.Hour).Draw(t, "sd"))
		case 4:
			return sim.Lognormal(first, rapid.Float64Range(0, 20).Draw(t, "sigma"))
		case 5:
			return sim.Pareto(first, rapid.Float64Range(0.001, 1e6).Draw(t, "alpha"))
		case 6:
			return sim.Erlang(first, rapid.IntRange(1, 1000).Draw(t, "k"))
		default:
			return sim.Hyperexponential(first, rapid.Float64Range(1, 1e6).Draw(t, "cv2"))
		}
	})
}

func anyWarmUp(t *rapid.T) sim.WarmUp {
	if rapid.Bool().Draw(t, "mser5") {
		return sim.WarmUp{MSER5: true}
	}
	return sim.WarmUp{Fixed: upTo(time.Hour).Draw(t, "warm-up")}
}

func anyLoad(t *rapid.T) sim.Load {
	switch rapid.IntRange(0, 4).Draw(t, "load") {
	case 0:
		return sim.Load{Herd: &sim.Herd{Spread: upTo(time.Hour).Draw(t, "spread")}}
	case 1:
		return sim.Load{Closed: &sim.Closed{Think: anyDistribution().Draw(t, "think"), WarmUp: anyWarmUp(t)}}
	case 2:
		every := anyDuration(1, time.Hour).Draw(t, "every")
		return sim.Load{Periodic: &sim.Periodic{Every: every, Splay: upTo(every).Draw(t, "splay"), WarmUp: anyWarmUp(t)}}
	case 3:
		file := rapid.OneOf(rapid.SampledFrom(oddTexts), rapid.String()).Filter(func(s string) bool { return s != "" }).Draw(t, "file")
		return sim.Load{Trace: &sim.Trace{File: file, WarmUp: anyWarmUp(t), Arrivals: make([]sim.Arrival, 1)}}
	}
	stream := &sim.Stream{Rate: rapid.Float64Range(1e-9, 1e9).Draw(t, "rate"), WarmUp: anyWarmUp(t), Even: rapid.Bool().Draw(t, "even")}
	at := upTo(time.Hour).Draw(t, "at")
	for range rapid.IntRange(0, 4).Draw(t, "points") {
		stream.Profile = append(stream.Profile, sim.RatePoint{
			At: at, Factor: rapid.OneOf(rapid.Just(0.5), rapid.Float64Range(1e-3, 1e6)).Draw(t, "factor"), Ramp: rapid.Bool().Draw(t, "ramp"),
		})
		at += anyDuration(1, time.Hour).Draw(t, "later")
	}
	if rapid.Bool().Draw(t, "has sine") {
		stream.Sine = &sim.Sine{Period: anyDuration(1, time.Hour).Draw(t, "period"), Amplitude: rapid.Float64Range(0, 1).Draw(t, "amplitude")}
	}
	return sim.Load{Stream: stream}
}

func anyServer(t *rapid.T) sim.Server {
	if rapid.IntRange(0, 5).Draw(t, "server") == 0 {
		return sim.Server{Contention: &sim.Contention{}}
	}
	c := &sim.Capacity{
		Workers:       rapid.IntRange(1, 100_000_000).Draw(t, "workers"),
		Service:       anyDistribution().Draw(t, "service"),
		Queue:         sim.Places(rapid.IntRange(-1, 1_000_000).Draw(t, "queue")),
		LastFirst:     rapid.Bool().Draw(t, "last first"),
		DropOlder:     upTo(time.Hour).Draw(t, "drop older"),
		DropAbandoned: rapid.Bool().Draw(t, "drop abandoned"),
		PerConcurrent: upTo(time.Second).Draw(t, "per concurrent"),
		Shed:          upTo(time.Hour).Draw(t, "shed"),
		RefusalCost:   upTo(time.Second).Draw(t, "refusal cost"),
	}
	if rapid.Bool().Draw(t, "limited") {
		c.Limit = &sim.Limit{
			Requests:     rapid.IntRange(1, 1000).Draw(t, "requests"),
			Per:          anyDuration(time.Millisecond, time.Hour).Draw(t, "per"),
			Burst:        rapid.IntRange(0, 1000).Draw(t, "burst"),
			RetryAfter:   anyDuration(1, time.Hour).Draw(t, "retry-after"),
			Slots:        rapid.Bool().Draw(t, "slots"),
			WholeSeconds: rapid.Bool().Draw(t, "whole seconds"),
			BanAfter:     rapid.IntRange(1, 10).Draw(t, "ban after"),
			BanFor:       anyDuration(1, time.Hour).Draw(t, "ban for"),
		}
	}
	return sim.Server{Capacity: c}
}

// anyLayers draws servers behind the first.
func anyLayers(t *rapid.T) []sim.Layer {
	name := rapid.OneOf(rapid.StringMatching("[a-z][a-z0-9_]{0,39}"), rapid.SampledFrom([]string{"null", "true", "on", "y", "e1"})).
		Filter(func(name string) bool { return name != "server" })
	var layers []sim.Layer
	for _, name := range rapid.SliceOfNDistinct(name, 1, 3, rapid.ID).Draw(t, "names") {
		l := sim.Layer{Name: name, Cancel: rapid.Bool().Draw(t, "cancel")}
		for l.Capacity.Workers == 0 {
			if c := anyServer(t).Capacity; c != nil {
				l.Capacity = *c
			}
		}
		if rapid.Bool().Draw(t, "has leg") {
			leg := anyDistribution().Draw(t, "own leg")
			l.Leg = &leg
		}
		if rapid.Bool().Draw(t, "has policy") {
			policy := anyPolicy().Draw(t, "own policy")
			l.Policy = &policy
		}
		layers = append(layers, l)
	}
	return layers
}

func anyFault() *rapid.Generator[sim.Fault] {
	return rapid.Custom(func(t *rapid.T) sim.Fault {
		f := sim.Fault{
			Kind:   rapid.SampledFrom(sim.FaultKinds()).Draw(t, "kind"),
			From:   upTo(time.Hour).Draw(t, "from"),
			For:    anyDuration(1, time.Hour).Draw(t, "for"),
			Spread: upTo(time.Hour).Draw(t, "spread"),
		}
		switch f.Kind {
		case sim.Error:
			f.Status = rapid.IntRange(400, 599).Draw(t, "status")
			f.RetryAfter = upTo(time.Hour).Draw(t, "retry-after")
			f.Processed = rapid.Bool().Draw(t, "processed")
			f.Share = rapid.Float64Range(1e-9, 1).Draw(t, "share")
		case sim.LoseAnswers, sim.Loss:
			f.Share = rapid.Float64Range(1e-9, 1).Draw(t, "share")
		case sim.Slow, sim.Reduced:
			f.Factor = rapid.Float64Range(1e-9, 1e6).Draw(t, "factor")
		default:
		}
		return f
	})
}

// anyPolicy draws a policy in its text form, each term or not.
func anyPolicy() *rapid.Generator[strategies.Policy] {
	terms := [][]string{
		{"immediate", "fixed(1.5s)", "exponential", "equal(base=1us, cap=1h)", "full(factor=1.5)", "decorrelated(base=3ms)"},
		{"", "attempts(5)"},
		{"", "deadline(10s)"},
		{"", "timeout(1m30s)"},
		{"", "retry-after(ignore)", "retry-after(floor, spread=12.5%, cap=1m)", "retry-after(honour, cap=5s)"},
		{"", "rate(0.1/s)", "rate(1000000/s)"},
		{"", "retry(500, timeout)"},
		{"", "final(504, refused)"},
		{"", "unsafe"},
	}
	return rapid.Custom(func(t *rapid.T) strategies.Policy {
		var chosen []string
		for _, choices := range terms {
			if term := rapid.SampledFrom(choices).Draw(t, "term"); term != "" {
				chosen = append(chosen, term)
			}
		}
		p, err := strategies.Parse(strings.Join(chosen, " + "))
		if err != nil {
			t.Fatal(err)
		}
		return p
	})
}

func anyExpectation(t *rapid.T, s sim.Scenario) sim.Expectation {
	text := `"` + rapid.SampledFrom(s.Policies).Draw(t, "policy").String() + `"`
	if rapid.Bool().Draw(t, "at") {
		text += "@" + strconv.Itoa(rapid.SampledFrom(s.Clients).Draw(t, "at clients"))
	}
	bounds := []string{".calls < 5", ".amplification <= 1.1", ".success_ratio >= 99.9%", ".latency_p99_seconds<1m30s", ".given_up == 0"}
	for _, l := range s.Behind {
		bounds = append(bounds, ".amplification_"+l.Name+" <= 3.1")
	}
	text += rapid.SampledFrom(bounds).Draw(t, "bound")
	e, err := sim.ParseExpectation(text)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
