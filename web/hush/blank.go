package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// blank is a file that is written beside its destination, so that it appears there completely or
// not at all.
type blank struct {
	*os.File
	place string
}

// newBlank begins a file that is to be published.
func newBlank(place string) (*blank, error) {
	file, err := os.CreateTemp(filepath.Dir(place), ".hush-*")
	if err == nil {
		err = file.Chmod(0o644)
	}
	if at, failed := os.Stat(place); failed == nil && at.IsDir() {
		err = errors.New("it is a directory")
	}
	b := &blank{file, place}
	if err != nil {
		b.drop()
		if at := (*fs.PathError)(nil); errors.As(err, &at) {
			err = at.Err // the path is the blank's
		}
		return nil, fail(exitUsage, "%s cannot be written: %w", place, err)
	}
	return b, nil
}

// finish moves the file to its destination.
func (b *blank) finish() error {
	err := b.Close()
	if err == nil {
		err = os.Rename(b.Name(), b.place)
	}
	return err
}

// drop discards a file that was not finished.
func (b *blank) drop() {
	if b != nil && b.File != nil {
		b.Close()
		os.Remove(b.Name())
	}
}
