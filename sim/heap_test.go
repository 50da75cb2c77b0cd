package sim

import "container/heap"

// heapQueue is the plain queue that radixQueue is held to: a binary heap that
// orders events by their key and then by a number given at the push.
type heapQueue struct {
	events numbered
	pushed int
}

func (q *heapQueue) push(e event) {
	q.pushed++
	heap.Push(&q.events, numberedEvent{e, q.pushed})
}

func (q *heapQueue) pop() (event, bool) {
	if len(q.events) == 0 {
		return event{}, false
	}
	return heap.Pop(&q.events).(numberedEvent).event, true
}

func (q *heapQueue) reset() { *q = heapQueue{} }

type numberedEvent struct {
	event
	number int
}

// numbered is what container/heap works on.
type numbered []numberedEvent

func (n numbered) Len() int { return len(n) }

func (n numbered) Less(i, j int) bool {
	if n[i].key != n[j].key {
		return n[i].key < n[j].key
	}
	return n[i].number < n[j].number
}

func (n numbered) Swap(i, j int) { n[i], n[j] = n[j], n[i] }

func (n *numbered) Push(x any) { *n = append(*n, x.(numberedEvent)) }

func (n *numbered) Pop() any {
	last := len(*n) - 1
	x := (*n)[last]
	*n = (*n)[:last]
	return x
}
