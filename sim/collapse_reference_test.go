//go:build reference

package sim

import (
	"testing"
	"time"
)

func TestReferenceCollapse(t *testing.T) { compareCollapse(t, 600) }

// Second by second, as long as all runs go the same way: a spike decides after
// its end which. The ramp of the reference comes down a little late, since it
// draws each gap by the rate at the gap's beginning; so its last seconds are left
// out, and starts are held against the rate itself.
func TestReferenceCollapseBySecond(t *testing.T) {
	until := map[string]int{
		"spike_no_backoff": 25, "spike_backoff_and_jitter": 80,
		"ramp_no_backoff": 70, "ramp_backoff_and_jitter": 70,
	}
	probes := map[string][]probe{}
	rows := readRows(t, "collapse.csv")
	for _, r := range rows {
		probes[r["run"]] = append(probes[r["run"]], inSecond(r.count(t, "second_start"))...)
	}
	for run := range probes {
		t.Run(run, func(t *testing.T) {
			s := collapseCell(t, run, 400)
			f := simulate(t, s, probes[run]...)
			for _, r := range rows {
				second := r.count(t, "second_start")
				if r["run"] != run {
					continue
				}
				middle := time.Duration(second)*time.Second + time.Second/2
				if rate := s.Load.Stream.Rate * s.Load.Stream.factor(middle); rate > 0 {
					f.expect(t, "starts@"+r["second_start"], rate, .25)
				} else {
					f.exactly(t, "starts@"+r["second_start"], 0)
				}
				if second >= until[run] {
					continue
				}
				for _, name := range []string{"successes", "retries", "timeouts", "concurrency_at_end"} {
					f.agrees(t, name+"@"+r["second_start"], r.estimate(t, name, 1))
				}
			}
		})
	}
}
