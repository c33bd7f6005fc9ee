package query

import (
	"errors"
	"testing"
)

// TestScoresOfAnswers: whatever the answers, no person moves a score by more than 1, and some move
// it by that. A twin that takes the mean over half as many questions is moved by 2.
func TestScoresOfAnswers(t *testing.T) {
	const persons, size, width = 2, 2, 2
	answers := []func([]int) (float64, error){ // of no data, and of some
		func([]int) (float64, error) { return 0, nil },
		func([]int) (float64, error) { return persons, nil },
		func(set []int) (float64, error) { return 0.4 + float64(len(set)), nil },
		func(set []int) (float64, error) { return -3.5 * float64(len(set)), nil },
	}
	// a data set is a value for each person: the attributes that they have, or the edge that they
	// are
	recordsOf := func(data [persons]int) *Records {
		records, err := NewRecords(persons, size)
		if err != nil {
			t.Fatal(err)
		}
		for i, value := range data {
			for x := range size {
				if value>>x&1 == 1 {
					records.Yes(i, x)
				}
			}
		}
		return records
	}
	kind := func(kind Kind) func(func([]int) (float64, error), [persons]int) int64 {
		return func(answer func([]int) (float64, error), data [persons]int) int64 {
			points, err := ConjunctionScore(recordsOf(data), kind, width, answer, nil)
			if err != nil {
				t.Fatal(err)
			}
			return points
		}
	}
	twin := func(answer func([]int) (float64, error), data [persons]int) int64 {
		off, err := offConjunctions(recordsOf(data), Conjunctions, width, answer, nil)
		if err != nil {
			t.Fatal(err)
		}
		return -(off / (publicQuestions / 2))
	}
	edges := [][2]uint64{{0, 0}, {0, 1}, {1, 2}, {0, 2}}
	cuts := func(answer func([]int) (float64, error), data [persons]int) int64 {
		s := NewCutScore(3)
		for _, value := range data {
			s.Edge(edges[value][0], edges[value][1])
		}
		points, err := s.Points(answer)
		if err != nil {
			t.Fatal(err)
		}
		return points
	}
	for _, c := range []struct {
		name  string
		score func(answer func([]int) (float64, error), data [persons]int) int64
		want  int64
	}{{"conjunctions", kind(Conjunctions), 1}, {"disjunctions", kind(Disjunctions), 1},
		{"cuts", cuts, 1},
		{"conjunctions, over half the questions", twin, 2}} {
		most := int64(0)
		for _, answer := range answers {
			for a := range 4 {
				for b := range 4 {
					for other := range 4 {
						most = max(most, c.score(answer, [persons]int{a, other})-
							c.score(answer, [persons]int{b, other}))
					}
				}
			}
		}
		if most != c.want {
			t.Errorf("%s: a person moves the score by up to %d, want %d", c.name, most, c.want)
		}
	}
}

// TestScoresStop: a step that stops ends the score, and so does an answer that fails.
func TestScoresStop(t *testing.T) {
	records, err := NewRecords(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	none := func([]int) (float64, error) { return 0, nil }
	if _, err := ConjunctionScore(records, Conjunctions, 1, none,
		func(int64, int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a stopped score gives %v", err)
	}
	if _, err := NewCutScore(3).Points(
		func([]int) (float64, error) { return 0, stop }); !errors.Is(err, stop) {
		t.Errorf("a score of an answer that fails gives %v", err)
	}
}
