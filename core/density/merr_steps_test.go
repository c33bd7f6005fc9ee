package density

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
)

// steps is a round of MERR taken apart: pick draws where it measures, and the noise of the
// mechanism, from the counts of the regions alone, what the rule sees. Each draws coins of its own,
// so a round is one followed by the other (TestRoundInSteps finds the law of round itself the
// same), and what counts tell is enumerated once for all data sets that have them.
type steps struct {
	m      *MERR
	pick   func(coin.Source, *learning) ([]*big.Int, error)
	summed bool // the outcome has sums, for at most two regions

	places map[string]spots           // by state and data set
	at     map[string][]*big.Int      // by name
	laws   map[string]*coin.Law[told] // by counts
	odds   map[[2]string][]odds       // by the counts of two data sets
}

func inSteps(m *MERR) *steps {
	return &steps{
		m: m, pick: func(src coin.Source, l *learning) ([]*big.Int, error) { return l.worst(src) },
		places: map[string]spots{}, at: map[string][]*big.Int{}, laws: map[string]*coin.Law[told]{},
		odds: map[[2]string][]odds{},
	}
}

// told is what a round releases of each region, and the sums that its approximation takes, all kept
// within what counts can be. The noise beyond has the same odds between any two counts
// (TestTailsTellNothing).
type told struct{ each, sums [3]int64 }

// spots is the law of where a round measures, with the counts of the regions there: none for ⊥.
type spots struct {
	*coin.Law[string]
	counts map[string][]int64
}

func (k *steps) spots(s state, rows []int) spots {
	known := fmt.Sprint(s, rows)
	if all, done := k.places[known]; done {
		return all
	}
	all := spots{counts: map[string][]int64{}}
	all.Law = must(enumerated(coin.Limits{}, func(src coin.Source) (string, error) {
		l := s.learning(k.m, rows)
		at, err := k.pick(src, l)
		name := fmt.Sprint(at)
		if all.counts[name] == nil {
			k.at[name], all.counts[name] = at, l.regions(at)
		}
		return name, err
	}))
	k.places[known] = all
	return all
}

// enumerated is coin.Enumerate of a law of which nothing is missing.
func enumerated[T comparable](limits coin.Limits,
	run func(coin.Source) (T, error)) (*coin.Law[T], error) {
	law, err := coin.Enumerate(limits, run)
	if err == nil && (law.Cut().Sign() != 0 || law.Total().Cmp(one) != 0) {
		err = fmt.Errorf("a law sums to %v, of which %v is cut", law.Total(), law.Cut())
	}
	return law, err
}

// telling is the law of what counts tell.
func (k *steps) telling(counts []int64) *coin.Law[told] {
	name := fmt.Sprint(counts)
	if k.laws[name] == nil {
		k.laws[name] = must(
			enumerated(coin.Limits{Top: uint64(k.m.persons)}, func(src coin.Source) (told, error) {
				if k.summed {
					src = &twoAtOnce{Source: src}
				}
				noisy, err := k.m.noise.Release(src, counts, nil)
				return k.keep(noisy), err
			}))
	}
	return k.laws[name]
}

func (k *steps) keep(noisy []int64) (t told) {
	if k.summed && len(noisy) > 2 {
		panic("sums of more than two regions are not enumerated")
	}
	sum := int64(0)
	for i, x := range noisy {
		sum += x
		t.each[i] = min(max(x, 0), k.m.persons)
		if k.summed {
			t.sums[i] = min(max(sum, 0), k.m.persons)
		}
	}
	return t
}

// round is what one round releases.
type round struct {
	at   string
	told told
}

// round is the law of a round.
func (k *steps) round(s state, rows []int) *coin.Law[round] {
	spots := k.spots(s, rows)
	return must(coin.Then(spots.Law, func(at string) (*coin.Law[round], error) {
		return coin.Then(k.telling(spots.counts[at]), func(x told) (*coin.Law[round], error) {
			return surely(round{at, x}), nil
		})
	}))
}

// after is the state that follows a round.
func (s state) after(at []*big.Int, t told) state {
	next := slices.Clone(s)
	for i, b := range at {
		next = append(next, [2]int64{b.Int64(), t.sums[i]})
	}
	return next
}

// two is the law of two rounds.
func (k *steps) two(s state, rows []int) *coin.Law[[2]round] {
	later := map[string]*coin.Law[round]{} // by state
	return must(coin.Then(k.round(s, rows), func(first round) (*coin.Law[[2]round], error) {
		s := s.after(k.at[first.at], first.told)
		name := fmt.Sprint(s)
		if later[name] == nil {
			later[name] = k.round(s, rows)
		}
		return coin.Then(later[name], func(second round) (*coin.Law[[2]round], error) {
			return surely([2]round{first, second}), nil
		})
	}))
}

