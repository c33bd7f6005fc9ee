package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"hush/core/table"
	"hush/web/hush/readers"
)

// chunk is the number of bytes of a file that are read at once and share a digest, as in
// static/engine.js.
const chunk = 4 << 20

// file is a table on the disk, as bytes of text. It is read twice, and must be the same each time.
type file struct {
	name    string
	size    int64
	kind    string        // one of table.Formats, or empty: it is text
	options table.Options // how it is read, as far as that is known
	own     table.Options // the same, as far as its form determines it
	held    []byte        // its bytes, where they are on no disk
	digests []byte        // SHA-256 of its chunks, one after the other, once it was read for them
}

// openFile looks at a file: options for another kind of file leave everything open.
func openFile(name string, options table.Options) (*file, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, unopened(name, err)
	}
	if info.IsDir() {
		return nil, fail(exitUnread, "%s is a directory: name a file", name)
	}
	f := &file{name: name, size: info.Size(), options: options}
	raw, err := os.Open(name)
	if err != nil {
		return nil, &failure{exitUnread, err}
	}
	defer raw.Close()
	if f.kind, err = readers.Kind(raw); err != nil {
		return nil, &failure{exitUnread, err}
	}
	if f.kind == "" {
		if options.Format != "" {
			f.options = table.Options{}
		}
		return f, isText(name, raw)
	}
	if f.own, err = readers.Options(raw, f.kind); err != nil {
		return nil, fail(exitUnread, "%s: %w", name, err)
	}
	if options.Format != f.kind {
		options = table.Options{Format: f.kind}
	}
	f.options = filled(options, f.own)
	return f, nil
}

// isText refuses a file that is no text of any encoding: a zero byte in text of single bytes. In
// UTF-16 every second byte is one, or nearly.
func isText(name string, raw io.ReaderAt) error {
	start := make([]byte, 4<<10)
	n, err := raw.ReadAt(start, 0)
	if err != nil && err != io.EOF {
		return &failure{exitUnread, err}
	}
	zeros := bytes.Count(start[:n], []byte{0})
	if zeros == 0 || zeros > n/8 {
		return nil
	}
	for _, mark := range []string{"\xff\xfe", "\xfe\xff", "\x1f\x8b", "\x28\xb5\x2f\xfd",
		"PK"} {
		if bytes.HasPrefix(start, []byte(mark)) {
			return nil // UTF-16, or packed
		}
	}
	return fail(exitUnread, "%s is no table: byte %d of it is zero, which no text holds. Save it "+
		"as CSV", name, bytes.IndexByte(start, 0)+1)
}

// filled returns options with the open fields that a reader is sure of filled in.
func filled(o, own table.Options) table.Options {
	o.Part = cmp.Or(o.Part, own.Part)
	o.Header = cmp.Or(o.Header, own.Header)
	o.Columns = cmp.Or(o.Columns, own.Columns)
	o.Keys = cmp.Or(o.Keys, own.Keys)
	return o
}

// pieces passes the text to take, piece by piece, with the number of bytes of the file read. The
// digests returns the digests of the file on the disk.
func (f *file) pieces(digests bool, take func(piece []byte, done int64) error) error {
	var sums []byte
	if f.held != nil {
		return plain(bytes.NewReader(f.held), false, &sums, take)
	}
	raw, err := os.Open(f.name)
	if err != nil {
		return &failure{exitUnread, err}
	}
	defer raw.Close()
	if digests && f.kind != "" {
		for _, err := range chunks(raw, true, &sums) {
			if err != nil {
				return &failure{exitUnread, err}
			}
		}
	}
	if f.kind == "" {
		err = plain(raw, digests, &sums, take)
	} else {
		done := int64(0)
		err = readers.Text(raw, f.kind, f.options, func(read int64) { done = read },
			func(piece []byte) error { return take(piece, done) })
		if unread := (*table.UnreadError)(nil); errors.As(err, &unread) {
			err = &failure{exitUnread, err}
		}
	}
	if digests {
		f.digests = sums
	}
	return err
}

// plain passes on a text file unchanged.
func plain(raw io.Reader, digests bool, sums *[]byte,
	take func(piece []byte, done int64) error) error {
	done := int64(0)
	for piece, err := range chunks(raw, digests, sums) {
		if err != nil {
			return &failure{exitUnread, err}
		}
		done += int64(len(piece))
		if err := take(piece, done); err != nil {
			return err
		}
	}
	return nil
}

// chunks yields the output of a reader in chunks that are full, except for the last; meanwhile it
// reads the next one, and digests it if asked to. A chunk is valid until the next.
func chunks(from io.Reader, digests bool, sums *[]byte) func(func([]byte, error) bool) {
	type piece struct {
		bytes []byte
		sum   [sha256.Size]byte
		err   error
	}
	return func(yield func([]byte, error) bool) {
		free, full := make(chan []byte, 2), make(chan piece)
		over := make(chan struct{})
		defer close(over)
		free <- make([]byte, chunk)
		free <- make([]byte, chunk)
		go func() {
			defer close(full)
			for {
				var buffer []byte
				select {
				case buffer = <-free:
				case <-over:
					return
				}
				n, err := io.ReadFull(from, buffer)
				p := piece{bytes: buffer[:n], err: err}
				if ended := err == io.EOF || err == io.ErrUnexpectedEOF; ended {
					p.err = nil
				}
				if digests && n > 0 {
					p.sum = sha256.Sum256(p.bytes)
				}
				if n > 0 || p.err != nil {
					select {
					case full <- p:
					case <-over:
						return
					}
				}
				if err != nil {
					return
				}
			}
		}()
		for p := range full {
			if digests && p.err == nil {
				*sums = append(*sums, p.sum[:]...)
			}
			if !yield(p.bytes, p.err) || p.err != nil {
				return
			}
			free <- p.bytes[:cap(p.bytes)]
		}
	}
}
