package table

import "hush/core/domain"

// row processes one row of the file.
func (e *Encode) row(r *Row) error {
	fields := r.Len()
	if fields != e.fields && !e.keep {
		fields = 0 // nothing in it is used
	}
	if e.persons != nil {
		e.out.Rows++
		e.persons.reserve(1)
		id := e.persons.known(e.identifier(r, fields))
		if e.bounded != nil {
			return e.useRow(atHand, fields, id, 0)
		}
		return e.personRow(atHand, fields, id, 0)
	}
	e.out.Rows++
	if e.count < 0 {
		e.out.N++
	} else if err := e.addCount(r, fields); err != nil {
		return err
	}
	return e.takeRow(r, fields, -1)
}

// atHand stands for the row at hand, in place of the number of a row in an even batch.
const atHand = -1

// at makes a row the row at hand.
func (e *Encode) at(row int) *Row {
	if row == atHand {
		return &e.feed.scan.row
	}
	return e.feed.scan.take(row)
}

// cell returns a field of a row; false if the row lacks it.
func (e *Encode) cell(row, fields, field int) ([]byte, bool) {
	switch {
	case field >= fields:
		return nil, false
	case row == atHand:
		return e.feed.scan.row.Field(field), true
	}
	return e.feed.scan.cell(row, field), true
}

// personRow processes a row of the person known by id. The place is the one from persons.ahead, or
// 0.
func (e *Encode) personRow(row, fields int, id [2]uint64, place uint32) error {
	at, isNew, keep, err := e.persons.take(id, place)
	if err != nil || !keep {
		return err
	}
	if isNew {
		at = -1
	}
	return e.takeRow(e.at(row), fields, at)
}

// takeRow writes all columns of a row to their place, −1 for the end.
func (e *Encode) takeRow(r *Row, fields, place int) error {
	met := e.meets(r, fields)
	for i := range e.targets {
		t := &e.targets[i]
		var cell []byte
		has := t.field < fields
		if has {
			cell = r.Field(t.field)
		}
		read, err := t.take(cell, has && met, place)
		if err != nil {
			return err
		}
		if !read && has && met {
			e.unread(r, t, cell)
		}
	}
	return e.checkMemory()
}

// rows processes the rows of a batch. In the common case it works column by column.
func (e *Encode) rows(b *batch) error {
	scan := e.feed.scan
	if e.persons != nil && b.even {
		return e.personRows(b)
	}
	if !e.simple || !b.even {
		for i := b.first; i < b.n; i++ {
			if err := e.row(scan.take(i)); err != nil {
				return err
			}
		}
		return nil
	}
	b.list()
	none := 0
	for i := range e.targets {
		none += e.targets[i].fill(scan, b, &e.filling)
	}
	// Problems come in the order of the file.
	for i := b.first; none > 0; i++ {
		for k := range e.targets {
			t := &e.targets[k]
			if len(t.none) > 0 && t.none[0] == i {
				t.none = t.none[1:]
				none--
				r := scan.take(i)
				e.unread(r, t, r.Field(t.field))
			}
		}
	}
	e.out.N += int64(b.n - b.first)
	e.out.Rows += int64(b.n - b.first)
	return e.checkMemory()
}

