package query

import (
	"hush/core/coin"
	"hush/core/sample/crowd"
)

// Test is a test of [Pieces]: for lessons on made-up data, never for a release.
type Test struct {
	Piece    int   // which one, in the order in which they are made
	Element  int   // that may split it
	Marginal int64 // persons whom the element adds to the piece's set, without noise
	Least    int64 // from which on, with noise on both, the piece is split
	Split    bool  // it was: the new piece is the last one
}

// RecordsOf returns the symptoms of made-up patients as attributes.
func RecordsOf(people crowd.MadeUp[crowd.Patients]) (*Records, error) {
	p := people.People()
	records, err := NewRecords(len(p.Have), p.Symptoms)
	if err != nil {
		return nil, err
	}
	for i, have := range p.Have {
		for _, x := range have {
			records.Yes(i, x)
		}
	}
	return records, nil
}

// Watch runs Pieces with seeded coins on the [Coverage] of made-up people, and reports what
// happened in each test; a Test reveals their numbers, too. It returns what Release would with the
// same coins.
func (m *Pieces) Watch(seed coin.Seed, people crowd.MadeUp[crowd.Patients]) (tests []Test,
	release *Release, err error) {
	records, err := RecordsOf(people)
	if err != nil {
		return nil, nil, err
	}
	return m.watch(seed, Coverage{records})
}

func (m *Pieces) watch(seed coin.Seed, people People) (tests []Test, release *Release, err error) {
	if err := m.fits(people); err != nil {
		return nil, nil, err
	}
	src := coin.NewSeeded(seed)
	pieces, err := m.split(src, people, nil, func(t Test) { tests = append(tests, t) })
	if err != nil {
		return nil, nil, err
	}
	release, err = m.measure(src, people, pieces, nil)
	return tests, release, err
}

// Correction is a round of [MWEM]: for lessons on made-up data, never for a release.
type Correction struct {
	Sets     []Set   // the conjunctions considered
	Truth    []int64 // how many persons have each
	Expected []int64 // how many the distribution says, before it is corrected
	Chosen   int     // of the sets, the one that was counted
	Count    int64   // with noise
}

// Watch runs MWEM with seeded coins on made-up people, and shows what happened in each round; a
// Correction reveals their counts, too. It returns what Release would with the same coins.
func (m *MWEM) Watch(seed coin.Seed, people crowd.MadeUp[crowd.Patients]) (rounds []Correction,
	release *Release, err error) {
	records, err := RecordsOf(people)
	if err != nil {
		return nil, nil, err
	}
	return m.watch(seed, records)
}

func (m *MWEM) watch(seed coin.Seed, records *Records) (rounds []Correction, release *Release,
	err error) {
	release, err = m.release(coin.NewSeeded(seed), records, nil,
		func(c Correction) { rounds = append(rounds, c) })
	return rounds, release, err
}
