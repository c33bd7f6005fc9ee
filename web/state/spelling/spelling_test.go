package spelling

import (
	"reflect"
	"slices"
	"testing"

	"hush/core/domain"
	"hush/core/table"
)

var districts = domain.Spec{Kind: domain.Category,
	Categories: []string{"Mitte", "Alt-Hafen", "a=b"}}

// TestDecide: what is decided about cells is in the list, and what is left out is asked no more.
func TestDecide(t *testing.T) {
	var c Cells
	c.Find([]table.Unplaced{{Column: 2, Cells: []string{"MITTE", "Park", "x"}, More: true}})
	cells, more := c.Of(2)
	if !slices.Equal(cells, []string{"MITTE", "Park", "x"}) || !more || !c.Any(2) || c.Any(1) {
		t.Fatalf("%q, %t", cells, more)
	}
	list, left := Decided(districts, cells, map[string]Verdict{"MITTE": {As: "Mitte"},
		"Park": {Own: true}})
	if !slices.Equal(list.Categories, []string{"Mitte", "Alt-Hafen", "a=b", "Park"}) ||
		!slices.Equal(list.Spellings, []domain.Spelling{{Cell: "MITTE", As: "Mitte"}}) ||
		!slices.Equal(left, []string{"x"}) || len(districts.Categories) != 3 {
		t.Errorf("%+v, left out %q", list, left)
	}
	c.Leave(2, left)
	if cells, more = c.Of(2); more || !slices.Equal(cells, []string{"MITTE", "Park"}) {
		t.Errorf("left out, and %q is asked, %t", cells, more)
	}
	if _, err := domain.New(WithOther(list, "other")); err != nil {
		t.Error(err)
	}
	if twice := WithOther(WithOther(list, "other"), "other"); len(twice.Categories) != 5 {
		t.Errorf("%q", twice.Categories)
	}
}

// TestProposal: capitals, spaces and signs make no other category; other letters do.
func TestProposal(t *testing.T) {
	for cell, want := range map[string]string{"MITTE": "Mitte", "mitte.": "Mitte",
		"Alt Hafen": "Alt-Hafen", "althafen": "Alt-Hafen", "Mitte 2": "", "Mitt": "", "-": ""} {
		if got := Proposal(districts, cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
}

// TestText: what is written is read back, also where cells have signs of equality.
func TestText(t *testing.T) {
	list := []domain.Spelling{{Cell: "MITTE", As: "Mitte"}, {Cell: "x = y", As: "Mitte"},
		{Cell: "b", As: "a=b"}}
	if got := Parse(Text(list), districts.Categories); !reflect.DeepEqual(got, list) {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]domain.Spelling{"alone": {Cell: "alone"},
		" p = q ": {Cell: "p", As: "q"}} {
		if got := Parse(text, districts.Categories); !reflect.DeepEqual(got,
			[]domain.Spelling{want}) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}
