package sim

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/strategies"
)

// valid returns a small scenario without fault.
func valid(t *testing.T) Scenario {
	return Scenario{
		Name:         "small",
		Load:         Load{Herd: &Herd{Spread: 10 * ms}},
		Network:      Network{Leg: Exponential(ms)},
		Server:       Server{Capacity: &Capacity{Workers: 2, Service: Exponential(5 * ms), Queue: 3}},
		Policies:     []strategies.Policy{mustParse(t, "fixed(50ms)"), mustParse(t, "full(base=50ms, cap=1s)")},
		Clients:      []int{10, 20},
		Replications: 5,
		Seed:         1,
		Stop:         time.Minute,
	}
}

func TestValidateNamesEveryBadField(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Scenario)
		want  []string
	}{
		{"all missing", func(s *Scenario) { *s = Scenario{} }, []string{
			"load: must be one of herd, stream, closed and periodic",
			"server: must be either contention or capacity",
			"policies: at least one is needed",
			"clients: at least one number is needed",
			"replications: must be from 1 to 1000000, got 0",
			"stop: must be above 0s and at most 10 years, got 0s",
		}},
		{"all wrong", func(s *Scenario) {
			s.Load.Herd.Spread = -time.Second
			s.Load.Stream = &Stream{Rate: math.NaN(), WarmUp: WarmUp{Fixed: -time.Second}}
			s.Network.Leg = Constant(-ms)
			s.Server.Contention = &Contention{}
			s.Server.Capacity = &Capacity{Workers: 0, Queue: -2, Service: Erlang(ms, 0)}
			s.Policies = []strategies.Policy{{}, {Wait: strategies.Immediate{}, Deadline: -1}}
			s.Clients = []int{0, -5}
			s.Replications = 1_000_001
			s.Stop = 11 * 365 * 24 * time.Hour
		}, []string{
			"load: must be one of herd, stream, closed and periodic",
			"load.herd.spread: must not be negative, got -1s",
			"load.stream.rate: must be above 0 and at most 1e9 per second, got NaN",
			"load.stream.warm_up: must not be negative, got -1s",
			"network.leg: constant(-1ms): durations go from 0 to 100 years",
			"server: must be either contention or capacity",
			"server.capacity.workers: must be from 1 to 100000000, got 0",
			"server.capacity.queue: must not be negative, got -2",
			"server.capacity.service: erlang(1ms, k=0): k goes from 1 to 1000",
			"policies[0]: a wait is missing",
			"policies[1]: deadline must be above 0, got -1ns",
			"clients[0]: must be from 1 to 100000000, got 0",
			"clients[1]: must be from 1 to 100000000, got -5",
			"replications: must be from 1 to 1000000, got 1000001",
			"stop: must be above 0s and at most 10 years, got 96360h0m0s",
		}},
		{"twice", func(s *Scenario) {
			// Two ways to write one policy.
			s.Policies = []strategies.Policy{
				{Wait: strategies.Full{Base: time.Second, Cap: time.Minute}},
				{Wait: strategies.Full{Base: time.Second, Cap: time.Minute, Factor: 2}},
			}
			s.Clients = []int{10, 20, 10}
		}, []string{
			"policies[1]: full(base=1s, cap=1m) stands twice",
			"clients[2]: 10 stands twice",
		}},
		{"a herd later than the stop", func(s *Scenario) { s.Load.Herd.Spread, s.Stop = 2*time.Second, time.Second }, []string{
			"load.herd.spread: must not pass the stop (1s), got 2s",
		}},
		{"a warm-up later than the stop", func(s *Scenario) {
			s.Load = Load{Stream: &Stream{Rate: 1e9 + 1, WarmUp: WarmUp{Fixed: time.Minute}}}
		}, []string{
			"load.stream.rate: must be above 0 and at most 1e9 per second, got 1.000000001e+09",
			"load.stream.warm_up: must end before the stop (1m0s), got 1m0s",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := valid(t)
			test.spoil(&s)
			err := s.Validate()
			want := "invalid scenario: " + strings.Join(test.want, "\ninvalid scenario: ")
			if err == nil || err.Error() != want {
				t.Fatalf("got  %v\nwant %s", err, want)
			}
			if !errors.Is(err, ErrScenario) {
				t.Error("the error does not wrap ErrScenario")
			}
			if _, err := Run(t.Context(), s, Options{}); err == nil || err.Error() != want {
				t.Errorf("Run returns %v", err)
			}
		})
	}
}

