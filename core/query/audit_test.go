package query

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// In an audit a person's value is the record as a mask: value 0 is nobody's yes, so none is not needed beside it. For graphs the values number the
// edges of edgesOf.

// recordsOf are the records of a data set of masks.
func recordsOf(rows []int, size int) *Records {
	r := must(NewRecords(len(rows), size))
	for i, mask := range rows {
		for x := range size {
			if mask>>x&1 == 1 {
				r.Yes(i, x)
			}
		}
	}
	return r
}

// cube is all data sets of so many persons on so many attributes.
func cube(persons, size int) audit.Space {
	return audit.Space{Persons: persons, Values: 1 << size, NoNone: true}
}

// edgesOf are all edges on so many vertices; the first is none.
func edgesOf(vertices int) []Edge {
	edges := []Edge{{-1, -1}}
	for v := range vertices {
		for u := range v {
			edges = append(edges, Edge{u, v})
		}
	}
	return edges
}

func graphOf(rows []int, vertices int) *Graph {
	g := &Graph{Vertices: vertices}
	for _, v := range rows {
		g.Edges = append(g.Edges, edgesOf(vertices)[v])
	}
	return g
}

// seconds skips a test of several seconds in the short run.
func seconds(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work: not with -short")
	}
}

func claimOf(loss privacy.Loss, err error) audit.Claim { return must(audit.ClaimOf(must(loss, err))) }

// enumerated makes a law from a run in which everything random goes through src.
func enumerated(top int, run func(src coin.Source, rows []int) (string, error)) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{Top: uint64(top)}, func(src coin.Source) (string, error) { return run(src, rows) })
	}
}

// clamp keeps a noisy figure within edge of what it can be.
func clamp(x int64, most int) int64 { return min(max(x, -1), int64(most)+1) }

func TestAuditOracle(t *testing.T) {
	for _, p := range []OracleParams{{Base: base(3, 2), Queries: 2}, {Base: base(5, 4), Queries: 2, Unit: 2}} {
		o := must(NewOracle(p))
		audittest.Holds(t, audit.Audit[string]{Name: fmt.Sprintf("statistical queries, 2 of 3 answered, unit %d", o.unit), Space: cube(3, 2),
			Claim: claimOf(o.Loss(1)), Law: enumerated(3*int(o.unit)+1, askThree(o, 3*int(o.unit), true))})
	}
}

// askThree asks for two attributes, the second depending on the answer to the first, for the first again, and for one too many.
func askThree(o *Oracle, most int, again bool) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		a, records := o.Start(src, len(rows)), recordsOf(rows, 2)
		value := func(x int) func(int) uint64 {
			return func(person int) uint64 {
				if records.Row(person).Has(x) {
					return 9 // counts as the unit
				}
				return 0
			}
		}
		first, err := a.Ask("0", value(0))
		if err != nil {
			return "", err
		}
		x := 1
		if first > 1 {
			x = 0
		}
		second, err := a.Ask("second", value(x))
		if err != nil {
			return "", err
		}
		if !again { // the twin forgets what it has answered
			a.known = map[string]int64{}
		}
		third, err := a.Ask("0", value(0))
		if err != nil {
			return "", err
		}
		if _, err := a.Ask("third", value(1)); again && err != ErrExhausted {
			return "", fmt.Errorf("a third query: %v", err)
		}
		return fmt.Sprint(clamp(first, most), clamp(second, most), clamp(third, most)), nil
	}
}

func TestPlantedOracle(t *testing.T) {
	seconds(t)
	o := must(NewOracle(OracleParams{Base: base(3, 2), Queries: 2}))
	caught := func(name string, law func([]int) (*coin.Law[string], error)) {
		audittest.Caught(t, audit.Audit[string]{Name: "statistical queries " + name, Space: cube(3, 2), Claim: claimOf(o.Loss(1)), Law: law})
	}
	caught("noised anew when asked again, and without a cap", enumerated(4, func(src coin.Source, rows []int) (string, error) {
		wide := *o
		wide.queries = 99
		return askThree(&wide, 3, false)(src, rows)
	}))
	wrong := must(NewOracle(OracleParams{Base: base(9, 4), Queries: 2}))
	caught("with half the noise", enumerated(4, askThree(wrong, 3, true)))
}

