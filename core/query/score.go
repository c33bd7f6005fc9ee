package query

import (
	"math"
	"slices"

	"hush/core/coin"
)

// publicQuestions are the random questions that two releases are compared by, and publicSeed draws
// them: the same ones for all data.
const (
	publicQuestions = 200
	publicSeed      = 5
)

// ConjunctionScore says how good answers about conjunctions, or disjunctions, are: minus how many
// persons they are off on average, over 200 public ones of 1 to width attributes, of which answer
// knows the members. Answers are rounded to whole persons. The score is not private; one replaced
// person moves it by at most 1, whatever the answers. Proof: score.md.
func ConjunctionScore(records *Records, kind Kind, width int,
	answer func(attributes []int) (persons float64, err error), step coin.Step) (int64, error) {
	off, err := offConjunctions(records, kind, width, answer, step)
	return -(off / publicQuestions), err
}

// offConjunctions is how many persons all answers are off together.
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

// apart is how far an answer is from the truth, in whole persons.
func apart(truth int64, answer float64) int64 {
	off := truth - int64(math.Round(answer))
	return max(off, -off)
}

// CutScore says how good answers about cuts of a graph are: minus how many edges they are off on
// average, over 200 public sets of vertices. Answers are rounded to whole edges. The score is not
// private; one replaced edge moves it by at most 1, whatever the answers. Proof: score.md.
type CutScore struct {
	sets  [publicQuestions][]int
	in    [][publicQuestions]bool // by vertex
	leave [publicQuestions]int64  // edges that leave a set
}

// NewCutScore is the score of answers about a graph of this many vertices, without an edge yet.
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

// Points are those of the answers; each set's members are ascending.
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
