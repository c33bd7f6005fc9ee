package spelling

import (
	"math/rand/v2"
	"slices"
	"strings"
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

// TestLine: a line is a category, and behind the equals sign other cells that count as it.
func TestLine(t *testing.T) {
	for line, want := range map[string][]string{
		"female = w, W, weiblich": {"female", "w", "W", "weiblich"}, "female": {"female"},
		" married=1 ": {"married", "1"}, "a,b": {"a,b"}, "": {""}, "  ": {""}, "x =": {"x"},
		"x = , y,,": {"x", "y"}, "<=5": {"<=5"}, ">= 65 = old": {">= 65", "old"}, "!=": {"!="},
		"a == b": {"a == b"}, "= w": {"= w"}, "a = b = c": {"a", "b = c"},
		`"a = b" = "x, y", z`: {"a = b", "x, y", "z"}, `"say ""hi""" = h`: {`say "hi"`, "h"},
		`"open = w`: {`"open`, "w"}, `"q" x = w`: {`"q" x`, "w"}, `a = "b" c`: {"a", `"b" c`},
		`"" = w`: {"", "w"}, "größe = ß, \u00a0": {"größe", "ß"},
	} {
		name, cells := Line(line, ',')
		if got := append([]string{name}, cells...); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
	if name, cells := Line("a, b = c|d,e", '|'); name != "a, b" ||
		!slices.Equal(cells, []string{"c", "d,e"}) {
		t.Errorf("%q, %q", name, cells)
	}
}

// TestText: what is written is read back, whatever signs names and cells have.
func TestText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		signs := []rune("=,\"<!| a\u00a0é|")
		list := make([]rune, 1+r.IntN(6))
		for i := range list {
			list[i] = signs[r.IntN(len(signs))]
		}
		return strings.Trim(string(list), " \t")
	}
	for range 20_000 {
		var categories []string
		var spellings []domain.Spelling
		for range 1 + r.IntN(3) {
			name := text()
			if name == "" || slices.Contains(categories, name) {
				continue
			}
			categories = append(categories, name)
			for range r.IntN(3) {
				if cell := text(); cell != "" {
					spellings = append(spellings, domain.Spelling{Cell: cell, As: name})
				}
			}
		}
		written := Text(categories, spellings)
		names, cells := Parse(written)
		if !slices.Equal(names, categories) || !slices.Equal(cells, spellings) {
			t.Fatalf("%q, %q are written %q and read %q, %q", categories, spellings, written, names,
				cells)
		}
	}
	if got := Text([]string{" married ", "a = b", "<=5"}, []domain.Spelling{{Cell: "1",
		As: "married"}, {Cell: "x", As: "a = b"}, {Cell: " v, h ", As: "married "}}); got !=
		"married = 1, \"v, h\"\n\"a = b\" = x\n<=5" {
		t.Errorf("%q", got)
	}
}
