package ask

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"hush/core/phrase"
)

// offing is a prepared question of which only its errors are asked.
type offing struct {
	Prepared
	bound, typical float64
	exact          bool
}

func (o offing) Bound() float64           { return o.bound }
func (o offing) Typical() (float64, bool) { return o.typical, o.exact }

// TestOffTellsBoth: a forecast says the typical error and the bound, and which of them is not
// known.
func TestOffTellsBoth(t *testing.T) {
	if got := InUnit(558, "± of the mean"); got != "558" {
		t.Errorf("an error of a mean without a unit is %q", got)
	}
	people := Unit{Text: phrase.Plain("± people in each count"), Of: OfPeople}
	for _, c := range []struct {
		p             offing
		value, detail string
		headline      float64
	}{
		{offing{bound: 30, typical: 10.02, exact: true}, "10 people in each count",
			"at most 30 in 95 of 100 releases; both follow from the law of the noise", 30},
		{offing{bound: 350, typical: 1e-9}, "less than 0.1 people in each count",
			"at most 350 in 95 of 100 releases; a rule of thumb", 350},
		{offing{bound: math.Inf(1), typical: 7}, "7 people in each count", "no bound is known", 7},
		{offing{bound: math.Inf(1), typical: math.Inf(1)}, "not known", "no bound is known", -1},
	} {
		off := OffOf(c.p)
		f := off.Forecast(nil, people)
		if f.Value != c.value || !strings.HasPrefix(f.Detail, c.detail) {
			t.Errorf("%+v: %q, %q", c.p, f.Value, f.Detail)
		}
		if off.headline() != c.headline || off.Known() != (c.headline >= 0) {
			t.Errorf("%+v: headline %g", c.p, off.headline())
		}
		if _, err := json.Marshal(off); err != nil {
			t.Error(err)
		}
	}
}
