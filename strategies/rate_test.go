package strategies

import (
	"math"
	"testing"
	"time"
)

func TestPacerGivesTurnsEvenly(t *testing.T) {
	var p Pacer
	for i, step := range []struct{ at, wait time.Duration }{
		{0, 0},
		{0, 100 * time.Millisecond},
		{50 * time.Millisecond, 150 * time.Millisecond},
		{time.Second, 0}, // unused turns are not saved up
		{time.Second, 100 * time.Millisecond},
	} {
		if got := p.TurnAt(step.at, 10); got != step.wait {
			t.Errorf("step %d, at %s: wait %s, want %s", i+1, step.at, got, step.wait)
		}
	}
}

func TestPacerDoesNotOverflow(t *testing.T) {
	p := Pacer{next: math.MaxInt64 - 1}
	if got := p.TurnAt(0, 1e-6); got != math.MaxInt64-1 {
		t.Errorf("wait %s", got)
	}
	if p.next != math.MaxInt64 {
		t.Errorf("next %s", p.next)
	}
}
