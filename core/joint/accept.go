package joint

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

// AcceptParams are the parameters of Accept.
type AcceptParams struct {
	Epsilon privacy.Epsilon // of all runs together; required
	Delta   privacy.Delta   // of all runs together; 0 is Laplace noise, else Gaussian

	Sizes    []int    // as those of PairsParams; required
	Codes    []*Codes // of each column; nil: no numbers. One for each of Sizes
	Ways     []Way    // what is tried: as Ways lists them; required
	Criteria []Criterion
	Persons  int // n, which is public; required

	Alone bool // each column is counted separately as well, in every way

	Rule Rule // to read earlier releases
}

// Rule is the way in which the loss is divided, by the date of a release.
type Rule int

const (
	// Today: with a Delta, a run is accounted in ρ, with Gaussian noise on tables and score.
	Today Rule = iota
	// TwiceARun applied until 29 November 2026: with a Delta too, the loss was twice the ε of one
	// run, whose score had Laplace noise.
	TwiceARun
	// ByNoise applied until 28 November 2026: TwiceARun, with PartByNoise for columns alone.
	ByNoise
	rules
)

// Rules lists all rules, today's first.
func Rules() (list []Rule) {
	for r := Today; r < rules; r++ {
		list = append(list, r)
	}
	return list
}

// Accept makes up rows in several ways until a run meets criteria, and releases that run alone.
//
// # Guarantee
//
// (Epsilon, Delta)-DP, pure without a Delta, for neighbours that differ in one replaced person, n
// public, however many ways are tried. That no run met the criteria is covered as well. How many
// runs there were is secret, so how long it took is not published (H: accept.md secret-time), and
// by how much criteria are met stays unsaid. Criteria and ways are written without a look at the
// data (H: accept.md unseen). Proof: accept.md.
//
// # Input and output
//
// Columns as those of [Pairs], and the codes behind the places of columns of which a mean is
// compared, each in its place (H: accept.md code-of-place). The result is a [Model], and which way
// made it; or that there is none.
//
// # Errors
//
// [*param.Error] (epsilon, sizes, ways, codes, criteria, persons) from the constructor, also for a
// tolerance that noise alone exceeds; (columns) from Release; step's error when cancelled. None
// depends on where a person is.
//
// # Cost and accuracy
//
// At most 8 runs for each way are expected, fewer where runs are good enough; each is a fit. With a
// Delta the noise of tables is about half of what twice the loss of a run would allow. Rows
// that miss a criterion are released in at most a part [basic.Beta] of all searches
// (TestAcceptIsRight). It says nothing of rows that are released: where all miss by one person,
// all that are released are wrong.
//
// # Reference
//
// Liu, Talwar, "Private Selection from Private Candidates", 2019, Algorithm 1, as it was used by
// Hod, Canetti, "Differentially Private Release of Israel's National Registry of Live Births",
// 2024. Differs: all criteria have one score together, so that their number costs nothing; and the
// threshold exceeds the tolerance by the noise, so that rows that pass are within it.
type Accept struct {
	sizes     []int
	codes     []*Codes
	ways      []Way
	criteria  []Criterion
	persons   int
	delta     privacy.Delta
	tables    []*Pairs // by way
	noise     scoreNoise
	rho       float64 // a run's, where it is accounted in ρ
	search    *selection.Threshold
	threshold int64
	fit       func(src coin.Source, m *Measured, step coin.Step) (*Model, error)
}

