package scenario

import (
	"errors"
	"fmt"
	"strings"

	"github.com/stagger-sim/stagger/strategies"
)

// ErrUnknown is wrapped by the error about a name that no scenario has.
var ErrUnknown = errors.New("unknown scenario")

// Find returns the built-in scenario of this name. The error wraps [ErrUnknown]
// and says what was probably meant.
func Find(name string) (BuiltIn, error) {
	var names []string
	for _, b := range BuiltIns() {
		if b.Name == name {
			return b, nil
		}
		names = append(names, b.Name)
	}
	if near := strategies.Nearest(name, names); near != "" {
		return BuiltIn{}, fmt.Errorf("%w %q (did you mean %q?)", ErrUnknown, name, near)
	}
	return BuiltIn{}, fmt.Errorf("%w %q (known: %s; the name of a file ends in .yaml or .yml, or holds a /)",
		ErrUnknown, name, strings.Join(names, ", "))
}
