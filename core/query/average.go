package query

import (
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// averaging holds the releases that are averaged with the next one. All of it is public.
type averaging struct {
	before []mechanism.Draw // the first one first
	rho    privacy.Rho      // of the release that is added to them
	stdDev []float64        // of each residual: that of a value's average, rounded
}

// Average returns these residuals with a release that is averaged with earlier ones. first are the
// residuals that released the latest answer, and draws are the draws of all earlier releases.
//
// # Guarantee
//
// That release is ρ-zCDP by itself, with ρ the difference between the ρ that these residuals were
// granted and the ρ of the releases before, for neighbours that replace one person, n public: an
// ordinary entry of an account, the Loss of the residuals returned. Nothing is asked of the
// releases before. Proof: residuals.md.
//
// # Input and output
//
// Those of [Residuals.Release]: Counts are the means of all releases by their ρ, each rounded to a
// whole number, and StdDev is that of the means.
//
// # Errors
//
// [*param.Error] (topUp, epsilon, noisy) where first has other residuals, the releases before did
// not cost what first was granted, or ε is not larger. It depends on public parameters and on
// released numbers only.
//
// # Cost and accuracy
//
// A release. A cell of a table has the variance of one release of all of ρ, but for the rounding of
// means, which is off by less than one person.
//
// # Reference
//
// [mechanism.Averaged].
func (m *Residuals) Average(first *Residuals, draws []mechanism.Draw) (*Residuals, error) {
	// H: residuals.md same-question
	if first.price != m.price || !slices.EqualFunc(first.residuals, m.residuals,
		func(a, b measured) bool {
			return slices.Equal(a.columns, b.columns) && a.cells == b.cells && a.weight == b.weight
		}) {
		return nil, refuse("topUp", phrase.Of("other residuals"), "the same question")
	}
	// H: residuals.md same-draws
	if sum := mechanism.TotalRho(draws); sum.Cmp(first.granted.Rat()) != 0 {
		return nil, refuse("topUp", phrase.Of("releases of another ρ"),
			"what this version of the question was granted")
	}
	return m.After(draws)
}

// After returns these residuals with a release that is averaged with the releases before, as
// [Residuals.Average] does, where the caller knows that those were of the same residuals; with none
// before it returns m. [*param.Error] (topUp, epsilon, noisy) as there.
func (m *Residuals) After(before []mechanism.Draw) (*Residuals, error) {
	if len(before) == 0 {
		return m, nil
	}
	for _, d := range before {
		if err := m.fits(d); err != nil {
			return nil, err
		}
	}
	// H: residuals.md rises
	rho, err := privacy.NewRho(new(big.Rat).Sub(m.granted.Rat(), mechanism.TotalRho(before)))
	if err != nil {
		return nil, refuse("epsilon", phrase.Of("no more than before"), "a larger ε")
	}
	a := &averaging{before: before, rho: rho}
	for _, r := range m.residuals {
		a.stdDev = append(a.stdDev, r.noise.StdDev()+math.Sqrt(float64(r.cells))/2)
	}
	next := *m
	next.residuals, next.average = slices.Clone(m.residuals), a
	if err := next.grant(rho); err != nil {
		return nil, err
	}
	next.draw.Name = "discrete Gaussian noise, to be averaged"
	next.spend, err = meter.Composed("tables by residuals", m.delta, meter.Once(next.draw.Loss))
	return &next, err
}

// fits refuses a draw that was not of these residuals, or has saturated.
func (m *Residuals) fits(d mechanism.Draw) error {
	last := m.residuals[len(m.residuals)-1]
	// H: residuals.md same-draws
	if want := last.at + last.cells; !d.Rho.IsSet() || len(d.Sums) != want {
		return refuse("topUp", phrase.Of("%d numbers", len(d.Sums)),
			"%d in each release, and its ρ", want)
	}
	return mechanism.CheckTopUp(d.Sums) // H: residuals.md unsaturated
}

// Averages returns how many releases the next answer averages: 1 if there is only one.
func (m *Residuals) Averages() int {
	if m.average == nil {
		return 1
	}
	return len(m.average.before) + 1
}

// AverageOff returns the number of persons by which rounding the averages moves a cell of a table
// of this many columns, at most; 0 where nothing is averaged. Proof: residuals.md.
func (m *Residuals) AverageOff(columns int) float64 {
	if m.average == nil {
		return 0
	}
	both, half := 1.0, 1.0
	for range columns {
		both, half = both*(math.Sqrt2+1)/2, half/2
	}
	return (both - half) / 2
}

// Rho returns what the next release costs for one replaced person.
func (m *Residuals) Rho() privacy.Rho {
	if m.average != nil {
		return m.average.rho
	}
	return m.granted
}

// Again returns what a release for that many persons made of the numbers that it drew. Anyone who
// has them can compute it, so it costs no privacy. [*param.Error] (topUp, noisy) where they are not
// of these residuals.
func (m *Residuals) Again(drawn []int64, persons int, origin coin.Origin) (*Release, error) {
	if err := m.fits(mechanism.Draw{Rho: m.Rho(), Sums: drawn}); err != nil {
		return nil, err
	}
	return m.released(sizeOf(m.columns.columns), persons, origin, slices.Clone(drawn)), nil
}

// released returns the release that a draw gives.
func (m *Residuals) released(size, persons int, origin coin.Origin, drawn []int64) *Release {
	r := &Release{Format: format, Method: ByResiduals, Kind: Conjunctions, Size: size,
		Persons: persons, Loss: m.spend.Loss, Origin: origin, Columns: m.columns.columns,
		Counts: drawn, draws: []mechanism.Draw{{Rho: m.Rho(), Sums: drawn}}}
	if m.average != nil {
		r.draws = append(slices.Clone(m.average.before), r.draws...)
		r.Counts = mechanism.Means(r.draws)
	}
	for i, residual := range m.residuals {
		off := residual.noise.StdDev()
		if m.average != nil {
			off = m.average.stdDev[i]
		}
		r.Residuals = append(r.Residuals, Residual{Columns: residual.columns,
			StdDev: off / float64(residual.cells)})
	}
	return r
}

// Draws returns the draws of all releases by residuals that this release averages, the first one
// first; nil if it was made by another method or read from a file.
func (r *Release) Draws() []mechanism.Draw { return r.draws }
