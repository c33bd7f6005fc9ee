package classify

import "testing"

// TestTransferred: the rule has the fewest mistakes on the labels, of its class where that can be
// listed in time, else of one threshold.
func TestTransferred(t *testing.T) {
	boxes := must(NewBoxes([]uint64{100, 100}))
	var inside []Example
	for x := range uint64(10) {
		for y := range uint64(10) {
			inside = append(inside, Example{Point{10 * x, 10 * y}, x > 2 && x < 7 && y > 4})
		}
	}
	rule, right := Transferred(boxes, inside)
	if right != len(inside) || !rule.Says(Point{45, 80}) {
		t.Errorf("%v is right for %d of %d", rule, right, len(inside))
	}
	inside[0].Yes = true // one label that no box gives with the others
	if _, right := Transferred(boxes, inside); right != len(inside)-1 {
		t.Errorf("right for %d of %d", right, len(inside))
	}

	weighted := must(NewHalfspaces([]uint64{100, 100}))
	var sides []Example
	for i := range uint64(50) {
		sides = append(sides, Example{Point{i, 99 - i}, i >= 20})
	}
	if rule, right := Transferred(weighted, sides); right != len(sides) {
		t.Errorf("%v is right for %d of %d", rule, right, len(sides))
	} else if _, is := rule.(Stump); !is {
		t.Errorf("%v is no stump", rule)
	}
}
