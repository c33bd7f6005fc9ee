package domain

import (
	"bytes"
	"math"
)

// Numbers are read exactly, with integers only: text → whole units of 10^-scale and a remainder.

// rest says where a number lies between two units, counted upwards.
type rest uint8

const (
	onUnit    rest = iota // exactly on the unit
	belowHalf             // above it, less than half a unit
	half                  // exactly half a unit above
	aboveHalf             // more than half a unit above
)

// reading classifies a cell's text.
type reading uint8

const (
	isNumber  reading = iota
	isTooLow          // a number below every int64 count of units
	isTooHigh         // a number above every int64 count of units
	isEmpty           // nothing but spaces
	isNoNumber
)

// notation says how numbers are written in the cells.
type notation struct {
	scale int  // digits after the mark that make a unit
	mark  byte // '.' or ','
	group byte // thousands mark, 0 for none
}

func newNotation(spec Spec, scale int) (notation, error) {
	n := notation{scale: scale, mark: '.'}
	switch spec.Mark {
	case "", ".":
	case ",":
		n.mark = ','
	default:
		return n, refuse("mark", spec.Mark, `"." or ","`)
	}
	switch spec.Group {
	case "":
	case ",", ".", "'", "_", " ":
		n.group = spec.Group[0]
	default:
		return n, refuse("group", spec.Group, `one of , . ' _ and space, or nothing`)
	}
	if n.group == n.mark {
		return n, refuse("group", spec.Group, "another mark than the decimal mark")
	}
	return n, nil
}

// trim cuts spaces and tabs off both ends.
func trim(cell []byte) []byte {
	for len(cell) > 0 && (cell[0] == ' ' || cell[0] == '\t') {
		cell = cell[1:]
	}
	for len(cell) > 0 && (cell[len(cell)-1] == ' ' || cell[len(cell)-1] == '\t') {
		cell = cell[:len(cell)-1]
	}
	return cell
}

// read returns the largest whole number of units ≤ the cell's number, and the rest above it.
// Plain short numbers take the first loop; everything else goes to readSlow, which agrees with it.
func (n notation) read(cell []byte) (units int64, r rest, what reading) {
	cell = trim(cell)
	if len(cell) == 0 {
		return 0, 0, isEmpty
	}
	i := 0
	if cell[0] == '-' || cell[0] == '+' {
		i = 1
	}
	first := i
	var mag uint64
	for i < len(cell) {
		d := cell[i] - '0'
		if d > 9 {
			break
		}
		mag = mag*10 + uint64(d)
		i++
	}
	// 18 digits stay below 10^18 < 2^63 whatever the scale adds.
	if i == first || i-first+n.scale > 18 {
		return n.readSlow(cell)
	}
	missing := n.scale
	if i < len(cell) {
		if cell[i] != n.mark {
			return n.readSlow(cell)
		}
		i++
		for i < len(cell) && missing > 0 {
			d := cell[i] - '0'
			if d > 9 {
				return n.readSlow(cell)
			}
			mag = mag*10 + uint64(d)
			missing--
			i++
		}
		if i < len(cell) {
			return n.readSlow(cell)
		}
	}
	for ; missing > 0; missing-- {
		mag *= 10
	}
	if cell[0] == '-' {
		return -int64(mag), onUnit, isNumber
	}
	return int64(mag), onUnit, isNumber
}

