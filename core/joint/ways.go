package joint

import "slices"

// Way is a way to make up rows: it says which tables are measured, and how the loss is divided.
type Way struct {
	Name Named
	Of   [][2]int
	Even bool // each table gets the same part of the loss
}

// Named names a way.
type Named string

const (
	ByCells Named = "pairs" // all pairs; tables with more cells get more of the loss
	Evenly  Named = "even"  // all pairs, each with the same part
	Around  Named = "first" // the first column with each other column
	InTwos  Named = "twos"  // columns in twos: nearly independent columns

	EveryWay    = "all"     // each of them
	AllPairWays = "divided" // ByCells and Evenly
)

// Ways lists the ways with one name, or those of EveryWay or AllPairWays, that differ for these
// columns.
func Ways(sizes []int, name string) (ways []Way, err error) {
	columns := len(sizes)
	var all, around, twos [][2]int
	for i := range columns {
		for k := i + 1; k < columns; k++ {
			all = append(all, [2]int{i, k})
		}
		if i > 0 {
			around = append(around, [2]int{0, i})
		}
		if i%2 == 1 {
			twos = append(twos, [2]int{i - 1, i})
		}
	}
	if columns%2 == 1 {
		twos = append(twos, [2]int{columns - 2, columns - 1})
	}
	known := []Way{{ByCells, all, false}, {Evenly, all, true}, {Around, around, false},
		{InTwos, twos, false}}
	var wanted []Named
	switch name {
	case EveryWay:
		wanted = []Named{ByCells, Evenly, Around, InTwos}
	case AllPairWays:
		wanted = []Named{ByCells, Evenly}
	default:
		wanted = []Named{Named(name)}
	}
	for _, way := range known {
		if !slices.Contains(wanted, way.Name) {
			continue
		}
		if !slices.ContainsFunc(ways, func(w Way) bool { return w.same(way, sizes) }) {
			ways = append(ways, way)
		}
	}
	if ways == nil {
		return nil, refuse("ways", name, "one that is known")
	}
	return ways, nil
}

// same reports whether two ways measure the same with the same noise.
func (w Way) same(other Way, sizes []int) bool {
	if !slices.Equal(w.Of, other.Of) {
		return false
	}
	cells := func(pair [2]int) int { return sizes[pair[0]] * sizes[pair[1]] }
	return w.Even == other.Even || !slices.ContainsFunc(w.Of, func(pair [2]int) bool {
		return cells(pair) != cells(w.Of[0])
	})
}
