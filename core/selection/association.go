package selection

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// covarianceSteps is the number of parts of a column's range when its values are multiplied.
const covarianceSteps = 1024

// widestRange is the number of parts of the widest column's range; other ranges are rounded up to
// these parts.
const widestRange = 1 << 20

// Chooser names the mechanism by which an [Association] chooses.
type Chooser string

// The mechanisms. SmallerBound is whichever of the next two has the smaller proven bound; the
// others are named directly. Noisy scores draw columns at random, and were never better in any
// measurement (COMPARED.md).
const (
	SmallerBound  Chooser = "auto"
	ByFlip        Chooser = "flip"
	ByGeneralised Chooser = "generalised"
	ByNoisyScores Chooser = "noisy"
)

// ownBounds is a mechanism whose bound depends on which column is best.
type ownBounds interface {
	mechanism.Mechanism
	ErrorBound(i int) float64
	pick(src coin.Source, scores []int64) (int, error)
}

// AssociationParams are the parameters of an Association; all of them are public.
type AssociationParams struct {
	Epsilon privacy.Epsilon
	// Sizes are the numbers of values that each column can have, for at least two columns.
	Sizes []uint64
	// Ranges are the columns' ranges where they are compared in their own unit, the same for all.
	// Nil: each column is compared relative to its own range.
	Ranges  []*big.Rat
	Chooser Chooser
	// Strength asks for the strength of the chosen column too, for a quarter of ε.
	Strength bool
	// Persons is n, counting everybody that a row stands for: with a smaller number a person would
	// move a score by more than is paid for (H: association.md all-persons).
	Persons int64
}

// Column gives a code or none for each row, and Counted adds the number of persons that a row
// stands for.
type Column interface {
	Len() int
	Code(i int) (uint64, bool)
}

type counted interface{ Persons(i int) uint64 }

// Association chooses the column whose absolute covariance with a yes or no is largest, or nearly.
//
// # Guarantee
//
// ε-DP for neighbours that replace one person, whose values in all columns may change: choice and
// strength are composed. Exact: scores are whole numbers. Proof: association.md.
//
// # Errors
//
// *param.Error for the parameters of the mechanisms used, and for sizes where there are no columns.
// Whether it fails depends on the parameters, never on the columns.
//
// # Cost
//
// O(n) for each column, and that of the choice among the columns.
type Association struct {
	params AssociationParams
	// of each column's covariance: its range, where columns are compared in their own unit;
	// otherwise 1
	weights []int64
	widest  int64 // the largest of them
	// range of the widest column in its own unit; nil: columns are compared relative to their
	// ranges
	whole   *big.Rat
	flip    *mechanism.PermuteAndFlip
	own     ownBounds       // in its place, where its bound is smaller or it is asked for
	counted privacy.Epsilon // the strength's part; not set: it is not released
	spend   *meter.Spend
}

// NewAssociation checks the parameters and chooses the mechanism.
func NewAssociation(p AssociationParams) (*Association, error) {
	if len(p.Sizes) == 0 || p.Ranges != nil && len(p.Ranges) != len(p.Sizes) {
		return nil, refuse("sizes", fmt.Sprint(len(p.Sizes)),
			"one for each column, and as many ranges or none")
	}
	a, epsilon := &Association{params: p, widest: 1}, p.Epsilon
	a.weigh()
	if p.Strength {
		a.counted, epsilon = p.Epsilon.Part(1, 4), p.Epsilon.Part(3, 4)
	}
	var err error
	if a.flip, err = mechanism.NewPermuteAndFlip(
		mechanism.PermuteAndFlipParams{
			Epsilon: epsilon, Sensitivity: personMoves(a.widest)}); err != nil {
		return nil, err
	}
	var sensitivities []uint64
	for _, weight := range a.weights {
		sensitivities = append(sensitivities, personMoves(weight))
	}
	if p.Chooser == ByNoisyScores {
		if a.own, err = associatedScores(epsilon, sensitivities); err != nil {
			return nil, err
		}
		return a, a.price()
	}
	general, err := NewGeneralised(
		GeneralisedParams{Epsilon: epsilon, Sensitivities: sensitivities})
	if err != nil {
		return nil, err
	}
	// The bound of permute and flip is the same whichever column is best; the other mechanism's is
	// small for a narrow column.
	if p.Chooser == ByGeneralised || p.Chooser == SmallerBound &&
		a.mean(general) < float64(a.FlipBound()) {
		a.own = general
	}
	return a, a.price()
}

