//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package ledger

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// lock takes the lock of a directory, or returns ErrBusy.
func lock(dir string) (release func(), err error) {
	name := filepath.Join(dir, lockName)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, err
	}
	return func() { f.Close(); os.Remove(name) }, nil
}
