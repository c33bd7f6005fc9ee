package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
)

// Density is a released distribution: about how many people have a value in each of certain ranges,
// with bands for the number of people up to a value. Between, Reaching and Synthetic answer from it
// alone.
type Density struct {
	Cells  []DensityCell `json:"cells"` // ascending; together they cover all possible values
	Bands  []DensityBand `json:"bands"` // ascending
	People int64         `json:"people"`
	Shape  string        `json:"shape,omitempty"` // the shape imposed on the density, in words
	// Error is a bound where it was Measured: with probability 95 %, given the release, no count up
	// to a value is off by more than Error people.
	Error    int64 `json:"error,omitempty"`
	Measured bool  `json:"measured,omitempty"`

	read   *density.Distribution // the same as a distribution, once it was asked
	readAs string                // the column's description
}

// DensityCell is a range of values over which its people are taken to be spread evenly.
type DensityCell struct {
	First  string  `json:"first"`
	Last   string  `json:"last"`
	Code   string  `json:"code"` // the code of the last possible value
	People float64 `json:"people"`
	Height float64 `json:"height"` // people for each value, or unit of binary numbers
}

// DensityBand says that, with probability 95 % for all bands at once, between Low and High people
// have this value or a smaller one.
type DensityBand struct {
	Value string  `json:"value"`
	Code  string  `json:"code"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// distribution returns the release as a distribution that can be asked, and the space of the
// column's codes.
func (d *Density) distribution(spec domain.Spec) (*density.Distribution, ask.Space, error) {
	s, err := ask.NewSpace(spec)
	if as := ask.KeyOf(spec); err != nil || as == d.readAs {
		return d.read, s, err
	}
	end := func(text string) (*big.Int, error) {
		code, ok := s.Read(text)
		if !ok {
			return nil, ask.Refuse("code", fmt.Sprintf("%.40q", text),
				phrase.Of("the code of a possible value"))
		}
		return code.Add(code, one), nil
	}
	bounds, mass := []*big.Int{new(big.Int)}, []float64(nil)
	for _, c := range d.Cells {
		b, err := end(c.Code)
		if err != nil {
			return nil, s, err
		}
		bounds, mass = append(bounds, b), append(mass, c.People)
	}
	var at []*big.Int
	var low, high []float64
	for _, b := range d.Bands {
		code, err := end(b.Code)
		if err != nil {
			return nil, s, err
		}
		at, low, high = append(at, code), append(low, b.Low), append(high, b.High)
	}
	if d.read, err = density.NewDistribution(bounds, mass, float64(d.People), "", at, low,
		high); err == nil {
		d.readAs = ask.KeyOf(spec)
	}
	return d.read, s, err
}

// Between answers "how many are from … to …?" for possible values of the column that spec
// describes, "18 to 65" or one value. It costs nothing. The refusals are for the field "between".
func (d *Density) Between(say ask.Voice, spec domain.Spec, text string) (string, error) {
	release, s, err := d.distribution(spec)
	if err != nil {
		return "", err
	}
	from, to, found := strings.Cut(text, " to ")
	if !found {
		to = from
	}
	lo, ok1 := s.Find(strings.TrimSpace(from))
	hi, ok2 := s.Find(strings.TrimSpace(to))
	if !ok1 || !ok2 || lo.Cmp(hi) > 0 {
		return "", ask.Refuse("between", fmt.Sprintf("%.100q", text),
			phrase.Of("two possible values in order with \" to \" between them, of the %s",
				s.Describe()))
	}
	low, high := release.RangeWithin(lo, hi)
	grouped := func(x float64) string { return message.Grouped(int64(math.Round(x))) }
	return say.Format("About %s %s have a value from %s to %s (between %s and %s, in 95 of "+
		"100 releases).", grouped(release.Range(lo, hi)), say.Many(), s.Show(say.Language, lo),
		s.Show(say.Language, hi),
		grouped(low), grouped(high)), nil
}

// Reaching answers "which value has this many percent of the people at or below it?". It costs
// nothing. The refusals are for the field "percent".
func (d *Density) Reaching(say ask.Voice, spec domain.Spec,
	percent string) (string, error) {
	release, s, err := d.distribution(spec)
	if err != nil {
		return "", err
	}
	percent, share, err := readPercent(percent)
	if err != nil {
		return "", err
	}
	low, high := release.QuantileWithin(share)
	value, reached := endsOf(say.Language, s, release, share)
	if !reached {
		return say.Format("The value that %s %% of the %s with a value are at or below lies "+
			"%s (between %s and %s, in 95 of 100 releases).", percent, say.Many(), value,
			s.Show(say.Language, low), s.Show(say.Language, high)), nil
	}
	return say.Format("About %s %% of the %s with a value are at or below %s (between %s and "+
		"%s, in 95 of 100 releases).",
		percent, say.Many(), value, s.Show(say.Language, low), s.Show(say.Language, high)), nil
}

// MostSynthetic is the largest number of rows that Synthetic makes.
const MostSynthetic = 1_000_000

// Synthetic returns a CSV file of made-up values, one a row under the column's name, drawn from the
// release in the column's own notation. It costs nothing. Made-up columns from several releases are
// independent of each other. The refusals are for the field "rows".
func (d *Density) Synthetic(say *message.Language, src coin.Source, spec domain.Spec, column,
	rows string) (string, error) {
	release, s, err := d.distribution(spec)
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(strings.TrimSpace(rows))
	if err != nil || n < 1 || n > MostSynthetic {
		return "", ask.Refuse("rows", fmt.Sprintf("%.20q", rows),
			phrase.Of("a whole number from 1 to %d", MostSynthetic))
	}
	codes, err := release.Draw(src, n, nil)
	if err != nil {
		return "", err
	}
	file := table.AppendRow(nil, [][]byte{[]byte(ask.Defuse(column))}, ',')
	for _, code := range codes {
		file = table.AppendRow(file, [][]byte{[]byte(s.Show(say, code))}, ',')
	}
	return string(file), nil
}

// At returns, for releases of this package, the value that a part of the people with a value are at
// or below, or else the released value beyond which it lies.
func (d *Density) At(say *message.Language, spec domain.Spec, part float64) string {
	value, _ := d.place(say, spec, part)
	return value
}

func (d *Density) place(say *message.Language, spec domain.Spec,
	part float64) (value string, reached bool) {
	release, s, err := d.distribution(spec)
	if err != nil {
		return "–", false
	}
	return endsOf(say, s, release, part)
}

// endsOf writes the value that a part of the people are at or below, and reports whether one was
// released: in the last range, or in a first range with less than half of the people, only the end
// of the range is known.
func endsOf(say *message.Language, s ask.Space, release *density.Distribution,
	part float64) (value string, reached bool) {
	at := release.Quantile(part)
	first, last, _ := release.Cell(release.Cells() - 1)
	if at.Cmp(first) >= 0 && first.Cmp(last) < 0 && part < 1 {
		if first.Sign() == 0 {
			return "–", false // one range that covers everything
		}
		return say.Format("above %s", s.Show(say, new(big.Int).Sub(first, one))), false
	}
	first, last, mass := release.Cell(0)
	if at.Cmp(last) <= 0 && first.Cmp(last) < 0 && part > 0 && mass < release.Total()/2 {
		return say.Format("below %s", s.Show(say, new(big.Int).Add(last, one))), false
	}
	return s.Show(say, at), true
}

// Peak is the cell with the highest density, the first of several.
func (d *Density) Peak() DensityCell {
	return slices.MaxFunc(d.Cells, func(a, b DensityCell) int {
		switch {
		case a.Height > b.Height:
			return 1
		case a.Height < b.Height:
			return -1
		}
		return 0
	})
}

// Kind is "density".
func (*Density) Kind() string { return "density" }

// Table lists the cells, one row for each.
func (d *Density) Table(say ask.Voice, column string) [][]string {
	rows := [][]string{
		{say.Format("%s from", column), say.Text("to"), say.Many(),
			say.Format("%s at or below", say.Many())}}
	sum := 0.0
	for _, c := range d.Cells {
		sum += c.People
		rows = append(rows,
			[]string{c.First, c.Last, fmt.Sprintf("%.0f", math.Round(c.People)),
				fmt.Sprintf("%.0f", math.Round(sum))})
	}
	return rows
}