// scripted is a Source that gives the noise of thresholds a script, so that what follows can be enumerated for each. It knows Start by its order: it is
// the first draw, and the first after each positive test.
type scripted struct {
	coin.Source
	script []int64
	next   bool
}

func (s *scripted) Bernoulli(p coin.Chance) bool {
	if s.next && len(s.script) > 0 {
		s.next = s.script[0] != 0
		if !s.next {
			s.script = s.script[1:]
			return true
		}
		return false
	}
	yes := s.Source.Bernoulli(p)
	s.next = yes
	return yes
}

func (s *scripted) Uniform(n uint64) uint64 {
	if !s.next || len(s.script) == 0 {
		return s.Source.Uniform(n)
	}
	if s.script[0] < 0 {
		return 1
	}
	return 0
}

func (s *scripted) Geometric(r coin.Base) uint64 {
	if !s.next || len(s.script) == 0 {
		return s.Source.Geometric(r)
	}
	size := s.script[0]
	s.script, s.next = s.script[1:], false
	return uint64(max(size, -size)) - 1
}

// thresholds is the exact law of a run with so many noisy thresholds, each of base r1 and its tests of base r2. Beyond reach each test's chance is a + b·r2^(−distance),
// and the tail of the series is summed in closed form; tests is the most tests after one Start.
func thresholds(r1, r2 coin.Base, reach int64, starts, tests int, run func(src coin.Source) (string, error)) (*coin.Law[string], error) {
	var given func(script []int64) (*coin.Law[string], error)
	given = func(script []int64) (*coin.Law[string], error) {
		if len(script) == starts {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				return run(&scripted{src, script, true})
			})
		}
		mixed, zero := coin.NewLaw[string](), must(mechanism.NewLaplaceNoise(r1))
		add := func(law *coin.Law[string], weight *big.Rat) {
			for _, o := range law.Outcomes() {
				mixed.Add(o, new(big.Rat).Mul(law.Mass(o), weight))
			}
		}
		with := func(z int64) (*coin.Law[string], error) { return given(append(append([]int64{}, script...), z)) }
		for z := -reach; z <= reach; z++ {
			law, err := with(z)
			if err != nil {
				return nil, err
			}
			// Pr[Z = z] = Pr[Z ≥ z] − Pr[Z ≥ z + 1]
			add(law, new(big.Rat).Sub(zero.AtLeast(z).Rat(), zero.AtLeast(z+1).Rat()))
		}
		for _, side := range []int64{-1, 1} {
			tail, err := audit.Mixture(r1, r2, tests, func(j uint64) (*coin.Law[string], error) { return with(side * (reach + 1 + int64(j))) })
			if err != nil {
				return nil, err
			}
			add(tail, zero.AtLeast(reach+1).Rat())
		}
		return mixed, nil
	}
	return given(nil)
}

// tested is a Pieces built from bases: tests of r1 and r2, means of unit 2^unit of base r.
func tested(r1, r2, r coin.Base, most int, threshold *big.Rat, unit uint, signed bool, workloads ...Workload) *Pieces {
	m := &Pieces{means: noise{base: r}, most: most, threshold: threshold, unit: unit, signed: signed, workloads: workloads}
	if most > 1 {
		m.above = must(mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{BaseThreshold: r1, BaseQueries: r2, Sensitivity: m.sensitivity()}))
	}
	return m
}

// testsClaim is that of most − 1 runs.
func (m *Pieces) testsClaim() audit.Claim {
	claim := audit.Pure(1, 1)
	for range m.most - 1 {
		claim = claim.Plus(claimOf(m.above.Loss(1)))
	}
	return claim
}

// shapeLaw is the law of the pieces.
func shapeLaw(m *Pieces, r1, r2 coin.Base, tests int, people func(rows []int) People) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		reach := int64(len(rows)) + m.least(len(rows)) + 1
		return thresholds(r1, r2, reach, m.most-1, tests, func(src coin.Source) (string, error) {
			d, err := m.split(src, people(rows), nil, nil)
			return shape(d), err
		})
	}
}

// shape writes pieces as text that unshape reads.
func shape(d Decomposition) string {
	var text strings.Builder
	for _, p := range d {
		fmt.Fprintf(&text, "%d %d ", mask(p.In), mask(p.Out))
	}
	return text.String()
}

func unshape(text string) (d Decomposition) {
	words := strings.Fields(text)
	for i := 0; i < len(words); i += 2 {
		var in, out uint64
		fmt.Sscan(words[i], &in)
		fmt.Sscan(words[i+1], &out)
		d = append(d, Piece{Set{in}, Set{out}})
	}
	return d
}

