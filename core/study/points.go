package study

import (
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/threshold"
)

// pointRuns is how often an algorithm is run for each number of people: 38 of 40 are 95 of 100.
const pointRuns = 40

var points = Study{
	ID: "interior-points", Source: "Kaplan, Ligett, Mansour, Naor, Stemmer 2020",
	Title: "A value with people on both sides",
	Asked: "How many people does it take to find, privately, a value between theirs if the " +
		"number of possible values is unbounded?",
	Found: "With a small δ, hardly more people for a huge domain than for a small one. TreeLog " +
		"walks down the tree of values and has only to find the level at which to stop: a " +
		"question about bits instead of values. HeavyPaths takes about (log*)^1.5 people, where " +
		"log* counts how often one can take the logarithm before 1 is left: at most 5 for any " +
		"domain that fits in a computer.",
	Simple: "Up to about 150 bits the exponential mechanism needs fewer people, and no δ. Beyond " +
		"that, TreeLog does. HeavyPaths grows slowest in theory, but its constants are so large " +
		"that TreeLog needs fewer on every domain that exists.",
	Least: "Without a δ no method works with fewer people than the dotted line; its constant is " +
		"known, and proved beside the code. With a δ, the bound that the paper cites is of the " +
		"order of log*; its constant is unknown, so it has no line.",
	Made: "All people have one of two values in the middle of the domain, half of them each; " +
		"only these two values count as hits. The exponential mechanism's line is its exact law; " +
		"the others show the fewest people with which 38 of 40 runs hit. ε = 1, δ = 10⁻⁶.",
	Y: "people needed, in 95 of 100 runs",
	Lines: []Line{
		{"exponential mechanism, proved enough", Bound, -1},
		{"exponential mechanism, measured", Measured, 0},
		{"TreeLog, proved enough", Bound, -1},
		{"TreeLog, measured", Measured, 2},
		{"HeavyPaths, proved enough", Bound, -1},
		{"HeavyPaths, measured", Measured, 4},
		{"fewest possible without δ", Least, -1},
	},
	Axis: Axis{"bits of the domain", []int{8, 32, 64, 256, 1024, 4096}, measurePoints},
	Task: "median", Params: map[string]string{"algorithm": "treelog"},
	Films: []string{"treelog", "heavypaths"},
}

func measurePoints(bits int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	size := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	simple := must(threshold.NewExponential(threshold.ExponentialParams{Epsilon: one, Size: size}))
	tree := must(threshold.NewTreeLog(
		threshold.TreeLogParams{Epsilon: one, Delta: delta, Size: size}))
	heavy := must(threshold.NewHeavyPaths(
		threshold.HeavyPathsParams{Epsilon: one, Delta: delta, Size: size}))
	var measured []float64
	for i, f := range []threshold.Finder{tree, heavy} {
		n, err := needed(f, bits, seed, func(part float64) error {
			return tell((float64(i) + part) / 2)
		})
		if err != nil {
			return nil, err
		}
		measured = append(measured, n)
	}
	others := new(big.Int).Sub(size, big.NewInt(1))
	return []float64{float64(simple.Needs()), exactlyNeeded(size), float64(tree.Needs()),
		measured[0], float64(heavy.Needs()), measured[1], packing(logOf(others))}, nil
}

// exactlyNeeded returns the least even number 2h of people, half at each of two neighbouring
// values, at which the exponential mechanism hits one of the two with probability 1 − β: these
// values have the score h and all others 0, so 2·r^h ≥ (Size − 2)·(1 − β)/β with r = e^(ε/2).
func exactlyNeeded(size *big.Int) float64 {
	others := new(big.Int).Sub(size, big.NewInt(2))
	h := (logOf(others) - math.Ln2 + math.Log((1-beta)/beta)) / (one.Float64() / 2)
	return 2 * math.Ceil(h)
}

// needed returns the least number of people, in steps of a tenth, at which 38 of 40 runs hit.
func needed(f threshold.Finder, bits int, seed coin.Seed, tell func(float64) error) (float64,
	error) {
	var ladder []int
	for n := 4; n < f.Needs(); n += max(n/10, 1) {
		ladder = append(ladder, n)
	}
	low, top := 0, len(ladder) // the first that is enough lies between
	asked := 0.0
	for low < top {
		middle := (low + top) / 2
		hits := 0
		codes := twoValues(bits, ladder[middle])
		src := coin.NewSeeded(seed + coin.Seed(ladder[middle]))
		for range pointRuns {
			if err := tell(asked / (asked + 1)); err != nil {
				return 0, err
			}
			x, err := f.Release(src, codes, nil)
			if err != nil {
				return 0, err
			}
			if x.Cmp(codes.Number(0)) >= 0 && x.Cmp(codes.Number(codes.Len()-1)) <= 0 {
				hits++
			}
		}
		if asked++; hits >= pointRuns*95/100 {
			top = middle
		} else {
			low = middle + 1
		}
	}
	if low == len(ladder) {
		return float64(f.Needs()), nil
	}
	return float64(ladder[low]), nil
}

// wideCodes returns the two values in the middle, as texts of bytes without zeros at the end.
type wideCodes struct {
	n    int
	ends [2][]byte
}

func (c wideCodes) Len() int          { return c.n }
func (c wideCodes) Code(i int) []byte { return c.ends[2*i/c.n] }

// twoValues returns a data set of n people, half of them at 0111…1 and half at 1000…0.
func twoValues(bits, n int) domain.Sorted {
	if bits <= 64 {
		codes := make([]uint64, n)
		for i := range codes {
			codes[i] = uint64(1)<<(bits-1) - 1 + uint64(2*i/n)
		}
		return domain.SortedCodes(codes, bits)
	}
	low := slices.Repeat([]byte{0xff}, bits/8)
	low[0] = 0x7f
	order := make([]uint32, n)
	for i := range order {
		order[i] = uint32(i)
	}
	wide := must(domain.NewWide(domain.Spec{Kind: domain.Bytes, Length: bits / 8}))
	codes := wideCodes{n, [2][]byte{low, {0x80}}}
	return domain.SortedTexts(wide, codes, must(domain.SortTexts(codes, order, nil)))
}
