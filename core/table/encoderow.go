package table

import "hush/core/domain"

// row takes one row of the file.
func (e *Encode) row(r *Row) error {
	fields := r.Len()
	if fields != e.fields && !e.keep {
		fields = 0 // nothing of it is used
	}
	if e.persons != nil {
		return e.gatherRow(r, fields)
	}
	e.out.Rows++
	if e.count < 0 {
		e.out.N++
	} else if err := e.addCount(r, fields); err != nil {
		return err
	}
	return e.takeRow(r, fields)
}

// atHand is the number of the row at hand, in place of one of an even batch.
const atHand = -1

// at makes a row the row at hand.
func (e *Encode) at(row int) *Row {
	if row == atHand {
		return &e.feed.scan.row
	}
	return e.feed.scan.take(row)
}

// takeRow takes all columns of a row to the end.
func (e *Encode) takeRow(r *Row, fields int) error {
	met := e.meets(r, fields)
	for i := range e.targets {
		t := &e.targets[i]
		var cell []byte
		has := t.field < fields
		if has {
			cell = r.Field(t.field)
		}
		read, err := t.take(cell, has && met, -1)
		if err != nil {
			return err
		}
		if !read && has && met {
			e.unread(r, t, cell)
		}
	}
	return e.checkMemory()
}

// rows takes the rows of a batch. In the common case it goes column by column.
func (e *Encode) rows(b *batch) error {
	scan := e.feed.scan
	if e.persons != nil && b.even {
		return e.gather(b)
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

// filling is what fill works with: of the rows of a batch the codes, and where the cells are.
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
		b.column(b.first, t.field, w.starts[:rows], w.ends[:rows])
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

// take encodes a cell to its place and says whether it has a value.
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

// unread notes a cell that cannot be read or lies between two steps. A value outside the bounds is
// none in silence: how many there are would be a statistic of the data.
func (e *Encode) unread(r *Row, t *target, cell []byte) {
	if why := t.why(cell); why == domain.Unreadable || why == domain.Between {
		e.note(t, why, cell, e.cellPlace(r, t.field, cell))
	}
}

// why says why a cell is not read.
func (t *target) why(cell []byte) domain.Reason {
	if t.wide != nil {
		return t.wide.Why(cell)
	}
	return t.domain.Why(cell)
}

// note notes a cell that is [domain.Unreadable] or [domain.Between].
func (e *Encode) note(t *target, why domain.Reason, cell []byte, at Place) {
	e.problems.add(string(why), t.field+1, at, func() Problem {
		switch {
		case why == domain.Between:
			return between(t.field+1, t.domain.Spec())
		case t.wide != nil:
			return unreadable(t.field+1, t.wide.Spec(), cell)
		}
		return unreadable(t.field+1, t.domain.Spec(), cell)
	})
}

func (e *Encode) cellPlace(r *Row, field int, cell []byte) Place {
	return Place{Row: r.Record, Line: r.Line, Column: field + 1,
		Byte: r.Offset + int64(r.At(field)), Cell: printable(cell)}
}

// checkMemory looks at what the codes take now and then.
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
		n += e.persons.bytes() + 4*int64(cap(e.gathered.final))
	}
	if e.bounded != nil {
		n += e.bounded.bytes()
	}
	return n
}
