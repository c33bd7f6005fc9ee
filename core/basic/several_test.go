package basic

import (
	"math/big"
	"slices"
	"testing"

	"hush/core/privacy"
)

// movesOfPersons is the largest Σ (w·Δ)² by which the sums of all groups move when all rows of one
// person become others', and the cost of one row: by every pair of persons with up to g groups of
// three and up to k rows in each, of the values 0 to size − 1.
func movesOfPersons[A any](t *testing.T, question Question[A], size uint64, g,
	k int) (most, cost *big.Int) {
	t.Helper()
	const groups = 3
	of := question.question().ask
	d, ok := of.design(Gaussian, true)
	if !ok {
		t.Fatal("no Gaussian design")
	}
	var persons [][]int64 // the sums of all groups
	var add func(group, used, rows int, codes, in column)
	add = func(group, used, rows int, codes, in column) {
		if group == groups {
			a := asked[A]{ask: of, grouped: true}
			sums, err := a.exact(codes, in, groups, nil)
			if err != nil {
				t.Fatal(err)
			}
			persons = append(persons, sums)
			return
		}
		add(group+1, used, 0, codes, in)
		if rows == k || rows == 0 && used == g {
			return
		}
		least := uint64(0)
		if rows > 0 {
			least = uint64(codes[len(codes)-1])
			used--
		}
		for code := least; code < size; code++ { // rows of a group in ascending order
			add(group, used+1, rows+1, append(slices.Clone(codes), int(code)),
				append(slices.Clone(in), group))
		}
	}
	add(0, 0, 0, nil, nil)
	most = new(big.Int)
	for _, one := range persons {
		for _, two := range persons {
			moved := new(big.Int)
			for j := range one {
				x := big.NewInt(one[j] - two[j])
				x.Mul(x, bigOf(d.weights[j%len(d.weights)]))
				moved.Add(moved, x.Mul(x, x))
			}
			if moved.Cmp(most) > 0 {
				most = moved
			}
		}
	}
	return most, bigOf(d.cost(true))
}

// TestSeveralMoves: with k rows in each of g groups the squares of all moves are at most g·k² times
// those of one row, for every question with Gaussian noise, and a count attains it. g·k times, the
// rows of a group as if they were groups, is too little, and g²·k², group privacy's, more than
// needed.
func TestSeveralMoves(t *testing.T) {
	e, d := epsilon("1"), delta("1e-6")
	plus := Scale{Size: big.NewInt(3), First: big.NewRat(0, 1), Step: big.NewRat(1, 1)}
	around := Scale{Size: big.NewInt(3), First: big.NewRat(-1, 1), Step: big.NewRat(1, 1)}
	for _, c := range []struct {
		name string
		of   func(g, k int) (most, cost *big.Int)
		same bool // attained
	}{
		{"count", func(g, k int) (most, cost *big.Int) {
			return movesOfPersons[Estimate](t,
				must(NewCount(CountParams{Epsilon: e, Delta: d})), 1, g, k)
		}, true},
		{"sum from 0", func(g, k int) (most, cost *big.Int) {
			return movesOfPersons[Estimate](t, must(NewSum(SumParams{Epsilon: e, Delta: d,
				Scale: plus, People: 100})), 3, g, k)
		}, true},
		{"sum around 0", func(g, k int) (most, cost *big.Int) {
			return movesOfPersons[Estimate](t, must(NewSum(SumParams{Epsilon: e, Delta: d,
				Scale: around, People: 100})), 3, g, k)
		}, true},
		{"mean", func(g, k int) (most, cost *big.Int) {
			return movesOfPersons[Estimate](t, must(NewMean(MeanParams{Epsilon: e, Delta: d,
				Scale: plus, People: 100})), 3, g, k)
		}, false},
		{"histogram", func(g, k int) (most, cost *big.Int) {
			return movesOfPersons[[]int64](t, must(NewHistogram(HistogramParams{Epsilon: e,
				Delta: d, Size: 2, Width: 1})), 2, g, k)
		}, false},
	} {
		for _, gk := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}} {
			if 2*gk[0] > 3 && c.same { // only three groups: two persons cannot have four
				continue
			}
			most, cost := c.of(gk[0], gk[1])
			bound := new(big.Int).Mul(cost, big.NewInt(int64(gk[0]*gk[1]*gk[1])))
			if most.Cmp(bound) > 0 || c.same && most.Cmp(bound) < 0 {
				t.Errorf("%s, %d groups with %d rows: moved by %v, want %v", c.name, gk[0], gk[1],
					most, bound)
			}
			planted := new(big.Int).Mul(cost, big.NewInt(int64(gk[0]*gk[1])))
			if c.same && gk[1] > 1 && most.Cmp(planted) <= 0 {
				t.Errorf("%s: rows as groups are not found to be too little", c.name)
			}
		}
	}
}

// TestSeveralNoise: Gaussian noise that is made for a person is √g narrower than what group privacy
// makes of that for a row, at the loss that was granted to the person.
func TestSeveralNoise(t *testing.T) {
	for _, gk := range [][2]uint64{{16, 1}, {25, 2}} {
		g, k := gk[0], gk[1]
		entries := privacy.Distance(g * k)
		e, d := epsilon("1"), delta("1e-6")
		each := must(privacy.DeltaOfEach(e.Part(1, int64(g*k)), d, entries))
		question := must(NewCount(CountParams{Epsilon: e.Part(1, int64(g*k)), Delta: each}))
		rows := must(NewByGroup[Estimate](question, 20))
		person := must(NewByGroupOf[Estimate](question, 20, Several{g, k, e, d}))
		loss, ok := person.Noise().OfPerson()
		if !ok {
			t.Errorf("%d groups with %d rows: no Gaussian noise", g, k)
			continue
		}
		spent, _ := loss.Epsilon()
		if spent.Cmp(e.Rat()) > 0 || loss.Delta().Cmp(d.Rat()) > 0 {
			t.Errorf("%d groups with %d rows: %v", g, k, loss)
		}
		// ρ of a row, g·k² times, is the person's, and no more (TestSeveralMoves).
		entry := new(big.Rat).Mul(person.asking.noise.rho.Rho(), new(big.Rat).SetFrac64(
			int64(g*k*k), 1))
		if want := must(privacy.RhoFor(e, d)).Rat(); entry.Cmp(want) > 0 {
			t.Errorf("%d groups with %d rows: ρ = %v of %v", g, k, entry, want)
		}
		if _, ok := rows.Noise().OfPerson(); ok {
			t.Error("what is made for a row states a loss of a person")
		}
		far := must(person.Loss(1))
		if far, err := far.Group(entries); err == nil {
			by, _ := far.Epsilon()
			t.Logf("%d groups with %d rows: ± %d, for rows ± %d (%s); group privacy says ε = %s",
				g, k, person.Noise().ErrorBound(Beta), rows.Noise().ErrorBound(Beta),
				rows.Noise().Kind(), by.FloatString(2))
		}
		if person.Noise().ErrorBound(Beta) >= rows.Noise().ErrorBound(Beta) {
			t.Errorf("%d groups with %d rows: ± %d, for rows ± %d", g, k,
				person.Noise().ErrorBound(Beta), rows.Noise().ErrorBound(Beta))
		}
		if none, ok := must(NewByGroupOf[Estimate](must(NewCount(CountParams{Epsilon: e})), 20,
			Several{g, k, e, privacy.Delta{}})).Noise().OfPerson(); ok {
			t.Errorf("without a δ: %v", none)
		}
	}
}
