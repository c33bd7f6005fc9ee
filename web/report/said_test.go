package report

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestTextOfChart: a text of a picture is its chart's where the chart library may have broken a
// line: at spaces, at some marks, and anywhere in a long word; a part of another word is not.
func TestTextOfChart(t *testing.T) {
	long := "Donaudampfschifffahrtsgesellschaftskapitän"
	s := &said{texts: []string{"unmarried people", "household, …?”", long + " · 4"}}
	for text, want := range map[string]bool{
		"unmarried people": true, "people": true, "unmarried": true, "unmarr…": true,
		"household": true, ", …?”": true, "fahrtsgesellschaftskapitän · 4": true,
		"married people": false, "married": false, "un": false, "peopl": false, "house": false,
		"certified": false, "fahrtsgesellschaftskapitän ·": true, "fahrts 4": false,
	} {
		if got := s.has(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestTopOfBand: an axis goes on to the top of a band, which no number of the chart states.
func TestTopOfBand(t *testing.T) {
	s := &said{lo: 0, hi: 1988}
	s.stack(map[string]any{"series": []any{
		map[string]any{"stack": "band", "data": points("1927")},
		map[string]any{"stack": "band", "data": points("122")},
		map[string]any{"data": points("9000")},
	}})
	if s.hi != 2049 {
		t.Errorf("the top is %v, want 2049", s.hi)
	}
}

// points is a line of one point.
func points(y string) []any { return []any{[]any{json.Number("1"), json.Number(y)}} }

// TestSourceIsSaidOnce: a page whose author typed the word "Source:" says it once.
func TestSourceIsSaidOnce(t *testing.T) {
	r := released(t, "age")
	r.Recipe.Source = "source: Clinic visits"
	page := Of("0123456789abcdef", "2026-01-31", Answer{Release: r, Picture: drawn(t)})
	text := page.HTML()
	foot := text[strings.Index(text, "<footer>"):strings.Index(text, "</footer>")]
	if !strings.Contains(foot, "<p>Clinic visits</p>") {
		t.Errorf("the foot is %s", foot)
	}
	if closing := page.Content(false).Closing[0]; closing != "Clinic visits" {
		t.Errorf("the document's last part begins with %q", closing)
	}
}
