package sim

import (
	"testing"
	"time"
)

// piloted records latencies that end a second apart.
func piloted(n int, latency func(i int) time.Duration) *pilot {
	p := new(pilot)
	for i := range n {
		p.add(time.Duration(i+1)*time.Second, latency(i))
	}
	return p
}

func TestMSER5CutsAtTheStep(t *testing.T) {
	for _, step := range []int{5, 100, 250, 500} {
		for _, level := range []time.Duration{1, 70 * ms, 100 * ms, 3 * time.Hour} {
			p := piloted(1000, func(i int) time.Duration {
				if i < step {
					return 2 * level
				}
				return level
			})
			got, steady := p.mser5()
			if want := time.Duration(step) * time.Second; got != want || !steady {
				t.Errorf("step to %v after %d: cut at %v, steady %v; want %v", level, step, got, steady, want)
			}
		}
	}
}

// A step amid noise: the cut comes after it, and costs little of the rest.
func TestMSER5FindsANoisyStep(t *testing.T) {
	p := piloted(5000, func(i int) time.Duration {
		noise := Exponential(ms).Sample(mix(uint64(i)))
		if i < 1000 {
			return noise + 10*ms
		}
		return noise
	})
	if got, steady := p.mser5(); got < 1000*time.Second || got > 1250*time.Second || !steady {
		t.Errorf("cut at %v, steady %v; want soon after 1000 s", got, steady)
	}
}

func TestMSER5LeavesStationaryNoiseAlone(t *testing.T) {
	p := piloted(5000, func(i int) time.Duration { return Exponential(100 * ms).Sample(mix(uint64(i))) })
	if got, steady := p.mser5(); got > 500*time.Second || !steady {
		t.Errorf("cut at %v of 5000 s, steady %v", got, steady)
	}
}

func TestMSER5LeavesAConstantAlone(t *testing.T) {
	p := piloted(1000, func(int) time.Duration { return 100 * ms })
	if got, steady := p.mser5(); got != 0 || !steady {
		t.Errorf("cut at %v, steady %v; want none", got, steady)
	}
}

// A queue that only grows has no steady state to measure.
func TestMSER5RefusesATrend(t *testing.T) {
	p := piloted(5000, func(i int) time.Duration {
		return time.Duration(i)*ms + Exponential(100*ms).Sample(mix(uint64(i)))
	})
	if got, steady := p.mser5(); steady {
		t.Errorf("cut at %v of 5000 s, taken for steady", got)
	}
}

func TestMSER5RefusesALateStep(t *testing.T) {
	p := piloted(1000, func(i int) time.Duration {
		if i < 700 {
			return ms
		}
		return 5 * ms
	})
	if got, steady := p.mser5(); got != 700*time.Second || steady {
		t.Errorf("cut at %v, steady %v; want 700 s, false", got, steady)
	}
}

func TestMSER5NeedsTenBatches(t *testing.T) {
	for n, want := range map[int]bool{0: false, 49: false, 50: true} {
		p := piloted(n, func(int) time.Duration { return ms })
		if got, steady := p.mser5(); got != 0 || steady != want {
			t.Errorf("%d latencies: cut at %v, steady %v; want 0, %v", n, got, steady, want)
		}
	}
}
