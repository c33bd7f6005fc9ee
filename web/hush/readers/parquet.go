package readers

import (
	"errors"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"hush/core/table"
)

// deepest is the largest depth of nested records.
const deepest = 100

// leaf is a column: a field of the table, or of a record in it.
type leaf struct {
	name string
	tell teller
}

// openParquet reads the table of contents of a file.
func openParquet(f *os.File, size int64) (file *parquet.File, leaves []leaf, err error) {
	tail := make([]byte, 4)
	if _, err := f.ReadAt(tail, max(0, size-4)); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if string(tail) == "PARE" {
		return nil, nil, refuse(table.Parquet, "encrypted", table.UnreadAt{})
	}
	defer damaged(table.Parquet, &err)
	file, err = parquet.OpenFile(f, size, parquet.SkipPageIndex(true),
		parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, nil, refuse(table.Parquet, "damaged", table.UnreadAt{Byte: size})
	}
	schema := file.Metadata().Schema
	if len(schema) < 2 {
		return nil, nil, refuse(table.Parquet, "empty", table.UnreadAt{})
	}
	w := walk{rest: schema[1:]}
	if err := w.fields(int(schema[0].NumChildren.V), nil, 0); err != nil {
		return nil, nil, err
	}
	rows := int64(0)
	for _, g := range file.Metadata().RowGroups {
		rows += g.NumRows
		if len(g.Columns) != len(w.leaves) {
			return nil, nil, refuse(table.Parquet, "damaged", table.UnreadAt{Row: rows})
		}
		for i, chunk := range g.Columns {
			if wrongly(chunk.MetaData.Codec) {
				return nil, nil, refuse(table.Parquet, "unsupported",
					table.UnreadAt{Column: i + 1, Name: w.leaves[i].name})
			}
		}
	}
	if rows != file.NumRows() {
		return nil, nil, refuse(table.Parquet, "damaged", table.UnreadAt{Byte: size})
	}
	return file, w.leaves, nil
}

// wrongly reports whether the library unpacks a codec incorrectly without an error: v0.32.0 drops
// LZ4 output that needed a larger buffer (its issue 608). The page reads such files.
func wrongly(c format.CompressionCodec) bool { return c == format.Lz4 || c == format.Lz4Raw }

// walk visits a schema, which is a list of elements, each before its fields.
type walk struct {
	rest   []format.SchemaElement
	leaves []leaf
}

// fields reads the fields of the table, or of a record in it, which are columns of their own;
// missing is the number of parts of their path that may be missing.
func (w *walk) fields(n int, path []string, missing int) error {
	for range n {
		if len(w.rest) == 0 {
			return refuse(table.Parquet, "damaged", table.UnreadAt{})
		}
		e := w.rest[0]
		w.rest = w.rest[1:]
		names := append(path[:len(path):len(path)], e.Name)
		where := table.UnreadAt{Column: len(w.leaves) + 1, Name: strings.Join(names, ".")}
		most := missing
		if e.RepetitionType.V != format.Required {
			most++
		}
		switch {
		case nests(e):
			return refuse(table.Parquet, "nested", where)
		case len(names) > deepest:
			return refuse(table.Parquet, "unsupported", where)
		case e.NumChildren.V > 0:
			if err := w.fields(int(e.NumChildren.V), names, most); err != nil {
				return err
			}
			continue
		}
		tell := tellerOf(e)
		if tell == nil {
			return refuse(table.Parquet, "unsupported", where)
		}
		w.leaves = append(w.leaves, leaf{where.Name, tell})
	}
	return nil
}

// nests reports whether an element holds lists or maps.
func nests(e format.SchemaElement) bool {
	switch e.LogicalType.Value.(type) {
	case *format.ListType, *format.MapType, *format.VariantType:
		return true
	}
	converted, is := e.ConvertedType.Get()
	return e.RepetitionType.V == format.Repeated || is && (converted == deprecated.List ||
		converted == deprecated.Map || converted == deprecated.MapKeyValue)
}

// damaged turns a panic into an error: the library panics for some files that contradict
// themselves.
func damaged(format string, err *error) {
	if caught := recover(); caught != nil {
		*err = refuse(format, "damaged", table.UnreadAt{})
	}
}

// parquetTable writes the table of a file as CSV.
func parquetTable(f *os.File, size int64, told func(int64), r *rows) (err error) {
	file, leaves, err := openParquet(f, size)
	if err != nil {
		return err
	}
	defer damaged(table.Parquet, &err)
	for _, l := range leaves {
		r.cell([]byte(l.name))
	}
	if err := r.end(table.Parquet); err != nil {
		return err
	}
	done := int64(0)
	for i, group := range file.RowGroups() {
		columns := make([]*column, len(leaves))
		for j, chunk := range group.ColumnChunks() {
			columns[j] = &column{leaf: leaves[j], pages: chunk.Pages(),
				where: table.UnreadAt{Column: j + 1, Name: leaves[j].name}}
			defer columns[j].pages.Close()
		}
		for range group.NumRows() {
			for _, c := range columns {
				cell, err := c.next()
				if err != nil {
					return err
				}
				r.cell(cell)
			}
			if err := r.end(table.Parquet); err != nil {
				return err
			}
		}
		for _, c := range file.Metadata().RowGroups[i].Columns {
			done += c.MetaData.TotalCompressedSize
		}
		told(min(done, size))
	}
	return r.flush()
}

// column returns the texts of a column of a row group, one by one.
type column struct {
	leaf
	pages  parquet.Pages
	values parquet.ValueReader
	held   [256]parquet.Value
	at, n  int
	cell   []byte
	where  table.UnreadAt
}

func (c *column) next() ([]byte, error) {
	if c.at == c.n {
		if err := c.more(); err != nil {
			if unread := (*table.UnreadError)(nil); errors.As(err, &unread) {
				return nil, err
			}
			return nil, refuse(table.Parquet, "damaged", c.where)
		}
	}
	v := c.held[c.at]
	c.at++
	c.cell = c.cell[:0]
	if !v.IsNull() {
		c.cell = c.tell(c.cell, v)
	}
	return c.cell, nil
}

// more loads the next values.
func (c *column) more() error {
	for {
		if c.values == nil {
			page, err := c.pages.ReadPage()
			if err != nil {
				return err
			}
			c.values = page.Values()
		}
		n, err := c.values.ReadValues(c.held[:])
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if errors.Is(err, io.EOF) {
			c.values = nil
		}
		if c.at, c.n = 0, n; n > 0 {
			return nil
		}
	}
}
