package joint

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/phrase"
)

// Statistic is the number that a criterion compares.
type Statistic string

const (
	// AllPairs is the largest error of a cell in any table of two columns, as a part of n.
	AllPairs Statistic = "pairs"
	// Singles is the largest error of a place in any column, as a part of n.
	Singles Statistic = "columns"
	// Mean is the error of a column's mean, in steps between neighbouring codes.
	Mean Statistic = "mean"
	// Quantile is the difference between the part of the persons up to a quantile of the rows and
	// the part that it is a quantile for, in whole places.
	Quantile Statistic = "quantile"
	// Correlation is the error of the rank correlation of two columns, with the ranks of the rows.
	Correlation Statistic = "correlation"
)

// Criterion is a condition that made-up rows must meet to be released.
type Criterion struct {
	Of      Statistic
	Columns []int    // one for Mean and Quantile, two for Correlation, else none
	At      *big.Rat // which quantile, above 0 and below 1
	Within  *big.Rat // the tolerance, above 0, in the unit of the statistic
}

// Codes are the values of a column of numbers: each place i but the last holds the codes from
// Starts[i] on; the last place is for persons without a value.
type Codes struct {
	Starts []uint64
	Size   uint64 // number of codes
}

// middle returns twice the mean code of a place: made-up values are spread evenly within it.
func (c *Codes) middle(place int) int64 {
	last := c.Size - 1
	if place+1 < len(c.Starts) {
		last = c.Starts[place+1] - 1
	}
	return int64(c.Starts[place] + last)
}

// mostCodes bounds the codes of a column whose mean is compared, so that sums stay within int64.
const mostCodes = 1 << 31

// check refuses a criterion that cannot be compared.
func (c Criterion) check(sizes []int, codes []*Codes) error {
	columns, most := 0, ratOf(1)
	switch c.Of {
	case AllPairs, Singles:
	case Mean:
		columns = 1
	case Quantile:
		columns = 1
		if c.At == nil || c.At.Sign() <= 0 || c.At.Cmp(ratOf(1)) >= 0 {
			return refuse("criteria", ratText(c.At), "a quantile above 0 and below 1")
		}
	case Correlation:
		columns, most = 2, ratOf(2)
	default:
		return refuse("criteria", string(c.Of), "pairs, columns, mean, quantile or correlation")
	}
	if len(c.Columns) != columns || columns == 2 && c.Columns[0] == c.Columns[1] {
		return refuse("criteria", strconv.Itoa(len(c.Columns)), "%d different columns", columns)
	}
	for _, i := range c.Columns {
		if i < 0 || i >= len(sizes) || codes[i] == nil || len(codes[i].Starts) != sizes[i]-1 ||
			codes[i].Size < 2 {
			return refuse("criteria", strconv.Itoa(i), "columns of numbers")
		}
	}
	if c.Of == Mean {
		if codes[c.Columns[0]].Size > mostCodes {
			return refuse("criteria", strconv.FormatUint(codes[c.Columns[0]].Size, 10),
				"a column of at most %d values", mostCodes)
		}
		most = new(big.Rat).SetInt(new(big.Int).SetUint64(codes[c.Columns[0]].Size))
	}
	if c.Within == nil || c.Within.Sign() <= 0 || c.Within.Cmp(most) > 0 {
		return refuse("criteria", ratText(c.Within), "a tolerance above 0 and at most %s",
			most.RatString())
	}
	return nil
}

// unit is the largest amount by which one replaced person can move the sum that the criterion
// compares: accept.md.
func (c Criterion) unit(codes []*Codes) *big.Rat {
	switch c.Of {
	case Mean:
		last := new(big.Rat).SetInt(new(big.Int).SetUint64(codes[c.Columns[0]].Size - 1))
		return last.Add(last, c.Within)
	case Correlation:
		return ratOf(6)
	}
	return ratOf(1)
}

// room bounds from below the margin of rows that are no worse than the people themselves, if all
// have a value.
func (c Criterion) room(persons int, codes []*Codes) int64 {
	all := new(big.Rat).Set(c.Within)
	if c.Of == Quantile { // a part of the persons is neither below 0 nor above 1
		for _, end := range []*big.Rat{c.At, new(big.Rat).Sub(ratOf(1), c.At)} {
			if end.Cmp(all) < 0 {
				all.Set(end)
			}
		}
	}
	all.Mul(all, ratOf(int64(persons)))
	return floor(all.Quo(all, c.unit(codes)))
}

