package scenario

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// The columns of a log in CSV.
const (
	timeColumn    = "t_seconds"
	serviceColumn = "service_seconds"
	clientColumn  = "client"
)

// longestService is the longest that a log may give one request: more is most
// probably in milliseconds.
const longestService = time.Hour

// traceFormat reads the lines of a log.
type traceFormat interface {
	// read returns what a line says, of which the client is good until the next.
	read(line []byte) (logged, error)
}

// logged is what one line says.
type logged struct {
	at      time.Duration
	service time.Duration // 0: it says none
	client  []byte
	named   bool // there is a column of clients
}

// recognise returns the format of a log from its first line, and whether that is
// a header.
func recognise(line []byte) (format traceFormat, header bool, err error) {
	if line[0] == '{' {
		return vegetaJSON{}, false, nil
	}
	if isVegetaCSV(line) {
		return vegetaCSV{}, false, nil
	}
	c := &csvLog{service: -1, client: -1}
	if err := c.split(line); err != nil {
		return nil, false, err
	}
	c.columns = len(c.fields)
	if slices.ContainsFunc(c.fields, is(timeColumn)) {
		return c, true, c.header()
	}
	if _, err := seconds(c.fields[0]); errors.Is(err, errNoSeconds) {
		return nil, false, fmt.Errorf("the log begins with %s; want %s", shown(line), anyTrace)
	}
	if c.columns > 3 {
		return nil, false, fmt.Errorf("there are %d columns; want %s, %s and %s, or a header that says which are these",
			c.columns, timeColumn, serviceColumn, clientColumn)
	}
	if c.columns > 1 {
		c.service = 1
	}
	if c.columns > 2 {
		c.client = 2
	}
	return c, false, nil
}

// csvLog is CSV with a time and maybe a service time and a client.
type csvLog struct {
	columns             int
	at, service, client int      // which columns these are; -1 for one that is missing
	fields              [][]byte // of the line being read
}

func is(name string) func([]byte) bool {
	return func(field []byte) bool { return string(field) == name }
}

// header finds the columns by their names.
func (c *csvLog) header() error {
	for _, column := range []struct {
		name  string
		place *int
	}{{timeColumn, &c.at}, {serviceColumn, &c.service}, {clientColumn, &c.client}} {
		*column.place = slices.IndexFunc(c.fields, is(column.name))
		if *column.place >= 0 && slices.ContainsFunc(c.fields[*column.place+1:], is(column.name)) {
			return fmt.Errorf("the column %s stands twice", column.name)
		}
	}
	return nil
}

// split sets the fields from a line. Most lines have no quotes and are split in
// place.
func (c *csvLog) split(line []byte) error {
	c.fields = c.fields[:0]
	if bytes.IndexByte(line, '"') < 0 {
		for field := range bytes.SplitSeq(line, []byte(",")) {
			c.fields = append(c.fields, bytes.TrimSpace(field))
		}
		return nil
	}
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	fields, err := r.Read()
	if err != nil {
		return fmt.Errorf("the quotation marks in %s are not those of CSV", shown(line))
	}
	for _, field := range fields {
		c.fields = append(c.fields, bytes.TrimSpace([]byte(field)))
	}
	return nil
}

func (c *csvLog) read(line []byte) (one logged, err error) {
	if err := c.split(line); err != nil {
		return logged{}, err
	}
	if len(c.fields) != c.columns {
		return logged{}, fmt.Errorf("%s has %d columns; want %d, as in the first line", shown(line), len(c.fields), c.columns)
	}
	if one.at, err = seconds(c.fields[c.at]); err != nil {
		return logged{}, fmt.Errorf("%s is %s; %w", timeColumn, shown(c.fields[c.at]), err)
	}
	if c.service >= 0 && len(c.fields[c.service]) > 0 {
		if one.service, err = serviceTime(c.fields[c.service]); err != nil {
			return logged{}, fmt.Errorf("%s is %s; %w", serviceColumn, shown(c.fields[c.service]), err)
		}
	}
	if c.client >= 0 {
		one.client, one.named = c.fields[c.client], true
	}
	return one, nil
}

// serviceTime reads a service time. One of 0 becomes the shortest there is, since
// 0 stands for none.
func serviceTime(text []byte) (time.Duration, error) {
	d, err := seconds(text)
	if err == nil && d > longestService {
		err = fmt.Errorf("want at most %.0f", longestService.Seconds())
	}
	return max(d, 1), err
}

