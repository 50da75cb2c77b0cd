//go:build reference

package sim

import "testing"

func TestReferencePatienceOracle(t *testing.T) { consultPatience(t, 8) }

func TestReferenceClosedOracle(t *testing.T) { consultClosed(t, 8) }

func TestReferenceErlangAOracle(t *testing.T) { consultErlangA(t, 8) }
