package basic

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

const jointSize = 4 // values of the audited domain

func newJointExp(r coin.Base, parts int64, targets ...string) *JointExp {
	return must(NewJointExp(JointExpParams{Base: r, Size: big.NewInt(jointSize), People: 8,
		Parts: parts, Chosen: len(targets), Targets: rats(targets...)}))
}

// lineOf is the data set of the rows of a space.
func lineOf(rows []int, last uint64) *codeLine {
	rows = slices.DeleteFunc(slices.Clone(rows), func(v int) bool { return v == audit.None })
	slices.Sort(rows)
	l := &codeLine{last: last}
	for _, v := range rows {
		l.add(uint64(v), 1)
	}
	return l
}

// jointLaw is the law of the release: where persons are put, then lists of points, level by level
// and part by part, each in rounds until one is kept.
func jointLaw(q *JointExp) func(rows []int) (*coin.Law[released], error) {
	return func(rows []int) (*coin.Law[released], error) {
		on := lineOf(rows, q.size.Uint64()-1)
		places, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			c := q.divide(src, on)
			return fmt.Sprint(c.first, c.sizes), nil
		})
		if err != nil {
			return nil, err
		}
		return coin.Then(places, func(text string) (*coin.Law[released], error) {
			c := printedCells(text)
			points, err := pointLaw(q, c)
			if err != nil {
				return nil, err
			}
			return mapped(points, func(text string) (out released) {
				for i, at := range printed(text) {
					out[i] = at.Quo(at, big.NewInt(q.parts)).Uint64()
				}
				return out
			}), nil
		})
	}
}

// mapped returns the law of f(x), x drawn from the given law.
func mapped[T, U comparable](law *coin.Law[T], f func(T) U) *coin.Law[U] {
	return must(coin.Then(law, func(x T) (*coin.Law[U], error) {
		one := coin.NewLaw[U]()
		one.Add(f(x), big.NewRat(1, 1))
		return one, nil
	}))
}

// pointLaw is the law of all points, printed.
func pointLaw(q *JointExp, c *cells) (law *coin.Law[string], err error) {
	law = coin.NewLaw[string]()
	law.Add("[]", big.NewRat(1, 1))
	for _, l := range q.levels {
		law, err = coin.Then(law, func(text string) (grown *coin.Law[string], err error) {
			chosen := printed(text)
			grown = coin.NewLaw[string]()
			grown.Add("[]", big.NewRat(1, 1))
			for k, list := range l.lists {
				more := coin.NewLaw[string]()
				if more.Add("[]", big.NewRat(1, 1)); list.from < list.to {
					more, err = l.law(c.between(k, chosen), l.gaps[list.from:list.to+1],
						c.persons())
					if err != nil {
						return nil, err
					}
				}
				grown = must(coin.Then(grown, func(before string) (*coin.Law[string], error) {
					return mapped(more, func(list string) string {
						points := append(printed(before), printed(list)...)
						return fmt.Sprint(append(points, chosen[k:min(k+1, len(chosen))]...))
					}), nil
				}))
			}
			return grown, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return law, nil
}

// law is that of one list of points.
func (l *level) law(on *cells, gaps []int64, persons int) (*coin.Law[string], error) {
	s, err := l.forward(on, gaps, persons, nil)
	if err != nil {
		return nil, err
	}
	round, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
		list, kept, err := s.round(src)
		if err != nil || !kept {
			return "", err
		}
		return fmt.Sprint(s.points(src, list)), nil
	})
	if err != nil {
		return nil, err
	}
	return coin.Until(round, func(text string) (string, bool) { return text, text != "" }), nil
}

// printedCells reads cells as they are printed: laws compare outcomes, and pointers differ.
func printedCells(text string) *cells {
	numbers := printed(text)
	half := len(numbers) / 2
	return &cells{numbers[:half], numbers[half:]}
}

// printed reads numbers.
func printed(text string) (numbers []*big.Int) {
	for _, word := range strings.Fields(strings.NewReplacer("[", "", "]", "").Replace(text)) {
		n, _ := new(big.Int).SetString(word, 10)
		numbers = append(numbers, n)
	}
	return numbers
}

// jointDefinition is the law by its definition: every person at each point of its value, and every
// ascending list of points by its score: where some of the targets are first, these and then the
// others between them. Broken twins change a part of it.
type jointDefinition struct {
	parts   int64
	r       *big.Rat
	targets []*big.Rat
	first   []int // by two levels: which targets
	floored bool  // whole numbers of persons are wanted: ⌊g·w⌋
	within  bool  // points between the first person and the last only

	// around, by gap, is how many persons are wanted beyond its part; nil: none
	around func(gap int) int64
}

func (d jointDefinition) law(rows []int) (*coin.Law[released], error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(v int) bool { return v == audit.None })
	slices.Sort(rows)
	law := coin.NewLaw[released]()
	ways := int64(1)
	for range rows {
		ways *= d.parts
	}
	for way := range ways {
		points := make([]int64, len(rows))
		for i, v := range rows {
			points[i] = int64(v)*d.parts + way%d.parts
			way /= d.parts
		}
		slices.Sort(points)
		first, total := d.firstLists(points)
		d.lists(points, len(d.targets), func(list []int64) {
			one := first[d.key(list)]
			one.all.Add(one.all, d.weight(points, list, nil))
		})
		d.lists(points, len(d.targets), func(list []int64) {
			one, mass := first[d.key(list)], d.weight(points, list, nil)
			mass.Mul(mass, one.weight).Quo(mass, one.all).Quo(mass, total)
			var out released
			for i, z := range list {
				out[i] = uint64(z / d.parts)
			}
			law.Add(out, mass.Quo(mass, big.NewRat(ways, 1)))
		})
	}
	return law, nil
}

