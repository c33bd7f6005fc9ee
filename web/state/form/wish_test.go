package form_test

import (
	"math"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestWishInPercent: a percentage is one of something public, and refused where there is nothing
// such.
func TestWishInPercent(t *testing.T) {
	people, share, points, own := &ask.Plan{People: 3000, ErrorOf: ask.OfPeople},
		&ask.Plan{ErrorOf: ask.OfShare}, &ask.Plan{ErrorOf: ask.OfPercent},
		&ask.Plan{ErrorUnit: "± of the mean"}
	for _, c := range []struct {
		text string
		plan *ask.Plan
		want float64 // 0: refused
	}{
		{"2%", people, 60}, {"± 2,5 %", people, 75}, {"60", people, 60}, {"2 %", share, 0.02},
		{"0.02", share, 0.02}, {"2 %", points, 2}, {"2", points, 2},
		{"2 %", own, 0}, {"2", own, 2}, {"0 %", people, 0}, {"-1", people, 0}, {"%", people, 0},
		{"Inf", people, 0}, {"2 % %", people, 0},
	} {
		got, why := form.ReadWish(c.text, c.plan)
		if math.Abs(got-c.want) > 1e-9 || (why == "") != (c.want > 0) {
			t.Errorf("%q of %+v is read as %g, %q, want %g", c.text, c.plan, got, why, c.want)
		}
	}
	if _, why := form.ReadWish("2 %", own); !strings.Contains(why, own.ErrorUnit) {
		t.Errorf("the refusal %q does not name the unit", why)
	}
	m, f := webtest.Asked(t)
	n := float64(m.Data.Opened.Rows)
	m.Wish.Set("1 %")
	m.Wish.Grant(m.Forecast.Plan)
	f.Settle()
	if off := m.Forecast.Plan.Off.Bound; off > n/100 || off < n/100-2 {
		t.Errorf("the bound is now %g, want 1 %% of %g", off, n)
	}
	if m.Wish.Fault != "" || m.Question.Form.Epsilon == "0.5" {
		t.Errorf("ε is %s, fault %q", m.Question.Form.Epsilon, m.Wish.Fault)
	}
}
