package query

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/param"
)

// loud is an ε with which noise is far below one person: releases are then judged by their
// structure alone.
var loud = epsilon("100")

// trueCount is how many records have all attributes of s.
func trueCount(r *Records, s Set) int64 {
	n := int64(0)
	for i := range r.Persons() {
		if s.Within(r.Row(i)) {
			n++
		}
	}
	return n
}

// reopened is the release after a trip through JSON.
func reopened(t *testing.T, r *Release) *Release {
	t.Helper()
	return must(read(must(json.Marshal(r))))
}

func read(text []byte) (*Release, error) {
	var r Release
	err := json.Unmarshal(text, &r)
	return &r, err
}

func field(t *testing.T, err error, want string) {
	t.Helper()
	var refused *param.Error
	if !errors.As(err, &refused) || refused.Field != want {
		t.Errorf("error %v, want one for field %s", err, want)
	}
}

func correlated(n, d int) *Records { return randomRecords(rand.New(rand.NewPCG(11, 1)), n, d) }

// TestReleases: every method, with hardly any noise, asked again after a trip through JSON, is as
// near to the truth as its structure allows.
func TestReleases(t *testing.T) {
	records := correlated(4000, 6)
	src := coin.NewSeeded(1)
	for name, c := range map[string]struct {
		release func() (*Release, error)
		width   int     // 0: width 3 only
		within  float64 // of the share
	}{
		"marginals": {func() (*Release, error) {
			return must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 3})).
				Release(src, records, nil)
		}, 3, 0.003},
		"marginals with a δ": {func() (*Release, error) {
			return must(
				NewMarginals(MarginalsParams{Epsilon: loud, Delta: delta("1e-6"), Width: 3})).
				Release(src, records, nil)
		}, 3, 0.003},
		"tables": {func() (*Release, error) {
			return must(NewTables(TablesParams{Epsilon: loud, Width: 3})).Release(src, records, nil)
		}, 3, 0.003},
		"the full table with a δ": {func() (*Release, error) {
			return must(NewTables(TablesParams{Epsilon: loud, Delta: delta("1e-6"), Width: 6})).
				Release(src, records, nil)
		}, 3, 0.003},
		"product": {func() (*Release, error) {
			return must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 1, Product: true})).
				Release(src, records, nil)
		}, 3, 0.2},
		"MWEM": {func() (*Release, error) {
			return must(NewMWEM(MWEMParams{Epsilon: loud, Width: 3, Rounds: 60})).
				Release(src, records, nil)
		}, 3, 0.01},
		"boosting": {func() (*Release, error) {
			learner := must(NewExhaustive(LearnerParams{Epsilon: epsilon("1"), Width: 3}))
			return must(
				NewBoosting(
					BoostingParams{Learner: learner, Epsilon: epsilon("1"), Gap: rat(1, 50),
						Rounds: 400})).Release(src, records, nil)
		}, 3, 0.025},
		"boosting, greedy": {func() (*Release, error) {
			learner := must(NewGreedy(LearnerParams{Epsilon: epsilon("1"), Width: 3}))
			return must(
				NewBoosting(
					BoostingParams{Learner: learner, Epsilon: epsilon("1"), Gap: rat(1, 50),
						Rounds: 400})).Release(src, records, nil)
		}, 3, 0.15},
		"sampled": {func() (*Release, error) {
			return must(
				NewSampled(SampledParams{Epsilon: loud, Workload: OfWidth(3),
					Threshold: rat(1, 100), Updates: 60, Checks: 200})).Release(src, records, nil)
		}, 0, 0.02},
		"pieces": {func() (*Release, error) {
			return must(
				NewPieces(PiecesParams{Epsilon: loud, Most: 200, Threshold: rat(1, 50),
					Workloads: UpToWidth(3)})).ReleaseConjunctions(src, records, nil)
		}, 3, 0.05},
		"pieces with a δ": {func() (*Release, error) {
			return must(
				NewPieces(PiecesParams{Epsilon: loud, Delta: delta("1e-6"), Most: 100,
					Threshold: rat(1, 50), Workloads: UpToWidth(3)})).
				ReleaseConjunctions(src, records, nil)
		}, 3, 0.06},
		"Algorithm 6": {func() (*Release, error) {
			return must(
				NewCounted(CountedParams{Oracle: OracleParams{Epsilon: loud, Queries: 300},
					Alpha: rat(1, 25), Rule: TwoThresholds,
					Workloads: []Workload{OfWidth(3)}})).
				ReleaseConjunctions(src, records, nil)
		}, 0, 0.06},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := c.release()
			if err != nil {
				t.Fatal(err)
			}
			again := reopened(t, r)
			worst := 0.0
			for _, s := range subsets(6, 3) {
				if c.width == 0 && s.Len() != 3 {
					continue
				}
				a, b := must(r.Ask(s)), must(again.Ask(s))
				if a != b {
					t.Fatalf("%v: %v, reopened %v", s.Members(), a, b)
				}
				worst = max(worst, math.Abs(a.Share-float64(trueCount(records, s))/4000))
			}
			if worst > c.within {
				t.Errorf("worst error %v, want at most %v", worst, c.within)
			}
			if everybody := must(again.Ask(nil)); everybody.Persons != 4000 {
				t.Errorf("the empty conjunction has %v persons", everybody.Persons)
			}
		})
	}
}

