package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	const in = `goos: linux
cpu: any
BenchmarkDelay/shape=full/lib=stagger-2   100  9.0 ns/op  0 B/op  0 allocs/op
BenchmarkDelay/shape=full/lib=stagger-2   100  8.0 ns/op  0 B/op  0 allocs/op
BenchmarkDelay/shape=full/lib=slow-2      100  20 ns/op  16 B/op  2 allocs/op
BenchmarkDelay/shape=full/lib=slow-2      100  70 ns/op  16 B/op  2 allocs/op
BenchmarkDelay/shape=full/lib=slow-2      100  40 ns/op  16 B/op  2 allocs/op
BenchmarkDelay/shape=full/lib=quick-2     100  4.0 ns/op  0 B/op  0 allocs/op
BenchmarkDelay/shape=other/lib=quick-2    100  4.0 ns/op  0 B/op  0 allocs/op
PASS
`
	const want = `
shape library ns/op median times ours B/op allocs/op
full quick 4.0 4.0 0.50 0 0
full stagger 8.0 8.5 1.00 0 0
full slow 20.0 40.0 2.50 16 2
other quick 4.0 4.0 - 0 0
`
	var out bytes.Buffer
	if err := run(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	got := "\n"
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimSpace(line))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
		if words := strings.Fields(line); len(words) > 1 {
			got += strings.Join(words, " ") + "\n"
		}
	}
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestTableRefuses(t *testing.T) {
	const line = "BenchmarkDelay/shape=full/lib=stagger-2 100 9.0 ns/op 0 B/op 0 allocs/op\n"
	tests := []struct{ name, in, want string }{
		{"nothing", "", "no benchmark"},
		{"other benchmarks", "BenchmarkElse-2 100 9.0 ns/op 0 B/op 0 allocs/op\nPASS\n", "no benchmark"},
		{"a failure", line + "--- FAIL: BenchmarkDelay/shape=full/lib=gax\nFAIL\n", "benchmarks failed"},
		{"a failed build", "FAIL\tgithub.com/stagger-sim/stagger/bench/peers [build failed]\n", "benchmarks failed"},
		{"a panic", line + "panic: broken\n", "benchmarks failed"},
		{"no allocations", "BenchmarkDelay/shape=full/lib=stagger-2 100 9.0 ns/op\n", "no B/op"},
		{"half a line", "BenchmarkDelay/shape=full/lib=stagger-2 100 9.0\n", "unit"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(strings.NewReader(test.in), &out)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got the error %v, want %q", err, test.want)
			}
			if out.Len() > 0 {
				t.Errorf("printed %q", &out)
			}
		})
	}
}
