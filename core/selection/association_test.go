package selection

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// codes are a column of persons; MaxUint64 is none.
type codes []uint64

func (c codes) Len() int { return len(c) }

func (c codes) Code(i int) (uint64, bool) { return c[i], c[i] != math.MaxUint64 }

// TestCovarianceSensitivity goes through all neighbours of three persons with few values, some of
// them missing.
func TestCovarianceSensitivity(t *testing.T) {
	const none = math.MaxUint64
	var persons [][2]uint64
	for _, x := range []uint64{0, 1, 3, none} {
		for _, y := range []uint64{0, 1, none} {
			persons = append(persons, [2]uint64{x, y})
		}
	}
	for _, weight := range []int64{1, 3} {
		most := int64(0)
		for _, a := range persons {
			for _, b := range persons {
				lowest, highest := int64(math.MaxInt64), int64(math.MinInt64)
				for _, c := range persons {
					score, err := covariance(codes{a[0], b[0], c[0]}, codes{a[1], b[1], c[1]}, 4,
						weight, 3, nil)
					if err != nil {
						t.Fatal(err)
					}
					lowest, highest = min(lowest, score), max(highest, score)
				}
				most = max(most, highest-lowest)
			}
		}
		if paid := int64(personMoves(weight)); most > paid || most < paid/2 {
			t.Errorf("one person moves the score by %d, of weight %d", most, weight)
		}
	}
	if half, _ := covariance(codes{3, 3, 0, 0}, codes{0, 0, 1, 1}, 4, 1, 4,
		nil); half != covarianceSteps {
		t.Errorf("the strongest relation of four persons is %d", half)
	}
}

// many are codes of which each stands for 2^32 persons.
type many struct{ codes }

func (many) Persons(int) uint64 { return 1 << 32 }

// TestCovarianceAtTheEnd: a score that leaves 64 bits counts as the largest, so that it does not
// come back from below when somebody joins; and a code beyond the range counts as its end.
func TestCovarianceAtTheEnd(t *testing.T) {
	for rows := 2; rows <= 32; rows += 2 {
		x, y := make(codes, rows), make(codes, rows)
		for i := range rows / 2 {
			x[i], y[rows-1-i] = 3, 1
		}
		score, err := covariance(many{x}, y, 4, widestRange, int64(rows)<<32, nil)
		want := int64(math.MaxInt64)
		if rows < 8 {
			want = int64(rows) << 60 // 1024·2^20·n/4
		}
		if err != nil || score != want { // H: association.md score-size
			t.Errorf("%d rows: %d, want %d, %v", rows, score, want, err)
		}
	}
	inside, _ := covariance(codes{3, 0}, codes{0, 1}, 4, 1, 2, nil)
	beyond, _ := covariance(codes{99, 0}, codes{0, 1}, 4, 1, 2, nil)
	if inside != beyond { // H: association.md in-range
		t.Errorf("a code beyond the range moves the score to %d from %d", beyond, inside)
	}
}

// associationAudit has persons with a yes or no and two columns of 0 and 1, one of them wider.
func associationAudit(name string, a *Association) audit.Audit[int] {
	claim := must(audit.ClaimOf(must(a.Loss(1))))
	claim.Delta = new(big.Rat).Add(claim.Delta, big.NewRat(1, 1<<8))
	law := func(rows []int) (*coin.Law[int], error) {
		var columns [3]codes
		for _, value := range rows {
			for i, code := range []uint64{uint64(value & 1), uint64(value >> 1 & 1),
				3 * uint64(value>>2)} {
				if value == audit.None {
					code = math.MaxUint64
				}
				columns[i] = append(columns[i], code)
			}
		}
		return coin.Enumerate(coin.Limits{Tail: big.NewRat(1, 1<<10)},
			func(src coin.Source) (int, error) {
				out, err := a.Release(src, []Column{columns[1], columns[2]}, columns[0], nil)
				return out.Column, err
			})
	}
	return audit.Audit[int]{Name: name, Space: audit.Space{Persons: 2, Values: 8}, Claim: claim,
		Law: law}
}

func newAssociation(by Chooser) *Association {
	return must(
		NewAssociation(
			AssociationParams{Epsilon: must(privacy.ParseEpsilon("1")), Sizes: []uint64{2, 4},
				Chooser: by, Persons: 2}))
}

func TestAuditAssociation(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	audittest.Holds(t, associationAudit("association, permute and flip",
		newAssociation(SmallerBound)))
	audittest.Holds(t, associationAudit("association, generalised exponential",
		newAssociation(ByGeneralised)))
}