// readSlow reads signs (also U+2212), thousands marks, exponents and any number of digits.
func (n notation) readSlow(cell []byte) (units int64, r rest, what reading) {
	neg := false
	switch {
	case cell[0] == '-':
		neg, cell = true, cell[1:]
	case cell[0] == '+':
		cell = cell[1:]
	case bytes.HasPrefix(cell, []byte("\u2212")):
		neg, cell = true, cell[3:]
	}
	whole, cell, ok := n.wholeDigits(cell)
	if !ok {
		return 0, 0, isNoNumber
	}
	var fraction []byte
	if len(cell) > 0 && cell[0] == n.mark {
		k := 1
		for k < len(cell) && isDigit(cell[k]) {
			k++
		}
		fraction, cell = cell[1:k], cell[k:]
	}
	if len(whole)+len(fraction) == 0 {
		return 0, 0, isNoNumber
	}
	exponent, ok := readExponent(cell)
	if !ok {
		return 0, 0, isNoNumber
	}

	// The number is the digits of whole then fraction; unitDigits of them are in front of the
	// unit's point.
	unitDigits := digitsOf(n, whole) + exponent + n.scale
	var mag uint64
	over := false
	seen := 0         // digits taken so far
	lead := byte('0') // the first digit behind the unit's point
	more := false     // another one there is not 0
	take := func(d byte) {
		if seen < unitDigits {
			if mag > (math.MaxUint64-9)/10 {
				over = true
			}
			mag = mag*10 + uint64(d-'0')
		} else {
			if unitDigits >= 0 && seen == unitDigits {
				lead = d
			} else if d != '0' {
				more = true
			}
		}
		seen++
	}
	for _, d := range whole {
		if isDigit(d) {
			take(d)
		}
	}
	for _, d := range fraction {
		take(d)
	}
	for ; seen < unitDigits && mag != 0 && !over; seen++ {
		if mag > (math.MaxUint64-9)/10 {
			over = true
		}
		mag *= 10
	}
	switch {
	case lead > '5' || lead == '5' && more:
		r = aboveHalf
	case lead == '5':
		r = half
	case lead != '0' || more:
		r = belowHalf
	}
	if neg && r != onUnit && !over {
		// −(m + r) = −(m+1) + (1 − r)
		if mag == math.MaxUint64 {
			over = true
		}
		mag++
		r = aboveHalf + belowHalf - r
	}
	switch {
	case neg && (over || mag > 1<<63):
		return 0, 0, isTooLow
	case neg:
		return -int64(mag), r, isNumber // mag = 2^63 wraps to the least int64, as it should
	case over || mag > math.MaxInt64:
		return 0, 0, isTooHigh
	}
	return int64(mag), r, isNumber
}

// wholeDigits cuts the digits and thousands marks in front off cell. With marks there must be
// groups: the first of 1 to 3 digits, the last of 3, those between of 2 or 3 (India writes
// 12,34,567).
func (n notation) wholeDigits(cell []byte) (whole, left []byte, ok bool) {
	k, group, groups := 0, 0, 0
	for k < len(cell) {
		if isDigit(cell[k]) {
			group++
			k++
			continue
		}
		w := n.groupMark(cell[k:])
		if w == 0 {
			break
		}
		if group == 0 || group > 3 || groups > 0 && group < 2 {
			return nil, nil, false
		}
		groups, group = groups+1, 0
		k += w
	}
	if groups > 0 && group != 3 {
		return nil, nil, false
	}
	return cell[:k], cell[k:], true
}

// groupMark returns the length in bytes of the thousands mark at the start of cell, 0 if there is
// none.
func (n notation) groupMark(cell []byte) int {
	switch {
	case n.group == 0:
		return 0
	case cell[0] == n.group:
		return 1
	case n.group == ' ' && bytes.HasPrefix(cell, []byte("\u00a0")):
		return 2
	case n.group == ' ' && bytes.HasPrefix(cell, []byte("\u202f")):
		return 3
	}
	return 0
}

func digitsOf(n notation, whole []byte) int {
	k := 0
	for _, c := range whole {
		if isDigit(c) {
			k++
		}
	}
	return k
}

// readExponent reads "", "e5", "E-12". Beyond ±10^6 the exponent stays there: every number is then
// as good as zero or too large.
func readExponent(cell []byte) (int, bool) {
	if len(cell) == 0 {
		return 0, true
	}
	if cell[0] != 'e' && cell[0] != 'E' {
		return 0, false
	}
	cell = cell[1:]
	neg := false
	if len(cell) > 0 && (cell[0] == '-' || cell[0] == '+') {
		neg, cell = cell[0] == '-', cell[1:]
	}
	if len(cell) == 0 {
		return 0, false
	}
	e := 0
	for _, c := range cell {
		if !isDigit(c) {
			return 0, false
		}
		e = min(e*10+int(c-'0'), 1_000_000)
	}
	if neg {
		e = -e
	}
	return e, true
}

func isDigit(c byte) bool { return c-'0' <= 9 }
