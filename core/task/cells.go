package task

import (
	"fmt"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
)

// Axis is one column of a table, with the places that a person can have in it.
type Axis struct {
	Column string  `json:"column"` // the published name
	Unit   string  `json:"unit,omitempty"`
	Places []Place `json:"places"`
}

// Place is a category of an axis, or a bin.
type Place struct {
	Label string `json:"label"`
	// From and To are a bin's edges, as Bin has them; empty for categories.
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
}

// Bins reports whether the places are bins of numbers or times.
func (a Axis) Bins() bool { return len(a.Places) > 0 && a.Places[0].From != "" }

// dimension is an axis that also knows which codes of its column fall into which place.
type dimension struct {
	Axis
	starts []uint64 // first codes of bins, 0 to begin with; nil: each code is a category
	none   bool     // the last place is that of people without a value
}

// dimensionOf makes the dimension of a further column: its categories, the bins between its cut
// points, or else bins at round numbers.
func dimensionOf(q *ask.Query, o ask.Other) (d dimension, err error) {
	d.Column, d.Unit = o.Name(q.Say), o.Unit
	size, err := smallSize(o.Values)
	if err != nil {
		return d, err
	}
	if o.Field.Domain.Kind == domain.Category {
		if len(o.Cuts) > 0 {
			return d, ask.Refuse("cuts", fmt.Sprintf("%q", o.Cuts),
				phrase.Of("none: each category is a place of its own"))
		}
		for code := range size {
			d.Places = append(d.Places, Place{Label: o.Values.Decode(code)})
		}
		return d, nil
	}
	if d.starts = append([]uint64{0}, o.CutCodes...); len(o.CutCodes) == 0 {
		if d.starts, _, err = roundBins(o.Field.Domain, codebook.FewValues); err != nil {
			return d, err
		}
	}
	bins := binsOf{o.Field.Domain, o.Values, d.starts, size}
	edges := bins.edges()
	for i := range d.starts {
		d.Places = append(d.Places, Place{bins.label(i), edges[i], edges[i+1]})
	}
	return d, nil
}

// placedCodes reads a column's codes as places of a dimension.
type placedCodes struct {
	basic.Values
	dimension
	cuts *basic.Cuts // at the starts; nil where codes are places
}

func (p *placedCodes) Code(row int) (uint64, bool) {
	code, ok := p.Values.Code(row)
	switch {
	case !ok && p.none:
		return uint64(len(p.Places) - 1), true
	case p.cuts == nil:
		return code, ok
	}
	return p.cuts.Bin(code), ok
}

func (p *placedCodes) Codes(from int, places []uint64, has []bool) {
	basic.CodesOf(p.Values, from, places, has)
	for i, code := range places {
		switch {
		case !has[i] && p.none:
			places[i], has[i] = uint64(len(p.Places)-1), true
		case p.cuts != nil:
			places[i] = p.cuts.Bin(code)
		}
	}
}

// places returns the rows' places.
func (d dimension) places(column basic.Values) basic.Values {
	if d.starts == nil && !d.none {
		return column
	}
	placed := &placedCodes{Values: column, dimension: d}
	if d.starts != nil {
		placed.cuts = basic.NewCuts(d.starts)
	}
	return basic.CountedAs(placed, column)
}

// cells are the combinations of the places of several columns; the place of the last column changes
// fastest.
type cells struct {
	dimensions []dimension
	first      int  // of the columns, among Data.Others
	grouped    bool // the first dimension is the groups
}

// cellsOf returns the cells of the further columns with a role.
func cellsOf(q *ask.Query, role string) (c cells, err error) {
	fields, first := q.Role(role)
	c.first = first
	for i, f := range fields {
		d, err := dimensionOf(q, f)
		if err != nil {
			return c, ask.OtherFault(first+i, err)
		}
		if slices.ContainsFunc(c.dimensions, func(o dimension) bool {
			return o.Column == d.Column
		}) {
			return c, ask.Refuse(ask.OtherField(first+i, "column"), fmt.Sprintf("%q", d.Column),
				phrase.Of("each column once"))
		}
		c.dimensions = append(c.dimensions, d)
	}
	return c, nil
}

// groupCells returns the public groups of a question: the groups of its list, and their
// combinations with further columns. Where the groups are to be found, the cells are those of the
// further columns alone.
func groupCells(q *ask.Query) (c cells, err error) {
	if c, err = cellsOf(q, roleAnd.Name); err != nil || q.Recipe.Group == nil {
		return c, err
	}
	if fields, first := q.Role(roleAnd.Name); slices.ContainsFunc(fields, func(o ask.Other) bool {
		return o.Field.Column == q.Recipe.Group.Column
	}) {
		return c, ask.Refuse(ask.OtherField(first, "column"), fmt.Sprint(q.Recipe.Group.Column),
			phrase.Of("another column than that of the groups"))
	}
	if q.Groups == nil {
		return c, nil
	}
	var names []string
	for code := range q.Groups.Size().Uint64() {
		names = append(names, q.Groups.Decode(code))
	}
	return c.of(q, names), nil
}

