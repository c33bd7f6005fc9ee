package audit

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/internal/prooftest"
	"hush/core/privacy"
)

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a rational number: " + text)
	}
	return r
}

func law(masses map[int]string, cut string) *coin.Law[int] {
	l := coin.NewLaw[int]()
	for o, mass := range masses {
		l.Add(o, rat(mass))
	}
	l.AddCut(rat(cut))
	return l
}

func TestSpace(t *testing.T) {
	for _, test := range []struct {
		space       Space
		sets, pairs int
	}{
		{Space{Persons: 1, Values: 2}, 3, 6},
		{Space{Persons: 2, Values: 2}, 6, 3*2 + 3*4}, // 00 leads to 2 others, 01 to 4
		{Space{Persons: 4, Values: 3}, 35, 240},
		{Space{Persons: 2, Values: 2, NoNone: true}, 3, 4},  // 00–01–11
		{Space{Persons: 0, Values: 5}, 1, 0},                // nobody to replace
		{Space{Persons: 3, Values: 1}, 4, 6},                // only none and 0: a path
		{Space{Persons: 3, Values: 1, NoNone: true}, 1, 0},  // all the same
		{Space{Persons: 2, Values: 0, NoNone: false}, 1, 0}, // all none
		{Space{Persons: 20, Values: 1}, 21, 40},
		{Space{Persons: 1, Values: 3, AddRemove: true}, 4, 6}, // a star around none
		{Space{Persons: 3, Values: 2, AddRemove: true}, 10, 2 * (2 + 2*2 + 3*2)},
	} {
		sets := test.space.DataSets()
		pairs := 0
		seen := map[string]bool{}
		for i, near := range test.space.neighbours(sets) {
			if seen[fmt.Sprint(sets[i])] || !slices.IsSorted(sets[i]) ||
				len(sets[i]) != test.space.Persons {
				t.Errorf("%+v: data set %v twice or out of order", test.space, sets[i])
			}
			seen[fmt.Sprint(sets[i])] = true
			want := map[string]bool{} // by replacing each person in every way
			for person := range sets[i] {
				for v := None; v < test.space.Values; v++ {
					if v == None && test.space.NoNone || v == sets[i][person] ||
						test.space.AddRemove && v != None && sets[i][person] != None {
						continue
					}
					other := slices.Clone(sets[i])
					other[person] = v
					slices.Sort(other)
					want[fmt.Sprint(other)] = true
				}
			}
			for _, j := range near {
				if !want[fmt.Sprint(sets[j])] {
					t.Errorf("%v and %v are no neighbours", sets[i], sets[j])
				}
			}
			if len(near) != len(want) {
				t.Errorf("%v has %d neighbours, want %d", sets[i], len(near), len(want))
			}
			pairs += len(near)
		}
		if len(sets) != test.sets || pairs != test.pairs {
			t.Errorf("%+v: %d data sets, %d pairs, want %d, %d", test.space, len(sets), pairs,
				test.sets, test.pairs)
		}
	}
}

// TestClosenessByBruteForce compares both figures with their definition over all events.
func TestClosenessByBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	randomLaw := func() *coin.Law[int] {
		l, weights, total := coin.NewLaw[int](), [5]int64{}, int64(0)
		for i := range weights {
			weights[i] = max(0, random.Int64N(8)-2)
			total += weights[i]
		}
		if total == 0 {
			weights[0], total = 1, 1
		}
		for i, w := range weights {
			l.Add(i, big.NewRat(w, total))
		}
		return l
	}
	event := func(l *coin.Law[int], bits int) *big.Rat {
		sum := new(big.Rat)
		for o := range 5 {
			if bits>>o&1 == 1 {
				sum.Add(sum, l.Mass(o))
			}
		}
		return sum
	}
	for range 500 {
		p, q := randomLaw(), randomLaw()
		odds, delta := big.NewRat(4+random.Int64N(8), 4), big.NewRat(random.Int64N(6), 20)
		worst, need, possible := new(big.Rat), big.NewRat(1, 1), true
		for bits := range 32 {
			pe, qe := event(p, bits), event(q, bits)
			if d := new(big.Rat).Sub(pe, new(big.Rat).Mul(odds, qe)); d.Cmp(worst) > 0 {
				worst = d
			}
			switch over := new(big.Rat).Sub(pe, delta); {
			case over.Sign() <= 0:
			case qe.Sign() == 0:
				possible = false
			default:
				if over.Quo(over, qe).Cmp(need) > 0 {
					need = over
				}
			}
		}
		low, high := Delta(p, q, odds)
		if low.Cmp(worst) != 0 || high.Cmp(worst) != 0 {
			t.Fatalf("δ in %v … %v, want %v", low, high, worst)
		}
		have := Odds(p, q, delta)
		if (have != nil) != possible || possible && have.Cmp(need) != 0 {
			t.Fatalf("odds %v, want %v, %v", have, need, possible)
		}
		forth, back := Compare(p, q, Claim{odds, delta})
		if again, _ := Delta(q, p, odds); forth.High.Cmp(worst) != 0 ||
			fmt.Sprint(forth.Odds) != fmt.Sprint(have) || back.Low.Cmp(again) != 0 {
			t.Fatalf("compared: δ %v and %v, odds %v", forth.High, back.Low, forth.Odds)
		}
		if have != nil { // and δ at these odds is the δ asked for
			if _, at := Delta(p, q, have); at.Cmp(delta) > 0 {
				t.Fatalf("δ at the exact odds is %v, want at most %v", at, delta)
			}
		}
	}
}

