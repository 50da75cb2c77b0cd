package strategies

import (
	"fmt"
	"time"
)

// Outcome is how one attempt ended, as the client saw it.
type Outcome struct {
	Status     int           // the HTTP status; 0 if there was no answer
	Fault      Fault         // why there was no answer
	RetryAfter time.Duration // what the server asked for, 0 if nothing
}

// Fault is a failure of the network, or of a server that does not answer.
type Fault uint8

// The faults.
const (
	NoFault  Fault = iota
	Refused        // no connection: the request was certainly not processed
	TimedOut       // no answer in time: maybe it was
	Broken         // the connection broke after the request had left: maybe it was
)

// String returns the fault as policies write it.
func (f Fault) String() string {
	names := [...]string{"none", "refused", "timeout", "broken"}
	if int(f) < len(names) {
		return names[f]
	}
	return fmt.Sprintf("Fault(%d)", uint8(f))
}

// Success reports whether the operation is done.
func (o Outcome) Success() bool { return o.Status >= 200 && o.Status < 300 }

// Retryable is the decision table: whether another attempt may help. It is true
// for 429 (too many requests), for 502, 503 and 504 (a server or what is behind
// it in trouble) and for every fault, and false for what will not heal by
// itself.
func (o Outcome) Retryable() bool {
	switch o.Status {
	case 429, 502, 503, 504:
		return true
	}
	return o.Fault != NoFault
}

// MaybeProcessed reports whether the server may have done the work although the
// attempt failed: after a timeout, a broken connection, and the statuses with
// which something in front of the server gives up on it. Repeating such an
// attempt can do the work twice.
func (o Outcome) MaybeProcessed() bool {
	switch o.Status {
	case 500, 502, 504:
		return true
	}
	return o.Fault == TimedOut || o.Fault == Broken
}
