package sim

import "time"

// load starts operations.
type load interface {
	size() int       // room to make for operations that are under way at once
	begin(e *engine) // before the first event
	open(e *engine)  // at each of its own events
}

// newLoad returns the load of a cell with this many clients.
func newLoad(l Load, clients int) load {
	if l.Stream != nil {
		return &stream{gap: 1e9 / (l.Stream.Rate * float64(clients))}
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
		e.start(i, time.Duration(u*float64(h.spread)))
	}
}

func (h *herd) open(*engine) { panic("sim: a herd has no events of its own") }

// stream starts operations at the times of a Poisson process.
type stream struct {
	gap    float64 // the mean time between two starts, in ns
	number uint64
}

func (s *stream) size() int { return 0 }

func (s *stream) begin(e *engine) {
	s.number = 0
	s.next(e)
}

func (s *stream) open(e *engine) {
	e.start(s.number, e.now)
	s.number++
	s.next(e)
}

func (s *stream) next(e *engine) {
	u := open(draw(operationKey(e.key, s.number), drawStart, 0))
	wait := time.Duration(min(float64(longest), -s.gap*ln(u)))
	e.schedule(e.now+wait, opens, request{}, 0)
}