func TestClosenessWithCutMass(t *testing.T) {
	p := law(map[int]string{0: "1/2", 1: "1/4"}, "1/4")
	q := law(map[int]string{0: "1/4", 1: "1/2"}, "1/4")
	low, high := Delta(p, q, rat("1"))
	// By the laws alone 1/4. Q's cut may fill the gap, P's may add to it.
	if low.Sign() != 0 || high.Cmp(rat("1/2")) != 0 {
		t.Errorf("have %v … %v", low, high)
	}
	if odds := Odds(p, q, rat("1/5")); odds != nil {
		t.Errorf("odds %v, but the cut alone is more than δ", odds)
	}
	if odds := Odds(p, q, rat("1/2")); odds.Cmp(rat("1")) != 0 {
		t.Errorf("odds %v, want (1/2 + 1/4 − 1/2)/(1/4)", odds)
	}
	if odds := Odds(p, q, rat("3/8")); odds.Cmp(rat("3/2")) != 0 {
		t.Errorf("odds %v, want (1/2 + 1/4 − 3/8)/(1/4)", odds)
	}
}

// response is randomised response: the first person's value with probability num/den, else the
// other.
func response(truth coin.Chance) func(rows []int) (*coin.Law[int], error) {
	return func(rows []int) (*coin.Law[int], error) {
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
			if src.Bernoulli(truth) {
				return rows[0], nil
			}
			return 1 - rows[0], nil
		})
	}
}

