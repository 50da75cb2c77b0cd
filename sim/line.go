package sim

import "time"

// waiting is a request in a queue.
type waiting struct {
	request
	since time.Duration
}

// line is a growing queue, taken from either end.
type line struct {
	buf        []waiting // its length is 0 or a power of two
	head, tail uint64
}

func (l *line) len() int { return int(l.tail - l.head) }

func (l *line) at(i uint64) *waiting { return &l.buf[i&uint64(len(l.buf)-1)] }

func (l *line) push(w waiting) {
	if l.len() == len(l.buf) {
		l.grow()
	}
	*l.at(l.tail) = w
	l.tail++
}

// first takes the request that has waited longest.
func (l *line) first() waiting {
	w := *l.at(l.head)
	l.head++
	return w
}

// last takes the request that came last.
func (l *line) last() waiting {
	l.tail--
	return *l.at(l.tail)
}

func (l *line) grow() {
	grown := make([]waiting, max(16, 2*len(l.buf)))
	n := l.len()
	for i := range n {
		grown[i] = l.first()
	}
	l.buf, l.head, l.tail = grown, 0, uint64(n)
}
