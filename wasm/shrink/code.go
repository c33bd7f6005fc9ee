package shrink

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
)

// Calls take most of the code, and brotli copies one from the last, up to where they differ: each
// such place costs it a literal and a way back. Go's compiler has three that need not differ.
//
//   - A call stores where it returns to, a constant of the function's number and of the place in
//     it. The number goes into a variable at the function's start, and only the place stays: 52 kB
//     of brotli. An engine that optimises has the same constant again.
//   - After a call that unwinds the stack, the function is left by a jump out of all blocks, as
//     deep as there are blocks. Returning on the spot does the same, and says no depth: 84 kB.
//   - Where the stack is read or written, its pointer is widened, added to and cut to 32 bits
//     again. Adding with 32 bits does the same: 12 kB.

// Instructions of WebAssembly, those that are rewritten or that others are told by.
const (
	block       = 0x02
	ifThen      = 0x04
	jumpTable   = 0x0e
	returnNow   = 0x0f
	call        = 0x10
	callPointer = 0x11
	setGlobal   = 0x24
	storeLast   = 0x3e
	memoryGrow  = 0x40
	i64Const    = 0x42
	f32Const    = 0x43
	f64Const    = 0x44
	numeric     = 0x45 // the first of those that take all from the stack
	numericLast = 0xc4
	add64       = 0x7c
	or64        = 0x84
	cut         = 0xa7
	widen       = 0xad
	prefix      = 0xfc
	vector      = 0xfd
	i64         = 0x7e
)

// goType is the type of every function that Go's compiler makes: it takes the place to go on from,
// and returns whether the stack is unwound.
const goType = "\x60\x01\x7f\x01\x7f"

// unwound is how such a function ends, behind all of its blocks.
var unwound = []byte{i32Const, 1, end}

// evenCode rewrites the functions that Go's compiler made, so that they differ less.
func (m module) evenCode() error {
	code := m.section(codeSection)
	if code == nil {
		return nil
	}
	types, err := m.goFunctions()
	if err != nil {
		return err
	}
	r := reader{rest: code.body}
	count := r.length()
	if count != len(types) {
		return fmt.Errorf("%w: it has other functions than their types say", ErrLayout)
	}
	out := binary.AppendUvarint(make([]byte, 0, len(code.body)), uint64(count))
	for _, byGo := range types {
		body := r.bytes(r.length())
		if byGo {
			f := readFunction(body)
			if f.err != nil {
				return f.err
			}
			f.code = f.code.direct()
			body = f.even()
		}
		out = appendBytes(out, body)
	}
	code.body = out
	return r.err
}

// goFunctions tells for each function of the module whether Go's compiler made it.
func (m module) goFunctions() (of []bool, err error) {
	types, functions := m.section(typeSection), m.section(functionSection)
	if types == nil || functions == nil {
		return nil, fmt.Errorf("%w: it has code and no types", ErrLayout)
	}
	r := reader{rest: types.body}
	isGo := make([]bool, r.length())
	for i := range isGo {
		from := r.rest
		r.byte()
		r.bytes(r.length()) // what it takes
		r.bytes(r.length()) // what it returns
		isGo[i] = string(from[:len(from)-len(r.rest)]) == goType
	}
	if r.err != nil {
		return nil, r.err
	}
	r = reader{rest: functions.body}
	of = make([]bool, r.length())
	for i := range of {
		kind := r.length()
		of[i] = kind < len(isGo) && isGo[kind]
	}
	return of, r.err
}

// function is one that Go's compiler made.
type function struct {
	groups    int    // of variables, each a count and a type
	variables []byte // the groups
	count     int    // of variables, with the parameter
	code      code
	err       error
}

// code is a list of instructions, each with what belongs to it.
type code [][]byte

func readFunction(body []byte) function {
	r := reader{rest: body}
	f := function{groups: r.length(), count: 1}
	from := r.rest
	for range f.groups {
		f.count += r.length()
		r.byte()
	}
	f.variables = from[:len(from)-len(r.rest)]
	for len(r.rest) > 0 && r.err == nil {
		f.code = append(f.code, r.instruction())
	}
	f.err = r.err
	return f
}

// instruction reads one of those that Go's compiler writes.
func (r *reader) instruction() []byte {
	from := r.rest
	switch op := r.byte(); {
	case op == jumpTable:
		for range r.length() + 1 {
			r.skipNumber()
		}
	case op == callPointer, op >= load && op <= storeLast:
		r.skipNumber()
		r.skipNumber()
	case op >= block && op <= ifThen, op > end && op < jumpTable, op == call,
		op >= get && op <= setGlobal, op > storeLast && op <= i64Const:
		r.skipNumber()
	case op == f32Const:
		r.bytes(4)
	case op == f64Const:
		r.bytes(8)
	case op == prefix:
		const moves, fills = 10, 11
		switch kind := r.length(); {
		case kind == moves, kind == fills:
			r.bytes(12 - kind) // the memories, of which there is one
		case kind > 7: // conversions
			r.unknown(op)
		}
	case op == vector:
		r.vector()
	case op <= 1, op == end, op == returnNow, op == 0x1a, op == 0x1b,
		op >= numeric && op <= numericLast:
	default:
		r.unknown(op)
	}
	return from[:len(from)-len(r.rest)]
}

