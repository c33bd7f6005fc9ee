package classify

import (
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
	"hush/core/privacy"
)

// long asks for the large versions of property tests and audits: minutes instead of seconds.
var long = flag.Bool("long", false, "run the long versions of tests")

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds")
	}
}

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }
func delta(text string) privacy.Delta     { return must(privacy.ParseDelta(text)) }
func base(num, den int64) coin.Base       { return must(coin.NewBase(num, den)) }

func stumps(direction Direction, sizes ...uint64) *Stumps {
	return must(NewStumps(StumpsParams{Sizes: sizes, Direction: direction}))
}
func boxes(sizes ...uint64) *Boxes            { return must(NewBoxes(sizes)) }
func plane(x, y uint64) *Plane                { return must(NewPlane([2]uint64{x, y})) }
func trees(depth int, sizes ...uint64) Listed { return Listed{must(NewTrees(sizes, depth))} }
func halfspaces(sizes ...uint64) Listed       { return Listed{must(NewHalfspaces(sizes))} }

// everyRule lists rules of a class that label the points of its columns in all ways the class can,
// written down without looking at Dichotomies.
func everyRule(c Enumerable) (rules []func(Point) bool) {
	sizes := c.Sizes()
	switch c := c.(type) {
	case *Stumps:
		for column, size := range sizes {
			for at := range size + 1 {
				if c.direction != Above {
					rules = append(rules, func(p Point) bool { return p[column] < at })
				}
				if c.direction != Below {
					rules = append(rules, func(p Point) bool { return p[column] >= at })
				}
			}
		}
	case *Boxes:
		rules = append(rules, func(Point) bool { return false })
		corners := everyPoint(sizes)
		for _, low := range corners {
			for _, high := range corners {
				rules = append(rules, func(p Point) bool {
					for i := range p {
						if p[i] < low[i] || p[i] > high[i] {
							return false
						}
					}
					return true
				})
			}
		}
	case Listed:
		if c, is := c.Oracle.(*Trees); is {
			for _, t := range everyTree(sizes, c.depth) {
				rules = append(rules, t.Says)
			}
			break
		}
		rules = everyHalfspace(sizes)
	case *Plane:
		rules = everyHalfspace(sizes)
	}
	return rules
}

// everyHalfspace has enough weights for all halfspaces of a grid of 4 by 4, or of a cube with 2
// codes on each of 3 sides.
func everyHalfspace(sizes []uint64) (rules []func(Point) bool) {
	reach, most := uint64(7), 60
	if len(sizes) > 2 {
		reach, most = 2, 6
	}
	spans := make([]uint64, len(sizes))
	for i := range spans {
		spans[i] = 2*reach + 1
	}
	for _, weights := range everyPoint(spans) {
		for limit := -most; limit <= most; limit++ {
			rules = append(rules, func(p Point) bool {
				sum := 0
				for i, w := range weights {
					sum += (int(w) - int(reach)) * int(p[i])
				}
				return sum > limit
			})
		}
	}
	return rules
}

// everyTree lists all trees of at most this many cuts on a path.
func everyTree(sizes []uint64, depth int) []*Tree {
	all := []*Tree{{}, {Yes: true}}
	if depth == 0 {
		return all
	}
	smaller := everyTree(sizes, depth-1)
	for column, size := range sizes {
		for at := range size {
			for _, below := range smaller {
				for _, other := range smaller {
					all = append(all, &Tree{Column: column, At: at, Below: below, Other: other})
				}
			}
		}
	}
	return all
}

func everyPoint(sizes []uint64) []Point {
	points := []Point{{}}
	for _, size := range sizes {
		var longer []Point
		for _, p := range points {
			for code := range size {
				longer = append(longer, append(slices.Clone(p), code))
			}
		}
		points = longer
	}
	return points
}

