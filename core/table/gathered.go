package table

import (
	"bytes"
	"math/bits"
	"slices"

	"hush/core/domain"
)

// gathered holds rows of persons until those can be taken together whose persons lie together: a
// row's person is anywhere in a table that no cache holds, and to look for one after the other
// takes most of a pass. Rows are put into buckets by the upper bits of what spreads persons over
// the table (mixKey), so that the persons of a bucket are neighbours there.
//
// What it guarantees: the same as if each row had been taken when it was read. The rows of a person
// are in one bucket and stay in the order of the file, and what is kept of a person depends on
// nobody else's rows (use.md, Theorem 1). Two things go by the order of all rows. Where one row of
// each person is kept, the coins: they are drawn after all buckets were looked at, row by row. And
// the persons' places in the columns: persons are numbered as they are found, which has those of a
// bucket together there too, final says which one each is by its first row, and Close brings their
// entries into that order.
//
// How many buckets there are goes by how many persons were found, and how many rows they hold by
// how many columns are read; both decide nothing but time. Memory: at most 24 MB of what a pass
// takes besides codes (baseBytes), and 4 bytes for each person. Texts of any length are not copied:
// where such are kept, rows wait no longer than the file's text is there.
type gathered struct {
	readings []reading
	group    int // the reading of the group that bounds rows, or −1
	words    int // of a row: both halves of id, marks, the codes of readings, more marks
	room     int // rows of a bucket
	stride   int // words from a bucket to the next
	shift    uint
	count    []int // rows, by bucket
	rows     []uint64
	n        int           // rows in all buckets
	fullest  int           // rows of a bucket
	byRow    []uint32      // by row: 1 + the number of a person who is first seen there
	draws    []uint32      // by row, where one of each person is kept: the how many-th it is
	now      bool          // rows do not wait, as texts of any length are kept
	first    int           // then where the rows are in the file's batch, or atHand
	fields   int           // and how many fields each has
	unread   []*unreadCell // in the order of rows and columns
	final    []uint32      // by number

	// of the rows being read
	codes        [][aheadRows]uint64 // by reading
	marks        [][aheadRows]uint64
	starts, ends [aheadRows]uint32
	rest         []int
	// of the rows of a bucket: the person's number, and the how many-th row it is
	at, nth []uint32
}

// reading is a cell of each row that is read when the row is: as its domain has it, or the rank of
// a group.
type reading struct {
	field  int
	domain domain.Domain
	many   domain.Many
	target int // whose cell it is, or −1
}

// The marks of a row: its number, whether it meets the conditions, which readings have a value.
const (
	metMark     = 1 << 32
	firstValue  = 33 // the bit of the first reading
	bucketWords = 1 << 13
	bucketBytes = 1 << 18 // of the persons' table, about
	mostBuckets = 256
	mostUnread  = 256
	mostWords   = 1 << 21 // in all buckets
)

// has says whether a reading of a row has a value.
func (g *gathered) has(row []uint64, i int) bool {
	at, bit := 2, firstValue+i
	if bit >= 64 {
		at += len(g.readings) + bit/64
	}
	return row[at]>>(bit%64)&1 != 0
}

// unreadCell is a cell that could not be read, of a row that may not be kept.
type unreadCell struct {
	row    uint32
	target int
	kept   bool
	why    domain.Reason
	cell   []byte
	place  Place
}

