package threshold

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// person is a code and an answer.
type person struct {
	code uint64
	yes  bool
}

// labelled sorts persons by code only: equal codes may come in any order of answers.
func labelled(persons []person, bits int) Labelled {
	persons = slices.Clone(persons)
	slices.SortStableFunc(persons, func(a, b person) int { return int(a.code) - int(b.code) })
	var codes []uint64
	yes := []bool{}
	for _, p := range persons {
		codes, yes = append(codes, p.code), append(yes, p.yes)
	}
	return Labelled{domain.SortedCodes(codes, bits), yes}
}

func randomPersons(random *rand.Rand, most, values int) []person {
	persons := make([]person, random.IntN(most+1))
	for i := range persons {
		persons[i] = person{random.Uint64N(uint64(values)), random.IntN(2) == 0}
	}
	return persons
}

// says is the answer of the rule for a code.
func says(c Cut, code uint64) bool {
	return (new(big.Int).SetUint64(code).Cmp(c.At) < 0) != c.Above
}

// mistakesOf counts those of a cut.
func mistakesOf(c Cut, persons []person) int {
	wrong := 0
	for _, p := range persons {
		if says(c, p.code) != p.yes {
			wrong++
		}
	}
	return wrong
}

// few is a Finder that is given fewer codes than it needs.
type few struct {
	Finder
	needs int
}

func (f few) Needs() int { return f.needs }

// fewFinder is the exponential mechanism of base r for 2^bits values.
func fewFinder(bits, needs int, r coin.Base) Finder {
	return few{newExponential(values(uint(bits)), bits, r, big.NewRat(1, 20)), needs}
}

// places are the codes given to the finder, by definition.
func places(persons []person, window int, last uint64, above bool) []uint64 {
	var lower, upper []uint64
	for _, p := range persons {
		if p.yes != above {
			lower = append(lower, 2*p.code+1)
		} else {
			upper = append(upper, 2*p.code)
		}
	}
	slices.Sort(lower)
	slices.Sort(upper)
	lower = append(make([]uint64, window/2), lower...)
	upper = append(upper, slices.Repeat([]uint64{last}, window/2)...)
	all := slices.Concat(lower[len(lower)-window/2:], upper[:window/2])
	slices.Sort(all)
	return all
}

func numbers(codes domain.Sorted) []uint64 {
	all := make([]uint64, codes.Len())
	for i := range all {
		all[i] = codes.Number(i).Uint64()
	}
	return all
}

// TestRealizablePlaces checks learn.md, Lemmas 1 and 2: which codes the finder is given, that
// replacing a person changes at most two of them, and that every interior point of theirs makes at
// most half the window of mistakes.
func TestRealizablePlaces(t *testing.T) {
	rounds := 20_000
	if *long {
		rounds = 1_000_000
	}
	random := rand.New(rand.NewPCG(23, 24))
	finder := fewFinder(4, 2, base(3, 2))
	for range rounds {
		window, above := 2+2*random.IntN(3), random.IntN(2) == 0
		l := must(NewRealizableFrom(few{finder, window}, big.NewInt(8), above))
		persons := randomPersons(random, 9, 8)
		realizable := random.IntN(2) == 0
		cut := Cut{At: big.NewInt(random.Int64N(9)), Above: above}
		if realizable {
			for i, p := range persons {
				persons[i].yes = says(cut, p.code)
			}
		}
		given := l.nearest(labelled(persons, 3))
		sameView(t, "places", given, places(persons, window, 15, above), 4)
		list := numbers(given)
		if realizable {
			for z := list[0]; z <= list[window-1]; z++ {
				if wrong := mistakesOf(Cut{At: new(big.Int).SetUint64((z + 1) / 2), Above: above},
					persons); wrong > l.Mistakes() {
					t.Fatalf("persons %v, place %d of %v: %d mistakes", persons, z, list, wrong)
				}
			}
		}
		if len(persons) > 0 {
			other := slices.Clone(persons)
			if i := random.IntN(len(other)); random.IntN(4) == 0 {
				other = slices.Delete(other, i, i+1) // a person without a value
			} else {
				other[i] = person{random.Uint64N(8), random.IntN(2) == 0}
			}
			if changed := difference(ints(list), ints(numbers(l.nearest(labelled(other, 3))))) /
				2; changed > 2 {
				t.Fatalf("persons %v and %v: %d codes given differ", persons, other, changed)
			}
		}
	}
}