// labelling writes what a rule says about points.
func labelling(points []Point, says func(Point) bool) string {
	text := make([]byte, len(points))
	for i, p := range points {
		text[i] = '0'
		if says(p) {
			text[i] = '1'
		}
	}
	return string(text)
}

var smallClasses = []Enumerable{
	stumps(Below, 6), stumps(Above, 6), stumps(Either, 6), stumps(Either, 4, 3),
	stumps(Below, 3, 3, 2), stumps(Above, 2, 4),
	boxes(7), boxes(4, 4), boxes(2, 2, 2, 2), boxes(3, 1, 4), boxes(2, 3, 2), plane(4, 4),
	plane(4, 1), plane(3, 4),
	trees(1, 4, 3), trees(2, 3, 3), trees(2, 2, 2, 2), trees(2, 6),
	halfspaces(4, 3), halfspaces(5), halfspaces(2, 2, 2),
}

func randomPoints(random *rand.Rand, sizes []uint64, most int) []Point {
	points := make([]Point, random.IntN(most+1))
	for i := range points {
		for _, size := range sizes {
			points[i] = append(points[i], random.Uint64N(size))
		}
	}
	return points
}

func randomExamples(random *rand.Rand, sizes []uint64, most int) []Example {
	var examples []Example
	for _, p := range randomPoints(random, sizes, most) {
		examples = append(examples, Example{p, random.IntN(2) == 0})
	}
	return examples
}

// TestDichotomies: each labelling of random points (duplicates, collinear ones) is listed once, by
// a rule that labels so, with its mistakes on other points counted; none is missing; and no more
// than LogGrowth says.
func TestDichotomies(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range smallClasses {
		rules := everyRule(c)
		for round := range 60 {
			sizes := c.Sizes()
			anchors := distinctPoints(randomPoints(random, sizes, 7), sizes)
			sample := votes(randomExamples(random, sizes, 12), sizes, nil)
			if round%3 == 0 {
				anchors = distinct(sample)
			}
			want := map[string]bool{}
			for _, says := range rules {
				want[labelling(anchors, says)] = true
			}
			seen := map[string]bool{}
			c.Dichotomies(anchors, sample, nil, func(wrong int64, rule func() Rule) bool {
				r := rule()
				l := labelling(anchors, r.Says)
				if seen[l] {
					t.Errorf("%v, %v: %s twice", c, anchors, l)
				}
				if !want[l] {
					t.Errorf("%v, %v: %v labels %s, which no rule does", c, anchors, r, l)
				}
				if exact := mistakes(r, sample); exact != wrong {
					t.Errorf("%v, %v on %v: %d mistakes, want %d", c, r, sample, wrong, exact)
				}
				seen[l] = true
				return true
			})
			if len(seen) != len(want) {
				t.Fatalf("%v, %v: %d labellings, want %d", c, anchors, len(seen), len(want))
			}
			if got := math.Log(float64(len(seen))); got > c.LogGrowth(len(anchors))+1e-9 {
				t.Errorf("%v: %d labellings of %d points, growth bound e^%g", c, len(seen),
					len(anchors), c.LogGrowth(len(anchors)))
			}
		}
	}
}

// TestDimension: no more points can be labelled in all ways than Dimension says. On a line there is
// no labelling of three points the plane has.
func TestDimension(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range smallClasses {
		shattered := 0
		for range 300 {
			points := distinctPoints(randomPoints(random, c.Sizes(), 6), c.Sizes())
			count := 0
			c.Dichotomies(points, nil, nil, func(int64, func() Rule) bool { count++; return true })
			if count == 1<<len(points) {
				shattered = max(shattered, len(points))
			}
		}
		if shattered > c.Dimension() {
			t.Errorf("%v: %d points have all labellings, dimension %d", c, shattered, c.Dimension())
		}
	}
}

