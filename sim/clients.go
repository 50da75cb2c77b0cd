package sim

import "time"

// Client is what all clients of a scenario have in common.
type Client struct {
	Creates  bool         `json:"creates,omitempty" doc:"every operation creates something, as a POST does: doing it twice makes a duplicate, unless the policy has a key, which the server keeps: it does the work once and repeats its answer at once; while it is at the work, another request with the key is answered 409"`
	Patience Distribution `json:"patience,omitempty" doc:"a client waits for an answer no longer than this, drawn anew for each attempt, whatever its policy says; constant(0s): as its policy says"`
}

// patient reports whether a client waits as long as its policy says.
func (c Client) patient() bool { return c.Patience == Distribution{} }

// timeout is how long the client waits for the answer to the attempt at hand; 0: for
// ever.
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
func (t *tier) outlives() bool { return t.policy.Timeout > 0 || !t.client.patient() || t.cancels }

// replays reports whether the server has the answer to an operation already.
func (e *engine) replays(o *operation) bool { return e.policy.Key && o.resources > 0 }

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
