package sim

import (
	"slices"
	"time"
)

// lifeline counts, second by second, what becomes of the operations of a stream:
// from it come the recovery from faults and the timeline.
type lifeline struct {
	seconds []second
	queued  int // at the moment
	last    int // the last second before the stop; 0: none
}

// second is what began or happened in one second.
type second struct {
	started   int     // operations
	kept      int     // of these, how many succeeded in the end
	calls     int     // attempts that reached the server
	succeeded int     // operations that ended well in this second
	queued    int     // most requests in the queue
	shorted   int     // attempts that a breaker or throttle held back
	open      float64 // share of the breakers that were open at its end
}

func (l *lifeline) at(t time.Duration) *second {
	i := int(t / time.Second)
	if l.last > 0 {
		i = min(i, l.last) // what happens at the stop itself belongs to the second before
	}
	for len(l.seconds) <= i {
		l.seconds = append(l.seconds, second{queued: l.queued})
	}
	return &l.seconds[i]
}

// Recovery is judged over seconds of operations, by their start: this many in a
// row must each succeed to this share.
const (
	recoverySeconds = 10
	recoveryShare   = 0.99
)

// recovery returns how long after the end of the last fault the first of ten
// seconds in a row begins, of whose operations 99 % succeeded in the end; false
// if there is none before the end. A second without operations is no proof of
// trouble. What is still under way at the stop has not succeeded.
func (l *lifeline) recovery(fault time.Duration) (time.Duration, bool) {
	good := 0
	for i := int((fault + time.Second - 1) / time.Second); i < len(l.seconds); i++ {
		if s := l.seconds[i]; float64(s.kept) < recoveryShare*float64(s.started) {
			good = 0
			continue
		}
		if good++; good == recoverySeconds {
			return time.Duration(i+1-recoverySeconds)*time.Second - fault, true
		}
	}
	return 0, false
}

// peak is the most requests that were in the queue.
func (l *lifeline) peak() int {
	most := 0
	for _, s := range l.seconds {
		most = max(most, s.queued)
	}
	return most
}

// collapsed reports whether, in the last ten seconds, fewer than half as many
// operations succeeded as were started; where none was, whether all that are under
// way are stuck.
func (l *lifeline) collapsed(underWay int) bool {
	started, succeeded := 0, 0
	for _, s := range l.seconds[max(0, len(l.seconds)-recoverySeconds):] {
		started += s.started
		succeeded += s.succeeded
	}
	if started == 0 {
		return succeeded == 0 && underWay > 0
	}
	return 2*succeeded < started
}

// tells reports whether enough time follows the end of the last fault to see a
// recovery.
func (l *lifeline) tells(fault time.Duration) bool {
	return int((fault+time.Second-1)/time.Second)+recoverySeconds <= len(l.seconds)
}

// result is the lifeline as plain data. What breakers did is left out where they
// never did anything.
func (l *lifeline) result() *Timeline {
	var t Timeline
	broke := slices.ContainsFunc(l.seconds, func(s second) bool { return s.open > 0 || s.shorted > 0 })
	for _, s := range l.seconds {
		t.Offered = append(t.Offered, s.started)
		t.Calls = append(t.Calls, s.calls)
		t.Succeeded = append(t.Succeeded, s.succeeded)
		t.Queued = append(t.Queued, s.queued)
		if broke {
			t.Open = append(t.Open, s.open)
			t.ShortCircuited = append(t.ShortCircuited, s.shorted)
		}
	}
	return &t
}
