package table

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strconv"

	"hush/core/coin"
	"hush/core/domain"
)

// bounded is what Encode knows of persons by a Use. Its draws are those of keys: see drawn.
type bounded struct {
	use     *Use
	draws   sipKey
	entries int
	any     bool // some column takes its value from a row that is drawn

	// by group: of each person Groups places, three words for each, together so that few lines of
	// memory are looked at: all rows of the group at that place, 0 where it is free, then both
	// halves of its rank
	group  int           // field
	listed domain.Domain // its cells, where several spellings of a public list are one group; nil
	places []uint32
	seen   uint64 // of what ahead looked at
}

func newBounded(u *Use, src coin.Source) *bounded {
	return &bounded{use: u, draws: drawKey(src), entries: int(u.Entries()), group: u.Column - 1}
}

// The draws of a pass: which row of a person is kept, which of the latest ones, which groups.
const (
	drawsRow byte = iota
	drawsLatest
	drawsGroup
)

// drawn is a whole number below n for the n-th row of a person, all but equally likely: a keyed
// hash of 128 bits, modulo n. It depends on nobody else's rows. What is hashed are the 21 bytes of
// what, id and n.
func (b *bounded) drawn(id [2]uint64, what byte, n uint32) uint32 {
	h := b.draws.start().
		absorb(uint64(what) | id[0]<<8).
		absorb(id[0]>>56 | id[1]<<8).
		absorb(id[1]>>56 | uint64(n)<<8 | 21<<56).
		squeeze()
	m := uint64(n) // its remainders are below 2^32, so that no step overflows
	x := h[0] % m
	x = (x<<32 | h[1]>>32) % m
	return uint32((x<<32 | h[1]&math.MaxUint32) % m)
}

// rank orders the groups of a person at random: those of the smallest ranks are kept. What is
// hashed are drawsGroup, the 16 bytes of id and the group, from words and not from memory, which
// would have to be written before.
func (b *bounded) rank(id [2]uint64, group []byte) uint64 {
	h := b.draws.start().
		absorb(uint64(drawsGroup) | id[0]<<8).
		absorb(id[0]>>56 | id[1]<<8)
	word, at, length := id[1]>>56, 8, uint64(17+len(group))
	for len(group) >= 8 {
		next := binary.LittleEndian.Uint64(group)
		h = h.absorb(word | next<<8)
		word, group = next>>56, group[8:]
	}
	for _, c := range group {
		if word |= uint64(c) << at; at == 56 {
			h = h.absorb(word)
			word = 0
		}
		at = (at + 8) & 63
	}
	return h.absorb(word | length<<56).squeeze()[0]
}

// grow makes room for a new person.
func (b *bounded) grow() {
	n := len(b.places) + 3*b.use.Groups
	b.places = slices.Grow(b.places, 3*b.use.Groups)[:n]
	clear(b.places[n-3*b.use.Groups:])
}

// reservoir is the entry, below k, in which the n-th row is kept; false: in none.
func (b *bounded) reservoir(id [2]uint64, n uint32) (int, bool) {
	k := uint32(max(b.use.Rows, 1))
	if n <= k {
		return int(n - 1), true
	}
	at := b.drawn(id, drawsRow, n)
	return int(at), at < k
}

// inGroup is the entry of a person in which a row of a group is kept, false: in none. clear says
// that the group is new at this place, whose entries are none now.
func (b *bounded) inGroup(at int, id [2]uint64, group []byte) (entry int, keep, clear bool,
	err error) {
	g, k := b.use.Groups, b.use.Rows
	places := b.places[3*at*g : 3*(at+1)*g]
	rows, ranks := places[:g], places[g:]
	rank := b.rank(id, group)
	place := 0 // a free one, or that of the largest rank
	largest := uint64(0)
	for i, n := range rows {
		if n == 0 { // so are all behind it
			place, largest = i, math.MaxUint64
			break
		}
		other := uint64(ranks[2*i])<<32 | uint64(ranks[2*i+1])
		if other == rank {
			if n == math.MaxUint32 {
				return 0, false, false, ErrTooMany
			}
			rows[i]++
			entry, keep = b.reservoir([2]uint64{id[0] ^ rank, id[1]}, rows[i])
			return i*k + entry, keep, false, nil
		}
		if other > largest {
			place, largest = i, other
		}
	}
	if rank > largest {
		return 0, false, false, nil
	}
	rows[place], ranks[2*place], ranks[2*place+1] = 1, uint32(rank>>32), uint32(rank)
	return place * k, true, true, nil
}

func (b *bounded) bytes() int64 { return 4 * int64(cap(b.places)) }

// useRow takes a row of the file, of the person known by id, by the Use.
func (e *Encode) useRow(row, fields int, id [2]uint64, place uint32) error {
	b := e.bounded
	var who *person
	if place > 0 {
		who = &e.persons.all[place-1]
	} else {
		var isNew bool
		var err error
		if who, isNew, err = e.persons.find(id, 0); err == nil && isNew {
			err = e.newPerson()
		}
		if err != nil {
			return err
		}
	}
	if len(e.tests) > 0 && !e.meets(e.at(row), fields) {
		return nil
	}
	if err := who.count(); err != nil {
		return err
	}
	at, n := int(who.at-1), who.rows
	if len(b.use.Values) > 0 {
		return e.useValues(row, fields, at, id, n)
	}
	var entry int
	var keep bool
	if b.use.Groups == 0 {
		entry, keep = b.reservoir(id, n)
	} else {
		cell, _ := e.cell(row, fields, b.group)
		group := b.groupOf(cell)
		if len(group) == 0 {
			return nil
		}
		var clear bool
		var err error
		if entry, keep, clear, err = b.inGroup(at, id, group); err != nil {
			return err
		}
		if clear {
			if err := e.clear(at*b.entries+entry, b.use.Rows); err != nil {
				return err
			}
		}
	}
	if !keep {
		return nil
	}
	return e.put(e.at(row), fields, at*b.entries+entry)
}

