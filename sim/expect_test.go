package sim

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stagger-sim/stagger/strategies"
)

func TestParseExpectation(t *testing.T) {
	for _, test := range []struct {
		text string
		want Expectation
	}{
		{"full.calls < 5", Expectation{policy: "full", metric: "calls", sign: "<", bound: 5}},
		{"full@1000.amplification <= 1.1", Expectation{policy: "full", clients: 1000, metric: "amplification", sign: "<=", bound: 1.1}},
		{"immediate@5000.success_ratio<5%", Expectation{policy: "immediate", clients: 5000, metric: "success_ratio", sign: "<", bound: 0.05}},
		{"  fixed.latency_p99_seconds  >=  1m30s ", Expectation{policy: "fixed", metric: "latency_p99_seconds", sign: ">=", bound: 90}},
		{"fixed.latency_p99_seconds > 0.5", Expectation{policy: "fixed", metric: "latency_p99_seconds", sign: ">", bound: 0.5}},
		{"equal.given_up == 0", Expectation{policy: "equal", metric: "given_up", sign: "==", bound: 0}},
		{"equal.calls > -1e3", Expectation{policy: "equal", metric: "calls", sign: ">", bound: -1000}},
		{`"full(base=500ms, cap=30s) + attempts(4)"@10.calls < 5`,
			Expectation{policy: "full(base=500ms, cap=30s) + attempts(4)", clients: 10, metric: "calls", sign: "<", bound: 5}},
	} {
		got, err := ParseExpectation(test.text)
		test.want.text = strings.TrimSpace(test.text)
		if err != nil || got != test.want {
			t.Errorf("%q: got %+v (%v), want %+v", test.text, got, err, test.want)
		}
		if again, err := ParseExpectation(got.String()); err != nil || again != got {
			t.Errorf("%q does not come back: %+v (%v)", got, again, err)
		}
	}
}

func TestParseExpectationSaysWhatIsWrong(t *testing.T) {
	noForm := " is no expectation; write it like full@1000.amplification <= 1.1"
	for _, test := range []struct{ text, want string }{
		{"", `""` + noForm},
		{"full", `"full"` + noForm},
		{"full.calls", `"full.calls"` + noForm},
		{"full.calls <", `"full.calls <"` + noForm},
		{"full.calls = 5", `"full.calls = 5"` + noForm},
		{"full.calls != 5", `"full.calls != 5"` + noForm},
		{"calls < 5", `"calls < 5"` + noForm},
		{"full calls < 5", `"full calls < 5"` + noForm},
		{"full@many.calls < 5", `"full@many.calls < 5"` + noForm},
		{"full@-1.calls < 5", `"full@-1.calls < 5"` + noForm},
		{"full(cap=1s).calls < 5", `"full(cap=1s).calls < 5"` + noForm},
		{"full.calls < 5 s", `"full.calls < 5 s"` + noForm},
		{"full@0.calls < 5", `"full@0.calls < 5": 0 is no number of clients`},
		{"full@99999999999999999999.calls < 5", `"full@99999999999999999999.calls < 5": 99999999999999999999 is no number of clients`},
		{"full.cals < 5", `"full.cals < 5": unknown metric "cals" (did you mean "calls"?)`},
		{"full.calls < five", `"full.calls < five": "five" is no bound of calls; write 1.1, 5% or, for seconds, 10s`},
		{"full.calls < 5s", `"full.calls < 5s": "5s" is no bound of calls; write 1.1, 5% or, for seconds, 10s`},
		{"full.calls < NaN", `"full.calls < NaN": "NaN" is no bound of calls; write 1.1, 5% or, for seconds, 10s`},
		{"full.calls < inf%", `"full.calls < inf%": "inf%" is no bound of calls; write 1.1, 5% or, for seconds, 10s`},
		{"full.calls < 0x10p0", `"full.calls < 0x10p0": "0x10p0" is no bound of calls; write 1.1, 5% or, for seconds, 10s`},
		{"full.calls < %", `"full.calls < %": "%" is no bound of calls; write 1.1, 5% or, for seconds, 10s`},
	} {
		if _, err := ParseExpectation(test.text); err == nil || err.Error() != test.want {
			t.Errorf("got %v\nwant %s", err, test.want)
		}
	}
	_, err := ParseExpectation("full.happiness < 5")
	if want := `"full.happiness < 5": unknown metric "happiness" (known: calls, completion_seconds, `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s…", err, want)
	}
}