func surely[T comparable](outcome T) *coin.Law[T] {
	law := coin.NewLaw[T]()
	law.Add(outcome, one)
	return law
}

// odds is all that one set of counts tells with certain odds against another, and with certain sums
// where these are kept, and its probability by either.
type odds struct {
	p, q *big.Rat
	sums [3]int64
}

// against groups the outcomes for some counts by their odds against other counts.
func (k *steps) against(p, q []int64) []odds {
	name := [2]string{fmt.Sprint(p), fmt.Sprint(q)}
	if all, known := k.odds[name]; known {
		return all
	}
	type kind struct {
		odds string
		sums [3]int64
	}
	var all []odds
	which := map[kind]int{}
	mine, theirs := k.telling(p), k.telling(q)
	for _, x := range mine.Outcomes() { // noise reaches everything
		kind := kind{new(big.Rat).Quo(mine.Mass(x), theirs.Mass(x)).RatString(), x.sums}
		i, known := which[kind]
		if !known {
			i, which[kind] = len(all), len(all)
			all = append(all, odds{new(big.Rat), new(big.Rat), x.sums})
		}
		all[i].p.Add(all[i].p, mine.Mass(x))
		all[i].q.Add(all[i].q, theirs.Mass(x))
	}
	k.odds[name] = all
	return all
}

// kind is all outcomes at one place with the same odds between two data sets.
type kind struct {
	at   string
	odds int // −1: either has none
}

// pair is the laws of a round on two data sets, whose outcomes of one kind are one. Their odds are
// what they were, and only odds matter: δ at any ε is P − e^ε·Q of the outcomes with odds above e^ε
// (TestOddsAreEnough).
func (k *steps) pair(s state, a, b []int) (p, q *coin.Law[kind]) {
	p, q = coin.NewLaw[kind](), coin.NewLaw[kind]()
	k.eachKind(s, a, b, func(o kind, x, y *big.Rat, _ [3]int64) {
		p.Add(o, x)
		q.Add(o, y)
	})
	return p, q
}

// eachKind goes through the kinds of outcomes of a round with their probabilities, which are not to
// be kept.
func (k *steps) eachKind(s state, a, b []int, each func(o kind, p, q *big.Rat, sums [3]int64)) {
	mine, theirs := k.spots(s, a), k.spots(s, b)
	x, y := new(big.Rat), new(big.Rat)
	for _, at := range mine.Outcomes() {
		if theirs.Mass(at).Sign() == 0 {
			each(kind{at, -1}, mine.Mass(at), new(big.Rat), [3]int64{})
			continue
		}
		for i, o := range k.against(mine.counts[at], theirs.counts[at]) {
			each(kind{at, i}, x.Mul(mine.Mass(at), o.p), y.Mul(theirs.Mass(at), o.q), o.sums)
		}
	}
	for _, at := range theirs.Outcomes() {
		if mine.Mass(at).Sign() == 0 {
			each(kind{at, -1}, new(big.Rat), theirs.Mass(at), [3]int64{})
		}
	}
}

// pairOfTwo is pair for two rounds, of which the second depends on the sums told in the first. What
// only one data set can lead to is not followed further.
func (k *steps) pairOfTwo(s state, a, b []int) (p, q *coin.Law[[2]kind]) {
	p, q = coin.NewLaw[[2]kind](), coin.NewLaw[[2]kind]()
	product := new(big.Rat)
	k.eachKind(s, a, b, func(first kind, x, y *big.Rat, sums [3]int64) {
		if first.odds < 0 {
			p.Add([2]kind{first}, x)
			q.Add([2]kind{first}, y)
			return
		}
		k.eachKind(s.after(k.at[first.at], told{sums: sums}), a, b,
			func(second kind, u, v *big.Rat, _ [3]int64) {
				p.Add([2]kind{first, second}, product.Mul(x, u))
				q.Add([2]kind{first, second}, product.Mul(y, v))
			})
	})
	return p, q
}