// associatedScores returns noisy scores whose bound holds with probability 95 % (scores.md,
// Accuracy): 1/40 is for the shift, 1/51 for never drawing the best column, and less than 1/1000
// for its own noise.
func associatedScores(epsilon privacy.Epsilon, sensitivities []uint64) (*NoisyScores, error) {
	law, err := Geometric(big.NewRat(1, 50*int64(len(sensitivities))), 0)
	if err != nil {
		return nil, err
	}
	return NewNoisyScores(NoisyScoresParams{Epsilon: epsilon, Sensitivities: sensitivities,
		Shift: big.NewRat(1, 40), Repetitions: law})
}

// price adds up the choice and the strength, whose noise has the same ε for every column, but not
// the same ρ.
func (a *Association) price() error {
	var choice mechanism.Mechanism = a.flip
	if a.own != nil {
		choice = a.own
	}
	chosen, err := choice.Loss(1)
	if err != nil {
		return err
	}
	parts := []meter.Part{meter.Once(chosen)}
	if a.counted.IsSet() {
		if _, err := a.noise(0); err != nil {
			return err
		}
		parts = append(parts, meter.Once(privacy.PureLoss(a.counted)))
	}
	a.spend = meter.Sum("strongest association", parts...)
	return nil
}

// personMoves is the distance by which one person can move a score with that weight.
func personMoves(weight int64) uint64 { return uint64(covarianceSteps * weight) }

// weigh determines the value of one step of each column's range.
func (a *Association) weigh() {
	widest := new(big.Rat)
	for i := range a.params.Sizes {
		if r := a.params.Ranges; r != nil && r[i].Cmp(widest) > 0 {
			widest = r[i]
		}
		a.weights = append(a.weights, 1)
	}
	if a.params.Ranges == nil {
		return
	}
	a.whole = widest
	for i, r := range a.params.Ranges {
		if widest.Sign() > 0 {
			part := new(big.Rat).Quo(r, widest)
			part.Mul(part, big.NewRat(widestRange, 1))
			up := new(big.Int).Add(part.Num(), new(big.Int).Sub(part.Denom(), big.NewInt(1)))
			a.weights[i] = max(up.Quo(up, part.Denom()).Int64(), 1)
		}
		a.widest = max(a.widest, a.weights[i])
	}
}

// Loss is the loss of the choice and of the strength.
func (a *Association) Loss(d privacy.Distance) (privacy.Loss, error) {
	return a.spend.Loss.Group(d)
}

// Chooser is the mechanism that chooses: permute and flip, or another one in its place.
func (a *Association) Chooser() Chooser {
	switch a.own.(type) {
	case *Generalised:
		return ByGeneralised
	case *NoisyScores:
		return ByNoisyScores
	}
	return ByFlip
}

// Amount converts a score to a covariance in percent of the largest possible one, n/4, which is
// reached when half of the persons have a yes and are at the upper end of the range, and the others
// are at its lower end. In the columns' unit it is the difference between the means of the two
// halves.
func (a *Association) Amount(score float64) float64 {
	whole := 100.0
	if a.whole != nil {
		whole, _ = a.whole.Float64()
	}
	return whole * math.Max(0, score) / float64(personMoves(a.widest)) /
		(float64(max(a.params.Persons, 1)) / 4)
}

// FlipBound bounds how far a score chosen by permute and flip is behind the largest, with
// probability 95 %.
func (a *Association) FlipBound() int64 {
	return a.flip.ErrorBound(beta95, big.NewInt(int64(len(a.weights))))
}

// BoundOf is the same bound for the mechanism in its place, if that column is the best one; 0 where
// there is no such mechanism.
func (a *Association) BoundOf(column int) float64 {
	if a.own == nil {
		return 0
	}
	return a.own.ErrorBound(column)
}

// MeanBound is the mean of BoundOf over the columns.
func (a *Association) MeanBound() float64 { return a.mean(a.own) }

func (a *Association) mean(own ownBounds) float64 {
	if own == nil {
		return 0
	}
	sum := 0.0
	for i := range a.weights {
		sum += own.ErrorBound(i)
	}
	return sum / float64(len(a.weights))
}

// Behind bounds how far the chosen score is behind the best, whichever column is best, with
// probability 95 %.
func (a *Association) Behind() float64 {
	if a.own == nil {
		return float64(a.FlipBound())
	}
	worst := 0.0
	for i := range a.weights {
		worst = math.Max(worst, a.own.ErrorBound(i))
	}
	return worst
}

