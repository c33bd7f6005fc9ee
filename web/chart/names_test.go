package chart

import (
	"encoding/json"
	"strings"
	"testing"

	"hush/web/chart/plot"
	"hush/web/exhibit"
)

// TestNamesAreNotCut: no picture has the library cut a name. A name that is long is wrapped, or its
// middle is left out and it has a number; the table has it whole.
func TestNamesAreNotCut(t *testing.T) {
	for _, a := range exhibit.Answers() {
		text, err := json.Marshal(pictureOf(a.Release).Plot)
		if err != nil {
			t.Fatal(err)
		}
		for _, cut := range []string{"truncate", "nameTruncate"} {
			if strings.Contains(string(text), cut) {
				t.Errorf("%s: a name is cut by %q", a.State, cut)
			}
		}
	}
	for name, want := range map[string]string{
		"department = children":             "department = children",
		"department of internal = medicine": "department …= medicine",
		"Преступление и наказание":          "Преступлени… наказание"} {
		if got := plot.Shortened(name, plot.ShortName); got != want {
			t.Errorf("%q is shortened to %q, want %q", name, got, want)
		}
	}
}
