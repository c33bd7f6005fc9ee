package task

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
)

// TestFrames: each question of the catalogue has the picture to come of its example, or a reason,
// and it is the same for a file of other people.
func TestFrames(t *testing.T) {
	for _, q := range Catalogue() {
		if q.Example == nil {
			t.Errorf("%s has no example", q.ID)
			continue
		}
		set := set(q.Example.Sample)
		lines := bytes.SplitAfter(bytes.TrimSuffix(set.CSV(), []byte("\n")), []byte("\n"))
		other := append([]byte{}, lines[0]...) // as many people, all of them the same one
		for range lines[1:] {
			other = append(append(other, bytes.TrimSuffix(lines[1], []byte("\n"))...), '\n')
		}
		var frames []*ask.Frame
		for _, file := range [][]byte{set.CSV(), other} {
			s := open(t, file)
			r := q.Example.Recipe
			r.Version, r.Task, r.Table, r.Epsilon = ask.RecipeVersion, q.ID,
				must(s.Opened()).Options, "1"
			plan, err := s.Plan(r)
			if err != nil {
				t.Fatalf("%s: %v", q.ID, err)
			}
			frames = append(frames, plan.Frame)
		}
		if !reflect.DeepEqual(frames[0], frames[1]) {
			t.Errorf("%s: the picture to come is %+v, and for other people %+v", q.ID, frames[0],
				frames[1])
		}
		f := frames[0]
		if f == nil {
			if q.Unframed == "" {
				t.Errorf("%s has no picture to come: write a Frame, or in Unframed why there is "+
					"none", q.ID)
			}
			continue
		}
		if q.Unframed != "" {
			t.Errorf("%s has a picture to come, and Unframed says why it has none", q.ID)
		}
		places := len(f.Edges) + len(f.Labels)
		if f.Axis == "" || f.Lo >= f.Hi || f.Even < f.Lo || f.Even > f.Hi || f.Error > f.Hi-f.Lo &&
			f.Kind != ask.FrameNumber || f.Kind != ask.FrameNumber && places < 2 ||
			!slices.IsSorted(f.Edges) {
			t.Errorf("%s: %+v", q.ID, f)
		}
	}
}

// TestFrameOfBins holds the picture of a histogram to numbers worked out by hand.
func TestFrameOfBins(t *testing.T) {
	s := open(t, ages(1000))
	r := recipe(s, "histogram", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"},
		ask.Params{"width": "auto"})
	r.Label, r.Unit, r.Noun.Many = "age", "years", "patients"
	f := must(s.Plan(r)).Frame
	if len(f.Edges) != 21 || f.Edges[0] != 0 || f.Edges[1] != 5 || f.Edges[20] != 100 ||
		f.Even != 50 || f.Unit != "patients" || f.Axis != "age in years" || f.Error != 6 {
		t.Errorf("%+v", f)
	}
	r.Column, r.Domain, r.Params = 2,
		domain.Spec{Kind: domain.Category, Categories: []string{"Ulm", "Bern"}}, nil
	if f = must(s.Plan(r)).Frame; strings.Join(f.Labels, " ") != "Ulm Bern" || f.Even != 500 ||
		f.Kind != ask.FrameBars {
		t.Errorf("%+v", f)
	}
}

// TestBinsHaveEdges: where bins begin is a number or a date, as bounds are written, and the last
// one ends behind its last value, unless it took that in.
func TestBinsHaveEdges(t *testing.T) {
	for _, c := range []struct {
		spec  domain.Spec
		width string
		bins  int
		first [2]string
		last  [2]string
		wide  string
	}{
		{domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}, "10", 10,
			[2]string{"0", "10"}, [2]string{"90", "100"}, "10"},
		{domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000"}, "auto", 20,
			[2]string{"0", "50"}, [2]string{"950", "1000"}, "50"},
		{domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}, "10", 13,
			[2]string{"0", "10"}, [2]string{"120", "121"}, "10"},
		{domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "5", Step: "0.01"}, "auto", 20,
			[2]string{"0.00", "0.25"}, [2]string{"4.75", "5.00"}, "0.25"},
		{domain.Spec{Kind: domain.Date, Lo: "2025-01-15", Hi: "2026-08-31"}, "auto", 20,
			[2]string{"2025-01-15", "2025-02-01"}, [2]string{"2026-08-01", "2026-09-01"},
			"1 month"},
	} {
		s := open(t, ages(100))
		q, p, err := ask.Prepare(All{}, recipe(s, "histogram", 0, c.spec,
			ask.Params{"width": c.width}), 100)
		if err != nil {
			t.Fatal(err)
		}
		h := p.(*histogram)
		n := h.mechanism.Bins()
		if first, last := [2]string(h.edges[:2]), [2]string(h.edges[n-1:]); n != c.bins ||
			first != c.first || last != c.last || h.width != c.wide {
			t.Errorf("%s in bins of %s: %d bins from %v to %v, of %s", q.Recipe.Domain.Hi, c.width,
				n, first, last, h.width)
		}
	}
}