// wholeLaw is the law of a whole release: the pieces, and then the means, clamped.
func wholeLaw(m *Pieces, r1, r2 coin.Base, tests int, people func(rows []int) People) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		shapes, err := shapeLaw(m, r1, r2, tests, people)(rows)
		if err != nil {
			return nil, err
		}
		return coin.Then(shapes, func(text string) (*coin.Law[string], error) {
			most := len(rows) << m.unit
			return coin.Enumerate(coin.Limits{Top: uint64(most) + 1}, func(src coin.Source) (string, error) {
				r, err := m.measure(src, people(rows), unshape(text), nil)
				if err != nil {
					return "", err
				}
				for i := range r.Means {
					r.Means[i] = clamp(r.Means[i], most)
				}
				return text + fmt.Sprint(r.Means), nil
			})
		})
	}
}

func disjunctions(size int) func([]int) People {
	return func(rows []int) People { return Coverage{recordsOf(rows, size)} }
}

func cuts(vertices int) func([]int) People {
	return func(rows []int) People { return graphOf(rows, vertices) }
}

func TestAuditPieces(t *testing.T) {
	r1, r2, r := base(3, 2), base(5, 4), base(3, 2)
	two := tested(r1, r2, r, 2, rat(1, 4), 1, false, OfWidth(1))
	// The means of two pieces change by at most 2·2^unit in L1 whatever the pieces; with a wider claim than ε/2 each: bases are per unit of each.
	whole := func(m *Pieces) audit.Claim { return m.testsClaim().Plus(claimOf(privacy.LossFromOdds(r.Rat(), nil))) }
	audittest.Holds(t, audit.Audit[string]{Name: "pieces of disjunctions, whole release, 2 attributes, 2 pieces", Space: cube(2, 2), Claim: whole(asked(two)),
		Law: wholeLaw(asked(two), r1, r2, 2, disjunctions(2))})
	audittest.Holds(t, audit.Audit[string]{Name: "pieces of disjunctions, 3 attributes, 2 pieces", Space: cube(3, 3), Claim: two.testsClaim(),
		Law: shapeLaw(two, r1, r2, 3, disjunctions(3))})
	graph := tested(r1, r2, r, 2, rat(1, 4), 1, true, OfWidth(1))
	audittest.Holds(t, audit.Audit[string]{Name: "pieces of cuts, 3 vertices, 2 pieces", Space: audit.Space{Persons: 3, Values: 4, NoNone: true}, Claim: graph.testsClaim(),
		Law: shapeLaw(graph, r1, r2, 6, cuts(3))})
	law, bases, space := manyPieces()
	twice := bases.sensitive(2)
	audittest.Holds(t, audit.Audit[string]{Name: "tests of one vertex on 16 pieces of cuts", Space: space, Claim: claimOf(twice.Loss(1)), Law: law(twice)})
	if !testing.Short() {
		three := tested(r1, r2, r, 3, rat(1, 4), 0, false, OfWidth(1))
		audittest.Holds(t, audit.Audit[string]{Name: "pieces of disjunctions, 2 attributes, 3 pieces", Space: cube(3, 2), Claim: three.testsClaim(),
			Law: shapeLaw(three, r1, r2, 3, disjunctions(2))})
		audittest.Holds(t, audit.Audit[string]{Name: "pieces of cuts, whole release, 2 vertices, 2 pieces", Space: audit.Space{Persons: 4, Values: 2, NoNone: true},
			Claim: whole(asked(graph)), Law: wholeLaw(asked(graph), r1, r2, 4, cuts(2))})
	}
}

// signedTests has bases with which a threshold's noise is the narrower one.
type signedTests struct{ r1, r2 coin.Base }

func (s signedTests) sensitive(by uint64) *mechanism.AboveThreshold {
	p := mechanism.AboveThresholdParams{BaseThreshold: s.r1, BaseQueries: s.r2, Sensitivity: by}
	return must(mechanism.NewAboveThreshold(p))
}

