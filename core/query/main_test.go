package query

import (
	"flag"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
	"hush/core/privacy"
)

// long asks for the large versions of property tests and tables: minutes instead of seconds.
var long = flag.Bool("long", false, "run the long versions of tests")

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }
func delta(text string) privacy.Delta     { return must(privacy.ParseDelta(text)) }
func base(num, den int64) coin.Base       { return must(coin.NewBase(num, den)) }
func rat(num, den int64) *big.Rat         { return big.NewRat(num, den) }

// set is a set of the elements 1, 2, … of the test vectors, which count from one.
func set(size int, members ...int) Set {
	for i := range members {
		members[i]--
	}
	return must(NewSet(size, members...))
}

// rowsOf makes records from sets of elements that count from one.
func rowsOf(size int, rows ...[]int) *Records {
	r := must(NewRecords(len(rows), size))
	for i, row := range rows {
		for _, x := range row {
			r.Yes(i, x-1)
		}
	}
	return r
}

// vectorA and vectorB are data sets of the specification, vectorC its graph.
func vectorA() Coverage { return Coverage{rowsOf(3, []int{1}, []int{1, 2}, []int{3}, nil)} }

func vectorB() Coverage {
	return Coverage{
		rowsOf(4, []int{1}, []int{1}, []int{1}, []int{2}, []int{2}, []int{3}, []int{4}, []int{4},
			[]int{1, 4}, []int{2, 3})}
}

func vectorC() *Graph {
	return must(NewGraph(4, []Edge{{0, 1}, {1, 2}, {0, 2}, {2, 3}}))
}

// randomRecords are n records of d attributes that follow each other, so that they are correlated.
func randomRecords(random *rand.Rand, n, d int) *Records {
	r := must(NewRecords(n, d))
	for i := range n {
		state := random.IntN(2)
		for x := range d {
			if random.IntN(4) == 0 {
				state = random.IntN(2)
			}
			if state == 1 && random.IntN(5) > 0 {
				r.Yes(i, x)
			}
		}
	}
	return r
}

func randomGraph(random *rand.Rand, edges, vertices int) *Graph {
	list := make([]Edge, edges)
	for i := range list {
		list[i] = Edge{random.IntN(vertices), random.IntN(vertices)}
		if random.IntN(8) == 0 {
			list[i] = Edge{-1, -1}
		}
	}
	return must(NewGraph(vertices, list))
}

// everySet lists all sets of a small ground set.
func everySet(size int) (all []Set) {
	for mask := range 1 << size {
		all = append(all, Set{uint64(mask)})
	}
	return all
}

func half(size int) Workload { return must(Independent(size, rat(1, 2))) }
