// Package spelling is what the owner of a file decides about the cells that no category of a column
// takes. What it knows is for that owner's screen alone: nothing of it is kept, and what is decided
// enters the codebook, whose categories and spellings are public.
package spelling

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hush/core/domain"
	"hush/core/table"
)

// Cells are the cells of the open file that no category takes, by column.
type Cells struct {
	found []table.Unplaced
	left  map[string]bool // what the owner leaves out, by column and cell
}

// Find takes what the engine has found in the lists as they are.
func (c *Cells) Find(found []table.Unplaced) { c.found = found }

// Of lists the cells of a column that nobody has decided about; more says that not all are listed.
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

// Any reports whether some cell of a column has no place, decided about or not.
func (c *Cells) Any(column int) bool {
	return slices.ContainsFunc(c.found, func(f table.Unplaced) bool { return f.Column == column })
}

// Leave leaves cells of a column out, and those that are not listed.
func (c *Cells) Leave(column int, cells []string) {
	if c.left == nil {
		c.left = map[string]bool{}
	}
	for _, cell := range append(cells, "") {
		c.left[key(column, cell)] = true
	}
}

func key(column int, cell string) string { return strconv.Itoa(column) + " " + cell }

// Proposal is the category that differs from a cell in capitals, spaces and signs alone, or "".
func Proposal(spec domain.Spec, cell string) string {
	for _, name := range spec.Categories {
		if bare(name) == bare(cell) && bare(cell) != "" {
			return name
		}
	}
	return ""
}

// bare is a text in small letters without what is neither a letter nor a digit.
func bare(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Verdict is what is decided about a cell: that it is left out, a category of its own, or counts as
// the category of this name.
type Verdict struct {
	Own bool
	As  string
}

// Decided is the list with the decisions about cells, in their order; left are those that are
// left out.
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

// WithOther is the list with one more category, which takes every cell that is not listed.
func WithOther(spec domain.Spec, name string) domain.Spec {
	if !slices.Contains(spec.Categories, name) {
		spec.Categories = append(slices.Clone(spec.Categories), name)
	}
	spec.Other = name
	return spec
}

// Text writes spellings as a person types them, one a line: "MITTE = Mitte".
func Text(list []domain.Spelling) string {
	lines := make([]string, len(list))
	for i, s := range list {
		lines[i] = s.Cell + " = " + s.As
	}
	return strings.Join(lines, "\n")
}

// Parse reads what Text writes. Where a line has several signs of equality, the one counts that has
// a category behind it. A line without one names no category, which a domain refuses.
func Parse(text string, categories []string) (list []domain.Spelling) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		s := domain.Spelling{Cell: line}
		for at := range len(line) {
			if line[at] != '=' {
				continue
			}
			cell, as := strings.TrimSpace(line[:at]), strings.TrimSpace(line[at+1:])
			if s.As == "" || slices.Contains(categories, as) {
				s = domain.Spelling{Cell: cell, As: as}
			}
		}
		list = append(list, s)
	}
	return list
}
