package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/stagger-sim/stagger/strategies"
)

// ErrUnknown is wrapped by the error about a name that no scenario has.
var ErrUnknown = errors.New("unknown scenario")

// Find returns the built-in scenario of this name. The error wraps [ErrUnknown]
// and says what was probably meant.
func Find(name string) (BuiltIn, error) {
	names := Names()
	if slices.Contains(names, name) {
		return builtIn(name), nil
	}
	if near := strategies.Nearest(name, names); near != "" {
		return BuiltIn{}, fmt.Errorf("%w %q (did you mean %q?)", ErrUnknown, name, near)
	}
	return BuiltIn{}, fmt.Errorf("%w %q (known: %s; the name of a file ends in .yaml or .yml, or holds a /)",
		ErrUnknown, name, strings.Join(names, ", "))
}
