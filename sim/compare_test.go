package sim

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// Differences of 1, 2 and 3 have t = 2√3, and that lies beyond all but 7.42 %
// with two degrees of freedom: p = 1 − t/√(t² + 2).
func TestCompareIsPaired(t *testing.T) {
	list := compare(10, MetricCalls, []string{"a", "b"}, [][]float64{{101, 202, 303}, {100, 200, 300}})
	if len(list) != 1 {
		t.Fatalf("%d comparisons, want 1", len(list))
	}
	c := list[0]
	if c.Clients != 10 || c.Metric != MetricCalls || c.Best != "b" || c.Policy != "a" || c.ToldApart {
		t.Errorf("got %+v", c)
	}
	near(t, "difference", c.Difference, 2, 1e-15)
	near(t, "p", *c.P, 1-math.Sqrt(12./14), 1e-12)
	near(t, "low end", c.CI95[0], 2-4.302652729911275/math.Sqrt(3), 1e-9)
	near(t, "high end", c.CI95[1], 2+4.302652729911275/math.Sqrt(3), 1e-9)
	near(t, "correlation", *c.Correlation, 1, 1e-12)
}

func TestCompareAdjustsForTheNumberOfPolicies(t *testing.T) {
	best, other := []float64{100, 200, 300}, []float64{101, 202, 303}
	alone := compare(1, MetricCalls, []string{"best", "x"}, [][]float64{best, other})
	three := compare(1, MetricCalls, []string{"best", "x", "y", "z"}, [][]float64{best, other, other, other})
	if len(alone) != 1 || len(three) != 3 {
		t.Fatalf("%d and %d comparisons, want 1 and 3", len(alone), len(three))
	}
	for _, c := range three {
		near(t, "p among six pairs", *c.P, 6**alone[0].P, 1e-15)
	}
}

func TestCompareOfWhatDoesNotVary(t *testing.T) {
	list := compare(1, MetricCalls, []string{"best", "same", "more"}, [][]float64{{5, 5, 5}, {5, 5, 5}, {6, 6, 6}})
	if len(list) != 2 {
		t.Fatalf("%d comparisons, want 2", len(list))
	}
	if c := list[0]; c.Policy != "same" || *c.P != 1 || c.ToldApart || c.Correlation != nil {
		t.Errorf("equal: got %+v", c)
	}
	if c := list[1]; c.Policy != "more" || *c.P != 0 || !c.ToldApart || *c.CI95 != [2]float64{1, 1} {
		t.Errorf("always one more: got %+v", c)
	}
}

func TestTwoPairsThatDifferAlikeProveNothing(t *testing.T) {
	list := compare(1, MetricCalls, []string{"best", "more"}, [][]float64{{5, 7}, {6, 8}})
	if len(list) != 1 || list[0].ToldApart {
		t.Errorf("got %+v", list)
	}
}

// Of policies that are all the same, the best by chance must not be told apart
// from another more often than the level allows.
func TestCompareOfEqualPoliciesKeepsTheLevel(t *testing.T) {
	const groups, policies, replications = 2000, 6, 20
	random := rand.New(rand.NewPCG(1, 2))
	names := []string{"a", "b", "c", "d", "e", "f"}
	wrong := 0
	for range groups {
		samples := make([][]float64, policies)
		for i := range samples {
			for range replications {
				samples[i] = append(samples[i], random.NormFloat64())
			}
		}
		if slices.ContainsFunc(compare(1, MetricCalls, names, samples), func(c Comparison) bool { return c.ToldApart }) {
			wrong++
		}
	}
	// 5 % and four standard errors.
	if share := float64(wrong) / groups; share > 0.05+4*math.Sqrt(0.05*0.95/groups) {
		t.Errorf("%.3f of the groups hold a difference that is none", share)
	}
}

func TestCompareLeavesOutWhatWasNotMeasured(t *testing.T) {
	none := math.NaN()
	list := compare(1, MetricCalls, []string{"a", "b", "c"}, [][]float64{{1, none}, {2, 3}, {1, 3}})
	if len(list) != 1 || list[0].Best != "c" || list[0].Policy != "b" {
		t.Errorf("got %+v, want b against c", list)
	}
	if list := compare(1, MetricCalls, []string{"a", "b"}, [][]float64{{none, none}, {2, 3}}); len(list) != 0 {
		t.Errorf("got %+v, want no comparison", list)
	}
}

func TestOnePairTellsNothingApart(t *testing.T) {
	list := compare(1, MetricCalls, []string{"a", "b"}, [][]float64{{1}, {1000}})
	want := []Comparison{{Clients: 1, Metric: MetricCalls, Best: "a", Policy: "b", Difference: 999}}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("got %+v, want %+v", list, want)
	}
}

func TestDoubts(t *testing.T) {
	best := []float64{100, 200, 300, 400}
	like := []float64{101, 199, 302, 399}
	worse := []float64{200, 301, 399, 500}
	tests := []struct {
		name    string
		names   []string
		samples [][]float64
		want    []string
	}{
		{"told apart", []string{"best", "worse"}, [][]float64{best, worse}, nil},
		{"not told apart", []string{"best", "like", "worse", "alike"}, [][]float64{best, like, worse, like},
			[]string{"7 clients, calls: cannot be told apart from the best, best: like; alike"}},
		{"no luck, no doubt", []string{"best", "same"}, [][]float64{best, best}, nil},
		{"nobody to compare with", []string{"best"}, [][]float64{best}, nil},
	}
	for _, test := range tests {
		if got := doubts(compare(7, MetricCalls, test.names, test.samples)); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
