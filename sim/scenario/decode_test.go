package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/stagger-sim/stagger/sim"
)

// least is a file with what a scenario needs, in its first three lines.
const least = `load: {herd: {}}
server: {capacity: {workers: 5, service: constant(1s), queue: unlimited}}
clients: [10]
`

const load = "load: {herd: {}}\n"

// rest is least without its load.
var rest = strings.TrimPrefix(least, load)

// problems lists what is wrong with a file, each as line:column: text.
func problems(t *testing.T, text string) []string {
	t.Helper()
	_, err := Parse("my.yaml", []byte(text))
	if err == nil {
		return nil
	}
	var file *FileError
	if !errors.As(err, &file) || !errors.Is(err, sim.ErrScenario) {
		t.Fatalf("%q: %T is no FileError that wraps sim.ErrScenario", text, err)
	}
	var list []string
	for _, p := range file.Problems {
		list = append(list, fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Text))
	}
	return list
}

const (
	topKeys = "name, title, load, network, server, behind, faults, client, policies, clients, replications, seed, stop, expect, claims"
	foreign = "anchors, aliases, tags and merges are not for scenarios"
)

func TestParseSaysWhatIsWrongAndWhere(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		// The file as a whole.
		{"empty", "", []string{"0:0: the file is empty; stagger scenarios herd prints one to start from"}},
		{"comments only", "# a\n\n# b\n", []string{"0:0: the file is empty; stagger scenarios herd prints one to start from"}},
		{"a text", "herd\n", []string{"1:1: the file: must be a mapping; its keys are " + topKeys}},
		{"a list", "- herd\n", []string{"1:1: the file: must be a mapping; its keys are " + topKeys}},
		{"null", "null\n", []string{"1:1: the file: must be a mapping; its keys are " + topKeys}},
		{"two documents", least + "---\n" + least, []string{"5:1: a second document begins; a file holds one scenario"}},
		{"an empty document first", "---\n---\n" + least, []string{"2:1: a second document begins; a file holds one scenario"}},
		{"not UTF-8", least + "title: caf\xe9\n", []string{"4:11: this is no text in UTF-8"}},
		{"a zero byte", least + "title: a\x00b\n", []string{"4:9: this is no text in UTF-8"}},

		// Keys.
		{"unknown key", least + "replication: 3\n", []string{`4:1: replication: unknown key (did you mean "replications"?)`}},
		{"unknown key, no guess", least + "colour: red\n", []string{"4:1: colour: unknown key (known: " + topKeys + ")"}},
		{"unknown key below", "load:\n  herd:\n    spreadd: 1s\n" + rest, []string{`3:5: load.herd.spreadd: unknown key (did you mean "spread"?)`}},
		{"where there are none", load + "clients: [10]\nserver: {contention: {rows: 1}}\n", []string{
			"3:23: server.contention.rows: unknown key (there are none here)",
		}},
		{"case matters", least + "Title: x\n", []string{`4:1: Title: unknown key (did you mean "title"?)`}},
		{"duplicate key", least + "seed: 1\nseed: 2\n", []string{"5:1: seed: stands twice"}},
		{"missing keys", "name: x\n", []string{
			"1:1: load: is missing (when operations start: one of herd, stream, closed, periodic and trace)",
			"1:1: server: is missing (what the clients contend for: one of capacity and contention)",
			"1:1: clients: is missing (numbers of clients to try, each with every policy)",
		}},
		{"missing key below", "clients: [10]\nload: {herd: {}}\nserver:\n  capacity:\n    workers: 5\n    queue: 1\n", []string{
			"4:3: server.capacity.service: is missing (time that a worker needs for one)",
		}},
		{"misspelt is not missing too", "clients: [10]\nload: {herd: {}}\nsrver: {contention: {}}\n", []string{
			`3:1: srver: unknown key (did you mean "server"?)`,
		}},
		{"no word as key", least + "? seed\n: 1\n", []string{"4:1: the file: a key must be a word"}},

		// What YAML has and scenarios do not.
		{"anchor and alias", least + "name: &a x\ntitle: *a\n", []string{"4:7: name: " + foreign, "5:8: title: " + foreign}},
		{"tag", least + "seed: !!int 5\n", []string{"4:7: seed: " + foreign}},
		{"tag before a list", least + "faults: !!seq []\n", []string{"4:9: faults: " + foreign}},
		{"merge", least + "<<: {seed: 2}\n", []string{"4:1: the file: " + foreign}},
		{"tab", least + "network:\n\tleg: constant(1s)\n", []string{"5:1: a tab cannot indent a line; use spaces"}},
		{"colon in a text", least + "title: herd: all at once\n", []string{
			`4:8: a ": " cannot stand here; if it belongs to a text, put the text in quotes`,
		}},
		{"no colon", least + "title\n", []string{`4:1: a key and a ":" are missing here`}},
		{"open quotes", least + "title: \"herd\n", []string{"4:8: a quotation mark is never closed"}},
		{"open list", least + "policies: [full\n", []string{`4:11: a "[" is never closed`}},

		// Types.
		{"no number", strings.Replace(least, "workers: 5", "workers: five", 1), []string{`2:30: server.capacity.workers: "five" is not a whole number`}},
		{"number in quotes", strings.Replace(least, "workers: 5", "workers: '5'", 1), []string{
			`2:30: server.capacity.workers: "5" is a text; write a whole number without quotes`,
		}},
		{"fraction", least + "replications: 1.5\n", []string{`4:15: replications: "1.5" is not a whole number`}},
		{"hexadecimal", least + "replications: 0x10\n", []string{`4:15: replications: "0x10" is not a whole number`}},
		{"underscore", least + "replications: 1_000\n", []string{`4:15: replications: "1_000" is not a whole number`}},
		{"too large", least + "replications: 99999999999999999999\n", []string{`4:15: replications: "99999999999999999999" is not a whole number`}},
		{"negative seed", least + "seed: -1\n", []string{`4:7: seed: "-1" is not a whole number from 0 to 18446744073709551615`}},
		{"yes", least + "client: {creates: yes}\n", []string{`4:19: client.creates: "yes" is not true or false`}},
		{"neither number nor unlimited", strings.Replace(least, "unlimited", "endless", 1), []string{
			`2:63: server.capacity.queue: "endless" is neither a whole number nor unlimited`,
		}},
		{"list for a number", least + "seed: [1]\n", []string{"4:7: seed: must be a single value, not a list or a mapping"}},
		{"mapping for a text", least + "name: {a: b}\n", []string{"4:7: name: must be a single value, not a list or a mapping"}},
		{"number for a list", least + "policies: full\n", []string{"4:11: policies: must be a list, each item on a line after a dash, or as in [1, 2]"}},
		{"number for a mapping", least + "client: 5\n", []string{"4:9: client: must be a mapping; its keys are creates, patience"}},
		{"nothing for a number", least + "seed:\n", []string{"4:7: seed: has no value"}},
		{"nothing for a mapping", "load:\n  herd:\n" + rest, []string{"2:8: load.herd: has no value; write {} if nothing in it is to be set"}},

		// Units and texts.
		{"no unit", least + "stop: 60\n", []string{`4:7: stop: "60" is no duration (write 500ms, 1.5s, 2m)`}},
		{"unknown unit", least + "stop: 2d\n", []string{`4:7: stop: "2d" is no duration (write 500ms, 1.5s, 2m)`}},
		{"too long", least + "stop: 9999999999h\n", []string{`4:7: stop: "9999999999h" is no duration (write 500ms, 1.5s, 2m)`}},
		{"distribution", least + "network: {leg: normal(10ms)}\n", []string{
			`4:16: network.leg: invalid distribution "normal(10ms)": write normal(10ms, 20ms)`,
		}},
		{"policies", least + "policies:\n  - full\n  - ful\n  - full(cap=1)\n", []string{
			`6:5: policies[1]: invalid policy "ful": unknown wait "ful" (did you mean "full"?)`,
			`7:5: policies[2]: invalid policy "full(cap=1)": full: cap: "1" is no duration (write 500ms, 1.5s, 2m; at most 2562047h)`,
		}},
		{"warm-up", "load: {stream: {rate: 1, warm_up: long}}\n" + rest, []string{
			`1:35: load.stream.warm_up: warm-up "long" is neither mser5 nor a duration`,
		}},
		{"expectation", least + "expect:\n  - full.cals < 5\n", []string{
			`5:5: expect[0]: "full.cals < 5": unknown metric "cals" (did you mean "calls"?)`,
		}},

		// What contradicts itself.
		{"nothing chosen", "load: {}\n" + rest, []string{"1:1: load: must be one of herd, stream, closed, periodic and trace"}},
		{"two chosen", "load:\n  herd: {}\n  stream: {rate: 1}\n" + rest, []string{"1:1: load: must be one of herd, stream, closed, periodic and trace"}},
		{"out of range", strings.Replace(least, "workers: 5", "workers: 0", 1) + "replications: 0\nstop: -1s\n", []string{
			"2:30: server.capacity.workers: must be from 1 to 100000000, got 0",
			"4:15: replications: must be from 1 to 1000000, got 0",
			"5:7: stop: must be above 0s and at most 10 years, got -1s",
		}},
		{"clients", least[:len(least)-len("[10]\n")] + "\n  - 0\n  - 7\n  - 7\n  - 1000000000000\n", []string{
			"4:5: clients[0]: must be from 1 to 100000000, got 0",
			"6:5: clients[2]: 7 stands twice",
			"7:5: clients[3]: must be from 1 to 100000000, got 1000000000000",
		}},
		{"no policies", least + "policies: []\n", []string{"4:1: policies: at least one is needed"}},
		{"a policy twice", least + "policies: [full, 'full(base=0.5s)']\n", []string{
			"4:18: policies[1]: full(base=500ms, cap=30s) stands twice",
		}},
		{"faults", least + "faults:\n" +
			"  - {kind: slo, from: 0s, for: 1s}\n" +
			"  - {kind: slow, from: -1s, for: 0s, factor: -1}\n" +
			"  - {kind: error, from: 0s, for: 1s, share: 2}\n", []string{
			`5:12: faults[0].kind: "slo" is none of down hang pause error lost slow capacity loss`,
			"6:24: faults[1].from: must not be negative, got -1s",
			"6:34: faults[1].for: must be above 0s and at most 10 years, got 0s",
			"6:46: faults[1].factor: must be above 0 and at most 1e6, got -1",
			"7:5: faults[2].status: must be from 400 to 599, got 0",
			"7:45: faults[2].share: must be above 0 and at most 1, got 2",
		}},
		{"a fault without workers", load + "clients: [1]\nserver: {contention: {}}\nfaults: [{kind: pause, from: 0s, for: 1s}]\n", []string{
			"4:17: faults[0].kind: pause needs a capacity server",
		}},
		{"fields of a server behind", least + "behind:\n" +
			"  - name: service\n" +
			"    capacity: {workers: 5, service: constant(1s), queue: 5}\n" +
			"    leg: normal(1ms)\n" +
			"    policy: ful\n" +
			"    cancel: 1\n" +
			"    retries: 3\n", []string{
			`7:10: behind[0].leg: invalid distribution "normal(1ms)": write normal(10ms, 20ms)`,
			`8:13: behind[0].policy: invalid policy "ful": unknown wait "ful" (did you mean "full"?)`,
			`9:13: behind[0].cancel: "1" is not true or false`,
			"10:5: behind[0].retries: unknown key (known: name, capacity, leg, policy, cancel)",
		}},
		{"a server behind", least + "behind:\n" +
			"  - name: service\n" +
			"    capacity: {workers: 0, service: constant(1s), queue: 5}\n" +
			"  - {name: 'The DB', capacity: {workers: 5, service: constant(1s), queue: 5}}\n" +
			"faults:\n" +
			"  - {kind: down, layer: servce, from: 0s, for: 1s}\n" +
			"expect:\n" +
			"  - full.calls_servce < 5\n", []string{
			"6:25: behind[0].capacity.workers: must be from 1 to 100000000, got 0",
			`7:12: behind[1].name: "The DB" is no name; write a word of small letters, digits and _, of at most 40`,
			`9:25: faults[0].layer: no server behind the first is called "servce" (did you mean "service"?)`,
			`11:5: expect[0]: full.calls_servce < 5: no server behind the first is called "servce" (did you mean "service"?)`,
		}},
		{"a server behind without what it needs", least + "behind:\n" +
			"  - name: service\n" +
			"  - capacity: {workers: 5, queue: 5}\n" +
			"  - database\n", []string{
			"5:5: behind[0].capacity: is missing (its workers and queue)",
			"6:5: behind[1].capacity.service: is missing (time that a worker needs for one)",
			"6:5: behind[1].name: is missing (a word of small letters, digits and _, by which faults and expectations call it)",
			"7:5: behind[2]: must be a mapping; its keys are name, capacity, leg, policy, cancel",
		}},
		{"claims", least + "claims:\n" +
			"  - says: Full jitter needs fewer calls\n" +
			"  - {says: '', holds_if: []}\n" +
			"  - {says: It does, holds_if: [fall.calls < 5, full.cals < 5]}\n", []string{
			"5:5: claims[0].holds_if: is missing (what must come out if it is true, each as in expect)",
			`7:48: claims[2].holds_if[1]: "full.cals < 5": unknown metric "cals" (did you mean "calls"?)`,
		}},
		{"empty claims", least + "claims:\n" +
			"  - {says: '', holds_if: []}\n" +
			"  - {says: It does, holds_if: [fall.calls < 5]}\n", []string{
			"5:12: claims[0].says: is empty",
			"5:16: claims[0].holds_if: is empty",
			`6:32: claims[1].holds_if[0]: fall.calls < 5: no policy is called "fall"`,
		}},
		{"warm-up after the stop", "load: {stream: {rate: 1, warm_up: 2m}}\n" + rest + "stop: 1m\n", []string{
			"1:35: load.stream.warm_up: must end before the stop (1m0s), got 2m0s",
		}},
		{"expectations", least + "expect:\n" +
			"  - fall.calls < 5\n" +
			"  - full@11.calls < 5\n" +
			"  - full.recovery_seconds < 5s\n", []string{
			`5:5: expect[0]: fall.calls < 5: no policy is called "fall"`,
			"6:5: expect[1]: full@11.calls < 5: 11 clients are not simulated",
			"7:5: expect[2]: full.recovery_seconds < 5s: recovery_seconds does not apply to this scenario",
		}},

		// Several at once, in the order of the file.
		{"several", "nam: x\nserver: {capacity: {workers: many, queue: 1, service: constant(1)}}\nload: {herd: {spread: 5}}\nclients: 10\n", []string{
			`1:1: nam: unknown key (did you mean "name"?)`,
			`2:30: server.capacity.workers: "many" is not a whole number`,
			`2:55: server.capacity.service: invalid distribution "constant(1)": "1" is no duration (write constant(10ms))`,
			`3:23: load.herd.spread: "5" is no duration (write 500ms, 1.5s, 2m)`,
			"4:10: clients: must be a list, each item on a line after a dash, or as in [1, 2]",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, problems(t, test.text)); diff != "" {
				t.Errorf("%s\n(-want +got)\n%s", test.text, diff)
			}
		})
	}
}

