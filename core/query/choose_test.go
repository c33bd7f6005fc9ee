package query

import (
	"slices"
	"testing"
)

// TestChoose: the automatic choice is the method that TestCompare found best on the Adult data.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		size           int
		epsilon, delta string
		width          int
		want           string
	}{
		{16, "0.1", "0", 3, "product"}, {16, "1", "0", 3, "MWEM"},
		{16, "0.1", "1e-6", 3, "tables"}, {16, "1", "1e-6", 3, "tables"},
		{32, "0.1", "0", 3, "product"}, {32, "1", "0", 3, "product"},
		{32, "1", "1e-6", 3, "tables"},
		{64, "0.1", "0", 3, "product"}, {64, "1", "1e-6", 3, "tables"},
		{64, "1", "0", 8, "product"},
		{40, "1", "0", 1, "product"},
	} {
		choices := must(
			Choose(ChoiceParams{Epsilon: epsilon(c.epsilon), Delta: delta(c.delta), Persons: 48842,
				Size: c.size, Width: c.width}))
		if choices[0].Name != c.want {
			t.Errorf("d = %d, ε = %s, δ = %s, width %d: %s, want %s", c.size, c.epsilon, c.delta,
				c.width, choices[0].Name, c.want)
		}
		if listed := slices.ContainsFunc(choices, func(c Choice) bool {
			return c.Name == "MWEM"
		}); listed != (c.size <= 22 && c.width > 1) {
			t.Errorf("d = %d, width %d: MWEM listed %v", c.size, c.width, listed)
		}
	}
	_, err := Choose(ChoiceParams{Persons: 1, Size: 1, Width: 1})
	field(t, err, "epsilon")
	_, err = Choose(ChoiceParams{Epsilon: loud, Persons: 1, Size: 1})
	field(t, err, "width")
}
