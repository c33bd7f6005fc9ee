package task

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/phrase"
	queries "hush/core/query"
)

const maxAny = 6 // attributes of a question with “any”

// Conjunctions answers how many people have all, or any, of some attributes. The whole of it is
// private: it can be kept, shared and asked without limit.
type Conjunctions struct {
	Attributes []Attribute      `json:"attributes"`
	Width      int              `json:"width"` // how many attributes may be asked for together
	Typical    float64          `json:"typical"`
	Release    *queries.Release `json:"release"`
}

// Found is an answer from a release, made without the data.
type Found struct {
	People float64
	Share  float64 // part of all people
	Error  float64 // people
	// Sure says that the answer is off by at most Error in 95 of 100 releases. Otherwise Error is
	// the typical one, and single answers may be far off.
	Sure bool
}

// against returns an answer's error, to be judged against the answer.
func (f Found) against() ask.Against {
	if f.Sure {
		return ask.Within(f.Error, f.People)
	}
	return ask.Typically(f.Error, f.People)
}

// combination is a row of the table.
type combination struct {
	names []string
	Found
}

// listed returns the rows of the table.
func (c *Conjunctions) listed() (list []combination) {
	add := func(chosen ...int) {
		if found, err := c.Ask(chosen, c.Any()); err == nil && len(list)+1 < maxListed {
			one := combination{Found: found}
			for _, x := range chosen {
				one.names = append(one.names, c.Attributes[x].Name)
			}
			list = append(list, one)
		}
	}
	for x := range c.Attributes {
		add(x)
	}
	for x := range c.Attributes {
		for y := range x {
			if c.Width > 1 && c.Attributes[x].Column != c.Attributes[y].Column {
				add(y, x)
			}
		}
	}
	return list
}

// Ask answers how many people have all of the chosen attributes, or any of them, from the release
// alone. It refuses more attributes than the release was made for. Public facts cost no error:
// nobody has two categories of one column, and one of two cut points on the same side implies the
// other.
func (c *Conjunctions) Ask(chosen []int, any bool) (Found, error) {
	if any == c.Any() {
		return c.asReleased(chosen)
	}
	if m := c.Release.Method; m == queries.ByTables || m == queries.ByWeights {
		set, err := queries.NewSet(len(c.Attributes), chosen...)
		if err != nil {
			return Found{}, err
		}
		answer, err := c.Release.AskAny(set)
		if m == queries.ByTables {
			return foundOf(answer), err
		}
		return Found{People: answer.Persons, Share: answer.Share, Error: c.Typical}, err
	}
	if c.Release.Method == queries.ByProduct {
		return c.anyOfProduct(chosen)
	}
	if !any { // nobody has two categories of one column
		left, possible, err := c.simple(chosen)
		if err != nil || !possible {
			return Found{Sure: true}, err
		}
		if len(left) > c.Width {
			return Found{}, c.tooMany(len(left))
		}
		chosen = left
	}
	if len(chosen) > maxAny {
		most := phrase.Of("at most %d for “any”", maxAny)
		if !any {
			most = phrase.Of("at most %d for “all”", maxAny)
		}
		return Found{}, ask.Refuse("chosen", phrase.Of("%d attributes", len(chosen)), most)
	}
	sum, variance := Found{Sure: true}, 0.0
	for mask := 1; mask < 1<<len(chosen); mask++ { // inclusion and exclusion
		var part []int
		sign := -1.0
		for i, x := range chosen {
			if mask>>i&1 == 1 {
				part, sign = append(part, x), -sign
			}
		}
		found, err := c.asReleased(part)
		if err != nil {
			return Found{}, err
		}
		sum.People += sign * found.People
		variance += found.Error * found.Error
		sum.Sure = sum.Sure && found.Sure
	}
	n := float64(c.Release.Persons)
	sum.People = min(max(sum.People, 0), n)
	sum.Share, sum.Error = sum.People/n, math.Sqrt(variance)
	return sum, nil
}

// None answers how many people have none of the chosen attributes: everybody except those with any.
func (c *Conjunctions) None(chosen []int) (Found, error) {
	found, err := c.Ask(chosen, true)
	if err != nil {
		return Found{}, err
	}
	found.People, found.Share = float64(c.Release.Persons)-found.People, 1-found.Share
	return found, nil
}