// TestAnyFromADistribution: the records of a distribution say at once how many have any of some
// attributes, as inclusion and exclusion over what they say of conjunctions does.
func TestAnyFromADistribution(t *testing.T) {
	r := must(must(NewMWEM(MWEMParams{Epsilon: loud, Width: 2, Rounds: 30})).
		Release(coin.NewSeeded(3), correlated(4000, 8), nil))
	for _, s := range everySet(8) {
		sum, members := 0.0, s.Members()
		for mask := 1; mask < 1<<len(members); mask++ {
			part, sign := emptySet(8), -1.0
			for i, x := range members {
				if mask>>i&1 == 1 {
					part, sign = part.With(x), -sign
				}
			}
			sum += sign * must(r.Ask(part)).Persons
		}
		if got := must(r.AskAny(s)).Persons; math.Abs(got-sum) > 1e-6 {
			t.Errorf("any of %v: %g people, and %g by inclusion and exclusion", members, got, sum)
		}
	}
}

// TestAskAny compares disjunctions from releases of conjunctions with the truth.
func TestAskAny(t *testing.T) {
	records := correlated(2000, 5)
	r := must(must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 5})).
		Release(coin.NewSeeded(1), records, nil))
	for _, s := range subsets(5, 5) {
		want := float64(Coverage{records}.Value(s))
		if got := must(r.AskAny(s)); math.Abs(got.Persons-want) > 40 {
			t.Errorf("%v: %v, want %v", s.Members(), got, want)
		}
	}
	pieces := must(must(NewPieces(PiecesParams{Epsilon: loud, Most: 1, Workloads: UpToWidth(5)})).
		Release(coin.NewSeeded(1), Coverage{records}, nil))
	if got, want := must(pieces.AskAny(set(5, 1, 2, 3, 4, 5))).Persons,
		float64(Coverage{records}.Value(set(5, 1, 2, 3, 4, 5))); math.Abs(got-want) > 5 {
		t.Errorf("everything: %v, want %v", got, want)
	}
}

func TestBitmaps(t *testing.T) {
	records := correlated(200, 7)
	c := newBitmaps(records)
	for _, s := range subsets(7, 4) {
		if got, want := c.count(s), trueCount(records, s); got != want {
			t.Fatalf("%v: %d, want %d", s.Members(), got, want)
		}
	}
	if n := countSubsets(7, 4); n.Int64() != int64(len(subsets(7, 4))) {
		t.Errorf("%v subsets", n)
	}
}

