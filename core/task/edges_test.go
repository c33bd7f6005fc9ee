package task

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/param"
)

// TestBinsOfOnesOwn: bins begin where somebody typed, are counted there, and are written with their
// edges.
func TestBinsOfOnesOwn(t *testing.T) {
	var file bytes.Buffer
	file.WriteString("age\n")
	random, want := rand.New(rand.NewPCG(1, 2)), make([]int64, 3)
	for range 3000 {
		age := random.IntN(120)
		fmt.Fprintln(&file, age)
		switch {
		case age < 18:
			want[0]++
		case age < 65:
			want[1]++
		default:
			want[2]++
		}
	}
	s := open(t, file.Bytes())
	r := recipe(s, "histogram", 0, ageDomain, ask.Params{"width": "round", "edges": "18, 65"})
	r.Epsilon = "100"
	release := askFor(t, s, r, file.Bytes())
	h := release.Answer.Result.(*Histogram)
	if len(h.Bins) != 3 || !h.Cut || h.Width != "" {
		t.Fatalf("%+v", h)
	}
	for i, b := range []Bin{{"0–17", want[0], "0", "18"}, {"18–64", want[1], "18", "65"},
		{"65–119", want[2], "65", "120"}} {
		if h.Bins[i] != b {
			t.Errorf("bin %d is %+v, want %+v", i, h.Bins[i], b)
		}
	}
	if csv := release.CSV(); !strings.Contains(csv, "\n18,65,") {
		t.Errorf("no edges in\n%s", csv)
	}
	if f := must(s.Plan(r)).Frame; f.Kind != ask.FrameBars || len(f.Labels) != 3 {
		t.Errorf("the picture to come is %+v", f)
	}
	for edges, field := range map[string]string{"65, 18": "edges", "18, 18": "edges",
		"0": "edges", "200": "edges", "x": "edges", "18,,65": "edges"} {
		r.Params["edges"] = edges
		_, err := s.Plan(r)
		if refused := new(param.Error); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%q: %v", edges, err)
		}
	}
	clamped := r
	clamped.Domain.Outside, clamped.Params = domain.Clamp, ask.Params{"edges": "18, 200"}
	if _, err := s.Plan(clamped); err == nil {
		t.Error("a bin begins beyond the range, where cells count as the bound")
	}
	r.Params = ask.Params{"edges": "18", ask.TryName("width"): "5, 10", "try": "all"}
	if _, err := s.Plan(r); err == nil {
		t.Error("widths are tried of bins that have none")
	}
	category := recipe(s, "histogram", 0, yesNoSpec, ask.Params{"edges": "yes"})
	if _, err := s.Plan(category); err == nil {
		t.Error("categories are cut")
	}
}

var yesNoSpec = domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}

// TestRangesOfADistribution: they begin where somebody typed, or grow away from a known peak.
func TestRangesOfADistribution(t *testing.T) {
	file := ages(3000)
	s := open(t, file)
	cells := func(edges string) int {
		r := recipe(s, "density", 0, ageDomain,
			ask.Params{"method": "histogram", "edges": edges, "pieces": "200"})
		r.Epsilon = "100"
		askFor(t, s, r, file)
		q, p, err := ask.Prepare(All{}, r, 3000)
		if err != nil {
			t.Fatalf("%s: %v, %v", edges, err, q)
		}
		return p.(*densityQuery).chosen.Forecast().Cells
	}
	if n := cells("18, 65"); n != 3 {
		t.Errorf("%d ranges", n)
	}
	for _, known := range []string{"falls", "rises", "peaks at 40"} {
		if n := cells(known); n < 10 || n > 110 {
			t.Errorf("%s: %d ranges of 120 values", known, n)
		}
	}
	for _, p := range []ask.Params{{"edges": "18", "method": "merr"}, {"edges": "peaks at"},
		{"edges": "peaks at 500"}, {"edges": "18", "rounds": "8"},
		{"edges": "peaks at 3, 4"}} {
		if _, err := s.Plan(recipe(s, "density", 0, ageDomain, p)); err == nil {
			t.Errorf("%v is not refused", p)
		}
	}
}
