package shrink

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// The linker's table of functions says some things three times. Functions have consecutive numbers,
// and a number is the upper half of a program counter. So the index (for each function its number
// and where its record begins), the first word of each record (the number again) and the buckets by
// which a counter finds its place in the index (sixteen a function) all follow from the lengths of
// the records. They are left out, and a start function writes them: 3.6 MB of memory, 65 kB of
// brotli.
type derived struct {
	index, buckets int // addresses; records count from the index too
	count, bucket  int // how many there are of either
	first, record  int // the first number, and where the first record begins
}

const (
	entrySize     = 8
	bucketSize    = 20 // a word, and sixteen bytes that are zero here
	bucketsPerOne = 16
)

// dropDerived clears what follows and returns the body of the function that makes it again. Where
// the tables are not exactly what that function makes, they stay, and there is nil.
func (m memory) dropDerived() []byte {
	f, err := m.functions()
	if err != nil || len(f.at) == 0 {
		return nil
	}
	d := derived{index: f.base, count: len(f.at), first: word(f.records, 0), record: f.at[0]}
	d.buckets = bytes.Index(m, bytes.Repeat(bucket(1), bucketsPerOne)) - bucketSize*bucketsPerOne
	if d.buckets < 0 {
		return nil
	}
	for at := d.buckets; at+bucketSize <= len(m) &&
		bytes.Equal(m[at:at+bucketSize], bucket(d.bucket/bucketsPerOne)); at += bucketSize {
		d.bucket++
	}
	made := slices.Clone(m)
	made.clear(d, f.at)
	cleared := slices.Clone(made)
	if made.make(d); !bytes.Equal(made, m) {
		return nil
	}
	copy(m, cleared)
	return d.code()
}

func bucket(number int) []byte {
	return binary.LittleEndian.AppendUint32(make([]byte, 0, bucketSize),
		uint32(number))[:bucketSize]
}

func (m memory) clear(d derived, records []int) {
	clear(m[d.buckets : d.buckets+d.bucket*bucketSize])
	clear(m[d.index : d.index+d.count*entrySize])
	for _, at := range records {
		clear(m[d.index+at : d.index+at+4])
	}
}

// make does in Go what the start function does in the binary.
func (m memory) make(d derived) {
	put := func(at, v int) {
		if at+4 <= len(m) {
			binary.LittleEndian.PutUint32(m[at:], uint32(v))
		}
	}
	for i := range d.bucket {
		put(d.buckets+i*bucketSize, i/bucketsPerOne)
	}
	for i, record := 0, d.record; i < d.count && d.index+record+recordSize <= len(m); i++ {
		put(d.index+i*entrySize, d.first+i)
		put(d.index+i*entrySize+4, record)
		put(d.index+record, d.first+i)
		r := m[d.index+record:]
		record += (recordSize + 7 + 4*(word(r, npcdataAt)+int(r[nfuncdataAt]))) &^ 7
	}
}

// The instructions of WebAssembly that the start function uses.
const (
	loop     = 0x03
	noResult = 0x40
	branchIf = 0x0d
	get      = 0x20
	set      = 0x21
	tee      = 0x22
	load     = 0x28
	loadByte = 0x2d
	store    = 0x36
	lessThan = 0x49
	add      = 0x6a
	multiply = 0x6c
	and      = 0x71
	shift    = 0x76 // to the right, without a sign
	i32      = 0x7f
)

// code returns make as the body of a function with two variables: a number i, and the address at
// which its record begins.
func (d derived) code() []byte {
	const i, record = 0, 1
	var b []byte
	op := func(code ...byte) { b = append(b, code...) }
	number := func(v int) { b = appendSigned(append(b, i32Const), v) }
	// aligned to 1
	at := func(code byte, address int) {
		b = binary.AppendUvarint(append(b, code, 0), uint64(address))
	}
	next := func(count int) {
		// i++ and once more if it is below count
		op(get, i)
		number(1)
		op(add, tee, i)
		number(count)
		op(lessThan, branchIf, 0, end)
	}

	op(1, 2, i32) // two variables
	op(loop, noResult, get, i)
	number(bucketSize)
	op(multiply, get, i)
	number(4)
	op(shift)
	at(store, d.buckets)
	next(d.bucket)

	number(0)
	op(set, i)
	number(d.record)
	op(set, record)
	op(loop, noResult)
	for _, entry := range []struct{ address, value byte }{{0, i}, {4, record}} {
		op(get, i)
		number(entrySize)
		op(multiply)
		op(get, entry.value)
		if entry.value == i {
			number(d.first)
			op(add)
		}
		at(store, d.index+int(entry.address))
	}
	op(get, record, get, i)
	number(d.first)
	op(add)
	at(store, d.index)
	op(get, record, get, record)
	at(load, d.index+npcdataAt)
	op(get, record)
	at(loadByte, d.index+nfuncdataAt)
	op(add)
	number(4)
	op(multiply)
	number(recordSize + 7)
	op(add)
	b = append(b, i32Const, 0x78) // -8
	op(and, add, set, record)
	next(d.count)
	op(end)
	return b
}
