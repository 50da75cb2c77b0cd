package sim

import "slices"

// Claim is a sentence that a scenario puts to the test.
type Claim struct {
	Says    string        `json:"says" need:"yes" doc:"the claim, in a sentence"`
	HoldsIf []Expectation `json:"holds_if" need:"yes" doc:"what must come out if it is true, each as in expect"`
}

// Judged is a claim with what was measured.
type Judged struct {
	Claim    string    `json:"claim"`
	Evidence []Checked `json:"evidence"`
	Verdict  string    `json:"verdict"` // BorneOut, NotBorneOut or CannotBeTold
}

// What can be said of a claim.
const (
	BorneOut     = "borne out"      // all of its evidence is met
	NotBorneOut  = "not borne out"  // some of its evidence is refuted
	CannotBeTold = "cannot be told" // neither: chance could have made the difference
)
