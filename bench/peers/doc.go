// Package peers times our waits beside those of the retry libraries that Go
// programs use. It is a module of its own, so that no peer enters the product.
// One run makes one table:
//
//	for i in 1 2 3 4 5 6; do
//		go test -run '^$' -bench . -benchmem -count 10 -benchtime 3ms .
//	done | go run ./table
//
// Short benchmarks, often and in turn: on a machine that is not idle, some of
// them are left alone, and a slow moment does not meet one library only.
package peers
