package query

import (
	"math/bits"
	"strconv"
)

// Records are the answers of n persons to d yes/no attributes: for each person the set of
// attributes with a yes. A person without values has the empty set and counts for no conjunction
// and no disjunction. n and d are public.
type Records struct {
	size  int
	words int
	// H: marginals.md one-record
	rows []uint64 // person i has rows[i*words : (i+1)*words]
}

// NewRecords returns n persons, none with a yes yet.
func NewRecords(persons, size int) (*Records, error) {
	if persons < 1 {
		return nil, refuse("persons", strconv.Itoa(persons), "at least 1")
	}
	if size < 1 || size > MaxSize {
		return nil, refuse("attributes", strconv.Itoa(size), "from 1 to %d", MaxSize)
	}
	words := (size + 63) / 64
	return &Records{size: size, words: words, rows: make([]uint64, persons*words)}, nil
}

// Persons returns n.
func (r *Records) Persons() int { return len(r.rows) / r.words }

// Size returns d, the number of attributes.
func (r *Records) Size() int { return r.size }

// Yes records that a person has an attribute. It panics if either is out of range.
func (r *Records) Yes(person, attribute int) {
	if attribute < 0 || attribute >= r.size {
		panic("query: internal error: attribute outside the records")
	}
	r.rows[person*r.words+attribute/64] |= 1 << (attribute % 64)
}

// Row returns a person's set. It must not be written to.
func (r *Records) Row(person int) Set { return Set(r.rows[person*r.words : (person+1)*r.words]) }

// Complement returns records with a yes where r has a no. A conjunction over S of r is one minus
// the disjunction over S of the complement.
func (r *Records) Complement() *Records {
	other := &Records{size: r.size, words: r.words, rows: make([]uint64, len(r.rows))}
	for i := range r.Persons() {
		copy(other.rows[i*r.words:], r.Row(i).complement(r.size))
	}
	return other
}

// bitmaps hold the same bits by attribute, to count conjunctions 64 persons at a time. They
// remember the persons for the prefixes of the last set asked, so that sets in the order of subsets
// cost one pass each.
type bitmaps struct {
	words   int
	column  [][]uint64
	prefix  []int      // attributes of the last set
	persons [][]uint64 // persons[i] are those with prefix[:i+1]
}

func newBitmaps(r *Records) *bitmaps {
	c := &bitmaps{words: (r.Persons() + 63) / 64, column: make([][]uint64, r.size)}
	for x := range c.column {
		c.column[x] = make([]uint64, c.words)
	}
	for i := range r.Persons() {
		for w, word := range r.Row(i) {
			for ; word != 0; word &= word - 1 {
				c.column[64*w+bits.TrailingZeros64(word)][i/64] |= 1 << (i % 64)
			}
		}
	}
	return c
}

// all returns the persons who have every attribute of s, which is not empty. The result is valid
// until the next call.
func (c *bitmaps) all(s Set) []uint64 {
	members := s.Members()
	keep := 0
	for keep < min(len(members), len(c.prefix)) && members[keep] == c.prefix[keep] {
		keep++
	}
	for len(c.persons) < len(members) {
		c.persons = append(c.persons, make([]uint64, c.words))
	}
	for i := keep; i < len(members); i++ {
		column := c.column[members[i]]
		if i == 0 {
			copy(c.persons[0], column)
			continue
		}
		into, before := c.persons[i], c.persons[i-1]
		for w := range into {
			into[w] = before[w] & column[w]
		}
	}
	c.prefix = append(c.prefix[:keep], members[keep:]...)
	return c.persons[len(members)-1]
}

// count returns the number of persons who have every attribute of s, which is not empty.
func (c *bitmaps) count(s Set) int64 {
	n := 0
	for _, word := range c.all(s) {
		n += bits.OnesCount64(word)
	}
	return int64(n)
}