// anyOfProduct treats columns as independent: the people with any of the attributes are everybody
// except the product of the shares without. Categories of one column exclude each other, and of its
// cut points only the outermost matter.
func (c *Conjunctions) anyOfProduct(chosen []int) (Found, error) {
	chosen = slices.Compact(slices.Sorted(slices.Values(chosen)))
	without, columns := 1.0, map[int][]int{}
	for _, x := range chosen {
		if x < 0 || x >= len(c.Attributes) {
			_, _, err := c.simple([]int{x})
			return Found{}, err
		}
		columns[c.Attributes[x].Of] = append(columns[c.Attributes[x].Of], x)
	}
	for _, x := range chosen {
		column := columns[c.Attributes[x].Of]
		if column[0] != x { // counted with the first
			continue
		}
		ends := map[Side]int{} // by side, the attribute that includes the others
		share := 0.0
		for _, y := range column {
			a := c.Attributes[y]
			if _, known := ends[a.Side]; !known || a.Side == BelowCut {
				ends[a.Side] = y // ascending: the first from, and the last below
			}
			if a.Side == "" {
				part, err := c.single(y)
				if err != nil {
					return Found{}, err
				}
				share += part
			}
		}
		if not, is := ends[NotIt]; is { // two of them are all, as is one with its category
			var err error
			if share, err = c.single(not); err != nil {
				return Found{}, err
			}
			if slices.ContainsFunc(column, func(y int) bool {
				return c.Attributes[y].Side == NotIt && y != not || y == c.negated(not)
			}) {
				its, err := c.single(c.negated(not))
				if err != nil {
					return Found{}, err
				}
				share += its
			}
		}
		from, isFrom := ends[FromCut]
		below, isBelow := ends[BelowCut]
		for _, part := range []struct {
			is    bool
			at    []int
			times float64
		}{{isFrom, []int{from}, 1}, {isBelow, []int{below}, 1}, {isFrom && isBelow,
			[]int{from, below}, -1}} {
			left, possible, err := c.simple(part.at)
			if !part.is || err == nil && !possible {
				continue
			}
			if err != nil {
				return Found{}, err // unreachable: they are among the attributes
			}
			found, err := c.product(left)
			if err != nil {
				return Found{}, err
			}
			share += part.times * found.Share
		}
		without *= 1 - min(max(share, 0), 1)
	}
	n := float64(c.Release.Persons)
	return Found{People: (1 - without) * n, Share: 1 - without,
		Error: max(c.Typical, c.Release.Noise)}, nil
}

// tooMany refuses more attributes than the release was made for.
func (c *Conjunctions) tooMany(attributes int) error {
	return ask.Refuse("chosen", phrase.Of("%d attributes", attributes),
		phrase.Of("at most %d together", c.Width))
}

// asReleased answers a question of the kind that the release is for: a conjunction or a
// disjunction.
func (c *Conjunctions) asReleased(chosen []int) (Found, error) {
	left, possible, err := c.simple(chosen)
	switch {
	case err != nil:
		return Found{}, err
	case c.Any():
		chosen = slices.Compact(slices.Sorted(slices.Values(chosen)))
	case !possible:
		return Found{Sure: true}, nil
	default:
		chosen = left
	}
	if len(chosen) > c.Width {
		return Found{}, c.tooMany(len(chosen))
	}
	if c.Release.Method == queries.ByProduct {
		return c.product(chosen)
	}
	set, err := queries.NewSet(len(c.Attributes), chosen...)
	if err != nil {
		return Found{}, err
	}
	answer, err := c.Release.Ask(set)
	switch method := c.Release.Method; {
	case err != nil:
		return Found{}, err
	case method == queries.ByMarginals, method == queries.ByTables, len(chosen) == 0:
		return foundOf(answer), nil
	}
	return Found{People: answer.Persons, Share: answer.Share,
		Error: max(c.Typical, answer.Noise)}, nil
}

// foundOf returns an answer whose error comes from noise alone.
func foundOf(answer queries.Answer) Found {
	return Found{answer.Persons, answer.Share, sureOf95 * answer.Noise, true}
}

// simple drops attributes that follow from others, and reports whether a person can have all of
// them.
func (c *Conjunctions) simple(chosen []int) (left []int, possible bool, err error) {
	for _, x := range chosen {
		if x < 0 || x >= len(c.Attributes) {
			return nil, false,
				ask.Refuse("chosen", fmt.Sprint(x),
					phrase.Of("attributes from 0 to %d", len(c.Attributes)-1))
		}
	}
	for i, x := range chosen {
		follows := slices.Contains(chosen[:i], x)
		for _, y := range chosen {
			a, b := c.Attributes[x], c.Attributes[y]
			switch {
			case x == y || a.Of != b.Of:
			case a.Side == NotIt:
				if b.Side == "" && c.negated(x) == y {
					return nil, false, nil
				}
				follows = follows || b.Side == ""
			case a.Side == "" && b.Side == NotIt:
			case a.Side == "" || a.Side == FromCut && b.Side == BelowCut && a.Cut >= b.Cut:
				return nil, false, nil
			case a.Side == b.Side:
				follows = follows || (a.Side == FromCut) == (a.Cut < b.Cut)
			}
		}
		if !follows {
			left = append(left, x)
		}
	}
	return left, true, nil
}