// firstList is one list of points of the first level, and all weights of the second given it.
type firstList struct{ weight, all *big.Rat }

// firstLists are all of them, and the sum of their weights: one of no points where there is one
// level.
func (d jointDefinition) firstLists(points []int64) (all map[string]firstList, total *big.Rat) {
	all, total = map[string]firstList{}, new(big.Rat)
	d.lists(points, len(d.first), func(list []int64) {
		one := firstList{big.NewRat(1, 1), new(big.Rat)}
		if len(d.first) > 0 {
			one.weight = d.weight(points, list, d.first)
		}
		all[fmt.Sprint(list)] = one
		total.Add(total, one.weight)
	})
	return all, total
}

// key is the first level's list of a whole list.
func (d jointDefinition) key(list []int64) string {
	points := make([]int64, len(d.first))
	for i, at := range d.first {
		points[i] = list[at]
	}
	return fmt.Sprint(points)
}

// lists calls f with every ascending list of this many points.
func (d jointDefinition) lists(points []int64, count int, f func([]int64)) {
	lo, hi := int64(0), jointSize*d.parts-1
	if d.within && len(points) > 0 {
		lo, hi = points[0], points[len(points)-1]
	}
	list := make([]int64, count)
	var fill func(i int, from int64)
	fill = func(i int, from int64) {
		if i == len(list) {
			f(list)
			return
		}
		for z := from; z <= hi; z++ {
			list[i] = z
			fill(i+1, z)
		}
	}
	fill(0, lo)
}

