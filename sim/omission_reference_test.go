//go:build reference

package sim

import "testing"

func TestReferenceOmission(t *testing.T) { compareOmission(t, 200) }
