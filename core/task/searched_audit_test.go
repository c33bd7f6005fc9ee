package task

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"testing"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
	"hush/core/selection"
)

// searchedGood is a question that is asked with three values until an answer is good enough, where
// the search finds what is: one run in 7 of the data sets whose person has no value reaches the
// upper of two thresholds, and one in 22 of the others.
func searchedGood(t *testing.T) *tuned {
	tried := tunedOf(3, onlyOne)
	tried.law = nil
	p := selection.SoughtParams{Epsilon: must(privacy.ParseEpsilon("64")),
		Delta: must(privacy.NewDelta(big.NewRat(1, 8))), Combinations: 3,
		Levels: []int64{3, -1000}}
	sought, err := p.Search(tried.one)
	if err != nil {
		t.Fatal(err)
	}
	_, second := sought.Parts()
	tried.until = &goal{sought: sought, search: second, threshold: 3}
	return tried
}

// searchedRun is what a run gives: which value was drawn, its answer and its noisy score.
type searchedRun struct {
	value, answer string
	score         int64
}

// searched is the law of a whole question that searches what is good enough, each of its parts by
// enumeration of the code that runs it.
type searched struct {
	t      *tuned
	levels map[uint64]*coin.Law[int64] // by how many runs reached the upper one
}

func personOf(rows []int) ask.Data {
	if rows[0] == audit.None {
		return ask.Data{Main: &ask.Column{Codes: codes{math.MaxUint64}}}
	}
	return ask.Data{Main: &ask.Column{Codes: codes{0}}}
}

func (s *searched) one(rows []int) (*coin.Law[searchedRun], error) {
	person := personOf(rows)
	var all []selection.Candidate[attempt]
	for i := range s.t.tried {
		s.t.tried[i].Value = fmt.Sprint(i)
		all = append(all, func(src coin.Source) (selection.Scored[attempt], error) {
			return s.t.candidate(src, i, person, nil)
		})
	}
	drawn, err := selection.OneOf(all)
	if err != nil {
		return nil, err
	}
	return coin.Enumerate(coin.Limits{Tail: big.NewRat(1, 1<<24), Bits: 96},
		func(src coin.Source) (searchedRun, error) {
			run, err := drawn(src)
			if err != nil {
				return searchedRun{}, err
			}
			r := run.Output.result
			return searchedRun{r.how.Value, r.Result.(*Winner).Value, run.Score}, nil
		})
}

// level is the law of the threshold that is found where this many runs reached the upper one.
func (s *searched) level(count uint64) (*coin.Law[int64], error) {
	if law := s.levels[count]; law != nil {
		return law, nil
	}
	samples := s.t.until.sought.Samples()
	search, _ := s.t.until.sought.Parts()
	law, err := coin.Enumerate(coin.Limits{Tail: big.NewRat(1, 1<<12), Bits: 64},
		func(src coin.Source) (int64, error) {
			return search.ThresholdFrom(src, []uint64{count, samples})
		})
	if err == nil {
		s.levels[count] = law
	}
	return law, err
}

// binomially is the law of how many of n runs reach what one reaches with probability p, each
// probability rounded down by no more than 2^-90 of it; far ones are left out.
func binomially(n uint64, p *big.Rat) *coin.Law[uint64] {
	float := func(x *big.Rat) *big.Float { return new(big.Float).SetPrec(256).SetRat(x) }
	odds := float(new(big.Rat).Quo(p, new(big.Rat).Sub(big1, p)))
	mass, stay := float(big1), float(new(big.Rat).Sub(big1, p))
	for range n {
		mass.Mul(mass, stay)
	}
	law, little := coin.NewLaw[uint64](), big.NewFloat(math.Ldexp(1, -22))
	less := new(big.Float).Sub(float(big1), big.NewFloat(math.Ldexp(1, -90)).SetPrec(256))
	for k := uint64(0); k <= n; k++ {
		if mass.Cmp(little) > 0 {
			part, _ := new(big.Float).Mul(mass, less).SetPrec(100).Rat(nil)
			law.Add(k, part)
		}
		mass.Mul(mass, odds).Mul(mass, float(big.NewRat(int64(n-k), int64(k+1))))
	}
	law.AddCut(new(big.Rat).Sub(big1, law.Total()))
	return law
}

func (s *searched) law(rows []int) (*coin.Law[string], error) {
	one, err := s.one(rows)
	if err != nil {
		return nil, err
	}
	g := s.t.until
	reach := new(big.Rat)
	for _, o := range one.Outcomes() {
		if o.score >= 3 {
			reach.Add(reach, one.Mass(o))
		}
	}
	level, err := coin.Then(binomially(g.sought.Samples(), reach), s.level)
	if err != nil {
		return nil, err
	}
	stop := new(big.Rat).SetFloat64(1 / g.search.Calls(0))
	return coin.Then(level, func(level int64) (*coin.Law[string], error) {
		law := firstGood(one, stop, func(o searchedRun) (string, bool) {
			return fmt.Sprint(level, " ", o.value, " ", o.answer), o.score >= level
		})
		// The runs end at the limit, beyond 1 + 1/(e·γ), and γ is known to 2^-52: both move little.
		missed := math.Pow(1-toFloat64(reach), math.Floor(1+1/(math.E*toFloat64(stop))))
		if missed > math.Ldexp(1, -30) {
			return nil, fmt.Errorf("%g of searches meet the limit", missed)
		}
		rest := coin.NewLaw[string]()
		for _, answer := range law.Outcomes() {
			rest.Add(answer, new(big.Rat).Mul(law.Mass(answer), big.NewRat(1<<30-1, 1<<30)))
		}
		rest.AddCut(new(big.Rat).Sub(big1, rest.Total()))
		return rest, nil
	})
}

func (s *searched) audit(name string, loss privacy.Loss) audit.Audit[string] {
	claim := must(audit.ClaimOf(loss))
	claim.Delta.Add(claim.Delta, big.NewRat(1, 1000)) // what is cut
	return audit.Audit[string]{Name: name, Space: audit.Space{Persons: 1, Values: 1}, Claim: claim,
		Law: s.law}
}

// TestAuditSearched audits a whole question that searches for a good enough run: the threshold
// found, the value drawn and its answer, or nothing. Runs of the question are compared with the
// law. Planted: the search is not paid for.
func TestAuditSearched(t *testing.T) {
	if testing.Short() {
		t.Skip("a minute of big fractions")
	}
	tried := searchedGood(t)
	s := &searched{tried, map[uint64]*coin.Law[int64]{}}
	audittest.Holds(t, s.audit("a threshold sought, then a run of 3 values tried that reaches it",
		must(tried.Loss())))
	audittest.Caught(t, s.audit("a threshold sought, its search not paid for",
		must(tried.until.search.Loss(1))))

	law := must(s.law([]int{audit.None}))
	const runs = 300
	seen := map[string]float64{}
	src := coin.NewSeeded(7)
	for range runs {
		result, err := tried.Run(src, personOf([]int{audit.None}), nil)
		if none := new(ask.NothingError); errors.As(err, &none) {
			seen["nothing"]++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		b := result.(*bestRun)
		seen[fmt.Sprint(3-b.how.Good, " ", b.how.Value, " ", b.Result.(*Winner).Value)]++
	}
	for _, answer := range law.Outcomes() {
		p := toFloat64(law.Mass(answer))
		if off := math.Abs(seen[answer] - runs*p); off > 5*math.Sqrt(runs*p*(1-p))+1 {
			t.Errorf("%q came %g times in %d runs, its probability is %g", answer, seen[answer],
				runs, p)
		}
	}
}
