package table

import "bytes"

// Row is one record of the file. It and its fields are valid until the callback returns.
type Row struct {
	Record int64 // 1 for the first record of the file, the header included
	Line   int64 // line of the file on which it starts, from 1
	Offset int64 // where it starts, in bytes of UTF-8 text after any byte order mark

	// A row read by quick holds its text and where its fields end; one read by scan holds its
	// fields.
	text      []byte // with its line end; empty for a row that was too long to read
	inner     int64  // line ends inside its quotes
	quick     bool
	ends      []uint32 // each minus base; the last is the position of the LF
	base      uint32
	literal   uint32 // from where on quotes are characters, not minus base
	slow      [][]byte
	starts    []int  // of the slow fields
	scratch   []byte // fields with doubled quotes, without them
	trim      bool
	quote     bool // quotes are special characters
	delimiter byte
	mark      byte // the quote character
}

// Len is the number of fields; 0 for a row that was too long to read.
func (r *Row) Len() int {
	if r.quick {
		return len(r.ends)
	}
	return len(r.slow)
}

// Field returns field i, from 0, without its quotes. It may share memory with the chunk.
func (r *Row) Field(i int) []byte {
	if !r.quick {
		return r.slow[i]
	}
	start := r.At(i)
	end := int(r.ends[i] - r.base)
	if i == len(r.ends)-1 && end > start && r.text[end-1] == '\r' {
		end--
	}
	field := r.text[start:end]
	if r.quote && len(field) > 0 && field[0] == r.mark && uint32(start)+r.base < r.literal {
		field = field[1 : len(field)-1]
		if countByte(field, r.mark) > 0 {
			field = r.undouble(field)
		}
		return field
	}
	if r.trim {
		field = trimRight(field[leadingSpaces(field, r.delimiter):], r.delimiter)
	}
	return field
}

// At returns where field i starts in the row's text, including its quote.
func (r *Row) At(i int) int {
	if !r.quick {
		return r.starts[i]
	}
	if i == 0 {
		return 0
	}
	return int(r.ends[i-1]-r.base) + 1
}

// undouble copies field, with one quote for each pair.
func (r *Row) undouble(field []byte) []byte {
	start := len(r.scratch)
	for {
		k := bytes.IndexByte(field, r.mark)
		if k < 0 {
			r.scratch = append(r.scratch, field...)
			return r.scratch[start:]
		}
		r.scratch = append(r.scratch, field[:k+1]...)
		field = field[k+1:]
		if len(field) > 0 && field[0] == r.mark {
			field = field[1:]
		}
	}
}

// unescape copies field, with " for each \" and "", and \ for each \\.
func (r *Row) unescape(field []byte) []byte {
	start := len(r.scratch)
	for i := 0; i < len(field); i++ {
		c := field[i]
		if i+1 < len(field) &&
			(c == '\\' && (field[i+1] == r.mark || field[i+1] == '\\') || c == r.mark &&
				field[i+1] == r.mark) {
			i++
			c = field[i]
		}
		r.scratch = append(r.scratch, c)
	}
	return r.scratch[start:]
}

//go:noinline
func leadingSpaces(buf []byte, delimiter byte) int {
	i := 0
	for i < len(buf) && (buf[i] == ' ' || buf[i] == '\t') && buf[i] != delimiter {
		i++
	}
	return i
}

//go:noinline
func trimRight(field []byte, delimiter byte) []byte {
	n := len(field)
	for n > 0 && (field[n-1] == ' ' || field[n-1] == '\t') && field[n-1] != delimiter {
		n--
	}
	return field[:n]
}
