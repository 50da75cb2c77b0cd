package sim_test

import (
	"context"
	"fmt"
	"time"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// Ten clients come at once to a worker that takes 100 ms each and lets nobody
// wait. There is no luck in this scenario: to come back at once costs calls, to
// come back ever less often costs time.
func Example() {
	s := sim.Scenario{
		Load:    sim.Load{Herd: &sim.Herd{}},
		Network: sim.Network{Leg: sim.Constant(10 * time.Millisecond)},
		Server:  sim.Server{Capacity: &sim.Capacity{Workers: 1, Service: sim.Constant(100 * time.Millisecond)}},
		Policies: []strategies.Policy{
			{Wait: strategies.Immediate{}},
			{Wait: strategies.Fixed{Delay: 95 * time.Millisecond}},
			{Wait: strategies.Exponential{Base: 95 * time.Millisecond, Cap: 10 * time.Second}},
		},
		Clients:      []int{10},
		Replications: 3,
		Seed:         1,
		Stop:         time.Hour,
	}
	result, err := sim.Run(context.Background(), s, sim.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cell := range result.Cells {
		calls, completion := cell.Metrics[sim.MetricCalls], cell.Metrics[sim.MetricCompletion]
		fmt.Printf("%-35s %3.0f calls, %6.3f s\n", cell.Policy, calls.Mean, completion.Mean)
	}
	// Output:
	// immediate                           235 calls,  1.020 s
	// fixed(95ms)                          55 calls,  1.155 s
	// exponential(base=95ms, cap=10s)      55 calls, 32.365 s
}

// A distribution is written as it is read.
func ExampleParseDistribution() {
	d, err := sim.ParseDistribution("erlang(0.1s, k=2)")
	fmt.Println(d, err)
	_, err = sim.ParseDistribution("erlnag(100ms, k=2)")
	fmt.Println(err)
	// Output:
	// erlang(100ms, k=2) <nil>
	// invalid distribution "erlnag(100ms, k=2)": unknown shape "erlnag" (did you mean "erlang"?)
}

// All faults of a scenario are named at once.
func ExampleScenario_Validate() {
	s := sim.Scenario{
		Load:     sim.Load{Stream: &sim.Stream{Rate: -1}},
		Server:   sim.Server{Contention: &sim.Contention{}},
		Policies: []strategies.Policy{{Wait: strategies.Immediate{}}},
		Clients:  []int{10},
		Stop:     time.Minute,
	}
	fmt.Println(s.Validate())
	// Output:
	// invalid scenario: load.stream.rate: must be above 0 and at most 1e9 per second, got -1
	// invalid scenario: replications: must be from 1 to 1000000, got 0
}
