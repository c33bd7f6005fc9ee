package writers

import (
	"io"
	"reflect"
	"strconv"

	"github.com/parquet-go/parquet-go"
)

// batch is the number of rows passed to the library at once.
const batch = 1024

// Parquet writes a table with the columns in their order, each of its own type; an empty cell is
// null.
func Parquet(w io.Writer, t Table) error {
	kinds := t.kinds()
	var root ordered
	for i, name := range t.Names {
		root.fields = append(root.fields, field{parquet.Optional(nodeOf(kinds[i])), name})
	}
	out := parquet.NewGenericWriter[any](w, parquet.NewSchema("made_up", root),
		parquet.Compression(&parquet.Snappy), parquet.CreatedBy("Hush", "", ""))
	rows := make([]parquet.Row, 0, batch)
	for i, cells := range t.Rows {
		row := make(parquet.Row, len(cells))
		for k, cell := range cells {
			row[k] = valueOf(kinds[k], cell).Level(0, 1, k)
			if cell == "" {
				row[k] = parquet.NullValue().Level(0, 0, k)
			}
		}
		if rows = append(rows, row); len(rows) == batch || i == len(t.Rows)-1 {
			if _, err := out.WriteRows(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
	}
	return out.Close()
}

func nodeOf(k Kind) parquet.Node {
	switch k {
	case Whole:
		return parquet.Leaf(parquet.Int64Type)
	case Number:
		return parquet.Leaf(parquet.DoubleType)
	case Day:
		return parquet.Date()
	case Moment:
		return parquet.Timestamp(parquet.Microsecond)
	}
	return parquet.String()
}

// valueOf converts a cell that fits its kind.
func valueOf(k Kind, cell string) parquet.Value {
	switch k {
	case Whole:
		n, _ := strconv.ParseInt(cell, 10, 64)
		return parquet.Int64Value(n)
	case Number:
		x, _ := strconv.ParseFloat(cell, 64)
		return parquet.DoubleValue(x)
	case Day:
		days, _ := day(cell)
		return parquet.Int32Value(int32(days))
	case Moment:
		micros, _ := moment(cell)
		return parquet.Int64Value(micros)
	}
	return parquet.ByteArrayValue([]byte(cell))
}

// ordered is a schema whose fields keep their order; the library's own sorts them by name.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

func (o ordered) Fields() []parquet.Field { return o.fields }

// field is a column of a schema. Its values are passed directly, never found in a Go value.
type field struct {
	parquet.Node
	name string
}

func (f field) Name() string { return f.name }

func (f field) Value(reflect.Value) reflect.Value {
	panic("writers: internal error: a row has no Go type")
}