// newGathered makes what rows wait in. Those of which texts of any length are kept do not wait
// longer than the file's text is there.
func (e *Encode) newGathered() *gathered {
	g := &gathered{group: -1}
	for i := range e.targets {
		t := &e.targets[i]
		r, v := reading{t.field, t.domain, t.many, i}, t.value
		if v != nil && v.rows != nil {
			r.domain, r.many = v.rows, domain.ManyOf(v.rows)
		}
		switch {
		case v != nil && v.Of == Groups:
			r.domain = nil
		case v != nil && v.Of == Latest:
			v.reading = g.add(reading{v.By.Column - 1, v.by, nil, -1})
		}
		g.now = g.now || t.wide != nil
		if t.wide == nil && (v == nil || v.Of != Number) {
			t.reading = g.add(r)
		}
	}
	if e.bounded != nil && e.bounded.use.Groups > 0 {
		g.group = g.add(reading{field: e.bounded.group})
	}
	marks := 1 + (firstValue+len(g.readings)-1)/64
	g.marks = make([][aheadRows]uint64, marks)
	g.words = 2 + marks + len(g.readings)
	g.room = max(bucketWords/g.words, 2*aheadRows)
	g.stride = g.room*g.words + 24 // so that rows of all buckets do not meet in one part of a cache
	g.codes = make([][aheadRows]uint64, len(g.readings))
	g.at, g.nth = make([]uint32, g.room), make([]uint32, g.room)
	if e.bounded == nil {
		g.draws = []uint32{}
	}
	g.spread(1)
	return g
}

// add adds a reading.
func (g *gathered) add(r reading) int {
	g.readings = append(g.readings, r)
	return len(g.readings) - 1
}

// spread makes so many buckets, a power of two.
func (g *gathered) spread(buckets int) {
	g.shift = 32 - uint(bits.TrailingZeros(uint(buckets)))
	g.count = make([]int, buckets)
	g.rows = make([]uint64, buckets*g.stride)
	g.byRow = make([]uint32, buckets*g.room)
	if g.draws != nil {
		g.draws = make([]uint32, buckets*g.room)
	}
}

// bucket is the rows of one.
func (g *gathered) bucket(i int) []uint64 {
	return g.rows[i*g.stride:][:g.count[i]*g.words]
}

// gather puts the rows of an even batch into their buckets.
func (e *Encode) gather(b *batch) error {
	b.list()
	for first := b.first; first < b.n; first += aheadRows {
		n := min(aheadRows, b.n-first)
		if err := e.makeRoom(n); err != nil {
			return err
		}
		e.know(b, first, n)
		for k := range n {
			e.mark(k, len(e.tests) == 0 || e.meets(e.feed.scan.take(first+k), e.fields))
		}
		for i := range e.gathered.readings {
			e.readMany(b, first, n, i)
		}
		if err := e.scatter(n, first, e.fields); err != nil {
			return err
		}
	}
	return nil
}

// gatherRow puts the row at hand into its bucket.
func (e *Encode) gatherRow(r *Row, fields int) error {
	if err := e.makeRoom(1); err != nil {
		return err
	}
	e.persons.ids[0] = e.persons.known(e.identifier(r, fields))
	e.mark(0, e.meets(r, fields))
	for i := range e.gathered.readings {
		if field := e.gathered.readings[i].field; field < fields {
			e.readOne(i, 0, r.Field(field), atHand)
		}
	}
	return e.scatter(1, atHand, fields)
}

// makeRoom makes room for n more rows in every bucket.
func (e *Encode) makeRoom(n int) error {
	if g := e.gathered; g.fullest+n > g.room || len(g.unread) > mostUnread {
		return e.flush()
	}
	return nil
}

// mark begins the marks of row k of those being read.
func (e *Encode) mark(k int, met bool) {
	for i := range e.gathered.marks {
		e.gathered.marks[i][k] = 0
	}
	e.gathered.marks[0][k] = uint64(e.gathered.n + k)
	if met {
		e.gathered.marks[0][k] |= metMark
	}
}

// scatter puts the n rows that were read into their buckets: those of the file's batch from first
// on, with so many fields.
func (e *Encode) scatter(n, first, fields int) error {
	g, mix := e.gathered, e.persons.mix
	for k, id := range e.persons.ids[:n] {
		i := int(mix.hash(id) >> 32 >> g.shift)
		at := g.count[i]
		g.count[i], g.fullest = at+1, max(g.fullest, at+1)
		row := g.rows[i*g.stride+at*g.words:][:g.words]
		row[0], row[1], row[2] = id[0], id[1], g.marks[0][k]
		to := row[3:]
		for i := range g.codes {
			to[i] = g.codes[i][k]
		}
		for i := 1; i < len(g.marks); i++ {
			to[len(g.codes)+i-1] = g.marks[i][k]
		}
	}
	g.n += n
	e.out.Rows += int64(n)
	if g.now {
		g.first, g.fields = first, fields
		return e.flush()
	}
	return nil
}

