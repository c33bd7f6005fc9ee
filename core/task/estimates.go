package task

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/codebook"
	"hush/core/message"
	"hush/core/phrase"
)

// Estimates are released numbers, one for everybody or one for each group.
type Estimates struct {
	Name phrase.Key `json:"name"` // the number's: "mean"; see Title
	// Noun is the noun for the people or things in the rows, where the recipe has one.
	Noun codebook.Noun `json:"noun,omitzero"`
	Rows []Estimate    `json:"rows"`
	// Axes are the columns whose places the groups combine, the place on the last one changing
	// fastest; nil where the groups are those of one column, and in releases of earlier versions.
	Axes []Axis `json:"axes,omitempty"`
	// Found says that the groups are released too: the last row is then everybody in another group;
	// with axes it is the last place of the first one.
	Found bool `json:"found,omitempty"`
	// Of says what the numbers count, which decides how they are written: counts of people are
	// whole. Many is Name with a blank for the noun of the people counted; empty: it has no place
	// for one. Along says that each row is a direction, not a group of people.
	Of    ask.ErrorOf `json:"of,omitempty"`
	Many  phrase.Key  `json:"many,omitempty"`
	Along bool        `json:"along,omitempty"`
}

// The numbers that releases of earlier versions describe by their name only.
const (
	countName  phrase.Key = "number of people with a value"
	shareName  phrase.Key = "share of people with a value"
	spreadName phrase.Key = "spread in % of the range"

	countMany phrase.Key = "number of %s with a value"
	shareMany phrase.Key = "share of %s with a value"
)

// untold returns the fields that a release of such a number omits, today too: its bytes stay the
// same.
func untold(name phrase.Key) (e Estimates) {
	switch name {
	case countName:
		e.Of, e.Many = ask.OfPeople, countMany
	case shareName:
		e.Of, e.Many = ask.OfShare, shareMany
	case spreadName:
		e.Along = true
	}
	return e
}

// plainEstimates are Estimates with JSON's own rules.
type plainEstimates Estimates

// MarshalJSON omits the fields that the name has always implied.
func (e *Estimates) MarshalJSON() ([]byte, error) {
	out := plainEstimates(*e)
	if u := untold(e.Name); u.Of == e.Of && u.Many == e.Many && u.Along == e.Along {
		out.Of, out.Many, out.Along = "", "", false
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes, and releases of earlier versions.
func (e *Estimates) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, (*plainEstimates)(e)); err != nil {
		return err
	}
	if e.Of == "" && e.Many == "" && !e.Along {
		u := untold(e.Name)
		e.Of, e.Many, e.Along = u.Of, u.Many, u.Along
	}
	return nil
}

// Estimate is a number with an interval that holds the true one with probability 95 %.
type Estimate struct {
	Group string `json:"group,omitempty"` // empty: everybody
	Value string `json:"value"`           // decimals, as many as the interval supports
	Low   string `json:"low"`
	High  string `json:"high"`
	// Size is the noisy number of people in a group that was found or, for all others, of people in
	// none of them. All cells of a group have the same Size.
	Size *Estimate `json:"size,omitempty"`

	// number holds the numbers in the texts, for a release that was just made, and together the
	// same number with an interval such that the intervals of all groups hold at once with
	// probability 95 %.
	number, together interval
}

// interval is a number with its two ends, and the digits behind the point with which they are
// written.
type interval struct {
	value, low, high float64
	digits           int
}

// Shown returns the number as all texts but JSON have it: limited to its range. Noise can push a
// count below nobody or above all, where the range ends; JSON keeps what was drawn, which sums
// need.
func (e *Estimate) Shown() string {
	value, low, high := new(big.Rat), new(big.Rat), new(big.Rat)
	for _, read := range []struct {
		into *big.Rat
		text string
	}{{value, e.Value}, {low, e.Low}, {high, e.High}} {
		if len(read.text) > 400 || !ask.IsNumber(read.text) {
			return e.Value // it comes from a file
		}
		read.into.SetString(read.text)
	}
	switch {
	case value.Cmp(low) < 0:
		return e.Low
	case value.Cmp(high) > 0:
		return e.High
	}
	return e.Value
}

// cells returns the cells of a table.
func (e *Estimate) cells() []string { return []string{e.Shown(), e.Low, e.High} }

// off is the distance to the further end.
func (i interval) off() float64 { return max(i.high-i.value, i.value-i.low) }

// Title is the name of the number, with the noun for the people who are counted.
func (e *Estimates) Title(say *message.Language) string {
	if e.Noun.Many == "" || e.Many == "" {
		return say.Text(e.Name)
	}
	return say.Format(e.Many, e.Noun.Many)
}

