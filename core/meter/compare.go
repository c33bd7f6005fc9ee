package meter

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// compare checks the input of a draw against that of the recording.
func (t *tape) compare(s *Spend, was, is Input) {
	if len(was.Labels) == 0 && len(is.Labels) == 0 {
		if len(was.Values) != len(is.Values) {
			t.violate(string(s.Name), "the number of values differs", strconv.Itoa(len(is.Values)),
				strconv.Itoa(len(was.Values)))
			return
		}
		t.moves(s, was.Values, is.Values)
	} else {
		t.candidates(s, was, is)
	}
	may := s.claimed(t.entries).People
	if moved := replaced(was.People, is.People); moved > may {
		t.violate(string(s.Name), "more people differ than claimed", strconv.FormatUint(moved, 10),
			fmt.Sprintf("at most %d", may))
	}
}

// claimed returns how far the input may move where all entries of a person are replaced: by the
// theorem that prices them together or, if there is none, by as many steps of one entry. Each step
// goes one way if a single entry's does, but not all go the same way.
func (s *Spend) claimed(entries uint64) Claim {
	c := s.Claim
	switch {
	case entries <= 1:
		return c
	case s.Person != nil:
		return s.Person.Claim
	}
	times := func(claim, steps uint64) uint64 {
		all := saturating(0)
		all.add(claim, steps)
		return uint64(all)
	}
	c.L2Squared = times(times(c.L2Squared, entries), entries)
	for _, claim := range []*uint64{&c.L1, &c.Each, &c.People, &c.Newcomers} {
		*claim = times(*claim, entries)
	}
	c.OneSigned, c.Moves = false, nil // their sum is claimed all the same
	return c
}

// moves compares the profile of the moved inputs with the claim.
func (t *tape) moves(s *Spend, was, is []int64) {
	var l1, l2, each saturating
	up, down := false, false
	c := s.claimed(t.entries)
	for i := range was {
		size := uint64(max(was[i], is[i])) - uint64(min(was[i], is[i]))
		weight := c.weight(i)
		weighted := saturating(0)
		weighted.add(size, weight)
		l1.add(uint64(weighted), 1)
		l2.add(uint64(weighted), uint64(weighted))
		each = max(each, weighted)
		up, down = up || is[i] > was[i], down || is[i] < was[i]
	}
	claims := []struct {
		what     string
		have     saturating
		may      uint64
		unstated bool
	}{
		{"moves sum to", l1, c.L1, c.L2Squared > 0 || c.Each > 0},
		{"squares of moves sum to", l2, c.L2Squared, true},
		{"the largest move is", each, c.Each, true},
	}
	for _, claim := range claims {
		if claim.may == 0 && claim.unstated || uint64(claim.have) <= claim.may {
			continue
		}
		t.violate(string(s.Name), "the input moved further than claimed: "+claim.what,
			fmt.Sprintf("%d: %v", claim.have, brief(is)),
			fmt.Sprintf("at most %d from %v", claim.may, brief(was)))
		return
	}
	if len(c.Moves) > 0 && !slices.ContainsFunc(c.Moves, func(most []uint64) bool {
		return c.within(distances(was, is), most)
	}) {
		t.violate(string(s.Name), "the input moved otherwise than claimed",
			fmt.Sprintf("to %v", brief(is)),
			fmt.Sprintf("from %v by one of %v", brief(was), c.Moves))
		return
	}
	if !c.OneSigned {
		return
	}
	if c.Series {
		before := t.signs[s]
		up, down = up || before[0], down || before[1]
		t.signs[s] = [2]bool{up, down}
	}
	if up && down {
		t.violate(string(s.Name), "the input moved both ways", fmt.Sprint(brief(is)),
			fmt.Sprintf("one way from %v", brief(was)))
	}
}

// within reports whether the values of each weight move by no more than as many others: the largest
// by no more than the largest, and so on.
func (c Claim) within(have, most []uint64) bool {
	n := max(len(c.Weights), 1)
	for j := range n {
		a, b := largestFirst(have, j, n), largestFirst(most, j, n)
		if len(a) > len(b) {
			return false
		}
		for i := range a {
			if a[i] > b[i] {
				return false
			}
		}
	}
	return true
}

// largestFirst returns every nth value from j on, without zeros, the largest first.
func largestFirst(all []uint64, j, n int) (list []uint64) {
	for i := j; i < len(all); i += n {
		if all[i] > 0 {
			list = append(list, all[i])
		}
	}
	slices.SortFunc(list, func(a, b uint64) int { return cmp.Compare(b, a) })
	return list
}

// distances returns how far each value moves.
func distances(was, is []int64) []uint64 {
	far := make([]uint64, len(was))
	for i := range was {
		far[i] = uint64(max(was[i], is[i])) - uint64(min(was[i], is[i]))
	}
	return far
}

// weight returns the weight of value i.
func (c Claim) weight(i int) uint64 {
	if len(c.Weights) == 0 {
		return 1
	}
	return c.Weights[i%len(c.Weights)]
}

// brief returns the first of many values.
func brief(values []int64) []int64 { return values[:min(len(values), 64)] }

// candidates compares sets of candidates: those in both move as claimed, newcomers are few and
// small, and where the sum of moves is claimed, newcomers are part of it.
func (t *tape) candidates(s *Spend, was, is Input) {
	before := make(map[string]int64, len(was.Labels))
	for i, label := range was.Labels {
		before[label] = was.Values[i]
	}
	var from, to, gone, come []int64
	for i, label := range is.Labels {
		value, both := before[label]
		if !both {
			come = append(come, is.Values[i])
			continue
		}
		from, to = append(from, value), append(to, is.Values[i])
		delete(before, label)
	}
	for _, value := range before {
		gone = append(gone, value)
	}
	c := s.claimed(t.entries)
	most := max(c.Each, 1)
	for _, new := range [][]int64{gone, come} {
		if uint64(len(new)) > c.Newcomers || len(new) > 0 && uint64(slices.Max(new)) > most {
			t.violate(string(s.Name), "the candidates differ by more than claimed",
				fmt.Sprintf("newcomers with values %v", brief(new)),
				fmt.Sprintf("at most %d, of at most %d", c.Newcomers, most))
			return
		}
	}
	if c.L1 > 0 {
		from = append(append(from, gone...), make([]int64, len(come))...)
		to = append(append(to, make([]int64, len(gone))...), come...)
	}
	t.moves(s, from, to)
}

// replaced returns how many people have to be replaced to turn one multiset into the other.
func replaced(was, is []string) uint64 {
	count := map[string]int{}
	for _, x := range was {
		count[x]++
	}
	for _, x := range is {
		count[x]--
	}
	gone, come := 0, 0
	for _, n := range count {
		gone += max(n, 0)
		come += max(-n, 0)
	}
	return uint64(max(gone, come))
}

// saturating returns a sum that stops at the largest number.
type saturating uint64

func (sum *saturating) add(a, b uint64) {
	high, product := bits.Mul64(a, b)
	total, carry := bits.Add64(uint64(*sum), product, 0)
	if high > 0 || carry > 0 {
		total = math.MaxUint64
	}
	*sum = saturating(total)
}
