package table

import (
	"math"
	"math/big"

	"hush/core/coin"
)

// persons keeps one row of each person, drawn uniformly from all rows of that person.
//
// A person is known by 128 bits of the identifier under a key drawn for this pass, so that memory
// does not grow with the length of identifiers. Two identifiers fall together with probability
// below n²/2^129: less than 2^-60 for 2^34 of them. Empty identifiers together are one person.
//
// The draw keeps the k-th row of a person with probability 1/k, in place of the one kept before;
// then every one of k rows is kept with probability 1/k. It looks at identifiers only, never at
// values or conditions, so replacing one person changes one kept row.
//
// Memory: about 30 bytes for each person.
type persons struct {
	src   coin.Source
	key   sipKey
	ids   [][2]uint64
	rows  []uint32 // rows seen of each person; with a Use, those that meet the conditions
	slots []uint32 // a hash table of 1 + index into ids; a power of two, at most 3/4 full
}

func newPersons(src coin.Source, key sipKey) *persons {
	return &persons{src: src, key: key, slots: make([]uint32, 1<<10)}
}

// drawKey draws a key, all equally likely.
func drawKey(src coin.Source) (key sipKey) {
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	for i := range key {
		key[i] = src.UniformBig(word).Uint64()
	}
	return key
}

// take says where the row of this identifier goes: a new place (at the end), the place of an
// earlier row, or nowhere.
func (p *persons) take(identifier []byte) (at int, isNew, keep bool, err error) {
	at, isNew, err = p.find(identifier)
	if err == nil {
		err = p.count(at)
	}
	if isNew || err != nil {
		return at, isNew, true, err
	}
	return at, false, p.src.Uniform(uint64(p.rows[at])) == 0, nil
}

// count counts one more row of a person.
func (p *persons) count(at int) error {
	if p.rows[at] == math.MaxUint32 {
		return ErrTooMany
	}
	p.rows[at]++
	return nil
}

// find is the place of the person of this identifier, which may be a new one, at the end.
func (p *persons) find(identifier []byte) (at int, isNew bool, err error) {
	id := p.key.hash(identifier)
	mask := len(p.slots) - 1
	i := int(id[0]) & mask
	for ; p.slots[i] != 0; i = (i + 1) & mask {
		if at := int(p.slots[i] - 1); p.ids[at] == id {
			return at, false, nil
		}
	}
	if len(p.ids) == math.MaxUint32-1 {
		return 0, false, ErrTooMany
	}
	p.ids = append(p.ids, id)
	p.rows = append(p.rows, 0)
	p.slots[i] = uint32(len(p.ids))
	if 4*len(p.ids) > 3*len(p.slots) {
		p.grow()
	}
	return len(p.ids) - 1, true, nil
}

func (p *persons) grow() {
	p.slots = make([]uint32, 2*len(p.slots))
	mask := len(p.slots) - 1
	for at, id := range p.ids {
		i := int(id[0]) & mask
		for p.slots[i] != 0 {
			i = (i + 1) & mask
		}
		p.slots[i] = uint32(at + 1)
	}
}

func (p *persons) bytes() int64 {
	return 16*int64(cap(p.ids)) + 4*int64(cap(p.rows)) + 4*int64(cap(p.slots))
}