// manyPieces are tests of vertex 0 on sixteen pieces of a graph that hold vertex 1 and not 2, for one edge which is none, {0, 1} or {0, 2}.
func manyPieces() (law func(*mechanism.AboveThreshold) func([]int) (*coin.Law[string], error), bases signedTests, space audit.Space) {
	bases = signedTests{base(5, 1), base(5, 4)}
	law = func(m *mechanism.AboveThreshold) func([]int) (*coin.Law[string], error) {
		return func(rows []int) (*coin.Law[string], error) {
			people := &Graph{7, []Edge{[]Edge{{-1, -1}, {0, 1}, {0, 2}}[rows[0]]}}
			return thresholds(bases.r1, bases.r2, 4, 1, 16, func(src coin.Source) (string, error) {
				run := m.Start(src, 1)
				for more := range 16 {
					marginals := people.Marginals(Piece{Set{uint64(2 + more<<3)}, Set{4}}, 0)
					if yes, err := run.Above(marginals[0]); yes || err != nil {
						return fmt.Sprint(more), err
					}
				}
				return "none", nil
			})
		}
	}
	return law, bases, audit.Space{Persons: 1, Values: 3, NoNone: true}
}

// asked gives the means of a Pieces a loss known in advance, in place of a base per unit: that of base 3/2 for all together.
func asked(m *Pieces) *Pieces {
	other := *m
	other.means = noise{epsilon: must(privacy.NewEpsilon(privacy.LogDown(rat(3, 2))))}
	return &other
}

func TestPlantedPieces(t *testing.T) {
	seconds(t)
	r1, r2, r := base(3, 2), base(5, 4), base(3, 2)
	m := tested(r1, r2, r, 2, rat(1, 4), 1, false, OfWidth(1))
	whole := m.testsClaim().Plus(claimOf(privacy.LossFromOdds(r.Rat(), nil)))
	caught := func(name string, claim audit.Claim, space audit.Space, law func([]int) (*coin.Law[string], error)) {
		audittest.Caught(t, audit.Audit[string]{Name: "pieces " + name, Space: space, Claim: claim, Law: law})
	}
	// A4 of the review: one edge moves a marginal of a cut by 2, here in sixteen tests in a row.
	law, sharp, wide := manyPieces()
	narrow := sharp.sensitive(1)
	caught("of cuts with sensitivity 1 for signed marginals", claimOf(narrow.Loss(1)), wide, law(narrow))
	// Each of eight tests has its own noisy threshold, and one is paid for: a person with all eight attributes moves every one of them.
	caught("whose positive tests are not counted", claimOf(m.above.Loss(1)), audit.Space{Persons: 1, Values: 2, NoNone: true}, func(rows []int) (*coin.Law[string], error) {
		one, err := thresholds(r1, r2, 4, 1, 1, func(src coin.Source) (string, error) {
			yes, err := m.above.Start(src, 1).Above(int64(rows[0]))
			return fmt.Sprint(yes), err
		})
		all := one
		for range 7 {
			if err == nil {
				all, err = coin.Then(all, func(before string) (*coin.Law[string], error) {
					return coin.Then(one, func(now string) (*coin.Law[string], error) {
						joined := coin.NewLaw[string]()
						joined.Add(before+now, rat(1, 1))
						return joined, nil
					})
				})
			}
		}
		return all, err
	})
	// Each of three means as if it were the only one: 1/n for the sensitivity of a vector.
	three := asked(tested(r1, r2, r, 1, nil, 1, false, OfWidth(1), OfWidth(2), half(2)))
	caught("whose means have the noise of one", claimOf(privacy.LossFromOdds(r.Rat(), nil)), cube(2, 2), enumerated(5, func(src coin.Source, rows []int) (string, error) {
		text := ""
		for _, w := range three.workloads {
			one := *three
			one.workloads = []Workload{w}
			r, err := one.Release(src, disjunctions(2)(rows), nil)
			if err != nil {
				return "", err
			}
			text += fmt.Sprint(clamp(r.Means[0], 4), " ")
		}
		return text, nil
	}))
	caught("whose means have no noise", whole, cube(2, 2), func(rows []int) (*coin.Law[string], error) {
		law, err := shapeLaw(m, r1, r2, 2, disjunctions(2))(rows)
		if err != nil {
			return nil, err
		}
		return coin.Then(law, func(text string) (*coin.Law[string], error) {
			return coin.Enumerate(coin.Limits{}, func(coin.Source) (string, error) {
				all := text
				for _, p := range unshape(text) {
					if l, ok := OfWidth(1).on(p, 2); ok {
						all += fmt.Sprint(disjunctions(2)(rows).mean(l), " ")
					}
				}
				return all, nil
			})
		})
	})
}

