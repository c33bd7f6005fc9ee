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

// bounded holds what Encode remembers about persons for a Use. Its draws depend on keys: see drawn.
type bounded struct {
	use     *Use
	draws   sipKey
	entries int
	any     bool // some column takes its value from a drawn row

	// by group: Groups places for each person, with three words for each place, stored together so
	// that few lines of memory are touched: the number of rows of the group at that place, 0 where
	// it is free, then both halves of its rank
	group  int           // field
	listed domain.Domain // its cells, if several spellings in a public list are one group; nil
	places []uint32
	seen   uint64 // of the memory that ahead touched
}

func newBounded(u *Use, src coin.Source) *bounded {
	return &bounded{use: u, draws: drawKey(src), entries: int(u.Entries()), group: u.Column - 1}
}

// The draws of a pass: which row of a person is kept, which of the latest rows, and which groups.
const (
	drawsRow byte = iota
	drawsLatest
	drawsGroup
)

// drawn returns a whole number below n for the n-th row of a person, all but equally likely: a
// keyed hash of 128 bits, modulo n. It depends on nobody else's rows. The hash is over the 21 bytes
// of what, id and n.
func (b *bounded) drawn(id [2]uint64, what byte, n uint32) uint32 {
	h := b.draws.start().
		absorb(uint64(what) | id[0]<<8).
		absorb(id[0]>>56 | id[1]<<8).
		absorb(id[1]>>56 | uint64(n)<<8 | 21<<56).
		squeeze()
	m := uint64(n) // its remainders are below 2^32, so no step overflows
	x := h[0] % m
	x = (x<<32 | h[1]>>32) % m
	return uint32((x<<32 | h[1]&math.MaxUint32) % m)
}

// rank orders the groups of a person at random: the groups with the smallest ranks are kept. The
// hash is over drawsGroup, the 16 bytes of id and the group, read from words and not from memory,
// to which they would have to be written first.
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

// reservoir returns the entry, below k, in which the n-th row is kept, or false if the row is not
// kept.
func (b *bounded) reservoir(id [2]uint64, n uint32) (int, bool) {
	k := uint32(max(b.use.Rows, 1))
	if n <= k {
		return int(n - 1), true
	}
	at := b.drawn(id, drawsRow, n)
	return int(at), at < k
}

// inGroup returns the entry of a person in which a row of a group is kept, or false if the row is
// not kept. clear says that the group is new at this place, whose entries are now none.
func (b *bounded) inGroup(at int, id [2]uint64, group []byte) (entry int, keep, clear bool,
	err error) {
	g, k := b.use.Groups, b.use.Rows
	places := b.places[3*at*g : 3*(at+1)*g]
	rows, ranks := places[:g], places[g:]
	rank := b.rank(id, group)
	place := 0 // a free one, or the one with the largest rank
	largest := uint64(0)
	for i, n := range rows {
		if n == 0 { // so are all after it
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

// useRow processes a row of the file, for the person known by id, according to the Use.
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

// ahead touches the memory that the first n persons of a batch will need, for the same reason as
// persons.ahead. Nobody waits for memory that is only written.
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

// identifier returns the person's identifier, empty if the row has none.
func (e *Encode) identifier(r *Row, fields int) []byte {
	if e.person >= fields {
		return nil
	}
	return personOf(r.Field(e.person))
}

// personOf returns the identifier in a cell, empty for none: its text without the spaces around it.
// Texts that a question or the fingerprint of rows takes for one are one person.
func personOf(cell []byte) []byte {
	if n := len(cell); n > 0 && (cell[0] <= ' ' || cell[n-1] <= ' ') {
		cell = trimmed(cell)
	}
	return readable(cell)
}

// groupOf returns the group that a cell names, empty for none: its text without the spaces around
// it and without zero bytes at its end, which the texts of a domain lack too. All code that bounds,
// marks or labels groups calls it, so that the same cells are one group for all of it.
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

// groupOf returns the group of a cell by which rows are bounded: several spellings of one place in
// the question's list are one group.
func (b *bounded) groupOf(cell []byte) []byte {
	if b.listed != nil {
		if code, ok := codeOf(b.listed, cell); ok {
			return []byte(b.listed.Decode(code))
		}
	}
	return groupOf(cell)
}

// listedBy returns the list for the column that bounds rows by group, if several spellings are one
// place of it, or nil if there is none. Two lists that spell that column differently are refused:
// one place of either must be one group.
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

// trimmed returns a cell without the spaces around it.
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

// newPerson appends the entries of a new person, all of them none.
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

// clear sets entries to none.
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
