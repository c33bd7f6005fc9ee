// Package spelling holds the decisions of a file's owner about cells that fit no category of their
// column. What it knows is for that owner's screen alone: none of it is kept, and the decisions
// enter the codebook, whose categories and spellings are public.
package spelling

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hush/core/domain"
	"hush/core/table"
)

// Cells are the cells of the open file that fit no category, by column.
type Cells struct {
	found []table.Unplaced
	left  map[string]bool // cells that the owner leaves out, by column and cell
}

// Find takes over what the engine found for the present lists.
func (c *Cells) Find(found []table.Unplaced) { c.found = found }

// Of lists the cells of a column that are still undecided; more says that not all of them are
// listed.
func (c *Cells) Of(column int) (cells []string, more bool) {
	for _, f := range c.found {
		if f.Column != column {
			continue
		}
		for _, cell := range f.Cells {
			if !c.left[key(column, cell)] {
				cells = append(cells, cell)
			}
		}
		more = f.More && !c.left[key(column, "")]
	}
	return cells, more
}

// Any reports whether some cell of a column has no place, whether decided or not.
func (c *Cells) Any(column int) bool {
	return slices.ContainsFunc(c.found, func(f table.Unplaced) bool { return f.Column == column })
}

// Leave leaves out cells of a column, and those that are not listed.
func (c *Cells) Leave(column int, cells []string) {
	if c.left == nil {
		c.left = map[string]bool{}
	}
	for _, cell := range append(cells, "") {
		c.left[key(column, cell)] = true
	}
}

func key(column int, cell string) string { return strconv.Itoa(column) + " " + cell }

// Proposal returns the category that differs from a cell only in capitals, spaces and signs, or "".
func Proposal(spec domain.Spec, cell string) string {
	for _, name := range spec.Categories {
		if bare(name) == bare(cell) && bare(cell) != "" {
			return name
		}
	}
	return ""
}

// bare returns a text in small letters, with letters and digits only.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Verdict is the decision about a cell: it is left out, becomes a category of its own, or counts as
// the category with this name.
type Verdict struct {
	Own bool
	As  string
}

// Decided returns the list with the decisions about cells, in their order; left lists the cells
// that are left out.
func Decided(spec domain.Spec, cells []string, verdicts map[string]Verdict) (list domain.Spec,
	left []string) {
	list = spec
	list.Categories, list.Spellings = slices.Clone(spec.Categories), slices.Clone(spec.Spellings)
	for _, cell := range cells {
		switch v := verdicts[cell]; {
		case v.Own:
			list.Categories = append(list.Categories, cell)
		case v.As != "":
			list.Spellings = append(list.Spellings, domain.Spelling{Cell: cell, As: v.As})
		default:
			left = append(left, cell)
		}
	}
	return list, left
}

// WithOther returns the list with one more category, which takes every cell that is not listed.
func WithOther(spec domain.Spec, name string) domain.Spec {
	if !slices.Contains(spec.Categories, name) {
		spec.Categories = append(slices.Clone(spec.Categories), name)
	}
	spec.Other = name
	return spec
}
