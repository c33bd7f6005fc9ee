package joint

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Limits on the columns that are counted and fitted.
const (
	MostColumns = 20
	MostPlaces  = 256     // of a column
	MostCells   = 1 << 20 // in all tables together
)

// PairsParams are the parameters of Pairs.
type PairsParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required, or Rho
	Delta   privacy.Delta   // 0 is Laplace noise, else Gaussian
	Rho     privacy.Rho     // in place of both: Gaussian noise

	// Sizes are the numbers of places of the columns: 2 to MostColumns columns with 1 to
	// MostPlaces. Required.
	Sizes []int

	// Of are the pairs of columns to count, each in ascending order and once; none: all pairs.
	Of [][2]int

	Even bool // each table gets the same part of the loss, however many cells it has

	// Alone is the percentage of the loss for also counting each column alone, from 0 to 99.
	Alone int64
}

// Pairs counts, with noise, the persons in each cell of the tables of pairs of columns, and of
// single columns.
//
// # Guarantee
//
// (Epsilon, Delta)-DP, pure Epsilon-DP without a Delta, or Rho-zCDP, for neighbours that differ in
// one replaced person, n public. A person is in one cell of each table, and a replaced person may
// leave one and join another in every table at once. Proof: pairs.md.
//
// # Input and output
//
// For each column the place of each person, from 0; a person without a value has one as well (H:
// pairs.md none-has-place). Columns, places and pairs are public (H: pairs.md public-shape). The
// counts are whole numbers and may be negative; those of different tables need not agree. With
// Alone there is a table of each column by itself as well.
//
// # Errors
//
// [*param.Error] (epsilon, sizes, pairs) from the constructor, (columns) from Release where their
// number or lengths do not fit; step's error when cancelled. None depends on where a person is.
//
// # Cost and accuracy
//
// O(n·pairs + cells). A table gets the more of the loss the more cells it has, so that the total of
// all |errors| is the least that one noise for each table can have.
//
// # Reference
//
// The tables of McKenna, Miklau, Sheldon, "Winning the NIST Contest", 2021, with every pair in
// place of a chosen few. Differs: nothing is chosen, noise is discrete, and persons are replaced.
type Pairs struct {
	sizes  []int
	tables []counted
	alone  []noise // for tables of one column; none: these are not counted
	spend  *meter.Spend
}

// counted is the table of two columns and its noise.
type counted struct {
	columns [2]int
	noise   noise
}

// noise is discrete Laplace or Gaussian.
type noise interface {
	mechanism.Mechanism
	Release(src coin.Source, counts []int64, step coin.Step) ([]int64, error)
	StdDev() float64
}

// moves is the number of counts in a table that change when a person is replaced, by 1 each.
const moves = 2

// NewPairs checks the parameters and divides the loss among the tables.
func NewPairs(p PairsParams) (*Pairs, error) {
	if !p.Epsilon.IsSet() && !p.Rho.IsSet() { // H: pairs.md some-loss
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	of, err := checkPairs(p.Sizes, p.Of)
	if err != nil {
		return nil, err
	}
	if p.Alone < 0 || p.Alone > 99 { // H: pairs.md alone
		return nil, refuse("alone", strconv.FormatInt(p.Alone, 10), "from 0 to 99")
	}
	rho := p.Rho
	if !rho.IsSet() && !p.Delta.IsZero() {
		if rho, err = privacy.RhoFor(p.Epsilon, p.Delta); err != nil {
			return nil, err
		}
	}
	m := &Pairs{sizes: p.Sizes}
	shares, all := p.shares(of)
	var parts []meter.Part
	for i, share := range shares {
		noise, err := p.noise(rho, share, all)
		if err != nil {
			return nil, refuse("pairs", strconv.Itoa(len(of)),
				"fewer pairs, or a larger epsilon: this one leaves noise that is too wide to be "+
					"drawn")
		}
		loss, err := noise.Loss(1)
		if err != nil {
			return nil, err
		}
		if parts = append(parts, meter.Once(loss)); i < len(of) {
			m.tables = append(m.tables, counted{of[i], noise})
		} else {
			m.alone = append(m.alone, noise)
		}
	}
	if p.Rho.IsSet() || p.Delta.IsZero() {
		m.spend = meter.Sum("tables of pairs", parts...)
		return m, nil
	}
	m.spend, err = meter.Composed("tables of pairs", p.Delta, parts...)
	return m, err
}

// PartAlone returns a good PairsParams.Alone for this many persons, from public facts. The larger
// the noise of the tables of pairs, the larger the part: where columns are unrelated, rows should
// be about as good as independent columns. Where not even two equal columns would stand out from
// the noise, nearly the whole loss goes to the columns: SETS.md shows that rows are then as good as
// independent columns.
func PartAlone(p PairsParams, persons int) (percent int64, err error) {
	m, err := p.onlyPairs()
	if err != nil {
		return 0, err
	}
	part, n := m.partByNoise(persons), float64(max(persons, 1))
	hidden := min(max((shown-m.shows(n))/(shown-unseen), 0), 1)
	return int64(math.Round(part + (mostAlone-part)*hidden)), nil
}

// PartByNoise is the PartAlone of [ByNoise], whose releases are still read.
func PartByNoise(p PairsParams, persons int) (percent int64, err error) {
	m, err := p.onlyPairs()
	if err != nil {
		return 0, err
	}
	return int64(math.Round(m.partByNoise(persons))), nil
}

func (p PairsParams) onlyPairs() (*Pairs, error) {
	p.Alone = 0
	return NewPairs(p)
}

func (m *Pairs) partByNoise(persons int) float64 {
	cells := 0.0
	for _, t := range m.tables {
		cells += float64(m.sizes[t.columns[0]]*m.sizes[t.columns[1]]) / float64(len(m.tables))
	}
	off := m.Error() * cells / (2 * float64(max(persons, 1))) // a total variation
	return min(mostByNoise, aloneAtOne*math.Sqrt(off))
}

// shows returns how far from none the interactions of two equal columns with even places would be,
// in units of the noise on a count: the mean over all tables.
func (m *Pairs) shows(persons float64) (mean float64) {
	for _, t := range m.tables {
		least := float64(min(m.sizes[t.columns[0]], m.sizes[t.columns[1]]))
		mean += persons / t.noise.StdDev() * math.Sqrt((1-1/least)/least) / float64(len(m.tables))
	}
	return mean
}

// The first two are chosen on the Adult data, as they are and shuffled, the others on twins
// (TestFitKeepsTwins) and on the first three sets of SETS.md.
const (
	mostByNoise = 60
	aloneAtOne  = 122 // where the tables of pairs are off by as many persons as there are
	mostAlone   = 98
	unseen      = 8  // equal columns that show by less than this are lost among noise
	shown       = 18 // relations that show by more are found
)

// noise returns the noise of a table with this share of all; rho is the ρ for (ε, δ), where there
// is one.
func (p PairsParams) noise(rho privacy.Rho, share, all int64) (noise, error) {
	if !rho.IsSet() {
		return mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: p.Epsilon.Part(share, all),
			L1Sensitivity: moves, LargestMove: 1})
	}
	part := big.NewRat(share, all)
	each, err := privacy.NewRho(part.Mul(part, rho.Rat()))
	if err != nil {
		return nil, err
	}
	return mechanism.NewGaussian(mechanism.GaussianParams{Rho: each, L2SensitivitySquared: moves})
}