// least returns the smallest tolerance with this room for this many persons; nil where there is
// none.
func (c Criterion) least(persons int, codes []*Codes, room int64) *big.Rat {
	all := ratOf(int64(persons))
	c.Within = ratOf(room)
	if c.Of == Mean { // t·n/(s + t) ≥ room
		c.Within.Mul(c.Within, ratOf(int64(codes[c.Columns[0]].Size-1)))
		all.Sub(all, ratOf(room))
	} else {
		c.Within.Mul(c.Within, c.unit(codes))
	}
	if all.Sign() <= 0 {
		return nil
	}
	c.Within.Quo(c.Within, all)
	if c.room(persons, codes) < room {
		return nil
	}
	return c.Within
}

// summary holds the counts, and the sums of codes, that criteria compare between people and rows.
type summary struct {
	sizes   []int
	persons int64
	singles [][]int64
	pairs   map[[2]int][]int64
	sums    []*big.Int // twice the sum of the codes of a column
}

// sumUp counts persons or rows by their places.
func sumUp(sizes []int, places func(column, person int) uint8, persons int,
	sums []*big.Int) *summary {
	s := &summary{sizes: sizes, persons: int64(persons), pairs: map[[2]int][]int64{}, sums: sums}
	for i, size := range sizes {
		counts := make([]int64, size)
		for person := range persons {
			counts[min(int(places(i, person)), size-1)]++
		}
		s.singles = append(s.singles, counts)
		for k := range i {
			table := make([]int64, sizes[k]*size)
			for person := range persons {
				first := min(int(places(k, person)), sizes[k]-1)
				table[first*size+min(int(places(i, person)), size-1)]++
			}
			s.pairs[[2]int{k, i}] = table
		}
	}
	return s
}

// margin bounds from below the number of persons who would have to change before the criterion
// could fail; below 0 it is not met. One replaced person moves it by at most 1: accept.md.
func (c Criterion) margin(people, made *summary, codes []*Codes) int64 {
	switch c.Of {
	case AllPairs:
		least := int64(math.MaxInt64)
		for of, counts := range people.pairs {
			least = min(least, c.cells(counts, made.pairs[of], people.persons, made.persons))
		}
		return least
	case Singles:
		least := int64(math.MaxInt64)
		for i, counts := range people.singles {
			least = min(least, c.cells(counts, made.singles[i], people.persons, made.persons))
		}
		return least
	case Mean:
		return c.mean(people, made, codes)
	case Quantile:
		return c.quantile(people, made)
	}
	return c.correlation(people, made)
}

// cells returns the margin of one table.
func (c Criterion) cells(counts, made []int64, persons, rows int64) int64 {
	within := floor(new(big.Rat).Mul(c.Within, ratOf(persons)))
	most := int64(0)
	for cell, count := range counts {
		off := made[cell]*persons - count*rows
		most = max(most, off, -off)
	}
	return within - (most+rows-1)/rows
}

// never is the margin of rows without any value to compare: it is independent of the people.
func never(persons int64) int64 { return -persons - 1 }

// mean returns the lesser of the two sums Σ (within ∓ (x − mean of the rows)) over the people with
// a value.
func (c Criterion) mean(people, made *summary, codes []*Codes) int64 {
	i := c.Columns[0]
	twice, rows := new(big.Int), int64(0)
	for place, count := range made.singles[i][:made.sizes[i]-1] {
		rows += count
		twice.Add(twice, new(big.Int).Mul(big.NewInt(count),
			big.NewInt(codes[i].middle(place))))
	}
	if rows == 0 {
		return never(people.persons)
	}
	with := ratOf(people.persons - people.singles[i][people.sizes[i]-1])
	mean := new(big.Rat).SetFrac(twice, big.NewInt(2*rows))
	off := new(big.Rat).SetFrac(people.sums[i], big.NewInt(2))
	off.Sub(off, mean.Mul(mean, with)).Abs(off)
	left := with.Mul(with, c.Within)
	return floor(left.Sub(left, off).Quo(left, c.unit(codes)))
}

