package joint

import (
	"encoding/json"
	"math/bits"
	"slices"
	"strconv"

	"hush/core/coin"
	"hush/core/phrase"
)

// Model holds rows that fit the measured tables, and these tables: it answers questions without the
// data. As JSON it can be kept and shared. Its fields must not be changed.
type Model struct {
	Measured *Measured `json:"measured"`
	// Strengths state how strongly each table pulled in the end, as Fit explains; Strength is the
	// same for all tables, in earlier models.
	Strengths []float64 `json:"strengths,omitempty"`
	Strength  float64   `json:"strength,omitempty"`
	Packed    []byte    `json:"rows"` // the rows as bits

	rows []uint8 // the rows one after another
}

// UnmarshalJSON reads a model. A model that Fit could not have made is an error.
func (m *Model) UnmarshalJSON(text []byte) error {
	type fields Model
	var saved fields
	if err := json.Unmarshal(text, &saved); err != nil {
		return err
	}
	read := Model(saved)
	if read.Measured == nil {
		return refuse("measured", "nothing", "the tables of pairs")
	}
	if err := read.Measured.Check(); err != nil {
		return err
	}
	strengths := read.strengths()
	if len(strengths) != len(read.Measured.Tables) {
		return refuse("strengths", strconv.Itoa(len(strengths)), "one for each of %d tables",
			len(read.Measured.Tables))
	}
	for _, strength := range strengths {
		if !(strength > 0 && strength < 1<<20) {
			return refuse("strengths", strconv.FormatFloat(strength, 'g', -1, 64),
				"a number above 0")
		}
	}
	if err := read.unpack(); err != nil {
		return err
	}
	*m = read
	return nil
}

// strengths returns the strengths of the tables.
func (m *Model) strengths() []float64 {
	if m.Strengths == nil {
		return slices.Repeat([]float64{m.Strength}, len(m.Measured.Tables))
	}
	return m.Strengths
}

// Rows is the number of rows.
func (m *Model) Rows() int { return len(m.rows) / len(m.Measured.Sizes) }

// Row returns the places of a row, one in each column. It must not be written to.
func (m *Model) Row(row int) []uint8 {
	columns := len(m.Measured.Sizes)
	return m.rows[row*columns : (row+1)*columns : (row+1)*columns]
}

// Draw makes up this many rows and passes them one after another to each, which must not keep them.
// The first rows are the model's; for more, its rows are redrawn by the same law. It looks at the
// release alone and costs nothing.
func (m *Model) Draw(src coin.Source, rows int, each func(row []uint8)) error {
	of, columns := m.rows, len(m.Measured.Sizes)
	var c *chain
	for {
		for at := 0; at < len(of) && rows > 0; at += columns {
			each(of[at : at+columns])
			rows--
		}
		if rows == 0 {
			return nil
		}
		if c == nil {
			c = newChain(coin.NewSeeded(coin.Seed(src.Uniform(1<<63))), m.Measured)
			copy(c.rows, m.rows)
			copy(c.strengths, m.strengths())
			c.pull()
			of = c.rows
		}
		for range redrawn {
			if err := c.sweep(nil); err != nil {
				return err
			}
		}
	}
}

// Most is the number of rows, up to the given number, that Draw makes up in a few seconds: always
// the model's own, and further ones where a sweep is short.
func (m *Model) Most(rows int) int {
	further := mostWork / (redrawn * workOf(m.Measured) * m.Rows())
	return min(rows, (1+further)*m.Rows())
}

// redrawn is the number of sweeps between two draws of a row. One sweep changes nearly half of all
// values.
const redrawn = 5

// pack writes the places of the rows one after another, each with as many bits as its column needs.
func (m *Model) pack() {
	buffer, filled := uint(0), 0
	for at, place := range m.rows {
		wide := width(m.Measured.Sizes[at%len(m.Measured.Sizes)])
		buffer, filled = buffer<<wide|uint(place), filled+wide
		for ; filled >= 8; filled -= 8 {
			m.Packed = append(m.Packed, byte(buffer>>(filled-8)))
		}
	}
	if filled > 0 {
		m.Packed = append(m.Packed, byte(buffer<<(8-filled)))
	}
}

// unpack reads what pack wrote.
func (m *Model) unpack() error {
	sizes := m.Measured.Sizes
	number, all := rowsOf(m.Measured), 0
	for _, size := range sizes {
		all += number * width(size)
	}
	if len(m.Packed) != (all+7)/8 {
		return refuse("rows", phrase.Of("%d bytes", len(m.Packed)), "%d bytes", (all+7)/8)
	}
	buffer, filled, next := uint(0), 0, 0
	m.rows = make([]uint8, number*len(sizes))
	for at := range m.rows {
		size := sizes[at%len(sizes)]
		wide := width(size)
		for ; filled < wide; filled += 8 {
			buffer, next = buffer<<8|uint(m.Packed[next]), next+1
		}
		place := buffer >> (filled - wide) & (1<<wide - 1)
		if filled -= wide; place >= uint(size) {
			return refuse("rows", strconv.Itoa(int(place)), "places below %d", size)
		}
		m.rows[at] = uint8(place)
	}
	return nil
}

// width is the number of bits for a place of a column.
func width(size int) int { return bits.Len(uint(size - 1)) }

// Sorted returns the same model with its rows in order, which packs well. It gives the same
// answers.
func (m *Model) Sorted() *Model {
	columns := len(m.Measured.Sizes)
	rows := make([][]uint8, 0, m.Rows())
	for row := range slices.Chunk(m.rows, columns) {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, slices.Compare)
	out := &Model{Measured: m.Measured, Strengths: m.Strengths, Strength: m.Strength,
		rows: slices.Concat(rows...)}
	out.pack()
	return out
}