func TestAuditRandomisedResponse(t *testing.T) {
	audit := Audit[int]{Name: "response", Space: Space{Persons: 1, Values: 2, NoNone: true},
		Claim: Pure(3, 1), Law: response(coin.Ratio(3, 4))}
	var figures int
	report, err := Run(audit, func(f Figure) error { figures++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if report.Verdict() != Holds || report.Odds.Cmp(rat("3")) != 0 || report.High.Sign() != 0 ||
		figures != 2 || report.Pairs != 2 || report.DataSets != 2 {
		t.Errorf("have %s", report.Row())
	}
	if want := "| response | 2, 2 | 3 | 0 | 3 | 0 | 0 → 1 | holds |\n"; report.Row() != want {
		t.Errorf("row %q, want %q", report.Row(), want)
	}
	audit.Claim = Claim{rat("2"), rat("1/4")} // 3/4 − 2·1/4
	if report, _ = Run(audit, nil); report.Verdict() != Holds || report.High.Cmp(rat("1/4")) != 0 ||
		report.Odds.Cmp(rat("2")) != 0 {
		t.Errorf("have %s", report.Row())
	}
}

func TestPlantedTooTruthfulResponse(t *testing.T) {
	audit := Audit[int]{Name: "response", Space: Space{Persons: 1, Values: 2, NoNone: true},
		Claim: Pure(3, 1), Law: response(coin.Ratio(751, 1000))}
	report, err := Run(audit, nil)
	if err != nil || report.Verdict() != Violated || report.Odds.Cmp(rat("751/249")) != 0 ||
		report.Low.Cmp(rat("1/250")) != 0 {
		t.Errorf("have %s, %v", report.Row(), err)
	}
}

// TestPlantedAlwaysTrue is a release that no ε describes.
func TestPlantedAlwaysTrue(t *testing.T) {
	audit := Audit[int]{Space: Space{Persons: 1, Values: 2, NoNone: true},
		Claim: Claim{rat("1000"), rat("1/2")}, Law: response(coin.Ratio(1, 1))}
	report, err := Run(audit, nil)
	if err != nil || report.Verdict() != Violated || report.Odds != nil ||
		report.High.Cmp(rat("1")) != 0 {
		t.Errorf("have %s, %v", report.Row(), err)
	}
}

func TestUndecided(t *testing.T) {
	space := Space{Persons: 1, Values: 2, NoNone: true}
	r, _ := coin.NewBase(3, 2)
	noisy := func(rows []int) (*coin.Law[uint64], error) {
		return coin.Enumerate(coin.Limits{Tail: rat("1/100")},
			func(src coin.Source) (uint64, error) {
				return min(5, src.Geometric(r)), nil // without a top the tail is cut
			})
	}
	report, err := Run(Audit[uint64]{Space: space, Claim: Pure(3, 2), Law: noisy}, nil)
	if err != nil || report.Verdict() != Undecided {
		t.Errorf("have %s, %v", report.Row(), err)
	}
	if !strings.Contains(report.Row(), "0 … ") {
		t.Errorf("row %q does not give both ends", report.Row())
	}
	alone := Audit[int]{Space: Space{Persons: 1, Values: 1, NoNone: true}, Claim: Pure(3, 2),
		Law: response(coin.Ratio(1, 2))}
	if report, err := Run(alone, nil); err != nil || report.Verdict() != Undecided {
		t.Errorf("an audit of nothing says %v, %v", report.Verdict(), err)
	}
}

func TestRunStops(t *testing.T) {
	stop := errors.New("stop")
	space := Space{Persons: 1, Values: 2}
	constant := func([]int) (*coin.Law[int], error) { return law(map[int]string{0: "1"}, "0"), nil }
	for name, test := range map[string]struct {
		audit Audit[int]
		each  func(Figure) error
		want  string
	}{
		"law fails": {
			Audit[int]{Space: space, Claim: Pure(1, 1), Law: func([]int) (*coin.Law[int], error) {
				return nil, stop
			}}, nil, "stop"},
		"law is less": {
			Audit[int]{Space: space, Claim: Pure(1, 1), Law: func([]int) (*coin.Law[int], error) {
				return law(map[int]string{0: "2/3"}, "0"), nil
			}}, nil, "total mass 2/3"}, // H: audit.md whole-law
		"watcher": {Audit[int]{Space: space, Claim: Pure(1, 1), Law: constant},
			func(Figure) error { return stop }, "stop"},
	} {
		report, err := Run(test.audit, test.each)
		if report != nil || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: have %v, %v", name, report, err)
		}
	}
	seen := 0
	for range (Audit[int]{Space: space, Claim: Pure(1, 1), Law: constant}).Figures() {
		if seen++; seen == 2 {
			break // a page that is left in the middle
		}
	}
}

func TestRounds(t *testing.T) {
	space := Space{Persons: 1, Values: 2, NoNone: true}
	round := func(eighths uint64) Audit[int] {
		return Audit[int]{Name: "rounds", Space: space, Claim: Pure(3, 1),
			Law: response(coin.Ratio(eighths, 8))}
	}
	figures := 0
	report, err := Rounds([]uint64{4, 6, 5}, round, func(Figure) error { figures++; return nil })
	if err != nil || figures != 6 || report.Pairs != 6 || report.DataSets != 6 ||
		report.Odds.Cmp(rat("3")) != 0 || report.Verdict() != Holds {
		t.Errorf("have %s, %v", report.Row(), err)
	}
	if report, err = Rounds([]uint64{4, 7, 5}, round, nil); err != nil ||
		report.Verdict() != Violated {
		t.Errorf("have %s, %v", report.Row(), err)
	}
	if _, err = Rounds([]int64{3, 4}, func(odds int64) Audit[int] {
		return Audit[int]{Space: space, Claim: Pure(odds, 1), Law: response(coin.Ratio(1, 2))}
	}, nil); err == nil {
		t.Error("rounds of different claims were added up")
	}
	if total := Pure(3, 2).Plus(Claim{rat("2"), rat("1/10")}); total.Odds.Cmp(rat("3")) != 0 ||
		total.Delta.Cmp(rat("1/10")) != 0 {
		t.Errorf("claims add up to %v", total)
	}
}

func TestClaimOf(t *testing.T) {
	exact, _ := privacy.LossFromOdds(rat("9/4"), rat("1/100"))
	claim, err := ClaimOf(exact)
	if err != nil || claim.Odds.Cmp(rat("9/4")) != 0 || claim.Delta.Cmp(rat("1/100")) != 0 {
		t.Errorf("have %v, %v", claim, err)
	}
	epsilon, _ := privacy.ParseEpsilon("1")
	claim, err = ClaimOf(privacy.PureLoss(epsilon))
	if e, _ := claim.Odds.Float64(); err != nil || e != 2.718281828459045 ||
		claim.Delta.Sign() != 0 {
		t.Errorf("have %v, %v", claim, err)
	}
	rho, _ := privacy.ParseRho("1")
	if _, err := ClaimOf(privacy.ConcentratedLoss(rho)); !errors.Is(err, privacy.ErrNoBound) {
		t.Errorf("have %v", err)
	}
}

func TestNumber(t *testing.T) {
	for want, x := range map[string]*big.Rat{
		"none": nil, "0": rat("0"), "3/2": rat("3/2"),
		"≈ 0.3333333": new(big.Rat).
			SetFrac(new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil),
				new(big.Int).
					Add(new(big.Int).
						Mul(big.NewInt(3), new(big.Int).Exp(big.NewInt(10), big.NewInt(30), nil)),
						big.NewInt(1))),
		"≈ 9.094947e-13": rat("1000000000001/1099511627776000000000000"),
	} {
		if have := Number(x); have != want {
			t.Errorf("have %q, want %q", have, want)
		}
	}
	if have := rows([]int{None, 0, 12}); have != "∅ 0 12" {
		t.Error(have)
	}
}

func TestProof(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }
