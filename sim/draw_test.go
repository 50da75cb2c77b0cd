package sim

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// Known answers: what SplitMix64 gives from the seed 1234567. A generator that
// changes changes every result, so it must not do so unnoticed.
func TestDrawIsSplitMix64(t *testing.T) {
	known := []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821}
	for i, want := range known {
		if got := draw(1234567, purpose(i), 0); got != want {
			t.Errorf("draw %d: got %d, want %d", i, got, want)
		}
		if got := operationKey(1234567, uint64(i)); got != want {
			t.Errorf("key of operation %d: got %d, want %d", i, got, want)
		}
		// A seed's first output seeds its replications.
		if got, want := replicationKey(1234567, i), operationKey(known[0], uint64(i)); got != want {
			t.Errorf("key of replication %d: got %d, want %d", i, got, want)
		}
	}
}

// All purposes and attempts of an operation draw different outputs of its
// generator.
func TestNoTwoDrawsOfAnOperationAreTheSame(t *testing.T) {
	const key = 1
	seen := map[uint64]string{}
	for p := drawStart; p < purposes; p++ {
		for k := range 1000 {
			name := fmt.Sprintf("draw %d for purpose %d", k, p)
			bits := draw(key, p, int32(k))
			if other, ok := seen[bits]; ok {
				t.Fatalf("%s is also %s", name, other)
			}
			seen[bits] = name
		}
	}
	if drawWrite >= purposes {
		t.Errorf("%d purposes do not fit into %d", drawWrite+1, purposes)
	}
}

// Of 100,000 operations each, in neighbouring replications of neighbouring
// seeds, no two share a key: chance would make them once in 40 million.
func TestNoTwoOperationsShareTheirLuck(t *testing.T) {
	var keys []uint64
	for seed := range uint64(3) {
		for replication := range 3 {
			for i := range uint64(100_000) {
				keys = append(keys, operationKey(replicationKey(seed, replication), i))
			}
		}
	}
	slices.Sort(keys)
	if distinct := len(slices.Compact(keys)); distinct != 900_000 {
		t.Errorf("%d keys are distinct, want 900000", distinct)
	}
}

func TestUnitAndOpenStayInside(t *testing.T) {
	tests := []struct {
		bits       uint64
		unit, open float64
	}{
		{0, 0, 0x1p-53},
		{1 << 63, 0.5, 0.5 + 0x1p-53},
		{math.MaxUint64, 1 - 0x1p-53, 1 - 0x1p-53},
	}
	for _, test := range tests {
		if got := unit(test.bits); got != test.unit {
			t.Errorf("unit(%#x) = %v, want %v", test.bits, got, test.unit)
		}
		if got := open(test.bits); got != test.open {
			t.Errorf("open(%#x) = %v, want %v", test.bits, got, test.open)
		}
	}
}

// walk is a sequence of draws in which one part of the key goes up by one, the
// others being fixed: what neighbours in that part would share shows in it.
type walk struct {
	name string
	at   func(i int) uint64
}

func walks() []walk {
	replication := replicationKey(1, 0)
	operation := operationKey(replication, 0)
	return []walk{
		{"k", func(i int) uint64 { return draw(operation, drawBackoff, int32(i)) }},
		{"purpose", func(i int) uint64 {
			const all = int(drawWrite) + 1
			return draw(operationKey(replication, uint64(i/all)), purpose(i%all), 1)
		}},
		{"operation", func(i int) uint64 { return draw(operationKey(replication, uint64(i)), drawBackoff, 1) }},
		{"replication", func(i int) uint64 { return draw(operationKey(replicationKey(1, i), 0), drawBackoff, 1) }},
		{"seed", func(i int) uint64 { return draw(operationKey(replicationKey(uint64(i), 0), 0), drawBackoff, 1) }},
	}
}

