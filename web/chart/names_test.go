package chart

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hush/web/exhibit"
)

// TestNamesAreNotCut: no picture has the library cut a name. A name that is long is wrapped, or its
// middle is left out and it has a number; the table has it whole.
func TestNamesAreNotCut(t *testing.T) {
	for _, a := range exhibit.Answers() {
		text, err := json.Marshal(pictureOf(a.Release).plot)
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
		if got := shortened(name, shortName); got != want {
			t.Errorf("%q is shortened to %q, want %q", name, got, want)
		}
	}
}

// TestHeatMapsNumberLongNames: the columns of a heat map have room for short names only.
func TestHeatMapsNumberLongNames(t *testing.T) {
	p := heatMap([]string{"Hill", "Mill"}, []string{"Hill", "Mill"}, "contacts", nil)
	if got := fmt.Sprint(p.plot["xAxis"].(object)["data"]); p.rows != nil || got != "[Hill Mill]" {
		t.Errorf("short names stand at columns %v and rows %v", got, p.rows)
	}
	long := []string{"district = Hill", "district = Old Town"}
	p = heatMap(long, long, "people", nil)
	columns := fmt.Sprint(p.plot["xAxis"].(object)["data"])
	if columns != "[1 2]" || fmt.Sprint(p.rows) !=
		"[district = Hill · 1 district = Old Town · 2]" {
		t.Errorf("long names stand at columns %v and rows %v", columns, p.rows)
	}
}