// negated returns the category of which attribute x is the “not”.
func (c *Conjunctions) negated(x int) int {
	of := c.Attributes[x].Of
	return c.Attributes[x].Cut +
		slices.IndexFunc(c.Attributes, func(a Attribute) bool { return a.Of == of })
}

// product multiplies the shares of columns. A column with cut points leaves at most two attributes,
// “from a” and “below b” with a < b; its share is that below b minus that below a. A column with
// categories leaves one category, or several “not”s; then the shares of the other excluded
// categories are subtracted from the first “not”.
func (c *Conjunctions) product(chosen []int) (Found, error) {
	share := 1.0
	for _, x := range chosen {
		a := c.Attributes[x]
		other := slices.IndexFunc(chosen, func(y int) bool {
			return y != x && c.Attributes[y].Of == a.Of
		})
		if other >= 0 && a.Side == BelowCut {
			continue // counted with the other
		}
		if other >= 0 && other < slices.Index(chosen, x) && a.Side == NotIt {
			continue // counted with the first
		}
		part, err := c.single(x)
		if err != nil {
			return Found{}, err
		}
		for _, y := range chosen {
			if b := c.Attributes[y]; y == x || b.Of != a.Of || a.Side != NotIt {
				continue
			}
			its, err := c.single(c.negated(y))
			if err != nil {
				return Found{}, err
			}
			part = max(part-its, 0)
		}
		if other >= 0 && a.Side != NotIt {
			below, err := c.single(chosen[other])
			if err != nil {
				return Found{}, err
			}
			// The two attributes of a cut point are neighbours: x + 1 is “below” the cut point that
			// x is “from”.
			before, err := c.single(x + 1)
			if err != nil {
				return Found{}, err
			}
			part = max(below-before, 0)
		}
		share *= part
	}
	n := float64(c.Release.Persons)
	return Found{People: share * n, Share: share, Error: max(c.Typical, c.Release.Noise),
		Sure: false}, nil
}

// single returns the share of people with one attribute.
func (c *Conjunctions) single(x int) (float64, error) {
	set, err := queries.NewSet(len(c.Attributes), x)
	if err != nil {
		return 0, err
	}
	answer, err := c.Release.Ask(set)
	return answer.Share, err
}

// Check refuses a release that does not fit the attributes.
func (c *Conjunctions) Check() error {
	if c.Release == nil || c.Release.Size != len(c.Attributes) ||
		c.Release.Kind == queries.Cuts || c.Any() && c.Release.Method != queries.ByPieces {
		return ask.Refuse("attributes", fmt.Sprint(len(c.Attributes)),
			phrase.Of("as many as the release of their conjunctions has"))
	}
	for x, a := range c.Attributes { // product reads the other side or category
		if a.Side == NotIt {
			if at := c.negated(x); a.Cut < 0 || at >= x || c.Attributes[at].Of != a.Of ||
				c.Attributes[at].Side != "" {
				return ask.Refuse("attributes", fmt.Sprintf("%q", a.Name),
					phrase.Of("the category that it is the “not” of before it"))
			}
		}
		if a.Side == FromCut &&
			(x+1 == len(c.Attributes) || c.Attributes[x+1].Of != a.Of ||
				c.Attributes[x+1].Cut != a.Cut || c.Attributes[x+1].Side != BelowCut) {
			return ask.Refuse("attributes", fmt.Sprintf("%q", a.Name),
				phrase.Of("the other side of the cut point next to it"))
		}
	}
	return nil
}

// Kind is "conjunctions".
func (c *Conjunctions) Kind() string { return "conjunctions" }

// Any says that the release was made for “any of” and “none of”, so that “all of” has larger
// errors.
func (c *Conjunctions) Any() bool { return c.Release.Kind == queries.Disjunctions }

// Table lists single attributes and, where attributes were asked for together, pairs.
func (c *Conjunctions) Table(say ask.Voice, _ string) [][]string {
	first := say.Format("%s with all of", Capital(say.Many()))
	if c.Any() {
		first = say.Format("%s with any of", Capital(say.Many()))
	}
	rows := [][]string{{first, Capital(say.Many()), say.Text("Share")}}
	for _, one := range c.listed() {
		rows = append(rows,
			[]string{strings.Join(one.names, ", "), fmt.Sprintf("%.0f", one.People),
				fmt.Sprintf("%.4f", one.Share)})
	}
	return rows
}
