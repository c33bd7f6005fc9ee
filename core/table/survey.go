package table

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"

	"hush/core/phrase"
	"hush/core/table/charset"
)

const (
	previewRows  = 50
	previewCells = 200 // cells of a row; wider tables are shown in part
	guessedCols  = 1000
)

// Survey is the pass that looks at a file: what it is, how it reads, and what is wrong with it.
type Survey struct {
	opts     Options
	given    Options // as given, before anything was proposed
	open     Options // the options for a file that is read on its own
	feed     *feed
	head     []byte // held back until the feed begins
	wanted   int    // how many of them
	bytes    int64
	done     bool
	failed   error
	titled   bool   // the first rows are a title, and the names stand below
	likely   string // the encoding suggested by the first bytes
	decoders Decoders
	guessed  bool          // the encoding was left open, and nothing marks it
	odd      charset.Lines // the lines that the guess rests on
	seen     seen
	summary  Summary
	problems problems
	samples  []sample
	sampled  int // cells in them
	marked   *multiset
	alike    *multiset // cells as they read; nil unless the file is other than plain text
}

// NewSurvey starts a survey. Options that are set are used, and the others are proposed.
func NewSurvey(o Options) (*Survey, error) {
	opts, err := o.check(false)
	if err != nil {
		return nil, err
	}
	return &Survey{opts: opts, given: o}, nil
}

// Alone sets what is known about the file if no options are given, nothing by default: for a table
// that a reader makes, what the reader says. Call it before the first byte.
func (s *Survey) Alone(o Options) { s.open = o }

// Mark makes the survey compute [Marks] under a key. Call it before the first byte.
func (s *Survey) Mark(key Key) {
	if s.marked = newMultiset(key); s.opts.Made() {
		s.alike = newMultiset(key)
	}
}

// Decode makes the survey read encodings with these decoders, and guess among them. Call it before
// the first byte.
func (s *Survey) Decode(d Decoders) { s.decoders = d }

// Marks returns the marks of the rows, after Close without error; ok is false without Mark.
func (s *Survey) Marks() (marks Marks, ok bool) {
	if s.marked == nil {
		return Marks{}, false
	}
	marks = s.marked.marks()
	if s.alike != nil {
		alike := s.alike.marks()
		marks.Alike, marks.AlikeSketch = alike.Rows, alike.Sketch
	}
	return marks, true
}

// Write takes the next chunk of the file.
func (s *Survey) Write(chunk []byte) error {
	if s.done || s.failed != nil {
		return ErrAfterEnd
	}
	s.bytes += int64(len(chunk))
	s.failed = s.take(chunk)
	return s.failed
}

// take holds back the first bytes until there are enough to look at.
func (s *Survey) take(chunk []byte) error {
	if s.feed != nil {
		return s.feed.Write(chunk)
	}
	for s.wanted = max(s.wanted, headBytes); ; s.wanted = min(4*s.wanted, mostHead) {
		k := min(len(chunk), s.wanted-len(s.head))
		s.head = append(s.head, chunk[:k]...)
		chunk = chunk[k:]
		if len(s.head) < s.wanted {
			return nil
		}
		if s.wanted >= mostHead || hasLines(s.head) {
			break
		}
	}
	if err := s.begin(false); err != nil {
		return err
	}
	return s.feed.Write(chunk)
}

// hasLines reports whether the first bytes of a file hold enough lines to look at; lines in quotes
// do not count.
func hasLines(head []byte) bool {
	if isGzip(head) {
		head = gunzipHead(head, false)
		if len(head) >= mostHead {
			return true
		}
	}
	lf, cr := lineEnds(head)
	return lf+cr >= headLines
}