// NewAccept checks the parameters and divides the loss between a run and its score.
func NewAccept(p AcceptParams) (*Accept, error) {
	switch {
	case !p.Epsilon.IsSet():
		return nil, refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case len(p.Ways) == 0: // H: accept.md some-way
		return nil, refuse("ways", "0", "at least one")
	case len(p.Codes) != len(p.Sizes): // H: accept.md some-way
		return nil, refuse("codes", strconv.Itoa(len(p.Codes)), "%d of them", len(p.Sizes))
	case len(p.Criteria) == 0: // H: accept.md some-way
		return nil, refuse("criteria", "0", "at least one")
	case p.Persons < 1 || p.Persons > 1<<28: // H: accept.md persons
		return nil, refuse("persons", strconv.Itoa(p.Persons), "from 1 to 2^28")
	}
	if _, err := checkPairs(p.Sizes, nil); err != nil {
		return nil, err
	}
	for _, c := range p.Criteria {
		if err := c.check(p.Sizes, p.Codes); err != nil { // H: accept.md criteria
			return nil, err
		}
	}
	tables, noise, err := p.run()
	if err != nil {
		return nil, err
	}
	m := &Accept{sizes: p.Sizes, codes: p.Codes, ways: p.Ways, criteria: p.Criteria,
		persons: p.Persons, delta: p.Delta, noise: noise, fit: Fit}
	var losses []privacy.Loss
	for _, way := range p.Ways {
		of := tables
		of.Of, of.Even = way.Of, way.Even
		if p.Alone {
			part := PartAlone
			if p.Rule == ByNoise {
				part = PartByNoise
			}
			if of.Alone, err = part(of, p.Persons); err != nil {
				return nil, err
			}
		}
		pairs, err := NewPairs(of)
		if err != nil {
			return nil, err
		}
		loss, err := pairs.Loss(1)
		if err != nil {
			return nil, err
		}
		m.tables, losses = append(m.tables, pairs), append(losses, loss)
	}
	return m, m.searchFor(losses)
}

// run divides the loss of all runs: it returns the parameters of one run's tables, and the noise on
// its score.
func (p AcceptParams) run() (tables PairsParams, noise scoreNoise, err error) {
	tables.Sizes = p.Sizes
	ways := int64(len(p.Ways))
	if p.Rule == Today && !p.Delta.IsZero() {
		rho, err := selection.RhoOfRun(p.Epsilon, p.Delta, ways)
		if err != nil {
			return tables, nil, err
		}
		tables.Rho = rho.Part(3, 4)
		noise, err = mechanism.NewGaussian(mechanism.GaussianParams{Rho: rho.Part(1, 4),
			L2SensitivitySquared: 1})
		return tables, noise, err
	}
	share, err := selection.ShareOfRun(selection.RunParams{Epsilon: p.Epsilon, Delta: p.Delta,
		Combinations: ways, Until: true})
	if err != nil {
		return tables, nil, err
	}
	tables.Epsilon, tables.Delta = share.Epsilon.Part(3, 4), share.Delta
	noise, err = mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: share.Score,
		L1Sensitivity: 1})
	return tables, noise, err
}

// scoreNoise is discrete Laplace or Gaussian noise on one number.
type scoreNoise interface {
	mechanism.Mechanism
	AddTo(src coin.Source, score int64) int64
	ErrorBound(beta float64) int64
}

// searchFor prepares the search; losses are the losses of the tables, by way.
func (m *Accept) searchFor(losses []privacy.Loss) error {
	one, err := selection.Worst(losses...)
	if err != nil {
		return err
	}
	scored, err := m.noise.Loss(1)
	if err != nil {
		return err
	}
	one = one.Plus(scored)
	if _, has := one.Epsilon(); !has {
		m.rho, _ = one.Rho().Float64()
	}
	if m.search, err = selection.Until(one, int64(len(m.ways)), m.delta); err != nil {
		return err
	}
	m.threshold = m.noise.ErrorBound(2 * basic.Beta / m.search.Calls(0))
	for i, c := range m.criteria {
		if c.room(m.persons, m.codes) <= m.threshold { // H: accept.md room
			return &TightError{Criterion: i, Least: c.least(m.persons, m.codes, m.threshold+1)}
		}
	}
	return nil
}

// TightError says that the noise on its check alone exceeds the tolerance of a criterion.
type TightError struct {
	Criterion int
	Least     *big.Rat // the least tolerance that is not exceeded; nil: there is none
}

func (e *TightError) Error() string { return e.Phrase().String() }

// Phrase is Error in any language.
func (e *TightError) Phrase() phrase.Phrase {
	if e.Least == nil {
		return phrase.Of("joint: criterion %d needs a larger epsilon, or more persons",
			e.Criterion+1)
	}
	return phrase.Of("joint: criterion %d needs a tolerance of at least %s, or a larger epsilon",
		e.Criterion+1, e.Least.FloatString(6))
}

