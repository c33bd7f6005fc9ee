package table

import (
	"encoding/binary"
	"math"

	"hush/core/domain"
)

// TextColumn holds one wide code or none for each row kept: the bytes of the texts in blocks, and
// where each starts. It is a [domain.Codes], so that texts are sorted and compared in place.
type TextColumn struct {
	domain domain.Wide
	starts []uint32 // block and position in it; none is the largest number
	blocks [][]byte // of textBlock bytes: the length of a code as a varint, then the code
	used   int64    // bytes of codes that are in use
	wasted int64    // and of those that set left behind
}

const (
	textBlock = 1 << 20
	noText    = math.MaxUint32
	// The first of 2^12 blocks of 2^20 bytes that cannot be addressed, since its last position is
	// the largest number.
	maxBlocks = 1<<12 - 1
)

func newTextColumn(d domain.Wide, rows int) *TextColumn {
	return &TextColumn{domain: d, starts: make([]uint32, 0, rows)}
}

// Domain is the domain of the codes.
func (c *TextColumn) Domain() domain.Wide { return c.domain }

// Len is the number of rows kept.
func (c *TextColumn) Len() int { return len(c.starts) }

// Has reports whether row i has a value.
func (c *TextColumn) Has(i int) bool { return c.starts[i] != noText }

// Code returns row i's code, which must not be changed; empty for none (see Has).
func (c *TextColumn) Code(i int) []byte {
	at := c.starts[i]
	if at == noText {
		return nil
	}
	text := c.blocks[at/textBlock][at%textBlock:]
	n, k := binary.Uvarint(text)
	return text[k : k+int(n)]
}

// Rows lists the rows that have a value, as a new slice.
func (c *TextColumn) Rows() []uint32 {
	n := 0
	for _, at := range c.starts {
		if at != noText {
			n++
		}
	}
	rows := make([]uint32, 0, n)
	for i, at := range c.starts {
		if at != noText {
			rows = append(rows, uint32(i))
		}
	}
	return rows
}

// Sorted returns the codes of the rows that have one in ascending order, with the numbers of the
// rows. The texts are not copied. step may be nil.
func (c *TextColumn) Sorted(step func(done, total int64) error) (domain.Sorted, []uint32, error) {
	order, err := domain.SortTexts(c, c.Rows(), step)
	if err != nil {
		return nil, nil, err
	}
	return domain.SortedTexts(c.domain, c, order), order, nil
}

// Bytes is the memory taken by the codes.
func (c *TextColumn) Bytes() int64 {
	return 4*int64(cap(c.starts)) + int64(len(c.blocks))*textBlock
}

func (c *TextColumn) append(code []byte, ok bool) error {
	at, err := c.put(code, ok)
	c.starts = append(c.starts, at)
	return err
}

func (c *TextColumn) set(i int, code []byte, ok bool) error {
	if old := c.starts[i]; old != noText {
		n := int64(len(c.Code(i)))
		c.used, c.wasted = c.used-n, c.wasted+n
		c.starts[i] = noText
	}
	if c.wasted > c.used+2*textBlock {
		c.compact()
	}
	at, err := c.put(code, ok)
	c.starts[i] = at
	return err
}

// put stores a code and returns its position.
func (c *TextColumn) put(code []byte, ok bool) (uint32, error) {
	if !ok {
		return noText, nil
	}
	k := len(c.blocks) - 1
	if k < 0 || len(c.blocks[k])+len(code)+binary.MaxVarintLen32 > textBlock {
		if k++; k >= maxBlocks {
			return noText, &MemoryError{Need: maxBlocks * textBlock, Limit: maxBlocks * textBlock}
		}
		c.blocks = append(c.blocks, make([]byte, 0, textBlock))
	}
	at := len(c.blocks[k])
	c.blocks[k] = binary.AppendUvarint(c.blocks[k], uint64(len(code)))
	c.blocks[k] = append(c.blocks[k], code...)
	c.used += int64(len(code))
	return uint32(k*textBlock + at), nil
}

// compact copies the codes in use to new blocks.
func (c *TextColumn) compact() {
	old := *c
	c.blocks, c.used, c.wasted = nil, 0, 0
	for i := range c.starts {
		// unreachable error: what fitted before fits again
		c.starts[i], _ = c.put(old.Code(i), old.starts[i] != noText)
	}
}

var _ domain.Codes = (*TextColumn)(nil)
