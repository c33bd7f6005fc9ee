package joint

import (
	"errors"
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
	"hush/core/selection"
)

// In these audits one column has one place, and the other the codes 0 and 15 of 16, and none.
var (
	acceptSizes = []int{1, 3}
	acceptCodes = []*Codes{nil, {Starts: []uint64{0, 8}, Size: 16}}
)

// codeOf is the code of each place.
var codeOf = []uint64{0, 15, 0}

// outcome is what an acceptance says: the counts of the table, nothing where none was accepted.
type outcome struct {
	found  bool
	way    int
	counts [3]int64
	margin int64 // of planted mistakes that show it
}

// roughly makes rows up without chance: six of them, by the counts above 0.
func roughly(_ coin.Source, m *Measured, _ coin.Step) (*Model, error) {
	model := &Model{Measured: m}
	all := int64(0)
	for _, count := range m.Tables[0].Counts {
		all += max(count, 0)
	}
	for row := range int64(6) {
		place, sum := 0, int64(0)
		for i, count := range m.Tables[0].Counts {
			if sum += max(count, 0); 6*sum > row*all {
				place = i
				break
			}
		}
		model.rows = append(model.rows, 0, uint8(place))
	}
	return model, nil
}

// auditAccept has noise of base r on tables in each way, and of base s on the score.
func auditAccept(persons int, r []coin.Base, s coin.Base, stop string,
	criteria ...Criterion) *Accept {
	m := &Accept{sizes: acceptSizes, codes: acceptCodes, criteria: criteria, persons: persons,
		fit: roughly,
		noise: must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: s,
			L1Sensitivity: 1}))}
	var losses []privacy.Loss
	for _, base := range r {
		n := must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: base, L1Sensitivity: moves,
			LargestMove: 1}))
		pairs := &Pairs{sizes: acceptSizes, tables: []counted{{[2]int{0, 1}, n}},
			spend: meter.Sum("tables of pairs", meter.Once(must(n.Loss(1))))}
		m.tables = append(m.tables, pairs)
		m.ways = append(m.ways, Way{Of: [][2]int{{0, 1}}})
		losses = append(losses, must(pairs.Loss(1)))
	}
	m.search = must(selection.NewThreshold(selection.ThresholdParams{
		Loss: must(selection.Worst(losses...)).Plus(must(m.noise.Loss(1))), Stop: rat(stop)}))
	return m
}

func rat(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return x
}

// clipped bounds the counts, as the audit does: what follows from them is post-processing.
func clipped(m *Accept) {
	for _, pairs := range m.tables {
		for i := range pairs.tables {
			pairs.tables[i].noise = clippedNoise{pairs.tables[i].noise, int64(m.persons)}
		}
	}
}

type clippedNoise struct {
	noise
	persons int64
}

func (c clippedNoise) Release(src coin.Source, counts []int64, step coin.Step) ([]int64, error) {
	noisy, err := c.noise.Release(src, counts, step)
	for i := range noisy {
		noisy[i] = min(max(noisy[i], 0), c.persons)
	}
	return noisy, err
}

// accepts is the law of the search: rounds of one run and the coin that ends it.
func accepts(m *Accept, stop string,
	scored func(src coin.Source, run selection.Scored[accepted], exact int64) (score, shown int64),
) func(rows []int) (*coin.Law[outcome], error) {
	clipped(m)
	return func(rows []int) (*coin.Law[outcome], error) {
		columns := make([][]uint8, 2)
		for _, row := range rows {
			columns[0], columns[1] = append(columns[0], 0), append(columns[1], uint8(row))
		}
		codes := []func(int) uint64{nil, func(person int) uint64 { return codeOf[rows[person]] }}
		people := m.sumUp(columns, codes)
		return rounds(m, coin.Limits{Top: uint64(len(rows)) + 2}, rat(stop), columns, people,
			func(src coin.Source, run selection.Scored[accepted]) (out outcome, score int64) {
				if score = run.Score; scored != nil {
					score, out.margin = scored(src, run, m.margin(people, run.Output.model))
				}
				out.found, out.way = true, run.Output.way
				copy(out.counts[:], run.Output.model.Measured.Tables[0].Counts)
				return out, score
			})
	}
}