// begin decides what was left open and releases the bytes held back.
func (s *Survey) begin(whole bool) error {
	o := &s.opts
	head := s.head
	if o.Compression == "" {
		o.Compression = NoneValue
		if isGzip(head) && !o.Made() {
			o.Compression = Gzip
			s.found("compression", Gzip, phrase.Of("the file starts like a gzip file"))
		}
	}
	if o.Compression == Gzip {
		head = gunzipHead(head, whole)
		whole = whole && len(head) < mostHead
	}
	if o.Made() {
		// A reader made the bytes.
	} else if isUTF32(head) {
		s.problems.add(NotText, 0, Place{}, wideText)
	} else if a, ok := foreign(head); ok {
		s.problems.add(NotText, 0, Place{}, func() Problem { return notText(a) })
	}
	encoding, why := detectEncoding(head)
	s.likely = encoding
	if o.Encoding == "" {
		o.Encoding = encoding
		if s.guessed = encoding == UTF8 && !bytes.HasPrefix(head, utf8BOM); s.guessed {
			why = s.guessEncoding(head, why)
		}
		s.found("encoding", o.Encoding, why)
	}
	text, err := newTranscoder(o.Encoding, s.decoders)
	if err != nil {
		return err
	}
	head = append(bytes.Clone(text.convert(head, false)), text.convert(nil, whole)...)
	s.decideDialect(head, whole)
	s.decideShape(readHead(head, *o, whole))
	s.decideBlank(head)
	if s.feed, err = newFeed(*o, s.decoders, s.header, s.row, s.flaw); err != nil {
		return err
	}
	s.feed.onRows = s.rows
	held := s.head
	s.head = nil
	s.summary.Own = s.own(held, whole)
	return s.feed.Write(held)
}

// own returns how a file with this beginning would be read without any options.
func (s *Survey) own(head []byte, whole bool) Options {
	if s.given == s.open {
		return s.opts
	}
	alone, err := NewSurvey(s.open)
	if err != nil {
		return s.open
	}
	alone.open, alone.decoders, alone.head = s.open, s.decoders, bytes.Clone(head)
	if err := alone.begin(whole); err != nil {
		return s.open // nobody can read it that way
	}
	return alone.opts
}

// guessEncoding proposes an encoding for a file without a mark, from the lines of its head that are
// not UTF-8. If that is Windows-1252, or a single line is odd, the file is read as UTF-8, which
// reads its invalid bytes that way anyway.
func (s *Survey) guessEncoding(head []byte, why phrase.Phrase) phrase.Phrase {
	head = head[:len(head)-unfinished(head)]
	if bytes.Contains(head, []byte("\x1b$B")) && s.decoders != nil {
		s.opts.Encoding = "iso-2022-jp"
		return phrase.Of("the file has the marks of ISO-2022-JP")
	}
	const few = 4
	lines, odd := 0, 0
	for line := range bytes.SplitAfterSeq(head, []byte{'\n'}) {
		lines++
		if !utf8.Valid(line) {
			odd++
			s.odd.Add(bytes.TrimRight(line, "\r\n"))
		}
	}
	s.summary.Readings = s.readings()
	if odd == 1 && lines > few { // one line does not decide how others are read
		return why
	}
	if r := s.summary.Readings; len(r) > 0 && r[0].Encoding != Windows1252 {
		s.opts.Encoding = r[0].Encoding
		return phrase.Of("its letters look most like a text in it, which is a guess")
	}
	return why
}

// readings returns the readings of the odd lines, if there are decoders.
func (s *Survey) readings() []Reading {
	if s.decoders == nil {
		return nil
	}
	return s.odd.Readings(func(encoding string, text []byte) (string, bool) {
		x, err := newTranscoder(encoding, s.decoders)
		return string(readable(x.convert(text, true))), err == nil
	})
}