// TestSensitivities compares, for all neighbours, what the proofs say that one person can change: marginals by MarginalSensitivity on every piece, the means of
// all pieces together by their number, all counts by theirs.
func TestSensitivities(t *testing.T) {
	for name, c := range map[string]struct {
		people func([]int) People
		space  audit.Space
		worst  int64
	}{
		"disjunctions": {disjunctions(3), cube(2, 3), 1},
		"cuts":         {cuts(3), audit.Space{Persons: 2, Values: 4, NoNone: true}, 2},
	} {
		worst := int64(0)
		var all Decomposition
		for in := range 8 {
			for out := range 8 {
				if in&out == 0 {
					all = append(all, Piece{Set{uint64(in)}, Set{uint64(out)}})
				}
			}
		}
		for _, a := range c.space.DataSets() {
			for _, b := range c.space.DataSets() {
				if a[0] != b[0] && a[1] != b[1] {
					continue
				}
				p, q := c.people(a), c.people(b)
				for _, piece := range all {
					for pass := range p.Passes() {
						m, n := p.Marginals(piece, pass), q.Marginals(piece, pass)
						for _, x := range piece.free(3).Members() {
							worst = max(worst, distance(m[x], n[x]))
						}
					}
					for _, w := range UpToWidth(3) {
						if l, ok := w.on(piece, 3); ok && distance(p.mean(l), q.mean(l)) > 1<<l.unit {
							t.Errorf("%s: a mean moves by %d/2^%d", name, p.mean(l)-q.mean(l), l.unit)
						}
					}
				}
			}
		}
		if worst != c.worst {
			t.Errorf("%s: marginals move by up to %d, want %d", name, worst, c.worst)
		}
	}
}

func TestAuditCounted(t *testing.T) {
	m := counted(4)
	audittest.Holds(t, audit.Audit[string]{Name: "Algorithm 6, 1 attribute, 4 queries", Space: cube(2, 1), Claim: claimOf(m.Loss(1)),
		Law: enumerated(4, countedRun(m))})
}

// counted is Algorithm 6 with k queries of unit 2.
func counted(k int) *Counted {
	return &Counted{must(NewOracle(OracleParams{Base: base(5, 4), Queries: k, Unit: 2})), rat(1, 2), OneThreshold, OfWidth(1), 1}
}

func countedRun(m *Counted) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, 1), nil)
		if err != nil {
			return "", err
		}
		return shape(r.Pieces) + fmt.Sprint(r.Means), nil
	}
}

// TestPlantedCounted is A5 of the review: k counts the tests alone, and the means come on top.
func TestPlantedCounted(t *testing.T) {
	m := counted(4)
	narrow := must(NewOracle(OracleParams{Base: base(5, 4), Queries: 1, Unit: 2}))
	audittest.Caught(t, audit.Audit[string]{Name: "Algorithm 6 that pays for one query and asks more", Space: cube(2, 1), Claim: claimOf(narrow.Loss(1)),
		Law: enumerated(4, countedRun(m))})
}

func TestAuditMarginals(t *testing.T) {
	seconds(t)
	m := &Marginals{noise: noise{base: base(5, 4)}, width: 2}
	audittest.Holds(t, audit.Audit[string]{Name: "all conjunctions of 2 attributes", Space: cube(2, 2), Claim: claimOf(lossOf(base(5, 4), 3)), Law: enumerated(3, marginalRun(m))})
}

func TestPlantedMarginals(t *testing.T) {
	seconds(t)
	m := &Marginals{noise: noise{base: base(5, 4)}, width: 2}
	audittest.Caught(t, audit.Audit[string]{Name: "all conjunctions of 2 attributes with sensitivity 2", Space: cube(2, 2), Claim: claimOf(lossOf(base(5, 4), 2)), Law: enumerated(3, marginalRun(m))})
}

func pairsRun(m *Pairs) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, graphOf(rows, 3), nil)
		if err != nil {
			return "", err
		}
		for i := range r.Counts {
			r.Counts[i] = clamp(r.Counts[i], len(rows))
		}
		return fmt.Sprint(r.Counts), nil
	}
}

