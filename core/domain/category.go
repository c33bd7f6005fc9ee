package domain

import (
	"fmt"
	"math/big"
	"strings"

	"hush/core/phrase"
)

// maxCategories bounds the list: it is typed or pasted by a person and travels in the recipe.
const maxCategories = 100_000

// categories is the domain of listed texts, in the order of the list. Spaces around a cell do not
// count.
type categories struct {
	spec    Spec
	names   []string
	codes   lookup
	missing missing
}

func newCategories(spec Spec) (*categories, error) {
	c := &categories{spec: spec, codes: newLookup(len(spec.Categories))}
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
			return nil, refuse("categories", name, "each category once")
		}
		c.names = append(c.names, name)
	}
	return c, nil
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
	code, ok := c.codes.find(trim(cell))
	return uint64(code), ok
}

func (c *categories) Why(cell []byte) Reason {
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
