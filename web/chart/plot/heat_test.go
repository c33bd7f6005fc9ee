package plot

import (
	"fmt"
	"testing"
)

// TestHeatMapsNumberLongNames: the columns of a heat map have room for short names only.
func TestHeatMapsNumberLongNames(t *testing.T) {
	p := HeatMap([]string{"Hill", "Mill"}, []string{"Hill", "Mill"}, "contacts", nil)
	if got := fmt.Sprint(p.Plot["xAxis"].(object)["data"]); p.Rows != nil || got != "[Hill Mill]" {
		t.Errorf("short names stand at columns %v and rows %v", got, p.Rows)
	}
	long := []string{"district = Hill", "district = Old Town"}
	p = HeatMap(long, long, "people", nil)
	columns := fmt.Sprint(p.Plot["xAxis"].(object)["data"])
	if columns != "[1 2]" || fmt.Sprint(p.Rows) !=
		"[district = Hill · 1 district = Old Town · 2]" {
		t.Errorf("long names stand at columns %v and rows %v", columns, p.Rows)
	}
}