func ints(list []uint64) []int {
	all := make([]int, len(list))
	for i, x := range list {
		all[i] = int(x)
	}
	return all
}

// TestRealizableWithTies is the case in which codes with a no that are equal to the point found
// would all be answered wrongly, if they stood for themselves and not for the places below them.
func TestRealizableWithTies(t *testing.T) {
	l := must(NewRealizableFrom(fewFinder(4, 4, base(3, 2)), big.NewInt(8), false))
	persons := slices.Repeat([]person{{4, false}}, 4)
	for seed := range coin.Seed(200) {
		cut := must(l.Learn(coin.NewSeeded(seed), labelled(persons, 3), nil))
		if wrong := mistakesOf(cut, persons); wrong != 0 && wrong != 4 {
			t.Fatalf("cut %v makes %d mistakes", cut.At, wrong)
		}
	}
	for z := range uint64(9) { // interior points of {0, 0, 8, 8}
		if wrong := mistakesOf(Cut{At: new(big.Int).SetUint64((z + 1) / 2)}, persons); wrong > 2 {
			t.Errorf("place %d makes %d mistakes", z, wrong)
		}
	}
}

func TestRealizableSuccess(t *testing.T) {
	random := rand.New(rand.NewPCG(25, 26))
	for _, p := range []RealizableParams{
		{Epsilon: epsilon("1"), Size: values(20)},
		{Epsilon: epsilon("1"), Size: values(20), Above: true},
		{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(60), Above: true},
	} {
		l := must(NewRealizable(p))
		good := 0
		for seed := range coin.Seed(40) {
			cut := Cut{At: new(big.Int).SetUint64(random.Uint64N(1 << 20)), Above: p.Above}
			persons := make([]person, 3000)
			for i := range persons {
				persons[i].code = random.Uint64N(1 << 20)
				persons[i].yes = says(cut, persons[i].code)
			}
			found := must(l.Learn(coin.NewSeeded(seed), labelled(persons, l.bits), nil))
			if mistakesOf(found, persons) <= l.Mistakes() {
				good++
			}
		}
		if good < 38 {
			t.Errorf("%+v: %d of 40 runs", p, good)
		}
		loss := must(l.Loss(1))
		if e, _ := loss.Epsilon(); e.Cmp(p.Epsilon.Rat()) > 0 || loss.Delta().
			Cmp(p.Delta.Rat()) > 0 || float(e) < 0.9 {
			t.Errorf("%+v: loss %v", p, loss)
		}
	}
}

// TestRealizableGeneralises compares the bound with the binomial tail it stands for.
func TestRealizableGeneralises(t *testing.T) {
	l := must(NewRealizable(RealizableParams{Epsilon: epsilon("1"), Size: values(20)}))
	for _, alpha := range []float64{0.01, 0.1, 0.5} {
		n := l.Generalises(alpha, 0.05)
		tail := distuv.Binomial{N: float64(n), P: alpha}.CDF(float64(l.Mistakes()))
		if 2*tail > 0.05 || float64(n) > 2*float64(l.Mistakes())/alpha {
			t.Errorf("α = %g: %d persons, with %d mistakes at most; tail %g", alpha, n,
				l.Mistakes(), tail)
		}
	}
	if n := l.Generalises(1e-18, 0.05); n != 1<<53 {
		t.Errorf("α = 10^-18: %d persons", n)
	}
}

func TestRealizableRefuses(t *testing.T) {
	_, err := NewRealizable(RealizableParams{Size: values(8)})
	wantRefusal(t, err, "epsilon")
	_, err = NewRealizable(RealizableParams{Epsilon: epsilon("1")})
	wantRefusal(t, err, "size")
	_, err = NewRealizable(RealizableParams{Epsilon: epsilon("1"), Size: big.NewInt(1)})
	wantRefusal(t, err, "size") // H: learn.md places
	_, err = NewRealizableFrom(fewFinder(4, 4, base(3, 2)), values(1<<20+1), false)
	wantRefusal(t, err, "size") // H: learn.md places
	_, err = NewRealizable(RealizableParams{Epsilon: epsilon("1"), Size: values(8), Beta: 7})
	wantRefusal(t, err, "beta")
	l := must(NewRealizable(RealizableParams{Epsilon: epsilon("1"), Size: values(8)}))
	_, err = l.Learn(coin.NewSeeded(1), labelled(nil, 9), nil)
	wantRefusal(t, err, "codes") // H: learn.md bits
}

