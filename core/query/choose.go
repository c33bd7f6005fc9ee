package query

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Conjunctive is a mechanism that releases the conjunctions of records, or their disjunctions.
type Conjunctive interface {
	mechanism.Mechanism
	Release(src coin.Source, records *Records, step coin.Step) (*Release, error)
}

var _, _, _, _, _, _, _ Conjunctive = (*Marginals)(nil), (*Tables)(nil), (*MWEM)(nil),
	(*Boosting)(nil), (*Sampled)(nil), conjunctions{}, anyOf{}

// conjunctions turns a mechanism for disjunctions into one for conjunctions: ReleaseConjunctions is
// its Release.
type conjunctions struct{ turnable }

type turnable interface {
	mechanism.Mechanism
	ReleaseConjunctions(src coin.Source, records *Records, step coin.Step) (*Release, error)
}

var _, _, _ turnable = (*Pieces)(nil), (*Counted)(nil), baseline{}

// Oracle returns the oracle of Counted; nil where there is none.
func (c conjunctions) Oracle() *Oracle {
	if counted, is := c.turnable.(*Counted); is {
		return counted.Oracle()
	}
	return nil
}

func (c conjunctions) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	return c.ReleaseConjunctions(src, records, step)
}

// anyOf releases the pieces of the coverage function unchanged: their release answers how many have
// any of some attributes, with one mean for each piece.
type anyOf struct{ *Pieces }

func (a anyOf) Release(src coin.Source, records *Records, step coin.Step) (*Release, error) {
	return a.Pieces.Release(src, Coverage{records}, step)
}

// ChoiceParams holds the public facts by which a method is chosen.
type ChoiceParams struct {
	Epsilon privacy.Epsilon // the privacy loss granted; required
	Delta   privacy.Delta

	Persons int // n; required
	Size    int // d, the number of attributes; required
	Width   int // w, the largest conjunction that will be asked; required
	Rounds  int // of MWEM, from 1 to 1000; 0: as many as MWEMRounds advises

	// Pieces is how many there are at most, and Influence from which part of the persons on an
	// attribute splits one, above 0 and at most 1; 0 and nil: as PiecesAdvice says.
	Pieces    int
	Influence *big.Rat

	Columns []Column // of the attributes; none: any person may have any attributes

	// Margins are tables of Width columns that weigh other than 1, for ChooseTables.
	Margins []Margin
}

// Choice is a method with its expected error.
type Choice struct {
	Name string // "marginals", "tables", "product", "MWEM" or "pieces"

	Together int // columns of a table, for tables

	// Error is about the mean error of a random conjunction of up to Width attributes, as a part of
	// n. It is a rule of thumb: the noise is known, but how far attributes are from independent is
	// not, and must not be looked up.
	Error float64

	New func() (Conjunctive, error) // makes the method, which may take a second where there is a δ
}

// Choose compares the methods by public facts alone and returns those that can be used, the best
// first: Choose(…)[0] is the automatic choice. Each has at most the loss (Epsilon, Delta); counts
// take Laplace noise where it is smaller than Gaussian noise. Tables are of the best number of
// columns; more columns than the question needs are considered only where all cells are at most
// 2^16. The rule of thumb is fitted to TestCompare: it takes pieces to be off by 0.12, product by
// 0.015·(1 − 1/w), and [MWEM] by 0.12 divided by its rounds plus a twelfth of its choices' error
// bound.
func Choose(p ChoiceParams) ([]Choice, error) {
	if !p.Epsilon.IsSet() {
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	}
	if p.Persons < 1 || p.Size < 1 || p.Size > MaxSize || p.Width < 1 {
		return nil, refuse("width", phrase.Of("%d of %d attributes", p.Width, p.Size),
			"at least 1, with at least one attribute and one person")
	}
	columns, err := newPartition(p.Size, p.Columns)
	if err != nil {
		return nil, err
	}
	p.Width = min(p.Width, p.Size)
	n := float64(p.Persons)
	var choices []Choice
	counted := func(name string, width int, off func(noise float64) float64) {
		_, mean, delta := p.noise(columns.moves(width))
		choices = append(choices,
			Choice{Name: name, Error: off(mean / n), New: func() (Conjunctive, error) {
				return NewMarginals(
					MarginalsParams{Epsilon: p.Epsilon, Delta: delta, Columns: p.Columns,
						Width: width, Product: name == "product"})
			}})
	}
	counted("product", 1, func(noise float64) float64 {
		return 0.015*(1-1/float64(p.Width)) + noise/float64(min(p.Width, 2))
	})
	if tables, ok := p.tables(columns); ok {
		choices = append(choices, tables)
	}
	if p.Width <= 64 {
		choices = append(choices,
			Choice{Name: "pieces", Error: p.offOfPieces(),
				New: func() (Conjunctive, error) {
					pieces, err := p.pieces()
					return conjunctions{pieces}, err
				}})
	}
	if p.Width > 1 && checkClass(p.Size, p.Width) == nil {
		counted("marginals", p.Width, func(noise float64) float64 { return noise })
		if _, err := cellsOf(p.Size); err == nil {
			choices = append(choices, p.weights())
		}
	}
	bestFirst(choices)
	return choices, nil
}