// checkPairs lists the pairs that are counted.
func checkPairs(sizes []int, of [][2]int) ([][2]int, error) {
	if len(sizes) < 2 || len(sizes) > MostColumns { // H: pairs.md columns
		return nil, refuse("sizes", phrase.Of("%d columns", len(sizes)), "from 2 to %d columns",
			MostColumns)
	}
	for _, size := range sizes {
		if size < 1 || size > MostPlaces { // H: pairs.md columns
			return nil, refuse("sizes", phrase.Of("%d places", size),
				"from 1 to %d places in each column", MostPlaces)
		}
	}
	if of == nil {
		for i := range sizes {
			for j := i + 1; j < len(sizes); j++ {
				of = append(of, [2]int{i, j})
			}
		}
	}
	seen, cells := map[[2]int]bool{}, 0
	for _, pair := range of {
		// H: pairs.md cells
		if pair[0] < 0 || pair[0] >= pair[1] || pair[1] >= len(sizes) || seen[pair] {
			return nil, refuse("pairs", phrase.Of("columns %d and %d", pair[0], pair[1]),
				"two columns in ascending order, each pair once")
		}
		seen[pair] = true
		cells += sizes[pair[0]] * sizes[pair[1]]
	}
	if len(of) == 0 || cells > MostCells { // H: pairs.md cells
		return nil, refuse("pairs", phrase.Of("%d cells", cells),
			"at least one table, and at most 2^20 cells in all of them")
	}
	return of, nil
}

// shares divides the loss on public facts: it returns whole numbers for the pairs, then for the
// columns alone if these are counted, and their sum. Within each kind they are proportional to a
// power of the number of cells. The error of a table falls as 1/ε with Laplace noise and as 1/√ρ
// with Gaussian noise, so the powers ½ and ⅔ minimise the sum of all errors. Floats decide the
// shares; their cost is counted exactly.
func (p PairsParams) shares(of [][2]int) (shares []int64, all int64) {
	power := 2.0 / 3
	if p.Delta.IsZero() {
		power = 0.5
	}
	share := func(cells int) int64 {
		if p.Even {
			return 1
		}
		return int64(math.Round(1 << 10 * math.Pow(float64(cells), power)))
	}
	pairs, columns := int64(0), int64(0)
	for _, pair := range of {
		shares = append(shares, share(p.Sizes[pair[0]]*p.Sizes[pair[1]]))
		pairs += shares[len(shares)-1]
	}
	if p.Alone == 0 {
		return shares, pairs
	}
	for _, size := range p.Sizes {
		columns += share(size)
	}
	for i := range shares { // below 2^60: at most 190 pairs of 2^21 and 20 columns of 2^16
		shares[i] *= (100 - p.Alone) * columns
	}
	for _, size := range p.Sizes {
		shares = append(shares, share(size)*p.Alone*pairs)
	}
	return shares, 100 * columns * pairs
}

