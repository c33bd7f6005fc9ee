package replay

import (
	"errors"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/task"
)

// TestCliffs: no question does anything else for fewer than nine people.
func TestCliffs(t *testing.T) {
	w, pairs := NewWalk(task.All{}, cliffPeople), 0
	for _, q := range (task.All{}).Tasks() {
		wrong, n := w.Cliffs(q)
		if wrong != "" {
			t.Error(wrong)
		}
		if pairs += n; n == 0 {
			t.Logf("%s is not asked of so few: %v", q.ID, w.Why[q.ID+", as it is"])
		}
	}
	t.Logf("%d pairs, %d of them refused", pairs, w.Refused)
	if pairs-w.Refused < 500 {
		t.Errorf("%d pairs, %d of them refused", pairs, w.Refused)
	}
}

// steep is a catalogue whose questions all do something else where few people have a value.
type steep struct {
	task.All
	fewer   int // than this many
	refuses bool
}

var errFew = errors.New("too few people")

func (c steep) Tasks() []ask.Task {
	list := c.All.Tasks()
	for i := range list {
		prepare := list[i].Prepare
		list[i].Prepare = func(q *ask.Query) (ask.Prepared, error) {
			p, err := prepare(q)
			if err != nil {
				return nil, err
			}
			return &steepened{p, c}, nil
		}
	}
	return list
}

type steepened struct {
	ask.Prepared
	steep
}

// none is a column of which nobody has a value.
type none int

func (n none) Len() int              { return int(n) }
func (none) Code(int) (uint64, bool) { return 0, false }

// Run answers as for nobody, or refuses, where few people have a value.
func (s *steepened) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	column := data.Main
	if column == nil || column.Codes == nil {
		for _, c := range data.Others {
			if c.Codes != nil {
				column = c
			}
		}
	}
	if column == nil || column.Codes == nil {
		return s.Prepared.Run(src, data, step)
	}
	have := 0
	for i := range column.Codes.Len() {
		if _, ok := column.Codes.Code(i); ok {
			have++
		}
	}
	if have < s.fewer {
		if s.refuses {
			return nil, errFew
		}
		column.Codes, column.Once = none(column.Codes.Len()), nil
	}
	return s.Prepared.Run(src, data, step)
}

// TestPlantedCliffs: in every question that is asked of nine people it is found that it refuses
// where nobody has a value, and that it answers as for nobody where fewer than five have one.
func TestPlantedCliffs(t *testing.T) {
	for _, c := range []steep{{fewer: 1, refuses: true}, {fewer: 5}} {
		w, asked := NewWalk(c, cliffPeople), 0
		for _, q := range c.Tasks() {
			wrong, pairs := w.Cliffs(q)
			if pairs > 0 {
				asked++
			}
			// the scores of the strongest association move by less than one person may move them,
			// though a column is emptied: that is no violation
			if pairs > 0 && wrong == "" && (c.refuses || q.ID != "strongest") {
				t.Errorf("%s: %d pairs, and below %d, refusing %v, nothing is found", q.ID, pairs,
					c.fewer, c.refuses)
			}
		}
		if asked < 20 {
			t.Errorf("%d questions are asked", asked)
		}
	}
}