func TestAuditPairs(t *testing.T) {
	seconds(t)
	m := must(NewPairs(PairsParams{Base: base(5, 4)}))
	audittest.Holds(t, audit.Audit[string]{Name: "edges between each two of 3 vertices", Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)), Law: enumerated(3, pairsRun(m))})
}

func TestPlantedPairs(t *testing.T) {
	seconds(t)
	m := must(NewPairs(PairsParams{Base: base(5, 4)}))
	audittest.Caught(t, audit.Audit[string]{Name: "edges between each two of 3 vertices with sensitivity 1", Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(lossOf(base(5, 4), 1)), Law: enumerated(3, pairsRun(m))})
}

// lossOf is moves·ln r.
func lossOf(r coin.Base, moves uint64) (privacy.Loss, error) {
	return privacy.LossFromOdds(r.Pow(moves).Rat(), nil)
}

func marginalRun(m *Marginals) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, 2), nil)
		if err != nil {
			return "", err
		}
		for i := range r.Counts {
			r.Counts[i] = clamp(r.Counts[i], len(rows))
		}
		return fmt.Sprint(r.Counts), nil
	}
}

// roundsOf writes the rounds of a release down.
func roundsOf(r *Release) string {
	var text strings.Builder
	for _, round := range r.Rounds {
		fmt.Fprint(&text, mask(round.Set), " ")
		if round.Count != nil {
			fmt.Fprint(&text, *round.Count, " ")
		} else {
			fmt.Fprint(&text, round.Step > 0, " ")
		}
	}
	return text.String()
}

func released[M interface {
	Release(coin.Source, *Records, coin.Step) (*Release, error)
}](m M, size int) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, size), nil)
		if err != nil {
			return "", err
		}
		return roundsOf(r), nil
	}
}

func TestAuditMWEM(t *testing.T) {
	m := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 2, Rounds: 2}))
	audittest.Holds(t, audit.Audit[string]{Name: "MWEM, 2 attributes, 2 rounds", Space: cube(2, 2), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(m, 2))})
	if testing.Short() {
		return
	}
	one := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 3, Rounds: 1}))
	audittest.Holds(t, audit.Audit[string]{Name: "MWEM, 3 attributes, 1 round", Space: cube(3, 3), Claim: claimOf(one.Loss(1)), Law: enumerated(3, released(one, 3))})
}

func TestPlantedMWEM(t *testing.T) {
	seconds(t)
	m := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 2, Rounds: 2}))
	one := must(NewMWEM(MWEMParams{Base: base(3, 2), Width: 2, Rounds: 1}))
	audittest.Caught(t, audit.Audit[string]{Name: "MWEM that pays for one round of two", Space: cube(2, 2), Claim: claimOf(one.Loss(1)), Law: enumerated(2, released(m, 2))})
}

func TestAuditBoosting(t *testing.T) {
	seconds(t)
	for name, learner := range map[string]Learner{
		"exhaustive": must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 2})),
		"greedy":     must(NewGreedy(LearnerParams{Base: base(3, 2), Width: 2})),
	} {
		m := must(NewBoosting(BoostingParams{Learner: learner, Base: base(3, 2), Gap: rat(1, 4), Rounds: 1}))
		audittest.Holds(t, audit.Audit[string]{Name: "weights from a learner, " + name + ", 2 attributes, 1 round", Space: cube(2, 2), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(m, 2))})
	}
	m := must(NewBoosting(BoostingParams{Learner: must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 1})), Base: base(3, 2), Gap: rat(1, 4), Rounds: 2}))
	audittest.Holds(t, audit.Audit[string]{Name: "weights from a learner, 1 attribute, 2 rounds", Space: cube(4, 1), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(m, 1))})
}

func TestPlantedBoosting(t *testing.T) {
	learner := must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 2}))
	m := must(NewBoosting(BoostingParams{Learner: learner, Base: base(3, 2), Gap: rat(1, 4), Rounds: 1}))
	weak := must(NewBoosting(BoostingParams{Learner: must(NewExhaustive(LearnerParams{Base: base(6, 1), Width: 2})), Base: base(6, 1), Gap: rat(1, 4), Rounds: 1}))
	audittest.Caught(t, audit.Audit[string]{Name: "weights from a learner with a fifth of the noise", Space: cube(2, 2), Claim: claimOf(m.Loss(1)), Law: enumerated(2, released(weak, 2))})
}

