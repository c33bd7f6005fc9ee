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

// What a record says of a function by number (internal/abi/symtab.go). The browser's runtime asks
// for these only when it writes a trace, or when it stops a goroutine between two calls, which it
// cannot do in WebAssembly: where a goroutine may be stopped, which calls were copied into it,
// which arguments are alive and how they are laid out, what it wraps.
var (
	tracedValues = [...]bool{0: true, 2: true, 3: true}
	tracedData   = [...]bool{3: true, 5: true, 6: true, 7: true}
)

const (
	noValue = 0
	noData  = 1<<32 - 1
)

// dropTraces removes what only stack traces need: the names of functions and files, lines, and the
// positions of inlined calls and arguments. It keeps the names by which the runtime tells functions
// apart: two of reflect, whose arguments it looks for, and one name shared by all functions of the
// runtime itself.
func (m memory) dropTraces() error {
	f, err := m.functions()
	if err != nil {
		return err
	}
	used := make([]bool, len(f.values))
	kept := make([]bool, len(f.names))
	own := 0 // where the runtime's name stands
	for _, at := range f.at {
		record := f.records[at:]
		f.use(used, word(record, pcspAt))
		values := word(record, npcdataAt)
		for i := range values {
			if i < len(tracedValues) && tracedValues[i] {
				putWord(record, recordSize+4*i, noValue)
			}
			f.use(used, word(record, recordSize+4*i))
		}
		for i := range record[nfuncdataAt] {
			if int(i) < len(tracedData) && tracedData[i] {
				putWord(record, recordSize+4*(values+int(i)), noData)
			}
		}
		name, keep := word(record, nameAt), 0
		if name < len(f.names) {
			switch text := text(f.names[name:]); {
			case strings.HasPrefix(text, runtimes) && own == 0:
				own, keep = name, len(runtimes)
			case strings.HasPrefix(text, runtimes):
				name = own
			case text == "reflect.makeFuncStub" || text == "reflect.methodValueCall":
				keep = len(text)
			default:
				name = 0
			}
		}
		putWord(record, nameAt, name)
		for i := range keep {
			kept[name+i] = true
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

const runtimes = "runtime."

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

func putWord(b []byte, at, v int) { binary.LittleEndian.PutUint32(b[at:], uint32(v)) }
