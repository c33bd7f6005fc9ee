package codebook

import (
	"slices"

	"hush/core/domain"
	"hush/core/table"
)

// Beside returns the codebook fitted to a file that is read as options say. A column that the file
// has under the same header at another place moves there; a column that the file lacks is left out,
// and listed: a description of one column never applies to another. If no column of the codebook is
// in the file, its names go too, since they belong to another data set; ours is then false.
func (b Codebook) Beside(options table.Options, fields []table.Field) (fit Codebook, left []Column,
	ours bool) {
	named := options.Header == table.Yes
	b.Table = options
	place := func(header string) int { // index in fields, −1 for none
		return slices.IndexFunc(fields, func(f table.Field) bool {
			return named && header != "" && f.Name == header
		})
	}
	if c, ok := b.Column(b.Rows.Column); ok { // the column of persons moves, too
		if at := place(c.Header); at >= 0 {
			b.Rows.Column = fields[at].Column
		}
	}
	var moved []Column
	differs, all := b.Differs(fields), b.Columns()
	for _, c := range all {
		if c.State() != Described {
			b = b.Without(c.Number) // header and type come from the file again
			continue
		}
		if !slices.Contains(differs, c.Number) {
			continue
		}
		b = b.Without(c.Number)
		if at := place(c.Header); at >= 0 {
			c.Number = fields[at].Column
			moved = append(moved, c)
		} else {
			left = append(left, c)
		}
	}
	for _, c := range moved {
		if _, taken := b.Column(c.Number); taken {
			left = append(left, c)
		} else if next, err := b.With(c); err == nil {
			b = next
		}
	}
	ours = len(all) == 0 || len(differs) < len(all) || len(moved) > 0
	if !ours {
		b.Name, b.Source, b.Noun = "", "", Noun{}
	}
	return b.See(fields), left, ours
}

// Lists returns the columns that are described by a list of categories.
func (b Codebook) Lists() (list []table.Wanted) {
	for _, c := range b.Columns() {
		if v := c.Values(); v.Kind == domain.Category {
			list = append(list, table.Wanted{Column: c.Number, Spec: v.Spec})
		}
	}
	return list
}

// Proposed returns the numbers of the columns whose names say that they identify the person of a
// row: see [RowsOf].
func Proposed(fields []table.Field) (numbers []int) {
	for _, f := range fields {
		if RowsOf(f.Name) == Several {
			numbers = append(numbers, f.Column)
		}
	}
	return numbers
}