// rounds is the law of a search without an end: one round of it, again and again until a run
// reaches the threshold, of which say makes the release, or a coin ends it with nothing.
func rounds[T comparable](m *Accept, limits coin.Limits, stop *big.Rat, columns [][]uint8,
	people *summary, say func(coin.Source, selection.Scored[accepted]) (out T, score int64),
) (*coin.Law[T], error) {
	type end struct {
		out  T
		over bool
	}
	var all []selection.Candidate[accepted]
	for i := range m.ways {
		all = append(all, func(src coin.Source) (selection.Scored[accepted], error) {
			return m.run(src, i, columns, people, nil)
		})
	}
	any := must(selection.OneOf(all))
	one, err := coin.Enumerate(limits, func(src coin.Source) (end, error) {
		run, err := any(src)
		if err != nil {
			return end{}, err
		}
		if out, score := say(src, run); score >= m.threshold {
			return end{out, true}, nil
		}
		return end{over: src.Bernoulli(coin.RatioBig(stop.Num(), stop.Denom()))}, nil
	})
	if err != nil {
		return nil, err
	}
	return coin.Until(one, func(e end) (T, bool) { return e.out, e.over }), nil
}

func within1(of Statistic, within string, columns ...int) Criterion {
	return Criterion{Of: of, Columns: columns, At: rat("1/2"), Within: rat(within)}
}

var every = []Criterion{within1(AllPairs, "1/2"), within1(Singles, "1/2"), within1(Mean, "9", 1),
	within1(Quantile, "1/2", 1)}

func TestAuditAccept(t *testing.T) {
	for _, test := range []struct {
		name     string
		persons  int
		ways     []coin.Base
		stop     string
		criteria []Criterion
	}{
		{"all criteria, n = 1", 1, []coin.Base{base(3, 2)}, "1/8", every},
		{"all criteria, two ways, n = 1", 1, []coin.Base{base(3, 2), base(5, 4)}, "1/16", every},
		{"tables, n = 2", 2, []coin.Base{base(3, 2)}, "1/8", every[:1]},
		{"a mean, n = 2", 2, []coin.Base{base(3, 2)}, "1/1000", every[2:3]},
		{"a quantile, n = 2", 2, []coin.Base{base(3, 2)}, "1/8", every[3:]},
	} {
		m := auditAccept(test.persons, test.ways, base(2, 1), test.stop, test.criteria...)
		audittest.Holds(t, audit.Audit[outcome]{Name: "accepted: " + test.name,
			Space: audit.Space{Persons: test.persons, Values: 2}, Claim: claimOf(m.Loss(1)),
			Law: accepts(m, test.stop, nil)})
	}
}

// shippedOutcome is what a search for rows of three columns says: the counts of its tables.
type shippedOutcome struct {
	found  bool
	way    int
	counts [9]int64
}

// drawn is a noise whose sums are bounded to what persons there are: an outcome for each, with the
// chance that the noise itself gives it.
type drawn struct {
	noise
	persons int64
	law     *coin.Law[int64]
}

func (d drawn) Release(src coin.Source, counts []int64, _ coin.Step) ([]int64, error) {
	noisy := make([]int64, len(counts))
	for i, count := range counts {
		left, low := big.NewRat(1, 1), d.below(count)
		for noisy[i] = 0; noisy[i] < d.persons; noisy[i]++ {
			if noisy[i] > 0 {
				low = d.law.Mass(noisy[i] - count)
			}
			part := new(big.Rat).Quo(low, left)
			if src.Bernoulli(coin.RatioBig(part.Num(), part.Denom())) {
				break
			}
			left.Sub(left, low)
		}
	}
	return noisy, nil
}

// AddTo is Release of one number, for a score.
func (d drawn) AddTo(src coin.Source, score int64) int64 {
	return must(d.Release(src, []int64{score}, nil))[0]
}

func (d drawn) ErrorBound(beta float64) int64 { return d.noise.(scoreNoise).ErrorBound(beta) }

