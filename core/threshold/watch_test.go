package threshold

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
)

// TestWatch: a watched run is the run itself. It ends where a release with the same coins ends, and
// its reports add up.
func TestWatch(t *testing.T) {
	epsilon, _ := privacy.ParseEpsilon("2")
	delta, _ := privacy.ParseDelta("0.001")
	tree, err := NewTreeLog(TreeLogParams{Epsilon: epsilon, Delta: delta, Size: big.NewInt(64)})
	if err != nil {
		t.Fatal(err)
	}
	src := coin.NewSeeded(3)
	against, deleted, ends := 0, 0, 0
	for seed := range coin.Seed(300) {
		codes := make([]uint64, 100+src.Uniform(900))
		for i := range codes {
			codes[i] = src.Uniform(1 + src.Uniform(64))
			if seed%10 == 0 {
				codes[i] = 5 // all have one value: the path reaches a leaf
			}
		}
		slices.Sort(codes)
		sorted := domain.SortedCodes(codes, 6)
		released, err := tree.Release(coin.NewSeeded(seed), sorted, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, err := tree.watch(seed, sorted)
		if err != nil {
			t.Fatal(err)
		}
		if w.Point.Cmp(released) != 0 {
			t.Fatalf("seed %d: watched, the point is %v, released it is %v", seed, w.Point,
				released)
		}
		leave, kept := 0, 0
		for i := range w.Levels {
			leave, kept = leave+w.Leave[i], kept+w.Kept[i]
			if w.Kept[i] > w.Leave[i] {
				t.Errorf("seed %d: at level %d more are kept than leave", seed, w.Levels[i])
			}
		}
		if leave != w.Hi-w.Lo || kept != max(leave-w.Stop, 0) {
			t.Errorf("seed %d: %d of %d codes leave, %d are kept", seed, leave, w.Hi-w.Lo, kept)
		}
		for _, turn := range w.Turns {
			if turn.Left+turn.Right <= w.Stop ||
				between(slice(sorted, w.Lo, w.Hi), turn.First, turn.Last) != turn.Left+turn.Right {
				t.Errorf("seed %d: a turn at a node of %d and %d codes", seed, turn.Left,
					turn.Right)
			}
			if turn.AgainstTrend {
				against++
			}
		}
		if !slices.ContainsFunc(w.Leaves, func(leaf *big.Int) bool {
			return leaf.Cmp(w.Point) == 0
		}) {
			t.Errorf("seed %d: %v is none of the leaves %v", seed, w.Point, w.Leaves)
		}
		deleted += leave - kept
		if len(w.Turns) == 0 && len(w.Levels) == 1 && w.Levels[0] == 6 {
			ends++
		}
	}
	if against == 0 || deleted == 0 || ends == 0 {
		t.Errorf("of all runs %d went to a lighter child, %d levels were deleted, %d ended at a "+
			"leaf: the test shows nothing", against, deleted, ends)
	}
}

// slice are the codes from lo to hi.
func slice(codes domain.Sorted, lo, hi int) domain.Sorted {
	indices := make([]int, hi-lo)
	for i := range indices {
		indices[i] = lo + i
	}
	return &picked{codes: codes, indices: indices}
}

func TestWatchRefuses(t *testing.T) {
	epsilon, _ := privacy.ParseEpsilon("1")
	delta, _ := privacy.ParseDelta("0.001")
	two, err := NewTreeLog(
		TreeLogParams{Epsilon: epsilon, Delta: delta, Size: big.NewInt(1 << 20), Rounds: 2})
	if err != nil {
		t.Fatal(err)
	}
	var refused *param.Error
	if _, err := two.watch(1, domain.SortedCodes([]uint64{1}, 20)); !errors.As(err, &refused) ||
		refused.Field != "rounds" {
		t.Errorf("two rounds: %v", err)
	}
	one, err := NewTreeLog(TreeLogParams{Epsilon: epsilon, Delta: delta, Size: big.NewInt(64)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := one.watch(1, domain.SortedCodes([]uint64{1}, 20)); !errors.As(err, &refused) ||
		refused.Field != "codes" {
		t.Errorf("codes of other bits: %v", err)
	}
}

// A watched run of HeavyPaths is the run itself: it ends where a release with the same coins ends,
// whether a path is left by many at one level or none is.
func TestWatchHeavyPaths(t *testing.T) {
	epsilon, _ := privacy.ParseEpsilon("4")
	delta, _ := privacy.ParseDelta("0.001")
	heavy, err := NewHeavyPaths(
		HeavyPathsParams{Epsilon: epsilon, Delta: delta, Size: big.NewInt(64)})
	if err != nil {
		t.Fatal(err)
	}
	src := coin.NewSeeded(4)
	stopped := map[int]int{}
	for seed := range coin.Seed(200) {
		codes := make([]uint64, 50+src.Uniform(2000))
		wide := 1 + src.Uniform(64)
		for i := range codes {
			codes[i] = src.Uniform(wide)
			if seed%3 == 0 && i%2 == 0 {
				codes[i] = 63 // half of all leave a path at the root, or stay when all others do
			}
		}
		slices.Sort(codes)
		sorted := domain.SortedCodes(codes, 6)
		released, err := heavy.Release(coin.NewSeeded(seed), sorted, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, err := heavy.watch(seed, sorted)
		if err != nil {
			t.Fatal(err)
		}
		if point := w.Rounds[0].Point; point.Cmp(released) != 0 {
			t.Fatalf("seed %d: watched, the point is %v, released it is %v", seed, point, released)
		}
		stopped[w.At]++
		for i, r := range w.Rounds {
			if len(r.Kept) > 0 && slices.Max(r.Kept) != w.Most[i] ||
				(r.Point == nil) != (i > w.At) {
				t.Errorf("seed %d, round %d: %+v, at most %d, stopped at %d", seed, i, r, w.Most[i],
					w.At)
			}
		}
	}
	if len(stopped) < 2 {
		t.Errorf("stopped at %v: the test shows one way only", stopped)
	}
	var refused *param.Error
	if _, err := heavy.watch(1, domain.SortedCodes([]uint64{1}, 20)); !errors.As(err, &refused) ||
		refused.Field != "codes" {
		t.Errorf("codes of other bits: %v", err)
	}
}