// ahead looks at what will be looked at for the first n persons of a batch, for the reason of
// persons.ahead. What will only be written nobody waits for.
func (e *Encode) ahead(n int) {
	b, place := e.bounded, e.persons.at[:n]
	if g := b.use.Groups; g > 0 && len(b.places) > 0 {
		seen := uint32(0)
		for _, at := range place {
			at := int(max(at, 1))
			seen += b.places[3*(at-1)*g] + b.places[3*at*g-1]
		}
		b.seen = uint64(seen)
	}
	for i := range e.targets {
		t := &e.targets[i]
		if v := t.value; v != nil {
			b.seen += v.ahead(place)
		}
		if t.store != nil && t.store.len() > 0 && (t.value == nil || t.value.units == nil) {
			b.seen += t.store.ahead(place, b.entries)
		}
	}
}

// identifier is the person's, empty where the row has none.
func (e *Encode) identifier(r *Row, fields int) []byte {
	if e.person >= fields {
		return nil
	}
	return personOf(r.Field(e.person))
}

// personOf is the identifier that a cell holds, empty for none: its text without the spaces around
// it. Texts that a question or the fingerprint of rows takes for one are one person.
func personOf(cell []byte) []byte {
	if n := len(cell); n > 0 && (cell[0] <= ' ' || cell[n-1] <= ' ') {
		cell = trimmed(cell)
	}
	return readable(cell)
}

// groupOf is the group that a cell names, empty for none: its text without the spaces around it and
// without zero bytes at its end, which the texts of a domain do not have either. The code that
// bounds, marks or labels groups asks here, so that one and the same cells are one group for all of
// them.
func groupOf(cell []byte) []byte {
	n := len(cell)
	if n > 0 && cell[0] > ' ' && cell[n-1] > ' ' {
		return readable(cell)
	}
	for n > 0 && (cell[n-1] == ' ' || cell[n-1] == '\t' || cell[n-1] == 0) {
		n--
	}
	return readable(cell[leadingSpaces(cell[:n], 0):n])
}

// groupOf is the group of a cell by which rows are bounded: where several spellings are one place
// of the question's list, they are one group.
func (b *bounded) groupOf(cell []byte) []byte {
	if b.listed != nil {
		if code, ok := codeOf(b.listed, cell); ok {
			return []byte(b.listed.Decode(code))
		}
	}
	return groupOf(cell)
}

// listedBy is the list of the column that bounds rows by group, where several spellings are one
// place of it; nil: there is none. Two lists that spell that column differently are refused: what
// is one place of either must be one group.
func listedBy(u *Use, columns []Wanted) (domain.Domain, error) {
	var spec *domain.Spec
	for i, w := range columns {
		switch {
		case u.Groups == 0 || w.Column != u.Column || !w.Spec.Spelled():
		case spec == nil:
			spec = &columns[i].Spec
		case !reflect.DeepEqual(*spec, w.Spec):
			return nil, refuse("use.column", strconv.Itoa(u.Column),
				"a column whose cells are spelled in one way in all of the question")
		}
	}
	if spec == nil {
		return nil, nil
	}
	return domain.New(*spec)
}

// trimmed is a cell without the spaces around it.
func trimmed(cell []byte) []byte {
	cell = trimRight(cell, 0)
	return cell[leadingSpaces(cell, 0):]
}

// meets reports whether a row meets all conditions.
func (e *Encode) meets(r *Row, fields int) bool {
	for i := range e.tests {
		t := &e.tests[i]
		if t.index >= fields || !t.met(r.Field(t.index)) {
			return false
		}
	}
	return true
}

// newPerson appends the entries of a new person, all none.
func (e *Encode) newPerson() error {
	for i := range e.targets {
		t := &e.targets[i]
		if t.wide == nil {
			t.store.extendNone(e.bounded.entries)
		} else {
			for range e.bounded.entries {
				if err := t.texts.append(nil, false); err != nil {
					return err
				}
			}
		}
		if t.value != nil {
			t.value.grow()
		}
	}
	e.bounded.grow()
	e.appended += int64(e.bounded.entries)
	return e.checkMemory()
}

// clear makes entries none.
func (e *Encode) clear(first, n int) error {
	for i := range e.targets {
		for entry := range n {
			if _, err := e.targets[i].take(nil, false, first+entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// put writes a row to an entry.
func (e *Encode) put(r *Row, fields, entry int) error {
	for i := range e.targets {
		if err := e.putCell(r, &e.targets[i], fields, entry); err != nil {
			return err
		}
	}
	return nil
}

func (e *Encode) putCell(r *Row, t *target, fields, entry int) error {
	if t.field >= fields {
		_, err := t.take(nil, false, entry)
		return err
	}
	cell := r.Field(t.field)
	if t.group {
		cell = groupOf(cell)
	}
	read, err := t.take(cell, true, entry)
	if err == nil && !read {
		e.unread(r, t, cell)
	}
	return err
}
