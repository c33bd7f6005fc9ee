package replay

import (
	"fmt"
	"slices"

	"hush/core/ask"
	"hush/core/domain"
)

// cliffPeople are in each file of Cliffs: as many as there are where few people are a special case.
const cliffPeople = 9

// Cliffs asks a question of files of nine people, where it can be asked of that few. In turn 0, 1 …
// 9 of them have a value, either all the same or one of two alternately; then 0, 1 … 9 have one
// value, or are in one group, and the others have another. Neighbours differ in one person, so any
// special treatment below some number of people, up to nine, is tested from both sides. It returns
// the failure in words, and the number of pairs compared.
func (w *Walk[C]) Cliffs(t ask.Task) (wrong string, pairs int) {
	ways := []option{{name: "as it is", apply: func(dice, *ask.Recipe) {}}}
	if t.ByGroup {
		ways = append(ways, option{name: "by few in a group", apply: func(d dice, r *ask.Recipe) {
			r.Group = &ask.Group{Column: next(r), Names: slices.Clone(groupSpec.Categories)}
		}})
	}
	for i, with := range ways {
		way := way{task: t, with: with}
		for _, among := range []amongOthers{without, inTurn, unlike} {
			d := newDice(uint64(i), "cliff "+t.ID)
			r := recipeOf(d, t, with)
			files := cliff(d, r, among)
			for m := range cliffPeople {
				a, refused := open(w.session, files[m], r, uint64(m))
				if refused != nil {
					w.Why[way.name()] = refused.Error()
					break // nine people are too few
				}
				pairs++
				first := w.first(way, uint64(m), a, nil)
				if wrong := w.compare(first, files[m+1]); wrong != "" {
					wrong = fmt.Sprintf("%s, %d people or %d: %s: files of\n%s\n%s\nrecipe %s",
						way.name(), m, m+1, wrong, files[m].show(), files[m+1].show(), text(r))
					return wrong, pairs
				}
			}
		}
	}
	return "", pairs
}

// amongOthers describes the other people in a file: those who are there besides the ones with a
// value.
type amongOthers int

const (
	without amongOthers = iota // others have none
	inTurn                     // others have none, and every second one has another value
	unlike                     // others have another value
)

// cliff are the files of 0, 1 … 9 people with a value.
func cliff(d dice, r ask.Recipe, among amongOthers) (files []*file) {
	blank := newFile(d, r, 0, false)
	var some, other, nobody row
	for _, c := range blank.columns {
		value, end := "x", "y"
		if len(c.specs) > 0 {
			value, end = ends(d, c.specs[0])
		}
		some.cells, other.cells = append(some.cells, value), append(other.cells, end)
		nobody.cells = append(nobody.cells, "")
	}
	for m := range cliffPeople + 1 {
		f := *blank
		for i := range cliffPeople {
			r := some
			switch {
			case i >= m && among == unlike, i < m && i%2 == 1 && among == inTurn:
				r = other
			case i >= m:
				r = nobody
			}
			f.rows = append(f.rows, r)
		}
		files = append(files, &f)
	}
	return files
}

// ends are the first and the last value of a domain, or two texts.
func ends(d dice, spec domain.Spec) (first, last string) {
	for range 200 { // each is drawn for one in six
		value := valueOf(d, spec)
		if first == "" {
			first = value
		} else if value != first {
			return first, value
		}
	}
	return first, first
}
