//go:build unix

package bench

import (
	"context"
	"fmt"
	"syscall"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/strategies"
)

// BenchmarkEngine measures the whole loop on one core, with client state, draws
// and metrics, while so many events are pending. Nobody is ever served, so each
// client has one event pending all the time: its request on the way, or the
// answer 503. Each call that reaches the server is two events. The rate is per
// second of processor time, which other load on the machine distorts least.
func BenchmarkEngine(b *testing.B) {
	for _, pending := range []int{1e3, 1e5, 1e6} {
		b.Run(fmt.Sprintf("pending=%d", pending), func(b *testing.B) {
			const eventsWanted = 10e6
			perSecond := float64(pending) * 2 / 0.52 // a wait of 0.5 s on average and two legs
			s := sim.Scenario{
				Name:    "endless",
				Load:    sim.Load{Herd: &sim.Herd{}},
				Network: sim.Network{Leg: sim.Normal(10*time.Millisecond, 2*time.Millisecond)},
				Server: sim.Server{Capacity: &sim.Capacity{
					Workers: 1, Service: sim.Constant(24 * time.Hour), Queue: 0,
				}},
				Policies:     []strategies.Policy{{Wait: strategies.Full{Base: time.Second, Cap: time.Second}}},
				Clients:      []int{pending},
				Replications: 1,
				Seed:         1,
				Stop:         time.Duration(eventsWanted / perSecond * float64(time.Second)),
			}
			b.ReportAllocs()
			events := 0.0
			started := cpuTime(b)
			for b.Loop() {
				r, err := sim.Run(context.Background(), s, sim.Options{Workers: 1})
				if err != nil {
					b.Fatal(err)
				}
				events += 2 * r.Cells[0].Metrics[sim.MetricCalls].Mean
			}
			b.ReportMetric(events/(cpuTime(b)-started).Seconds()/1e6, "Mevents/cpu-s")
		})
	}
}

// cpuTime is the processor time that this process has used.
func cpuTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