// Loss is the loss of all runs together.
func (m *Accept) Loss(d privacy.Distance) (privacy.Loss, error) { return m.search.Loss(d) }

// RhoOfRun is the ρ of a run with its score, where runs are accounted in ρ; otherwise 0.
func (m *Accept) RhoOfRun() float64 { return m.rho }

// Runs is the expected number of runs if none is good enough; otherwise there are fewer.
func (m *Accept) Runs() float64 { return m.search.Calls(0) }

// Miss returns the probability that nothing is released when a run is good enough with probability
// share.
func (m *Accept) Miss(share float64) float64 { return m.search.Miss(share) }

// Aside is the number of persons by which a criterion must be met more closely than asked, to allow
// for noise.
func (m *Accept) Aside() int64 { return m.threshold }

// Errors estimates the mean of |error| of a count in a table, by way.
func (m *Accept) Errors() (list []float64) {
	for _, pairs := range m.tables {
		list = append(list, pairs.Error())
	}
	return list
}

// Tables returns the mechanism that measures the tables of a way.
func (m *Accept) Tables(way int) *Pairs { return m.tables[way] }

// accepted is a run that is released.
type accepted struct {
	model *Model
	way   int
}

// Release looks for a run that meets the criteria. codes holds, by column, functions for the
// persons' codes where a mean is compared, otherwise nil. step may be nil; it can end the work and
// receives no progress.
func (m *Accept) Release(src coin.Source, columns [][]uint8, codes []func(person int) uint64,
	step coin.Step) (model *Model, way int, found bool, err error) {
	persons, err := m.tables[0].check(columns, nil)
	if err != nil {
		return nil, 0, false, err
	}
	if persons != m.persons { // H: accept.md persons
		return nil, 0, false, refuse("columns", strconv.Itoa(persons), "%d persons", m.persons)
	}
	people := m.sumUp(columns, codes)
	blind := func(int64, int64) error {
		if step == nil {
			return nil
		}
		return step(0, 1)
	}
	var all []selection.Candidate[accepted]
	for i := range m.ways {
		all = append(all, func(src coin.Source) (selection.Scored[accepted], error) {
			return m.run(src, i, columns, people, blind)
		})
	}
	run, found, err := selection.FirstTried(src, m.search, m.threshold, all, blind)
	return run.Output.model, run.Output.way, found, err
}

// sumUp returns the people's counts and sums that the criteria compare.
func (m *Accept) sumUp(columns [][]uint8, codes []func(person int) uint64) *summary {
	sums := make([]*big.Int, len(m.sizes))
	for _, c := range m.criteria {
		if c.Of != Mean || sums[c.Columns[0]] != nil {
			continue
		}
		i, sum := c.Columns[0], int64(0)
		for person, place := range columns[i] {
			if int(place) < m.sizes[i]-1 {
				sum += int64(min(codes[i](person), m.codes[i].Size-1)) // H: accept.md in-codes
			}
		}
		sums[i] = new(big.Int).Mul(big.NewInt(sum), big.NewInt(2))
	}
	return sumUp(m.sizes, func(column, person int) uint8 { return columns[column][person] },
		len(columns[0]), sums)
}

// run makes up rows in one way, and scores them: the least margin of all criteria, with noise.
func (m *Accept) run(src coin.Source, way int, columns [][]uint8, people *summary,
	step coin.Step) (none selection.Scored[accepted], err error) {
	measured, err := m.tables[way].Release(src, columns, step)
	if err != nil {
		return none, err
	}
	model, err := m.fit(src, measured, step)
	if err != nil {
		return none, err
	}
	return selection.Scored[accepted]{Output: accepted{model, way},
		Score: m.noise.AddTo(src, m.margin(people, model))}, nil
}

// margin returns the least margin of all criteria: one replaced person moves it by at most 1.
func (m *Accept) margin(people *summary, model *Model) int64 {
	made := sumUp(m.sizes, func(column, row int) uint8 { return model.Row(row)[column] },
		model.Rows(), nil)
	least := int64(math.MaxInt64)
	for _, c := range m.criteria {
		least = min(least, c.margin(people, made, m.codes))
	}
	return least
}

var _ mechanism.Mechanism = (*Accept)(nil)
