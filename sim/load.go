package sim

import (
	"errors"
	"fmt"
	"math"
	"time"
)

// load starts operations.
type load interface {
	size() int                     // room to make for operations that are under way at once
	begin(e *engine)               // before the first event
	open(e *engine, client uint32) // at each of its own events
	ended(e *engine, client uint32)
}

// newLoad returns the load of a cell with this many clients.
func newLoad(l Load, clients int) load {
	switch {
	case l.Stream != nil:
		return &stream{Stream: *l.Stream, clients: clients, peak: l.Stream.peak()}
	case l.Closed != nil:
		return &closed{make(repeats, clients), l.Closed.Think}
	case l.Periodic != nil:
		return &periodic{make(repeats, clients), *l.Periodic}
	case l.Trace != nil:
		return &replay{Trace: l.Trace, clients: uint32(clients)}
	}
	return &herd{clients: clients, spread: l.Herd.Spread}
}

// herd starts one operation for each client.
type herd struct {
	clients int
	spread  time.Duration
}

func (h *herd) size() int { return h.clients }

func (h *herd) begin(e *engine) {
	for i := range uint64(h.clients) {
		u := unit(draw(operationKey(e.key, i), drawStart, 0))
		e.start(i, uint32(i), time.Duration(u*float64(h.spread)))
	}
}

func (h *herd) open(*engine, uint32)  { panic("sim: a herd has no events of its own") }
func (h *herd) ended(*engine, uint32) {}

// stream starts operations at the times of a Poisson process, or evenly spaced.
// A rate that changes is that of the peak, thinned.
type stream struct {
	Stream
	clients int
	peak    float64 // the greatest factor of the rate
	tries   uint64
	number  uint64
	left    float64 // what the last start was later than its whole nanosecond
	credit  float64 // with Even: what has come together of the next start
}

func (s *stream) size() int { return 0 }

func (s *stream) begin(e *engine) { s.next(e) }

func (s *stream) open(e *engine, _ uint32) {
	if s.kept(e) {
		e.start(s.number, s.caller(e), e.now)
		s.number++
	}
	s.tries++
	s.next(e)
}

// caller is the client whose operation starts: any of them, or with Even one after
// the other.
func (s *stream) caller(e *engine) uint32 {
	turn := s.number
	if !s.Even {
		turn = draw(operationKey(e.key, s.number), drawCaller, 0)
	}
	return uint32(turn % uint64(s.clients))
}

// kept reports whether the start at hand is one: all are, at the peak.
func (s *stream) kept(e *engine) bool {
	if s.Even {
		if s.credit += s.factor(e.now) / s.peak; s.credit < 1 {
			return false
		}
		s.credit--
		return true
	}
	if s.peak == 1 && len(s.Profile) == 0 && s.Sine == nil {
		return true
	}
	return unit(draw(operationKey(e.key, s.tries), drawThinning, 0))*s.peak < s.factor(e.now)
}

func (s *stream) next(e *engine) {
	gap := 1e9 / (s.Rate * float64(s.clients)) // ns at factor 1
	if s.Even {
		e.schedule(e.now+s.whole(gap/s.peak), opens, request{}, 0)
		return
	}
	u := open(draw(operationKey(e.key, s.tries), drawStart, 0))
	e.schedule(e.now+s.whole(float64(-gap/s.peak*ln(u))), opens, request{}, 0)
}

// whole cuts a gap to nanoseconds and keeps the rest for the next: cut each by
// itself, and a fast stream would be faster still.
func (s *stream) whole(gap float64) time.Duration {
	gap = min(float64(longest), gap+s.left)
	cut := math.Floor(gap)
	s.left = gap - cut
	return time.Duration(cut)
}

func (s *stream) ended(*engine, uint32) {}

// factor is what the rate is multiplied by at a time.
func (s *Stream) factor(now time.Duration) float64 {
	factor := 1.0
	for i, p := range s.Profile {
		if p.At > now {
			break
		}
		factor = p.Factor
		if p.Ramp && i+1 < len(s.Profile) {
			next := s.Profile[i+1]
			share := float64(now-p.At) / float64(next.At-p.At)
			factor += float64(min(1, share) * (next.Factor - p.Factor))
		}
	}
	if s.Sine != nil {
		wave := sine(float64(now%s.Sine.Period) / float64(s.Sine.Period))
		factor = float64(factor * (1 + float64(s.Sine.Amplitude*wave)))
	}
	return factor
}