// weight is r^(−unit·score) of a list for some of the targets; nil: for all.
func (d jointDefinition) weight(points, list []int64, some []int) *big.Rat {
	targets := d.targets
	if some != nil {
		targets = nil
		for _, i := range some {
			targets = append(targets, d.targets[i])
		}
	}
	distinct := slices.CompactFunc(slices.Clone(targets),
		func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
	_, unit := must2(commonDenominator(distinct))
	persons := func(i int) (int64, *big.Rat) { // before a target's point, and its part of them
		switch {
		case i < 0:
			return 0, new(big.Rat)
		case i == len(list):
			return int64(len(points)), big.NewRat(1, 1)
		}
		upTo, _ := slices.BinarySearch(points, list[i])
		return int64(upTo), targets[i]
	}
	score := new(big.Rat)
	for i := range len(list) + 1 {
		from, before := persons(i - 1)
		to, part := persons(i)
		want := new(big.Rat).Sub(part, before)
		want.Mul(want, big.NewRat(int64(len(points)), 1))
		if d.floored {
			want.SetInt(new(big.Int).Quo(want.Num(), want.Denom()))
		}
		if d.around != nil {
			want.Add(want, big.NewRat(d.around(i), 1))
		}
		want.Sub(want, big.NewRat(to-from, 1))
		score.Add(score, want.Abs(want))
	}
	score.Mul(score, big.NewRat(unit, 1))
	w := big.NewRat(1, 1)
	for range score.Num().Int64() {
		w.Quo(w, d.r)
	}
	return w
}

func must2(a []int64, b int64, err error) ([]int64, int64) {
	if err != nil {
		panic(err)
	}
	return a, b
}

func definitionOf(q *JointExp, targets ...string) jointDefinition {
	d := jointDefinition{parts: q.parts, r: q.levels[0].base.Rat(), targets: rats(targets...)}
	if len(q.levels) == 2 {
		d.first = q.levels[0].at
	}
	return d
}

type jointCase struct {
	name    string
	parts   int64
	r       coin.Base
	targets []string
	space   audit.Space
}

var jointCases = []jointCase{
	{"median", 1, base(3, 2), []string{"1/2"}, audit.Space{Persons: 4, Values: jointSize}},
	{"median, persons apart", 2, base(3, 1), []string{"1/2"},
		audit.Space{Persons: 3, Values: jointSize}},
	{"quartiles", 1, base(3, 2), []string{"1/4", "1/2", "3/4"},
		audit.Space{Persons: 4, Values: jointSize}},
	{"thirds, persons apart", 2, base(2, 1), []string{"1/3", "2/3"},
		audit.Space{Persons: 3, Values: jointSize}},
	{"two uneven targets", 1, base(5, 4), []string{"1/5", "1/2"},
		audit.Space{Persons: 4, Values: jointSize}},
}

// unevenCase has distances of three points in a cell that all differ.
var unevenCase = jointCase{"three uneven targets", 1, base(5, 4), []string{"1/5", "1/2", "9/10"},
	audit.Space{Persons: 2, Values: jointSize}}

// twoLevelCases choose the middle one of three first, or one of four.
var twoLevelCases = []jointCase{
	{"quartiles", 1, base(3, 2), []string{"1/4", "1/2", "3/4"},
		audit.Space{Persons: 4, Values: jointSize}},
	{"quartiles, persons apart", 2, base(2, 1), []string{"1/4", "1/2", "3/4"},
		audit.Space{Persons: 2, Values: jointSize}},
	{"uneven targets", 1, base(5, 4), []string{"1/5", "1/2", "3/5", "9/10"},
		audit.Space{Persons: 3, Values: jointSize}},
}

func newTwoLevels(r coin.Base, parts int64, targets ...string) *JointExp {
	return must(NewJointExp(JointExpParams{Base: r, Size: big.NewInt(jointSize), People: 8,
		Parts: parts, Chosen: len(targets), Levels: 2, Targets: rats(targets...)}))
}

// TestAuditTwoLevels is the audit of two levels, whose law is compared with its definition too.
func TestAuditTwoLevels(t *testing.T) {
	for _, c := range twoLevelCases {
		q := newTwoLevels(c.r, c.parts, c.targets...)
		audittest.Holds(t, audit.Audit[released]{
			Name: fmt.Sprintf("joint exponential mechanism by two levels, %s, base %v", c.name,
				c.r),
			Space: c.space, Claim: claimOf(q.Loss(1)), Law: jointLaw(q)})
		sameLaw(t, c.space, jointLaw(q), definitionOf(q, c.targets...).law)
	}
}

// TestTwoLevelsRelease: releases have the law that is audited, which is put together part by part:
// no list is more than five standard deviations from as often as it should be.
func TestTwoLevelsRelease(t *testing.T) {
	const runs = 20_000
	q := newTwoLevels(base(3, 2), 1, "1/4", "1/2", "3/4")
	rows := []int{0, 0, 2, 3, 3}
	law := must(jointLaw(q)(rows))
	seen, src := map[released]int{}, coin.NewSeeded(49)
	for range runs {
		seen[asReleased(must(q.Release(src, column(rows), nil)))]++
	}
	for _, o := range law.Outcomes() {
		chance, _ := law.Mass(o).Float64()
		want := chance * runs
		if off := math.Abs(float64(seen[o]) - want); off > 5*math.Sqrt(want)+5 {
			t.Errorf("%v: %d times, want about %.0f", o, seen[o], want)
		}
		delete(seen, o)
	}
	if len(seen) > 0 {
		t.Errorf("what the law does not have: %v", seen)
	}
}

func TestPlantedTwoLevels(t *testing.T) {
	targets := []string{"1/4", "1/2", "3/4"}
	q := newTwoLevels(base(2, 1), 1, targets...)
	d := definitionOf(q, targets...)
	caught := func(name string, loss privacy.Loss, d jointDefinition) {
		t.Helper()
		audittest.Caught(t, audit.Audit[released]{
			Name:  "joint exponential mechanism by two levels " + name,
			Space: audit.Space{Persons: 4, Values: jointSize}, Claim: claimOf(loss, nil),
			Law: d.law})
	}
	whole := must(q.Loss(1))
	twin := d
	twin.within = true
	caught("between the first person and the last", whole, twin)
	twin = d
	twin.r = new(big.Rat).Mul(d.r, d.r)
	caught("with half of the noise", whole, twin)
	first := must(lossOfBase(base(2, 1), 4*q.levels[0].unit))
	caught("for the price of the first", first, d)
}

func TestAuditJointExp(t *testing.T) {
	for _, c := range jointCases {
		q := newJointExp(c.r, c.parts, c.targets...)
		audittest.Holds(t, audit.Audit[released]{
			Name:  fmt.Sprintf("joint exponential mechanism, %s, base %v", c.name, c.r),
			Space: c.space, Claim: claimOf(q.Loss(1)), Law: jointLaw(q)})
	}
}

// TestAuditJointExpByDefinition compares the law of the release with the definition, list by list.
func TestAuditJointExpByDefinition(t *testing.T) {
	for _, c := range slices.Concat(jointCases, []jointCase{unevenCase}) {
		q := newJointExp(c.r, c.parts, c.targets...)
		sameLaw(t, c.space, jointLaw(q), definitionOf(q, c.targets...).law)
	}
}

func TestPlantedJointExp(t *testing.T) {
	caught := func(name string, space audit.Space, q *JointExp, d jointDefinition) {
		t.Helper()
		audittest.Caught(t, audit.Audit[released]{Name: "joint exponential mechanism " + name,
			Space: space, Claim: claimOf(q.Loss(1)), Law: d.law})
	}
	thirds := []string{"1/3", "2/3"}
	q := newJointExp(base(2, 1), 1, thirds...)
	d := definitionOf(q, thirds...)
	space := audit.Space{Persons: 4, Values: jointSize}
	twin := d
	twin.within = true
	caught("between the first person and the last", space, q, twin)
	twin = d
	twin.r = new(big.Rat).Mul(d.r, d.r)
	twin.r.Mul(twin.r, d.r)
	caught("with a third of the noise", space, q, twin)

	four := []string{"1/4", "1/2", "3/4"}
	q = newJointExp(base(2, 1), 1, four...)
	twin = definitionOf(q, four...)
	twin.floored = true
	caught("that wants whole numbers of persons", space, q, twin)

	median := newJointExp(base(3, 2), 1, "1/2")
	audittest.Caught(t, audit.Audit[released]{
		Name:  "joint exponential mechanism for the price of scores that all move one way",
		Space: space, Claim: audit.Pure(81, 16), Law: jointLaw(median)})
}

// newAround has targets around each, this many persons away.
func newAround(r coin.Base, parts, persons int64, targets ...string) *JointExp {
	return must(NewJointExp(JointExpParams{Base: r, Size: big.NewInt(jointSize), People: 8,
		Parts: parts, Around: persons, Targets: rats(targets...)}))
}

// aroundDefinition is that of newAround for one target, and of broken twins of it.
func aroundDefinition(q *JointExp, target string) jointDefinition {
	d := definitionOf(q, target, target, target)
	d.around = func(gap int) int64 {
		return []int64{-q.around, q.around, q.around, -q.around}[gap]
	}
	return d
}

// TestAuditAround: fewer persons than are wanted around a target, or none, are among all data.
func TestAuditAround(t *testing.T) {
	for _, c := range []struct {
		r              coin.Base
		parts, persons int64
		target         string
		space          audit.Space
	}{
		{base(3, 2), 1, 1, "1/2", audit.Space{Persons: 4, Values: jointSize}},
		{base(5, 4), 1, 2, "1/3", audit.Space{Persons: 3, Values: jointSize}},
		{base(2, 1), 2, 1, "1/2", audit.Space{Persons: 2, Values: jointSize}},
		{base(3, 2), 1, 7, "3/4", audit.Space{Persons: 3, Values: jointSize}},
	} {
		q := newAround(c.r, c.parts, c.persons, c.target)
		audittest.Holds(t, audit.Audit[released]{
			Name: fmt.Sprintf("joint exponential mechanism, %d around %s, base %v", c.persons,
				c.target, c.r),
			Space: c.space, Claim: claimOf(q.Loss(1)), Law: jointLaw(q)})
		sameLaw(t, c.space, jointLaw(q), aroundDefinition(q, c.target).law)
	}
}

func TestPlantedAround(t *testing.T) {
	q := newAround(base(2, 1), 1, 1, "1/2")
	space := audit.Space{Persons: 4, Values: jointSize}
	caught := func(name string, d jointDefinition) {
		t.Helper()
		audittest.Caught(t, audit.Audit[released]{Name: "joint exponential mechanism " + name,
			Space: space, Claim: claimOf(q.Loss(1)), Law: d.law})
	}
	twin := aroundDefinition(q, "1/2")
	twin.within = true
	caught("around a target between the first person and the last", twin)
	twin = aroundDefinition(q, "1/2")
	twin.r = new(big.Rat).Mul(twin.r, twin.r)
	caught("around a target with half of the noise", twin)
	audittest.Caught(t, audit.Audit[released]{
		Name:  "joint exponential mechanism around a target for scores that all move one way",
		Space: space, Claim: audit.Pure(16, 1), Law: jointLaw(q)})
}

// TestJointSums compares the forward sums with those of their definition, in fractions: no rounding
// adds up to more than slackBits allow, which is what Lemma 2 of jointexp.md needs.
func TestJointSums(t *testing.T) {
	random := rand.New(rand.NewPCG(43, 44))
	for _, targets := range [][]string{{"1/2"}, {"1/10", "1/2"}, {"2/7", "1/2", "5/6"}} {
		for _, w := range []int{0, 1, 2, 7, 31} {
			for around := range int64(3) {
				q := newAround(base(101, 100), 1, 4*around, targets...)
				c := &cells{}
				for range w + 1 {
					c.sizes = append(c.sizes, big.NewInt(random.Int64N(4)))
				}
				c.sizes[w].Add(c.sizes[w], oneInt) // not all may be empty
				s := must(q.levels[0].forward(c, q.levels[0].gaps, w, nil))
				for j, starts := range s.starts {
					for k, have := range starts {
						near(t, have, s.exactStart(j, k))
					}
				}
				total := new(big.Rat)
				for k := range c.sizes {
					total.Add(total, new(big.Rat).Mul(s.exactEnd(len(s.ends), k),
						s.exactNear(len(s.ends), w-k)))
				}
				near(t, s.total, total)
			}
		}
	}
}

func near(t *testing.T, have weight, want *big.Rat) {
	t.Helper()
	x := new(big.Float).SetMantExp(new(big.Float).SetUint64(have.m), int(have.exp))
	off, _ := x.Rat(nil)
	off.Sub(off, want).Abs(off)
	if off.Cmp(new(big.Rat).Mul(want, big.NewRat(1, 1<<50))) > 0 {
		t.Fatalf("%v, want %v", x, want.FloatString(20))
	}
}

func (s *jointSums) exactNear(i, persons int) *big.Rat {
	return new(big.Rat).Inv(s.base.Pow(s.distance(i, persons)).Rat())
}

func (s *jointSums) exactStart(j, k int) *big.Rat {
	if j == 0 {
		return s.exactNear(0, k)
	}
	sum := new(big.Rat)
	for from := range k {
		w, _ := new(big.Float).SetMantExp(new(big.Float).SetUint64(s.ends[j-1][from].m),
			int(s.ends[j-1][from].exp)).Rat(nil)
		sum.Add(sum, w.Mul(w, s.exactNear(j, k-from)))
	}
	return sum
}

func (s *jointSums) exactEnd(j, k int) *big.Rat {
	sum, between := new(big.Rat), big.NewRat(1, 1)
	for u := 1; u <= j; u++ {
		term := new(big.Rat).SetInt(multisets(s.cells.sizes[k], u))
		term.Mul(term, between)
		sum.Add(sum, term.Mul(term, s.exactStart(j-u, k)))
		between.Mul(between, s.exactNear(j-u, 0))
	}
	return sum
}

// TestWeights compares what weights do with fractions.
func TestWeights(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 46))
	rat := func(x weight) *big.Rat {
		r, _ := new(big.Float).SetMantExp(new(big.Float).SetUint64(x.m), int(x.exp)).Rat(nil)
		return r
	}
	for range 20_000 {
		draw := func() weight {
			if random.IntN(10) == 0 {
				return weight{}
			}
			return weight{random.Uint64() | 1<<63, random.Int64N(140) - 70}
		}
		x, y, n := draw(), draw(), random.Uint64N(100)+1
		for _, c := range []struct {
			have weight
			want *big.Rat
		}{
			{x.times(y), new(big.Rat).Mul(rat(x), rat(y))},
			{x.plus(y), new(big.Rat).Add(rat(x), rat(y))},
			{x.over(n), new(big.Rat).Quo(rat(x), new(big.Rat).SetInt(bigOf(n)))},
		} {
			low := new(big.Rat).Sub(c.want, new(big.Rat).Mul(c.want, big.NewRat(1, 1<<62)))
			if have := rat(c.have); have.Cmp(c.want) > 0 || have.Cmp(low) < 0 ||
				c.have.m > 0 && c.have.m>>63 == 0 {
				t.Fatalf("%v and %v: %v, want %v", x, y, have, c.want)
			}
		}
	}
}

// TestMultisetsAlike: each ascending list of points of a cell has the same chance.
func TestMultisetsAlike(t *testing.T) {
	for u := 1; u <= 3; u++ {
		law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			return fmt.Sprint(multiset(src, big.NewInt(4), u)), nil
		}))
		each := new(big.Rat).SetFrac(oneInt, multisets(big.NewInt(4), u))
		for _, o := range law.Outcomes() {
			if law.Mass(o).Cmp(each) != 0 {
				t.Errorf("%d points: %s has chance %v, want %v", u, o, law.Mass(o), each)
			}
		}
	}
}