// TestCutRelease: with hardly any noise the pieces of a star split off its centre, and every cut of
// a width is near the truth.
func TestCutRelease(t *testing.T) {
	var edges []Edge
	for i := range 3000 {
		edges = append(edges, Edge{0, 1 + i%9})
	}
	g := must(NewGraph(10, edges))
	m := must(NewPieces(
		PiecesParams{Epsilon: loud, Most: 4, Threshold: rat(1, 4),
			Workloads: []Workload{OfWidth(5), half(10)}, Signed: true}))
	r := reopened(t, must(m.Release(coin.NewSeeded(1), g, nil)))
	if len(r.Pieces) < 2 || !r.Pieces[0].Out.Has(0) {
		t.Errorf("pieces %v, want the centre to be split off", r.Pieces)
	}
	for _, s := range everySet(10) {
		if got, want := must(r.Ask(s)).Persons, float64(g.Value(s)); s.Len() == 5 &&
			math.Abs(got-want) > 3 {
			t.Fatalf("cut %v: %v, want %v", s.Members(), got, want)
		}
	}
	if _, err := must(
		NewPieces(PiecesParams{Epsilon: loud, Most: 1, Workloads: []Workload{half(10)}})).
		Release(coin.NewSeeded(1), g, nil); err == nil {
		t.Error("a graph passes for monotone")
	}
}

// TestPairs compares every cut with the truth.
func TestPairs(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(13, 1)), 5000, 6)
	r := reopened(
		t, must(must(NewPairs(PairsParams{Epsilon: loud})).Release(coin.NewSeeded(1), g, nil)))
	for _, s := range everySet(6) {
		if got, want := must(r.Ask(s)).Persons, float64(g.Value(s)); math.Abs(got-want) > 3 {
			t.Errorf("cut %v: %v, want %v", s.Members(), got, want)
		}
	}
	for v := range 6 {
		for u := range v {
			want := 0
			for _, e := range g.Edges {
				if e == (Edge{u, v}) || e == (Edge{v, u}) {
					want++
				}
			}
			if got := must(r.Between(v, u)); math.Abs(got.Persons-float64(want)) > 1 ||
				got != must(r.Between(u, v)) {
				t.Errorf("between %d and %d: %v, want %d", u, v, got, want)
			}
		}
	}
	for _, pair := range [][2]int{{1, 1}, {-1, 2}, {2, 6}} {
		_, err := r.Between(pair[0], pair[1])
		field(t, err, "pair")
	}
	_, err := must(must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 2})).
		Release(coin.NewSeeded(1), correlated(9, 3), nil)).Between(0, 1)
	field(t, err, "method")
	_, err = must(NewPairs(PairsParams{Epsilon: loud})).
		Release(coin.NewSeeded(1), must(NewGraph(2000, []Edge{{0, 1}})), nil)
	field(t, err, "vertices")
}

// TestRule finds a planted conjunction by scoring, greedily, and by way of two releases (Theorem
// 5.5).
func TestRule(t *testing.T) {
	records := correlated(3000, 8)
	target := set(8, 2, 5)
	known := func(person int) bool { return person%10 != 0 }
	yes := func(person int) bool { return target.Within(records.Row(person)) }
	e := NewExamples(records, yes, known)
	for _, s := range append(subsets(8, 2), nil) {
		right := int64(0)
		for i := range 3000 {
			if known(i) && yes(i) == s.Within(records.Row(i)) {
				right++
			}
		}
		if got := e.Right(s); got != right {
			t.Fatalf("%v is right %d times, want %d", s.Members(), got, right)
		}
	}
	for _, greedy := range []bool{false, true} {
		rule := must(
			must(NewRuleLearner(RuleParams{Epsilon: epsilon("1"), Width: 2, Greedy: greedy})).
				Release(coin.NewSeeded(1), e, nil))
		if rule.Set.key() != target.key() || math.Abs(float64(rule.Right)-2700) > 60 {
			t.Errorf("greedy %v: %v, right %d times", greedy, rule.Set.Members(), rule.Right)
		}
	}
	withYes, withNo, err := Conditionals(records, yes, known)
	if err != nil {
		t.Fatal(err)
	}
	release := func(r *Records) *Release {
		return must(must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Width: 2})).
			Release(coin.NewSeeded(1), r, nil))
	}
	if best, _, err := BestRule(release(withYes), release(withNo), 2); err != nil ||
		best.key() != target.key() {
		t.Errorf("from releases: %v, %v", best.Members(), err)
	}
}

