package scenario

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/stagger-sim/stagger/sim"
)

// zipped compresses a text.
func zipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, text)
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err) // memory does not fail
	}
	return b.String()
}

// at lists arrivals at these times, each of a client of its own.
func at(times ...time.Duration) []sim.Arrival {
	var list []sim.Arrival
	for i, at := range times {
		list = append(list, sim.Arrival{At: at, Client: uint32(i)})
	}
	return list
}

// of is the arrival of a client with its service time.
func of(at, service time.Duration, client uint32) sim.Arrival {
	return sim.Arrival{At: at, Service: service, Client: client}
}

func TestReadTrace(t *testing.T) {
	const csvLine, jsonLine = "%d,200,1,2,3,,,,,,,\n", `{"attack":"","seq":0,"code":200,"timestamp":"%s","latency":100}` + "\n"
	const (
		ms = time.Millisecond
		s  = time.Second
	)
	for name, test := range map[string]struct {
		log  string
		want []sim.Arrival
	}{
		"times":       {"0\n0.25\n1.5\n", at(0, 250*ms, 1500*ms)},
		"one":         {"1700000000\n", at(0)},
		"no last end": {"0\n0.25", at(0, 250*ms)},
		"all columns": {"1,0.5,a\n2,,b\n3,1e-3,c\n3,0,d\n", []sim.Arrival{of(0, 500*ms, 0), of(s, 0, 1), of(2*s, ms, 2), of(2*s, 1, 3)}},
		"clients": {"t_seconds,client\n0,x\n1,y\n2,x\n3,\n4,x\n5,z\n6,\n", []sim.Arrival{of(0, 0, 0), of(s, 0, 1), of(2*s, 0, 0),
			of(3*s, 0, 2), of(4*s, 0, 0), of(5*s, 0, 3), of(6*s, 0, 2)}},
		"service times": {"0,0.5\n1,\n2,3600\n", []sim.Arrival{of(0, 500*ms, 0), of(s, 0, 1), of(2*s, time.Hour, 2)}},
		"header":        {"t_seconds\n7\n", at(0)},
		"any order":     {"method,client,t_seconds,x,service_seconds\nGET,a,1,,2\nPUT,b,2,,\n", []sim.Arrival{of(0, 2*s, 0), of(s, 0, 1)}},
		"names alike":   {"T_SECONDS,t_seconds,Client\n9,1,a\n9,2,a\n", at(0, s)},
		"spaces":        {"\n \n t_seconds , client \n\n 1 , a b \r\n\t2,a b\n", []sim.Arrival{of(0, 0, 0), of(s, 0, 0)}},
		"mark":          {"\ufefft_seconds\r\n1\r\n2\r\n", at(0, s)},
		"quotes": {
			"\"t_seconds\",\"client\"\n\"1\",\"a, \"\"b\"\"\"\n2, \"c\"\n2,c\n3,\"a, \"\"b\"\"\"\n",
			[]sim.Arrival{of(0, 0, 0), of(s, 0, 1), of(s, 0, 1), of(2*s, 0, 0)},
		},
		"nanoseconds":  {"1700000000.123456789\n1700000000.12345679\n1700000001.123456791\n", at(0, 1, s+2)},
		"rounded":      {"0\n0.0000000005\n0.3000000004999\n3e-1\n", at(0, 1, 300*ms, 300*ms)},
		"out of order": {"11,,b\n10.5,,a\n0,,c\n10,,b\n10,,a\n", []sim.Arrival{of(0, 0, 2), of(10*s, 0, 0), of(10*s, 0, 1), of(10500*ms, 0, 1), of(11*s, 0, 0)}},
		"latest":       {"9223372036\n9223372036.854775807\n", at(0, 854775807)},
		"vegeta CSV":   {fmt.Sprintf(csvLine+csvLine, 1577872800123456789, 1577872800123456790), at(0, 1)},
		"few columns":  {"1577872800123456789,200,1,2,3,\n1577872801123456789,200,1,2,3,\n", at(0, s)},
		"vegeta JSON": {
			fmt.Sprintf(jsonLine+jsonLine+jsonLine, "2020-01-01T11:00:01.000000002+01:00", "2020-01-01T10:00:00Z", "2020-01-01T10:00:00.000000001Z"),
			at(0, 1, s+2),
		},
	} {
		half := strings.Index(test.log, "\n") + 1
		for how, log := range map[string]string{"": test.log, " gzipped": zipped(test.log), " gzipped in two": zipped(test.log[:half]) + zipped(test.log[half:])} {
			got, err := ReadTrace("a.csv", strings.NewReader(log))
			if err != nil {
				t.Fatalf("%s: %v", name+how, err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s\n(-want +got)\n%s", name+how, diff)
			}
		}
		got, err := ReadTrace("a.csv", iotest.OneByteReader(strings.NewReader(test.log)))
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s byte by byte: %v\n%s", name, err, diff)
		}
	}
}

