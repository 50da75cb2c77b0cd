//go:build reference

package sim

import "testing"

func TestReferenceCapacity(t *testing.T) { compareCapacityServers(t, whole(10)) }