func TestValidateAllowsTheBounds(t *testing.T) {
	least, most := valid(t), valid(t)
	least.Load.Herd.Spread, least.Network.Leg = 0, Distribution{}
	least.Server.Capacity = &Capacity{Workers: 1}
	least.Clients, least.Replications, least.Stop = []int{1}, 1, 1
	most.Load = Load{Stream: &Stream{Rate: 1e9, WarmUp: WarmUp{Fixed: maxStop - 1}}}
	most.Server.Capacity = &Capacity{Workers: maxWorkers, Service: Constant(longest), Queue: math.MaxInt}
	most.Clients, most.Replications, most.Stop = []int{maxClients}, maxReplications, maxStop
	for _, s := range []Scenario{valid(t), least, most} {
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
	}
}

func TestScenarioJSON(t *testing.T) {
	s := valid(t)
	s.Title = "A small one"
	s.Load = Load{Stream: &Stream{Rate: 2.5, WarmUp: WarmUp{MSER5: true}}}
	s.Seed = math.MaxUint64
	const want = `{
  "name": "small",
  "title": "A small one",
  "load": {
    "stream": {
      "rate": 2.5,
      "warm_up": "mser5"
    }
  },
  "network": {
    "leg": "exponential(1ms)"
  },
  "server": {
    "capacity": {
      "workers": 2,
      "service": "exponential(5ms)",
      "queue": 3
    }
  },
  "policies": [
    "fixed(50ms)",
    "full(base=50ms, cap=1s)"
  ],
  "clients": [
    10,
    20
  ],
  "replications": 5,
  "seed": 18446744073709551615,
  "stop": "1m0s"
}`
	got, err := json.MarshalIndent(s, "", "  ")
	if err != nil || string(got) != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
}

func TestScenarioJSONRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anyScenario(t)
		s.Name = rapid.String().Draw(t, "name")
		s.Title = rapid.SampledFrom([]string{"", "A title"}).Draw(t, "title")
		s.Network.Leg = anyDistribution(t)
		if s.Load.Stream != nil && rapid.Bool().Draw(t, "mser5") {
			s.Load.Stream.WarmUp = WarmUp{MSER5: true}
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var got Scenario
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, s) {
			t.Fatalf("%s\ncomes back as %+v\ninstead of %+v", text, got, s)
		}
	})
}

func TestBadScenarioJSON(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"stop": "soon"}`, `scenario.stop: soon is no duration`},
		{`{"load": {"herd": {"spread": "wide"}}}`, `scenario.load.herd.spread: wide is no duration`},
		{`{"load": {"stream": {"warm_up": "long"}}}`, `scenario.load.stream.warm_up: warm-up "long" is neither mser5 nor a duration`},
		{`{"network": {"leg": "gauss(1ms)"}}`, `scenario.network.leg: invalid distribution "gauss(1ms)": unknown shape "gauss" ` +
			`(known: constant, uniform, exponential, normal, lognormal, pareto, erlang, hyperexponential)`},
		{`{"policies": ["ful"]}`, `scenario.policies[0]: invalid policy "ful": unknown wait "ful" (did you mean "full"?)`},
	} {
		var s Scenario
		if err := json.Unmarshal([]byte(test.text), &s); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.text, err, test.want)
		}
	}
}
