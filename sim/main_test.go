package sim_test

import (
	"os"
	"testing"

	"github.com/stagger-sim/stagger/sim"
	"github.com/stagger-sim/stagger/sim/scenario"
)

// Tests inside of the package cannot import what reads scenario files, which
// imports the package; so it is handed to them.
func TestMain(m *testing.M) {
	sim.ParseScenario = scenario.Parse
	os.Exit(m.Run())
}