// TestConverse is the promise of Theorem 5.5 in the form without division: from releases that are
// off by α·n anywhere, the rule is within 4α·n of the best.
func TestConverse(t *testing.T) {
	random := rand.New(rand.NewPCG(12, 1))
	for range 200 {
		n, d := 40, 3
		records := randomRecords(random, n, d)
		answers := make([]bool, n)
		for i := range answers {
			answers[i] = random.IntN(2) == 0
		}
		always := func(int) bool { return true }
		yes := func(i int) bool { return answers[i] }
		e := NewExamples(records, yes, always)
		off := int64(random.IntN(8))
		withYes, withNo, err := Conditionals(records, yes, always)
		if err != nil {
			t.Fatal(err)
		}
		distorted := func(r *Records) *Release {
			release := &Release{Method: ByMarginals, Kind: Conjunctions, Size: d, Persons: n,
				Width: d}
			for _, s := range subsets(d, d) {
				release.Counts = append(release.Counts, trueCount(r, s)+random.Int64N(2*off+1)-off)
			}
			return release
		}
		chosen, _, err := BestRule(distorted(withYes), distorted(withNo), d)
		if err != nil {
			t.Fatal(err)
		}
		best := int64(0)
		for _, s := range subsets(d, d) {
			best = max(best, e.Right(s))
		}
		if e.Right(chosen) < best-4*off {
			t.Fatalf("off by %d: right %d times, the best %d", off, e.Right(chosen), best)
		}
	}
}

// TestCountedCap is A5 of the review: at every k, tests and means together ask at most k queries,
// however much noise there is.
func TestCountedCap(t *testing.T) {
	records := correlated(30, 6)
	for k := 1; k < 40; k++ { // H: pieces.md held-back
		for seed := range coin.Seed(20) {
			m := must(NewCounted(
				CountedParams{Oracle: OracleParams{Epsilon: epsilon("0.1"), Queries: k},
					Alpha: rat(1, 4), Rule: OneThreshold,
					Workloads: []Workload{half(6)}}))
			r, err := m.Release(coin.NewSeeded(seed), records, nil)
			if err != nil {
				t.Fatalf("k = %d: %v", k, err)
			}
			if m.workloads = append(m.workloads, OfWidth(2)); k >= 2 {
				if _, err := m.Release(coin.NewSeeded(seed), records, nil); err != nil {
					t.Fatalf("k = %d, two workloads: %v", k, err)
				}
			}
			if len(r.Pieces) != len(r.Means) {
				t.Fatalf("k = %d: %d pieces, %d means", k, len(r.Pieces), len(r.Means))
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	records := correlated(10, 30)
	src := coin.NewSeeded(1)
	_, err := must(NewMWEM(MWEMParams{Epsilon: loud, Width: 2, Rounds: 2})).
		Release(src, records, nil)
	// H: mwem.md universe
	field(t, err, "attributes")
	if !strings.Contains(err.Error(), "34.4 GB") {
		t.Errorf("%v does not say how much memory it would take", err)
	}
	_, err = must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 12})).
		Release(src, records, nil)
	field(t, err, "width")
	_, err = must(NewPieces(PiecesParams{Epsilon: loud, Most: 1, Workloads: []Workload{half(4)}})).
		ReleaseConjunctions(src, records, nil)
	field(t, err, "chances") // H: decompose.md workload-fits
	_, err = NewPieces(PiecesParams{Epsilon: loud, Most: 3, Workloads: UpToWidth(1)})
	field(t, err, "threshold")
	_, err = NewPieces(PiecesParams{Most: 3, Workloads: UpToWidth(1)})
	field(t, err, "epsilon")
	_, err = NewPieces(PiecesParams{Epsilon: loud, Most: 5000, Workloads: UpToWidth(1)})
	field(t, err, "most")
	_, err = NewOracle(OracleParams{Epsilon: loud})
	field(t, err, "queries")
	_, err = NewSet(3, 3)
	field(t, err, "attribute")
	_, err = NewRecords(0, 3)
	field(t, err, "persons")
	_, err = NewGraph(3, []Edge{{0, 3}})
	field(t, err, "edges")
	_, err = NewBoosting(BoostingParams{Epsilon: loud, Gap: rat(1, 2), Rounds: 1})
	field(t, err, "learner")
	_, err = NewSampled(SampledParams{Epsilon: loud, Threshold: rat(1, 2), Updates: 1})
	field(t, err, "checks")
	_, err = NewRuleLearner(RuleParams{Epsilon: loud})
	field(t, err, "width")
	r := must(must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 1})).
		Release(src, records, nil))
	_, err = r.Ask(set(30, 1, 2))
	field(t, err, "set")
	_, err = r.Ask(Set{1 << 40})
	field(t, err, "set")
}