// labelledRows reads rows of an audit: value v is code v/2 with answer v%2.
func labelledRows(rows []int, bits int) Labelled {
	var persons []person
	for _, v := range rows {
		if v != audit.None {
			persons = append(persons, person{uint64(v / 2), v%2 == 1})
		}
	}
	return labelled(persons, bits)
}

// learnerAudit is of a learner on all data sets of four persons with codes of two bits and answers.
func learnerAudit(name string, claim audit.Claim,
	learn func(src coin.Source, data Labelled) (Cut, error)) audit.Audit[string] {
	return cutAudit(name, audit.Space{Persons: 4, Values: 8}, 2, claim, learn)
}

func cutAudit(name string, space audit.Space, bits int, claim audit.Claim,
	learn func(src coin.Source, data Labelled) (Cut, error)) audit.Audit[string] {
	return audit.Audit[string]{
		Name: name, Space: space, Claim: claim,
		Law: func(rows []int) (*coin.Law[string], error) {
			data := labelledRows(rows, bits)
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				cut, err := learn(src, data)
				return fmt.Sprint(cut.At, cut.Above), err
			})
		},
	}
}

// releasing learns as a question does, that asks for no curve.
func releasing(p CutoffParams) func(src coin.Source, data Labelled) (Cut, error) {
	c := must(NewCutoff(p))
	return func(src coin.Source, data Labelled) (Cut, error) {
		cut, _, err := c.Release(src, data, nil)
		return cut, err
	}
}

func TestAuditRealizable(t *testing.T) {
	for _, window := range []int{2, 4} {
		l := must(NewRealizableFrom(fewFinder(3, window, base(3, 2)), big.NewInt(4), window == 4))
		audittest.Holds(
			t, learnerAudit(fmt.Sprintf("realizable learner, window %d", window),
				claimOf(l.Loss(1)), releasing(CutoffParams{Realizable: l})))
	}
	l := must(NewRealizableFrom(fewFinder(4, 2, base(3, 2)), big.NewInt(8), false))
	audittest.Holds(
		t, cutAudit("realizable learner, 8 values", audit.Space{Persons: 3, Values: 16}, 3,
			claimOf(l.Loss(1)), releasing(CutoffParams{Realizable: l})))
}

func TestPlantedRealizable(t *testing.T) {
	l := must(NewRealizableFrom(fewFinder(3, 4, base(3, 2)), big.NewInt(4), false))
	audittest.Caught(
		t, learnerAudit("realizable learner that claims its finder's loss",
			claimOf(l.finder.Loss(1)), func(src coin.Source, data Labelled) (Cut, error) {
				return l.Learn(src, data, nil)
			}))
	audittest.Caught(
		t, learnerAudit("realizable learner that moves its cut to a code there is",
			claimOf(l.Loss(1)), func(src coin.Source, data Labelled) (Cut, error) {
				cut, err := l.Learn(src, data, nil)
				if at, _ := data.Codes.Rank(cut.At); at < data.Codes.Len() {
					cut.At = data.Codes.Number(at)
				}
				return cut, err
			}))
}

// TestTwoChangesShareDelta: a replaced person changes two of the codes that are looked at, for half
// of ε each, and δ of both together, e^(ε/2) + 1 times that of one, is what is granted.
func TestTwoChangesShareDelta(t *testing.T) {
	for _, e := range []string{"0.001", "0.1", "1", "7/3", "20"} {
		for _, d := range []string{"1e-6", "1/7000", "1e-20"} {
			epsilon, delta := must(privacy.ParseEpsilon(e)), must(privacy.ParseDelta(d))
			half, share, err := halves(epsilon, delta)
			if err != nil {
				t.Fatal(err)
			}
			twice := half.Rat()
			if twice.Add(twice, twice).Cmp(epsilon.Rat()) > 0 {
				t.Errorf("ε = %s: each has %v", e, half)
			}
			spent := privacy.ExpUp(half.Rat())
			spent.Add(spent, big.NewRat(1, 1)).Mul(spent, share.Rat())
			off, _ := new(big.Rat).Quo(spent, delta.Rat()).Float64()
			if spent.Cmp(delta.Rat()) > 0 || off < 1-1e-9 {
				t.Errorf("ε = %s, δ = %s: %g of δ is spent", e, d, off)
			}
		}
	}
}
