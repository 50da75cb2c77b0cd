// Command portable prints the results of small runs of every kind of server,
// load and wait. They must be the same wherever it runs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

const ms = time.Millisecond

func main() {
	encoder := json.NewEncoder(os.Stdout)
	for _, s := range []sim.Scenario{herd(), contention(), stream()} {
		result, err := sim.Run(context.Background(), s, sim.Options{})
		if err == nil {
			err = encoder.Encode(result)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

func herd() sim.Scenario {
	return sim.Scenario{
		Name:    "herd",
		Load:    sim.Load{Herd: &sim.Herd{Spread: 100 * ms}},
		Network: sim.Network{Leg: sim.Lognormal(20*ms, 0.7)},
		Server:  sim.Server{Capacity: &sim.Capacity{Workers: 3, Service: sim.Hyperexponential(10*ms, 4), Queue: 5}},
		Policies: []strategies.Policy{
			{Wait: strategies.Fixed{Delay: 100 * ms}},
			{Wait: strategies.Full{Base: 50 * ms, Cap: 2 * time.Second, Factor: 1.7}},
			{Wait: strategies.Decorrelated{Base: 50 * ms, Cap: 2 * time.Second}, Attempts: 20, Deadline: 10 * time.Second},
		},
		Clients:      []int{10, 100},
		Replications: 4,
		Seed:         1,
		Stop:         time.Minute,
	}
}

func contention() sim.Scenario {
	return sim.Scenario{
		Name:    "contention",
		Load:    sim.Load{Herd: &sim.Herd{}},
		Network: sim.Network{Leg: sim.Normal(10*ms, 2*ms)},
		Server:  sim.Server{Contention: &sim.Contention{}},
		Policies: []strategies.Policy{
			{Wait: strategies.Equal{Base: 5 * ms, Cap: 2 * time.Second}},
			{Wait: strategies.Exponential{Base: 5 * ms, Cap: 2 * time.Second, Factor: 1.3}},
		},
		Clients:      []int{50},
		Replications: 5,
		Seed:         2,
		Stop:         time.Minute,
	}
}

func stream() sim.Scenario {
	return sim.Scenario{
		Name:    "stream",
		Load:    sim.Load{Stream: &sim.Stream{Rate: 1.5, WarmUp: sim.WarmUp{MSER5: true}}},
		Network: sim.Network{Leg: sim.Pareto(3*ms, 2.5)},
		Server:  sim.Server{Capacity: &sim.Capacity{Workers: 2, Service: sim.Erlang(20*ms, 3), Queue: 10}},
		Policies: []strategies.Policy{
			{Wait: strategies.Immediate{}},
		},
		Clients:      []int{50, 60},
		Replications: 3,
		Seed:         3,
		Stop:         20 * time.Second,
	}
}
