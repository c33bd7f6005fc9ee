package threshold

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// cutLaw is the law by its definition, cut by cut.
func cutLaw(r coin.Base, size int, direction Direction, persons []person) map[string]*big.Rat {
	law, total := map[string]*big.Rat{}, new(big.Rat)
	for at := range size + 1 {
		for _, above := range []bool{false, true} {
			if direction == Below && above || direction == Above && !above {
				continue
			}
			cut := Cut{At: big.NewInt(int64(at)), Above: above}
			weight := r.Pow(uint64(mistakesOf(cut, persons))).Rat()
			law[cutText(cut)] = weight.Inv(weight)
			total.Add(total, weight)
		}
	}
	for _, mass := range law {
		mass.Quo(mass, total)
	}
	return law
}

func cutText(c Cut) string { return fmt.Sprint(c.At, " ", c.Above) }

func TestAgnosticLaw(t *testing.T) {
	random := rand.New(rand.NewPCG(29, 30))
	r := base(3, 2)
	for range 60 {
		persons := randomPersons(random, 7, 5)
		data := labelled(persons, 3)
		for _, direction := range []Direction{Below, Above, Either} {
			a := newAgnostic(big.NewInt(5), 3, direction, r)
			want := cutLaw(r, 5, direction, persons)
			whole := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				cut, err := a.Learn(src, data, nil)
				return cutText(cut), err
			}))
			sameMasses(t, fmt.Sprint(persons, direction), whole, want)
			// With a limit that leaves groups out, round by round.
			best := len(persons)
			must(0, a.eachGroup(data, newStages(nil, 1), func(g group) {
				best = min(best, g.mistakes)
			}))
			for limit := best; limit < best+4; limit++ {
				near := must(a.near(data, limit, newStages(nil, 1)))
				round := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
					cut, ok, err := near.draw(src, nil)
					if !ok {
						return "again", err
					}
					return cutText(cut), err
				}))
				law := coin.Until(round, func(text string) (string, bool) {
					return text, text != "again"
				})
				sameMasses(t, fmt.Sprint(persons, direction, " limit ", limit), law, want)
			}
		}
	}
}

func sameMasses(t *testing.T, name string, law *coin.Law[string], want map[string]*big.Rat) {
	t.Helper()
	for outcome, mass := range want {
		if law.Mass(outcome).Cmp(mass) != 0 {
			t.Fatalf("%s: %s has chance %v, want %v", name, outcome, law.Mass(outcome), mass)
		}
	}
}

func TestAgnosticSuccess(t *testing.T) {
	random := rand.New(rand.NewPCG(31, 32))
	a := must(NewAgnostic(
		AgnosticParams{Epsilon: epsilon("1"), Size: values(30), Direction: Either}))
	good := 0
	for seed := range coin.Seed(40) {
		persons := make([]person, 1000)
		for i := range persons {
			persons[i] = person{random.Uint64N(1 << 30), false}
			persons[i].yes = (persons[i].code > 1<<29) != (random.IntN(10) == 0)
		}
		data := labelled(persons, 30)
		best := len(persons)
		must(0, a.eachGroup(data, newStages(nil, 1), func(g group) {
			best = min(best, g.mistakes)
		}))
		if found := mistakesOf(must(a.Learn(coin.NewSeeded(seed), data, nil)),
			persons); found <= best+a.ErrorBound(0.05) {
			good++
		}
	}
	if good < 38 {
		t.Errorf("%d of 40 runs", good)
	}
	if a.ErrorBound(0) != 1<<53 {
		t.Error("an error bound that never fails")
	}
}

func TestAgnosticRefuses(t *testing.T) {
	_, err := NewAgnostic(AgnosticParams{Size: values(8)})
	wantRefusal(t, err, "epsilon")
	_, err = NewAgnostic(AgnosticParams{Epsilon: epsilon("1")})
	wantRefusal(t, err, "size")
	// H: agnostic.md direction
	_, err = NewAgnostic(AgnosticParams{Epsilon: epsilon("1"), Size: values(8), Direction: "up"})
	wantRefusal(t, err, "direction")
	a := must(NewAgnostic(AgnosticParams{Epsilon: epsilon("1"), Size: values(8)}))
	_, err = a.Learn(coin.NewSeeded(1), labelled(nil, 9), nil)
	wantRefusal(t, err, "codes")
	stop := errors.New("stop")
	for at := range int64(3) {
		_, err = a.Learn(coin.NewSeeded(1), labelled([]person{{1, true}}, 8),
			func(done, total int64) error {
				if done == at {
					return stop
				}
				return nil
			})
		if !errors.Is(err, stop) {
			t.Errorf("stopped at %d: %v", at, err)
		}
	}
}

func TestAuditAgnostic(t *testing.T) {
	for _, direction := range []Direction{Below, Either} {
		a := newAgnostic(big.NewInt(4), 2, direction, base(3, 2))
		of := learnerAudit(fmt.Sprintf("agnostic learner, %s", direction), claimOf(a.Loss(1)),
			releasing(CutoffParams{Agnostic: a}))
		audittest.Holds(t, of)
		directions(t, of, a.cost)
	}
}

// TestAuditAgnosticOfEight has a domain of eight values.
func TestAuditAgnosticOfEight(t *testing.T) {
	a := newAgnostic(big.NewInt(8), 3, Above, base(3, 2))
	audittest.Holds(
		t, cutAudit("agnostic learner, above, 8 values", audit.Space{Persons: 3, Values: 16}, 3,
			claimOf(a.Loss(1)), releasing(CutoffParams{Agnostic: a})))
}

func TestPlantedAgnostic(t *testing.T) {
	a := newAgnostic(big.NewInt(4), 2, Below, base(3, 2))
	caught := func(name string, learn func(src coin.Source, data Labelled) (Cut, error)) {
		audittest.Caught(t, learnerAudit("agnostic learner "+name, claimOf(a.Loss(1)), learn))
	}
	caught("with half the noise", func(src coin.Source, data Labelled) (Cut, error) {
		return newAgnostic(big.NewInt(4), 2, Below, base(9, 4)).Learn(src, data, nil)
	})
	caught("that tries cuts at the codes there are only",
		func(src coin.Source, data Labelled) (Cut, error) {
			var groups []group
			err := a.eachGroup(data, newStages(nil, 1), func(g group) {
				if g.from < len(data.Yes) {
					groups = append(groups, g)
				}
			})
			if err != nil || len(groups) == 0 {
				return Cut{At: new(big.Int)}, err
			}
			i, err := src.Choose(byMistakes(groups), a.base, nil)
			return Cut{At: data.Codes.Number(groups[i].from)}, err
		})
	caught("that takes the best cut", func(_ coin.Source, data Labelled) (Cut, error) {
		var best group
		wrong := len(data.Yes) + 1
		err := a.eachGroup(data, newStages(nil, 1), func(g group) {
			if g.mistakes < wrong {
				best, wrong = g, g.mistakes
			}
		})
		first, _ := (&nearCuts{Agnostic: a, data: data}).span(best)
		return Cut{At: first}, err
	})
}

type byMistakes []group

func (b byMistakes) Len() int                              { return len(b) }
func (b byMistakes) Group(i int) (int64, uint64, *big.Int) { return int64(b[i].mistakes), 1, nil }