// of combines groups with the cells.
func (c cells) of(q *ask.Query, groups []string) cells {
	group := dimension{Axis: Axis{Column: strings.TrimSpace(q.Recipe.Group.Label)}}
	for _, name := range groups {
		group.Places = append(group.Places, Place{Label: name})
	}
	c.dimensions, c.grouped = append([]dimension{group}, c.dimensions...), true
	return c
}

// withNone adds to each column a place for people without a value.
func (c cells) withNone(q *ask.Query) {
	for i := range c.dimensions {
		d := &c.dimensions[i]
		d.Places, d.none = append(d.Places, Place{Label: q.Say.Text("no value")}), true
	}
}

// sizes returns the number of places of each column.
func (c cells) sizes() (sizes []uint64) {
	for _, d := range c.dimensions {
		sizes = append(sizes, uint64(len(d.Places)))
	}
	return sizes
}

// axes returns the published part of the columns.
func (c cells) axes() (axes []Axis) {
	for _, d := range c.dimensions {
		axes = append(axes, d.Axis)
	}
	return axes
}

// columns returns the rows' places in each column; group holds their places in the groups, if there
// are any.
func (c cells) columns(data ask.Data, group basic.Values) (columns []basic.Values) {
	rest := c.dimensions
	if c.grouped {
		columns, rest = append(columns, group), rest[1:]
	}
	for i, d := range rest {
		columns = append(columns, d.places(values(data.Others[c.first+i])))
	}
	return columns
}

// groups returns each row's cell.
func (c cells) groups(data ask.Data, group basic.Values) basic.Values {
	columns := c.columns(data, group)
	if len(columns) == 1 {
		return columns[0]
	}
	return basic.Crossed(columns, c.sizes())
}

// count is the number of cells.
func (c cells) count() int { return cellsIn(c.axes()) }

// even is the number of n people in a cell of average size; where groups are to be found and nobody
// knows their number, in such a cell of a group with a tenth of all.
func (c cells) even(n int64, found bool) int64 {
	if found {
		n /= 10
	}
	return max(n/int64(c.count()), 1)
}

// named joins the names of columns: "district, department".
func (c cells) named() string { return named(c.axes()) }

func named(axes []Axis) string {
	return strings.Join(slices.DeleteFunc(AxisNames(axes), func(name string) bool {
		return name == ""
	}), ", ")
}

// called joins the names of columns, or is “groups” where they have none.
func called(say *message.Language, axes []Axis) string {
	if names := named(axes); names != "" {
		return names
	}
	return say.Text("group")
}

// AxisNames returns the names of the axes' columns.
func AxisNames(axes []Axis) (names []string) {
	for _, a := range axes {
		names = append(names, a.Column)
	}
	return names
}

// cellsIn is the number of cells in a table with these axes.
func cellsIn(axes []Axis) int {
	cells := 1
	for _, a := range axes {
		cells *= len(a.Places)
	}
	return cells
}

// placesOf returns the places of a cell, one on each axis.
func placesOf(axes []Axis, cell int) []int {
	at := make([]int, len(axes))
	for i := len(axes) - 1; i >= 0; i-- {
		at[i], cell = cell%len(axes[i].Places), cell/len(axes[i].Places)
	}
	return at
}

// cellAt returns the cell with these places.
func cellAt(axes []Axis, at []int) (cell int) {
	for i, place := range at {
		cell = cell*len(axes[i].Places) + place
	}
	return cell
}

// labelsOf returns the labels of a cell's places.
func labelsOf(axes []Axis, cell int) (list []string) {
	for i, place := range placesOf(axes, cell) {
		list = append(list, axes[i].Places[place].Label)
	}
	return list
}

// cellName names a cell by its places, joined by "·".
func cellName(axes []Axis, cell int) string { return strings.Join(labelsOf(axes, cell), " · ") }

// roleAnd is the role of columns that are combined with the groups: each combination gets an
// answer.
var roleAnd = ask.Role{
	Name: ask.FurtherGroups, Label: "a further column of groups",
	Help: "Each of its categories or bins within each group is a group of its own. Lists, bounds " +
		"and cut points are public.",
	Domains: binnedKinds, Max: basic.MaxTableColumns - 1, Cuts: true, Binned: true,
}