// report audits, from each state, what has a law for each pair of data sets: a round, or two.
func report[T comparable](name string, m *MERR, states []state, claim audit.Claim,
	pair func(s state, a, b []int) (p, q *coin.Law[T])) *audit.Report {
	space := audit.Space{Persons: int(m.persons), Values: int(m.size.Int64())}
	r := &audit.Report{Name: name, Claim: claim, Space: space}
	sets := space.DataSets()
	number := map[string]int{}
	for i, rows := range sets {
		number[fmt.Sprint(rows)] = i
	}
	for _, s := range states {
		r.DataSets += len(sets)
		known := map[[2]int]audit.Figure{}
		for i, rows := range sets {
			for _, other := range space.Neighbours(rows) {
				j := number[fmt.Sprint(other)]
				if i < j {
					p, q := pair(s, rows, other)
					known[[2]int{i, j}], known[[2]int{j, i}] = audit.Compare(p, q, claim)
				}
				f := known[[2]int{i, j}]
				f.From, f.To = rows, other
				r.Add(f)
			}
		}
	}
	return r
}

var one = big.NewRat(1, 1) // never written to

// twoAtOnce draws two geometric numbers of a choice's round at once: the smaller, to base r², and
// by how much the other exceeds it, which is as likely for either. They are independent and to base
// r. Cut at a top, their difference stays exact, and with it the sum of two regions of which one
// has noise above and one below.
type twoAtOnce struct {
	coin.Source
	next    uint64
	waiting bool
}

func (s *twoAtOnce) Choose(g coin.Groups, r coin.Base, step coin.Step) (int, error) {
	s.waiting = false
	return s.Source.Choose(g, r, step)
}

func (s *twoAtOnce) Geometric(r coin.Base) uint64 {
	if s.waiting {
		s.waiting = false
		return s.next
	}
	exact := r.Rat()
	equal := coin.RatioBig(new(big.Int).Sub(exact.Num(), exact.Denom()),
		new(big.Int).Add(exact.Num(), exact.Denom()))
	first := s.Source.Geometric(r.Pow(2))
	s.next, s.waiting = first, true
	if !s.Source.Bernoulli(equal) {
		more := 1 + s.Source.Geometric(r)
		if s.Source.Uniform(2) == 0 {
			first += more
		} else {
			s.next += more
		}
	}
	return first
}

// TestTwoAtOnce: two numbers drawn at once are two drawn one after the other.
func TestTwoAtOnce(t *testing.T) {
	law := func(wrap func(coin.Source) coin.Source) *coin.Law[[2]uint64] {
		return must(coin.Enumerate(coin.Limits{Top: 5}, func(src coin.Source) ([2]uint64, error) {
			src = wrap(src)
			return [2]uint64{min(src.Geometric(base(3, 2)), 5), min(src.Geometric(base(3, 2)), 5)},
				nil
		}))
	}
	same(t, "two numbers",
		law(func(src coin.Source) coin.Source { return &twoAtOnce{Source: src} }),
		law(func(src coin.Source) coin.Source { return src }))
}

// same fails the test unless two laws are.
func same[T comparable](t *testing.T, name string, p, q *coin.Law[T]) {
	t.Helper()
	if len(p.Outcomes()) != len(q.Outcomes()) || p.Cut().Cmp(q.Cut()) != 0 {
		t.Fatalf("%s: %d outcomes, want %d", name, len(p.Outcomes()), len(q.Outcomes()))
	}
	for _, o := range p.Outcomes() {
		if p.Mass(o).Cmp(q.Mass(o)) != 0 {
			t.Fatalf("%s: %v has %v, want %v", name, o, p.Mass(o), q.Mass(o))
		}
	}
}

// TestRoundInSteps enumerates whole rounds by round itself, for some data sets of up to two
// persons, and finds the law of its steps.
func TestRoundInSteps(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		for persons := 1; persons <= 2; persons++ {
			k := inSteps(tinyMERR(rule, persons, base(3, 2), base(2, 1)))
			for i, s := range states {
				for j, rows := range (audit.Space{Persons: persons, Values: 8}).DataSets() {
					if (i+j)%(8*persons) != 0 && (persons > 1 || testing.Short()) || persons > 1 &&
						testing.Short() {
						continue
					}
					whole := must(
						coin.Enumerate(coin.Limits{Top: uint64(persons)},
							func(src coin.Source) (round, error) {
								at, noisy, err := s.learning(k.m, rows).round(src)
								return round{fmt.Sprint(at), k.keep(noisy)}, err
							}))
					same(t, fmt.Sprint(rule, s, rows), k.round(s, rows), whole)
				}
			}
		}
	}
}

// shown is what a release shows.
func shown[T int64 | float64](at []*big.Int, mass []T) string { return fmt.Sprint(at, mass) }

