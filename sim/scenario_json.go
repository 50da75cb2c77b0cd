package sim

import (
	"encoding/json"
	"fmt"
	"time"
)

// In JSON a duration is text with its unit, such as "30s", not a number of
// nanoseconds.

// span is a duration as text.
type span time.Duration

func (s span) MarshalText() ([]byte, error) { return []byte(time.Duration(s).String()), nil }

func (s *span) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	*s = span(d)
	return err
}

// MarshalJSON writes the stop as text.
func (s Scenario) MarshalJSON() ([]byte, error) {
	type plain Scenario
	return json.Marshal(struct {
		plain
		Stop span `json:"stop"`
	}{plain(s), span(s.Stop)})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *Scenario) UnmarshalJSON(data []byte) error {
	type plain Scenario
	var read struct {
		plain
		Stop span `json:"stop"`
	}
	err := json.Unmarshal(data, &read)
	*s = Scenario(read.plain)
	s.Stop = time.Duration(read.Stop)
	return err
}

type herdJSON struct {
	Spread span `json:"spread"`
}

// MarshalJSON writes the spread as text.
func (h Herd) MarshalJSON() ([]byte, error) { return json.Marshal(herdJSON{span(h.Spread)}) }

// UnmarshalJSON reads what MarshalJSON writes.
func (h *Herd) UnmarshalJSON(data []byte) error {
	var read herdJSON
	err := json.Unmarshal(data, &read)
	h.Spread = time.Duration(read.Spread)
	return err
}

// MarshalText writes "mser5" or the fixed duration.
func (w WarmUp) MarshalText() ([]byte, error) {
	if w.MSER5 {
		return []byte("mser5"), nil
	}
	return []byte(w.Fixed.String()), nil
}

// UnmarshalText reads "mser5" or a duration.
func (w *WarmUp) UnmarshalText(text []byte) error {
	if string(text) == "mser5" {
		*w = WarmUp{MSER5: true}
		return nil
	}
	d, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("warm-up %q is neither mser5 nor a duration", text)
	}
	*w = WarmUp{Fixed: d}
	return nil
}
