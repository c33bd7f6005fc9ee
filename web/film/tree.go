package film

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/sample/crowd"
	"hush/core/threshold"
	"hush/web/say"
)

// The tree: the boxes of a level in a row, the people below, and beside it the number who leave the
// path.
const (
	treeBits   = 6
	treeLeft   = 18.0
	treeWide   = 256.0
	treeTop    = 6.0
	treeRow    = 21.0
	treeHigh   = (treeBits+1)*treeRow + 62 // with the people's bars
	treeBeside = treeLeft + treeWide + 12
)

// tree is a tree over codes, and a walk down it, in a film.
type tree struct {
	*Film
	codes domain.Sorted
	walk  *threshold.Walk
	bits  int
	top   float64 // where it begins
}

// foot is the height at which the bars of the codes stand.
func (t *tree) foot() float64 { return t.top + float64(t.bits+1)*treeRow + 46 }

// leaf returns the width of a leaf.
func (t *tree) leaf() float64 { return treeWide / float64(int(1)<<t.bits) }

func treeLog(seed coin.Seed) (*Film, error) {
	const n = 1200
	values := crowd.TwoHills(n, 1<<treeBits)
	codes := domain.SortedCodes(values.People(), treeBits)
	m := must(threshold.NewTreeLog(
		threshold.TreeLogParams{Epsilon: epsilon("2"), Delta: must(privacy.ParseDelta("0.000001")),
			Size: big.NewInt(1 << treeBits)}))
	walk, err := m.Watch(seed, values)
	if err != nil {
		return nil, err
	}
	t := &tree{&Film{
		Title:  say.Text("TreeLog finds a value with people on both sides"),
		Height: treeTop + treeHigh,
		Data: say.Format("%d made-up people with values from 0 to %d, ε = 2, δ = 10⁻⁶.", n,
			1<<treeBits-1),
	}, codes, walk, treeBits, treeTop}
	t.Ground = t.ground()
	t.begin()
	path := t.path()
	t.levels(path)
	t.point()
	return t.Film, nil
}

// box draws the node of the leaves first to last at a depth.
func (t *tree) box(look Look, depth int, first, last float64) Mark {
	return bar(look, treeLeft+first*t.leaf()+0.5, t.top+float64(depth)*treeRow,
		(last-first+1)*t.leaf()-1, treeRow-4)
}

func (t *tree) boxOf(look Look, depth int, first, last *big.Int) Mark {
	return t.box(look, depth, float64(first.Int64()), float64(last.Int64()))
}

// ground draws the codes by value, and the boxes that hold some.
func (t *tree) ground() (marks []Mark) {
	counts := make([]int, 1<<t.bits)
	for i := range t.codes.Len() {
		counts[t.codes.Number(i).Int64()]++
	}
	most := float64(max(slices.Max(counts), 1))
	for depth := range t.bits + 1 {
		marks = append(marks,
			text(Soft, 7, t.top+float64(depth)*treeRow+13, fmt.Sprint(depth)))
		wide := 1 << (t.bits - depth)
		for first := 0; first < len(counts); first += wide {
			n := 0
			for _, c := range counts[first : first+wide] {
				n += c
			}
			if n == 0 {
				continue
			}
			b := t.box(Plain, depth, float64(first), float64(first+wide-1))
			b.Faint = 90 - int(80*math.Sqrt(float64(n)/float64(t.codes.Len())))
			marks = append(marks, b)
		}
	}
	for v, n := range counts {
		if high := 40 * float64(n) / most; n > 0 {
			marks = append(marks,
				bar(Plain, treeLeft+float64(v)*t.leaf()+0.5, t.foot()-high, t.leaf()-1, high))
		}
	}
	return append(marks, line(Soft, treeLeft, t.foot(), treeLeft+treeWide, t.foot()),
		text(Soft, treeLeft+3, t.foot()+12, "0"),
		text(Soft, treeLeft+treeWide-6, t.foot()+12, fmt.Sprint(len(counts)-1)))
}

func (t *tree) begin() {
	t.add(say.Text("The bars show how many people have each value. Above them is a tree: each " +
		"box holds the people whose values lie under it, and the darker it is, the more people " +
		"it holds."))
	if w := t.walk; w.Lo > 0 {
		first, last := t.codes.Number(w.Lo-1), t.codes.Number(w.Hi)
		t.add(say.Format(
			"The %s with the smallest values and as many with the largest are set aside.",
			people(w.Lo)),
			t.boxOf(Outline, treeBits, new(big.Int), first),
			t.boxOf(Outline, treeBits, last, big.NewInt(1<<treeBits-1)))
	}
}