func TestReadTraceSaysWhatIsWrongAndWhere(t *testing.T) {
	const (
		wanted = "want seconds in a first column, a header that names t_seconds, or vegeta's CSV or JSON lines"
		number = "want seconds, such as 0.25 or 1700000000.123456789"
		late   = "want seconds, up to the year 2262"
		stamp  = "want one from 1970 to 2262, such as 2023-11-14T22:13:20.123456789Z"
		object = "is none of vegeta's JSON lines; want an object with a timestamp"
		cut    = "the compressed data ends here (was the file cut off?): unexpected EOF"
	)
	times := func(want string, fields ...string) (list []string) {
		for i := 0; i < len(fields); i += 2 {
			list = append(list, fmt.Sprintf("a.csv:%s: t_seconds is %q; %s", fields[i], fields[i+1], want))
		}
		return list
	}
	for name, test := range map[string]struct {
		log  string
		want []string
	}{
		// The file as a whole.
		"empty":            {"", []string{"a.csv: the file is empty; " + wanted}},
		"empty lines":      {"\n \r\n\n", []string{"a.csv: the file is empty; " + wanted}},
		"nothing, gzipped": {zipped(""), []string{"a.csv: the file is empty; " + wanted}},
		"a header only":    {"t_seconds,client\n\n", []string{"a.csv: there are no arrivals below the header"}},
		"another header":   {"time,client\n1,a\n", []string{`a.csv:1: the log begins with "time,client"; ` + wanted}},
		"an access log": {
			`127.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET /"` + "\n",
			[]string{"a.csv:1: the quotation marks in \"127.0.0.1 - - [10/Oct/2000:13:55:36 -070\"… are not those of CSV"},
		},
		"a column twice": {"client,t_seconds,client\na,1,b\n", []string{"a.csv:1: the column client stands twice"}},
		"too many columns": {
			"1,2,3,4\n",
			[]string{"a.csv:1: there are 4 columns; want t_seconds, service_seconds and client, or a header that says which are these"},
		},
		"milliseconds": {"1577872800123\n1577873800123\n", times(late, "1", "1577872800123", "2", "1577873800123")},
		"nanoseconds":  {"1577872800123456789\n1577872800123\n", times(late, "1", "1577872800123456789", "2", "1577872800123")},
		"some milliseconds": {
			"0\n2000000\n1000\n",
			[]string{"a.csv:2: this is 555h33m20s later than line 1; want at most 264h0m0s from the first arrival to the last (are these milliseconds?)"},
		},
		"just too long": {
			"950400.000000001\n0\n",
			[]string{"a.csv:1: this is 264h0m0.000000001s later than line 2; want at most 264h0m0s from the first arrival to the last (are these milliseconds?)"},
		},
		"a line without an end": {"1\n" + strings.Repeat("0", 1<<20) + "\n", []string{"a.csv:2: the line has more than 1048576 bytes"}},
		"zeros":                 {strings.Repeat("\x00", 2<<20), []string{"a.csv:1: the line has more than 1048576 bytes"}},
		"gzip, cut off":         {zipped("1\n")[:20], []string{"a.csv:1: " + cut}},
		"gzip, no more":         {"\x1f\x8b" + strings.Repeat("x", 20), []string{"a.csv:1: gzip: invalid header"}},

		// Lines.
		"too late": {"9223372036.854775808\n9223372036.8547758075\n", times(late, "1", "9223372036.854775808", "2", "9223372036.8547758075")},
		"far too late": {
			"1e10\n1e999\n92233720368547758079\n0e999\n",
			times(late, "1", "1e10", "2", "1e999", "3", "92233720368547758079"),
		},
		"no numbers": {
			"0\nNaN\nInf\n-1\n+1\n0x10\n1_0\n1.2.3\n.\n1e\n",
			times(number, "2", "NaN", "3", "Inf", "4", "-1", "5", "+1", "6", "0x10", "7", "1_0", "8", "1.2.3", "9", ".", "10", "1e"),
		},
		"exponents": {"0\n1e1001\n1e-1001\n1e 1\n1e-1000\n", times(number, "2", "1e1001", "3", "1e-1001", "4", "1e 1")},
		"no time":   {"0,1\n,1\n", times(number, "2", "")},
		"service times": {"0,-1\n1,1h\n2,\n3,3600.000000001\n4,inf\n5,3600\n", []string{
			`a.csv:1: service_seconds is "-1"; ` + number,
			`a.csv:2: service_seconds is "1h"; ` + number,
			`a.csv:4: service_seconds is "3600.000000001"; want at most 3600`,
			`a.csv:5: service_seconds is "inf"; ` + number,
		}},
		"columns": {"0,1\n1\n2,1,x\n", []string{
			`a.csv:2: "1" has 1 columns; want 2, as in the first line`,
			`a.csv:3: "2,1,x" has 3 columns; want 2, as in the first line`,
		}},
		"quotes": {"0,1\n0,\"x\n1,x\"y\n", []string{
			`a.csv:2: the quotation marks in "0,\"x" are not those of CSV`,
			`a.csv:3: the quotation marks in "1,x\"y" are not those of CSV`,
		}},
		"vegeta CSV": {"1577872800123456789,200,1,2,3,\n15778728001\nx1577872800123456789,200,1,2,3,\n", []string{
			`a.csv:2: "15778728001" has too few columns; want those of vegeta's CSV, at least 6`,
			`a.csv:3: the time is "x1577872800123456789"; want nanoseconds since 1970, as in vegeta's CSV`,
		}},
		"vegeta JSON": {
			`{"timestamp":"2020-01-01T10:00:00Z"}` + "\n" + `{"timestamp":"2020-` + "\n[]\n{}\n" + `{"timestamp":5}` + "\n" +
				`{"timestamp":"10:00"}` + "\n" + `{"timestamp":"1969-12-31T23:59:59Z"}` + "\n" + `{"timestamp":"2262-04-12T00:00:00Z"}` + "\n",
			[]string{
				`a.csv:2: "{\"timestamp\":\"2020-" ` + object,
				`a.csv:3: "[]" ` + object,
				`a.csv:4: the timestamp is ""; ` + stamp,
				`a.csv:5: "{\"timestamp\":5}" ` + object,
				`a.csv:6: the timestamp is "10:00"; ` + stamp,
				`a.csv:7: the timestamp is "1969-12-31T23:59:59Z"; ` + stamp,
				`a.csv:8: the timestamp is "2262-04-12T00:00:00Z"; ` + stamp,
			},
		},
		"escapes": {"1\n\x1b[31m\x00\xff\n", []string{`a.csv:2: t_seconds is "\x1b[31m\x00\xff"; ` + number}},
		"many": {strings.Repeat("1\nx\n", 20), append(
			times(number, "2", "x", "4", "x", "6", "x", "8", "x", "10", "x", "12", "x", "14", "x", "16", "x", "18", "x", "20", "x"), "a.csv: and more")},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ReadTrace("a.csv", strings.NewReader(test.log))
			if got != nil || err == nil {
				t.Fatalf("got %v, %v", got, err)
			}
			if diff := cmp.Diff(test.want, strings.Split(err.Error(), "\n")); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestSecondsAreReadExactly compares with exact fractions.
func TestSecondsAreReadExactly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-9]{0,12}\.?[0-9]{0,25}([eE][+-]?[0-9]{1,2})?`).Draw(t, "text")
		got, err := seconds([]byte(text))
		want, ok := new(big.Rat).SetString(text)
		if !ok {
			if !errors.Is(err, errNoSeconds) {
				t.Fatalf("%q gives %d, %v", text, got, err)
			}
			return
		}
		want.Mul(want, big.NewRat(1e9, 1))
		want.Add(want, big.NewRat(1, 2))
		ns := new(big.Int).Quo(want.Num(), want.Denom())
		if ns.IsInt64() && (err != nil || got != time.Duration(ns.Int64())) || !ns.IsInt64() && !errors.Is(err, errLateSeconds) {
			t.Fatalf("%q gives %d, %v; want %d", text, got, err, ns)
		}
	})
}

// TestTraceComesBackFromEveryFormat writes the same times in each.
func TestTraceComesBackFromEveryFormat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		times := make([]time.Duration, rapid.IntRange(1, 50).Draw(t, "arrivals"))
		began := rapid.Int64Range(1e18, 9e18).Draw(t, "began") // a vegeta log has 16 digits at least
		var plain, asCSV, asJSON strings.Builder
		for i := range times {
			if i > 0 {
				times[i] = times[i-1] + time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "gap"))
			}
			stamp := began + int64(times[i])
			fmt.Fprintf(&plain, "%d.%09d\n", stamp/1e9, stamp%1e9)
			fmt.Fprintf(&asCSV, "%d,200,1,2,3,\n", stamp)
			fmt.Fprintf(&asJSON, "{\"timestamp\":%q}\n", time.Unix(0, stamp).UTC().Format(time.RFC3339Nano))
		}
		for _, log := range []string{plain.String(), asCSV.String(), asJSON.String()} {
			got, err := ReadTrace("a.csv", strings.NewReader(log))
			if diff := cmp.Diff(at(times...), got); diff != "" || err != nil {
				t.Fatalf("%v\n%s\n%s", err, log, diff)
			}
		}
	})
}

func TestArrivalsAreLimited(t *testing.T) {
	read := func(log string) error {
		got, err := readTrace("a.csv", strings.NewReader(log), 3)
		if (got == nil) == (err == nil) {
			t.Errorf("%q gives neither arrivals nor an error", log)
		}
		return err
	}
	for log, want := range map[string]string{
		"1\n2\n3\n":              "<nil>",
		"t_seconds\n1\n2\n3\n\n": "<nil>",
		"1\n2\n3\n4\n":           "a.csv:4: a trace has at most 3 arrivals, and here is another",
		"1\n\n\n\n\n\n\n2\n":     "a.csv:6: there are too many empty lines",
	} {
		if got := fmt.Sprint(read(log)); got != want {
			t.Errorf("%q: got %s, want %s", log, got, want)
		}
	}
	if got := fmt.Sprint(read(zipped(strings.Repeat("1\n", 1_000_000)))); !strings.HasPrefix(got, "a.csv:4: a trace has at most") {
		t.Errorf("a small file that unzips to a huge one: %s", got)
	}
}

func TestReadErrorIsTold(t *testing.T) {
	gone := errors.New("the disk is gone")
	_, err := ReadTrace("a.csv", io.MultiReader(strings.NewReader("1\n2\n3"), iotest.ErrReader(gone)))
	if !errors.Is(err, gone) || err.Error() != "a.csv:3: the disk is gone" {
		t.Errorf("got %v", err)
	}
}

// What is no log is refused, and in few words.
func TestHostileTracesAreRefused(t *testing.T) {
	wrongSum := []byte(zipped("1\n"))
	copy(wrongSum[len(wrongSum)-8:], "xxxx")
	inputs := map[string]string{
		"a scenario":        whole,
		"HTML":              "<!DOCTYPE html>\n<html><body>404: not found</body></html>\n",
		"PNG":               "\x89PNG\r\n\x1a\n\x00\x00",
		"UTF-16":            "\xff\xfe1\x00\n\x00",
		"semicolons":        "t_seconds;client\n1;x\n",
		"decimal commas":    "t_seconds\n0,5\n",
		"many columns":      strings.Repeat(",", 500_000) + "\n1",
		"many columns wide": strings.Repeat("t_seconds,", 50_000) + "\n",
		"a JSON array":      "[1, 2]\n",
		"deep JSON":         strings.Repeat(`{"a":`, 100_000) + "\n",
		"escapes":           "\x1b[31m\n",
		"zipped twice":      zipped(zipped("1\n")),
		"more behind":       zipped("1\n") + "2\n",
		"a wrong sum":       string(wrongSum),
		"cut off in a line": zipped("1\n2\n")[:15],
		"many digits":       strings.Repeat("9", 500_000) + "\n",
		"a huge exponent":   "1e" + strings.Repeat("9", 500_000) + "\n",
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i := range 100 {
		junk := make([]byte, 1+i*20)
		for at := range junk {
			junk[at] = byte(random.Uint32())
		}
		inputs[fmt.Sprintf("junk %d", i)] = "x" + string(junk)
		inputs[fmt.Sprintf("junk below %d", i)] = "1\nx" + string(junk)
	}
	for name, log := range inputs {
		got, err := ReadTrace("a.csv", strings.NewReader(log))
		if err == nil {
			t.Errorf("%s: got %d arrivals, %v", name, len(got), err)
		} else if text := err.Error(); len(text) > 3000 {
			t.Errorf("%s: %d bytes: %.200s", name, len(text), text)
		}
	}
}

// log is a file that counts how often it is closed.
type log struct {
	io.Reader
	closed int
}

func (l *log) Close() error {
	l.closed++
	return nil
}

const traced = "load: {trace: {file: logs/a.csv}}\n"

func TestParseReadsTheTrace(t *testing.T) {
	for _, test := range []struct {
		text string
		stop time.Duration
	}{
		{"", 32500 * time.Millisecond}, // half a minute after the last arrival
		{"stop: 1s\n", time.Second},
	} {
		file := &log{Reader: strings.NewReader("5\n7.5\n6\n")}
		s, err := ParseWith("dir/my.yaml", []byte(traced+rest+test.text), func(name string) (io.ReadCloser, error) {
			if name != "logs/a.csv" {
				t.Errorf("%q is opened", name)
			}
			return file, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		want := []sim.Arrival{{At: 0, Client: 0}, {At: time.Second, Client: 1}, {At: 2500 * time.Millisecond, Client: 2}}
		if diff := cmp.Diff(want, s.Load.Trace.Arrivals); diff != "" || file.closed != 1 || s.Stop != test.stop {
			t.Errorf("closed %d times, stop %s, want %s\n%s", file.closed, s.Stop, test.stop, diff)
		}
	}
}

func TestParseSaysWhatIsWrongWithTheTrace(t *testing.T) {
	file, _ := reflect.TypeFor[sim.Trace]().FieldByName("File")
	needed := file.Tag.Get("doc")
	holds := func(text string) func(string) (io.ReadCloser, error) {
		return func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
	}
	for name, test := range map[string]struct {
		text string
		open func(string) (io.ReadCloser, error)
		want string
	}{
		"bad lines": {traced + rest, holds("1\nx\n2\ny\n"), `my.yaml:1:22: load.trace.file: logs/a.csv:2: t_seconds is "x"; want seconds, such as 0.25 or 1700000000.123456789
my.yaml:1:22: load.trace.file: logs/a.csv:4: t_seconds is "y"; want seconds, such as 0.25 or 1700000000.123456789
    1 | load: {trace: {file: logs/a.csv}}
                             ^`},
		"a mistake elsewhere, too": {traced + rest + "sed: 1\n", holds("0\n2e6\n"), `my.yaml:1:22: load.trace.file: logs/a.csv:2: this is 555h33m20s later than line 1; want at most 264h0m0s from the first arrival to the last (are these milliseconds?)
    1 | load: {trace: {file: logs/a.csv}}
                             ^
my.yaml:4:1: sed: unknown key (did you mean "seed"?)
    4 | sed: 1
        ^`},
		"no such file": {traced + rest, func(string) (io.ReadCloser, error) { return nil, fs.ErrNotExist }, `my.yaml:1:22: load.trace.file: file does not exist
    1 | load: {trace: {file: logs/a.csv}}
                             ^`},
		"no file": {"load: {trace: {}}\n" + rest, nil, "my.yaml:1:8: load.trace.file: is missing (" + needed + `)
    1 | load: {trace: {}}
               ^`},
		"empty name": {"load: {trace: {file: ''}}\n" + rest, nil, `my.yaml:1:22: load.trace.file: must name a file
    1 | load: {trace: {file: ''}}
                             ^`},
		"arrivals in the scenario": {"load: {trace: {file: a.csv, arrivals: []}}\n" + rest, holds("1\n"), `my.yaml:1:29: load.trace.arrivals: unknown key (known: file, warm_up)
    1 | load: {trace: {file: a.csv, arrivals: []}}
                                    ^`},
		"no more than a trace": {traced, holds("1\n"), `my.yaml:1:1: server: is missing (what the clients contend for: one of capacity and contention)
my.yaml:1:1: clients: is missing (numbers of clients to try, each with every policy)
    1 | load: {trace: {file: logs/a.csv}}
        ^`},
	} {
		_, err := ParseWith("my.yaml", []byte(test.text), test.open)
		if !errors.Is(err, sim.ErrScenario) || err.Error() != test.want {
			t.Errorf("%s: got\n%v\nwant\n%s", name, err, test.want)
		}
	}
	_, err := Parse("my.yaml", []byte(traced+rest))
	if err == nil || !strings.HasPrefix(err.Error(), "my.yaml:1:22: load.trace.file: other files cannot be read here\n") {
		t.Errorf("Parse gives %v", err)
	}
}

// FuzzReadTrace looks for a log that makes ReadTrace panic, or whose arrivals a
// scenario would refuse.
func FuzzReadTrace(f *testing.F) {
	for _, log := range []string{
		"0\n0.25\n", "t_seconds,service_seconds,client\n1700000000.123456789,0.5,x\n", "3,1e-3,\"x, y\"\n1,,\n", zipped("1\n2\n"),
		"1577872800123456789,200,1,2,3,,,,,,,\n", `{"timestamp":"2020-01-01T10:00:00.5+01:00"}` + "\n",
	} {
		f.Add([]byte(log))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		arrivals, err := readTrace("a.csv", bytes.NewReader(data), 1000)
		if (arrivals == nil) == (err == nil) {
			t.Errorf("%d arrivals and %v", len(arrivals), err)
		}
		if err != nil {
			return
		}
		if arrivals[0].At != 0 {
			t.Fatalf("%d arrivals that do not begin at 0", len(arrivals))
		}
		s := builtIn("herd").Scenario
		s.Load = sim.Load{Trace: &sim.Trace{File: "a.csv", Arrivals: arrivals}}
		s.Stop = arrivals[len(arrivals)-1].At + time.Second
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
	})
}
