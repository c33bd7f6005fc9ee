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
// Memory: 35 to 51 bytes for each person.
type persons struct {
	src  coin.Source
	key  sipKey
	all  []person
	slot []slot // a hash table; a power of two, at most 3/4 full

	// of the rows of a batch: who is known by what, and where that person may be
	ids   [aheadRows][2]uint64
	place [aheadRows]uint32 // 1 + index into all; 0: not known
	seen  uint32            // of what ahead looked at
}

// aheadRows is how many rows are looked for at once: what they touch stays in the nearer caches.
const aheadRows = 256

type person struct {
	id   [2]uint64
	rows uint32 // seen; with a Use, those that meet the conditions
}

// slot is where a person stands whose hash is likely to be theirs.
type slot struct {
	tag uint32 // upper bits of the hash
	at  uint32 // 1 + index into all, 0 for an empty slot
}

func newPersons(src coin.Source, key sipKey) *persons {
	return &persons{src: src, key: key, slot: make([]slot, 1<<10)}
}

// drawKey draws a key, all equally likely.
func drawKey(src coin.Source) (key sipKey) {
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	for i := range key {
		key[i] = src.UniformBig(word).Uint64()
	}
	return key
}

// take says where a row of the person known by id goes: a new place (at the end), the place of an
// earlier row, or nowhere. The place is that of ahead, or 0.
func (p *persons) take(id [2]uint64, place uint32) (at int, isNew, keep bool, err error) {
	at, isNew, err = p.find(id, place)
	if err == nil {
		err = p.count(at)
	}
	if isNew || err != nil {
		return at, isNew, true, err
	}
	return at, false, p.src.Uniform(uint64(p.all[at].rows)) == 0, nil
}

// count counts one more row of a person.
func (p *persons) count(at int) error {
	who := &p.all[at]
	if who.rows == math.MaxUint32 {
		return ErrTooMany
	}
	who.rows++
	return nil
}

// find is the index of the person known by id, who may be a new one, at the end.
func (p *persons) find(id [2]uint64, place uint32) (at int, isNew bool, err error) {
	if place > 0 {
		return int(place - 1), false, nil
	}
	mask := len(p.slot) - 1
	i, tag := int(id[0])&mask, uint32(id[0]>>32)
	for ; p.slot[i].at != 0; i = (i + 1) & mask {
		if p.slot[i].tag == tag && p.all[p.slot[i].at-1].id == id {
			return int(p.slot[i].at - 1), false, nil
		}
	}
	if len(p.all) == math.MaxUint32-1 {
		return 0, false, ErrTooMany
	}
	p.all = append(p.all, person{id: id})
	p.slot[i] = slot{tag, uint32(len(p.all))}
	if 4*len(p.all) > 3*len(p.slot) {
		p.grow()
	}
	return len(p.all) - 1, true, nil
}

func (p *persons) grow() {
	p.slot = make([]slot, 2*len(p.slot))
	mask := len(p.slot) - 1
	for at := range p.all {
		hash := p.all[at].id[0]
		i := int(hash) & mask
		for p.slot[i].at != 0 {
			i = (i + 1) & mask
		}
		p.slot[i] = slot{uint32(hash >> 32), uint32(at + 1)}
	}
}

// ahead looks for the persons of the first n ids. Each look waits for memory, and the processor
// waits for many at once where none needs what another found: row by row it took six times as long.
func (p *persons) ahead(n int) {
	mask := len(p.slot) - 1
	for k := range n {
		hash := p.ids[k][0]
		i, tag := int(hash)&mask, uint32(hash>>32)
		for p.slot[i].at != 0 && p.slot[i].tag != tag {
			i = (i + 1) & mask
		}
		p.place[k] = p.slot[i].at
	}
	seen := uint32(0)
	for k, at := range p.place[:n] {
		if at == 0 {
			continue
		}
		who := &p.all[at-1]
		if seen += who.rows; who.id != p.ids[k] {
			p.place[k] = 0
		}
	}
	p.seen = seen
}

func (p *persons) bytes() int64 { return 24*int64(cap(p.all)) + 8*int64(cap(p.slot)) }