// quantile compares the numbers of people up to, and before, the place of the rows' quantile.
func (c Criterion) quantile(people, made *summary) int64 {
	i := c.Columns[0]
	last := made.sizes[i] - 1
	rows := int64(0)
	for _, count := range made.singles[i][:last] {
		rows += count
	}
	if rows == 0 {
		return never(people.persons)
	}
	place, sum := 0, made.singles[i][0]
	for wanted := new(big.Rat).Mul(c.At, ratOf(rows)); ratOf(sum).Cmp(wanted) < 0; {
		place++
		sum += made.singles[i][place]
	}
	before := int64(0)
	for _, count := range people.singles[i][:place] {
		before += count
	}
	upTo := ratOf(before + people.singles[i][place])
	with := ratOf(people.persons - people.singles[i][last])
	low, high := new(big.Rat).Sub(c.At, c.Within), new(big.Rat).Add(c.At, c.Within)
	if low.Sign() < 0 {
		low.SetInt64(0)
	}
	if high.Cmp(ratOf(1)) > 0 {
		high.SetInt64(1)
	}
	first := upTo.Sub(upTo, low.Mul(low, with))
	second := high.Sub(high.Mul(high, with), ratOf(before))
	return min(floor(first), floor(second))
}

// correlation returns the lesser of the two sums Σ (within ∓ (3·u·v − the rows' own)) over the
// people with both values; u and v are the middle ranks of a place among the rows, from −1 to 1.
func (c Criterion) correlation(people, made *summary) int64 {
	i, k := c.Columns[0], c.Columns[1]
	of := [2]int{min(i, k), max(i, k)}
	a, b := people.sizes[of[0]], people.sizes[of[1]]
	first, second, rows := ranks(made.pairs[of], a, b)
	if rows == 0 {
		return never(people.persons)
	}
	product := func(counts []int64) (sum *big.Int, with int64) {
		sum = new(big.Int)
		for x := range a - 1 {
			for y := range b - 1 {
				count := counts[x*b+y]
				with += count
				sum.Add(sum, new(big.Int).Mul(big.NewInt(count), big.NewInt(first[x]*second[y])))
			}
		}
		return sum, with
	}
	// 3·Σuv with u = first/rows and v = second/rows
	sum, with := product(people.pairs[of])
	madeSum, _ := product(made.pairs[of])
	square := new(big.Int).Mul(big.NewInt(rows), big.NewInt(rows))
	off := new(big.Rat).SetFrac(madeSum, big.NewInt(rows))
	off.Mul(off, ratOf(with)).Sub(new(big.Rat).SetInt(sum), off)
	off.Mul(off, new(big.Rat).SetFrac(big.NewInt(3), square)).Abs(off)
	left := new(big.Rat).Mul(c.Within, ratOf(with))
	return floor(left.Sub(left, off).Quo(left, c.unit(nil)))
}

// ranks returns, for each place of two columns, the number of the rows with both values that are in
// a lower place, minus the number in a higher one.
func ranks(counts []int64, a, b int) (first, second []int64, rows int64) {
	first, second = make([]int64, a-1), make([]int64, b-1)
	for x := range a - 1 {
		for y := range b - 1 {
			first[x] += counts[x*b+y]
			second[y] += counts[x*b+y]
			rows += counts[x*b+y]
		}
	}
	for _, of := range [][]int64{first, second} {
		below := int64(0)
		for place, count := range of {
			of[place] = 2*below + count - rows
			below += count
		}
	}
	return first, second, rows
}

func ratOf(n int64) *big.Rat { return big.NewRat(n, 1) }

func ratText(r *big.Rat) phrase.Phrase {
	if r == nil {
		return phrase.Of("nothing")
	}
	return phrase.Plain(r.RatString())
}

// floor returns the largest whole number up to x, limited to int64.
func floor(x *big.Rat) int64 {
	whole := new(big.Int).Div(x.Num(), x.Denom()) // Euclidean: rounds down, as denominators are > 0
	if !whole.IsInt64() {
		if whole.Sign() < 0 {
			return math.MinInt64
		}
		return math.MaxInt64
	}
	return whole.Int64()
}
