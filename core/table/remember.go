package table

import (
	"encoding/binary"

	"hush/core/domain"
)

// remembering is a domain that keeps the codes of cells it has read. It serves dates and times,
// which take long to read and of which a file has few different ones. It belongs to one pass.
type remembering struct {
	domain.Domain
	slots [1 << slotBits]remembered
}

const slotBits = 12

// remembered is a cell of 8 to 16 bytes, identified by its ends and its length, with its code.
type remembered struct {
	start, end, code uint64
	length           int // 0 for none
}

func (d *remembering) Encode(cell []byte) (uint64, bool) {
	if len(cell) < 8 || len(cell) > 16 {
		return d.Domain.Encode(cell)
	}
	const odd = 0x9e3779b97f4a7c15
	start, end := binary.LittleEndian.Uint64(cell), binary.LittleEndian.Uint64(cell[len(cell)-8:])
	s := &d.slots[(start*odd^end)*odd>>(64-slotBits)]
	if s.start == start && s.end == end && s.length == len(cell) {
		return s.code, true
	}
	code, ok := d.Domain.Encode(cell)
	if ok {
		*s = remembered{start, end, code, len(cell)}
	}
	return code, ok
}
