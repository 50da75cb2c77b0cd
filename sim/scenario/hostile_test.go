package scenario

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/stagger-sim/stagger/sim"
)

// whole uses every key that can stand beside the others; each of its values stands alone on its line.
const whole = `name: whole
title: everything
load:
  stream:
    rate: 1
    warm_up: 1s
    even: false
    profile:
      - at: 1s
        factor: 2
        ramp: true
    sine:
      period: 1s
      amplitude: 0.5
network:
  leg: constant(1ms)
server:
  capacity:
    workers: 5
    service: constant(1s)
    queue: 5
    last_first: false
    drop_older: 1s
    drop_abandoned: false
    per_concurrent: 1ms
    shed: 1s
    refusal_cost: 1ms
    limit:
      requests: 5
      per: 1s
      burst: 1
      retry_after: 1s
      slots: true
      whole_seconds: true
      ban_after: 1
      ban_for: 1s
faults:
  - kind: error
    from: 1s
    for: 1s
    spread: 1s
    share: 0.5
    status: 503
    retry_after: 1s
    processed: true
  - kind: slow
    from: 1s
    for: 1s
    factor: 2
client:
  creates: true
policies:
  - full
clients:
  - 5
replications: 5
seed: 1
stop: 1m
expect:
  - full.calls > 5
`

