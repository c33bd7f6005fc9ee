package table

import (
	"hush/core/phrase"
)

// feed is the path of the bytes that all passes share: they are unpacked, turned into UTF-8 and cut
// into rows; the rows before the header are then skipped, and the header is taken off.
type feed struct {
	opts   Options
	gz     *gunzip // nil for plain files
	text   transcoder
	scan   *Scanner
	bytes  int64
	toSkip int
	named  bool // the header has been seen, or there is none

	onHeader func(*Row) error // may be nil
	onRow    func(*Row) error
	onRows   func(*batch) error // may be nil
	closed   bool
	failed   error
}

// ErrAfterEnd is returned by a pass that is written to after its end or after an error.
var ErrAfterEnd error = phrase.Fault("table: the pass is over")

// DamagedError says that a compressed file cannot be unpacked.
type DamagedError struct {
	Bytes int64 // bytes read from the file before it was noticed
	Cause error
}

func (e *DamagedError) Error() string { return e.Phrase().String() }

// Phrase is the text of the error.
func (e *DamagedError) Phrase() phrase.Phrase {
	return phrase.Of("the file is packed with gzip, and damaged or cut off: the fault shows %d "+
		"bytes into it. Fetch or pack it again, or open it unpacked", e.Bytes)
}

func (e *DamagedError) Unwrap() error { return e.Cause }

// newFeed returns a feed for options that are decided.
func newFeed(o Options, d Decoders, onHeader, onRow func(*Row) error, onFlaw func(Flaw)) (*feed,
	error) {
	f := &feed{opts: o, toSkip: o.Skip, named: o.Header == No, onHeader: onHeader, onRow: onRow}
	var err error
	if f.text, err = newTranscoder(o.Encoding, d); err != nil {
		return nil, err
	}
	if f.scan, err = NewScanner(o, f.row, onFlaw); err != nil {
		return nil, err
	}
	f.scan.onRows = f.rows
	if o.Compression == Gzip {
		f.gz = newGunzip()
	}
	return f, nil
}

func (f *feed) row(r *Row) error {
	switch {
	case f.toSkip > 0:
		f.toSkip--
		return nil
	case !f.named:
		f.named = true
		if f.onHeader == nil {
			return nil
		}
		return f.onHeader(r)
	}
	return f.onRow(r)
}

// rows passes on the rows that quick reads.
func (f *feed) rows(b *batch) error {
	for ; b.first < b.n && (f.toSkip > 0 || !f.named || f.onRows == nil); b.first++ {
		f.scan.tell(b.first)
		if err := f.row(f.scan.take(b.first)); err != nil {
			return err
		}
	}
	if b.first == b.n {
		return nil
	}
	return f.onRows(b)
}

func (f *feed) Bytes() int64 { return f.bytes }

func (f *feed) Write(chunk []byte) error {
	if f.closed || f.failed != nil {
		return ErrAfterEnd
	}
	f.bytes += int64(len(chunk))
	f.failed = f.take(chunk, false)
	return f.failed
}

// end processes the end of the file. It returns errors from the rows.
func (f *feed) end() error {
	if f.closed {
		return nil
	}
	f.closed = true
	err := f.failed
	if err == nil {
		err = f.take(nil, true)
	}
	if f.gz != nil {
		f.gz.close()
	}
	if err == nil {
		if err = f.scan.Write(f.text.convert(nil, true)); err == nil {
			err = f.scan.Close()
		}
	}
	f.failed = err
	return err
}

func (f *feed) take(chunk []byte, final bool) error {
	if f.gz == nil {
		return f.scan.Write(f.text.convert(chunk, false))
	}
	var rows error
	err := f.gz.convert(chunk, final, func(plain []byte) error {
		rows = f.scan.Write(f.text.convert(plain, false))
		return rows
	})
	if err != nil && rows == nil {
		err = &DamagedError{Bytes: f.bytes, Cause: err}
	}
	return err
}
