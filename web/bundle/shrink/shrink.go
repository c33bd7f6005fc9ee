// Package shrink makes the browser's binary smaller. It writes the data of the binary in another
// way, and leaves the code as the compiler made it, but for one function that it adds.
package shrink

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// ErrLayout says that a binary is laid out in a way that this package does not know, as another Go
// may do it. The binary can be used as it is.
var ErrLayout = errors.New("the binary has a layout that is not known here")

// Binary returns a binary that does the same and compresses better with brotli. Go's linker cuts
// the data at every few zero bytes, up to 100,000 times, and each cut costs an offset that does not
// compress; Binary cuts only at long runs of zeros. Tables that follow from others are rebuilt when
// the binary starts (derived.go). Unless traces is set, it removes the names of functions, files
// and lines, which only a stack trace shows. The functions of the binary stay the same, byte by
// byte. The error is [ErrLayout] for the output of another Go version, and another one for anything
// that is not a binary.
func Binary(binary []byte, traces bool) ([]byte, error) {
	m, err := readModule(binary)
	if err != nil {
		return nil, err
	}
	if section := m.section(dataSection); section != nil {
		data, err := readData(section.body)
		if err == nil && !traces {
			err = data.dropTraces()
		}
		if err != nil {
			return nil, err
		}
		start := data.dropDerived()
		section.body = data.section()
		if start != nil {
			if err := m.startWith(start); err != nil {
				return nil, err
			}
		}
	}
	return m.bytes(), nil
}

const (
	header          = "\x00asm\x01\x00\x00\x00"
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	exportSection   = 7
	startSection    = 8
	codeSection     = 10
	dataSection     = 11
)

// module is a WebAssembly binary: its sections in order.
type module []section

type section struct {
	id   byte
	body []byte
}

func readModule(binary []byte) (module, error) {
	rest, ok := bytes.CutPrefix(binary, []byte(header))
	if !ok {
		return nil, errors.New("it is not a WebAssembly binary of version 1")
	}
	var m module
	for r := (reader{rest: rest}); len(r.rest) > 0; {
		m = append(m, section{r.byte(), r.bytes(r.length())})
		if r.err != nil {
			return nil, r.err
		}
	}
	return m, nil
}

func (m module) bytes() []byte {
	out := []byte(header)
	for _, s := range m {
		out = appendBytes(append(out, s.id), s.body)
	}
	return out
}

// section returns the section of that number, or nil.
func (m module) section(id byte) *section {
	for i := range m {
		if m[i].id == id {
			return &m[i]
		}
	}
	return nil
}

// startWith makes a function with that body, without parameters and results, run before anything
// else.
func (m *module) startWith(body []byte) error {
	if m.section(startSection) != nil {
		return fmt.Errorf("%w: it has a start function already", ErrLayout)
	}
	kind, err := m.grow(typeSection, []byte{0x60, 0, 0})
	if err != nil {
		return err
	}
	number, err := m.grow(functionSection, binary.AppendUvarint(nil, uint64(kind)))
	if err != nil {
		return err
	}
	if _, err := m.grow(codeSection, appendBytes(nil, body)); err != nil {
		return err
	}
	imported, err := m.importedFunctions()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(*m, func(s section) bool { return s.id == exportSection }) + 1
	*m = slices.Insert(
		*m, at, section{startSection, binary.AppendUvarint(nil, uint64(imported+number))})
	return nil
}

// grow appends an entry to a section that is a list, and returns its number.
func (m module) grow(id byte, entry []byte) (int, error) {
	s := m.section(id)
	if s == nil {
		return 0, fmt.Errorf("%w: it has no section %d", ErrLayout, id)
	}
	r := reader{rest: s.body}
	count := r.length()
	s.body = slices.Concat(binary.AppendUvarint(nil, uint64(count+1)), r.rest, entry)
	return count, r.err
}

// importedFunctions counts the functions that come before those of the module itself.
func (m module) importedFunctions() (int, error) {
	s := m.section(importSection)
	if s == nil {
		return 0, nil
	}
	r := reader{rest: s.body}
	count := r.length()
	for range count {
		r.bytes(r.length()) // of a module
		r.bytes(r.length()) // a name
		if r.byte() != 0 || r.err != nil {
			return 0, fmt.Errorf("%w: it imports what is no function", ErrLayout)
		}
		r.length() // a type
	}
	return count, r.err
}

// reader reads a binary's parts; after the first error it reads zeros.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.rest) {
		r.err = errors.New("the WebAssembly binary ends too early")
		return nil
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

// length reads a count, or an address: what is below 2^31 reads the same signed and unsigned.
func (r *reader) length() int {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 || v > maxMemory {
		r.err = fmt.Errorf("the WebAssembly binary has a length that is not below %d", maxMemory)
		return 0
	}
	r.rest = r.rest[n:]
	return int(v)
}

func appendBytes(to, b []byte) []byte {
	return append(binary.AppendUvarint(to, uint64(len(b))), b...)
}

// appendSigned appends a number that is not negative as a signed LEB128, whose last byte has a
// clear second bit.
func appendSigned(to []byte, v int) []byte {
	for ; v > 0x3f; v >>= 7 {
		to = append(to, byte(v)|0x80)
	}
	return append(to, byte(v))
}