// hostileInputs lists what a file may hold by mistake, by accident or by malice.
// All are wrong.
func hostileInputs() map[string]string {
	inputs := map[string]string{}
	lines := strings.SplitAfter(whole, "\n")
	for i, line := range lines {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		put := func(what, text string) {
			inputs[fmt.Sprintf("line %d %s: %s", i+1, what, strings.TrimSpace(line))] =
				strings.Join(lines[:i], "") + text + strings.Join(lines[i+1:], "")
		}
		if !ok && strings.Contains(line, ":") {
			put("is empty", line[:len(line)-1]+" {nonsense: 1}\n")
			put("is misspelt", strings.Replace(line, ":", "zz:", 1))
			continue
		}
		if !ok {
			continue
		}
		put("misspelt", key+"zz: "+value+"\n")
		put("twice", line+strings.Replace(line, "- ", "  ", 1))
		put("list", key+": [[[]]]\n")
		put("mapping", key+": {a: {b: c}}\n")
		put("null", key+": ~\n")
		put("alias", key+": *nobody\n")
		put("tag", key+": !!binary aGVsbG8=\n")
		if name := strings.TrimSpace(key); name == "name" || name == "title" {
			continue
		}
		for _, wrong := range []string{
			"-1", "-1s", "1e12", "1000000000000000000000", ".nan", "NaN", "-.inf", "Infinity", "0x1p4", "0b1", "1;drop",
			"''", "nonsense", "2001-01-01", "99999999h", strings.Repeat("9", 5000),
		} {
			// A few keys take what others do not.
			if strings.Contains(line, "seed") && wrong == "1e12" {
				continue
			}
			put(wrong[:min(len(wrong), 10)], key+": "+wrong+"\n")
		}
	}

	repeat := strings.Repeat
	random := rand.New(rand.NewPCG(1, 2))
	junk := func(n int) string {
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		return string(data)
	}
	printable := func(n int) string {
		const signs = "[]{},:-?&*!|>'\"%@`#\\ \n\tab1.~<="
		data := make([]byte, n)
		for i := range data {
			data[i] = signs[random.IntN(len(signs))]
		}
		return string(data)
	}
	stairs := func(step string, n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(repeat(" ", i) + step + "\n")
		}
		return b.String()
	}
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'b'; c <= 'z'; c++ {
		bomb += fmt.Sprintf("%c: &%c [%s*%c]\n", c, c, repeat(fmt.Sprintf("*%c, ", c-1), 8), c-1)
	}
	for name, text := range map[string]string{
		"no workers":         strings.Replace(least, "workers: 5", "workers: 0", 1),
		"1e12 clients":       load + "clients: [1000000000000]\n" + "server: {contention: {}}\n",
		"alias bomb":         bomb,
		"alias bomb below":   least + "faults:\n" + bomb,
		"endless alias":      "a: &a\n  b: *a\n",
		"merge bomb":         "a: &a {b: 1}\n" + repeat("<<: *a\n", 5000),
		"nested [":           least + "faults: " + repeat("[", 100_000),
		"nested [] ":         least + "faults: " + repeat("[", 10_000) + repeat("]", 10_000),
		"nested {":           repeat("{a: ", 50_000),
		"nested {}":          repeat("{a: ", 5_000) + "1" + repeat("}", 5_000),
		"nested [{":          repeat("[{a: ", 5_000),
		"nested - ":          repeat("- ", 100_000),
		"nested ?":           repeat("? ", 100_000),
		"dashes":             repeat("-\n", 100_000),
		"stairs":             stairs("a:", 700),
		"stairs of dashes":   stairs("-", 700),
		"stairs in a field":  least + "client:\n" + stairs(" a:", 600),
		"many keys":          repeat("a: 1\n", 50_000),
		"many unknown keys":  numbered("k%d: 1\n", 20_000),
		"many keys {":        "{" + repeat("a: 1, ", 30_000) + "}",
		"many clients":       least[:len(least)-len("clients: [10]\n")] + "clients: [" + numbered("%d, ", 40_000) + "]\n",
		"many client lines":  rest + load + "clients:\n" + numbered("- %d\n", 9_000),
		"many policies":      least + "policies:\n" + numbered("- full + attempts(%d)\n", 9_000),
		"many expectations":  least + "expect:\n" + repeat("- full.calls < 1\n", 9_000),
		"ambiguous":          least + "policies:\n" + numbered("- full + attempts(%d)\n", 2_001)[22:] + "expect:\n" + repeat("- full.calls < 1\n", 2_000),
		"many documents":     repeat("---\na: 1\n", 30_000),
		"many empty ones":    repeat("---\n", 60_000),
		"many comments":      repeat("# a\n", 60_000),
		"many empty lines":   repeat("\n", 250_000),
		"many tabs":          repeat("\t", 250_000),
		"many colons":        repeat(": ", 120_000),
		"many a: ":           repeat("a: ", 80_000),
		"many quotes":        repeat(`"`, 200_000),
		"many single quotes": repeat("'", 200_001),
		"many %":             repeat("%", 200_000),
		"many tags":          repeat("!!a ", 60_000),
		"many anchors":       repeat("&a ", 80_000),
		"many literals":      repeat("|\n", 120_000),
		"many commas":        repeat(",", 200_000),
		"closing ]":          repeat("]", 200_000),
		"closing }":          repeat("}", 200_000),
		"a 2 MB line":        least + "title: " + repeat("x", 2<<20) + "\n",
		"2 MB of lines":      repeat(least, 30_000),
		"a long value":       least + "stop: " + repeat("1", 200_000) + "s\n",
		"a long distance":    least + "network: {leg: " + repeat("constant(", 20_000) + "}\n",
		"a long policy":      least + "policies: [" + repeat("full + ", 30_000) + "full]\n",
		"a long key":         least + repeat("k", 200_000) + ": 1\n",
		"a long bad line":    least + "title: " + repeat("a: ", 20_000) + "\n",
		"open double quote":  least + `title: "` + repeat("x", 100_000),
		"open single quote":  least + `title: '` + repeat("x\n", 50_000),
		"open escape":        least + `title: "\`,
		"bad escape":         least + `title: "\q"` + "\n",
		"short escape":       least + `title: "\x1"` + "\n",
		"literal":            least + "stop: |\n" + repeat("  1s\n", 10_000),
		"folded":             least + "seed: >-\n  1\n  2\n",
		"zero bytes":         repeat("\x00", 1000),
		"a zero byte":        least + "title: a\x00b\n",
		"UTF-16":             "\xff\xfe" + strings.Join(strings.Split(least, ""), "\x00"),
		"Latin-1":            least + "title: caf\xe9\n",
		"a surrogate":        least + "title: \xed\xa0\x80\n",
		"an escape sequence": least + "\x1b[31mtitle: x\n",
		"a directive":        "%YAML 9.9\n---\n" + least,
		"a bad directive":    "%TAG ! tag:x,2000:\n---\n" + least + "!a: 1\n",
		"an end, then more":  least + "...\nmore: 1\n",
		"a null byte key":    least + "\"\\0\": 1\n",
		"no mapping":         "true",
		"only an anchor":     "&a",
		"only an alias":      "*a",
		"only a tag":         "!!map",
		"only a |":           "|",
		"only a ?":           "?",
		"only a -":           "-",
		"only a :":           ":",
		"PNG":                "\x89PNG\r\n\x1a\n" + junk(1000),
		"gzip":               "\x1f\x8b\x08\x00" + junk(1000),
		"HTML":               "<!DOCTYPE html>\n<html><body>404: not found</body></html>\n",
		"JSON, cut off":      `{"load": {"herd": {}}, "clients": [1`,
		"a result":           `{"schema": "stagger.result/v1", "scenario": {}}`,
		"Go":                 "package main\n\nfunc main() {\n\tprintln(1)\n}\n",
		"a merge conflict":   "<<<<<<< HEAD\n" + least + "=======\n" + least + ">>>>>>> main\n",
	} {
		inputs[name] = text
	}
	for i := range 60 {
		inputs[fmt.Sprintf("junk %d", i)] = junk(1 + i*50)
		inputs[fmt.Sprintf("signs %d", i)] = printable(10 + i*20)
		inputs[fmt.Sprintf("field of signs %d", i)] = least + "zz: " + printable(5+i)
	}
	return inputs
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestHostileFilesAreRefusedWithALine(t *testing.T) {
	if _, err := Parse("whole.yaml", []byte(whole)); err != nil {
		t.Fatal(err)
	}
	inputs := hostileInputs()
	if len(inputs) < 200 {
		t.Fatalf("only %d inputs", len(inputs))
	}
	for name, text := range inputs {
		_, err := Parse("f.yaml", []byte(text))
		if !errors.Is(err, sim.ErrScenario) {
			t.Errorf("%s: got %v, want an error that wraps sim.ErrScenario", name, err)
			continue
		}
		message := err.Error()
		if len(message) > 20_000 {
			t.Errorf("%s: %d bytes of error", name, len(message))
		}
		// Nothing can be said of a line where there is none, or too many.
		if !strings.HasPrefix(message, "f.yaml:") ||
			!strings.HasPrefix(message, "f.yaml: the file is empty") && !strings.HasPrefix(message, "f.yaml: the file has ") &&
				(message[7] < '1' || message[7] > '9') {
			t.Errorf("%s: no line in: %s", name, message)
		}
	}
}

// FuzzParse looks for a file that makes Parse panic, or that says something else
// when it is printed.
func FuzzParse(f *testing.F) {
	f.Add([]byte(least))
	f.Add([]byte(whole))
	for _, b := range BuiltIns() {
		var out bytes.Buffer
		if err := Write(&out, b.Scenario, b.About); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse("f.yaml", data)
		if err != nil {
			if !errors.Is(err, sim.ErrScenario) {
				t.Errorf("%v does not wrap sim.ErrScenario", err)
			}
			return
		}
		if diff := cmp.Diff(asJSON(t, s), asJSON(t, reread(t, s))); diff != "" {
			t.Error(diff)
		}
	})
}
