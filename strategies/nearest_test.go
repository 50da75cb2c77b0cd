package strategies_test

import (
	"testing"

	"github.com/stagger-sim/stagger/strategies"
)

func TestNearest(t *testing.T) {
	tests := []struct{ name, want string }{
		{"full", "full"},
		{"ful", "full"},                   // a letter is missing
		{"fulll", "full"},                 // one too many
		{"fixad", "fixed"},                // a wrong one
		{"exponetial", "exponential"},     // longer names allow more
		{"decorelate", "decorrelated"},    // two edits in ten letters
		{"Immediate", "immediate"},        // names are in small letters
		{"fual", "full"},                  // nearer than equal
		{"euqal", "equal"},                // a swap is two edits
		{"jitter", ""},                    // none is close
		{"x", ""},                         // short names allow little
		{"", ""},                          // nothing is like nothing
		{"full(base=500ms, cap=30s)", ""}, // no prefixes
	}
	for _, test := range tests {
		if got := strategies.Nearest(test.name, strategies.Waits()); got != test.want {
			t.Errorf("Nearest(%q) = %q, want %q", test.name, got, test.want)
		}
	}
}

func TestNearestAllowsShortNamesOneEdit(t *testing.T) {
	tests := []struct{ name, known, want string }{
		{"cp", "cap", "cap"},
		{"cb", "c", "c"},
		{"cb", "ca", "ca"},
		{"c", "cap", ""},
		{"xy", "ca", ""},
	}
	for _, test := range tests {
		if got := strategies.Nearest(test.name, []string{test.known}); got != test.want {
			t.Errorf("Nearest(%q) of %q = %q, want %q", test.name, test.known, got, test.want)
		}
	}
}

func TestNearestPrefersTheFirstOfEquals(t *testing.T) {
	if got := strategies.Nearest("cat", []string{"car", "can"}); got != "car" {
		t.Errorf("got %q, want %q", got, "car")
	}
}