// sampledLaw is the law of Sampled with one correction, the threshold's noise summed in closed form.
func sampledLaw(m *Sampled, r1, r2 coin.Base) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return thresholds(r1, r2, int64(len(rows))+3, 1, m.checks, func(src coin.Source) (string, error) {
			return released(m, 2)(onlyTop{src, uint64(len(rows))}, rows)
		})
	}
}

// onlyTop makes geometric draws end at a top from which a clamped count does not change.
type onlyTop struct {
	coin.Source
	top uint64
}

func (s onlyTop) Geometric(r coin.Base) uint64 {
	if script, ok := s.Source.(*scripted); ok && script.next && len(script.script) > 0 {
		return script.Geometric(r)
	}
	for k := range s.top { // Pr[k] = (1 − 1/r)·r^(−k), and all the rest at the top
		if s.Source.Bernoulli(coin.Ratio(1, 1).TimesPower(r, 1).Complement()) {
			return k
		}
	}
	return s.top
}

func sampled(r1, r2, r coin.Base) *Sampled {
	return &Sampled{
		above:    must(mechanism.NewAboveThreshold(mechanism.AboveThresholdParams{BaseThreshold: r1, BaseQueries: r2, Sensitivity: 1})),
		count:    must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 1})),
		workload: OfWidth(1), threshold: rat(1, 4), updates: 1, checks: 2,
	}
}

func TestAuditSampled(t *testing.T) {
	r1, r2 := base(3, 2), base(5, 4)
	m := sampled(r1, r2, r1)
	audittest.Holds(t, audit.Audit[string]{Name: "sampled conjunctions, 2 attributes, 1 correction", Space: cube(2, 2),
		Claim: claimOf(m.above.Loss(1)).Plus(claimOf(m.count.Loss(1))), Law: sampledLaw(m, r1, r2)})
}

func TestPlantedSampled(t *testing.T) {
	r1, r2 := base(3, 2), base(5, 4)
	m := sampled(r1, r2, base(1000, 1))
	audittest.Caught(t, audit.Audit[string]{Name: "sampled conjunctions whose count has hardly any noise", Space: cube(2, 2),
		Claim: claimOf(m.above.Loss(1)).Plus(claimOf(sampled(r1, r2, r1).count.Loss(1))), Law: sampledLaw(m, r1, r2)})
}

// ruleLearner is built from a base.
func ruleLearner(r coin.Base, greedy bool) *RuleLearner {
	l := &RuleLearner{count: must(mechanism.NewLaplace(mechanism.LaplaceParams{Base: r, L1Sensitivity: 1}))}
	if greedy {
		l.learner = must(NewGreedy(LearnerParams{Base: r, Width: 2}))
	} else {
		l.learner = must(NewExhaustive(LearnerParams{Base: r, Width: 2}))
	}
	return l
}

// ruleRun has as its values the records of two attributes, with the answer as the third bit; none stands for no answer.
func ruleRun(l *RuleLearner) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		known := func(person int) bool { return rows[person] != audit.None }
		masks := make([]int, len(rows))
		for i, v := range rows {
			masks[i] = max(v, 0)
		}
		e := NewExamples(recordsOf(masks, 2), func(person int) bool { return rows[person]>>2&1 == 1 }, known)
		rule, err := l.Release(src, e, nil)
		return fmt.Sprint(mask(rule.Set), rule.Right), err
	}
}

func TestAuditRule(t *testing.T) {
	for _, greedy := range []bool{false, true} {
		l := ruleLearner(base(3, 2), greedy)
		claim := claimOf(l.learner.Loss(1)).Plus(claimOf(l.count.Loss(1)))
		audittest.Holds(t, audit.Audit[string]{Name: fmt.Sprintf("rule learner, 2 attributes, greedy %v", greedy), Space: audit.Space{Persons: 2, Values: 8},
			Claim: claim, Law: enumerated(2, ruleRun(l))})
	}
}

func TestPlantedRule(t *testing.T) {
	l := ruleLearner(base(3, 2), true)
	claim := claimOf(must(NewExhaustive(LearnerParams{Base: base(3, 2), Width: 2})).Loss(1)).Plus(claimOf(l.count.Loss(1)))
	strong := ruleLearner(base(3, 1), true)
	audittest.Caught(t, audit.Audit[string]{Name: "rule learner that pays for one choice of two, with less noise", Space: audit.Space{Persons: 2, Values: 8},
		Claim: claim, Law: enumerated(2, ruleRun(strong))})
}