// Typically estimates how far the chosen score is behind the best: a rule of thumb for columns that
// are unrelated, or among which one or several have a fifth of the largest possible relation
// (mechanism.MadeUpScores).
func (a *Association) Typically() float64 {
	whole := float64(personMoves(a.widest)) * float64(max(a.params.Persons, 1)) / 4
	scores := mechanism.MadeUpScores{Candidates: float64(len(a.weights)), Lead: whole / 5,
		Spread: 0.58 * whole / math.Sqrt(float64(max(a.params.Persons, 1)))}
	off := a.flip.TypicalError(scores)
	if a.own != nil {
		part := a.mean(a.own) / float64(max(a.FlipBound(), 1))
		if a.Chooser() == ByGeneralised {
			part = min(part, 1)
		}
		off *= part
	}
	return off
}

// Widest returns the first of the columns with the largest range in their unit, or the first of
// all.
func (a *Association) Widest() int {
	for i, weight := range a.weights {
		if weight == a.widest {
			return i
		}
	}
	return 0 // unreachable: the widest is one of them
}

// StrengthBound bounds the error of a column's strength, as a score, with probability 95 %.
func (a *Association) StrengthBound(column int) (int64, error) {
	noise, err := a.noise(column)
	if err != nil {
		return 0, err
	}
	return noise.ErrorBound(beta95), nil
}

// noise returns the noise on the strength of a column.
func (a *Association) noise(column int) (*mechanism.Laplace, error) {
	return mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: a.counted, L1Sensitivity: personMoves(a.weights[column])})
}

// Associated is the chosen column and, where that was asked for, its noisy strength as a score.
type Associated struct {
	Column   int
	Strength int64
}

// Release chooses a column; outcome has code 0 for a yes. Its error is that of step, which receives
// no progress.
func (a *Association) Release(src coin.Source, columns []Column, outcome Column,
	step coin.Step) (out Associated, err error) {
	src = meter.Within(src, a.spend)
	scores := make([]int64, len(columns))
	for i, column := range columns {
		if scores[i],
			err = covariance(column, outcome, a.params.Sizes[i], a.weights[i], a.params.Persons,
			step); err != nil {
			return out, err
		}
	}
	if out.Column, err = a.choose(src, scores); err != nil || !a.counted.IsSet() {
		return out, err
	}
	noise, err := a.noise(out.Column)
	if err != nil {
		return out, err
	}
	out.Strength = noise.AddTo(src, scores[out.Column])
	return out, nil
}

func (a *Association) choose(src coin.Source, scores []int64) (int, error) {
	if a.own != nil {
		return a.own.pick(src, scores)
	}
	return a.flip.Release(src, scores, nil)
}

// covariance returns ⌊weight·|m·Σxy − Σx·Σy|/n⌋ over the m persons with both values, where x is in
// 1024 parts of a range of size values and y is 1 for the first category, otherwise 0. One person
// moves it by at most 1024·weight (association.md).
func covariance(feature, outcome Column, size uint64, weight, n int64,
	step coin.Step) (int64, error) {
	weights, _ := feature.(counted)
	var m, x, y, xy int64
	for i := range feature.Len() {
		if step != nil && i%(1<<18) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		persons := int64(1)
		if weights != nil {
			persons = int64(min(weights.Persons(i), 1<<32))
		}
		code, known := feature.Code(i)
		answer, answered := outcome.Code(i)
		if !known || !answered {
			continue
		}
		part := covarianceSteps * persons
		if size > 1 {
			hi, lo := bits.Mul64(min(code, size-1), covarianceSteps) // H: association.md in-range
			whole, _ := bits.Div64(hi, lo, size-1)
			part = int64(whole) * persons
		}
		m, x = m+persons, x+part
		if answer == 0 {
			y, xy = y+persons, xy+part
		}
	}
	product := new(big.Int).Mul(big.NewInt(m), big.NewInt(xy))
	product.Sub(product, new(big.Int).Mul(big.NewInt(x), big.NewInt(y))).Abs(product).
		Mul(product, big.NewInt(weight))
	product.Quo(product, big.NewInt(max(n, 1)))
	if !product.IsInt64() { // H: association.md score-size
		return math.MaxInt64, nil
	}
	return product.Int64(), nil
}
