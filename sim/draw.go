package sim

// Common random numbers: the k-th draw of an operation for a purpose is a
// function of (seed, replication, operation, purpose, k) and of nothing else.
// So two policies see the same luck, and one more client or policy changes
// nobody else's numbers.

// purpose says what a draw is for.
type purpose uint64

const (
	drawStart       purpose = iota // when the operation starts
	drawBackoff                    // the jitter of a wait
	drawRequest                    // the leg of the request
	drawAnswer                     // the leg of its answer
	drawService                    // the service time
	drawReadAnswer                 // contention: the leg of the answer to a READ
	drawWrite                      // contention: the leg of the WRITE after it
	drawFault                      // whether a fault strikes on arrival
	drawLate                       // whether a fault strikes after the work
	drawLostRequest                // whether the request is lost
	drawLostAnswer                 // whether the answer is lost
	drawThinning                   // whether a start of a stream that changes is one
	drawPatience                   // how long the client waits for an answer
	drawBefore                     // what the policy needs before an attempt
	drawBehind                     // the operation that the attempt is for the server behind
	drawCaller                     // whose operation the next of a stream is
	purposes        = 16           // a power of two, so that (k, purpose) packs
)

// golden is 2^64 divided by the golden ratio: the Weyl step of SplitMix64.
const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64 (Stafford's variant 13): each bit of the
// argument reaches each bit of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// replicationKey starts the draws of one replication.
func replicationKey(seed uint64, replication int) uint64 {
	return mix(mix(seed+golden) + golden*uint64(replication+1))
}

// operationKey starts the draws of one operation of a replication.
func operationKey(replication, operation uint64) uint64 {
	return mix(replication + golden*(operation+1))
}

// draw returns the 64 bits of an operation's k-th draw for a purpose.
func draw(operation uint64, p purpose, k int32) uint64 {
	return mix(operation + golden*(uint64(k)*purposes+uint64(p)+1))
}

// unit turns 64 bits into a number in [0, 1), a multiple of 2^-53.
func unit(bits uint64) float64 { return float64(bits>>11) * 0x1p-53 }

// open turns 64 bits into a number in (0, 1), for functions that have no value
// at the ends.
func open(bits uint64) float64 { return (float64(bits>>12) + 0.5) * 0x1p-52 }