// TestReleaseInSteps enumerates runs of two rounds by Release itself, for one person and two
// values, and finds what the law of two rounds leads to.
func TestReleaseInSteps(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		k := inSteps(smallMERR(rule, 2, 1, base(3, 2), base(2, 1)))
		k.m.rounds, k.summed = 2, true
		for _, rows := range [][]int{{0}, {1}} {
			if rule != Prefix && testing.Short() {
				continue
			}
			whole := must(
				coin.Enumerate(coin.Limits{Top: 1}, func(src coin.Source) (string, error) {
					d, err := k.m.Release(&twoAtOnce{Source: src}, sortedRows(rows, 1), nil)
					return shown(d.bounds, d.mass), err
				}))
			same(t, fmt.Sprint(rule, rows),
				must(coin.Then(k.two(nil, rows), func(rounds [2]round) (*coin.Law[string], error) {
					var s state
					for _, r := range rounds {
						s = s.after(k.at[r.at], r.told)
					}
					a := s.learning(k.m, rows).a
					masses := make([]int64, len(a.at)-1)
					for i := range masses {
						masses[i] = a.value[i+1] - a.value[i]
					}
					return surely(shown(a.at, masses)), nil
				})), whole)
		}
	}
}

// TestTailsTellNothing: numbers kept within less than what counts can be, with two more on either
// side, sort data sets by the same odds.
func TestTailsTellNothing(t *testing.T) {
	k := inSteps(tinyMERR(Capped, 2, base(3, 2), base(3, 2)))
	far := func(counts []int64) *coin.Law[told] {
		return must(coin.Enumerate(coin.Limits{Top: 4}, func(src coin.Source) (t told, err error) {
			noisy, err := k.m.noise.Release(src, counts, nil)
			for i, x := range noisy {
				t.each[i] = min(max(x, -2), 4)
			}
			return t, err
		}))
	}
	for _, pair := range [][2][]int64{{{0}, {1}}, {{2}, {1}}, {{0, 2}, {1, 1}}, {{1, 0}, {0, 0}},
		{{0, 1}, {1, 1}}} {
		p, q := far(pair[0]), far(pair[1])
		for _, x := range p.Outcomes() {
			near := k.keep(x.each[:len(pair[0])])
			odds := func(p, q *coin.Law[told], x told) *big.Rat {
				return new(big.Rat).Quo(p.Mass(x), q.Mass(x))
			}
			if have, want := odds(p, q, x),
				odds(k.telling(pair[0]), k.telling(pair[1]), near); have.Cmp(want) != 0 {
				t.Errorf("%v for %v: odds %v, kept %v", x.each, pair, have, want)
			}
		}
	}
}

// TestOddsAreEnough: audits of whole laws, of one round and of two, find what those of odds do.
func TestOddsAreEnough(t *testing.T) {
	for _, rule := range []Rule{Prefix, Capped, Intervals} {
		for _, rounds := range []int{1, 2} {
			if rounds == 2 && testing.Short() {
				continue
			}
			k := inSteps(smallMERR(rule, 3, 2, base(3, 2), base(3, 2)))
			claim, starts := claimOf(k.m.round.Loss, nil), []state{nil, {{1, 0}, {2, 2}}}
			k.summed = true
			have := report("", k.m, starts, claim, k.pair)
			want := k.wholeReport(t, starts, claim, func(s state, rows []int) *coin.Law[[2]round] {
				return must(
					coin.Then(k.round(s, rows), func(r round) (*coin.Law[[2]round], error) {
						return surely([2]round{r}), nil
					}))
			})
			if rounds == 2 {
				have, want = report("", k.m, starts, claim, k.pairOfTwo),
					k.wholeReport(t, starts, claim, k.two)
			}
			if have.Row() != want.Row() || have.High.Cmp(want.High) != 0 ||
				fmt.Sprint(have.Odds) != fmt.Sprint(want.Odds) {
				t.Errorf("%s, by odds and by whole laws:\n%s%s", rule, have.Row(), want.Row())
			}
		}
	}
}

func (k *steps) wholeReport(t *testing.T, starts []state, claim audit.Claim,
	law func(state, []int) *coin.Law[[2]round]) *audit.Report {
	r, err := audit.Rounds(starts, func(s state) audit.Audit[[2]round] {
		return audit.Audit[[2]round]{
			Space: audit.Space{Persons: int(k.m.persons), Values: int(k.m.size.Int64())},
			Claim: claim,
			Law:   func(rows []int) (*coin.Law[[2]round], error) { return law(s, rows), nil },
		}
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
