package query

import (
	"encoding/json"
	"math"
	"strconv"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Kind says what the sets asked of a release stand for.
type Kind string

const (
	Conjunctions Kind = "conjunctions" // how many persons have all attributes of the set
	Disjunctions Kind = "disjunctions" // how many have at least one of them
	Cuts         Kind = "cuts"         // how many edges leave the set of vertices
)

// Method says how a release was made.
type Method string

const (
	ByPieces    Method = "pieces"    // Pieces, Counted
	ByMarginals Method = "marginals" // Marginals
	ByTables    Method = "tables"    // Tables
	ByResiduals Method = "residuals" // Residuals
	ByProduct   Method = "product"   // Marginals of width 1: attributes taken as independent
	ByWeights   Method = "weights"   // MWEM, Boosting, Sampled
	ByPairs     Method = "pairs"     // Pairs
)

const format = 1 // the version of Release as JSON

// Release answers queries from private figures alone. It holds nothing else about the data, and may
// be kept, shared and asked any number of times, since that is post-processing. Its fields travel
// as JSON; they must not be changed.
type Release struct {
	Format  int          `json:"format"`
	Method  Method       `json:"method"`
	Kind    Kind         `json:"kind"`
	Size    int          `json:"size"`    // attributes, or vertices
	Persons int          `json:"persons"` // n, which is public
	Loss    privacy.Loss `json:"loss"`
	Origin  coin.Origin  `json:"origin"`

	// Noise is the standard deviation of the noise on each figure below, in persons; 0 of
	// ByResiduals.
	Noise float64 `json:"noise"`

	// Pieces, Workloads and Means are those of ByPieces: for each workload and each piece with sets
	// of it, the mean in 1/2^20 persons.
	Pieces    Decomposition `json:"pieces,omitempty"`
	Workloads []Workload    `json:"workloads,omitempty"`
	Means     []int64       `json:"means,omitempty"`

	// Width and Counts are those of ByMarginals and ByProduct: a count for each set of 1 to Width
	// attributes, {0}, {0,1}, {0,2}, …, {1}, …. Of ByPairs, Counts has the edges between each two
	// vertices: {0,1}, {0,2}, {1,2}, {0,3}, …. Of ByTables, Width is the number of columns of a
	// table, and Counts has the cells of each: of columns {0,1}, {0,2}, {1,2}, … the cells of the
	// last fastest, where those in none of a column's cells come first. Of ByResiduals, Counts has
	// the values of each of Residuals in such an order; what their noise is each of them says.
	Width     int        `json:"width,omitempty"`
	Columns   []Column   `json:"columns,omitempty"`
	Residuals []Residual `json:"residuals,omitempty"`
	Counts    []int64    `json:"counts,omitempty"`

	// Fitted are the counts that [Release.Fit] makes of those of ByTables and ByResiduals: of each
	// table that is in no other, in their order, the cells as in Counts. They tell nothing new.
	Fitted []float64 `json:"fitted,omitempty"`

	// Rounds are those of ByWeights.
	Rounds []Round `json:"rounds,omitempty"`

	cells  *universe        // of the rounds, made when it is first needed
	index  map[string]int64 // of the counts
	tabled *tabled          // of the counts of ByTables and ByResiduals
	laws   []bool           // which workload and piece have a mean
	draws  []mechanism.Draw // of ByResiduals: see Draws
}

// Answer is what a release says about one query.
type Answer struct {
	Persons float64 `json:"persons"` // from 0 to n
	Share   float64 `json:"share"`   // the same, as a part of n

	// Noise is the standard deviation of the noise in Persons. How far the release is off apart
	// from noise is not known from it.
	Noise float64 `json:"noise"`
}

// UnmarshalJSON reads a release. Anything that is not a release, or that Ask could not answer from,
// is an error.
func (r *Release) UnmarshalJSON(text []byte) error {
	type fields Release
	var saved fields
	if err := json.Unmarshal(text, &saved); err != nil {
		return err
	}
	read := Release(saved)
	if err := read.check(); err != nil {
		return err
	}
	*r = read
	return nil
}

// check refuses anything that is not a release.
func (r *Release) check() error {
	if r.Format != format {
		return insist("format", strconv.Itoa(r.Format), strconv.Itoa(format))
	}
	if r.Size < 1 || r.Size > MaxSize || r.Persons < 1 {
		return refuse("size", phrase.Of("%d and %d persons", r.Size, r.Persons),
			"a size from 1 to %d, and persons", MaxSize)
	}
	switch r.Method {
	case ByPieces:
		if err := r.checkPieces(); err != nil {
			return err
		}
	case ByMarginals, ByProduct:
		if r.Kind != Conjunctions || r.Width < 1 || r.Width > r.Size ||
			countSubsets(r.Size, r.Width).String() != strconv.Itoa(len(r.Counts)) {
			return refuse("counts", strconv.Itoa(len(r.Counts)),
				"one for each set of up to %d attributes", r.Width)
		}
	case ByTables, ByResiduals:
		if r.Kind != Conjunctions {
			return insist("kind", string(r.Kind), string(Conjunctions))
		}
		if r.Width < 0 || r.Width > r.Size { // residuals have none
			return refuse("width", strconv.Itoa(r.Width), "from 0 to %d attributes", r.Size)
		}
		open, err := r.opened()
		if err == nil {
			err = r.checkFitted(open)
		}
		if err != nil {
			return err
		}
	case ByPairs:
		if err := checkPairs(r.Size); err != nil {
			return err
		}
		if r.Kind != Cuts || len(r.Counts) != r.Size*(r.Size-1)/2 {
			return refuse("counts", strconv.Itoa(len(r.Counts)), "one for each pair of %d vertices",
				r.Size)
		}
	case ByWeights:
		if r.Kind != Conjunctions {
			return insist("kind", string(r.Kind), string(Conjunctions))
		}
		if _, err := cellsOf(r.Size); err != nil {
			return err
		}
		for _, round := range r.Rounds {
			if !round.Set.Within(emptySet(r.Size).complement(r.Size)) ||
				math.Abs(round.Step) > 1e6 {
				return refuse("rounds", phrase.Key("a round outside"),
					"sets of attributes below %d", r.Size)
			}
		}
	default:
		return refuse("method", string(r.Method),
			"pieces, marginals, tables, residuals, product, weights or pairs")
	}
	return nil
}

func (r *Release) checkPieces() error {
	all := emptySet(r.Size).complement(r.Size)
	for _, p := range r.Pieces {
		if !p.In.Within(all) || !p.Out.Within(all) || p.In.Meets(p.Out) {
			return refuse("pieces", phrase.Key("a piece outside"),
				"disjoint sets of elements below %d", r.Size)
		}
	}
	for _, w := range r.Workloads {
		if err := w.check(r.Size); err != nil {
			return err
		}
	}
	means := 0
	for _, has := range r.hasMean() {
		if has {
			means++
		}
	}
	if means != len(r.Means) {
		return insist("means", strconv.Itoa(len(r.Means)), strconv.Itoa(means))
	}
	return nil
}

// hasMean reports, for each workload and piece, in that order, whether there is a mean.
func (r *Release) hasMean() []bool {
	if r.laws == nil {
		for _, w := range r.Workloads {
			for _, p := range r.Pieces {
				_, ok := w.on(p, r.Size)
				r.laws = append(r.laws, ok)
			}
		}
	}
	return r.laws
}

// Ask answers the query of the release's kind for a set. A set that the release cannot answer is a
// *param.Error for field set.
func (r *Release) Ask(s Set) (Answer, error) {
	if err := r.has(s); err != nil {
		return Answer{}, err
	}
	if s.Len() == 0 { // nobody meets an empty set, no edge leaves it, and everybody has all of it
		if r.Kind == Conjunctions {
			return r.answer(float64(r.Persons), 0), nil
		}
		return r.answer(0, 0), nil
	}
	switch r.Method {
	case ByPieces:
		return r.askPieces(s)
	case ByProduct:
		share := 1.0
		for _, x := range s.Members() {
			share *= min(max(float64(r.Counts[x])/float64(r.Persons), 0), 1)
		}
		return r.answer(share*float64(r.Persons), r.Noise), nil
	case ByPairs:
		return r.askPairs(s), nil
	case ByTables, ByResiduals:
		return r.askTables(s, false)
	case ByMarginals:
		count, ok := r.marginal(s)
		if !ok {
			return Answer{},
				refuse("set", phrase.Of("%d attributes", s.Len()), "at most %d", r.Width)
		}
		return r.answer(count, r.Noise), nil
	}
	cells, err := r.open()
	if err != nil {
		return Answer{}, err
	}
	return r.answer(cells.share(s, nil)*float64(r.Persons), 0), nil
}

// has refuses a set with any other element.
func (r *Release) has(s Set) error {
	if !s.Within(emptySet(r.Size).complement(r.Size)) {
		return refuse("set", "outside", "elements below %d", r.Size)
	}
	return nil
}

// AskAny answers how many persons have at least one attribute of a set, from a release of
// conjunctions: from the cells of tables, from the records of a distribution (ByWeights), or
// otherwise by inclusion and exclusion over the 2^|s| − 1 conjunctions inside s, whose noise adds
// up.
func (r *Release) AskAny(s Set) (Answer, error) {
	if r.Kind == Disjunctions {
		return r.Ask(s)
	}
	if err := r.has(s); err != nil {
		return Answer{}, err
	}
	if r.Method == ByTables || r.Method == ByResiduals {
		return r.askTables(s, true)
	}
	if r.Method == ByWeights {
		cells, err := r.open()
		if err != nil {
			return Answer{}, err
		}
		none := cells.share(emptySet(r.Size), s)
		return r.answer((1-none)*float64(r.Persons), 0), nil
	}
	members := s.Members()
	if r.Kind != Conjunctions || len(members) > 16 {
		return Answer{},
			refuse("set", phrase.Of("%d elements", len(members)),
				"at most 16 attributes of a release of conjunctions")
	}
	var sum, variance float64
	for mask := 1; mask < 1<<len(members); mask++ {
		part, sign := emptySet(r.Size), -1.0
		for i, x := range members {
			if mask>>i&1 == 1 {
				part, sign = part.With(x), -sign
			}
		}
		a, err := r.Ask(part)
		if err != nil {
			return Answer{}, err
		}
		sum, variance = sum+sign*a.Persons, variance+a.Noise*a.Noise
	}
	return r.answer(sum, math.Sqrt(variance)), nil
}

func (r *Release) answer(persons, noise float64) Answer {
	persons = min(max(persons, 0), float64(r.Persons))
	return Answer{persons, persons / float64(r.Persons), noise}
}

// askPieces finds the piece and the workload that draws the set: if several product distributions
// do, the one whose sets have, on average, most nearly as many elements.
func (r *Release) askPieces(s Set) (Answer, error) {
	at := r.Pieces.Find(s)
	if at < 0 {
		return Answer{}, refuse("pieces", "incomplete", "pieces that every set belongs to")
	}
	nearest, best, found := math.Inf(1), Answer{}, false
	for i, w := range r.Workloads {
		if !w.holds(s) {
			continue
		}
		if answer, ok := r.Mean(i, at); ok {
			if off := math.Abs(w.meanSize() - float64(s.Len())); off < nearest {
				nearest, best, found = off, answer, true
			}
		}
	}
	if !found {
		return Answer{},
			refuse("set", phrase.Of("%d elements", s.Len()), "a set of the workloads released")
	}
	return best, nil
}

// Mean returns the answer of a release by pieces to all sets of a piece that a workload draws;
// false where it draws none. Both arguments are indices into the lists.
func (r *Release) Mean(workload, piece int) (Answer, bool) {
	at, has := 0, r.hasMean()
	for _, earlier := range has[:workload*len(r.Pieces)+piece] {
		if earlier {
			at++
		}
	}
	if !has[workload*len(r.Pieces)+piece] {
		return Answer{}, false
	}
	persons := float64(r.Means[at]) / meanUnit
	if r.Kind == Conjunctions {
		persons = float64(r.Persons) - persons
	}
	return r.answer(persons, r.Noise), true
}

// askPairs adds up the edges across a cut.
func (r *Release) askPairs(s Set) Answer {
	sum, crossing := int64(0), 0
	for _, u := range s.Members() {
		for v := range r.Size {
			if !s.Has(v) {
				sum += r.Counts[pairIndex(u, v)]
				crossing++
			}
		}
	}
	return r.answer(float64(sum), r.Noise*math.Sqrt(float64(crossing)))
}

// Between returns the number of edges that join two vertices, from a release by pairs: no other
// method answers about single pairs.
func (r *Release) Between(u, v int) (Answer, error) {
	if r.Method != ByPairs {
		return Answer{}, insist("method", string(r.Method), string(ByPairs))
	}
	if u == v || min(u, v) < 0 || max(u, v) >= r.Size {
		return Answer{},
			refuse("pair", phrase.Of("%d and %d", u, v), "two vertices below %d", r.Size)
	}
	return r.answer(float64(r.Counts[pairIndex(u, v)]), r.Noise), nil
}

// marginal looks a count up.
func (r *Release) marginal(s Set) (float64, bool) {
	if r.index == nil {
		r.index = make(map[string]int64, len(r.Counts))
		for i, t := range subsets(r.Size, r.Width) {
			r.index[t.key()] = r.Counts[i]
		}
	}
	padded := emptySet(r.Size)
	copy(padded, s)
	count, ok := r.index[padded.key()]
	return float64(count), ok
}