// peak is the greatest that factor can be.
func (s *Stream) peak() float64 {
	peak := 1.0
	if len(s.Profile) > 0 {
		peak = 0
		if s.Profile[0].At > 0 {
			peak = 1
		}
	}
	for _, p := range s.Profile {
		peak = max(peak, p.Factor)
	}
	if s.Sine != nil {
		peak = float64(peak * (1 + s.Sine.Amplitude))
	}
	return peak
}

func (s Stream) validate(c *complaints, path string) {
	c.require(s.Rate > 0 && s.Rate <= 1e9, path+".rate", "must be above 0 and at most 1e9 per second, got %v", s.Rate)
	c.notNegative(path, map[string]time.Duration{"warm_up": s.WarmUp.Fixed})
	last := time.Duration(-1)
	for i, p := range s.Profile {
		at := fmt.Sprintf("%s.profile[%d]", path, i)
		c.require(p.At > last, at+".at", "must be later than the point before, got %s", p.At)
		c.require(p.Factor >= 0 && p.Factor <= 1e6, at+".factor", "must be from 0 to 1e6, got %v", p.Factor)
		last = p.At
	}
	if s.Sine != nil {
		c.positive(path+".sine.period", s.Sine.Period)
		c.require(s.Sine.Amplitude >= 0 && s.Sine.Amplitude <= 1, path+".sine.amplitude", "must be from 0 to 1, got %v", s.Sine.Amplitude)
	}
	if !(s.peak() > 0) {
		c.add(path+".profile", errors.New("the rate is never above 0"))
	}
}

// repeats counts the operations that each client of a load has begun.
type repeats []uint64

func (r repeats) size() int { return len(r) }

// next is the number of a client's next operation, which one more client does not
// change.
func (r repeats) next(client uint32) uint64 { return r[client]<<32 | uint64(client) }

// start starts it now.
func (r repeats) start(e *engine, client uint32) {
	number := r.next(client)
	r[client]++
	e.start(number, client, e.now)
}

// closed starts a client's next operation a think time after its last has ended.
type closed struct {
	repeats
	think Distribution
}

func (l *closed) begin(e *engine) {
	for client := range uint32(l.size()) {
		l.ended(e, client)
	}
}

func (l *closed) open(e *engine, client uint32) { l.start(e, client) }

func (l *closed) ended(e *engine, client uint32) {
	think := l.think.Sample(draw(operationKey(e.key, l.next(client)), drawStart, 0))
	e.schedule(e.now+think, opens, request{op: client}, 0)
}

// periodic starts an operation of each client at every multiple of a period, as
// a cron job does.
type periodic struct {
	repeats
	Periodic
}

func (p *periodic) begin(e *engine) {
	for client := range uint32(p.size()) {
		p.plan(e, client)
	}
}

// plan schedules a client's next round, unless that is beyond the stop.
func (p *periodic) plan(e *engine, client uint32) {
	u := unit(draw(operationKey(e.key, p.next(client)), drawStart, 0))
	at := time.Duration(p.repeats[client])*p.Every + time.Duration(u*float64(p.Splay))
	if at < e.stop {
		e.schedule(max(at, e.now), opens, request{op: client}, 0)
	}
}

func (p *periodic) open(e *engine, client uint32) {
	p.start(e, client)
	p.plan(e, client)
}

func (p *periodic) ended(*engine, uint32) {}

// sine returns sin(2πx) for x in [0, 1), by its Taylor series near 0.
func sine(x float64) float64 {
	sign := 1.0
	if x >= 0.5 {
		x, sign = x-0.5, -1
	}
	x = min(x, 0.5-x)
	y := float64(2 * math.Pi * x)
	square := float64(y * y)
	sum := 1.0
	for k := 20.0; k >= 2; k -= 2 {
		sum = 1 - float64(sum*square)/(k*(k+1))
	}
	return float64(sign * float64(y*sum))
}
