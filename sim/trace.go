package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// Trace is a load that repeats a log: an operation at the time of each of its
// arrivals. Whoever makes a Scenario reads File into Arrivals before [Run]; in a
// scenario's file only the name stands.
type Trace struct {
	File     string    `json:"file" need:"yes" doc:"a log of arrivals, relative to this file's folder, plain or gzipped: CSV of t_seconds and, if you have them, service_seconds and client; or vegeta's CSV or JSON lines, of which only the times are used, since their latencies hold queueing and the network"`
	WarmUp   WarmUp    `json:"warm_up" doc:"what is left out of all figures: a duration, or mser5"`
	Arrivals []Arrival `json:"-"` // by time
}

// Arrival is one operation of a Trace.
type Arrival struct {
	At      time.Duration // when it starts
	Service time.Duration // how long a worker needs for it; 0: as long as the server's distribution says
	Client  uint32        // whose it is, modulo the number of clients
}

func (t Trace) validate(c *complaints, path string) {
	c.require(t.File != "" || len(t.Arrivals) > 0, path+".file", "must name a file")
	c.notNegative(path, map[string]time.Duration{"warm_up": t.WarmUp.Fixed})
	last := time.Duration(0)
	for i, a := range t.Arrivals {
		if err := a.validate(last); err != nil {
			c.add(fmt.Sprintf("%s.arrivals[%d]", path, i), err)
			return // of millions, one says enough
		}
		last = a.At
	}
}

// validate says what is wrong with an arrival that follows one at this time.
func (a Arrival) validate(last time.Duration) error {
	switch {
	case a.At < last:
		return fmt.Errorf("must not be before %s, got %s", last, a.At)
	case a.At > maxStop:
		return fmt.Errorf("must be within 10 years, got %s", a.At)
	case a.Service < 0 || a.Service > longest:
		return fmt.Errorf("must need from 0s to 100 years, got %s", a.Service)
	}
	return nil
}

// ready complains about a trace whose file was not read; t may be nil.
func (t *Trace) ready() error {
	if t == nil || len(t.Arrivals) > 0 {
		return nil
	}
	return &FieldError{"load.trace", errors.New("has no arrivals: they are read from its file before the run")}
}

// warnings says what of a trace is not what it seems; t may be nil.
func (t *Trace) warnings(s Scenario) []string {
	if t == nil {
		return nil
	}
	list := []string{fmt.Sprintf("trace %s: logged arrivals already contain the retries of those clients; "+
		"each counts as an operation of its own", t.File)}
	if late := len(t.Arrivals) - t.until(s.Stop); late > 0 {
		list = append(list, fmt.Sprintf("trace %s: %d of its %d arrivals are later than the stop (%s) and are not simulated",
			t.File, late, len(t.Arrivals), s.Stop))
	}
	if s.Server.Contention != nil && t.givesService() {
		list = append(list, fmt.Sprintf("trace %s: its service times are not used, since the server is never busy", t.File))
	}
	return list
}

// until returns how many arrivals are not later than the stop.
func (t *Trace) until(stop time.Duration) int {
	n, _ := slices.BinarySearchFunc(t.Arrivals, stop, func(a Arrival, stop time.Duration) int {
		if a.At <= stop {
			return -1
		}
		return 1
	})
	return n
}

// givesService reports whether the log says of any arrival how long it takes.
func (t *Trace) givesService() bool {
	return slices.ContainsFunc(t.Arrivals, func(a Arrival) bool { return a.Service > 0 })
}

// replay starts the operations of a trace, one after the other.
type replay struct {
	*Trace
	clients uint32
	number  int // of the next arrival
}

func (r *replay) size() int { return 0 }

func (r *replay) begin(e *engine) {
	if r.givesService() {
		e.given = []time.Duration{}
	}
	r.plan(e)
}

// plan schedules the next arrival, if there is one.
func (r *replay) plan(e *engine) {
	if r.number < len(r.Arrivals) {
		e.schedule(r.Arrivals[r.number].At, opens, request{}, 0)
	}
}

func (r *replay) open(e *engine, _ uint32) {
	a := r.Arrivals[r.number]
	op := e.start(uint64(r.number), a.Client%r.clients, e.now)
	if e.given != nil {
		e.given[op] = a.Service
	}
	r.number++
	r.plan(e)
}

func (r *replay) ended(*engine, uint32) {}
