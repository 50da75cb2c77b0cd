package sim

import "time"

// Client is what all clients of a scenario have in common.
type Client struct {
	Creates  bool         `json:"creates,omitempty" doc:"every operation creates something, as a POST does: doing it twice makes a duplicate"`
	Key      bool         `json:"key,omitempty" doc:"operations carry an idempotency key, which the server keeps: it does the work once, and repeats its answer at once"`
	Patience Distribution `json:"patience,omitempty" doc:"a client waits for an answer no longer than this, drawn anew for each attempt, whatever its policy says; constant(0s): as its policy says"`
}

// unsafe reports whether repeating an operation can do harm.
func (c Client) unsafe() bool { return c.Creates && !c.Key }

// patient reports whether a client waits as long as its policy says.
func (c Client) patient() bool { return c.Patience == Distribution{} }

// timeout is how long the client waits for the answer to the attempt at hand, in
// a run where it does not wait for ever.
func (e *engine) timeout(o *operation) time.Duration {
	limit := e.policy.Timeout
	if !e.client.patient() {
		patience := max(1, e.client.Patience.Sample(draw(o.key, drawPatience, o.state.Attempts)))
		if limit == 0 || patience < limit {
			limit = patience
		}
	}
	return limit
}

// outlives reports whether a request can still be on its way or with the server
// when its operation has ended.
func (e *engine) outlives() bool { return e.policy.Timeout > 0 || !e.client.patient() }

// replays reports whether the server has the answer to an operation already.
func (e *engine) replays(o *operation) bool { return e.client.Key && o.resources > 0 }

// commit notes that the work of an operation was done once more.
func (e *engine) commit(o *operation) {
	if !e.client.Creates || e.replays(o) {
		return
	}
	if o.resources > 0 {
		e.tally.duplicated()
	}
	o.resources = min(o.resources+1, 100)
}
