package threshold

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/sample/crowd"
)

// Walk is what happened inside a run of [TreeLog] with one round: for lessons on made-up data,
// never for a release. Codes and nodes are from the run's Sorted; Lo and Hi are indices of codes.
type Walk struct {
	Lo, Hi int // the codes that the path looks at; Trim are left out at either end
	// the path ends where at most this many codes are left, and the levels of as many are deleted
	Stop  int
	Turns []Turn // at the nodes with two children, from the root down

	// Levels are the levels at which codes leave the path, ascending, and Leave counts those codes;
	// at the last level they have reached the end. Kept counts those that are not deleted.
	Levels, Leave, Kept []int

	Level       int      // found among the levels kept
	First, Last *big.Int // leaves of the node chosen at that level
	Node        int      // how many codes it has
	Leaves      []*big.Int
	Depths      []int // of each of them: the codes on the side where there are fewer
	Point       *big.Int
}

// Turn is a node of the path with two children.
type Turn struct {
	Depth        int
	First, Last  *big.Int // its leaves
	Left, Right  int      // codes of its children
	WentLeft     bool
	AgainstTrend bool // it went to the lighter child
}

// Watch runs TreeLog with seeded coins on made-up people, and shows what happened; a Walk reveals
// their codes, too. It draws the coins that Release draws, in the same order, and so ends at the
// same point (TestWatch).
//
// # Errors
//
// *param.Error (rounds) unless there is one round, and what Release returns.
func (t *TreeLog) Watch(seed coin.Seed, values crowd.MadeUp[[]uint64]) (*Walk, error) {
	return t.watch(seed, domain.SortedCodes(values.People(), t.bits))
}

func (t *TreeLog) watch(seed coin.Seed, codes domain.Sorted) (*Walk, error) {
	if t.rounds != 1 {
		return nil, refuse("rounds", fmt.Sprint(t.rounds), "1: a run with more rounds cannot be "+
			"watched")
	}
	if codes.Bits() != t.bits {
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			t.bits)
	}
	src, stages := coin.NewSeeded(seed), newStages(nil, 0)
	w := &Walk{Stop: t.path.stop}
	w.Lo, w.Hi = trimmed(codes.Len(), t.trim)
	levels := fallOff(codes, w.Lo, w.Hi, t.path.stop, w.turns(codes, t.path.coin(src)))
	w.leave(codes, levels)
	var err error
	if w.Level, err = t.level(src, levels, 1, stages); err != nil {
		return nil, err
	}
	return w, w.up(src, &t.climb, codes)
}

// up goes from the level to the point.
func (w *Walk) up(src coin.Source, c *climb, codes domain.Sorted) (err error) {
	if w.First, w.Last, err = c.node(src, codes, w.Lo, w.Hi, w.Level, nil); err != nil {
		return err
	}
	w.Node = between(codes, w.First, w.Last)
	if w.Point, err = c.leaf(src, codes, w.First, w.Last); err != nil {
		return err
	}
	w.Leaves = endsAndMiddle(w.First, w.Last)
	for _, leaf := range w.Leaves {
		w.Depths = append(w.Depths, depthOf(codes, leaf))
	}
	return nil
}

// Heavy is what happened inside a run of [HeavyPaths]: for lessons on made-up data, never for a
// release.
type Heavy struct {
	// Rounds are the paths, the first on the codes, each further one on the levels kept of the one
	// before. Those after the stopping point have no Level and no Point.
	Rounds []*Walk
	Codes  []domain.Sorted // of each round
	Most   []int           // of each round: the most that are kept at one level
	// At is the first round of which Most, with noise, is too many; that of none: how many rounds.
	At int
}

// Watch runs HeavyPaths with seeded coins on made-up people, and shows what happened. It draws the
// coins that Release draws, in the same order, and so ends at the same point.
//
// # Errors
//
// What Release returns.
func (h *HeavyPaths) Watch(seed coin.Seed, values crowd.MadeUp[[]uint64]) (*Heavy, error) {
	return h.watch(seed, domain.SortedCodes(values.People(), h.bits))
}

func (h *HeavyPaths) watch(seed coin.Seed, codes domain.Sorted) (*Heavy, error) {
	if codes.Bits() != h.bits {
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			h.bits)
	}
	src, all, told := coin.NewSeeded(seed), h.paths(codes), &Heavy{}
	for i, r := range all[:h.rounds] {
		w, kept := &Walk{Lo: r.lo, Hi: r.hi, Stop: h.path.stop}, all[i+1].codes.(*levels)
		fallOff(r.codes, r.lo, r.hi, h.path.stop, w.turns(r.codes, heavier))
		w.leave(r.codes, kept)
		told.Rounds, told.Codes = append(told.Rounds, w), append(told.Codes, r.codes)
		told.Most = append(told.Most, kept.most())
	}
	var err error
	if told.At, err = h.stoppingPoint(src, all); err != nil {
		return nil, err
	}
	first, level := told.At, 0
	if told.At < h.rounds {
		level, err = h.randomLevel(src, all[told.At])
	} else {
		var x *big.Int
		x, err = h.last(src, all)
		first, level = h.rounds-1, int(x.Int64())
	}
	for i := first; i >= 0 && err == nil; i-- {
		w := told.Rounds[i]
		w.Level = min(level, all[i].codes.Bits())
		if err = w.up(src, &h.climb, all[i].codes); err == nil && i > 0 {
			level = int(w.Point.Int64())
		}
	}
	return told, err
}

// turns records the decisions of the coin.
func (w *Walk) turns(codes domain.Sorted,
	decide func(left, right int) bool) func(left, right int) bool {
	lo, hi := w.Lo, w.Hi
	return func(left, right int) bool {
		t := Turn{Depth: codes.Lcp(lo, hi-1), Left: left, Right: right,
			WentLeft: decide(left, right)}
		t.First, t.Last = domain.Leaves(codes, lo, t.Depth)
		if t.WentLeft {
			hi = lo + left
		} else {
			lo += left
		}
		t.AgainstTrend = left != right && t.WentLeft != (left > right)
		w.Turns = append(w.Turns, t)
		return t.WentLeft
	}
}

// leave lists the levels of the persons who turn off at a node and of those who reach the end,
// which is a level below the last turn or where all codes are the same.
func (w *Walk) leave(codes domain.Sorted, kept *levels) {
	lo, hi, end := w.Lo, w.Hi, 0
	for _, t := range w.Turns {
		gone := t.Right
		if t.WentLeft {
			hi = lo + t.Left
		} else {
			gone, lo = t.Left, lo+t.Left
		}
		w.Levels, w.Leave = append(w.Levels, t.Depth), append(w.Leave, gone)
		end = t.Depth + 1
	}
	if hi-lo > w.Stop { // all are one code
		end = codes.Bits()
	}
	if hi > lo {
		w.Levels, w.Leave = append(w.Levels, end), append(w.Leave, hi-lo)
	}
	w.Kept = make([]int, len(w.Levels))
	before := 0
	for i, upTo := range kept.upTo {
		w.Kept[i] = upTo - before
		before = upTo
	}
}

// between counts the codes from first to last.
func between(codes domain.Sorted, first, last *big.Int) int {
	below, _ := codes.Rank(first)
	_, upTo := codes.Rank(last)
	return upTo - below
}
