package reports

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func TestMarkdownEscapesEveryText(t *testing.T) {
	const hostile = "a|b *c* <d> _e_ `f` [g](h) #i \\ &lt; ~~j~~\x1b[31m\nk"
	r := result(t, "chain")
	r.Scenario.Title, r.Version, r.Warnings[0] = hostile, hostile, hostile
	r.Claims[0].Claim, r.Claims[0].Verdict = hostile, hostile
	r.Cells[len(r.Cells)-1].GivenUpBy = map[string]float64{hostile: 1}
	r.Expected[0].Expectation = hostile
	var out bytes.Buffer
	if err := Markdown(&out, r); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	const escaped = "a\\|b \\*c\\* &lt;d> \\_e\\_ \\`f\\` \\[g\\](h) \\#i \\\\ &amp;lt; \\~\\~j\\~\\~ \\[31m k"
	if n := strings.Count(text, escaped); n != 7 {
		t.Errorf("%d texts are escaped, want 7, in\n%s", n, text)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "k") || strings.Contains(line, "\x1b") {
			t.Errorf("a control character came through: %q", line)
		}
	}
	// Each row of a table has the cells of its header.
	bars := regexp.MustCompile(`(^|[^\\])\|`)
	claims, _, _ := strings.Cut(text[strings.Index(text, "| claim |"):], "\n\n")
	for line := range strings.Lines(claims) {
		if n := len(bars.FindAllString(line, -1)); n != 4 {
			t.Errorf("%d bars in a row of the claims: %s", n, line)
		}
	}
}
