package ask

import (
	"maps"
	"slices"

	"hush/core/domain"
	"hush/core/table"
)

// shelf keeps the columns read from the opened file, so that a further question about them need not
// read it again. Where a row is a person, or stands for several, each column is kept separately: a
// later question may combine them. Where a column names the persons, rows are drawn in each
// reading, and the columns of one reading stay together.
type shelf struct {
	kept map[string]*table.Encoded // one column, or all that were read together
	used []string                  // their keys, the one used last at the end
}

// shelfBytes is how much memory may be kept for later questions, besides the columns of the last
// one.
const shelfBytes = 256 << 20

// aheadBytes is how much memory columns that are only expected may take.
const aheadBytes = 64 << 20

func newShelf() *shelf { return &shelf{kept: map[string]*table.Encoded{}} }

// copied returns a shelf with the same columns, to which others may be added.
func (s *shelf) copied() *shelf {
	return &shelf{kept: maps.Clone(s.kept), used: slices.Clone(s.used)}
}

// keysOf names the kept columns of a recipe, in the order of its columns.
func keysOf(r Recipe) []string {
	if r.Person != 0 {
		return []string{ColumnKey(r)}
	}
	var keys []string
	for _, w := range r.wanted() {
		keys = append(keys, KeyOf(peopleKey(r), unlabelled(r.Filter), w))
	}
	return keys
}

// missing lists the columns of a recipe that still have to be read.
func (s *shelf) missing(r Recipe) (list []table.Wanted) {
	keys := keysOf(r)
	if r.Person != 0 {
		if s.kept[keys[0]] == nil {
			list = r.wanted()
		}
		return list
	}
	for i, w := range r.wanted() {
		if s.kept[keys[i]] == nil && !slices.Contains(keys[:i], keys[i]) {
			list = append(list, w)
		}
	}
	return list
}

// with adds to the missing columns of a recipe those that are expected, not kept, and fit into
// aheadBytes and into the free memory. Where a column names the persons it adds none. A column that
// is read anyway, for values or for counts, has one description, so that each of its cells without
// a value is reported once.
func (s *shelf) with(expected, missing []table.Wanted, r Recipe, o Opened,
	free int64) []table.Wanted {
	all, free := slices.Clip(missing), min(aheadBytes, free)
	if r.Person != 0 {
		return all
	}
	for _, w := range expected {
		read := slices.ContainsFunc(all, func(other table.Wanted) bool {
			return other.Column == w.Column
		})
		d, err := domain.New(w.Spec)
		if read || err != nil || w.Column < 1 || w.Column > o.Options.Columns ||
			w.Column == r.Count || w.Spec.IsWide() ||
			s.kept[KeyOf(peopleKey(r), unlabelled(r.Filter), w)] != nil {
			continue
		}
		if bytes := table.ColumnBytes(d, o.Rows); bytes <= free {
			all, free = append(all, w), free-bytes
		}
	}
	return all
}

// put keeps the columns read for a recipe: those that were missing.
func (s *shelf) put(r Recipe, read []table.Wanted, found *table.Encoded) {
	if r.Person != 0 {
		s.keep(ColumnKey(r), found)
		return
	}
	for i, w := range slices.Backward(read) { // expected columns come last, and go first
		one := &table.Encoded{N: found.N, Rows: found.Rows, Columns: found.Columns[i : i+1],
			Texts: found.Texts[i : i+1], Counts: found.Counts}
		for _, p := range found.Problems {
			if p.Column == w.Column || p.Column == 0 || p.Column == r.Count {
				one.Problems = append(one.Problems, p)
			}
		}
		s.keep(KeyOf(peopleKey(r), unlabelled(r.Filter), w), one)
	}
}

func (s *shelf) keep(key string, found *table.Encoded) {
	s.kept[key] = found
	s.touch(key)
}

// touch records that a key was used.
func (s *shelf) touch(key string) {
	s.used = slices.DeleteFunc(s.used, func(other string) bool { return other == key })
	s.used = append(s.used, key)
}

// take returns the columns of a recipe, none of which is missing.
func (s *shelf) take(r Recipe) *table.Encoded {
	keys := keysOf(r)
	for _, key := range keys {
		s.touch(key)
	}
	all := *s.kept[keys[0]]
	for _, key := range keys[1:] {
		one := s.kept[key]
		all.Columns = append(slices.Clip(all.Columns), one.Columns...)
		all.Texts = append(slices.Clip(all.Texts), one.Texts...)
		for _, p := range one.Problems {
			told := slices.ContainsFunc(all.Problems, func(other table.Problem) bool {
				return other.Kind == p.Kind && other.Column == p.Column
			})
			if !told {
				all.Problems = append(slices.Clip(all.Problems), p)
			}
		}
	}
	return &all
}

// trim forgets the columns that were unused for longest, until at most most bytes are kept; the
// columns of a recipe stay.
func (s *shelf) trim(most int64, r Recipe) {
	keys, total := keysOf(r), int64(0)
	for _, found := range s.kept {
		total += found.Bytes()
	}
	s.used = slices.DeleteFunc(s.used, func(key string) bool {
		if total <= most || slices.Contains(keys, key) {
			return false
		}
		total -= s.kept[key].Bytes()
		delete(s.kept, key)
		return true
	})
}