func TestLineEndsAndMarksOfOtherSystemsAreRead(t *testing.T) {
	want, err := Parse("x.yaml", []byte(least))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"CRLF":           strings.ReplaceAll(least, "\n", "\r\n"),
		"BOM":            "\ufeff" + least,
		"document marks": "---\n" + least + "...\n",
		"no end of line": strings.TrimSpace(least),
		"as JSON":        `{"load": {"herd": {}}, "server": {"capacity": {"workers": 5, "service": "constant(1s)", "queue": "unlimited"}}, "clients": [10]}`,
	} {
		got, err := Parse("x.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	bad := problems(t, strings.ReplaceAll("\ufeff"+least+"sed: 1\n", "\n", "\r\n"))
	if diff := cmp.Diff([]string{`4:1: sed: unknown key (did you mean "seed"?)`}, bad); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsLeftOutHasADefault(t *testing.T) {
	got, err := Parse("dir/busy-hour.yaml", []byte(least))
	if err != nil {
		t.Fatal(err)
	}
	want := Defaults()
	want.Name = "busy-hour"
	want.Load.Herd = &sim.Herd{}
	want.Server.Capacity = &sim.Capacity{Workers: 5, Service: sim.Constant(time.Second), Queue: sim.Unlimited}
	want.Clients = []int{10}
	if diff := cmp.Diff(asJSON(t, want), asJSON(t, got)); diff != "" {
		t.Error(diff)
	}
}

func TestNameIsThatOfTheFileUnlessItHasOne(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"my.yaml", "", "my"},
		{"/a/b.c/peak.hour.yml", "", "peak.hour"},
		{"stdin", "", "stdin"},
		{".yaml", "", "scenario"},
		{"my.yaml", "name: rush\n", "rush"},
		{"my.yaml", "name: 42\n", "42"},
		{"my.yaml", "name: 'a: b'\n", "a: b"},
	} {
		s, err := Parse(test.file, []byte(least+test.text))
		if err != nil || s.Name != test.want {
			t.Errorf("%s with %q: got %q (%v), want %q", test.file, test.text, s.Name, err, test.want)
		}
	}
}

func asJSON(t interface {
	Helper()
	Fatal(...any)
}, s sim.Scenario) string {
	t.Helper()
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
