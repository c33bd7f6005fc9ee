package film

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/threshold"
	"hush/web/say"
)

// The tree: boxes of a level in a row, the people below, and how many leave the path beside it.
const (
	treeBits   = 6
	treeLeft   = 18.0
	treeWide   = 256.0
	treeTop    = 6.0
	treeRow    = 21.0
	treePeople = treeTop + (treeBits+1)*treeRow + 46 // where the people's bars stand
	treeBeside = treeLeft + treeWide + 12
)

// twoHills are values from 0 to below size, most of them about two places.
func twoHills(n int, size uint64) []uint64 {
	dice := coin.NewSeeded(11)
	codes := make([]uint64, n)
	for i := range codes {
		low, wide := size*3/5, size*4/5
		if dice.Uniform(3) == 0 {
			low, wide = size/16, size/2
		}
		codes[i] = min(
			low+(dice.Uniform(wide)+dice.Uniform(wide)+dice.Uniform(wide)+dice.Uniform(wide))/8,
			size-1)
	}
	slices.Sort(codes)
	return codes
}

// tree is a film of TreeLog.
type tree struct {
	*Film
	codes domain.Sorted
	walk  *threshold.Walk
}

func treeLog(seed coin.Seed) (*Film, error) {
	const n = 1200
	values := twoHills(n, 1<<treeBits)
	codes := domain.SortedCodes(values, treeBits)
	m := must(threshold.NewTreeLog(
		threshold.TreeLogParams{Epsilon: epsilon("2"), Delta: must(privacy.ParseDelta("0.000001")),
			Size: big.NewInt(1 << treeBits)}))
	walk, err := m.Watch(seed, codes)
	if err != nil {
		return nil, err
	}
	t := &tree{&Film{
		Title:  say.Text("TreeLog finds a value with people on both sides"),
		Height: int(treePeople) + 16,
		Data: say.Format("%d made-up people with values from 0 to %d, ε = 2, δ = 10⁻⁶.", n,
			1<<treeBits-1),
	}, codes, walk}
	t.ground(values)
	t.begin()
	path := t.path()
	t.levels(path)
	t.point()
	return t.Film, nil
}

// box is the node of the leaves first to last at a depth.
func box(look Look, depth int, first, last float64) Mark {
	const unit = treeWide / (1 << treeBits)
	return bar(look, treeLeft+first*unit+0.5, treeTop+float64(depth)*treeRow, (last-first+1)*unit-1,
		treeRow-4)
}

func boxOf(look Look, depth int, first, last *big.Int) Mark {
	return box(look, depth, float64(first.Int64()), float64(last.Int64()))
}

func (t *tree) ground(values []uint64) {
	counts := make([]int, 1<<treeBits)
	for _, v := range values {
		counts[v]++
	}
	most := float64(slices.Max(counts))
	for depth := range treeBits + 1 {
		t.Ground = append(t.Ground,
			text(Soft, 7, treeTop+float64(depth)*treeRow+13, fmt.Sprint(depth)))
		wide := 1 << (treeBits - depth)
		for first := 0; first < len(counts); first += wide {
			n := 0
			for _, c := range counts[first : first+wide] {
				n += c
			}
			if n == 0 {
				continue
			}
			b := box(Plain, depth, float64(first), float64(first+wide-1))
			b.Faint = 90 - int(80*math.Sqrt(float64(n)/float64(len(values))))
			t.Ground = append(t.Ground, b)
		}
	}
	const unit = treeWide / (1 << treeBits)
	for v, n := range counts {
		if high := 40 * float64(n) / most; n > 0 {
			t.Ground = append(t.Ground,
				bar(Plain, treeLeft+float64(v)*unit+0.5, treePeople-high, unit-1, high))
		}
	}
	t.Ground = append(t.Ground, line(Soft, treeLeft, treePeople, treeLeft+treeWide, treePeople),
		text(Soft, treeLeft+3, treePeople+12, "0"),
		text(Soft, treeLeft+treeWide-6, treePeople+12, fmt.Sprint(1<<treeBits-1)))
}

