package strategies

// Outcome is how one attempt ended, as the client saw it.
type Outcome struct {
	Status int // the HTTP status
}

// Success reports whether the operation is done.
func (o Outcome) Success() bool { return o.Status >= 200 && o.Status < 300 }

// Retryable is the decision table: whether another attempt may help. It is true
// for 429 (too many requests) and for 502, 503 and 504 (a server or what is
// behind it in trouble), and false for everything that will not heal by itself.
func (o Outcome) Retryable() bool {
	switch o.Status {
	case 429, 502, 503, 504:
		return true
	}
	return false
}