// The whole interval must be on the right side.
func TestExpectationHoldsForAnInterval(t *testing.T) {
	for _, test := range []struct {
		bound                      string
		below, touch, across, over bool // for [3, 4], [3, 5], [4, 6] and [6, 7]
	}{
		{"< 5", true, false, false, false},
		{"<= 5", true, true, false, false},
		{"> 5", false, false, false, true},
		{">= 5", false, false, false, true},
		{"== 5", false, true, true, false},
		{">= 6", false, false, false, true},
	} {
		e, err := ParseExpectation("full.calls " + test.bound)
		if err != nil {
			t.Fatal(err)
		}
		got := []bool{e.holds(3, 4), e.holds(3, 5), e.holds(4, 6), e.holds(6, 7)}
		if diff := cmp.Diff([]bool{test.below, test.touch, test.across, test.over}, got); diff != "" {
			t.Errorf("%s: %s", test.bound, diff)
		}
	}
}

// expecting returns a small scenario with two policies of one wait.
func expecting(t *testing.T, texts ...string) Scenario {
	t.Helper()
	s := Scenario{
		Name:         "small",
		Load:         Load{Herd: &Herd{}},
		Server:       Server{Capacity: &Capacity{Workers: 10, Service: Constant(100 * time.Millisecond), Queue: 10}},
		Clients:      []int{10, 50},
		Replications: 3,
		Seed:         1,
		Stop:         time.Hour,
	}
	for _, text := range []string{"immediate + attempts(1)", "fixed(1s)", "fixed(2s)"} {
		p, err := strategies.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Policies = append(s.Policies, p)
	}
	for _, text := range texts {
		e, err := ParseExpectation(text)
		if err != nil {
			t.Fatal(err)
		}
		s.Expect = append(s.Expect, e)
	}
	return s
}

func TestExpectationThatNobodyCanAnswer(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"full.calls < 5", `no policy is called "full"`},
		{"fixed.calls < 5", `"fixed" can mean fixed(1s) or fixed(2s); write the whole text in quotes`},
		{`"fixed(3s)".calls < 5`, `no policy is called "fixed(3s)"`},
		{"immediate@11.calls < 5", "11 clients are not simulated"},
		{"immediate.goodput_per_second > 5", "goodput_per_second does not apply to this scenario"},
		{"immediate.recovery_seconds < 5s", "recovery_seconds does not apply to this scenario"},
	} {
		err := expecting(t, test.text).Validate()
		if want := "invalid scenario: expect[0]: " + test.text + ": " + test.want; !errors.Is(err, ErrScenario) || err.Error() != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

func TestExpectationsAreCheckedForEachCellTheyMean(t *testing.T) {
	s := expecting(t,
		"immediate.calls <= 50",        // both numbers of clients
		"immediate@50.calls == 50",     // one attempt each
		`"fixed(1s)"@50.calls > 1000`,  // 50 + 30 + 10
		`"fixed(2s)"@10.given_up == 0`, // all find room
	)
	r, err := Run(context.Background(), s, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	type line struct {
		Expectation, Policy string
		Clients             int
		Value               float64
		Met                 bool
	}
	var got []line
	for _, c := range r.Expected {
		got = append(got, line{c.Expectation, c.Policy, c.Clients, *c.Value, c.Met})
	}
	want := []line{
		{"immediate.calls <= 50", "immediate + attempts(1)", 10, 10, true},
		{"immediate.calls <= 50", "immediate + attempts(1)", 50, 50, true},
		{"immediate@50.calls == 50", "immediate + attempts(1)", 50, 50, true},
		{`"fixed(1s)"@50.calls > 1000`, "fixed(1s)", 50, 90, false},
		{`"fixed(2s)"@10.given_up == 0`, "fixed(2s)", 10, 0, true},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestExpectationOfNoValueIsNotMet(t *testing.T) {
	// Nobody waits long enough for the slow server: no operation succeeds.
	s := expecting(t, "immediate@10.latency_p50_seconds < 1h", "immediate@10.latency_p50_seconds > 0")
	s.Server.Capacity.Service = Constant(2 * time.Hour)
	r, err := Run(context.Background(), s, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Expected {
		if c.Value != nil || c.CI95 != nil || c.Met {
			t.Errorf("%+v", c)
		}
	}
	data, err := json.Marshal(r.Expected)
	if err != nil || len(r.Expected) != 2 || !strings.Contains(string(data), `"value":null,"ci95":null,"met":false`) {
		t.Errorf("%s (%v)", data, err)
	}
}

// With a single replication there is no interval, and its value decides.
func TestExpectationOfOneReplication(t *testing.T) {
	s := expecting(t, "immediate@50.calls >= 50")
	s.Replications = 1
	r, err := Run(context.Background(), s, Options{Workers: 1})
	if err != nil || len(r.Expected) != 1 || !r.Expected[0].Met || r.Expected[0].CI95 != nil {
		t.Errorf("%+v (%v)", r, err)
	}
}