// personRows processes the rows of a batch in which each row has a field for the person.
func (e *Encode) personRows(b *batch) error {
	scan, p := e.feed.scan, e.persons
	b.list()
	for first := b.first; first < b.n; first += aheadRows {
		last := min(first+aheadRows, b.n)
		for i := first; i < last; i++ {
			p.ids[i-first] = p.known(personOf(scan.cell(i, e.person)))
		}
		p.reserve(last - first)
		p.ahead(last - first)
		if e.bounded != nil {
			e.ahead(last - first)
		}
		e.out.Rows += int64(last - first)
		for i := first; i < last; i++ {
			k := i - first
			var err error
			if e.bounded != nil {
				err = e.useRow(i, e.fields, p.ids[k], p.place[k])
			} else {
				err = e.personRow(i, e.fields, p.ids[k], p.place[k])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// filling holds the working memory of fill: the codes of the rows of a batch, and where the cells
// are.
type filling struct {
	codes        [quickFields]uint64
	starts, ends [quickFields]uint32
	rest         []int
}

// fill encodes the column's cells of a batch and returns how many have no value: t.none lists their
// rows.
func (t *target) fill(s *Scanner, b *batch, w *filling) int {
	t.none = t.none[:0]
	rows := b.n - b.first
	codes := w.codes[:rows]
	encode := func(k int) {
		code, ok := codeOf(t.domain, s.cell(b.first+k, t.field))
		if !ok {
			t.none = append(t.none, b.first+k)
		}
		codes[k] = code
	}
	if t.many != nil {
		b.column(t.field, w.starts[:rows], w.ends[:rows])
		w.rest = t.many.Encode(b.text, w.starts[:rows], w.ends[:rows], codes, w.rest[:0])
		for _, k := range w.rest {
			encode(k)
		}
	} else {
		for k := range rows {
			encode(k)
		}
	}
	n := t.store.len()
	t.store.extend(codes)
	for _, i := range t.none {
		t.store.set(n+i-b.first, 0, false)
	}
	return len(t.none)
}

// take encodes a cell into its place and reports whether it has a value.
func (t *target) take(cell []byte, use bool, place int) (bool, error) {
	if t.wide != nil {
		var code []byte
		ok := false
		if use {
			code, ok = wideCodeOf(t.wide, cell)
		}
		if place < 0 {
			return ok, t.texts.append(code, ok)
		}
		return ok, t.texts.set(place, code, ok)
	}
	var code uint64
	ok := false
	if use {
		code, ok = codeOf(t.domain, cell)
	}
	if place < 0 {
		t.store.append(code, ok)
	} else {
		t.store.set(place, code, ok)
	}
	return ok, nil
}

// addCount adds the row's count to n.
func (e *Encode) addCount(r *Row, fields int) error {
	var count uint64
	if e.count < fields {
		cell := r.Field(e.count)
		var ok bool
		if count, ok = e.counts.Encode(cell); !ok {
			e.problems.add("badCount", e.count+1, e.cellPlace(r, e.count, cell), badCount)
		}
	}
	e.out.Counts = append(e.out.Counts, count)
	e.out.N += int64(count)
	if e.out.N > 1<<62 {
		return ErrTooMany
	}
	return nil
}

// unread records a cell that cannot be read or lies between two steps. A value outside the bounds
// becomes none silently: the number of such values would be a statistic of the data.
func (e *Encode) unread(r *Row, t *target, cell []byte) {
	why := domain.Read
	spec := domain.Spec{}
	if t.wide != nil {
		why, spec = t.wide.Why(cell), t.wide.Spec()
	} else {
		why, spec = t.domain.Why(cell), t.domain.Spec()
	}
	switch why {
	case domain.Unreadable:
		e.problems.add("unreadable", t.field+1, e.cellPlace(r, t.field, cell), func() Problem {
			return unreadable(t.field+1, spec, cell)
		})
	case domain.Between:
		e.problems.add("between", t.field+1, e.cellPlace(r, t.field, cell), func() Problem {
			return between(t.field+1, spec)
		})
	}
}

func (e *Encode) cellPlace(r *Row, field int, cell []byte) Place {
	return Place{Row: r.Record, Line: r.Line, Column: field + 1,
		Byte: r.Offset + int64(r.At(field)), Cell: printable(cell)}
}

// checkMemory occasionally checks the memory taken by the codes.
func (e *Encode) checkMemory() error {
	const often = 1 << 16
	rows := e.out.Rows
	if e.bounded != nil {
		rows = e.appended
	}
	if e.memory == 0 || rows-e.checked < often {
		return nil
	}
	e.checked = rows
	if need := e.codeBytes() + e.sorting*rows + baseBytes; need > e.memory {
		return &MemoryError{Need: need, Limit: e.memory, Persons: e.bounded != nil}
	}
	return nil
}

func (e *Encode) codeBytes() int64 {
	n := 8 * int64(cap(e.out.Counts))
	for _, t := range e.targets {
		if t.wide != nil {
			n += t.texts.Bytes()
		} else {
			n += t.codes.Bytes()
		}
		if t.value != nil {
			n += t.value.bytes()
		}
	}
	if e.persons != nil {
		n += e.persons.bytes()
	}
	if e.bounded != nil {
		n += e.bounded.bytes()
	}
	return n
}