// TestKnownCounts: the counts of spec and literature for points in general position.
func TestKnownCounts(t *testing.T) {
	line := func(n int) (points []Point) {
		for i := range n {
			points = append(points, Point{uint64(3 * i)})
		}
		return points
	}
	circle := func(n int) (points []Point) { // no three on a line
		for i := range n {
			angle := 2 * math.Pi * (float64(i) + 0.3) / float64(n)
			points = append(points,
				Point{uint64(1e6 + 1e6*math.Cos(angle)), uint64(1e6 + 1e6*math.Sin(angle))})
		}
		return points
	}
	curve := func(n int) (points []Point) { // no four in a plane
		for i := range n {
			points = append(points, Point{uint64(i), uint64(i * i), uint64(i * i * i)})
		}
		return points
	}
	for n := 1; n <= 30; n++ {
		for _, tt := range []struct {
			class  Enumerable
			points []Point
			want   int
		}{
			{stumps(Below, 100), line(n), n + 1},
			{stumps(Either, 100), line(n), 2 * n},
			{boxes(100), line(n), 1 + n*(n+1)/2},
			{plane(1<<21, 1<<21), circle(n), n*n - n + 2},
			{halfspaces(1000, 1000, 1000), curve(min(n, 9)), cover(min(n, 9), 3)},
		} {
			got := 0
			tt.class.Dichotomies(distinctPoints(tt.points, tt.class.Sizes()), nil, nil,
				func(int64, func() Rule) bool { got++; return true })
			if got != tt.want {
				t.Errorf("%v: %d labellings of %d points, want %d", tt.class, got, n, tt.want)
			}
		}
	}
}

// cover is Cover's count of the labellings of n points by halfspaces of this many columns: 2·Σ (n−1
// choose i).
func cover(n, columns int) int {
	sum, choose := 0, 1
	for i := 0; i <= columns && i < n; i++ {
		sum += choose
		choose = choose * (n - 1 - i) / (i + 1)
	}
	return 2 * sum
}

// TestLearn: the rule learned makes the fewest mistakes there are.
func TestLearn(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, c := range smallClasses {
		rules := everyRule(c)
		for round := range 60 {
			sizes := c.Sizes()
			examples := randomExamples(random, sizes, 9)
			if round%2 == 0 { // labels of a rule of the class
				says := rules[random.IntN(len(rules))]
				for i := range examples {
					examples[i].Yes = says(examples[i].Point)
				}
			}
			sample := votes(examples, sizes, nil)
			if _, listed := c.(Listed); listed && round%2 == 1 {
				continue // it promises something of labels of a rule only
			}
			least := int64(math.MaxInt64)
			for _, says := range rules {
				least = min(least, mistakes(sayer(says), sample))
			}
			if got := mistakes(c.Learn(sample, nil), sample); got != least {
				t.Errorf("%v on %v: %v makes %d mistakes, want %d", c, sample, c.Learn(sample, nil),
					got, least)
			}
		}
	}
}

type sayer func(Point) bool

func (s sayer) Says(p Point) bool { return s(p) }
func (s sayer) String() string    { return "a rule" }

// TestLearnedError: leaving each person out in turn, the rule learned from the others is wrong
// about few enough of those left out.
func TestLearnedError(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, c := range smallClasses {
		rules := everyRule(c)
		for range 100 {
			sizes := c.Sizes()
			examples := randomExamples(random, sizes, 12)
			says := rules[random.IntN(len(rules))]
			wrong := 0
			for i := range examples {
				examples[i].Yes = says(examples[i].Point)
			}
			for i, e := range examples {
				rest := slices.Delete(slices.Clone(examples), i, i+1)
				if c.Learn(votes(rest, sizes, nil), nil).Says(e.Point) != e.Yes {
					wrong++
				}
			}
			n := len(examples)
			if n > 0 && float64(wrong)/float64(n) > c.LearnedError(n-1, n)+1e-12 {
				t.Errorf("%v on %v: wrong about %d of %d left out, bound %g", c, examples, wrong, n,
					c.LearnedError(n-1, n))
			}
		}
	}
}
