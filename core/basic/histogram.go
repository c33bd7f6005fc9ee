package basic

import (
	"fmt"
	"slices"

	"hush/core/coin"
	"hush/core/privacy"
)

// HistogramParams are a Histogram's public parameters. Exactly one of Epsilon and Base is given.
type HistogramParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: the loss is then 2·ln r.
	Base coin.Base
	// Delta, where it is above 0, allows Gaussian noise; default 0.
	Delta privacy.Delta

	Size  uint64 // the domain's number of values, at least 1
	Width uint64 // codes in one bin, at least 1; the last bin may be narrower
	// Starts are the codes at which bins begin, in place of Width: ascending, the first one 0, the
	// last one below Size. They are public, as Width is.
	Starts []uint64
}

// MaxBins bounds a histogram: beyond it neither a chart nor a table can be read.
const MaxBins = 2000

// Histogram releases the number of persons with a value in each of a public list of bins.
//
// # Guarantee
//
// Pure ε-DP, or (ε, δ)-DP where Gaussian noise has the smaller proven error on all bins together,
// for neighbours that replace one person, n public: the person may leave one bin and enter another,
// so the counts' L1 sensitivity is 2; from or to none it is 1. Bins are public. By group, too, one
// bin loses and one gains. Proof: sums.md, Theorems 1 to 3.
//
// # Input and output
//
// One int64 count per bin, in persons, in the order of the domain, possibly negative. A person with
// none counts nowhere; a code beyond the last counts in the last bin.
//
// # Errors
//
// [*param.Error] from the parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(n + bins), or O(n·log(bins) + bins) where Starts are given. The Noise's ErrorBound and
// SimultaneousErrorBound are exact for Laplace noise.
//
// # Reference
//
// Dwork, McSherry, Nissim, Smith, "Calibrating noise to sensitivity", 2006, Example 3; discrete
// Laplace instead of Laplace.
type Histogram struct {
	asked[[]int64]
	bins partition
}

// partition says how codes are cut into bins: by one width, or at given starts.
type partition struct {
	n, width uint64
	cuts     *Cuts // of the starts, in place of a width
}

// of returns the bin of a code; one beyond the domain is in the last bin.
func (p partition) of(code uint64) uint64 {
	switch {
	case p.cuts != nil:
		return p.cuts.Bin(code)
	case p.width == 1:
		return min(code, p.n-1) // H: sums.md in-codes
	}
	return min(code/p.width, p.n-1) // H: sums.md in-codes
}

// histogramSensitivity is the L1 distance of the counts of neighbours (replace-one), and the square
// of their L2 distance.
const histogramSensitivity = 2

// NewHistogram checks the parameters.
func NewHistogram(p HistogramParams) (*Histogram, error) {
	if p.Size == 0 {
		return nil, refuse("size", "0", "a domain with at least one value")
	}
	bins, err := p.partition()
	if err != nil {
		return nil, err
	}
	a, err := newAsked[[]int64](histogram{bins}, grant(p.Epsilon, p.Base, p.Delta), 0, false)
	if err != nil {
		return nil, err
	}
	return &Histogram{a, bins}, nil
}

// partition checks how the domain is cut.
func (p HistogramParams) partition() (partition, error) {
	if p.Starts != nil {
		rises := len(p.Starts) > 0 && p.Starts[0] == 0 && p.Starts[len(p.Starts)-1] < p.Size
		for i := 1; i < len(p.Starts); i++ {
			rises = rises && p.Starts[i-1] < p.Starts[i]
		}
		if !rises || p.Width != 0 || len(p.Starts) > MaxBins { // H: sums.md bins
			return partition{}, refuse("starts", fmt.Sprint(len(p.Starts)),
				"1 to %d codes in place of a width, ascending from 0 and within the domain",
				MaxBins)
		}
		return partition{n: uint64(len(p.Starts)), cuts: NewCuts(slices.Clone(p.Starts))}, nil
	}
	if p.Width == 0 {
		return partition{}, refuse("width", "0", "at least 1")
	}
	bins := (p.Size-1)/p.Width + 1
	if bins > MaxBins {
		return partition{}, refuse("width", fmt.Sprint(p.Width),
			"at least %d, so that there are at most %d bins", (p.Size-1)/MaxBins+1, MaxBins)
	}
	return partition{n: bins, width: p.Width}, nil
}

// Bins returns the number of bins.
func (h *Histogram) Bins() int { return int(h.bins.n) }

// Range returns the first and last code of bin i in a domain of that size.
func (h *Histogram) Range(i int, size uint64) (first, last uint64) {
	if h.bins.cuts == nil {
		first = uint64(i) * h.bins.width
		return first, min(first+h.bins.width-1, size-1)
	}
	starts := h.bins.cuts.starts
	if i+1 < len(starts) {
		return starts[i], starts[i+1] - 1
	}
	return starts[i], size - 1
}

type histogram struct{ bins partition }

func (h histogram) design(_ Kind, grouped bool) (design, bool) {
	within, two := uint64(histogramSensitivity), [][]uint64{{1, 1}}
	if h.bins.n == 1 {
		within = 1 // a person can only enter or leave the one bin
		two = moves(grouped, 1, 1)
	}
	return design{weights: []uint64{1}, within: within, absent: 1, moves: two}, true
}

func (h histogram) add(t *tally, code uint64, ok bool, persons uint64) {
	if !ok {
		return
	}
	if t.bins == nil {
		t.bins = make([]int64, h.bins.n)
	}
	t.bins[h.bins.of(code)] += int64(persons)
}

func (h histogram) sums(t *tally, _ bool) []int64 {
	if t.bins == nil {
		return make([]int64, h.bins.n)
	}
	return t.bins
}

func (h histogram) answer(_ *Noise, _ bool, _ float64, noisy []int64) []int64 { return noisy }

// forecast returns the forecast for all bins at once.
func (h histogram) forecast(n *Noise, _ bool, _ int64) Forecast {
	return Forecast{Expected: n.ExpectedError(), Typical: n.ExpectedError(),
		Bound: float64(n.SimultaneousErrorBound(Beta, int(h.bins.n)))}
}