// decideShape proposes the header and the number of columns from the first rows.
func (s *Survey) decideShape(rows [][]string) {
	o := &s.opts
	n := titleOf(rows)
	s.titled = n > 0
	if o.Header == "" && o.Columns == 0 && o.Skip == 0 && n > 0 {
		o.Skip, rows = n, rows[n:]
		s.found("skip", strconv.Itoa(n), phrase.Of("a title stands above the names"))
		s.problems.add("titleSkipped", 0, Place{Row: 1, Line: 1},
			func() Problem { return titleSkipped(n) })
	}
	width, count := usualWidth(rows)
	s.summary.Width = width
	if o.Header == "" {
		var why phrase.Phrase
		o.Header, why = detectHeader(rows)
		s.found("header", o.Header, why)
	}
	if o.Columns == 0 {
		o.Columns = min(max(1, width), maxColumns)
		s.found("columns", strconv.Itoa(o.Columns),
			phrase.Of("%d of the first %d rows have this many fields", count, len(rows)))
	}
	// Rows of a different width above all others may be a title.
	title := 0
	for title < len(rows) && title < mostTitle && len(rows[title]) != o.Columns {
		title++
	}
	if title > 0 && title < len(rows) && (title > 1 || o.Header == No) {
		s.problems.add("titleRows", 0, Place{Row: int64(o.Skip + 1), Line: int64(o.Skip + 1)},
			func() Problem { return titleRows(o.Skip, title, o.Columns, title == n) })
	}
}

// decideBlank proposes the meaning of an empty line: in a file with one column it is an empty cell,
// which must not change the number of rows. Lines above the header are nobody's.
func (s *Survey) decideBlank(head []byte) {
	o := &s.opts
	switch {
	case o.Blank != "":
	case o.Columns > 1:
		o.Blank = SkipBlank
	default:
		o.Blank = RowBlank
		s.found("blank", RowBlank, phrase.Of("in one column, an empty line is an empty cell"))
		if o.Header == Yes && o.Skip == 0 {
			above := head[:len(head)-len(bytes.TrimLeft(head, "\r\n"))]
			if o.Skip = bytes.Count(above, []byte("\n")); o.Newline == CR {
				o.Skip = bytes.Count(above, []byte("\r"))
			} else if o.Newline == Any {
				o.Skip = len(bytes.ReplaceAll(above, []byte("\r\n"), []byte("\n")))
			}
		}
	}
}

// gunzipHead unpacks the start of a gzip file, as far as possible: damage is reported when the file
// is read.
func gunzipHead(head []byte, whole bool) []byte {
	g := newGunzip()
	defer g.close()
	var out []byte
	lines := 0
	g.convert(head, whole, func(piece []byte) error {
		lf, cr := lineEnds(piece)
		lines += lf + cr
		if out = append(out, piece...); len(out) >= mostHead ||
			lines >= headLines && len(out) >= headBytes {
			return ErrAfterEnd // enough
		}
		return nil
	})
	return out[:min(len(out), mostHead)]
}

//go:noinline
func (s *Survey) found(field, value string, why phrase.Phrase) {
	s.summary.Findings = append(s.summary.Findings, Finding{field, value, why})
}

func (s *Survey) header(r *Row) error {
	first := map[string]bool{}
	for i := range min(r.Len(), s.opts.Columns) {
		name := printable(r.Field(i))
		s.summary.Fields = append(s.summary.Fields, Field{Column: i + 1, Name: name})
		place := Place{Row: r.Record, Line: r.Line, Column: i + 1, Byte: r.Offset + int64(r.At(i)),
			Cell: name}
		name = strings.TrimSpace(name)
		switch {
		case name == "":
			s.problems.add("emptyName", 0, place, emptyName)
		case first[name]:
			s.problems.add("sameName", 0, place, sameName)
		}
		first[name] = true
	}
	if fields := r.Len(); fields != s.opts.Columns && fields > 0 {
		s.problems.add("otherHeader", 0, Place{Row: r.Record, Line: r.Line, Byte: r.Offset},
			func() Problem { return otherHeader(fields, s.opts, s.titled) })
	}
	s.checkText(r)
	return nil
}

