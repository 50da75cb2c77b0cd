// Package scenario reads and prints scenario files, reads the logs of arrivals
// that they name, and holds the built-in scenarios.
package scenario
