// Package reports turns a simulation's result into bytes: a text table, Markdown,
// CSV and JSON. It runs no simulation and opens no file. Charts are in the
// package charts below it.
package reports
