package table

import (
	"encoding/binary"
	"math"
	"math/big"

	"hush/core/coin"
)

// persons keeps one row of each person, drawn uniformly from all of that person's rows.
//
// A person is known by 128 bits of the identifier under a key drawn for this pass, so that memory
// does not grow with the length of identifiers. Two identifiers fall together with probability
// below n²/2^129: less than 2^-60 for 2^34 of them. Where no draw depends on the identifier's bits,
// an identifier of at most 15 bytes stands for itself, and 120 bits for a longer one. Empty
// identifiers together are one person.
//
// The draw keeps the k-th row of a person with probability 1/k, in place of the one kept before;
// then every one of k rows is kept with probability 1/k. It looks at identifiers only, never at
// values or conditions, so replacing one person changes one kept row.
//
// Memory: 32 to 48 bytes for each person, and 32 more while the table grows.
type persons struct {
	src coin.Source
	key sipKey
	own bool // a short identifier stands for itself
	mix mixKey
	n   int
	all []person // a hash table, at most 3/4 full

	// for the rows of a batch: the identifier of each person, and where the person may be
	ids   [aheadRows][2]uint64
	place [aheadRows]uint32 // where in all a search begins, then 1 + the person's index, 0: nowhere
	at    [aheadRows]uint32 // then the person's number
	seen  uint32            // of what ahead looked at
}

// aheadRows is the number of rows looked up at once: the memory that they touch stays in the nearer
// caches.
const aheadRows = 256

// mostPersons is the number of persons in the longest table when it is full.
const mostPersons = math.MaxUint32 / 4 * 3

// person is a person, or a free place.
type person struct {
	id   [2]uint64
	rows uint32 // seen; with a Use, those that meet the conditions
	at   uint32 // 1 + number of persons seen before; 0 if it is free
}

func newPersons(src coin.Source, key sipKey, own bool) *persons {
	p := &persons{src: src, key: key, own: own, all: make([]person, 4*aheadRows)}
	more := key.hash(nil)
	p.mix = mixKey{key[0], key[1], more[0] | 1}
	return p
}

// mixKey spreads the identities of persons over the table of their places: NH of UMAC (Black,
// Halevi, Krawczyk, Krovetz, Rogaway, 1999), in which two texts of 128 bits coincide with a chance
// of at most 2^-32 for a key that nobody knows, then a product whose upper bits count. Its result
// only affects how long a search takes.
type mixKey [3]uint64

func (k *mixKey) hash(id [2]uint64) uint64 {
	return (uint64(uint32(id[0])+uint32(k[0]))*uint64(uint32(id[0]>>32)+uint32(k[0]>>32)) +
		uint64(uint32(id[1])+uint32(k[1]))*uint64(uint32(id[1]>>32)+uint32(k[1]>>32))) * k[2]
}

// known returns the 128 bits by which the person with an identifier is known.
func (p *persons) known(identifier []byte) [2]uint64 {
	if !p.own {
		return p.key.hash(identifier)
	}
	n := len(identifier)
	switch {
	case n > 15:
		h := p.key.hash(identifier)
		return [2]uint64{h[0], h[1] | 0xff<<56}
	case n >= 8: // the last eight bytes, moved to where those behind the eighth belong
		last := binary.LittleEndian.Uint64(identifier[n-8:])
		return [2]uint64{binary.LittleEndian.Uint64(identifier),
			last>>(8*(16-n))&(1<<56-1) | uint64(n)<<56}
	}
	id := [2]uint64{0, uint64(n) << 56}
	for i, c := range identifier {
		id[0] |= uint64(c) << (8 * i)
	}
	return id
}

// drawKey draws a key, all equally likely.
func drawKey(src coin.Source) (key sipKey) {
	word := new(big.Int).Lsh(big.NewInt(1), 64)
	for i := range key {
		key[i] = src.UniformBig(word).Uint64()
	}
	return key
}

// take says where a row of the person known by id goes: to a new place (at the end), to the place
// of an earlier row, or nowhere. The place is the one from ahead, or 0.
func (p *persons) take(id [2]uint64, place uint32) (at int, isNew, keep bool, err error) {
	who, isNew, err := p.find(id, place)
	if err != nil {
		return 0, false, false, err
	}
	if err := who.count(); err != nil {
		return 0, false, false, err
	}
	return int(who.at - 1), isNew, isNew || p.src.Uniform(uint64(who.rows)) == 0, nil
}

// count counts one more row of a person.
func (who *person) count() error {
	if who.rows == math.MaxUint32 {
		return ErrTooMany
	}
	who.rows++
	return nil
}

// first returns where a search for a person begins.
func (p *persons) first(id [2]uint64) int {
	return int(p.mix.hash(id) >> 32 * uint64(len(p.all)) >> 32)
}

// find returns the person known by id, who may be new. It does not move others: reserve does.
func (p *persons) find(id [2]uint64, place uint32) (who *person, isNew bool, err error) {
	if place > 0 {
		return &p.all[place-1], false, nil
	}
	who = p.look(id)
	if who.at > 0 {
		return who, false, nil
	}
	if p.n == mostPersons {
		return nil, false, ErrTooMany
	}
	p.n++
	*who = person{id: id, at: uint32(p.n)}
	return who, true, nil
}

// look returns the place of the person known by id, which is free if there is no such person.
func (p *persons) look(id [2]uint64) *person {
	for i := p.first(id); ; i++ {
		if i == len(p.all) {
			i = 0
		}
		if who := &p.all[i]; who.at == 0 || who.id == id {
			return who
		}
	}
}

// reserve makes room for n more persons.
func (p *persons) reserve(n int) {
	if 4*(p.n+n) <= 3*len(p.all) || len(p.all) == math.MaxUint32 {
		return
	}
	old := p.all
	p.all = make([]person, min(len(old)+len(old)/2, math.MaxUint32))
	for i := range old {
		if old[i].at > 0 {
			*p.look(old[i].id) = old[i]
		}
	}
}

// ahead looks up the persons of the first n ids. Each look-up waits for memory; the processor waits
// for many at once if no look-up needs the result of another and nothing is decided before all are
// under way. Row by row it took six times as long.
func (p *persons) ahead(n int) {
	all, seen := p.all, uint32(0)
	for k := range n {
		i := p.first(p.ids[k])
		p.place[k] = uint32(i)
		seen += all[i].rows
	}
	p.seen = seen
	for k, place := range p.place[:n] {
		i, id := int(place), p.ids[k]
		for all[i].at != 0 && all[i].id != id {
			if i++; i == len(all) {
				i = 0
			}
		}
		if p.place[k], p.at[k] = 0, all[i].at; p.at[k] > 0 {
			p.place[k] = uint32(i + 1)
		}
	}
}

func (p *persons) bytes() int64 { return 24 * int64(cap(p.all)) }
