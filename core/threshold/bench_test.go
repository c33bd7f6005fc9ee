package threshold

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"hush/core/coin"
	"hush/core/domain"
)

// tenMillion are codes of 64 bits: all over the domain, or half of them alike, so that TreeLog goes
// down to single codes.
func tenMillion(random *rand.Rand, alike bool) []uint64 {
	codes := make([]uint64, 10_000_000)
	for i := range codes {
		if codes[i] = random.Uint64(); alike && i%2 == 0 {
			codes[i] = 1 << 63
		}
	}
	return codes
}

// BenchmarkAfterSort compares the time of each Finder on ten million codes with that of sorting
// them, "of-sort"; and that of the median, for which a Finder is given the codes in the middle
// only.
func BenchmarkAfterSort(b *testing.B) {
	for _, data := range []string{"spread", "half-alike"} {
		codes := tenMillion(rand.New(rand.NewPCG(1, 1)), data == "half-alike")
		start := time.Now()
		if err := domain.SortCodes(codes, 64, nil); err != nil {
			b.Fatal(err)
		}
		sort := time.Since(start)
		view := domain.SortedCodes(codes, 64)
		finders := must(
			Advise(AdviceParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)})).
			Finders
		finders = append(finders,
			must(
				NewHeavyPaths(
					HeavyPathsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
						Size: values(64)})))
		measure := func(name string, release func(src coin.Source)) {
			b.Run(data+"/"+name, func(b *testing.B) {
				src := coin.NewSeeded(1)
				for b.Loop() {
					release(src)
				}
				b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(sort), "of-sort")
			})
		}
		for _, f := range finders {
			median := must(
				NewRanks(RanksParams{Finder: f, Size: values(64),
					Parts: []*big.Rat{big.NewRat(1, 2)}}))
			measure(f.Name().String(), func(src coin.Source) { must(f.Release(src, view, nil)) })
			measure("median by "+f.Name().String(), func(src coin.Source) {
				must(median.Release(src, view, nil))
			})
		}
	}
}

// longTexts are texts of a domain of 2^20 bits: n texts that share a long beginning, of lengths
// from 1 KiB to 128 KiB, a few alike.
func longTexts(random *rand.Rand, n int) wideCodes {
	block := randomBytes(random, 1<<17)
	texts := make(wideCodes, n)
	for i := range texts {
		text := bytes.Clone(block[:1<<10+random.IntN(64)])
		texts[i] = append(text, randomBytes(random, 8)...)
		if i%1000 == 0 {
			texts[i] = block[:1<<17-i%5]
		}
	}
	return texts
}

// BenchmarkLongTexts runs TreeLog, sort included, on 10^5 texts over the domain of 2^20 bits.
func BenchmarkLongTexts(b *testing.B) {
	texts := longTexts(rand.New(rand.NewPCG(2, 2)), 100_000)
	wide := must(domain.NewWide(domain.Spec{Kind: domain.Bytes, Length: 1 << 17}))
	tree := must(
		NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: wide.Size()}))
	src := coin.NewSeeded(1)
	order := make([]uint32, len(texts))
	for b.Loop() {
		for i := range order {
			order[i] = uint32(i)
		}
		codes := domain.SortedTexts(wide, texts, must(domain.SortTexts(texts, order, nil)))
		if x := must(tree.Release(src, codes, nil)); depthOf(codes, x) < 1 {
			b.Fatal("no interior point")
		}
	}
}

// BenchmarkAdvise is what a form asks for at every change.
func BenchmarkAdvise(b *testing.B) {
	for b.Loop() {
		must(Advise(AdviceParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)}))
	}
}

// BenchmarkAgnostic is on a million labelled codes.
func BenchmarkAgnostic(b *testing.B) {
	random := rand.New(rand.NewPCG(3, 3))
	codes, yes := make([]uint64, 1_000_000), make([]bool, 1_000_000)
	for i := range codes {
		codes[i], yes[i] = uint64(i)<<40, (i > 400_000) != (random.IntN(10) == 0)
	}
	a := must(NewAgnostic(AgnosticParams{Epsilon: epsilon("1"), Size: values(64)}))
	src := coin.NewSeeded(1)
	for b.Loop() {
		must(a.Learn(src, Labelled{domain.SortedCodes(codes, 64), yes}, nil))
	}
}

// BenchmarkQuantiles is on a million codes.
func BenchmarkQuantiles(b *testing.B) {
	codes := make([]uint64, 1_000_000)
	for i := range codes {
		codes[i] = uint64(i) << 40
	}
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("1"), Size: values(64), Persons: 1_000_000}))
	src := coin.NewSeeded(1)
	for b.Loop() {
		must(q.Release(src, domain.SortedCodes(codes, 64), nil))
	}
}

// TestAfterSort is BenchmarkAfterSort as a test: on ten million codes, what TreeLog, HeavyPaths and
// the exponential mechanism do after sorting takes at most a fifth of the time of sorting.
func TestAfterSort(t *testing.T) {
	if !*long {
		t.Skip("ten million codes: with -long only")
	}
	for _, alike := range []bool{false, true} {
		codes := tenMillion(rand.New(rand.NewPCG(1, 1)), alike)
		start := time.Now()
		must(0, domain.SortCodes(codes, 64, nil))
		sort := time.Since(start)
		src, view := coin.NewSeeded(1), domain.SortedCodes(codes, 64)
		heavy := must(NewHeavyPaths(
			HeavyPathsParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)}))
		for _, f := range append(must(
			Advise(AdviceParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)})).
			Finders[:2:2], heavy) {
			start = time.Now()
			must(f.Release(src, view, nil))
			took := time.Since(start)
			t.Logf("half alike %v: %s %v, sorting %v", alike, f.Name(), took, sort)
			if took > sort/5 {
				t.Errorf("half alike %v: %s takes %v, sorting %v", alike, f.Name(), took, sort)
			}
		}
	}
}
