package chart

import (
	"testing"

	"hush/web/webtest"
)

func TestWishFindsEpsilon(t *testing.T) {
	m, f := webtest.Asked(t)
	if len(m.Wish.Curve) < 5 {
		t.Fatalf("the curve has %d points", len(m.Wish.Curve))
	}
	m.Wish.Set("many")
	if m.Wish.Grant(m.Forecast.Plan); m.Wish.Fault == "" {
		t.Error("a wish that is no number is taken")
	}
	m.Wish.Set("5")
	m.Wish.Grant(m.Forecast.Plan)
	f.Settle()
	if m.Question.Form.Epsilon == "0.5" || m.Wish.Fault != "" {
		t.Fatalf("ε is %s, fault %q", m.Question.Form.Epsilon, m.Wish.Fault)
	}
	if got := m.Forecast.Plan.Off.Bound; got != 5 {
		t.Errorf("the bound is now %g, want 5 people", got)
	}
	webtest.Golden(t, "chart-curve.json", webtest.Indent(t, Curve(m.Wish.Curve, "0.5", "people")))
}
