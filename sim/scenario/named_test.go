package scenario

import (
	"bytes"
	"strings"
	"testing"
)

// A named policy looks like a mapping of one key to YAML.
func TestPoliciesMayHaveNames(t *testing.T) {
	const file = `load: {herd: {}}
server: {capacity: {workers: 5, service: constant(1s), queue: 5}}
policies:
  - careful: full(base=1s, cap=20s) + attempts(3)
  - "hasty: immediate"
  - immediate
clients: [50]
expect: [careful.calls > 1, hasty.calls > 1]
`
	s, err := Parse("named.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if s.Policies[0].Name != "careful" || s.Policies[1].Name != "hasty" || s.Policies[2].Name != "" {
		t.Errorf("got %v", s.Policies)
	}
	var out bytes.Buffer
	if err := Write(&out, s, ""); err != nil {
		t.Fatal(err)
	}
	again, err := Parse("again.yaml", out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if again.Policies[0] != s.Policies[0] || again.Policies[1] != s.Policies[1] {
		t.Errorf("comes back as %v", again.Policies)
	}
	_, err = Parse("twice.yaml", []byte(strings.Replace(file, "hasty: immediate", "careful: immediate", 1)))
	if err == nil || !strings.Contains(err.Error(), "twice.yaml:5:5: policies[1]: the name careful stands twice") {
		t.Errorf("a name that stands twice: %v", err)
	}
	_, err = Parse("bad.yaml", []byte(strings.Replace(file, "careful: full", "Careful: ful", 1)))
	if err == nil || !strings.Contains(err.Error(), `bad.yaml:4:5: policies[0]: invalid policy "Careful: ful(base=1s, cap=20s) + attempts(3)"`) {
		t.Errorf("a bad name: %v", err)
	}
}
