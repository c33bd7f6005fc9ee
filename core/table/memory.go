package table

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/domain"
	"hush/core/phrase"
)

// ErrTooMany says that there are more persons than can be counted: 3·2^30 with a person column,
// 2^62 otherwise.
var ErrTooMany error = phrase.Fault("table: more persons than can be counted")

// ErrEntries says that the counts of persons' entries do not add up to the number for each person
// that the Use states.
var ErrEntries error = phrase.Fault("table: the counts do not add up to a multiple of the rows " +
	"per person: count people without a row as well")

// MemoryError says that the chosen columns need more memory than there is.
type MemoryError struct {
	Need  int64 // bytes
	Limit int64
	// Persons says that it is the rows of persons (Use) that need the memory.
	Persons bool
}

func (e *MemoryError) Error() string { return e.Phrase().String() }

// Phrase is the text of the error.
func (e *MemoryError) Phrase() phrase.Phrase {
	if e.Persons {
		return phrase.Of("table: this many rows per person need about %s of memory; the limit is "+
			"%s. Keep fewer rows per person, or bound them first: SELECT * FROM (SELECT *, "+
			"ROW_NUMBER() OVER (PARTITION BY person ORDER BY RANDOM()) AS nth FROM visits) WHERE "+
			"nth <= 3", byteText(e.Need), byteText(e.Limit))
	}
	return phrase.Of("table: these columns need about %s of memory; the limit is %s: choose "+
		"fewer columns or narrower domains, or count equal rows elsewhere with SQL and open the "+
		"file of values and counts",
		byteText(e.Need), byteText(e.Limit))
}

func byteText(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.1f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.0f kB", float64(n)/1e3)
}

// baseBytes is an upper bound on the memory of a pass and a run besides the codes.
const baseBytes = 64 << 20

// MostPaired is the largest number of persons in a run that pairs codes with answers, where rows
// are counts: each answer is a byte.
const MostPaired = 1 << 28

// Estimate returns the most memory, in bytes, that [Encode] and one run on its codes take for a
// file with this many rows and bytes of text: the codes, those of the largest column again in eight
// bytes each (a sorted copy), as much for the number of persons up to each distinct code, and 64
// MiB. Where codes are sorted along with other values, each takes eight bytes more for its value,
// all of that twice, and a byte for its answer. Domains must be valid.
func Estimate(p EncodeParams, rows, text int64) (int64, error) {
	codes, copied, distinct := 0.0, 8*float64(rows), 0.0
	for _, w := range p.Columns {
		if w.Spec.IsWide() {
			d, err := domain.NewWide(w.Spec)
			if err != nil {
				return 0, err
			}
			longest := float64(d.Bits()/8 + 3)
			codes += 4*float64(rows) + min(longest*float64(rows), float64(text)+3*float64(rows))
			copied = 20 * float64(rows) // sorting keeps a number and eight bytes of each text
			continue
		}
		d, err := domain.New(w.Spec)
		if err != nil {
			return 0, err
		}
		size, _ := new(big.Float).SetInt(d.Size()).Float64()
		distinct = max(distinct, min(float64(rows), size))
		codes += float64(ColumnBytes(d, rows))
	}
	if p.Count > 0 {
		codes += 8 * float64(rows)
	}
	if p.Person > 0 {
		codes += 56 * float64(rows) // at most 48 for each, and some while their table grows
	}
	// the groups and values of persons, at most one person per row
	if p.Use != nil && p.Person > 0 {
		codes += float64(rows) * float64(12*p.Use.Groups+24*len(p.Use.Values))
	}
	return int64(min(codes+p.sorting(copied, distinct, float64(rows))+baseBytes, math.MaxInt64/2)),
		nil
}

// ColumnBytes is the memory for the codes of a column with this many rows.
func ColumnBytes(d domain.Domain, rows int64) int64 {
	width, full := columnWidth(d)
	bytes := int64(width) * rows
	if full {
		bytes += (rows + 7) / 8
	}
	return bytes
}

// sortingEach is the memory that a run takes for each entry of the widest column.
func (p EncodeParams) sortingEach() int64 {
	copied := 8.0
	for _, w := range p.Columns {
		if w.Spec.IsWide() {
			copied = 20
		}
	}
	return int64(p.sorting(copied, 1, 1))
}

// sorting is the memory that a run takes for a sorted copy of this many bytes, and for what goes
// with it.
func (p EncodeParams) sorting(copied, distinct, rows float64) float64 {
	switch {
	case p.Count == 0 && !p.Paired:
		return copied + 8*distinct
	case p.Count == 0 && p.Columns[0].Spec.IsWide():
		return copied + 9*rows // texts are sorted first
	case p.Count == 0:
		return 4*copied + rows // codes and their companions, each with a second array
	case p.Paired:
		return 4*copied + MostPaired
	}
	return 4 * copied
}
