package scenario

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/stagger-sim/stagger/sim"
)

// Bounds of a trace. A span beyond the longest is most probably a quarter of an
// hour or more in milliseconds.
const (
	mostArrivals = 20_000_000
	longestLine  = 1 << 20 // bytes
	longestSpan  = 11 * 24 * time.Hour
	mostFaults   = 10 // of which a reader is told
)

// anyTrace says what a trace must begin with.
const anyTrace = "seconds in a first column, a header that names " + timeColumn + ", or vegeta's CSV or JSON lines"

// ReadTrace reads a log of arrivals, plain or compressed by gzip. It is one of:
//
//   - CSV of up to three columns: the time in seconds, from anywhere, the service
//     time in seconds, and the client, any text. With a header that names them
//     t_seconds, service_seconds and client, they stand in any order among others;
//     the last two may be missing, and the service time of a line be empty.
//   - The CSV or the JSON lines that vegeta encodes its results as, of which only
//     the times are used: its latencies hold queueing and the network.
//
// The arrivals come back in the order of their times, the first at 0. Clients are
// numbered from 0 as they appear; without a column of clients each arrival is of
// its own. The name stands in errors: all lines that cannot be read are named at
// once, up to ten of them, each as name:line, joined by [errors.Join].
func ReadTrace(name string, r io.Reader) ([]sim.Arrival, error) {
	return readTrace(name, r, mostArrivals)
}

func readTrace(name string, r io.Reader, most int) ([]sim.Arrival, error) {
	t := traceReader{name: name, most: most}
	if err := t.readAll(r); err != nil {
		t.cutShort(err)
	}
	if len(t.faults) == 0 {
		t.checkWhole()
	}
	if len(t.faults) > 0 {
		return nil, errors.Join(t.faults...)
	}
	return t.inOrder(), nil
}

// readAll takes line after line, until there are no more or too many faults.
func (t *traceReader) readAll(r io.Reader) error {
	text, err := unzipped(r)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if lines.Err() != nil {
			break // what came before the end is no whole line
		}
		if !t.next(lines.Bytes()) {
			return nil
		}
	}
	return lines.Err()
}

// unzipped returns what a reader holds, decompressed if it begins as gzip does
// (RFC 1952, section 2.3.1).
func unzipped(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); string(magic) == "\x1f\x8b" {
		return gzip.NewReader(b)
	}
	return b, nil
}

// traceReader reads one log.
type traceReader struct {
	name             string
	most             int // arrivals
	line             int // from 1; the one being read
	format           traceFormat
	arrivals         []sim.Arrival
	clients          map[[16]byte]uint32 // by the start of their hash, so that long names take no room
	earliest, latest sighting
	faults           []error
}

// sighting is a time and where it stands.
type sighting struct {
	at   time.Duration
	line int
}

// next reads one line, and reports whether to go on.
func (t *traceReader) next(line []byte) bool {
	t.line++
	if t.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff")) // the mark that some editors begin a file with
	}
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0 && t.line < 2*t.most:
		return true
	case len(line) == 0:
		t.fault(errors.New("there are too many empty lines"))
		return false
	case t.format == nil:
		return t.first(line)
	case len(t.arrivals) == t.most:
		t.fault(fmt.Errorf("a trace has at most %d arrivals, and here is another", t.most))
		return false
	}
	return t.take(line)
}

// first recognises the format by the first line, which may be an arrival already.
func (t *traceReader) first(line []byte) bool {
	format, header, err := recognise(line)
	switch {
	case err != nil:
		t.fault(err)
		return false
	case !header:
		t.format = format
		return t.take(line)
	}
	t.format = format
	return true
}

// take notes the arrival that a line is about.
func (t *traceReader) take(line []byte) bool {
	one, err := t.format.read(line)
	if err != nil {
		return t.fault(err)
	}
	a := sim.Arrival{At: one.at, Service: one.service}
	if one.named {
		a.Client = t.number(one.client)
	}
	here := sighting{at: one.at, line: t.line}
	if len(t.arrivals) == 0 || here.at < t.earliest.at {
		t.earliest = here
	}
	if len(t.arrivals) == 0 || here.at > t.latest.at {
		t.latest = here
	}
	t.arrivals = append(t.arrivals, a)
	return true
}

// number returns the number of a client, a new one at its first arrival.
func (t *traceReader) number(client []byte) uint32 {
	if t.clients == nil {
		t.clients = map[[16]byte]uint32{}
	}
	sum := sha256.Sum256(client)
	key := [16]byte(sum[:16])
	n, known := t.clients[key]
	if !known {
		n = uint32(len(t.clients)) // at most mostArrivals
		t.clients[key] = n
	}
	return n
}

// fault notes what is wrong with the line, and reports whether to go on.
func (t *traceReader) fault(err error) bool {
	if len(t.faults) == mostFaults {
		t.faults = append(t.faults, fmt.Errorf("%s: and more", t.name))
		return false
	}
	t.faults = append(t.faults, fmt.Errorf("%s:%d: %w", t.name, t.line, err))
	return true
}

// cutShort notes that the log cannot be read on.
func (t *traceReader) cutShort(err error) {
	t.line++ // the one after the last that was whole
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		err = fmt.Errorf("the line has more than %d bytes", longestLine)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the compressed data ends here (was the file cut off?): %w", err)
	}
	t.fault(err)
}

// checkWhole finds what no line shows by itself.
func (t *traceReader) checkWhole() {
	span := t.latest.at - t.earliest.at
	switch {
	case t.format == nil:
		t.faults = append(t.faults, fmt.Errorf("%s: the file is empty; want %s", t.name, anyTrace))
	case len(t.arrivals) == 0:
		t.faults = append(t.faults, fmt.Errorf("%s: there are no arrivals below the header", t.name))
	case span > longestSpan:
		t.faults = append(t.faults,
			fmt.Errorf("%s:%d: this is %v later than line %d; want at most %v from the first arrival to the last (are these milliseconds?)",
				t.name, t.latest.line, span, t.earliest.line, longestSpan))
	}
}

// inOrder returns the arrivals by their times, from 0.
func (t *traceReader) inOrder() []sim.Arrival {
	byTime := func(a, b sim.Arrival) int { return cmp.Compare(a.At, b.At) }
	if !slices.IsSortedFunc(t.arrivals, byTime) {
		slices.SortStableFunc(t.arrivals, byTime)
	}
	for i := range t.arrivals {
		a := &t.arrivals[i]
		a.At -= t.earliest.at
		if t.clients == nil {
			a.Client = uint32(i) // at most mostArrivals
		}
	}
	return t.arrivals
}
