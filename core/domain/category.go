package domain

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"hush/core/phrase"
)

// maxCategories bounds the list: it is typed or pasted by a person and travels in the recipe.
const maxCategories = 100_000

// categories is the domain of listed texts, in the order of the list. Spaces around a cell do not
// count.
type categories struct {
	spec    Spec
	names   []string
	codes   lookup // of the names and of other spellings
	other   int    // the code of all other cells, −1 for none
	missing missing

	folded  lookup // with Fold: of all folded names and spellings
	longest int    // the length of the longest of these, and of the folded words for no value
}

func newCategories(spec Spec) (*categories, error) {
	size := len(spec.Categories) + len(spec.Spellings)
	c := &categories{spec: spec, other: -1, codes: newLookup(size)}
	if spec.Fold {
		c.folded = newLookup(size)
	}
	if spec.Outside == Clamp {
		return nil, refuse("outside", spec.Outside, `"none": categories have no nearest bound`)
	}
	if len(spec.Categories) == 0 || len(spec.Categories) > maxCategories {
		return nil, refuse("categories", fmt.Sprint(len(spec.Categories)), "1 to %d of them",
			maxCategories)
	}
	var err error
	if c.missing, err = newMissing(spec); err != nil {
		return nil, err
	}
	for text := range c.missing.texts {
		c.longest = max(c.longest, len(text))
	}
	for i, name := range spec.Categories {
		name = strings.Trim(name, " \t")
		if name == "" {
			return nil, refuse("categories", spec.Categories[i],
				"a text that is not empty: an empty cell is none")
		}
		if c.missing.has([]byte(name)) {
			return nil, refuse("categories", name, "a text that is not listed as missing")
		}
		if !c.codes.add(name, uint32(i)) {
			return nil, refuse("categories", name, "each category once; %q is there twice",
				phrase.Short(name))
		}
		if as, err := c.fold("categories", name, uint32(i)); err != nil {
			return nil, err
		} else if as != uint32(i) {
			return nil, refuse("categories", name, "another category than %q: case and spaces do "+
				"not count, so list it once, or let them count", c.names[as])
		}
		c.names = append(c.names, name)
	}
	if err := c.spell(spec.Spellings); err != nil {
		return nil, err
	}
	if spec.Other != "" {
		c.other = slices.Index(c.names, strings.Trim(spec.Other, " \t"))
		if c.other < 0 {
			return nil, refuse("other", spec.Other, "one of the categories")
		}
	}
	return c, nil
}

// spell makes further cells count as the categories.
func (c *categories) spell(list []Spelling) error {
	if len(list) > maxCategories {
		return refuse("spellings", fmt.Sprint(len(list)), "at most %d of them", maxCategories)
	}
	for _, s := range list {
		name := strings.Trim(s.As, " \t")
		code, ok := c.codes.find([]byte(name))
		if !ok || c.names[code] != name {
			return refuse("spellings", s.As, "one of the categories")
		}
		switch cell := strings.Trim(s.Cell, " \t"); {
		case cell == "":
			return refuse("spellings", s.Cell, "a text that is not empty: an empty cell is none")
		case c.missing.has([]byte(cell)):
			return refuse("spellings", s.Cell, "a text that is not listed as missing")
		case !c.codes.add(cell, code):
			return refuse("spellings", s.Cell, "each cell once, and none that is a category")
		default:
			as, err := c.fold("spellings", cell, code)
			if err != nil {
				return err
			}
			if as != code {
				return refuse("spellings", s.Cell, "a cell of %q alone: case and spaces do not "+
					"count, and so it is one of %q, too", name, c.names[as])
			}
		}
	}
	return nil
}

// fold enters a name or spelling of a category among the folded texts, and returns the category
// that the text has there: another one if two of them differ in case and spaces alone.
func (c *categories) fold(field, text string, code uint32) (uint32, error) {
	if !c.spec.Fold {
		return code, nil
	}
	folded := []byte(Folded(text))
	if len(folded) == 0 || !utf8.ValidString(text) {
		return 0, refuse(field, text, "a text that is not empty: an empty cell is none")
	}
	c.longest = max(c.longest, len(folded))
	if !c.folded.add(string(folded), code) {
		code, _ = c.folded.find(folded)
	}
	return code, nil
}

