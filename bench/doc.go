// Package bench holds the benchmarks of the waits and of the engine. What they
// gate on is allocations, which are exact; times are for reading.
//
// Their names are key=value, so that benchstat can set side by side what
// differs in one key. The comparison with other libraries is a module of its
// own, peers, so that none of them enters the product.
package bench
