package chart

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/exhibit"
)

// TestShareInPercent: a share is drawn as its sentence words it, in percent, alone and by group.
func TestShareInPercent(t *testing.T) {
	for _, c := range []struct {
		rows []task.Estimate
		want []string
	}{
		{[]task.Estimate{{Value: "0.5010", Low: "0.4970", High: "0.5050"}},
			[]string{`"50.10 %"`, "49.7", "50.5", "in %"}},
		{[]task.Estimate{{Group: "f", Value: "0.241", Low: "0.20", High: "0.28"}},
			[]string{"24.1", "20", "28", "in %"}},
		{[]task.Estimate{{Group: "f", Value: "1e9", Low: "0", High: "1"}}, nil},
	} {
		e := &task.Estimates{Name: "share", Of: ask.OfShare, Rows: c.rows}
		option, _, _ := Bare(exhibit.Release("share", "Share", "About half.", e))
		for _, want := range c.want {
			if !strings.Contains(string(option), want) {
				t.Errorf("%+v is drawn without %s:\n%s", c.rows, want, option)
			}
		}
		if strings.Contains(string(option), "0.5010") {
			t.Errorf("it is drawn as a part of 1:\n%s", option)
		}
	}
}
