// Package sim simulates clients that contend for a server of limited capacity
// and retry by a policy of package strategies.
//
// A [Scenario] is an experiment as plain data; [Run] simulates every policy at
// every number of clients over many replications and returns a [Result], plain
// data again. The package touches no clock, file or network: the same scenario
// and seed give the same result, byte for byte, on any number of processors and
// on any kind of them.
//
// # Words
//
// An operation is what a client wants done once; an attempt (or call) is one
// request for it; a retry is an attempt after the first. Amplification is
// attempts ÷ operations. Completion is when the last operation ended. The peak
// is the largest number of attempts that reached the server in one window of
// 100 ms.
//
// # Order of events
//
// Time is whole nanoseconds. At equal times departures precede everything else,
// so that a worker who becomes free serves a request that arrives in the same
// instant; then the order in which events were scheduled decides.
package sim
