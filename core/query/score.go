package query

import (
	"math"
	"slices"

	"hush/core/coin"
)

// publicQuestions are the random questions by which two releases are compared, and publicSeed draws
// them: they are the same for all data.
const (
	publicQuestions = 200
	publicSeed      = 5
)

// ConjunctionScore scores answers about conjunctions, or disjunctions: minus the mean number of
// persons by which they are off, over 200 public ones of 1 to width attributes; answer is given
// their members. Answers are rounded to whole persons. The score is not private; one replaced
// person moves it by at most 1, whatever the answers. Proof: score.md.
func ConjunctionScore(records *Records, kind Kind, width int,
	answer func(attributes []int) (persons float64, err error), step coin.Step) (int64, error) {
	off, err := offConjunctions(records, kind, width, answer, step)
	return -(off / publicQuestions), err
}

// offConjunctions returns the number of persons by which all answers together are off.
func offConjunctions(records *Records, kind Kind, width int,
	answer func(attributes []int) (persons float64, err error), step coin.Step) (off int64,
	err error) {
	all := func(int) bool { return true }
	// of persons who all say yes, a rule is right for those who meet it
	truth := NewExamples(records, all, all).Right
	if kind == Disjunctions {
		truth = Coverage{records}.Value
	}
	src, size := coin.NewSeeded(publicSeed), records.Size()
	for range publicQuestions {
		if step != nil {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		chosen := []int{int(src.Uniform(uint64(size)))}
		for range src.Uniform(uint64(width)) {
			if x := int(src.Uniform(uint64(size))); !slices.Contains(chosen, x) {
				chosen = append(chosen, x)
			}
		}
		persons, err := answer(chosen)
		if err != nil {
			return 0, err
		}
		set, err := NewSet(size, chosen...)
		if err != nil {
			return 0, err // unreachable: different attributes of the records
		}
		off += apart(truth(set), persons)
	}
	return off, nil
}

// apart returns the distance of an answer from the truth, in whole persons.
func apart(truth int64, answer float64) int64 {
	off := truth - int64(math.Round(answer))
	return max(off, -off)
}

// CutScore scores answers about cuts of a graph: minus the mean number of edges by which they are
// off, over 200 public sets of vertices. Answers are rounded to whole edges. The score is not
// private; one replaced edge moves it by at most 1, whatever the answers. Proof: score.md.
type CutScore struct {
	sets  [publicQuestions][]int
	in    [][publicQuestions]bool // by vertex
	leave [publicQuestions]int64  // edges that leave a set
}

// NewCutScore returns the score for a graph of this many vertices, without an edge yet.
func NewCutScore(vertices int) *CutScore {
	src := coin.NewSeeded(publicSeed)
	s := &CutScore{in: make([][publicQuestions]bool, vertices)}
	for i := range s.sets {
		for v := range vertices {
			if s.in[v][i] = src.Uniform(2) == 1; s.in[v][i] {
				s.sets[i] = append(s.sets[i], v)
			}
		}
	}
	return s
}

// Edge adds an edge between two vertices.
func (s *CutScore) Edge(u, v uint64) {
	from, to := &s.in[u], &s.in[v]
	for i := range s.leave {
		if from[i] != to[i] {
			s.leave[i]++
		}
	}
}

// Points returns the score of the answers; each set's members are ascending.
func (s *CutScore) Points(answer func(set []int) (edges float64, err error)) (int64, error) {
	off := int64(0)
	for i, set := range s.sets {
		edges, err := answer(set)
		if err != nil {
			return 0, err
		}
		off += apart(s.leave[i], edges)
	}
	return -(off / publicQuestions), nil
}
