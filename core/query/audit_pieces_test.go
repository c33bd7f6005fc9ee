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
	"hush/core/meter"
	"hush/core/privacy"
)

// scripted is a Source that gives the noise of thresholds a script, so that what follows can be
// enumerated for each. It knows Start by its order: it is the first draw, and the first after each
// positive test.
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

// thresholds is the exact law of a run with this many noisy thresholds, each of base r1 and its
// tests of base r2. Beyond reach each test's chance is a + b·r2^(−distance), and the tail of the
// series is summed in closed form; tests is the most tests after one Start.
func thresholds(r1, r2 coin.Base, reach int64, starts, tests int,
	run func(src coin.Source) (string, error)) (*coin.Law[string], error) {
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
		with := func(z int64) (*coin.Law[string], error) {
			return given(append(append([]int64{}, script...), z))
		}
		for z := -reach; z <= reach; z++ {
			law, err := with(z)
			if err != nil {
				return nil, err
			}
			// Pr[Z = z] = Pr[Z ≥ z] − Pr[Z ≥ z + 1]
			add(law, new(big.Rat).Sub(zero.AtLeast(z).Rat(), zero.AtLeast(z+1).Rat()))
		}
		for _, side := range []int64{-1, 1} {
			tail, err := audit.Mixture(r1, r2, tests, func(j uint64) (*coin.Law[string], error) {
				return with(side * (reach + 1 + int64(j)))
			})
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
func tested(r1, r2, r coin.Base, most int, threshold *big.Rat, unit uint, signed bool,
	workloads ...Workload) *Pieces {
	m := &Pieces{means: noise{base: r}, spend: &meter.Spend{}, most: most,
		threshold: threshold, unit: unit,
		signed: signed, workloads: workloads}
	if most > 1 {
		m.above = must(
			mechanism.NewAboveThreshold(
				mechanism.AboveThresholdParams{BaseThreshold: r1, BaseQueries: r2,
					Sensitivity: m.sensitivity()}))
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
func shapeLaw(m *Pieces, r1, r2 coin.Base, tests int, people func(rows []int) People) func([]int) (
	*coin.Law[string], error) {
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
func wholeLaw(m *Pieces, r1, r2 coin.Base, tests int, people func(rows []int) People) func([]int) (
	*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		shapes, err := shapeLaw(m, r1, r2, tests, people)(rows)
		if err != nil {
			return nil, err
		}
		return coin.Then(shapes, func(text string) (*coin.Law[string], error) {
			most := len(rows) << m.unit
			return coin.Enumerate(coin.Limits{Top: uint64(most) + 1},
				func(src coin.Source) (string, error) {
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
	// The means of two pieces change by at most 2·2^unit in L1 whatever the pieces; with a wider
	// claim than ε/2 each: bases are per unit of each.
	whole := func(m *Pieces) audit.Claim {
		return m.testsClaim().Plus(claimOf(privacy.LossFromOdds(r.Rat(), nil)))
	}
	audittest.Holds(
		t, audit.Audit[string]{
			Name:  "pieces of disjunctions, whole release, 2 attributes, 2 pieces",
			Space: cube(2, 2), Claim: whole(asked(two)),
			Law: wholeLaw(asked(two), r1, r2, 2, disjunctions(2))})
	audittest.Holds(
		t, audit.Audit[string]{Name: "pieces of disjunctions, 3 attributes, 2 pieces",
			Space: cube(3, 3), Claim: two.testsClaim(),
			Law: shapeLaw(two, r1, r2, 3, disjunctions(3))})
	graph := tested(r1, r2, r, 2, rat(1, 4), 1, true, OfWidth(1))
	audittest.Holds(
		t, audit.Audit[string]{Name: "pieces of cuts, 3 vertices, 2 pieces",
			Space: audit.Space{Persons: 3, Values: 4, NoNone: true}, Claim: graph.testsClaim(),
			Law: shapeLaw(graph, r1, r2, 6, cuts(3))})
	law, bases, space := manyPieces()
	twice := bases.sensitive(2)
	audittest.Holds(
		t, audit.Audit[string]{Name: "tests of one vertex on 16 pieces of cuts", Space: space,
			Claim: claimOf(twice.Loss(1)), Law: law(twice)})
	parts := asked(tested(r1, r2, r, 1, nil, 2, true, must(Independent(2, rat(1, 4))), half(2)))
	audittest.Holds(
		t, audit.Audit[string]{Name: "means of cuts for two parts of the places",
			Space: audit.Space{Persons: 2, Values: 2, NoNone: true},
			Claim: claimOf(privacy.LossFromOdds(r.Rat(), nil)), Law: meansLaw(parts)})
	if !testing.Short() {
		three := tested(r1, r2, r, 3, rat(1, 4), 0, false, OfWidth(1))
		audittest.Holds(
			t, audit.Audit[string]{Name: "pieces of disjunctions, 2 attributes, 3 pieces",
				Space: cube(3, 2), Claim: three.testsClaim(),
				Law: shapeLaw(three, r1, r2, 3, disjunctions(2))})
		audittest.Holds(
			t, audit.Audit[string]{Name: "pieces of cuts, whole release, 2 vertices, 2 pieces",
				Space: audit.Space{Persons: 4, Values: 2, NoNone: true},
				Claim: whole(asked(graph)), Law: wholeLaw(asked(graph), r1, r2, 4, cuts(2))})
	}
}

// signedTests has bases with which a threshold's noise is the narrower one.
type signedTests struct{ r1, r2 coin.Base }

func (s signedTests) sensitive(by uint64) *mechanism.AboveThreshold {
	p := mechanism.AboveThresholdParams{BaseThreshold: s.r1, BaseQueries: s.r2, Sensitivity: by}
	return must(mechanism.NewAboveThreshold(p))
}

// manyPieces are tests of vertex 0 on sixteen pieces of a graph that hold vertex 1 and not 2, for
// one edge which is none, {0, 1} or {0, 2}.
func manyPieces() (law func(*mechanism.AboveThreshold) func([]int) (*coin.Law[string], error),
	bases signedTests, space audit.Space) {
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

// asked gives the means of a Pieces a loss known in advance, in place of a base per unit: that of
// base 3/2 for all together.
func asked(m *Pieces) *Pieces {
	other := *m
	other.means = noise{epsilon: must(privacy.NewEpsilon(privacy.LogDown(rat(3, 2)))),
		spend: &meter.Spend{}}
	return &other
}

// meansLaw returns the law of the means of cuts of two vertices, clamped to their range.
func meansLaw(m *Pieces) func([]int) (*coin.Law[string], error) {
	return enumerated(5, func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, cuts(2)(rows), nil)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(clamp(r.Means[0], 4), clamp(r.Means[1], 4)), nil
	})
}

func TestPlantedPieces(t *testing.T) {
	seconds(t)
	r1, r2, r := base(3, 2), base(5, 4), base(3, 2)
	m := tested(r1, r2, r, 2, rat(1, 4), 1, false, OfWidth(1))
	whole := m.testsClaim().Plus(claimOf(privacy.LossFromOdds(r.Rat(), nil)))
	caught := func(name string, claim audit.Claim, space audit.Space,
		law func([]int) (*coin.Law[string], error)) {
		audittest.Caught(
			t, audit.Audit[string]{Name: "pieces " + name, Space: space, Claim: claim, Law: law})
	}
	// A4 of the review: one edge moves a marginal of a cut by 2, here in sixteen tests in a row.
	law, sharp, wide := manyPieces()
	narrow := sharp.sensitive(1)
	caught("of cuts with sensitivity 1 for signed marginals", claimOf(narrow.Loss(1)), wide,
		law(narrow))
	// Each of eight tests has its own noisy threshold, and one is paid for: a person with all eight
	// attributes moves every one of them.
	caught("whose positive tests are not counted", claimOf(m.above.Loss(1)),
		audit.Space{Persons: 1, Values: 2, NoNone: true},
		func(rows []int) (*coin.Law[string], error) {
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
	caught("whose means have the noise of one", claimOf(privacy.LossFromOdds(r.Rat(), nil)),
		cube(2, 2), enumerated(5, func(src coin.Source, rows []int) (string, error) {
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
	half := asked(tested(r1, r2, r, 1, nil, 2, true, must(Independent(2, rat(1, 4))), half(2)))
	half.means.epsilon = must(privacy.NewEpsilon(privacy.LogDown(rat(81, 16))))
	caught("of cuts whose two means have a quarter of their noise",
		claimOf(privacy.LossFromOdds(r.Rat(), nil)),
		audit.Space{Persons: 2, Values: 2, NoNone: true}, meansLaw(half))
	caught("whose means have no noise", whole, cube(2, 2),
		func(rows []int) (*coin.Law[string], error) {
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

// TestSensitivities compares, for all neighbours, what the proofs say that one person can change:
// marginals by MarginalSensitivity on every piece, the means of all pieces together by their
// number, all counts by theirs.
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
						if l, ok := w.on(piece, 3); ok &&
							distance(p.mean(l), q.mean(l)) > 1<<l.unit {
							t.Errorf("%s: a mean moves by %d/2^%d", name, p.mean(l)-q.mean(l),
								l.unit)
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
	audittest.Holds(
		t, audit.Audit[string]{Name: "Algorithm 6, 1 attribute, 4 queries", Space: cube(2, 1),
			Claim: claimOf(m.Loss(1)),
			Law:   enumerated(4, countedRun(m))})
	m.workloads = append(m.workloads, half(1))
	audittest.Holds(
		t, audit.Audit[string]{Name: "Algorithm 6, 1 attribute, 2 workloads, 4 queries",
			Space: cube(2, 1), Claim: claimOf(m.Loss(1)), Law: enumerated(4, countedRun(m))})
}

// counted is Algorithm 6 with k queries of unit 2.
func counted(k int) *Counted {
	return &Counted{must(NewOracle(OracleParams{Base: base(5, 4), Queries: k, Unit: 2})), rat(1, 2),
		OneThreshold, []Workload{OfWidth(1)}, 1}
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
	audittest.Caught(
		t, audit.Audit[string]{Name: "Algorithm 6 that pays for one query and asks more",
			Space: cube(2, 1), Claim: claimOf(narrow.Loss(1)),
			Law: enumerated(4, countedRun(m))})
}