// path shows the turns, and returns the marks of the whole path.
func (t *tree) path() (marks []Mark) {
	for _, turn := range t.walk.Turns {
		middle := new(big.Int).Add(turn.First, turn.Last)
		middle.Rsh(middle, 1)
		marks = append(marks, t.boxOf(Main, turn.Depth, turn.First, turn.Last))
		side, first, last := "left", turn.First, middle
		if !turn.WentLeft {
			side, first, last = "right", new(big.Int).Add(middle, big.NewInt(1)), turn.Last
		}
		words := say.Format("At level %d, %s lie to the left and %d to the right. A coin that "+
			"favours the heavier side is thrown, and the path goes %s", turn.Depth,
			people(turn.Left),
			turn.Right, side)
		if turn.AgainstTrend {
			words += say.Text(", although fewer are there")
		}
		child := t.boxOf(Main, turn.Depth+1, first, last)
		t.add(words+".", append(append(marks, t.leaving(turn.Depth, false)...), child)...)
		marks = append(marks, child)
	}
	return marks
}

// leaving draws bars for the number of people who leave the path at the levels up to one; those
// that are deleted are set off.
func (t *tree) leaving(upTo int, deleted bool) (marks []Mark) {
	most := slices.Max(append(slices.Clone(t.walk.Leave), 1))
	for i, level := range t.walk.Levels {
		if level > upTo {
			break
		}
		y, wide := t.top+float64(level)*treeRow, (Width-treeBeside-30)/float64(most)
		kept := t.walk.Leave[i]
		if deleted {
			kept = t.walk.Kept[i]
			marks = append(marks,
				bar(Soft, treeBeside, y+2, wide*float64(t.walk.Leave[i]), treeRow-8))
		}
		marks = append(marks, bar(Main, treeBeside, y+2, wide*float64(kept), treeRow-8),
			text(Plain, Width-14, y+13, fmt.Sprint(kept)))
	}
	return marks
}

func (t *tree) levels(path []Mark) {
	w := t.walk
	left := 0
	if len(w.Leave) > 0 {
		left = w.Leave[len(w.Leave)-1]
	}
	t.add(say.Format("With %s, not more than %d, the path stops. Beside it: how many people "+
		"leave it at each level. The path stays secret.",
		people(left), w.Stop),
		append(path, t.leaving(treeBits, false)...)...)
	t.add(say.Format("The %d who left last are taken out of the count. So somebody else's data "+
		"move only a few of the others.", w.Stop),
		append(path, t.leaving(treeBits, true)...)...)
	row := t.box(Chosen, w.Level, 0, 1<<treeBits-1)
	row.Faint = 70
	t.add(say.Format("There are only %d levels. The exponential mechanism finds one with people "+
		"leaving both before and after it: level %d. A huge question has become a tiny one.",
		treeBits+1, w.Level),
		append(t.leaving(treeBits, true), row)...)
}

func (t *tree) point() {
	w := t.walk
	chosen := t.boxOf(Chosen, w.Level, w.First, w.Last)
	t.add(say.Format(
		"One box of level %d is drawn, heavy ones being far likelier: values %v to %v, with %s.",
		w.Level, w.First, w.Last, people(w.Node)), chosen)
	marks := []Mark{chosen}
	for _, leaf := range w.Leaves {
		marks = append(marks, t.at(Main, leaf))
	}
	t.add(say.Format("A few values represent the box: its ends and its middle. Each has a score, "+
		"the number of people on its smaller side: %s.",
		list(w.Leaves, w.Depths)), marks...)
	i := slices.IndexFunc(w.Leaves, func(leaf *big.Int) bool { return leaf.Cmp(w.Point) == 0 })
	t.add(say.Format(
		"One of them is drawn, and nothing else is released: %v, with at least %s on either side.",
		w.Point, people(w.Depths[i])),
		chosen, t.at(Chosen, w.Point),
		t.name(w.Point))
}

// at draws a mark at a value.
func (t *tree) at(look Look, x *big.Int) Mark {
	middle := treeLeft + (float64(x.Int64())+0.5)*t.leaf()
	return line(look, middle, t.top+float64(t.bits+1)*treeRow, middle, t.foot()+4)
}

// name writes the name of a value below its mark.
func (t *tree) name(x *big.Int) Mark {
	return text(Chosen, treeLeft+(float64(x.Int64())+0.5)*t.leaf(), t.foot()+14, x.String())
}

// list writes values with their scores: "12 (300), 13 (310)".
func list(values []*big.Int, scores []int) (text string) {
	for i, v := range values {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%v (%d)", v, scores[i])
	}
	return text
}
