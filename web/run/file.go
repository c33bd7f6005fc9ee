package main

import (
	"crypto/sha256"
	"io"
	"os"

	"hush/core/table"
)

// chunk is how many bytes of a file are read at once and have one digest, as static/engine.js has
// it.
const chunk = 4 << 20

// file is a table on the disk, as bytes of text. It is read twice, and must be the same each time.
type file struct {
	name    string
	size    int64
	options table.Options // how it is read, as far as that is known
	own     table.Options // and as far as its form says
	digests []byte        // SHA-256 of its chunks, one after the other, once it was read for them
}

// openFile looks at a file: options that name another kind than it is leave all open.
func openFile(name string, options table.Options) (*file, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, &failure{exitUnread, err}
	}
	if info.IsDir() {
		return nil, fail(exitUnread, "%s is a directory: name a file", name)
	}
	return &file{name: name, size: info.Size(), options: options}, nil
}

// pieces gives the text to take, piece by piece, with how many bytes of the file are read.
func (f *file) pieces(digests bool, take func(piece []byte, done int64) error) error {
	raw, err := os.Open(f.name)
	if err != nil {
		return &failure{exitUnread, err}
	}
	defer raw.Close()
	var sums []byte
	done := int64(0)
	for piece, err := range chunks(raw, digests, &sums) {
		if err != nil {
			return &failure{exitUnread, err}
		}
		done += int64(len(piece))
		if err := take(piece, done); err != nil {
			return err
		}
	}
	if digests {
		f.digests = sums
	}
	return nil
}

// chunks yields what a reader gives, in chunks that are full but for the last; the next one is read
// meanwhile, and digested where that is asked for. A chunk is good until the next.
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
