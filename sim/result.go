package sim

// Version is the version of stagger, written into every result.
const Version = "0.1.0"

// ResultSchema names the format of a Result.
const ResultSchema = "stagger.result/v1"

// Result is what a scenario gave: plain data, from which every table and chart
// is made. What does not apply is left out; what cannot be computed is null, and
// a warning says why.
type Result struct {
	Schema      string       `json:"schema"`
	Version     string       `json:"version"`
	Seed        uint64       `json:"seed"`
	Scenario    Scenario     `json:"scenario"`
	Warnings    []string     `json:"warnings"`
	Cells       []Cell       `json:"cells"`
	Comparisons []Comparison `json:"comparisons"`
	Expected    []Checked    `json:"expected,omitempty"` // the scenario's expectations, held against the cells
	Claims      []Judged     `json:"claims,omitempty"`   // the scenario's claims, put to the test
}

// Cell is one policy at one number of clients.
type Cell struct {
	Policy       string             `json:"policy"` // in the canonical text form
	Clients      int                `json:"clients"`
	Replications int                `json:"replications"`
	Metrics      map[string]*Metric `json:"metrics"`
	// Outcomes counts the attempts by how they ended for the client (a status,
	// refused, timeout, broken), as the mean over the replications.
	Outcomes map[string]float64 `json:"outcomes"`
	// GivenUpBy counts the operations that were given up by what ended them
	// (permanent, attempts, deadline, unsafe, budget, breaker, throttle), as the mean
	// over the replications.
	GivenUpBy     map[string]float64 `json:"given_up_by,omitempty"`
	CallsOverTime *Series            `json:"calls_over_time,omitempty"`
	Timeline      *Timeline          `json:"timeline,omitempty"`
}

// Timeline is the first replication of a scenario with faults or changes of the rate,
// second by second.
type Timeline struct {
	Offered   []int `json:"offered"`   // operations started
	Calls     []int `json:"calls"`     // attempts that reached the server
	Succeeded []int `json:"succeeded"` // operations that ended well
	Queued    []int `json:"queued"`    // most requests in the queue
	// Open is the share of the breakers that were not closed at the end of the
	// second, ShortCircuited the attempts that a breaker or throttle held back; both
	// are left out where nothing was ever held back.
	Open           []float64 `json:"open,omitempty"`
	ShortCircuited []int     `json:"short_circuited,omitempty"`
}

// Series counts the calls that reached the server, window by window, in the
// first replication.
type Series struct {
	WindowSeconds float64 `json:"window_seconds"`
	Calls         []int   `json:"calls"`
}
