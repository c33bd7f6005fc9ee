package audit

import (
	"fmt"
	"iter"
	"math/big"

	"hush/core/coin"
)

// Audit says what to check: an algorithm with outputs of type T on all data sets of a space,
// against a claim. Its verdict speaks of that space alone (H: audit.md small-space).
type Audit[T comparable] struct {
	Name  string
	Space Space
	Claim Claim

	// Law returns the exact law of the output on one data set, whose values are in ascending order
	// and must not be written to. It is usually coin.Enumerate over the algorithm, or a product of
	// kernels by coin.Then: the law of the algorithm itself (H: audit.md own-law).
	Law func(rows []int) (*coin.Law[T], error)
}

// Figure is what the audit found for one ordered pair of neighbours.
type Figure struct {
	From, To []int // data sets with laws P and Q

	// Low and High enclose the exact δ at the claimed ε; they are equal unless mass was cut from a
	// law.
	Low, High *big.Rat

	// Odds is e^ε for the exact ε at the claimed δ; nil when no ε will do.
	Odds *big.Rat
}

// Verdict says whether a claim holds.
type Verdict string

const (
	Holds     Verdict = "holds"
	Violated  Verdict = "violated"
	Undecided Verdict = "undecided" // too much mass was cut to tell
)

// Report sums up the figures of one audit.
type Report struct {
	Name     string
	Claim    Claim
	Space    Space
	DataSets int
	Pairs    int // ordered pairs of neighbours seen

	Low, High  *big.Rat // the largest of each over all pairs
	Odds       *big.Rat // the largest over all pairs; nil when a pair has none
	WorstDelta Figure   // a pair with the largest High
	WorstOdds  Figure   // a pair with the largest Odds
}

// Run goes through all pairs and sums up. each may be nil; otherwise it gets every figure as soon
// as it is known, and its error ends the audit.
func Run[T comparable](a Audit[T], each func(Figure) error) (*Report, error) {
	report := &Report{Name: a.Name, Claim: a.Claim, Space: a.Space,
		DataSets: len(a.Space.DataSets())}
	for figure, err := range a.Figures() {
		if err != nil {
			return nil, fmt.Errorf("audit: %s: %w", a.Name, err)
		}
		report.Add(figure)
		if each != nil {
			if err := each(figure); err != nil {
				return nil, err
			}
		}
	}
	return report, nil
}

// Figures computes one figure after another, so that they can be shown while the audit goes on.
// Each step computes at most two laws and one comparison. After an error there are no more.
func (a Audit[T]) Figures() iter.Seq2[Figure, error] {
	return func(yield func(Figure, error) bool) {
		sets := a.Space.DataSets()
		laws := make([]*fractions[T], len(sets))
		law := func(i int) (*fractions[T], error) {
			if laws[i] == nil {
				computed, err := a.Law(sets[i])
				if err == nil && computed.Total().Cmp(one) != 0 { // H: audit.md whole-law
					err = fmt.Errorf("the law of data set %v has total mass %v, want 1", sets[i],
						computed.Total().RatString())
				}
				if err != nil {
					return nil, err
				}
				scaled := over(computed)
				laws[i] = &scaled
			}
			return laws[i], nil
		}
		for i, near := range a.Space.neighbours(sets) {
			for _, j := range near {
				p, err := law(i)
				if err != nil {
					yield(Figure{}, err)
					return
				}
				q, err := law(j)
				if err != nil {
					yield(Figure{}, err)
					return
				}
				figure := p.figure(*q, a.Claim)
				figure.From, figure.To = sets[i], sets[j]
				if !yield(figure, nil) {
					return
				}
			}
		}
	}
}

// Add takes one more figure into account.
func (r *Report) Add(f Figure) {
	r.Pairs++
	if r.Pairs == 1 {
		r.Low, r.High, r.Odds, r.WorstDelta, r.WorstOdds = f.Low, f.High, f.Odds, f, f
		return
	}
	if f.Low.Cmp(r.Low) > 0 {
		r.Low = f.Low
	}
	if f.High.Cmp(r.High) > 0 {
		r.High, r.WorstDelta = f.High, f
	}
	if r.Odds != nil && (f.Odds == nil || f.Odds.Cmp(r.Odds) > 0) {
		r.Odds, r.WorstOdds = f.Odds, f
	}
}

// Verdict compares the figures with the claim. An audit without a pair shows nothing, and is
// undecided.
func (r *Report) Verdict() Verdict {
	switch {
	case r.Pairs == 0:
		return Undecided
	case r.High.Cmp(r.Claim.Delta) <= 0:
		return Holds
	case r.Low.Cmp(r.Claim.Delta) > 0:
		return Violated
	}
	return Undecided
}

// Rounds audits one round of an algorithm from every state it can be in, where there are too many
// complete runs: a state is public because earlier rounds released it. All states share the report,
// with name and claim of their audits, which must be the same. A complete run of k rounds then has
// the claims of the rounds added up with Plus.
func Rounds[S any, T comparable](states []S, round func(S) Audit[T],
	each func(Figure) error) (*Report, error) {
	var total *Report
	for _, state := range states {
		a := round(state)
		if total == nil {
			total = &Report{Name: a.Name, Claim: a.Claim, Space: a.Space}
		}
		if a.Claim.Odds.Cmp(total.Claim.Odds) != 0 || a.Claim.Delta.Cmp(total.Claim.Delta) != 0 {
			return nil, fmt.Errorf("audit: %s: rounds of different claims in one report", a.Name)
		}
		report, err := Run(a, func(f Figure) error {
			total.Add(f)
			if each == nil {
				return nil
			}
			return each(f)
		})
		if err != nil {
			return nil, err
		}
		total.DataSets += report.DataSets
	}
	return total, nil
}
