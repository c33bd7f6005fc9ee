package web

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
)

func TestWishFindsEpsilon(t *testing.T) {
	m, f := asked(t)
	if len(m.Wish.Curve) < 5 {
		t.Fatalf("the curve has %d points", len(m.Wish.Curve))
	}
	m.SetWish("many")
	if m.GrantWish(); m.Wish.Fault == "" {
		t.Error("a wish that is no number is taken")
	}
	m.SetWish("5")
	m.GrantWish()
	f.settle()
	if m.Question.Epsilon == "0.5" || m.Wish.Fault != "" {
		t.Fatalf("ε is %s, fault %q", m.Question.Epsilon, m.Wish.Fault)
	}
	if got := m.Forecast.Plan.Forecast[0].Value; got != "5 people" {
		t.Errorf("the forecast is now %q, want 5 people", got)
	}
	golden(t, "chart-curve.json", indent(t, curveChart(m.Wish.Curve, "0.5", "people")))
}

// TestWishInPercent: a percentage is one of something public, and refused where there is nothing such.
func TestWishInPercent(t *testing.T) {
	people, share, points, own := &ask.Plan{People: 3000, ErrorOf: ask.OfPeople}, &ask.Plan{ErrorOf: ask.OfShare}, &ask.Plan{ErrorOf: ask.OfPercent}, &ask.Plan{ErrorUnit: "± of the mean"}
	for _, c := range []struct {
		text string
		plan *ask.Plan
		want float64 // 0: refused
	}{
		{"2%", people, 60}, {"± 2,5 %", people, 75}, {"60", people, 60}, {"2 %", share, 0.02}, {"0.02", share, 0.02}, {"2 %", points, 2}, {"2", points, 2},
		{"2 %", own, 0}, {"2", own, 2}, {"0 %", people, 0}, {"-1", people, 0}, {"%", people, 0}, {"Inf", people, 0}, {"2 % %", people, 0},
	} {
		got, why := Wish{Text: c.text}.read(c.plan)
		if math.Abs(got-c.want) > 1e-9 || (why == "") != (c.want > 0) {
			t.Errorf("%q of %+v is read as %g, %q, want %g", c.text, c.plan, got, why, c.want)
		}
	}
	if _, why := (Wish{Text: "2 %"}).read(own); !strings.Contains(why, own.ErrorUnit) {
		t.Errorf("the refusal %q does not name the unit", why)
	}
	m, f := asked(t)
	n := float64(m.Data.Opened.Rows)
	m.SetWish("1 %")
	m.GrantWish()
	f.settle()
	reached, _, _ := strings.Cut(m.Forecast.Plan.Forecast[0].Value, " ")
	if off, err := strconv.ParseFloat(reached, 64); err != nil || off > n/100 || off < n/100-2 {
		t.Errorf("the forecast is now %q, want 1 %% of %g", m.Forecast.Plan.Forecast[0].Value, n)
	}
	if m.Wish.Fault != "" || m.Question.Epsilon == "0.5" {
		t.Errorf("ε is %s, fault %q", m.Question.Epsilon, m.Wish.Fault)
	}
}
