package basic

import (
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
)

// codeLine is a data set of codes of at most 64 bits.
type codeLine struct {
	codes []uint64 // distinct, ascending
	upTo  []int64  // persons with codes up to this one
	last  uint64   // of the domain
}

func (l *codeLine) Len() int              { return len(l.codes) }
func (l *codeLine) UpTo(k int) int64      { return l.upTo[k] }
func (l *codeLine) Number(k int) *big.Int { return bigOf(l.codes[k]) }

func (l *codeLine) Gap(k int) (uint64, *big.Int) {
	n := len(l.codes)
	switch {
	case n == 0 && l.last == 1<<64-1:
		return 0, new(big.Int).Lsh(bigOf(1), 64)
	case n == 0:
		return l.last + 1, nil
	case k == 0:
		return l.codes[0], nil
	case k == n:
		return l.last - l.codes[n-1], nil
	}
	return l.codes[k] - l.codes[k-1] - 1, nil
}

// add adds persons at a code that is not below the last one.
func (l *codeLine) add(code uint64, persons int64) {
	n := len(l.codes)
	switch {
	case persons == 0:
	case n > 0 && l.codes[n-1] == code:
		l.upTo[n-1] += persons
	case n > 0:
		l.codes, l.upTo = append(l.codes, code), append(l.upTo, l.upTo[n-1]+persons)
	default:
		l.codes, l.upTo = append(l.codes, code), append(l.upTo, persons)
	}
}

// wideLine is a data set of codes of any size.
type wideLine struct {
	mechanism.SortedCodes
	size          *big.Int
	before, width big.Int // scratch
}

func (l *wideLine) Number(k int) *big.Int { return new(big.Int).Set(l.Code(k)) }

func (l *wideLine) Gap(k int) (uint64, *big.Int) {
	l.before.SetInt64(-1)
	if k > 0 {
		l.before.Set(l.Code(k - 1))
	}
	end := l.size
	if k < l.Len() {
		end = l.Code(k)
	}
	l.width.Sub(end, &l.before)
	return 0, l.width.Sub(&l.width, oneInt)
}

var oneInt = big.NewInt(1) // never written to

// smallTable bounds the counters that replace sorting.
const smallTable = 1 << 20

// gather makes the data set of each group: with one table of counts where the domain is small,
// otherwise by sorting.
func gather(values, groups Values, count, last uint64, step coin.Step) ([]*codeLine, error) {
	if last < smallTable/count {
		return tabulate(values, groups, count, last, step)
	}
	return sorted(values, groups, count, last, step)
}

func tabulate(values, groups Values, count, last uint64, step coin.Step) ([]*codeLine, error) {
	table := make([]int64, count*(last+1))
	weights, _ := values.(Counted)
	err := read(values, groups, step, func(b batch) {
		codes, has := b.codes[:len(b.groups)], b.has[:len(b.groups)]
		for i, group := range b.groups {
			if !has[i] || group >= count { // H: quantiles.md in-groups
				continue
			}
			persons := int64(1)
			if weights != nil {
				persons = int64(min(weights.Persons(b.from+i), MaxPeople))
			}
			// H: quantiles.md in-codes; jointexp.md in-codes; upperbound.md in-codes
			table[group*(last+1)+min(codes[i], last)] += persons
		}
	})
	if err != nil {
		return nil, err
	}
	lines := make([]*codeLine, count)
	for g := range lines {
		lines[g] = &codeLine{last: last}
		for code, persons := range table[uint64(g)*(last+1) : uint64(g+1)*(last+1)] {
			lines[g].add(uint64(code), persons)
		}
	}
	return lines, nil
}

func sorted(values, groups Values, count, last uint64, step coin.Step) ([]*codeLine, error) {
	if _, weighted := values.(Counted); weighted {
		return sortedCounts(values, groups, count, last, step)
	}
	sets := make([][]uint64, count)
	if groups == nil {
		sets[0] = make([]uint64, 0, values.Len())
	}
	err := scan(values, groups, count-1, part(step, 0, progress/2),
		func(group, code uint64, ok bool, _ uint64) {
			if ok {
				// H: quantiles.md in-codes; jointexp.md in-codes
				sets[group] = append(sets[group], min(code, last))
			}
		})
	if err != nil {
		return nil, err
	}
	lines := make([]*codeLine, count)
	for g, codes := range sets {
		if err := domain.SortCodes(codes, max(1, bits.Len64(last)),
			sortStep(step, g, count)); err != nil {
			return nil, err
		}
		lines[g] = compress(codes, last)
		sets[g] = nil
	}
	return lines, nil
}

// compress counts sorted codes. It takes over their memory.
func compress(codes []uint64, last uint64) *codeLine {
	distinct := 0
	for i, code := range codes {
		if i == 0 || code != codes[i-1] {
			distinct++
		}
	}
	l := &codeLine{codes: codes[:0], upTo: make([]int64, 0, distinct), last: last}
	for _, code := range codes {
		l.add(code, 1)
	}
	return l
}

func sortedCounts(values, groups Values, count, last uint64, step coin.Step) ([]*codeLine, error) {
	codes, persons := make([][]uint64, count), make([][]uint64, count)
	err := scan(values, groups, count-1, part(step, 0, progress/2),
		func(group, code uint64, ok bool, times uint64) {
			if ok {
				// H: quantiles.md in-codes; jointexp.md in-codes
				codes[group], persons[group] = append(codes[group], min(code, last)),
					append(persons[group], times)
			}
		})
	if err != nil {
		return nil, err
	}
	lines := make([]*codeLine, count)
	for g := range lines {
		if err := domain.SortCounted(codes[g], persons[g], max(1, bits.Len64(last)),
			sortStep(step, g, count)); err != nil {
			return nil, err
		}
		lines[g] = &codeLine{last: last}
		for i, code := range codes[g] {
			lines[g].add(code, int64(persons[g][i]))
		}
	}
	return lines, nil
}

// sortStep returns the progress of sorting one of this many groups.
func sortStep(step coin.Step, g int, count uint64) coin.Step {
	from := progress/2 + int64(g)*progress/2/int64(count)
	return part(step, from, from+progress/2/int64(count))
}