// Each test turns a walk into a number of standard errors, which chance keeps
// within a few.
func TestDrawsAreRandom(t *testing.T) {
	tests := []struct {
		name string
		z    func(walk) float64
	}{
		{"bytes are equally frequent", bytesZ},
		{"bits are equally frequent", bitsZ},
		{"neighbours are uncorrelated", func(w walk) float64 { return correlationZ(w, 1) }},
		{"those 2 apart are uncorrelated", func(w walk) float64 { return correlationZ(w, 2) }},
		{"those 8 apart are uncorrelated", func(w walk) float64 { return correlationZ(w, purposes) }},
		{"neighbours differ in half of the bits", flipsZ},
		{"pairs of neighbours fill the square", pairsZ},
		{"birthdays, high bits", func(w walk) float64 { return birthdaysZ(w, 32) }},
		{"birthdays, low bits", func(w walk) float64 { return birthdaysZ(w, 0) }},
	}
	for _, w := range walks() {
		for _, test := range tests {
			t.Run(w.name+"/"+test.name, func(t *testing.T) {
				if z := test.z(w); !(math.Abs(z) < unlucky) {
					t.Errorf("z = %.1f", z)
				}
			})
		}
	}
}

const drawn = 1 << 17

// bytesZ counts the values of each byte of the draws.
func bytesZ(w walk) float64 {
	var counts [8][256]int
	for i := range drawn {
		x := w.at(i)
		for b := range counts {
			counts[b][byte(x>>(8*b))]++
		}
	}
	sum := 0.0
	for b := range counts {
		sum += chiSquareZ(counts[b][:])
	}
	return sum / math.Sqrt(float64(len(counts)))
}

// bitsZ counts each bit of the draws.
func bitsZ(w walk) float64 {
	var ones [64]int
	for i := range drawn {
		x := w.at(i)
		for b := range ones {
			ones[b] += int(x >> b & 1)
		}
	}
	square := 0.0
	for _, n := range ones {
		z := (float64(n) - drawn/2) / math.Sqrt(drawn/4)
		square += z * z
	}
	return asNormal(square, len(ones))
}

// correlationZ correlates each draw with the one so many steps on.
func correlationZ(w walk, lag int) float64 {
	here, there := make([]float64, drawn), make([]float64, drawn)
	for i := range drawn {
		here[i], there[i] = unit(w.at(i)), unit(w.at(i+lag))
	}
	r, _ := correlation(here, there)
	return r * math.Sqrt(drawn)
}

// flipsZ counts the bits in which neighbours differ.
func flipsZ(w walk) float64 {
	flips := 0
	for i := range drawn {
		flips += bits.OnesCount64(w.at(2*i) ^ w.at(2*i+1))
	}
	return (float64(flips) - 32*drawn) / math.Sqrt(16*drawn)
}

// pairsZ counts where pairs of neighbours fall in a square of 32 × 32 cells.
func pairsZ(w walk) float64 {
	counts := make([]int, 32*32)
	for i := range drawn {
		counts[w.at(2*i)>>59<<5|w.at(2*i+1)>>59]++
	}
	return chiSquareZ(counts)
}

// birthdaysZ takes 32 bits of 4096 draws as birthdays in a year of 2^32 days.
// How many of the spacings between them are equal is a Poisson number with mean
// 4096³/(4·2^32) = 4 (G. Marsaglia, 1985).
func birthdaysZ(w walk, shift int) float64 {
	const birthdays, years, mean = 4096, 32, 4 * 32
	equal := 0
	days := make([]uint64, birthdays)
	for year := range years {
		for i := range days {
			days[i] = w.at(year*birthdays+i) >> shift & math.MaxUint32
		}
		slices.Sort(days)
		spacings := make([]uint64, birthdays-1)
		for i := range spacings {
			spacings[i] = days[i+1] - days[i]
		}
		slices.Sort(spacings)
		equal += len(spacings) - len(slices.Compact(spacings))
	}
	return (float64(equal) - mean) / math.Sqrt(mean)
}

// chiSquareZ holds counts to equal frequencies.
func chiSquareZ(counts []int) float64 {
	all := 0
	for _, n := range counts {
		all += n
	}
	want := float64(all) / float64(len(counts))
	square := 0.0
	for _, n := range counts {
		square += (float64(n) - want) * (float64(n) - want) / want
	}
	return asNormal(square, len(counts)-1)
}

// asNormal returns the z that is as improbable as this value of chi-square.
func asNormal(square float64, freedom int) float64 {
	p := distuv.ChiSquared{K: float64(freedom)}.Survival(square)
	return -distuv.UnitNormal.Quantile(min(max(p, 1e-15), 1-1e-15))
}
