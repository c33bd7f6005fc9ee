// Package audit computes what a mechanism really leaks: the exact law of its output on every data
// set of a tiny space, and from these laws the smallest ε and δ that hold for every pair of
// neighbours, compared with the claim.
//
// Everything is an exact rational. Neighbours differ in one replaced person; the number of persons
// is public. A person's value may be none. An audit of a tiny space proves nothing for large data,
// but what a proof gets wrong by a factor, by one or by a missing case shows in small spaces;
// planted mistakes in the tests show that the audit would find it.
package audit

import "slices"

// None is the value of a person without one: missing, unreadable or filtered out.
const None = -1

// Space is the data sets that an audit goes through: all multisets of Persons values out of 0 …
// Values−1 and None.
type Space struct {
	Persons int
	Values  int
	NoNone  bool // leaves None out, for algorithms that have no place for it

	// AddRemove keeps only the neighbours of which one has None where the other has a value: adding
	// or removing one person. It is for claims that are made for these neighbours alone.
	AddRemove bool
}

// DataSets lists every data set, its values in ascending order (None first). They must not be
// written to. There are (Persons+Values choose Persons) of them.
func (s Space) DataSets() [][]int {
	first := None
	if s.NoNone {
		first = 0
	}
	var sets [][]int
	var extend func(rows []int, least int)
	extend = func(rows []int, least int) {
		if len(rows) == s.Persons {
			sets = append(sets, slices.Clone(rows))
			return
		}
		for v := least; v < s.Values; v++ {
			extend(append(rows, v), v)
		}
	}
	extend(make([]int, 0, s.Persons), first)
	return sets
}

// Neighbours lists the data sets that differ from rows, which is one of DataSets, in one person.
func (s Space) Neighbours(rows []int) [][]int {
	var near [][]int
	for _, other := range s.DataSets() {
		if s.near(rows, other) {
			near = append(near, other)
		}
	}
	return near
}

// neighbours lists, for every data set, the indices of the data sets that differ from it in one
// person.
func (s Space) neighbours(sets [][]int) [][]int {
	near := make([][]int, len(sets))
	for i, a := range sets {
		for j, b := range sets {
			if s.near(a, b) {
				near[i] = append(near[i], j)
			}
		}
	}
	return near
}

func (s Space) near(a, b []int) bool {
	return apart(a, b) == 1 && (!s.AddRemove || nones(a) != nones(b))
}

// apart returns the number of persons to replace to turn one multiset into another of the same
// size; both are sorted.
func apart(a, b []int) int {
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return len(a) - common
}

func nones(set []int) int {
	n := 0
	for n < len(set) && set[n] == None {
		n++
	}
	return n
}