// Spelled reports whether cells that differ by more than the spaces around them can be one
// category.
func (spec Spec) Spelled() bool {
	return len(spec.Spellings) > 0 || spec.Other != "" || spec.Fold
}

// Meant returns the categories that cells count as by a name or another spelling, each once. A cell
// that is not listed stays as it is: by Other it counts as a category, and it names none.
func (spec Spec) Meant(cells []string) (names []string) {
	spec.Other = ""
	d, err := New(spec)
	seen := make(map[string]bool, len(cells))
	for _, cell := range cells {
		if err == nil {
			if code, ok := d.Encode([]byte(cell)); ok {
				cell = d.Decode(code)
			}
		}
		if !seen[cell] {
			seen[cell], names = true, append(names, cell)
		}
	}
	return names
}

// Among returns the domain of some of the categories, in the order given. Cells of the others are
// none, even where all other cells count as one of them.
func (spec Spec) Among(names []string) Spec {
	wanted := make(map[string]bool, len(names))
	for _, name := range names {
		wanted[strings.Trim(name, " \t")] = true
	}
	is := func(name string) bool { return wanted[strings.Trim(name, " \t")] }
	some := spec
	some.Categories, some.Spellings, some.Missing = names, nil, slices.Clone(spec.Missing)
	if !is(spec.Other) {
		some.Other = ""
	}
	gone := func(cell string) {
		if some.Other != "" {
			some.Missing = append(some.Missing, cell)
		}
	}
	for _, name := range spec.Categories {
		if !is(name) {
			gone(name)
		}
	}
	for _, s := range spec.Spellings {
		if is(s.As) {
			some.Spellings = append(some.Spellings, s)
		} else {
			gone(s.Cell)
		}
	}
	return some
}

func (c *categories) Spec() Spec     { return c.spec }
func (c *categories) Size() *big.Int { return sizeOf(uint64(len(c.names) - 1)) }
func (c *categories) Bits() int      { return codeBits(uint64(len(c.names) - 1)) }

func (c *categories) Describe() phrase.Phrase {
	const shown = 5
	list := make([]string, 0, shown)
	for _, name := range c.names[:min(shown, len(c.names))] {
		list = append(list, fmt.Sprintf("%q", name))
	}
	s := phrase.Plain(strings.Join(list, ", "))
	if more := len(c.names) - shown; more > 0 {
		s = phrase.Glue(s, " ", phrase.Of("and %d more", more))
	}
	if len(c.names) == 1 {
		return phrase.Of("one category: %s", s)
	}
	return phrase.Of("%d categories: %s", len(c.names), s)
}

func (c *categories) Encode(cell []byte) (uint64, bool) {
	if code, ok := c.codes.find(cell); ok {
		return uint64(code), true
	}
	if c.spec.Fold {
		code, reason := c.read(cell)
		return code, reason == Read
	}
	cell = trim(cell)
	if code, ok := c.codes.find(cell); ok {
		return uint64(code), true
	}
	// Bytes that are no text are read once more as text (table.codeOf): it may be listed then.
	if c.other < 0 || len(cell) == 0 || c.missing.has(cell) || !utf8.Valid(cell) {
		return 0, false
	}
	return uint64(c.other), true
}

// read reads a cell whose case and spaces do not count.
func (c *categories) read(cell []byte) (uint64, Reason) {
	if !utf8.Valid(cell) { // it is read once more, as text
		return 0, Outside
	}
	var room [128]byte
	text, short := fold(room[:0], cell, c.longest)
	switch code, ok := c.folded.find(text); {
	case short && ok:
		return uint64(code), Read
	case len(text) == 0 || short && c.missing.texts[string(text)]:
		return 0, Missing
	case c.other >= 0:
		return uint64(c.other), Read
	}
	return 0, Outside
}

func (c *categories) Why(cell []byte) Reason {
	if c.spec.Fold {
		_, reason := c.read(cell)
		return reason
	}
	if _, ok := c.Encode(cell); ok {
		return Read
	}
	if len(trim(cell)) == 0 || c.missing.has(cell) {
		return Missing
	}
	return Outside
}

func (c *categories) Decode(code uint64) string {
	return c.names[min(code, uint64(len(c.names)-1))]
}
