// Package charts draws a result as pictures: what each policy costs in calls and
// in time as clients grow, the waves in which calls reach the server, and what
// each policy's waits look like. It alone knows gonum/plot.
package charts