// bestFirst sorts at most five choices.
func bestFirst(choices []Choice) {
	for i := range choices {
		for j := i; j > 0 && choices[j].Error < choices[j-1].Error; j-- {
			choices[j], choices[j-1] = choices[j-1], choices[j]
		}
	}
}

// weights returns MWEM where the class is not too large and all records can be listed.
func (p ChoiceParams) weights() Choice {
	rounds := p.Rounds
	if rounds == 0 {
		rounds = MWEMRounds(p.Persons, p.Size, p.Epsilon)
	}
	each := p.Epsilon.Float64() / float64(2*rounds)
	if !p.Delta.IsZero() {
		each = max(each, math.Sqrt(p.rho()/float64(rounds)))
	}
	k, _ := countSubsets(p.Size, p.Width).Float64()
	return Choice{Name: "MWEM",
		Error: 0.12/float64(rounds) + 2*math.Log(k)/each/12/float64(p.Persons),
		New: func() (Conjunctive, error) {
			return NewMWEM(
				MWEMParams{Epsilon: p.Epsilon, Delta: p.Delta, Width: p.Width, Rounds: rounds})
		}}
}

// mostInFull bounds the cells of tables of more columns than the question needs: they are saved and
// read again.
const mostInFull = 1 << 16

// tables returns the best number of columns of a table; false where every number gives too many
// cells.
func (p ChoiceParams) tables(columns *partition) (best Choice, ok bool) {
	asked := min(p.Width, len(columns.columns))
	for together := asked; together <= min(len(columns.columns), mostTogether); together++ {
		cells := columns.countCells(together)
		if cells > mostCounts || together > asked && cells > mostInFull {
			continue
		}
		number := columns.products(together, nil, func(int) float64 { return 1 })
		stdDev, _, delta := p.noise(2 * int(number))
		off := normalMean * stdDev * columns.spread(asked, together) / float64(p.Persons)
		if !ok || off < best.Error {
			ok, best = true, Choice{Name: "tables", Together: together, Error: off,
				New: func() (Conjunctive, error) {
					return NewTables(TablesParams{Epsilon: p.Epsilon, Delta: delta,
						Columns: columns.columns, Width: together})
				}}
		}
	}
	return best, ok
}

// normalMean is √(2/π), the mean of |x| where x is normal with standard deviation 1.
const normalMean = 0.7979

// noise returns about the standard deviation of the noise on each count where this many counts
// move, and the mean of its absolute value, in persons: Laplace noise, or Gaussian noise where that
// is smaller, which uses the δ.
func (p ChoiceParams) noise(moves int) (stdDev, mean float64, delta privacy.Delta) {
	return p.noiseAt(moves, p.rho())
}

// noiseAt returns noise where (Epsilon, Delta) is worth this ρ.
func (p ChoiceParams) noiseAt(moves int, rho float64) (stdDev, mean float64,
	delta privacy.Delta) {
	mean = float64(moves) / p.Epsilon.Float64()
	stdDev = math.Sqrt2 * mean
	if !p.Delta.IsZero() {
		if wide := math.Sqrt(float64(moves) / 2 / rho); wide < stdDev {
			return wide, normalMean * wide, p.Delta
		}
	}
	return stdDev, mean, privacy.Delta{}
}

// rho returns about the largest ρ for which ρ-zCDP is (ε, δ)-DP: the root of ε = ρ +
// 2·√(ρ·ln(1/δ)). Only the rule of thumb uses it.
func (p ChoiceParams) rho() float64 {
	if p.Delta.IsZero() {
		return 0
	}
	l := -math.Log(p.Delta.Float64())
	root := math.Sqrt(l+p.Epsilon.Float64()) - math.Sqrt(l)
	return root * root
}

// pieces returns the pieces of the sets of up to Width attributes.
func (p ChoiceParams) pieces() (*Pieces, error) {
	most, threshold := p.tiling()
	return NewPieces(PiecesParams{Epsilon: p.Epsilon, Delta: p.Delta, Most: most,
		Threshold: threshold, Workloads: UpToWidth(p.Width)})
}

// offOfPieces returns 0.12 plus about the noise of a mean, for the advised number of pieces.
func (p ChoiceParams) offOfPieces() float64 {
	most, _ := p.tiling()
	return 0.12 + 2*float64(most*p.Width)/p.Epsilon.Float64()/float64(p.Persons)
}

// tiling returns the largest number of pieces, and what splits them.
func (p ChoiceParams) tiling() (most int, threshold *big.Rat) {
	most, threshold = PiecesAdvice(p.Persons, p.Size, p.Epsilon, p.Width)
	if p.Pieces > 0 {
		most = p.Pieces
	}
	if p.Influence != nil {
		threshold = p.Influence
	}
	return most, threshold
}
