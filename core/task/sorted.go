package task

import (
	"math"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/threshold"
)

// sorted returns the codes of the main column in ascending order, one for each person who has a value.
func (d data) sorted(step coin.Step) (codes domain.Sorted, err error) {
	if d.once != nil && *d.once != nil {
		return *d.once, nil
	}
	if codes, err = d.sort(step); err == nil && d.once != nil {
		*d.once = codes
	}
	return codes, err
}

func (d data) sort(step coin.Step) (domain.Sorted, error) {
	switch {
	case d.texts != nil:
		codes, rows, err := d.texts.Sorted(step)
		if err != nil || d.counts == nil {
			return codes, err
		}
		return d.countedTexts(codes, rows), nil
	case d.counts == nil:
		return d.column.Sorted(step)
	}
	codes, persons := d.column.Present(), make([]uint64, 0, len(d.counts))
	for i, n := range d.counts {
		if _, ok := d.column.Code(i); ok {
			persons = append(persons, n)
		}
	}
	bits := d.column.Domain().Bits()
	if err := domain.SortCounted(codes, persons, bits, step); err != nil {
		return nil, err
	}
	return countedCodes(codes, persons, bits), nil
}

// countedCodes views ascending codes, each of which stands for so many persons.
func countedCodes(codes, persons []uint64, bits int) domain.Sorted {
	each, upTo := codes[:0], make([]int, 0, len(codes))
	total := 0
	for i, code := range codes {
		total += int(min(persons[i], basic.MaxPeople))
		if n := len(each); n > 0 && each[n-1] == code {
			upTo[n-1] = total
			continue
		}
		each, upTo = append(each, code), append(upTo, total)
	}
	return threshold.Counted(domain.SortedCodes(each, bits), upTo)
}

// countedTexts is the same for texts, which stand in the order of rows.
func (d data) countedTexts(codes domain.Sorted, rows []uint32) domain.Sorted {
	each, upTo := make([]uint32, 0, len(rows)), make([]int, 0, len(rows))
	total := 0
	for i, row := range rows {
		total += int(min(d.counts[row], basic.MaxPeople))
		if n := len(each); n > 0 && codes.Lcp(i-1, i) == codes.Bits() {
			upTo[n-1] = total
			continue
		}
		each, upTo = append(each, row), append(upTo, total)
	}
	return threshold.Counted(domain.SortedTexts(d.texts.Domain(), d.texts, each), upTo)
}

// labelled returns the codes of the main column in ascending order, each with the answer of its person: whether the outcome is
// the first of its two categories. Who lacks one of them is not among them.
func (d data) labelled(outcome basic.Values, step coin.Step) (threshold.Labelled, error) {
	if d.texts != nil {
		return d.labelledTexts(outcome, step)
	}
	// A code carries twice its persons, and one more for a yes.
	codes, carried := make([]uint64, 0, d.column.Len()), make([]uint64, 0, d.column.Len())
	for i := range d.column.Len() {
		if err := pause(i, step); err != nil {
			return threshold.Labelled{}, err
		}
		code, ok := d.column.Code(i)
		says, answered := outcome.Code(i)
		if ok && answered {
			codes, carried = append(codes, code), append(carried, d.load(i, says == 0))
		}
	}
	bits := d.column.Domain().Bits()
	if err := domain.SortCounted(codes, carried, bits, step); err != nil {
		return threshold.Labelled{}, err
	}
	return unload(carried, func(persons []uint64) domain.Sorted { return countedCodes(codes, persons, bits) }, domain.SortedCodes(codes, bits), d.counts != nil), nil
}

func (d data) labelledTexts(outcome basic.Values, step coin.Step) (threshold.Labelled, error) {
	var rows []uint32
	for i, row := range d.texts.Rows() {
		if err := pause(i, step); err != nil {
			return threshold.Labelled{}, err
		}
		if _, answered := outcome.Code(int(row)); answered {
			rows = append(rows, row)
		}
	}
	rows, err := domain.SortTexts(d.texts, rows, step)
	if err != nil {
		return threshold.Labelled{}, err
	}
	carried := make([]uint64, len(rows))
	for i, row := range rows {
		says, _ := outcome.Code(int(row))
		carried[i] = d.load(int(row), says == 0)
	}
	codes := domain.SortedTexts(d.texts.Domain(), d.texts, rows)
	return unload(carried, func([]uint64) domain.Sorted { return d.countedTexts(codes, rows) }, codes, d.counts != nil), nil
}

// pause lets others in every 2^18 rows, before any of the work that progress counts is done.
func pause(i int, step coin.Step) error {
	if step == nil || i&(1<<18-1) != 0 {
		return nil
	}
	return step(0, 1)
}

// load is what labelled lets a code carry: twice the persons of row i, and one more for a yes.
func (d data) load(i int, yes bool) uint64 {
	load := uint64(2)
	if d.counts != nil {
		load = 2 * min(d.counts[i], math.MaxUint32)
	}
	if yes {
		load++
	}
	return load
}

// unload makes labelled codes: of one person each, or counted.
func unload(carried []uint64, several func(persons []uint64) domain.Sorted, single domain.Sorted, isCounted bool) threshold.Labelled {
	persons := uint64(0)
	for _, load := range carried {
		persons += load / 2
	}
	yes := make([]bool, 0, persons)
	for i, load := range carried {
		for range load / 2 {
			yes = append(yes, load&1 == 1)
		}
		carried[i] = load / 2
	}
	if !isCounted {
		return threshold.Labelled{Codes: single, Yes: yes}
	}
	return threshold.Labelled{Codes: several(carried), Yes: yes}
}

// halves is the progress of two pieces of work, one after the other.
func halves(step coin.Step) (first, second coin.Step) {
	if step == nil {
		return nil, nil
	}
	const whole = 1000
	part := func(from int64) coin.Step {
		return func(done, total int64) error { return step(from+whole/2*done/max(total, 1), whole) }
	}
	return part(0), part(whole / 2)
}

// held is the main column column as it is held, for sorting. One of the first two is set.
type held struct {
	column *table.Column
	texts  *table.TextColumn
	counts []uint64 // persons of each row; nil: one each

	once *domain.Sorted // keeps what is sorted for many runs; nil: nothing is kept
}
