package threshold

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
)

// TestAnswersMoveByTwo is the same for persons with answers: code 2x + 1 is value x with a yes. A
// changed answer moves one person from one count to another, as a changed value does.
func TestAnswersMoveByTwo(t *testing.T) {
	space := audit.Space{Persons: 3, Values: 8}
	every := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(4)}))
	worst := 0
	for points := range 1<<4 + 1 {
		count := func(rows []int) []int64 {
			var list []uint64
			data := Labelled{}
			for _, code := range codesOf(rows) {
				list, data.Yes = append(list, code/2), append(data.Yes, code%2 == 1)
			}
			yes := data.answers()
			codes := domain.SortedCodes(list, 2)
			if points == 1<<4 {
				return every.toCount(codes, yes)
			}
			var cuts []interval
			for at := range int64(4) {
				if points>>at&1 == 1 {
					below, notAbove := codes.Rank(big.NewInt(at))
					cuts = append(cuts, interval{big.NewInt(at), big.NewInt(at), below, notAbove})
				}
			}
			_, exact := toCount(cuts, len(list), big.NewInt(4), yes)
			return exact
		}
		worst = max(worst, mostMoved(space, count))
	}
	if worst != 2 {
		t.Errorf("counts move by up to %d", worst)
	}
}

// TestAccuracy runs whole releases and compares every cut with the truth, in both directions.
func TestAccuracy(t *testing.T) {
	random := rand.New(rand.NewPCG(77, 78))
	for name, release := range map[string]Bounded{
		"tree": must(
			NewQuantiles(
				QuantilesParams{Epsilon: epsilon("1"), Size: values(16), Persons: 20_000})),
		"every value": must(
			NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(100)})),
		"one value": must(
			NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(1)})),
	} {
		atPoints, ofCount, ofAll := release.AccuracyBound()
		good := 0
		const runs = 10
		for run := range runs {
			list, yes := make([]uint64, 20_000), make([]bool, 20_000)
			bits, last := 16, int64(1<<16)
			for i := range list {
				list[i] = random.Uint64N(1 << 16)
				switch name {
				case "every value":
					list[i], bits, last = list[i]%100, 7, 100
				case "one value":
					list[i], bits, last = 0, 1, 1
				}
			}
			slices.Sort(list)
			for i := range yes {
				yes[i] = random.IntN(20_000) < i
			}
			codes := domain.SortedCodes(list, bits)
			a, err := release.ReleaseAccuracy(coin.NewSeeded(coin.Seed(run)), Labelled{codes, yes},
				nil)
			if err != nil {
				t.Fatal(err)
			}
			yeses := make([]int, len(yes)+1)
			for i := range yes {
				yeses[i+1] = yeses[i]
				if yes[i] {
					yeses[i+1]++
				}
			}
			right := math.Abs(a.All()-20_000) <= ofAll
			for x := int64(0); x <= last; x++ {
				below, _ := codes.Rank(big.NewInt(x))
				truth := float64(below - yeses[below] + yeses[len(yes)] - yeses[below])
				for _, c := range []Cut{{big.NewInt(x), true}, {big.NewInt(x), false}} {
					want, bound := truth, atPoints
					if !c.Above {
						want = 20_000 - truth
					}
					low, high, measured := a.Range(c)
					if !measured {
						bound += ofCount
					}
					if about := a.Right(c); measured && (low != about || high != about) ||
						low > high {
						t.Fatalf("cut at %d: %g in %g … %g", x, about, low, high)
					}
					right = right && want >= low-bound && want <= high+bound
				}
			}
			if right {
				good++
			}
		}
		if good < runs-2 || atPoints >= 4*release.ErrorBound() {
			t.Errorf("%s: within %g persons in %d of %d runs", name, atPoints, good, runs)
		}
	}
	// 8 yeses below 4; 2 yeses and 4 noes at 4; 10 noes above.
	a := newAccuracy(big.NewInt(10), []*big.Int{big.NewInt(4)}, measured{[]int64{8, 0}, []int64{2}},
		measured{[]int64{0, 10}, []int64{4}})
	for x, want := range map[int64]float64{0: 14, 2: 18, 4: 22, 5: 20, 7: 16, 10: 10} {
		below, above := a.Right(Cut{big.NewInt(x), false}), a.Right(Cut{big.NewInt(x), true})
		if math.Abs(below-want) > 1e-9 || math.Abs(above-(24-want)) > 1e-9 {
			t.Errorf("cut at %d: %g and %g right, want %g and %g", x, below, above, want, 24-want)
		}
		ranges := map[int64][2]float64{0: {14, 22}, 2: {14, 22}, 4: {22, 22}, 5: {10, 20},
			7: {10, 20}, 10: {10, 10}}
		if low, high, _ := a.Range(Cut{big.NewInt(x), false}); low != ranges[x][0] ||
			high != ranges[x][1] {
			t.Errorf("cut at %d: from %g to %g, want %v", x, low, high, ranges[x])
		}
	}
}
