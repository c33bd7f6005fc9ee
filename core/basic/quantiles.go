package basic

import (
	"fmt"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// QuantilesParams are Quantiles' public parameters. Exactly one of Epsilon and Base is given.
type QuantilesParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: every split weighs its scores with it, and Loss says
	// what that costs.
	Base coin.Base
	// Size is the domain's number of values, at least 1.
	Size *big.Int
	// Targets are the parts of the persons that shall lie below, ascending, between 0 and 1: ¼, ½,
	// ¾ for quartiles. At most 100, with a common denominator of at most 10^6.
	Targets []*big.Rat
	// People is n, public, from 1 to 2^53; the rows stand for twice as many at most (H:
	// quantiles.md about-n).
	People int64
	// ByGroup makes the noise for ReleaseByGroup.
	ByGroup bool
	// Parts is into how many equal parts the persons who share a code can be split; 0: chosen by
	// People and Epsilon.
	Parts int64
}

// Quantiles releases several quantiles of a column at once, in order.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public. The middle target splits the domain,
// the targets below it then split the left part and those above it the right part, and so on: each
// person is in one part at each of the h = ⌈log2(m+1)⌉ levels. A split at z of a part with |D|
// persons has the score −|#{below z} − ρ·|D||, ρ being the target's place between the targets
// around it, and is drawn by the exponential mechanism. Sizes of parts are used in scores, exactly,
// and never released. By group each group has its own splits, for the same ε. Proof: quantiles.md.
//
// # Input and output
//
// One code of the domain for each target, ascending; none need occur in the data. Persons with none
// count nowhere. A code beyond the last counts as the last.
//
// # Errors
//
// [*param.Error] (epsilon, base, size, targets, people, parts) from the parameters alone; step's
// error when cancelled.
//
// # Cost and accuracy
//
// O(n) for sorting, or a table of counts for a small domain, then O(n) for each level. RankErrors
// bounds how many persons the released values are away from the targets; ties cost nothing,
// whatever their number.
//
// # Reference
//
// Kaplan, Schnapp, Stemmer, "Differentially Private Approximate Quantiles", 2022, Algorithm 1.
// Differs: replaced persons and exact weights; the first split about everybody is weighed by its
// own sensitivity; and a split may go through the persons who share one code, dividing them between
// both sides, where the paper drops rows equal to z and needs rows without ties.
type Quantiles struct {
	targets []*big.Rat
	root    *node
	nodes   []*node // in the order of the targets
	levels  int
	size    *big.Int
	parts   int64
	people  int64
	grouped bool
	group   *meter.Spend // the quantiles of one group
	spend   *meter.Spend
}

const (
	MaxTargets     = 100 // quantiles of one release
	maxDenominator = 1_000_000
	scoreBits      = 62
)

// NewQuantiles checks the parameters and plans the splits.
func NewQuantiles(p QuantilesParams) (*Quantiles, error) {
	if p.Size == nil || p.Size.Sign() <= 0 { // H: quantiles.md domain
		return nil, refuse("size", fmt.Sprint(p.Size), "a domain with at least one value")
	}
	if err := checkPeople(p.People); err != nil { // H: quantiles.md people
		return nil, err
	}
	if p.Parts < 0 { // H: quantiles.md parts
		return nil, refuse("parts", fmt.Sprint(p.Parts), "a whole number of at least 1, or 0")
	}
	if err := oneOf(p.Epsilon, p.Base); err != nil { // H: quantiles.md one-loss
		return nil, err
	}
	targets, denominator, err := commonDenominator(p.Targets)
	if err != nil {
		return nil, err
	}
	q := &Quantiles{targets: slices.Clone(p.Targets), size: new(big.Int).Set(p.Size),
		people: p.People, grouped: p.ByGroup, parts: p.Parts, levels: levelsOf(len(targets))}
	if q.parts == 0 {
		q.parts = partsFor(p, q.levels, denominator)
	}
	// Scores are whole numbers up to denominator·n·parts.
	most := new(big.Int).Mul(big.NewInt(denominator), big.NewInt(p.People))
	if most.BitLen() > scoreBits { // H: quantiles.md scores-fit
		return nil, refuse("targets", phrase.Glue(phrase.Key("a denominator of"), " ", denominator),
			"a smaller common denominator for this many persons")
	}
	if most.Mul(most, big.NewInt(q.parts)).BitLen() > scoreBits { // H: quantiles.md scores-fit
		return nil, refuse("parts", fmt.Sprint(q.parts), "fewer, so that scores stay below 2^62")
	}
	q.nodes = make([]*node, len(targets))
	if q.root, err = q.plan(p, targets, 0, len(targets), 0, denominator, 0); err != nil {
		return nil, err
	}
	var one privacy.Loss
	if p.Epsilon.IsSet() {
		level := privacy.PureLoss(p.Epsilon.Part(1, int64(q.levels))) // the share of each
		one = privacy.Several{Loss: level, Times: uint64(q.levels)}.Sum()
	} else if one, err = lossOfBase(p.Base, q.moves()); err != nil {
		return nil, err
	}
	q.group = &meter.Spend{Name: "quantiles by splits", Loss: one,
		Claim: meter.Claim{People: 1}}
	q.spend = meter.Proved("quantiles of disjoint groups", "basic/quantiles.md", one,
		meter.Part{Loss: one})
	return q, nil
}

