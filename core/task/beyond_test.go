package task

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
)

// TestValuesAtAnEnd: a value at an end of a range as which others count is an end, and never good.
func TestValuesAtAnEnd(t *testing.T) {
	file := ages(20_000) // 0 to 99, each equally often
	for _, c := range []struct {
		task   string
		hi     string
		params ask.Params
		says   string
	}{
		{"median", "30", nil, "have 30 or more"},
		{"quantiles", "30", ask.Params{"targets": "10, 50"}, "50 % below 30 or more"},
	} {
		for _, outside := range []string{domain.Clamp, domain.None} {
			s := open(t, file)
			spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: c.hi, Outside: outside}
			r := recipe(s, c.task, 0, spec, c.params)
			release := askFor(t, s, r, file)
			v := release.Verdict
			narrow := strings.Contains(release.Statement, c.says) && v.Grade == ask.Rough &&
				strings.Contains(v.Text, "the range is too narrow")
			if narrow != (outside == domain.Clamp) {
				t.Errorf("%s, outside %s: %s %s (%v)", c.task, outside, release.Statement,
					v.Text, v.Grade)
			}
		}
	}
	for value, want := range map[string]Beyond{"0": Below, "9": Above, "5": ""} {
		spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9", Outside: domain.Clamp}
		if have := BeyondRange(spec, value); have != want {
			t.Errorf("%s of 0 to 9: %q, want %q", value, have, want)
		}
	}
	dates := domain.Spec{Kind: domain.Date, Lo: "2020-01-01", Hi: "2020-12-31",
		Outside: domain.Clamp}
	if have := BeyondRange(dates, "2020-12-31").Of(nil, dates.Kind, "2020-12-31"); have !=
		"2020-12-31 or later" {
		t.Error(have)
	}
}