// writtenCount writes a number of people with an interval limited to nobody and all n.
func writtenCount(group string, e basic.Estimate, n int64) Estimate {
	low, high := new(big.Rat), big.NewRat(n, 1)
	return texts(group, e, digitsOf(e), func(x *big.Rat) *big.Rat {
		switch {
		case x.Cmp(low) < 0:
			return low
		case x.Cmp(high) > 0:
			return high
		}
		return x
	})
}

// written rounds an estimate to the digits that its interval resolves, the ends outwards, so that
// the interval still holds.
func written(group string, e basic.Estimate) Estimate {
	return texts(group, e, digitsOf(e), func(x *big.Rat) *big.Rat { return x })
}

// digitsOf returns the number of digits behind the point that an interval resolves.
func digitsOf(e basic.Estimate) int {
	width, _ := new(big.Rat).Sub(e.High, e.Low).Float64()
	switch {
	case width > 0:
		return min(max(0, 2-int(math.Floor(math.Log10(width)))), 12)
	case !e.Value.IsInt():
		return 12
	}
	return 0
}

// texts writes an estimate with that many digits; end rounds the ends of its interval.
func texts(group string, e basic.Estimate, digits int, end func(*big.Rat) *big.Rat) Estimate {
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	low, high := rounded(end(e.Low), unit, false), rounded(end(e.High), unit, true)
	return Estimate{Group: group, Value: e.Value.FloatString(digits),
		Low: low.FloatString(digits), High: high.FloatString(digits),
		number: interval{float(nearest(e.Value, unit)), float(low), float(high), digits}}
}

// nearest returns the multiple of 1/unit nearest to x; of two, the one further from 0.
func nearest(x, unit *big.Rat) *big.Rat {
	half := new(big.Rat).Quo(big.NewRat(1, 2), unit)
	if x.Sign() < 0 {
		return rounded(new(big.Rat).Sub(x, half), unit, true)
	}
	return rounded(half.Add(x, half), unit, false)
}

// rounded returns the next multiple of 1/unit, down or up.
func rounded(x, unit *big.Rat, up bool) *big.Rat {
	scaled := new(big.Rat).Mul(x, unit)
	whole := new(big.Int).Div(scaled.Num(), scaled.Denom()) // towards −∞
	if up && !scaled.IsInt() {
		whole.Add(whole, one)
	}
	return new(big.Rat).Quo(new(big.Rat).SetInt(whole), unit)
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// Kind is "estimates".
func (*Estimates) Kind() string { return "estimates" }

// GroupName names the group of a row; where groups were found, the last row is all others.
func (e *Estimates) GroupName(say *message.Language, row int) string {
	return groupName(say, e.Rows[row].Group, e.Found && e.Axes == nil && row == len(e.Rows)-1)
}

// File returns the table for programs: counts are whole numbers.
func (e *Estimates) File(column string) [][]string {
	name, counts := e.Title(nil), 0 // how many cells at the end of a row are counts
	if e.Counts() {
		name, counts = "count", 3
	}
	header := []string{name, "low", "high"}
	if e.Found {
		header = append(header, "people", "people low", "people high")
		counts += 3
	}
	rows := e.Table(ask.Voice{}, column)
	if len(rows[0]) > len(header) {
		header = append([]string{string(e.rows())}, header...)
	}
	rows[0] = header
	for _, row := range rows[1:] {
		wholes(row[len(row)-counts:])
	}
	return rows
}

// rows names the subject of each row, where there are several.
func (e *Estimates) rows() phrase.Key {
	if e.Directions() {
		return "direction"
	}
	return "group"
}

// Directions reports whether each row is a direction, not a group of people.
func (e *Estimates) Directions() bool { return e.Along }

// Counts reports whether the numbers count people.
func (e *Estimates) Counts() bool { return e.Of == ask.OfPeople }

// wholes writes whole numbers without a fraction.
func wholes(cells []string) {
	for i, cell := range cells {
		if whole, fraction, _ := strings.Cut(cell, "."); strings.Trim(fraction, "0") == "" {
			cells[i] = whole
		}
	}
}

// Table lists the released numbers, one row for each.
func (e *Estimates) Table(say ask.Voice, column string) [][]string {
	grouped := len(e.Rows) > 0 && e.Rows[0].Group != ""
	header := []string{say.Format("%s of %s", e.Title(say.Language), column),
		say.Text("low (95 %)"),
		say.Text("high (95 %)")}
	if grouped {
		header = append([]string{say.Text(e.rows())}, header...)
	}
	if e.Found {
		header = append(header, say.Format("%s in the group", say.Many()), say.Text("low (95 %)"),
			say.Text("high (95 %)"))
	}
	rows := [][]string{header}
	for i, r := range e.Rows {
		row := r.cells()
		if e.Counts() {
			wholes(row)
		}
		if grouped {
			row = append([]string{e.GroupName(say.Language, i)}, row...)
		}
		if e.Found {
			size := r.Size.cells()
			wholes(size)
			row = append(row, size...)
		}
		rows = append(rows, row)
	}
	return rows
}