func (t *tree) begin() {
	t.add(say.Text("The bars below are the people by their value. Above them is a tree: each box " +
		"holds those whose values lie below it, and the darker it is the more they are."))
	if w := t.walk; w.Lo > 0 {
		first, last := t.codes.Number(w.Lo-1), t.codes.Number(w.Hi)
		t.add(say.Format(
			"The %s with the smallest values and as many with the largest are set aside.",
			people(w.Lo)),
			boxOf(Outline, treeBits, new(big.Int), first),
			boxOf(Outline, treeBits, last, big.NewInt(1<<treeBits-1)))
	}
}

// path tells the turns, and returns the marks of the whole path.
func (t *tree) path() (marks []Mark) {
	for _, turn := range t.walk.Turns {
		middle := new(big.Int).Add(turn.First, turn.Last)
		middle.Rsh(middle, 1)
		marks = append(marks, boxOf(Main, turn.Depth, turn.First, turn.Last))
		side, first, last := "left", turn.First, middle
		if !turn.WentLeft {
			side, first, last = "right", new(big.Int).Add(middle, big.NewInt(1)), turn.Last
		}
		words := say.Format("At level %d, %s lie to the left and %d to the right. A coin that "+
			"likes the heavier side is thrown, and the path goes %s", turn.Depth, people(turn.Left),
			turn.Right, side)
		if turn.AgainstTrend {
			words += say.Text(", although fewer are there")
		}
		child := boxOf(Main, turn.Depth+1, first, last)
		t.add(words+".", append(append(marks, t.leaving(turn.Depth, false)...), child)...)
		marks = append(marks, child)
	}
	return marks
}

// leaving are bars of how many leave the path at the levels up to one, those that are deleted set
// off.
func (t *tree) leaving(upTo int, deleted bool) (marks []Mark) {
	most := slices.Max(append(slices.Clone(t.walk.Leave), 1))
	for i, level := range t.walk.Levels {
		if level > upTo {
			break
		}
		y, wide := treeTop+float64(level)*treeRow, (Width-treeBeside-30)/float64(most)
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
		"leave it at each level. Nobody is ever told the path.", people(left), w.Stop),
		append(path, t.leaving(treeBits, false)...)...)
	t.add(say.Format("The %d who left last are taken out of the count. So somebody else's data "+
		"move only a few of the others.", w.Stop),
		append(path, t.leaving(treeBits, true)...)...)
	row := box(Chosen, w.Level, 0, 1<<treeBits-1)
	row.Faint = 70
	t.add(say.Format("There are only %d levels. Among them the exponential mechanism finds one "+
		"that some left before and some after: level %d. A huge question has become a tiny one.",
		treeBits+1, w.Level),
		append(t.leaving(treeBits, true), row)...)
}

func (t *tree) point() {
	w := t.walk
	chosen := boxOf(Chosen, w.Level, w.First, w.Last)
	t.add(say.Format(
		"Of the boxes of level %d one is drawn, heavy ones far likelier: values %v to %v, with %s.",
		w.Level, w.First, w.Last, people(w.Node)), chosen)
	const unit = treeWide / (1 << treeBits)
	at := func(look Look, x *big.Int) Mark {
		middle := treeLeft + (float64(x.Int64())+0.5)*unit
		return line(look, middle, treeTop+(treeBits+1)*treeRow, middle, treePeople+4)
	}
	marks := []Mark{chosen}
	for _, leaf := range w.Leaves {
		marks = append(marks, at(Main, leaf))
	}
	t.add(say.Format("A few values stand for the box: its ends and its middle. Each is scored by "+
		"how many people are on its smaller side: %s.", list(w.Leaves, w.Depths)), marks...)
	i := slices.IndexFunc(w.Leaves, func(leaf *big.Int) bool { return leaf.Cmp(w.Point) == 0 })
	t.add(say.Format(
		"One of them is drawn, and nothing else is released: %v, with at least %s on either side.",
		w.Point, people(w.Depths[i])),
		chosen, at(Chosen, w.Point),
		text(Chosen, treeLeft+(float64(w.Point.Int64())+0.5)*unit, treePeople+14, w.Point.String()))
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
