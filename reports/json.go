package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/stagger-sim/stagger/sim"
)

// JSON writes the whole result, which [ReadJSON] reads back.
func JSON(w io.Writer, r *sim.Result) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(r)
}

// ErrResult is wrapped by every error about JSON that is no result of stagger.
var ErrResult = errors.New("not a result of stagger")

// ReadJSON reads a result that JSON has written. An error about the content
// wraps [ErrResult]. In one line it names the line where the JSON is wrong, or
// all fields whose content is.
func ReadJSON(data []byte) (*sim.Result, error) {
	var r sim.Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrResult, printable(located(data, err)))
	}
	if r.Schema != sim.ResultSchema {
		return nil, fmt.Errorf("%w: schema is %q, want %q", ErrResult, r.Schema, sim.ResultSchema)
	}
	if err := check(&r); err != nil {
		return nil, fmt.Errorf("%w: %s", ErrResult, printable(err.Error()))
	}
	return &r, nil
}

// located says at which line an error of encoding/json arose.
func located(data []byte, err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	offset := int64(-1)
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return "the file is empty"
	case errors.As(err, &syntax):
		if text := bytes.TrimRight(data, " \n\r\t"); syntax.Offset >= int64(len(text)) {
			return fmt.Sprintf("line %d: the file ends too early (was it cut off?)", lineOf(text, syntax.Offset))
		}
		offset = syntax.Offset
	case errors.As(err, &kind) && kind.Field == "":
		return fmt.Sprintf("line %d: it is a JSON %s, not an object", lineOf(data, kind.Offset), kind.Value)
	case errors.As(err, &kind):
		return fmt.Sprintf("line %d: %s is a JSON %s", lineOf(data, kind.Offset), kind.Field, kind.Value)
	}
	if offset >= 0 {
		return fmt.Sprintf("line %d: %s", lineOf(data, offset), err)
	}
	return err.Error()
}

func lineOf(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
}