// plainCell is the cell of an even batch at text[start:end], if it has no quote and no space around
// it; cells that are last in their row may have a CR.
func plainCell(text []byte, start, end uint32) ([]byte, bool) {
	if start < end && text[start] > ' ' && text[start] != '"' && text[end-1] > ' ' {
		return text[start:end], true
	}
	return nil, false
}

// know fills ids.
func (e *Encode) know(b *batch, first, n int) {
	g, p := e.gathered, e.persons
	b.column(first, e.person, g.starts[:n], g.ends[:n])
	for k, end := range g.ends[:n] {
		cell, plain := plainCell(b.text, g.starts[k], end)
		if !plain {
			cell = unspaced(e.feed.scan.cell(first+k, e.person))
		}
		p.ids[k] = p.known(cell)
	}
}

// readMany reads a cell of n rows.
func (e *Encode) readMany(b *batch, first, n, i int) {
	g, scan := e.gathered, e.feed.scan
	r, codes := &g.readings[i], g.codes[i][:n]
	marks, mark := &g.marks[(firstValue+i)/64], uint64(1)<<((firstValue+i)%64)
	b.column(first, r.field, g.starts[:n], g.ends[:n])
	switch {
	case r.domain == nil:
		for k, end := range g.ends[:n] {
			cell, plain := plainCell(b.text, g.starts[k], end)
			if !plain {
				cell = scan.cell(first+k, r.field)
			}
			e.readOne(i, k, cell, first+k)
		}
	case r.many == nil:
		for k := range n {
			e.readOne(i, k, scan.cell(first+k, r.field), first+k)
		}
	default:
		for k := range n {
			marks[k] |= mark
		}
		g.rest = r.many.Encode(b.text, g.starts[:n], g.ends[:n], codes, g.rest[:0])
		for _, k := range g.rest {
			marks[k] ^= mark
			e.readOne(i, k, scan.cell(first+k, r.field), first+k)
		}
	}
}

// readOne reads a cell of a row, which is row k of those being read.
func (e *Encode) readOne(i, k int, cell []byte, row int) {
	g := e.gathered
	r := &g.readings[i]
	marks, mark := &g.marks[(firstValue+i)/64], uint64(1)<<((firstValue+i)%64)
	if r.domain == nil {
		if cell = readable(unspaced(cell)); len(cell) > 0 {
			g.codes[i][k] = e.bounded.rank(e.persons.ids[k], cell)
			marks[k] |= mark
		}
		return
	}
	code, ok := codeOf(r.domain, cell)
	if ok {
		g.codes[i][k] = code
		marks[k] |= mark
		return
	}
	if r.target < 0 || r.target >= len(e.targets) || g.marks[0][k]&metMark == 0 {
		return
	}
	t := &e.targets[r.target]
	if why := t.why(cell); why == domain.Unreadable || why == domain.Between {
		cell = bytes.Clone(cell)
		u := &unreadCell{uint32(g.n + k), r.target, false, why, cell,
			e.cellPlace(e.at(row), t.field, cell)}
		at := len(g.unread)
		g.unread = append(g.unread, u)
		for ; at > 0 && g.unread[at-1].row > u.row; at-- {
			g.unread[at] = g.unread[at-1]
		}
		g.unread[at] = u
	}
}

// flush takes the rows of all buckets.
func (e *Encode) flush() error {
	g, p := e.gathered, e.persons
	if g == nil || g.n == 0 {
		return nil
	}
	known := p.n
	for i := range g.count {
		if err := e.takeBucket(i); err != nil {
			return err
		}
	}
	g.number(known, p.n)
	if e.bounded == nil {
		if err := e.drawRows(); err != nil {
			return err
		}
	}
	for _, u := range g.unread {
		if u.kept {
			e.note(&e.targets[u.target], u.why, u.cell, u.place)
		}
	}
	g.n, g.fullest, g.unread = 0, 0, g.unread[:0]
	clear(g.count)
	buckets := len(g.count)
	for !g.now && buckets < mostBuckets && 2*buckets*g.stride <= mostWords+mostWords/8 &&
		int(p.bytes())/buckets > bucketBytes {
		buckets *= 2
	}
	if buckets > len(g.count) {
		g.spread(buckets)
	}
	return e.checkMemory()
}

