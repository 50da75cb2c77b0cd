//go:build reference

package sim

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The same bytes come from processors with and without fused multiply-add, and
// from the browser's. Each target's standard library is built anew, which takes
// a minute the first time.

func TestReferencePortableAMD64(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skipf("a program for amd64 does not run on %s", runtime.GOARCH)
	}
	want := printed(t, exec.CommandContext(t.Context(), buildPortable(t, "GOAMD64=v1")))
	v3 := exec.CommandContext(t.Context(), buildPortable(t, "GOAMD64=v3"))
	if message, _ := v3.CombinedOutput(); bytes.Contains(message, []byte("v3 microarchitecture support")) {
		t.Skipf("this processor is too old: %s", message)
	}
	sameBytes(t, printed(t, exec.CommandContext(t.Context(), v3.Path)), want)
}

func TestReferencePortableWASM(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	start := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	wasm := exec.CommandContext(t.Context(), start, buildPortable(t, "GOOS=js", "GOARCH=wasm"))
	wasm.Env = []string{"PATH=" + os.Getenv("PATH")} // there is room for little more
	sameBytes(t, printed(t, wasm), printed(t, exec.CommandContext(t.Context(), buildPortable(t))))
}
