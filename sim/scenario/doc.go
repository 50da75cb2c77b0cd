// Package scenario holds the built-in scenarios and finds one by its name.
package scenario