// rows processes the rows of a batch. Where there is nothing to report it only counts them.
func (s *Survey) rows(b *batch) error {
	fine := s.fine(b.text)
	if s.marked != nil {
		s.marked.batch(s.feed.scan, b, fine)
	}
	if s.alike != nil {
		for i := b.first; i < b.n; i++ {
			s.alike.shown(s.feed.scan.take(i))
		}
	}
	if o := &b.odd; o.careful {
		s.seen.quoted, s.seen.inside = s.seen.quoted || o.closed, s.seen.inside || o.inside
	} else {
		s.seen.quoted = s.seen.quoted || b.quoted && bytes.IndexByte(b.text, '"') >= 0
	}
	even, inner := b.even && fine, b.rows[b.n].lines > 0
	for ; b.first < b.n; b.first++ {
		n, i := s.summary.Rows, b.first
		if b.odd.told < len(b.odd.flaws) {
			s.feed.scan.tell(i)
		} else if even && !inner && n >= sampleEvery*sampleMost {
			s.summary.Rows += int64(b.n - i)
			return nil
		}
		switch {
		case !even || sampled(n):
			s.look(s.feed.scan.take(i))
		case inner && b.rows[i+1].lines > b.rows[i].lines:
			s.several(i)
		default:
			s.summary.Rows++
		}
	}
	return nil
}

// several adds row i of a batch to the summary if there is nothing to report except that it has
// several lines.
func (s *Survey) several(i int) {
	if p := s.problems.last; p != nil && p.Kind == "severalLines" && len(p.Places) == shownPlaces {
		p.Count++
		s.summary.Rows++
		return
	}
	s.look(s.feed.scan.take(i))
}

func (s *Survey) row(r *Row) error {
	if s.marked != nil {
		s.marked.row(r)
	}
	if s.alike != nil {
		s.alike.shown(r)
	}
	s.seen.row(r, s.opts.Columns)
	s.look(r)
	return nil
}

// look adds a row to the summary.
func (s *Survey) look(r *Row) {
	n := s.summary.Rows
	s.summary.Rows++
	if fields := r.Len(); fields != s.opts.Columns && fields > 0 {
		kind := raggedKind(fields, len(r.Field(fields-1)) == 0, s.opts)
		s.problems.add(kind, 0, Place{Row: r.Record, Line: r.Line, Byte: r.Offset}, func() Problem {
			return raggedProblem(kind, s.opts)
		})
	}
	if r.inner > 0 && !s.opts.Made() {
		s.problems.add("severalLines", 0, Place{Row: r.Record, Line: r.Line, Byte: r.Offset},
			severalLines)
	}
	s.checkText(r)
	if sampled(n) && s.sampled < sampleCells {
		s.sampled += min(r.Len(), guessedCols)
		for len(s.samples) < min(s.opts.Columns, guessedCols) {
			s.samples = append(s.samples, sample{})
		}
		for i := range min(r.Len(), len(s.samples)) {
			s.samples[i].add(r.Field(i))
		}
	}
	if n < previewRows {
		cells := make([]string, min(r.Len(), previewCells))
		for i := range cells {
			cells[i] = printable(r.Field(i))
		}
		s.summary.Preview = append(s.summary.Preview, cells)
	}
}

// checkText looks for zero bytes and text that is not valid.
func (s *Survey) checkText(r *Row) {
	if s.fine(r.text) {
		return
	}
	at := func(k int) Place {
		column := 1
		for i := range r.Len() {
			if r.At(i) <= k {
				column = i + 1
			}
		}
		return Place{Row: r.Record, Line: r.Line, Column: column, Byte: r.Offset + int64(k)}
	}
	if k := bytes.IndexByte(r.text, 0); k >= 0 {
		s.problems.add("zeroByte", 0, at(k), func() Problem { return zeroBytes(s.opts, s.likely) })
	}
	if s.opts.Encoding == UTF8 && !utf8.Valid(r.text) {
		if s.guessed && len(s.summary.Readings) == 0 {
			s.odd.Add(r.text)
		}
		bad := -1
		for k := 0; k < len(r.text); {
			if r.text[k] < utf8.RuneSelf {
				k++
				continue
			}
			c, n := utf8.DecodeRune(r.text[k:])
			if c != utf8.RuneError || n > 1 {
				s.seen.letters = true
			} else if bad < 0 {
				bad = k
			}
			k += n
		}
		s.problems.add("badUTF8", 0, at(bad), badUTF8)
	}
	if isForeign(s.opts.Encoding) {
		if k := bytes.IndexRune(r.text, utf8.RuneError); k >= 0 {
			s.problems.add("badText", 0, at(k), func() Problem { return badText(s.opts) })
		}
	}
	if s.opts.Encoding == UTF16LE || s.opts.Encoding == UTF16BE {
		if k := bytes.IndexRune(r.text, utf8.RuneError); k >= 0 {
			s.problems.add("badUTF16", 0, at(k),
				func() Problem { return badUTF16(s.likely) })
		}
	}
}

