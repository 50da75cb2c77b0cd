package strategies_test

import (
	"fmt"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// A policy is read from its text, and its waits are asked for one by one. A
// draw of 0.5 each time shows the middle of the range.
func Example() {
	policy, err := strategies.Parse("full(base=500ms, cap=3s) + attempts(5)")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(policy)
	var state strategies.State
	for retry := 1; retry < policy.Attempts; retry++ {
		var wait time.Duration
		wait, state = policy.Wait.Next(state, strategies.Try{U: 0.5})
		fmt.Printf("retry %d after %v\n", retry, wait)
	}
	// Output:
	// full(base=500ms, cap=3s) + attempts(5)
	// retry 1 after 250ms
	// retry 2 after 500ms
	// retry 3 after 1s
	// retry 4 after 1.5s
}

// The two decisions, Before and After, drive a client. Time is a number that
// the caller adds up, so there is no clock to wait for: here a server answers
// 503, 503 and 200, after 20 ms each.
func ExamplePolicy() {
	policy, err := strategies.Parse("equal(base=100ms, cap=10s) + attempts(4) + deadline(1s)")
	if err != nil {
		fmt.Println(err)
		return
	}
	var (
		op      strategies.Operation
		now     time.Duration
		answers = []int{503, 503, 200}
	)
	for {
		if v := policy.Before(&op, now); v.Action == strategies.GiveUp {
			fmt.Printf("%v: gave up: %v\n", now, v.Why)
			return
		}
		status := answers[op.Attempts-1]
		now += 20 * time.Millisecond
		v := policy.After(&op, strategies.Outcome{Status: status}, now, 0.5)
		if v.Action != strategies.Wait {
			fmt.Printf("%v: %d, %v\n", now, status, v.Why)
			return
		}
		fmt.Printf("%v: %d, wait %v\n", now, status, v.Wait)
		now += v.Wait
	}
	// Output:
	// 20ms: 503, wait 75ms
	// 115ms: 503, wait 150ms
	// 285ms: 200, succeeded
}

// Every fault of a text is named at once.
func ExampleParse_faults() {
	_, err := strategies.Parse("ful(base=1s) + attempts(0)")
	fmt.Println(err)
	// Output:
	// invalid policy "ful(base=1s) + attempts(0)": unknown wait "ful" (did you mean "full"?); attempts: "0" is no whole number from 1 to 2147483647
}
