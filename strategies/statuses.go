package strategies

import (
	"strconv"
	"strings"
)

// Statuses is a set of outcomes: HTTP statuses from 400 to 599, and faults.
type Statuses struct {
	bits [4]uint64
}

// The bits of the faults come after those of the statuses.
const faultBits = 200

// bit returns the place of an outcome, or false if it cannot be in a set.
func (o Outcome) bit() (uint, bool) {
	if o.Fault != NoFault {
		return faultBits + uint(o.Fault), true
	}
	if o.Status < 400 || o.Status > 599 {
		return 0, false
	}
	return uint(o.Status - 400), true
}

// With returns the set with one more outcome; one that is neither a fault nor a
// status from 400 to 599 is left out.
func (s Statuses) With(o Outcome) Statuses {
	if bit, ok := o.bit(); ok {
		s.bits[bit/64] |= 1 << (bit % 64)
	}
	return s
}

// Has reports whether an outcome is in the set.
func (s *Statuses) Has(o Outcome) bool {
	bit, ok := o.bit()
	return ok && s.bits[bit/64]&(1<<(bit%64)) != 0
}

// meets reports whether two sets have an outcome in common.
func (s Statuses) meets(other Statuses) bool {
	for i := range s.bits {
		if s.bits[i]&other.bits[i] != 0 {
			return true
		}
	}
	return false
}

// String lists the outcomes in order, as in "500, 502, timeout".
func (s Statuses) String() string {
	var names []string
	for status := 400; status <= 599; status++ {
		if s.Has(Outcome{Status: status}) {
			names = append(names, strconv.Itoa(status))
		}
	}
	for f := Refused; f <= Broken; f++ {
		if s.Has(Outcome{Fault: f}) {
			names = append(names, f.String())
		}
	}
	return strings.Join(names, ", ")
}
