package shrink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// The layout of the table that Go's linker writes for its runtime (runtime/symtab.go,
// runtime.pcHeader and _func). It is known by its first word; a Go with another layout has another
// word.
const (
	tableWord   = "\xf1\xff\xff\xff\x00\x00\x01\x08" // the version, and a pointer of 8 bytes
	headerSize  = 8 + 8*8
	recordSize  = 44
	nameAt      = 4
	pcspAt      = 16
	pcfileAt    = 20 // and the line after it
	npcdataAt   = 28
	unitAt      = 32 // and the function's first line after it
	nfuncdataAt = 43
)

// functions is the linker's table of functions, each part a window on the memory.
type functions struct {
	names, files, values, records []byte
	at                            []int // where each function's record begins, in records
	base                          int   // the address of records
}

// dropTraces takes out what only stack traces need: names of functions and files, and lines. Kept
// are the names of the runtime and of reflect, which the runtime compares (it finds the arguments
// of reflect.makeFuncStub by name).
func (m memory) dropTraces() error {
	f, err := m.functions()
	if err != nil {
		return err
	}
	used := make([]bool, len(f.values))
	kept := make([]bool, len(f.names))
	for _, at := range f.at {
		record := f.records[at:]
		f.use(used, word(record, pcspAt))
		for i := range word(record, npcdataAt) {
			f.use(used, word(record, recordSize+4*i))
		}
		if name := word(record, nameAt); name < len(f.names) && runtimes(text(f.names[name:])) {
			for i := range len(text(f.names[name:])) {
				kept[name+i] = true
			}
		} else {
			clear(record[nameAt : nameAt+4])
		}
		clear(record[pcfileAt : pcfileAt+8])
		clear(record[unitAt : unitAt+8])
	}
	kept[0] = false // a function without a name names the empty text there
	blank(f.names, kept)
	blank(f.values, used)
	clear(f.files)
	return nil
}

func runtimes(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "reflect.")
}

// text returns the text that ends at the first zero.
func text(b []byte) string {
	t, _, _ := bytes.Cut(b, []byte{0})
	return string(t)
}

func blank(b []byte, keep []bool) {
	for i := range b {
		if !keep[i] {
			b[i] = 0
		}
	}
}

// functions finds the table.
func (m memory) functions() (f functions, err error) {
	unknown := fmt.Errorf("%w: this Go has another table of functions", ErrLayout)
	base := bytes.Index(m, []byte(tableWord))
	if base < 0 || base+headerSize > len(m) || bytes.Contains(m[base+1:], []byte(tableWord)) {
		return f, unknown
	}
	// count of functions, of files, 0, and where the parts begin: names, units, files, values,
	// records
	var head [8]int
	for i := range head {
		head[i] = word(m[base:], 8+8*i)
	}
	parts := append(head[3:], head[7]+8*head[0])
	if !slices.IsSorted(parts) || parts[0] < headerSize || base+parts[len(parts)-1] > len(m) {
		return f, unknown
	}
	part := func(i, j int) []byte { return m[base+parts[i] : base+parts[j]] }
	f = functions{names: part(0, 1), files: part(1, 3), values: part(3, 4),
		records: m[base+parts[4]:], base: base + parts[4]}
	index := part(4, 5)
	for i := range head[0] {
		at := word(index, 8*i+4)
		if at < len(index) || at > len(f.records)-recordSize {
			return f, unknown
		}
		if values := word(f.records[at:], npcdataAt); values > (len(f.records)-recordSize-at)/4 {
			return f, unknown
		}
		f.at = append(f.at, at)
	}
	return f, nil
}

// use marks a table of values by program counter: pairs of numbers up to one whose first is zero,
// which may be zero in the first pair.
func (f functions) use(used []bool, from int) {
	if from == 0 || from >= len(used) {
		return
	}
	rest := f.values[from:]
	skip := func() (zero bool) {
		v, n := binary.Uvarint(rest)
		rest = rest[max(n, 0):]
		return n <= 0 || v == 0
	}
	for first := true; !skip() || first; first = false {
		skip()
	}
	for i := from; i < len(used)-len(rest); i++ {
		used[i] = true
	}
}

func word(b []byte, at int) int { return int(binary.LittleEndian.Uint32(b[at:])) }
