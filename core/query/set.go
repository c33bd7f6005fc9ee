package query

import (
	"encoding/json"
	"math/big"
	"math/bits"
	"strconv"

	"hush/core/param"
	"hush/core/phrase"
)

// Set is a set of attributes (or vertices) 0, 1, … as bits. A nil Set is empty. Sets are never
// written to after they are made; With and Without return new ones. All sets of one ground set have
// equally many words.
type Set []uint64

// MaxSize is the size of the largest ground set, in attributes or vertices.
const MaxSize = 1 << 14

// NewSet returns the set of these members of a ground set of that size. A member outside the ground
// set is a *param.Error.
func NewSet(size int, members ...int) (Set, error) {
	s := emptySet(size)
	for _, x := range members {
		if x < 0 || x >= size {
			return nil, refuse("attribute", strconv.Itoa(x), "a whole number from 0 to %d", size-1)
		}
		s[x/64] |= 1 << (x % 64)
	}
	return s, nil
}

func emptySet(size int) Set { return make(Set, (size+63)/64) }

// Has reports whether x is a member.
func (s Set) Has(x int) bool { return x/64 < len(s) && s[x/64]>>(x%64)&1 == 1 }

// Len returns the number of members.
func (s Set) Len() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// Members returns the members in ascending order.
func (s Set) Members() []int {
	members := make([]int, 0, s.Len())
	for i, word := range s {
		for ; word != 0; word &= word - 1 {
			members = append(members, 64*i+bits.TrailingZeros64(word))
		}
	}
	return members
}

// With returns the set with x added.
func (s Set) With(x int) Set {
	t := make(Set, max(len(s), x/64+1))
	copy(t, s)
	t[x/64] |= 1 << (x % 64)
	return t
}

// Without returns the set with x removed.
func (s Set) Without(x int) Set {
	t := append(Set(nil), s...)
	if x/64 < len(t) {
		t[x/64] &^= 1 << (x % 64)
	}
	return t
}

// Within reports whether every member of s is a member of t.
func (s Set) Within(t Set) bool {
	for i, word := range s {
		if i < len(t) {
			word &^= t[i]
		}
		if word != 0 {
			return false
		}
	}
	return true
}

// Meets reports whether s and t share a member.
func (s Set) Meets(t Set) bool {
	for i := range min(len(s), len(t)) {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// agrees reports whether s has the same members of mask as t; all three have equally many words.
func (s Set) agrees(t, mask Set) bool {
	for i, word := range mask {
		if (s[i]^t[i])&word != 0 {
			return false
		}
	}
	return true
}

// complement returns the rest of a ground set of that size.
func (s Set) complement(size int) Set {
	t := emptySet(size)
	for i := range t {
		t[i] = ^uint64(0)
		if i < len(s) {
			t[i] = ^s[i]
		}
	}
	if size%64 != 0 {
		t[len(t)-1] &= 1<<(size%64) - 1
	}
	return t
}

// minus returns the members of s that are not in t.
func (s Set) minus(t Set) Set {
	rest := append(Set(nil), s...)
	for i := range min(len(s), len(t)) {
		rest[i] &^= t[i]
	}
	return rest
}

// shared returns the number of members that two sets share.
func (s Set) shared(t Set) int {
	n := 0
	for i := range min(len(s), len(t)) {
		n += bits.OnesCount64(s[i] & t[i])
	}
	return n
}

// key returns a key that distinguishes sets of one ground set.
func (s Set) key() string {
	text := make([]byte, 8*len(s))
	for i, word := range s {
		for b := range 8 {
			text[8*i+b] = byte(word >> (8 * b))
		}
	}
	return string(text)
}

// MarshalJSON writes the members: [0,3].
func (s Set) MarshalJSON() ([]byte, error) { return json.Marshal(s.Members()) }

// UnmarshalJSON reads what MarshalJSON writes. Members below 0, or MaxSize and above, are a
// *param.Error.
func (s *Set) UnmarshalJSON(data []byte) error {
	var members []int
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	size := 0
	for _, x := range members {
		size = max(size, x+1)
	}
	if size > MaxSize {
		return refuse("attribute", strconv.Itoa(size-1), "a whole number below %d", MaxSize)
	}
	read, err := NewSet(size, members...)
	if err == nil {
		*s = read
	}
	return err
}

// subsets lists all sets of 1 to width of d attributes, each after its prefixes: {0}, {0,1},
// {0,1,2}, {0,2}, {1}, …
func subsets(d, width int) []Set {
	var all []Set
	var extend func(s Set, from, left int)
	extend = func(s Set, from, left int) {
		for x := from; x < d && left > 0; x++ {
			t := s.With(x)
			all = append(all, t)
			extend(t, x+1, left-1)
		}
	}
	extend(emptySet(d), 0, width)
	return all
}

// countSubsets returns the number of sets that subsets lists: the sum of the binomials (d choose 1)
// … (d choose width).
func countSubsets(d, width int) *big.Int {
	sum := new(big.Int)
	for w := 1; w <= min(width, d); w++ {
		sum.Add(sum, new(big.Int).Binomial(int64(d), int64(w)))
	}
	return sum
}

func refuse(field string, value any, want phrase.Key, args ...any) error {
	return param.Refuse("query", field, value, want, args...)
}

// insist refuses every value but one.
func insist(field, value, want string) error {
	return param.New("query", field, phrase.Plain(value), phrase.Plain(want))
}