// TestOpenRefuses: what is no release is refused, or answers with an error, and never panics.
func TestOpenRefuses(t *testing.T) {
	whole := string(
		must(json.Marshal(
			must(must(NewPieces(
				PiecesParams{Epsilon: loud, Most: 3, Threshold: rat(1, 5),
					Workloads: UpToWidth(2)})).
				ReleaseConjunctions(coin.NewSeeded(1), correlated(50, 3), nil)))))
	for name, change := range map[string][2]string{
		"format": {`"format":1`, `"format":2`}, "size": {`"size":3`, `"size":0`},
		"method": {`"method":"pieces"`, `"method":"magic"`},
		"means":  {`"means":[`, `"means":[1,`}, "pieces": {`"in":[]`, `"in":[7]`},
	} {
		broken := strings.Replace(whole, change[0], change[1], 1)
		if broken == whole {
			t.Fatalf("%s: nothing to change in %s", name, whole)
		}
		_, err := read([]byte(broken))
		field(t, err, name)
	}
	if _, err := read(
		[]byte(`{"format":1,"method":"weights","kind":"conjunctions","size":40,"persons":3,"loss":{"epsilon":"1"}}`)); err == nil {
		t.Error("a universe of 2^40 cells is opened")
	}
}

func FuzzRelease(f *testing.F) {
	f.Add([]byte(
		`{"format":1,"method":"marginals","kind":"conjunctions","size":2,"persons":3,"loss":{"epsilon":"1"},"width":1,"counts":[1,2]}`))
	f.Add([]byte(
		`{"format":1,"method":"pieces","kind":"cuts","size":2,"persons":3,"loss":{"epsilon":"1"},"pieces":[{"in":[],"out":[]}],"workloads":[{"width":1}],"means":[7]}`))
	f.Add([]byte(
		`{"format":1,"method":"weights","kind":"conjunctions","size":2,"persons":3,"loss":{"epsilon":"1"},"rounds":[{"set":[1],"step":0.5}]}`))
	f.Add([]byte(
		`{"format":1,"method":"tables","kind":"conjunctions","size":3,"persons":3,"loss":{"epsilon":"1"},"width":2,"columns":[[[0],[1]],[[2]]],"counts":[1,0,0,1,0,1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := read(data)
		if err != nil {
			if r.Format != 0 {
				t.Error("a release beside an error")
			}
			return
		}
		if r.Size > 20 {
			return
		}
		for _, s := range []Set{nil, {1}, {3}} {
			if a, err := r.Ask(s); err == nil && !(a.Share >= 0 && a.Share <= 1) {
				t.Errorf("share %v", a.Share)
			}
		}
	})
}

// TestPotential is the step of Theorem 5.1's proof on test vector D: an update lowers the relative
// entropy by at least ηΔ − η²/8.
func TestPotential(t *testing.T) {
	u := must(newUniverse(2))
	truth := []float64{0, 0.5, 0, 0.5} // both records with attribute 1
	entropy := func() (sum float64) {
		for i, p := range truth {
			if p > 0 {
				sum += p * math.Log(p*u.sum/u.weight[i])
			}
		}
		return sum
	}
	before := entropy()
	u.tilt(set(2, 1), 2)
	after := entropy()
	if math.Abs(before-0.693147) > 1e-6 || math.Abs(after-0.126928) > 1e-6 ||
		math.Abs(before-after-0.566219) > 1e-6 {
		t.Errorf("potentials %v and %v, want .693147 and .126928", before, after)
	}
}

// TestWidthIsChecked: a release of tables from a file with a width that no table has is refused,
// and breaks nothing.
func TestWidthIsChecked(t *testing.T) {
	r := must(must(NewTables(TablesParams{Epsilon: loud, Width: 3})).
		Release(coin.NewSeeded(1), correlated(400, 6), nil))
	for _, width := range []int{-1, 0, 7} {
		r.Width = width
		_, err := read(must(json.Marshal(r)))
		field(t, err, "width")
	}
}