// Made reports whether tables have the noise of this mechanism.
func (m *Pairs) Made(of *Measured) bool {
	same := func(was, is float64) bool { return math.Abs(was-is) <= 1e-9*is }
	if len(of.Tables) != len(m.tables) || len(of.Singles) != len(m.alone) {
		return false
	}
	for k, t := range m.tables {
		if !same(of.Tables[k].StdDev, t.noise.StdDev()) {
			return false
		}
	}
	for i, n := range m.alone {
		if !same(of.Singles[i].StdDev, n.StdDev()) {
			return false
		}
	}
	return true
}

// Loss is the loss of all tables together.
func (m *Pairs) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Alone reports whether each column is also counted alone.
func (m *Pairs) Alone() bool { return m.alone != nil }

// Error estimates the mean of |error| of a count of two columns, over all cells of all tables
// alike.
func (m *Pairs) Error() float64 {
	sum, cells := 0.0, 0.0
	for _, t := range m.tables {
		size := float64(m.sizes[t.columns[0]] * m.sizes[t.columns[1]])
		sum, cells = sum+size*t.noise.StdDev(), cells+size
	}
	return normalMean * sum / cells
}

// normalMean is the mean of |error| for a Gaussian with standard deviation 1, √(2/π).
const normalMean = 0.7978845608028654

// Release counts. step may be nil.
func (m *Pairs) Release(src coin.Source, columns [][]uint8, // H: pairs.md one-place
	step coin.Step) (*Measured, error) {
	return m.ReleaseCounted(src, columns, nil, step)
}

// ReleaseCounted is Release where times gives the number of persons that each row stands for; a nil
// times means one person each.
func (m *Pairs) ReleaseCounted(src coin.Source, columns [][]uint8, times []uint64,
	step coin.Step) (*Measured, error) {
	persons, err := m.check(columns, times)
	if err != nil {
		return nil, err
	}
	out := &Measured{Sizes: m.sizes, Persons: persons}
	src = meter.Within(src, m.spend)
	for i, t := range m.tables {
		if step != nil {
			if err := step(int64(i), int64(len(m.tables))); err != nil {
				return nil, err
			}
		}
		noisy, err := t.noise.Release(src, m.count(t.columns, columns, times), nil)
		if err != nil {
			return nil, err
		}
		out.Tables = append(out.Tables, Table{Columns: t.columns, StdDev: t.noise.StdDev(),
			Counts: noisy})
	}
	for i, noise := range m.alone {
		noisy, err := noise.Release(src, m.countAlone(i, columns[i], times), nil)
		if err != nil {
			return nil, err
		}
		out.Singles = append(out.Singles, Single{StdDev: noise.StdDev(), Counts: noisy})
	}
	return out, nil
}

// mostPersons is also the largest possible count of persons in one row.
const mostPersons = 1 << 53

// check returns the number of persons that the columns are about.
func (m *Pairs) check(columns [][]uint8, times []uint64) (persons int, err error) {
	if len(columns) != len(m.sizes) {
		return 0, refuse("columns", strconv.Itoa(len(columns)), "%d of them", len(m.sizes))
	}
	for _, column := range columns {
		if len(column) != len(columns[0]) || len(column) == 0 { // H: pairs.md same-persons
			return 0, refuse("columns", phrase.Of("%d and %d persons", len(columns[0]),
				len(column)), "the same persons in all, at least one")
		}
	}
	if times == nil {
		return len(columns[0]), nil
	}
	if len(times) != len(columns[0]) { // H: pairs.md same-persons
		return 0, refuse("times", strconv.Itoa(len(times)), "one for each of %d rows",
			len(columns[0]))
	}
	for _, n := range times {
		if n > mostPersons-uint64(persons) { // H: pairs.md countable
			return 0, refuse("times", strconv.FormatUint(n, 10), "at most 2^53 persons in all")
		}
		persons += int(n)
	}
	return persons, nil
}

// count returns the table of two columns. A place beyond the last one counts as the last one.
func (m *Pairs) count(of [2]int, columns [][]uint8, times []uint64) []int64 {
	a, b := m.sizes[of[0]], m.sizes[of[1]]
	counts, second := make([]int64, a*b), columns[of[1]]
	for row, place := range columns[of[0]] {
		// H: pairs.md in-column
		counts[min(int(place), a-1)*b+min(int(second[row]), b-1)] += personsIn(times, row)
	}
	return counts
}

// countAlone returns the table of one column. A place beyond the last one counts as the last one.
func (m *Pairs) countAlone(of int, column []uint8, times []uint64) []int64 {
	counts := make([]int64, m.sizes[of])
	for row, place := range column {
		counts[min(int(place), len(counts)-1)] += personsIn(times, row) // H: pairs.md in-column
	}
	return counts
}

// personsIn is the number of persons that a row stands for.
func personsIn(times []uint64, row int) int64 {
	if times == nil {
		return 1
	}
	return int64(times[row])
}
