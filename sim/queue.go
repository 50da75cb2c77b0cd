package sim

import (
	"math/bits"
	"time"
)

// kind says what happens at an event.
type kind uint8

const (
	opens   kind = iota // the load starts its next operation
	measure             // the warm-up is over
	changes             // a fault begins or ends
	looks               // the breakers are looked at
	sends               // an attempt that was planned is due
	arrives             // a request reaches the server
	writes              // contention: the WRITE reaches the server
	departs             // the server finishes a request
	answers             // an answer reaches its client
	expires             // a client stops waiting for an answer
)

// event is 16 bytes without pointers: the queue moves millions of them.
type event struct {
	key  uint64 // time and rank, see eventKey
	op   uint32 // of the request, see there
	gen  uint16
	code uint16 // kind and status, see codeOf
}

// request is the attempt that the event is about.
func (e event) request() request { return request{e.op, e.gen} }

// request is one attempt of an operation, as it travels and waits. The server
// may still hold it when its client has long given it up.
type request struct {
	op  uint32
	gen uint16 // the attempt's number, its low bits
}

// codeOf packs what happens and, with an answer, its status.
func codeOf(k kind, status uint16) uint16 { return status<<4 | uint16(k) }

func (e event) kind() kind     { return kind(e.code & 15) }
func (e event) status() uint16 { return e.code >> 4 }

// eventKey orders events by time and, at equal times, departures before all
// others. Events with the same key keep the order in which they were scheduled.
func eventKey(at time.Duration, k kind) uint64 {
	key := uint64(at) << 1
	if k != departs {
		key |= 1
	}
	return key
}

// at returns the time of the event.
func (e event) at() time.Duration { return time.Duration(e.key >> 1) }

// queue holds the events to come. Pushed keys never lie below the last one
// popped; equal keys come out in the order in which they went in.
type queue interface {
	push(event)
	pop() (event, bool)
	reset()
}

// radixQueue is a radix heap: an event waits in the bucket numbered by the
// highest bit in which its key differs from the last key popped, and moves to
// lower buckets as time draws near. All of its work is appending to and
// scanning short arrays, so it beats a binary heap from a few hundred pending
// events on, and by far at a million, where a heap misses the cache at every
// level (BenchmarkQueue). Moving a bucket keeps its order, which is what keeps
// equal keys first in, first out.
//
// Source: R. Ahuja, K. Mehlhorn, J. Orlin, R. Tarjan, "Faster Algorithms for
// the Shortest Path Problem", J. ACM 37 (1990), with two-way buckets.
type radixQueue struct {
	last    uint64
	head    int    // the next event of bucket 0
	filled  uint64 // bit b: bucket b ≥ 1 is not empty
	buckets [64][]event

	// ops are the operations that the events belong to; see fetch.
	ops  *[]operation
	sink uint64
}

func (q *radixQueue) push(e event) {
	b := bits.Len64(e.key ^ q.last)
	q.buckets[b&63] = append(q.buckets[b&63], e)
	q.filled |= 1 << b
}

func (q *radixQueue) pop() (event, bool) {
	for {
		if due := q.buckets[0]; q.head < len(due) {
			e := due[q.head]
			q.head++
			if q.head > longHead && 2*q.head > len(due) {
				q.forget()
			}
			return e, true
		}
		q.buckets[0] = q.buckets[0][:0]
		q.head = 0
		q.filled &^= 1
		if q.filled == 0 {
			return event{}, false
		}
		b := bits.TrailingZeros64(q.filled)
		q.filled &^= 1 << b
		bucket := q.buckets[b]
		if len(bucket) == 1 {
			e := bucket[0]
			q.buckets[b] = bucket[:0]
			q.last = e.key
			return e, true
		}
		q.spread(b, bucket)
	}
}

// longHead is how many events of bucket 0 may have been popped before their places
// are used again. Where one instant causes more events in the same instant, it never
// runs empty.
const longHead = 4096

// forget closes the gap that the popped events of bucket 0 have left.
func (q *radixQueue) forget() {
	due := q.buckets[0]
	q.buckets[0] = due[:copy(due, due[q.head:])]
	q.head = 0
}

// spread moves the events of a bucket, nearest of all, to lower ones.
func (q *radixQueue) spread(b int, bucket []event) {
	least := bucket[0].key
	for _, e := range bucket[1:] {
		least = min(least, e.key)
	}
	q.last = least
	if q.ops != nil && len(bucket) <= soon {
		q.fetch(bucket)
	}
	for _, e := range bucket {
		q.push(e)
	}
	q.buckets[b] = bucket[:0]
}

// soon is how many events may lie before an operation that is fetched: few
// enough that it is still in the cache when its turn comes.
const soon = 64

// fetch reads the operations that will be needed soon. Each of these reads may
// miss the cache, but they do not wait for one another; without them every event
// waits for its own. At 1e5 clients that is half again as many events a second.
func (q *radixQueue) fetch(bucket []event) {
	ops := *q.ops
	sum := uint64(0)
	for _, e := range bucket {
		if int(e.op) < len(ops) {
			sum += ops[e.op].key
		}
	}
	q.sink = sum // so that the compiler keeps the reads
}

func (q *radixQueue) reset() {
	for b := range q.buckets {
		q.buckets[b] = q.buckets[b][:0]
	}
	q.last, q.head, q.filled = 0, 0, 0
}