// takeBucket finds the persons of a bucket's rows and takes the rows; where one of each person is
// kept, drawRows does.
func (e *Encode) takeBucket(i int) error {
	g, p := e.gathered, e.persons
	rows := g.bucket(i)
	if len(rows) == 0 {
		return nil
	}
	known := p.n
	p.reserve(g.count[i])
	err := p.takeRows(g, i, rows)
	if more := e.newPersons(p.n - known); err == nil {
		err = more
	}
	switch {
	case err != nil || e.bounded == nil:
		return err
	}
	e.ahead(g.at[:g.count[i]])
	switch {
	case len(e.bounded.use.Values) > 0:
		return e.gatheredValues(rows)
	}
	return e.gatheredRows(rows)
}

// takeRows finds the person of each row, who may be new, and counts the row: at and nth.
func (p *persons) takeRows(g *gathered, bucket int, rows []uint64) error {
	words, all, seen := g.words, p.all, uint32(0)
	// What many places of an array hold is sooner there in order than one by one: all places of
	// the bucket, if there are not many more than rows.
	if places := len(all) / len(g.count); places <= 8*g.count[bucket] {
		from := int(uint64(len(all)) * uint64(bucket) / uint64(len(g.count)))
		for i := from; i < from+places; i += 2 {
			seen += all[i].rows
		}
	}
	for k, at := 0, 0; at < len(rows); k, at = k+1, at+words {
		i := p.first([2]uint64(rows[at:]))
		g.at[k] = uint32(i)
		seen += all[i].rows
	}
	p.seen = seen
	for k, at := 0, 0; at < len(rows); k, at = k+1, at+words {
		id, marks := [2]uint64(rows[at:]), rows[at+2]
		i := int(g.at[k])
		for all[i].at != 0 && all[i].id != id {
			if i++; i == len(all) {
				i = 0
			}
		}
		who := &all[i]
		if who.at == 0 {
			if p.n == mostPersons {
				return ErrTooMany
			}
			p.n++
			*who = person{id: id, at: uint32(p.n)}
			g.byRow[uint32(marks)] = uint32(p.n)
		}
		if marks&metMark != 0 || g.draws != nil {
			if err := who.count(); err != nil {
				return err
			}
		}
		g.at[k], g.nth[k] = who.at, who.rows
		if g.draws != nil {
			rows[at], g.draws[uint32(marks)] = uint64(who.at-1), who.rows
		}
	}
	return nil
}

// number says which number persons have by the order of rows, of those found since from were known.
func (g *gathered) number(from, to int) {
	for len(g.final) < from {
		g.final = append(g.final, uint32(len(g.final)))
	}
	g.final = slices.Grow(g.final, to-from)[:to]
	next := uint32(from)
	for row, at := range g.byRow[:g.n] {
		if at > 0 {
			g.final[at-1] = next
			next++
			g.byRow[row] = 0
		}
	}
}

