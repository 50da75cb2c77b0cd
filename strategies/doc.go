// Package strategies holds what a client decides between two attempts: how long
// to wait, which outcome is worth a retry, and when to stop.
//
// A wait is a pure function of what the operation remembers ([State]) and of
// what this one decision may depend on ([Try]); a [Policy] joins a wait with
// limits. Nothing here reads a clock, sleeps or draws a random number: time and
// chance come in as arguments, so the simulator, a benchmark and a production
// client run the very same code.
//
//	policy, err := strategies.Parse("full(base=500ms, cap=30s) + attempts(5)")
//
// The text form is the one used by flags, files and reports; [Parse] and
// [Policy.String] are inverse to each other.
package strategies
