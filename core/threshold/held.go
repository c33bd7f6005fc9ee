package threshold

import (
	"math"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

// Held is a column as it is held, to be sorted: the codes or the texts of its rows, and the persons
// of each row where they are counted. One of the first two is set.
type Held struct {
	Codes  *table.Column
	Texts  *table.TextColumn
	Counts []uint64 // nil: one person each
}

// Outcome is a column with a yes or no in each row: code 0 is a yes, any other code a no, and a row
// may have neither.
type Outcome interface {
	Code(i int) (uint64, bool)
}

// Sorted returns the codes in ascending order, one for each person who has a value.
func (d Held) Sorted(step coin.Step) (domain.Sorted, error) {
	switch {
	case d.Texts != nil:
		codes, rows, err := d.Texts.Sorted(step)
		if err != nil || d.Counts == nil {
			return codes, err
		}
		return d.countedTexts(codes, rows), nil
	case d.Counts == nil:
		return d.Codes.Sorted(step)
	}
	codes, persons := d.Codes.Present(), make([]uint64, 0, len(d.Counts))
	for i, n := range d.Counts {
		if _, ok := d.Codes.Code(i); ok {
			persons = append(persons, n)
		}
	}
	bits := d.Codes.Domain().Bits()
	if err := domain.SortCounted(codes, persons, bits, step); err != nil {
		return nil, err
	}
	return countedCodes(codes, persons, bits), nil
}

// mostHeld is the largest number of persons that a row stands for, as for the questions of
// core/basic.
const mostHeld = 1 << 53

// countedCodes views ascending codes, each of which stands for several persons.
func countedCodes(codes, persons []uint64, bits int) domain.Sorted {
	each, upTo := codes[:0], make([]int, 0, len(codes))
	total := 0
	for i, code := range codes {
		total += int(min(persons[i], mostHeld))
		if n := len(each); n > 0 && each[n-1] == code {
			upTo[n-1] = total
			continue
		}
		each, upTo = append(each, code), append(upTo, total)
	}
	return Counted(domain.SortedCodes(each, bits), upTo)
}

// countedTexts does the same for texts, which stay in the order of rows.
func (d Held) countedTexts(codes domain.Sorted, rows []uint32) domain.Sorted {
	each, upTo := make([]uint32, 0, len(rows)), make([]int, 0, len(rows))
	total := 0
	for i, row := range rows {
		total += int(min(d.Counts[row], mostHeld))
		if n := len(each); n > 0 && codes.Lcp(i-1, i) == codes.Bits() {
			upTo[n-1] = total
			continue
		}
		each, upTo = append(each, row), append(upTo, total)
	}
	return Counted(domain.SortedTexts(d.Texts.Domain(), d.Texts, each), upTo)
}

// Labelled returns the codes in ascending order, each with the answer of its person: whether the
// outcome is the first of its two categories. A person who lacks either is left out.
func (d Held) Labelled(outcome Outcome, step coin.Step) (Labelled, error) {
	if d.Texts != nil {
		return d.labelledTexts(outcome, step)
	}
	// A code carries twice its persons, and one more for a yes.
	codes, carried := make([]uint64, 0, d.Codes.Len()), make([]uint64, 0, d.Codes.Len())
	for i := range d.Codes.Len() {
		if err := pause(i, step); err != nil {
			return Labelled{}, err
		}
		code, ok := d.Codes.Code(i)
		says, answered := outcome.Code(i)
		if ok && answered { // H: cutoff.md both-known
			codes, carried = append(codes, code), append(carried, d.load(i, says == 0))
		}
	}
	bits := d.Codes.Domain().Bits()
	if err := domain.SortCounted(codes, carried, bits, step); err != nil {
		return Labelled{}, err
	}
	return unload(carried, func(persons []uint64) domain.Sorted {
		return countedCodes(codes, persons, bits)
	}, domain.SortedCodes(codes, bits), d.Counts != nil), nil
}

func (d Held) labelledTexts(outcome Outcome, step coin.Step) (Labelled, error) {
	var rows []uint32
	for i, row := range d.Texts.Rows() {
		if err := pause(i, step); err != nil {
			return Labelled{}, err
		}
		if _, answered := outcome.Code(int(row)); answered { // H: cutoff.md both-known
			rows = append(rows, row)
		}
	}
	rows, err := domain.SortTexts(d.Texts, rows, step)
	if err != nil {
		return Labelled{}, err
	}
	carried := make([]uint64, len(rows))
	for i, row := range rows {
		says, _ := outcome.Code(int(row))
		carried[i] = d.load(int(row), says == 0)
	}
	codes := domain.SortedTexts(d.Texts.Domain(), d.Texts, rows)
	return unload(carried, func([]uint64) domain.Sorted { return d.countedTexts(codes, rows) },
		codes, d.Counts != nil), nil
}

// pause yields to others every 2^18 rows, before any of the work that progress counts is done.
func pause(i int, step coin.Step) error {
	if step == nil || i&(1<<18-1) != 0 {
		return nil
	}
	return step(0, 1)
}

// load is the number that Labelled attaches to a code: twice the persons of row i, plus one for a
// yes.
func (d Held) load(i int, yes bool) uint64 {
	load := uint64(2)
	if d.Counts != nil {
		load = 2 * min(d.Counts[i], math.MaxUint32)
	}
	if yes {
		load++
	}
	return load
}

// unload makes labelled codes: for one person each, or counted.
func unload(carried []uint64, several func(persons []uint64) domain.Sorted, single domain.Sorted,
	isCounted bool) Labelled {
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
		return Labelled{Codes: single, Yes: yes}
	}
	return Labelled{Codes: several(carried), Yes: yes}
}
