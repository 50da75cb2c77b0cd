package scenario

import (
	"time"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// BuiltIn is a scenario that comes with stagger.
type BuiltIn struct {
	sim.Scenario
	About string // what it shows, in a few sentences
}

// BuiltIns lists the built-in scenarios, the default first.
func BuiltIns() []BuiltIn {
	return []BuiltIn{herd(), herdConstant(), awsContention(), rushHour()}
}

const (
	base = 500 * time.Millisecond
	top  = 30 * time.Second
)

// unlimited returns policies with these waits and no other limit.
func unlimited(waits ...strategies.Backoff) []strategies.Policy {
	policies := make([]strategies.Policy, len(waits))
	for i, w := range waits {
		policies[i] = strategies.Policy{Wait: w}
	}
	return policies
}

// usual is the comparison that most scenarios make.
func usual() []strategies.Policy {
	return unlimited(
		strategies.Immediate{},
		strategies.Fixed{Delay: time.Second},
		strategies.Exponential{Base: base, Cap: top},
		strategies.Equal{Base: base, Cap: top},
		strategies.Decorrelated{Base: base, Cap: top},
		strategies.Full{Base: base, Cap: top},
	)
}

func herd() BuiltIn {
	return BuiltIn{
		Scenario: sim.Scenario{
			Name:    "herd",
			Title:   "Everybody at once: N clients at t = 0, room for 200",
			Load:    sim.Load{Herd: &sim.Herd{}},
			Network: sim.Network{Leg: sim.Normal(10*time.Millisecond, 2*time.Millisecond)},
			Server: sim.Server{Capacity: &sim.Capacity{
				Workers: 100, Service: sim.Exponential(100 * time.Millisecond), Queue: 100,
			}},
			Policies:     usual(),
			Clients:      []int{100, 200, 500, 1000, 2000, 5000},
			Replications: 20,
			Seed:         1,
			Stop:         24 * time.Hour,
		},
		About: "A thundering herd. All clients call in the same instant; the server works on 100 requests\n" +
			"and queues 100, and turns the rest away with 503. Without jitter those come back together,\n" +
			"wave after wave; with jitter they spread out.",
	}
}

func herdConstant() BuiltIn {
	b := herd()
	b.Name = "herd-constant"
	b.Title = "The herd with constant service: a class can check it by hand"
	b.Server.Capacity.Service = sim.Constant(100 * time.Millisecond)
	b.About = "The herd again, but each request takes exactly 100 ms. Each synchronised wave of fixed and\n" +
		"exponential then admits exactly 200: 5,000 clients need 25 waves, and\n" +
		"5000 + 4800 + … + 200 = 65,000 calls."
	return b
}

func awsContention() BuiltIn {
	var clients []int
	for n := 10; n <= 190; n += 10 {
		clients = append(clients, n)
	}
	const base, top = 10 * time.Millisecond, 2 * time.Second
	return BuiltIn{
		Scenario: sim.Scenario{
			Name:    "aws-contention",
			Title:   "N clients update one row under optimistic concurrency",
			Load:    sim.Load{Herd: &sim.Herd{}},
			Network: sim.Network{Leg: sim.Normal(10*time.Millisecond, 2*time.Millisecond)},
			Server:  sim.Server{Contention: &sim.Contention{}},
			Policies: unlimited(
				strategies.Immediate{},
				strategies.Exponential{Base: base, Cap: top},
				strategies.Equal{Base: base, Cap: top},
				strategies.Decorrelated{Base: base / 2, Cap: top},
				strategies.Full{Base: base, Cap: top},
			),
			Clients:      clients,
			Replications: 100,
			Seed:         1,
			Stop:         24 * time.Hour,
		},
		About: "The experiment of the AWS Architecture Blog's \"Exponential Backoff And Jitter\": every client\n" +
			"reads a row's version and writes; the first to write wins, the others have read in vain and\n" +
			"start again. The server is never busy, so retrying costs calls and nothing else.",
	}
}

func rushHour() BuiltIn {
	policies := usual()
	for i := range policies {
		policies[i].Attempts = 4
	}
	return BuiltIn{
		Scenario: sim.Scenario{
			Name:    "rush-hour",
			Title:   "A steady stream of N operations a second, capacity 1,000",
			Load:    sim.Load{Stream: &sim.Stream{Rate: 1, WarmUp: sim.WarmUp{Fixed: 60 * time.Second}}},
			Network: sim.Network{Leg: sim.Normal(10*time.Millisecond, 2*time.Millisecond)},
			Server: sim.Server{Capacity: &sim.Capacity{
				Workers: 100, Service: sim.Exponential(100 * time.Millisecond), Queue: 100,
			}},
			Policies:     policies,
			Clients:      []int{800, 950, 1100},
			Replications: 10,
			Seed:         1,
			Stop:         3 * time.Minute,
		},
		About: "No herd at all: independent clients, each starting one operation a second on average, with\n" +
			"four attempts for each. Below capacity no policy is needed. Above it none helps: the same\n" +
			"share fails whatever the wait, and the retries double the calls.",
	}
}