var (
	errNoSeconds   = errors.New("want seconds, such as 0.25 or 1700000000.123456789")
	errLateSeconds = errors.New("want seconds, up to the year 2262")
)

// seconds reads a decimal number of seconds, rounded to a nanosecond. A float64
// would lose the last digits of seconds since 1970, which have 19.
func seconds(text []byte) (time.Duration, error) {
	mantissa, exponent, err := cutExponent(text)
	if err != nil {
		return 0, err
	}
	point := bytes.IndexByte(mantissa, '.')
	if point < 0 {
		point = len(mantissa)
	}
	whole := point + exponent + 9 // digits up to the nanoseconds
	n, digits := int64(0), 0
	for i, c := range mantissa {
		if i == point {
			continue
		}
		digit := int64(c) - '0'
		switch {
		case digit < 0 || digit > 9:
			return 0, errNoSeconds
		case digits < whole && n > (math.MaxInt64-digit)/10, digits == whole && n == math.MaxInt64:
			return 0, errLateSeconds
		case digits < whole:
			n = n*10 + digit
		case digits == whole && digit >= 5:
			n++
		}
		digits++
	}
	if digits == 0 {
		return 0, errNoSeconds
	}
	for ; digits < whole && n > 0; digits++ {
		if n > math.MaxInt64/10 {
			return 0, errLateSeconds
		}
		n *= 10
	}
	return time.Duration(n), nil
}

// cutExponent returns a number's digits and its power of ten.
func cutExponent(text []byte) (mantissa []byte, exponent int, err error) {
	i := bytes.IndexAny(text, "eE")
	if i < 0 {
		return text, 0, nil
	}
	exponent, err = strconv.Atoi(string(text[i+1:]))
	if err != nil || exponent < -1000 || exponent > 1000 {
		return nil, 0, errNoSeconds
	}
	return text[:i], exponent, nil
}

// vegetaCSV is what vegeta encode --to csv prints: nanoseconds since 1970, and
// columns that are of no use here.
type vegetaCSV struct{}

const leastVegeta = 6 // columns, of its twelve

// isVegetaCSV tells vegeta's nanoseconds from anybody's seconds.
func isVegetaCSV(line []byte) bool {
	stamp, _, _ := bytes.Cut(line, []byte(","))
	other := func(r rune) bool { return r < '0' || r > '9' }
	return len(stamp) >= 16 && bytes.IndexFunc(stamp, other) < 0 && bytes.Count(line, []byte(",")) >= leastVegeta-1
}

func (vegetaCSV) read(line []byte) (logged, error) {
	stamp, _, _ := bytes.Cut(line, []byte(","))
	if bytes.Count(line, []byte(",")) < leastVegeta-1 {
		return logged{}, fmt.Errorf("%s has too few columns; want those of vegeta's CSV, at least %d", shown(line), leastVegeta)
	}
	n, err := strconv.ParseInt(string(stamp), 10, 64)
	if err != nil || n < 0 {
		return logged{}, fmt.Errorf("the time is %s; want nanoseconds since 1970, as in vegeta's CSV", shown(stamp))
	}
	return logged{at: time.Duration(n)}, nil
}

// vegetaJSON is what vegeta encode prints: an object a line.
type vegetaJSON struct{}

func (vegetaJSON) read(line []byte) (logged, error) {
	var result struct {
		Timestamp string `json:"timestamp"`
	}
	if err := json.Unmarshal(line, &result); err != nil {
		return logged{}, fmt.Errorf("%s is none of vegeta's JSON lines; want an object with a timestamp", shown(line))
	}
	at, err := time.Parse(time.RFC3339Nano, result.Timestamp)
	if n := at.UnixNano(); err == nil && n >= 0 && time.Unix(0, n).Equal(at) { // what does not fit comes back as another time
		return logged{at: time.Duration(n)}, nil
	}
	return logged{}, fmt.Errorf("the timestamp is %s; want one from 1970 to 2262, such as 2023-11-14T22:13:20.123456789Z",
		shown([]byte(result.Timestamp)))
}

// shown puts a text from a log in quotes, or its beginning.
func shown(text []byte) string {
	const most = 40
	if len(text) <= most {
		return strconv.Quote(string(text))
	}
	return strconv.Quote(string(text[:most])) + "…"
}