// drawRows keeps a row of each person: see persons. Its coins are those of the rows in order.
func (e *Encode) drawRows() error {
	g, p := e.gathered, e.persons
	for i, n := range g.draws[:g.n] {
		if n > 1 && p.src.Uniform(uint64(n)) > 0 {
			g.draws[i] = 0
		}
	}
	for i := range g.count {
		for rows := g.bucket(i); len(rows) > 0; rows = rows[g.words:] {
			if g.draws[uint32(rows[2])] > 0 {
				if err := e.keepRow(rows, int(rows[0])); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keepRow writes a row to an entry.
func (e *Encode) keepRow(row []uint64, entry int) error {
	for i := range e.targets {
		if err := e.keepCell(row, i, entry); err != nil {
			return err
		}
	}
	return nil
}

// keepCell writes a row's cell of a column to an entry.
func (e *Encode) keepCell(row []uint64, target, entry int) error {
	g, t := e.gathered, &e.targets[target]
	met := row[2]&metMark != 0
	switch {
	case t.wide == nil:
		has := met && g.has(row, t.reading)
		t.store.set(entry, row[3+t.reading], has)
		if !has {
			g.keepUnread(uint32(row[2]), target)
		}
		return nil
	case met:
		return e.putCell(e.at(g.first+int(uint32(row[2]))), t, g.fields, entry)
	}
	_, err := t.take(nil, false, entry)
	return err
}

// keepUnread notes that a cell of a row is kept that could not be read, if there is one.
func (g *gathered) keepUnread(row uint32, target int) {
	for i := range g.unread {
		if u := g.unread[i]; u.row == row && u.target == target {
			u.kept = true
		}
	}
}

// gatheredRows takes the rows of a bucket by the Use, if it bounds rows.
func (e *Encode) gatheredRows(rows []uint64) error {
	g, b := e.gathered, e.bounded
	k := uint32(b.use.Rows)
	for i := 0; len(rows) > 0; i, rows = i+1, rows[g.words:] {
		if rows[2]&metMark == 0 {
			continue
		}
		id, first := [2]uint64(rows), int(g.at[i]-1)*b.entries
		entry, keep := 0, true
		if b.use.Groups == 0 {
			if n := g.nth[i]; n <= k {
				entry = int(n - 1)
			} else {
				at := b.drawn(id, drawsRow, n)
				entry, keep = int(at), at < k
			}
		} else if keep = g.has(rows, g.group); keep {
			var clear bool
			var err error
			entry, keep, clear, err = b.inGroup(int(g.at[i]-1), id, rows[3+g.group])
			if err != nil {
				return err
			}
			if clear {
				if err := e.clear(first+entry, b.use.Rows); err != nil {
					return err
				}
			}
		}
		if keep {
			if err := e.keepRow(rows, first+entry); err != nil {
				return err
			}
		}
	}
	return nil
}

// gatheredValues takes the rows of a bucket for one value of each person in each column.
func (e *Encode) gatheredValues(rows []uint64) error {
	g, b := e.gathered, e.bounded
	for target := range e.targets {
		t := &e.targets[target]
		v := t.value
		if v != nil && v.Of == Number {
			continue
		}
		rows := rows
		for i := 0; len(rows) > 0; i, rows = i+1, rows[g.words:] {
			if rows[2]&metMark == 0 {
				continue
			}
			id, at, keep := [2]uint64(rows), int(g.at[i]-1), false
			switch {
			case v == nil:
				keep = b.drawn(id, drawsRow, g.nth[i]) == 0
			case v.Of == Latest:
				keep = g.has(rows, v.reading) && b.later(&v.last[at], rows[3+v.reading], id)
			case !g.has(rows, t.reading):
				g.keepUnread(uint32(rows[2]), target)
			case v.Of == Groups:
				v.marks[at] |= 1 << (rows[3+t.reading] % 64)
			default:
				v.take(t.store, at, rows[3+t.reading])
			}
			if keep {
				if err := e.keepCell(rows, target, at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// inOrder brings the entries of persons into the order of their first rows.
func (e *Encode) inOrder() {
	g := e.gathered
	g.rows = nil // so that there is room for a copy
	g.number(int(e.out.N), int(e.out.N))
	for i, to := range g.final {
		if uint32(i) != to {
			for j := range e.targets {
				e.targets[j].reorder(g.final, e.entries())
			}
			return
		}
	}
}

// reorder moves each entries of person i to those of person to[i].
func (t *target) reorder(to []uint32, each int) {
	from := t.store
	t.store = newColumn(t.domain, from.len()).store
	t.store.extendNone(from.len())
	for i, to := range to {
		for j := range each {
			if code, ok := from.code(i*each + j); ok {
				t.store.set(int(to)*each+j, code, true)
			}
		}
	}
	t.codes.store = t.store
}
