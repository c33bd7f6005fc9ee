package table

import (
	"hush/core/domain"
	"hush/core/phrase"
)

// maxHistogram is the size of the largest domain for which Histogram counts.
const maxHistogram = 1 << 24

// Histogram counts the persons of each code of column k, and those without a value. The counts are
// exact: they are for mechanisms, and nobody may see them. It refuses, with *param.Error, domains
// of more than 2^24 values and wide columns.
func (e *Encoded) Histogram(k int) (counts []int64, none int64, err error) {
	c := e.Columns[k]
	if c == nil {
		return nil, 0,
			refuse("column", phrase.Key("of long texts"), "a column with codes of at most 64 bits")
	}
	size := c.domain.Size()
	if !size.IsInt64() || size.Int64() > maxHistogram {
		return nil, 0,
			refuse("domain", phrase.Of("%s values", size.String()), "at most %d values",
				maxHistogram)
	}
	counts = make([]int64, size.Int64())
	none = c.store.count(e.persons(), counts)
	return counts, none, nil
}

// persons returns a function for the number of persons that a row stands for; nil for one each.
func (e *Encoded) persons() func(i int) int64 {
	if e.Counts == nil {
		return nil
	}
	return func(i int) int64 { return int64(e.Counts[i]) }
}

// Sorted returns the codes of column k, one for each person that has one, in ascending order as a
// new slice. With a count column use Counted. step may be nil.
func (e *Encoded) Sorted(k int, step func(done, total int64) error) ([]uint64, error) {
	c := e.Columns[k]
	if c == nil || e.Counts != nil {
		return nil, refuse("column", phrase.Key("of long texts or with counts"),
			"a column with codes of at most 64 bits, without counts")
	}
	codes := c.Present()
	if err := domain.SortCodes(codes, c.domain.Bits(), step); err != nil {
		return nil, err
	}
	return codes, nil
}

// Counted returns the different codes of column k in ascending order, the number of persons with
// each (at least one), and the number without a code. step may be nil.
func (e *Encoded) Counted(k int,
	step func(done, total int64) error) (codes []uint64, counts []int64, none int64, err error) {
	if e.Counts == nil {
		sorted, err := e.Sorted(k, step)
		if err != nil {
			return nil, nil, 0, err
		}
		none = e.N - int64(len(sorted))
		codes = sorted[:0]
		for _, code := range sorted {
			if n := len(codes); n > 0 && codes[n-1] == code {
				counts[n-1]++
				continue
			}
			codes, counts = append(codes, code), append(counts, 1)
		}
		return codes, counts, none, nil
	}
	return e.countedRows(k, step)
}

// countedRows is Counted for rows that stand for several persons.
func (e *Encoded) countedRows(k int,
	step func(done, total int64) error) (codes []uint64, counts []int64, none int64, err error) {
	c := e.Columns[k]
	if c == nil {
		return nil, nil, 0,
			refuse("column", phrase.Key("of long texts"), "a column with codes of at most 64 bits")
	}
	persons := make([]uint64, 0, len(e.Counts))
	codes = make([]uint64, 0, len(e.Counts))
	for i, n := range e.Counts {
		code, ok := c.Code(i)
		if !ok {
			none += int64(n)
		} else if n > 0 {
			codes, persons = append(codes, code), append(persons, n)
		}
	}
	if err := domain.SortCounted(codes, persons, c.domain.Bits(), step); err != nil {
		return nil, nil, 0, err
	}
	different := codes[:0]
	for i, code := range codes {
		if n := len(different); n > 0 && different[n-1] == code {
			counts[n-1] += int64(persons[i])
			continue
		}
		different, counts = append(different, code), append(counts, int64(persons[i]))
	}
	return different, counts, none, nil
}