// vector reads what follows the first byte of one of the instructions that take 16 bytes at once.
func (r *reader) vector() {
	const loads, storeLast, constant, shuffle, lanes, lanesLast = 0, 11, 12, 13, 21, 34
	switch kind := r.length(); {
	case kind >= loads && kind <= storeLast:
		r.skipNumber()
		r.skipNumber()
	case kind == constant, kind == shuffle:
		r.bytes(16)
	case kind >= lanes && kind <= lanesLast:
		r.byte()
	case kind >= 84 && kind <= 93: // lanes from memory
		r.unknown(vector)
	}
}

func (r *reader) unknown(op byte) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: it has the instruction %#x", ErrLayout, op)
	}
}

func (r *reader) skipNumber() {
	for r.byte()&0x80 != 0 {
	}
}

// even returns the function's body, rewritten.
func (f function) even() []byte {
	var body []byte
	number, returns := f.code.number()
	split := returns > 1 // or the variable costs more than it saves
	if split {
		body = binary.AppendUvarint(body, uint64(f.groups+1))
		body = append(append(body, f.variables...), 1, i64)
		body = appendSigned(append(body, i64Const), number)
		body = binary.AppendUvarint(append(body, set), uint64(f.count))
	} else {
		body = append(binary.AppendUvarint(body, uint64(f.groups)), f.variables...)
	}
	outermost, depth := f.code.outermost(), 0
	for i := 0; i < len(f.code); i++ {
		rest := f.code[i:]
		switch rest[0][0] {
		case block, loop, ifThen:
			depth++
		case end:
			depth--
		}
		if place, ok := rest.returnsTo(); ok && split && place&^placeMask == number {
			body = binary.AppendUvarint(append(body, get), uint64(f.count))
			body = append(appendSigned(append(body, i64Const), place&placeMask), or64)
		} else if by, ok := rest.constant(1); ok && rest.are(widen, i64Const, add64, cut) {
			body = append(appendSigned(append(body, i32Const), by), add)
			i += 3
		} else if i > outermost && bytes.Equal(rest[0], jumpIf(depth-1)) {
			body = append(body, ifThen, noResult, i32Const, 1, returnNow, end)
		} else {
			body = append(body, rest[0]...)
		}
	}
	return body
}

// placeMask is of the lower half of a program counter, which is a place in a function.
const placeMask = 1<<16 - 1

// number is the upper half of where the first call returns to, and of how many calls it is.
func (c code) number() (number, returns int) {
	for i := range c {
		place, ok := c[i:].returnsTo()
		switch {
		case !ok:
		case returns == 0:
			number, returns = place&^placeMask, 1
		case place&^placeMask == number:
			returns++
		}
	}
	return number, returns
}

// returnsTo tells where the call returns to for which this is stored, if it is.
func (c code) returnsTo() (place int, ok bool) {
	const store64 = 0x37
	if !c.are(i64Const, store64, i32Const, call) {
		return 0, false
	}
	return c.constant(0)
}

// outermost is where the block begins from behind which the function returns that the stack is
// unwound. Where there is none, it is behind all code.
func (c code) outermost() int {
	if len(c) < 3 || !bytes.Equal(bytes.Join(c[len(c)-2:], nil), unwound) {
		return len(c)
	}
	depth := 0
	for i := len(c) - 3; i >= 0; i-- {
		switch c[i][0] {
		case end:
			depth++
		case block, loop, ifThen:
			if depth--; depth == 0 && c[i][0] == block {
				return i
			}
		}
		if depth == 0 {
			break
		}
	}
	return len(c)
}

func jumpIf(depth int) []byte {
	return binary.AppendUvarint([]byte{branchIf}, uint64(max(depth, 0)))
}

// are tells whether the first instructions are these.
func (c code) are(ops ...byte) bool {
	if len(c) < len(ops) {
		return false
	}
	for i, op := range ops {
		if c[i][0] != op {
			return false
		}
	}
	return true
}

// constant reads the constant that an instruction pushes, if it is not negative and below 2^31.
func (c code) constant(at int) (v int, ok bool) {
	if at >= len(c) || c[at][0] != i64Const {
		return 0, false
	}
	digits := c[at][1:]
	u, n := binary.Uvarint(digits)
	return int(u), n > 0 && u <= math.MaxInt32 && digits[n-1]&0x40 == 0
}