func TestPlantedAssociation(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	a := newAssociation(SmallerBound)
	a.flip = must(
		mechanism.NewPermuteAndFlip(
			mechanism.PermuteAndFlipParams{Epsilon: a.params.Epsilon,
				Sensitivity: covarianceSteps / 8}))
	audittest.Caught(t, associationAudit("association with an eighth of its sensitivity", a))
}

// TestChoiceIsPaidFor: the mechanisms that may choose in the place of permute and flip count on as
// much as one person moves the score of each column, which TestCovarianceSensitivity finds.
func TestChoiceIsPaidFor(t *testing.T) {
	epsilon := must(privacy.ParseEpsilon("1"))
	for name, ranges := range map[string][]*big.Rat{
		"by range": nil, "by units": {big.NewRat(1, 1), big.NewRat(9, 2)}} {
		of := func(by Chooser) *Association {
			return must(NewAssociation(AssociationParams{Epsilon: epsilon, Sizes: []uint64{2, 4},
				Ranges: ranges, Chooser: by, Persons: 2}))
		}
		general := of(ByGeneralised)
		moves := []uint64{personMoves(general.weights[0]), personMoves(general.weights[1])}
		if have := general.own.(*Generalised).sensitivities; !slices.Equal(have, moves) {
			t.Errorf("%s, generalised: it counts on moves by %v, and they are by %v", name, have,
				moves)
		}
		have := of(ByNoisyScores).own.(*NoisyScores)
		want := must(associatedScores(epsilon, moves))
		for i := range moves {
			if is, of := have.noises[i].Base(), want.noises[i].Base(); is.String() != of.String() {
				t.Errorf("%s, noisy scores, column %d: noise of base %v, want %v", name, i, is, of)
			}
		}
	}
}

// TestStrengthIsPaidFor: the strength of each column has noise for as much as one person moves it.
func TestStrengthIsPaidFor(t *testing.T) {
	for name, ranges := range map[string][]*big.Rat{
		"by range": nil, "by units": {big.NewRat(1, 1), big.NewRat(9, 2)}} {
		a := must(NewAssociation(
			AssociationParams{Epsilon: must(privacy.ParseEpsilon("1")), Sizes: []uint64{2, 4},
				Ranges: ranges, Chooser: SmallerBound, Strength: true, Persons: 2}))
		for i, weight := range a.weights {
			spent := float64(personMoves(weight)) * must(a.noise(i)).Noise().Log()
			if granted := a.counted.Float64(); spent > granted*(1+1e-9) || spent < granted*0.999 {
				t.Errorf("%s, column %d: granted ε = %g, spent %g", name, i, granted, spent)
			}
		}
	}
}

// TestAssociationPaysForBoth: the choice, by whichever mechanism, and the strength together cost
// all of ε, and no more; and
// a code beyond a column's last counts as the last.
func TestAssociationPaysForBoth(t *testing.T) {
	epsilon := must(privacy.ParseEpsilon("1"))
	a := must(NewAssociation(AssociationParams{Epsilon: epsilon, Sizes: []uint64{2, 4},
		Chooser: ByFlip, Strength: true, Persons: 2}))
	parts := must(a.flip.Loss(1)).Plus(privacy.PureLoss(a.counted))
	if loss := must(a.Loss(1)); !parts.AtMost(loss) || !loss.AtMost(privacy.PureLoss(epsilon)) {
		t.Errorf("ε = %v is granted, the parts cost %v, the loss is %v", epsilon, parts, loss)
	}
	for _, chooser := range []Chooser{ByGeneralised, ByNoisyScores} {
		b := must(NewAssociation(AssociationParams{Epsilon: epsilon, Sizes: []uint64{2, 4},
			Chooser: chooser, Strength: true, Persons: 2}))
		parts := must(b.own.Loss(1)).Plus(privacy.PureLoss(b.counted))
		if loss := must(b.Loss(1)); b.Chooser() != chooser || !parts.AtMost(loss) ||
			!loss.AtMost(privacy.PureLoss(epsilon)) {
			t.Errorf("%s by %s: the parts cost %v, the loss is %v", chooser, b.Chooser(), parts,
				loss)
		}
		// worse than permute and flip where nobody moves one column more than another
		if b.Behind() <= float64(b.FlipBound()) || b.Typically() < a.Typically()*0.99 {
			t.Errorf("%s is at most %v behind, permute and flip %d", chooser, b.Behind(),
				b.FlipBound())
		}
	}
	last, _ := covariance(codes{3, 0}, codes{0, 1}, 4, 1, 2, nil)
	if beyond, _ := covariance(codes{9, 0}, codes{0, 1}, 4, 1, 2, nil); beyond != last {
		t.Errorf("a code beyond the last moves the score to %d, the last to %d", beyond, last)
	}
}
