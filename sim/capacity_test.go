package sim

import (
	"fmt"
	"testing"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// Two servers that refuse what they have no room for, measured with an
// independent simulator: one that locks, and one that throttles.

func TestLockingAndThrottlingServers(t *testing.T) {
	compareCapacityServers(t, effort{clients: 50, replications: func(n int) int { return n }})
}

func compareCapacityServers(t *testing.T, e effort) {
	for _, r := range readRows(t, "capacity-servers.csv") {
		clients := r.count(t, "clients")
		if clients > e.clients {
			continue
		}
		t.Run(fmt.Sprintf("%s/%s/%d", r["server"], r["strategy"], clients), func(t *testing.T) {
			s := Scenario{
				Load:         Load{Herd: &Herd{}},
				Network:      articleNetwork(),
				Server:       Server{Capacity: referenceServer(t, r["server"])},
				Policies:     []strategies.Policy{referencePolicy(t, r)},
				Clients:      []int{clients},
				Replications: e.replications(r.count(t, "replications")),
				Stop:         24 * time.Hour,
			}
			f := simulate(t, s, lastAtServer())
			calls, last := r.estimate(t, "calls", 1), r.estimate(t, "time_ms", 1e3)
			f.agrees(t, MetricCalls, calls)
			f.spreads(t, MetricCalls, calls)
			// Its clients hear nothing of success, so time ends at the server.
			f.agrees(t, "last_at_server_seconds", last)
			f.spreads(t, "last_at_server_seconds", last)
		})
	}
}

func referenceServer(t *testing.T, name string) *Capacity {
	t.Helper()
	const ms = time.Millisecond
	switch name {
	case "LockingServer(mu2,sd1)":
		return &Capacity{Workers: 1, Service: Normal(2*ms, 1*ms)}
	case "ThrottlingServer(limit5,window10)":
		return &Capacity{Workers: 5, Service: Constant(10 * ms)}
	}
	t.Fatalf("unknown server %s", name)
	return nil
}

func referencePolicy(t *testing.T, r row) strategies.Policy {
	t.Helper()
	if r["strategy"] == "constant0.5" {
		return mustParse(t, "fixed(500us)")
	}
	return plainPolicy(t, r["strategy"], r.milliseconds(t, "base"), r.milliseconds(t, "cap"))
}

// Where all find a worker, the end is the last arrival and the service time: the
// maximum of one, two and five normal legs.
func TestThrottlingServerWithRoomForAll(t *testing.T) {
	tests := []struct {
		clients      int
		milliseconds float64
	}{
		{1, 20},
		{2, 21.128},
		{5, 22.326},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.clients), func(t *testing.T) {
			f := simulate(t, Scenario{
				Load:         Load{Herd: &Herd{}},
				Network:      articleNetwork(),
				Server:       Server{Capacity: referenceServer(t, "ThrottlingServer(limit5,window10)")},
				Policies:     []strategies.Policy{mustParse(t, "fixed(500us)")},
				Clients:      []int{test.clients},
				Replications: 10_000,
				Stop:         time.Hour,
			}, lastAtServer())
			f.exactly(t, MetricCalls, float64(test.clients))
			f.expect(t, "last_at_server_seconds", test.milliseconds/1e3, 0.005)
		})
	}
}