// below is the chance of noise of at most −count, which is as likely as noise of at least count.
func (d drawn) below(count int64) *big.Rat {
	if count < 0 {
		return new(big.Rat).Sub(big.NewRat(1, 1), d.below(1-count))
	}
	within := new(big.Rat)
	for z := 1 - count; z < count; z++ {
		within.Add(within, d.law.Mass(z))
	}
	if count == 0 {
		within.Neg(d.law.Mass(0))
	}
	return within.Quo(within.Sub(big.NewRat(1, 1), within), big.NewRat(2, 1))
}

// shipped is the mechanism of the question, with its ways, its noise, its search and its fit, whose
// own coins are held: it is post-processing, whichever way they fall. Only two numbers are another.
// The threshold, which is public, is 1, for noise of few branches; and counts are bounded.
func shipped(t *testing.T, persons int, e, d string, sizes []int) *Accept {
	t.Helper()
	codes := make([]*Codes, len(sizes))
	p := AcceptParams{Epsilon: epsilon(e), Sizes: sizes, Codes: codes, Persons: persons,
		Ways: must(Ways(sizes, EveryWay)), Alone: true, Criteria: []Criterion{
			within1(AllPairs, "1/2"), within1(Singles, "1/2")}}
	if d != "" {
		p.Delta = delta(d)
	}
	m, err := NewAccept(p)
	var tight *TightError
	if err != nil && !errors.As(err, &tight) {
		t.Fatal(err)
	}
	m.threshold = 1
	if score, ok := m.noise.(*mechanism.Gaussian); ok {
		m.noise = drawnOf(score, 1) // as far as the threshold
	}
	for _, pairs := range m.tables {
		for i := range pairs.tables {
			pairs.tables[i].noise = drawnOf(pairs.tables[i].noise, persons)
		}
		for i := range pairs.alone {
			pairs.alone[i] = drawnOf(pairs.alone[i], persons)
		}
	}
	kept := map[string]*Model{}
	m.fit = func(_ coin.Source, of *Measured, step coin.Step) (*Model, error) {
		key := fmt.Sprint(of.Tables, of.Singles)
		if kept[key] == nil {
			kept[key] = must(Fit(coin.NewSeeded(1), of, step))
		}
		return kept[key], nil
	}
	return m
}

func drawnOf(n noise, persons int) drawn {
	return drawn{n, int64(persons), must(audittest.FirstTries(
		coin.Limits{Tail: big.NewRat(1, 1<<30), Bits: 48},
		func(src coin.Source) (int64, error) {
			noisy, err := n.Release(src, []int64{0}, nil)
			return must(noisy, err)[0], nil
		}))}
}

// searches is the law of a search, of people who are in one place of the last column.
func searches(m *Accept) func(rows []int) (*coin.Law[shippedOutcome], error) {
	stop := big.NewRat(1, 2*selection.RunsPerTry*int64(len(m.ways)))
	if runs, _ := new(big.Rat).Inv(stop).Float64(); runs != m.Runs() {
		panic(fmt.Sprintf("a search of %v runs", m.Runs()))
	}
	return func(rows []int) (*coin.Law[shippedOutcome], error) {
		columns := make([][]uint8, len(m.sizes))
		for _, row := range rows {
			for i := range columns {
				columns[i] = append(columns[i], 0)
			}
			columns[len(columns)-1][len(columns[0])-1] = uint8(row)
		}
		people := m.sumUp(columns, make([]func(int) uint64, len(columns)))
		return rounds(m, coin.Limits{Top: uint64(len(rows)) + 2, Bits: 60}, stop, columns, people,
			func(_ coin.Source, run selection.Scored[accepted]) (shippedOutcome, int64) {
				out, at := shippedOutcome{found: true, way: run.Output.way}, 0
				for _, t := range run.Output.model.Measured.Tables {
					at += copy(out.counts[at:], t.Counts)
				}
				for _, s := range run.Output.model.Measured.Singles {
					at += copy(out.counts[at:], s.Counts)
				}
				return out, run.Score
			})
	}
}

