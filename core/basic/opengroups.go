package basic

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// OpenGroupsParams are the public parameters of OpenGroups. Exactly one of Epsilon and Base is
// given.
type OpenGroupsParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base
	// Delta is the δ granted: a group of one person is found with about this chance. Above 0 and
	// below 1/n; required.
	Delta privacy.Delta
	// People is n, public, from 1 to 2^53.
	People int64
	// Groups is g, where People are rows of People/g persons, g consecutive ones of each, who
	// counts once in each group: Epsilon and Delta are then a person's (H: opengroups.md
	// rows-of-one). 0: one row each.
	Groups uint64
	// Most is how many groups are found at most, where more can't be asked about: from 1 to
	// MaxGroups − 1; 0: that.
	Most uint64
}

// Labels is a column of groups that nobody listed beforehand: K is uint64 for codes or string for
// texts ([TextLabels]).
type Labels[K cmp.Ordered] interface {
	// Len is the number of rows.
	Len() int
	// Label is row i's group, or false for none.
	Label(i int) (K, bool) // H: opengroups.md one-label
}

// OpenGroups finds the groups that many persons belong to, with noisy sizes, where the list of
// groups is not public. All others together are the group "other". [Found.Groups] then makes a
// column for [ByGroup].
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that replace one person, n public: that of
// [mechanism.StabilityHistogram], also where each has several rows. Asking a
// question by the groups found is a further release; the losses add up. Proof: opengroups.md.
//
// # Input and output
//
// The groups found, ascending, at most Most of them: where there are more, those with the largest
// noisy sizes.
//
// # Errors
//
// [*param.Error] (epsilon, base, delta, people, most) from the parameters alone; step's error when
// cancelled.
//
// # Cost and accuracy
//
// O(n) and memory for the groups that occur. A group of NeededSize(β) persons is found with
// probability at least 1 − β.
//
// # Reference
//
// As mechanism.StabilityHistogram. The bin of all others is that of Wilson et al., "Differentially
// Private SQL with Bounded User Contribution", 2020, in other words.
type OpenGroups[K cmp.Ordered] struct {
	mechanism *mechanism.StabilityHistogram
	people    int64
	most      int
	each      int // consecutive rows of one person
}

// NewOpenGroups checks the parameters.
func NewOpenGroups[K cmp.Ordered](p OpenGroupsParams) (*OpenGroups[K], error) {
	if err := checkPeople(p.People); err != nil { // H: opengroups.md people
		return nil, err
	}
	// H: opengroups.md delta
	if err := checkDelta(p.Delta, p.People/int64(max(p.Groups, 1))); err != nil {
		return nil, err
	}
	if p.Most == 0 {
		p.Most = MaxGroups - 1
	}
	if p.Most >= MaxGroups { // H: opengroups.md most
		return nil, refuse("most", fmt.Sprint(p.Most), "at most %d groups", MaxGroups-1)
	}
	m, err := mechanism.NewStabilityHistogram(
		mechanism.StabilityHistogramParams{Epsilon: p.Epsilon, Base: p.Base, Delta: p.Delta,
			Groups: p.Groups})
	if err != nil {
		return nil, err
	}
	return &OpenGroups[K]{m, p.People, int(p.Most), int(max(p.Groups, 1))}, nil
}

// Loss returns the loss of finding the groups, for data sets that differ in d persons.
func (g *OpenGroups[K]) Loss(d privacy.Distance) (privacy.Loss, error) {
	return g.mechanism.Loss(d)
}

// EntryLoss returns the loss when one row of a person is replaced: the loss that Loss returns where
// each person has one row.
func (g *OpenGroups[K]) EntryLoss() (privacy.Loss, error) { return g.mechanism.EntryLoss() }

// NeededSize returns the size from which on a group is found with probability at least 1 − beta.
func (g *OpenGroups[K]) NeededSize(beta float64) int64 { return g.mechanism.NeededCount(beta) }

// Found holds the groups found. All of it is released except the rows' labels, which it keeps for
// Groups.
type Found[K cmp.Ordered] struct {
	// Labels are the groups, ascending.
	Labels []K
	// Sizes are their noisy sizes, in persons. Given that a group is found, its size is in the
	// interval with probability 1 − Beta, which starts at 1 near the threshold.
	Sizes []Estimate
	// Rest is how many persons are in none of them, those without a label among them: n less the
	// noisy sizes. Its interval counts the noise of each size.
	Rest Estimate

	rows Labels[K]
}