// fine reports whether checkText finds nothing in text.
func (s *Survey) fine(text []byte) bool {
	k := 0
	for {
		if k += plainASCII(text[k:]); k == len(text) {
			return true
		}
		if text[k] == 0 || s.opts.Encoding != UTF8 {
			return false
		}
		for k < len(text) && text[k] >= utf8.RuneSelf {
			// Most characters beyond ASCII have two bytes.
			if k+1 < len(text) && text[k] >= 0xc2 && text[k] < 0xe0 && text[k+1]&0xc0 == 0x80 {
				k += 2
				s.seen.letters = true
				continue
			}
			r, n := utf8.DecodeRune(text[k:])
			if r == utf8.RuneError && n == 1 {
				return false
			}
			k += n
			s.seen.letters = true
		}
	}
}

// plainASCII counts the bytes at the start of text that are ASCII and not zero.
func plainASCII(text []byte) int {
	k := plainBlocks(text)
	for ; k+8 <= len(text); k += 8 {
		w := binary.LittleEndian.Uint64(text[k:])
		if odd := (w | ^nonZero(w)) & high1; odd != 0 {
			return k + bits.TrailingZeros64(odd)/8
		}
	}
	for k < len(text) && text[k] != 0 && text[k] < utf8.RuneSelf {
		k++
	}
	return k
}

func (s *Survey) flaw(f Flaw) {
	if f.Kind == BareCR {
		s.seen.bare = f.Record
	}
	s.problems.add(string(f.Kind), 0,
		Place{Row: f.Record, Line: f.Line, Column: f.Column, Byte: f.Byte},
		func() Problem { return flawProblem(f.Kind, s.opts) }).Count += f.More
}

// Close takes the end of the file.
func (s *Survey) Close() error {
	if s.done {
		return s.failed
	}
	s.done = true
	if s.failed == nil && s.feed == nil {
		s.failed = s.begin(true)
	}
	if s.feed != nil {
		if err := s.feed.end(); s.failed == nil {
			s.failed = err
		}
	}
	s.finish()
	return s.failed
}

// finish completes the summary.
func (s *Survey) finish() {
	sum := &s.summary
	for i := len(sum.Fields); i < s.opts.Columns; i++ {
		sum.Fields = append(sum.Fields, Field{Column: i + 1})
	}
	for i := range s.samples {
		sum.Fields[i].Guess, sum.Fields[i].Why = s.samples[i].guess()
	}
	s.samples = nil
	switch {
	case s.bytes == 0:
		s.problems.add("emptyFile", 0, Place{}, emptyFile)
	case sum.Rows == 0:
		names := len(s.summary.Fields) > 0
		for _, f := range s.summary.Fields {
			names = names && !looksNumeric(f.Name)
		}
		s.problems.add("noRows", 0, Place{}, func() Problem { return noRows(s.opts, names) })
	}
	if s.guessed && len(sum.Readings) == 0 {
		sum.Readings = s.readings()
	}
	sum.Options = s.opts
	sum.Bytes = s.bytes
	if s.feed != nil {
		sum.Text = s.feed.scan.offset
	}
	sum.Problems = s.problems.all()
	for i := range sum.Problems {
		if p := &sum.Problems[i]; s.seen.against(p.Kind, s.opts.Columns) {
			p.Repair = nil
		}
	}
}

// Bytes is the number of bytes read.
func (s *Survey) Bytes() int64 { return s.bytes }

// Result returns the summary, after Close without error.
func (s *Survey) Result() *Summary { return &s.summary }

var _ Pass = (*Survey)(nil)

// printable returns text as a valid string of at most about 1000 bytes.
func printable(text []byte) string {
	const most = 1000
	if len(text) > most {
		text = text[:most-unfinished(text[:most])]
		return string(readable(text)) + "…"
	}
	return string(readable(text))
}