// TestAuditAcceptShipped: the mechanism as the question makes it, with columns alone, every way,
// and a δ.
func TestAuditAcceptShipped(t *testing.T) {
	for _, test := range []struct {
		name    string
		persons int
		e, d    string
		sizes   []int
	}{
		{"ε = 2, n = 1", 1, "2", "", []int{1, 1, 2}},
		{"ε = 4, δ = 0.05, n = 1", 1, "4", "0.05", []int{1, 1, 2}},
		{"ε = 2, one way, n = 2", 2, "2", "", []int{1, 2}},
		{"ε = 4, δ = 0.05, one way, n = 2", 2, "4", "0.05", []int{1, 2}},
	} {
		m := shipped(t, test.persons, test.e, test.d, test.sizes)
		claim := claimOf(m.Loss(1))
		claim.Delta.Add(claim.Delta, big.NewRat(1, 1e6)) // what short chances lose
		audittest.Holds(t, audit.Audit[shippedOutcome]{
			Name: "accepted, as shipped: " + test.name, Space: persons(test.persons),
			Claim: claim, Law: searches(m)})
	}
}

// TestPlantedAcceptShipped: columns alone that are not charged, and a search whose runs are.
func TestPlantedAcceptShipped(t *testing.T) {
	m := shipped(t, 2, "2", "", []int{1, 2})
	part := must(PartAlone(PairsParams{Epsilon: epsilon("3/4"), Sizes: []int{1, 2}}, 2))
	pairs := must(NewPairs(PairsParams{Epsilon: epsilon("3/4").Part(100-part, 100),
		Sizes: []int{1, 2}}))
	scored := must(m.noise.Loss(1))
	unpaid := must(selection.Until(must(pairs.Loss(1)).Plus(scored), 1,
		privacy.Delta{}))
	audittest.Caught(t, audit.Audit[shippedOutcome]{
		Name: "accepted, as shipped: columns alone unpaid", Space: persons(2),
		Claim: claimOf(unpaid.Loss(1)), Law: searches(m)})
	audittest.Caught(t, audit.Audit[shippedOutcome]{
		Name: "accepted, as shipped: the tables unpaid", Space: persons(2),
		Claim: claimOf(must(selection.Until(scored, 1, privacy.Delta{})).Loss(1)),
		Law:   searches(m)})
}

func TestPlantedAccept(t *testing.T) {
	const stop = "1/1000"
	two := audit.Space{Persons: 2, Values: 2}
	caught := func(name string, m *Accept, claim audit.Claim, scored func(src coin.Source,
		run selection.Scored[accepted], exact int64) (score, shown int64)) {
		t.Helper()
		audittest.Caught(t, audit.Audit[outcome]{Name: "accepted: " + name, Space: two,
			Claim: claim, Law: accepts(m, stop, scored)})
	}
	fresh := func(threshold int64, criteria ...Criterion) *Accept {
		m := auditAccept(2, []coin.Base{base(3, 2)}, base(2, 1), stop, criteria...)
		m.threshold = threshold
		return m
	}
	m := fresh(1, every[0])
	caught("a score without noise", m, claimOf(m.Loss(1)),
		func(_ coin.Source, _ selection.Scored[accepted], exact int64) (int64, int64) {
			return exact, 0
		})
	m = fresh(0, every[0])
	caught("by how much they are met, said", m, claimOf(m.Loss(1)),
		func(_ coin.Source, run selection.Scored[accepted], exact int64) (int64, int64) {
			return run.Score, exact
		})
	m = fresh(2, every[0])
	once := must(m.tables[0].Loss(1)).Plus(must(m.noise.Loss(1)))
	caught("all runs at the loss of one", m, claimOf(once, nil), nil)
	m = auditAccept(2, []coin.Base{base(3, 2)}, base(8, 1), stop, every[0])
	unpaid := must(must(m.tables[0].Loss(1)).Group(2))
	caught("the check unpaid", m, claimOf(unpaid, nil), nil)
	// a mean of which one person moves as much as one of a table
	m = fresh(3, within1(Mean, "9", 1))
	mean := m.criteria[0]
	caught("a person who moves a mean by one unit", m, claimOf(m.Loss(1)),
		func(src coin.Source, run selection.Scored[accepted], exact int64) (int64, int64) {
			noise := run.Score - exact
			return floor(new(big.Rat).Mul(mean.unit(acceptCodes), ratOf(exact))) + noise, 0
		})
}
