//go:build !js

package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// shrink returns a binary that does the same and that brotli makes a sixth smaller. Go's linker cuts the data at every few zero
// bytes, up to 100,000 times, and each cut costs an offset that does not compress: here the data are cut at long runs of zeros
// only. Names of functions, files and lines, which only a stack trace shows, are taken out unless traces says to keep them.
func shrink(binary []byte, traces bool) ([]byte, error) {
	out := slices.Clone(binary[:min(len(binary), len(wasmHeader))])
	if !bytes.Equal(out, []byte(wasmHeader)) {
		return nil, errors.New("it is not a WebAssembly binary of version 1")
	}
	r := reader{rest: binary[len(wasmHeader):]}
	for len(r.rest) > 0 {
		id, body := r.byte(), r.bytes(r.length())
		if r.err != nil {
			return nil, r.err
		}
		if id == dataSection {
			m, err := readData(body)
			if err == nil && !traces {
				err = m.dropTraces()
			}
			if err != nil {
				return nil, err
			}
			body = m.section()
		}
		out = append(out, id)
		out = appendBytes(out, body)
	}
	return out, nil
}

const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	i32Const    = 0x41
	end         = 0x0b
	maxMemory   = 1 << 30 // what a linker's mistake may make this program hold
)

// memory is what a module's memory holds when it starts, from address 0.
type memory []byte

// readData reads a data section, whose segments lie at constant addresses of the one memory.
func readData(section []byte) (memory, error) {
	r := reader{rest: section}
	var m memory
	for range r.length() {
		mode, op, address, stop := r.byte(), r.byte(), r.length(), r.byte()
		data := r.bytes(r.length())
		switch {
		case r.err != nil:
			return nil, r.err
		case mode != 0 || op != i32Const || stop != end || address > maxMemory-len(data):
			return nil, errors.New("a data segment is not at a constant address")
		}
		if grow := address + len(data) - len(m); grow > 0 {
			m = append(m, make(memory, grow)...)
		}
		copy(m[address:], data)
	}
	return m, nil
}

// section returns the data section that fills the memory.
func (m memory) section() []byte {
	const gap = 64 // bytes of zeros that are worth a cut: measured, 32 and 128 cost 0.2 % more and as much
	var segments []byte
	count := 0
	for from := 0; from < len(m); {
		if m[from] == 0 {
			from++
			continue
		}
		to := len(m)
		if zeros := bytes.Index(m[from:], make([]byte, gap)); zeros >= 0 {
			to = from + zeros
		}
		segments = append(segments, 0, i32Const)
		segments = appendSigned(segments, from)
		segments = append(segments, end)
		segments = appendBytes(segments, bytes.TrimRight(m[from:to], "\x00"))
		from, count = to, count+1
	}
	return append(binary.AppendUvarint(nil, uint64(count)), segments...)
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

func appendBytes(to, b []byte) []byte { return append(binary.AppendUvarint(to, uint64(len(b))), b...) }

// appendSigned appends a number that is not negative as a signed LEB128, whose last byte has a clear second bit.
func appendSigned(to []byte, v int) []byte {
	for ; v > 0x3f; v >>= 7 {
		to = append(to, byte(v)|0x80)
	}
	return append(to, byte(v))
}