// commonDenominator writes ascending targets between 0 and 1 as whole numbers over one denominator.
func commonDenominator(targets []*big.Rat) ([]int64, int64, error) {
	// H: quantiles.md targets; jointexp.md targets
	if len(targets) < 1 || len(targets) > MaxTargets {
		return nil, 0, refuse("targets", fmt.Sprint(len(targets)), "1 to %d of them", MaxTargets)
	}
	common, before := big.NewInt(1), new(big.Rat)
	for _, t := range targets {
		// H: quantiles.md targets; jointexp.md targets
		if t == nil || t.Cmp(before) <= 0 || t.Cmp(big.NewRat(1, 1)) >= 0 {
			return nil, 0,
				refuse("targets", fmt.Sprint(t),
					"numbers between 0 and 1 in ascending order, each once")
		}
		before = t
		shared := new(big.Int).GCD(nil, nil, common, t.Denom())
		if common.Mul(common, shared.Quo(t.Denom(), shared)); common.Cmp(
			big.NewInt(maxDenominator)) > 0 {
			return nil, 0,
				refuse("targets", t.RatString(), "numbers with a common denominator of at most %d",
					maxDenominator)
		}
	}
	wholes := make([]int64, len(targets))
	for i, t := range targets {
		wholes[i] = new(big.Rat).Mul(t, ratOf(common)).Num().Int64()
	}
	return wholes, common.Int64(), nil
}

// Loss returns the loss for data sets that differ in d persons; by group, the loss of all groups'
// answers together.
func (q *Quantiles) Loss(d privacy.Distance) (privacy.Loss, error) { return q.spend.Loss.Group(d) }

// Release chooses a code for each target. It panics when the domain is larger than 2^64.
func (q *Quantiles) Release(src coin.Source, values Values, step coin.Step) ([]uint64, error) {
	if q.grouped {
		panic("basic: internal error: quantiles by group asked about everybody")
	}
	all, err := q.release(src, values, nil, 1, step)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// ReleaseByGroup chooses codes for each of this many public groups, 1 to MaxGroups, in the order of
// their codes. groups gives each row's group; both columns have the same length. It panics unless
// ByGroup was asked for.
func (q *Quantiles) ReleaseByGroup(src coin.Source, values, groups Values, count uint64,
	step coin.Step) ([][]uint64, error) {
	if !q.grouped || count < 1 || count > MaxGroups { // H: quantiles.md as-planned
		panic("basic: internal error: quantiles of everybody asked by group, or of too many groups")
	}
	return q.release(src, values, groups, count, step)
}

func (q *Quantiles) release(src coin.Source, values, groups Values, count uint64,
	step coin.Step) ([][]uint64, error) {
	sets, err := gather(values, groups, count, lastOf(q.size), part(step, 0, 500))
	if err != nil {
		return nil, err
	}
	src = meter.Within(src, q.spend)
	answers := make([][]uint64, count)
	for g := range answers {
		part := part(step, 500+int64(g)*500/int64(count), 500+int64(g+1)*500/int64(count))
		chosen, err := q.choose(src, sets[g], part)
		if err != nil {
			return nil, err
		}
		for _, z := range chosen {
			answers[g] = append(answers[g], z.Uint64())
		}
	}
	return answers, nil
}

// ReleaseWide is Release for codes of any size: distinct codes of the domain, ascending, each with
// the persons who have it (H: quantiles.md sorted-codes). The results are new integers.
func (q *Quantiles) ReleaseWide(src coin.Source, sorted mechanism.SortedCodes,
	step coin.Step) ([]*big.Int, error) {
	if q.grouped {
		panic("basic: internal error: quantiles by group asked about everybody")
	}
	on := &wideLine{SortedCodes: sorted, size: q.size}
	return q.choose(meter.Within(src, q.spend), on, part(step, 0, progress))
}

// choose draws all splits on one data set. Progress counts splits, whose number is public.
func (q *Quantiles) choose(src coin.Source, on line, step coin.Step) ([]*big.Int, error) {
	return meter.Draw(src, q.group, func() meter.Input { return meter.Input{People: people(on)} },
		func(src coin.Source) ([]*big.Int, error) { return q.split(src, on, step) })
}

// people lists the codes of all persons.
func people(on line) (list []string) {
	before := int64(0)
	for k := range on.Len() {
		for code := on.Number(k).Text(36); before < on.UpTo(k); before++ {
			list = append(list, code)
		}
	}
	return list
}

func (q *Quantiles) split(src coin.Source, on line, step coin.Step) ([]*big.Int, error) {
	s := splitter{src: src, line: on, parts: q.parts, step: step, total: int64(len(q.nodes)),
		cuts: make([]cut, len(q.nodes))}
	if codes, ok := on.(*codeLine); ok {
		s.upTo = codes.upTo
	}
	if err := s.split(q.root, cut{offset: new(big.Int)}, s.end()); err != nil {
		return nil, err
	}
	codes := make([]*big.Int, len(s.cuts))
	for i, z := range s.cuts {
		codes[i] = s.code(z)
	}
	return codes, nil
}