// Find releases the groups. Labels that also have Persons(i int) uint64 stand for several persons
// each, as Counted does.
func (g *OpenGroups[K]) Find(src coin.Source, labels Labels[K], step coin.Step) (*Found[K], error) {
	counts, err := countLabels(labels, g.each, part(step, 0, 900))
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(counts)) // H: opengroups.md label-order
	sizes := make([]int64, len(names))
	for i, name := range names {
		sizes[i] = int64(min(counts[name].persons, MaxPeople))
	}
	meter.Label(src, func(i int) string { return fmt.Sprint(names[i]) })
	shown, err := g.mechanism.Release(src, sizes, part(step, 900, progress))
	if err != nil {
		return nil, err
	}
	if len(shown) > g.most {
		slices.SortStableFunc(shown, func(a, b mechanism.Shown) int {
			return cmp.Compare(b.Count, a.Count)
		})
		shown = shown[:g.most]
		slices.SortFunc(shown, func(a, b mechanism.Shown) int {
			return cmp.Compare(a.Index, b.Index)
		})
	}
	return g.found(names, shown, labels), nil
}

func (g *OpenGroups[K]) found(names []K, shown []mechanism.Shown, rows Labels[K]) *Found[K] {
	f := &Found[K]{rows: rows}
	one := big.NewRat(1, 1)
	bound := big.NewRat(g.mechanism.ErrorBound(Beta), 1)
	rest := g.people
	for _, s := range shown {
		f.Labels = append(f.Labels, names[s.Index])
		size := around(big.NewRat(s.Count, 1), bound, one)
		if s.Count < g.mechanism.SureFrom(Beta) {
			size.Low = big.NewRat(1, 1)
		}
		f.Sizes = append(f.Sizes, size)
		rest -= s.Count
	}
	k := int64(max(1, len(shown)))
	// Each of k noises may fail with Beta/k.
	all := new(big.Rat).
		Mul(big.NewRat(k, 1), big.NewRat(g.mechanism.ErrorBound(Beta/float64(k)), 1))
	f.Rest = around(big.NewRat(rest, 1), all, one).clamp(new(big.Rat), big.NewRat(g.people, 1))
	return f
}

// labelCount is the number of persons with a label, and the row after which the last of them ends.
type labelCount struct {
	persons uint64
	end     int
}

// countLabels counts the persons of each label. Each person has this many consecutive rows, and
// counts once for a label however many of them have it, as the proof of the loss requires.
func countLabels[K cmp.Ordered](labels Labels[K], each int,
	step coin.Step) (map[K]labelCount, error) {
	weights, _ := labels.(interface{ Persons(i int) uint64 })
	counts := map[K]labelCount{}
	n := labels.Len()
	for i := range n {
		if step != nil && i&(stepRows-1) == 0 {
			if err := step(int64(i), int64(n)); err != nil {
				return nil, err
			}
		}
		if label, ok := labels.Label(i); ok {
			persons := uint64(1)
			if weights != nil {
				persons = min(weights.Persons(i), MaxPeople)
			}
			// a row that stands for nobody names no group
			if now := counts[label]; persons > 0 && i >= now.end { // H: opengroups.md once
				counts[label] = labelCount{now.persons + persons, i - i%each + each}
			}
		}
	}
	return counts, nil
}

// Groups returns a column for ByGroup with len(Labels) + 1 groups: those found, in their order, and
// then "other", for everybody with another label. A person without a label is in no group.
func (f *Found[K]) Groups() Values {
	places := make(map[K]uint64, len(f.Labels))
	for i, label := range f.Labels {
		places[label] = uint64(i)
	}
	return placed[K]{f.rows, places}
}

type placed[K cmp.Ordered] struct {
	rows   Labels[K]
	places map[K]uint64
}

func (p placed[K]) Len() int { return p.rows.Len() }

func (p placed[K]) Code(i int) (uint64, bool) {
	label, ok := p.rows.Label(i)
	if !ok {
		return 0, false
	}
	if at, found := p.places[label]; found {
		return at, true
	}
	return uint64(len(p.places)), true
}

// Texts is a column of texts: one or none for every row.
type Texts interface {
	Len() int
	Has(i int) bool
	Code(i int) []byte
}

// TextLabels makes labels from a column of texts. counts gives the number of persons for each row;
// nil means one.
func TextLabels(texts Texts, counts []uint64) Labels[string] {
	if counts != nil {
		return countedTexts{textLabels{texts}, counts}
	}
	return textLabels{texts}
}

type textLabels struct{ texts Texts }

func (l textLabels) Len() int { return l.texts.Len() }
func (l textLabels) Label(i int) (string, bool) {
	return string(l.texts.Code(i)), l.texts.Has(i)
}

type countedTexts struct {
	textLabels
	counts []uint64
}

func (l countedTexts) Persons(i int) uint64 { return l.counts[i] }
