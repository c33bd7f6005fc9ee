package basic

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// wantRefusal checks that err is a *param.Error of this package for the field.
func wantRefusal(t *testing.T, err error, field string) {
	t.Helper()
	var refused *param.Error
	if !errors.As(err, &refused) || refused.Field != field || refused.Package != "basic" {
		t.Errorf("got error %v, want a refusal of %s", err, field)
	}
}

// rankError is how many persons a value is away from the target: the distance of target·m from the
// persons below … at or below it.
func rankError(data column, value uint64, target float64) float64 {
	below, upTo, m := 0.0, 0.0, 0.0
	for i := range data {
		code, ok := data.Code(i)
		if !ok {
			continue
		}
		m++
		if code < value {
			below++
		}
		if code <= value {
			upTo++
		}
	}
	return max(0, below-target*m, target*m-upTo)
}

// hardData are data sets on which quantiles go wrong easily.
func hardData(n, size int) map[string]column {
	sets := map[string]column{}
	for name, value := range map[string]func(i int) int{
		"all equal":           func(int) int { return size / 3 },
		"all the first":       func(int) int { return 0 },
		"all the last":        func(int) int { return size - 1 },
		"spread":              func(i int) int { return i * size / n },
		"half equal":          func(i int) int { return max(0, i-n/2) * size / n },
		"two values":          func(i int) int { return []int{size / 7, size / 2}[i%2] },
		"a tie at each third": func(i int) int { return []int{1, size / 2, size - 2}[i*3/n] },
		"half none":           func(i int) int { return i%2*(size/2+i%9) - (1 - i%2) },
		"none at all":         func(int) int { return -1 },
	} {
		c := make(column, n)
		for i := range c {
			c[i] = value(i)
		}
		sets[name] = c
	}
	return sets
}

// TestQuantilesRankErrors: the bound at 95 % fails in no more releases than it may, for data with
// and without ties, and a bound a third as long fails more often: so the test can fail.
func TestQuantilesRankErrors(t *testing.T) {
	const n, size, runs = 3000, 1000, 60
	for _, targets := range [][]string{{"1/2"}, {"1/4", "1/2", "3/4"},
		{"1/10", "1/5", "3/10", "2/5", "1/2", "3/5", "7/10", "4/5", "9/10"}, {"99/100"}} {
		q := must(NewQuantiles(
			QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(size),
				Targets: rats(targets...), People: n}))
		bounds := q.RankErrors(Beta)
		broken, brokenThird, total := 0, 0, 0
		mean := make([]float64, len(targets))
		for name, data := range hardData(n, size) {
			src, failed := coin.NewSeeded(coin.Seed(len(name))), 0
			for range runs {
				codes := must(q.Release(src, data, nil))
				if !slices.IsSorted(codes) {
					t.Fatalf("%s: %v is out of order", name, codes)
				}
				bad, badThird := false, false
				for i, code := range codes {
					target, _ := rat(targets[i]).Float64()
					off := rankError(data, code, target)
					mean[i] += off
					bad, badThird = bad || off > bounds[i], badThird || off > bounds[i]/6
				}
				if total++; bad {
					failed++
				}
				if badThird {
					brokenThird++
				}
			}
			if broken += failed; failed > runs/5 {
				// 20 % where at most 5 % are expected: below 10^-5
				t.Errorf("%s, targets %v: bounds %v broken in %d of %d releases", name, targets,
					bounds, failed, runs)
			}
		}
		if brokenThird == 0 {
			t.Errorf("targets %v: a sixth of the bounds is never broken, so the test shows little",
				targets)
		}
		// the integral of a split's bound over its probability bounds its mean
		for i, expected := range q.rankErrors(1) {
			if got := mean[i] / float64(total); got > expected {
				t.Errorf("target %s: mean error %g, bound on the mean %g", targets[i], got,
					expected)
			}
		}
	}
}

// TestQuantilesOwnErrorIsProven checks one split's bound against its exact law, on the data that
// make it worst.
func TestQuantilesOwnErrorIsProven(t *testing.T) {
	for _, parts := range []int64{1, 2} {
		q := newQuantiles(base(3, 2), parts, "1/3")
		d := q.definition("1/3")
		for _, logFailures := range []float64{0.5, 1, 2, 3} {
			bound := q.ownError(q.root, logFailures)
			for _, rows := range (audit.Space{Persons: 3, Values: 4}).DataSets() {
				law := must(d.law(rows))
				data := spreadOut(rows)
				for i := range data {
					data[i] = min(data[i], spreadSize-1)
				}
				missed := 0.0
				for _, o := range law.Outcomes() {
					if rankError(data, o[0], 1.0/3) > bound+1e-9 {
						p, _ := law.Mass(o).Float64()
						missed += p
					}
				}
				if missed > math.Exp(-logFailures) {
					t.Errorf("%d parts, data %v: more than %g away with chance %g > %g", parts,
						rows, bound, missed, math.Exp(-logFailures))
				}
			}
		}
	}
}

// TestQuantilesForms finds the same law whether persons are rows or counted, sorted or tabulated,
// of 64 bits or wide.
func TestQuantilesForms(t *testing.T) {
	r := base(3, 2)
	q := newQuantiles(r, 2, "1/3", "1/2")
	plain := quantileLaw(q)
	space := audit.Space{Persons: 3, Values: 4}
	sameLaw(t, space, plain,
		run(coin.Limits{}, func(src coin.Source, rows []int) (released, error) {
			var codes column
			var counts []uint64
			for _, v := range spreadOut(rows) { // runs of equal rows as one, and empty ones between
				if n := len(codes); n > 0 && codes[n-1] == v {
					counts[n-1]++
					continue
				}
				codes, counts = append(codes, 1, v), append(counts, 0, 1)
			}
			out, err := q.Release(src, WithCounts(codes, counts), nil)
			return asReleased(out), err
		}))
	sameLaw(t, space, plain,
		run(coin.Limits{}, func(src coin.Source, rows []int) (released, error) {
			for _, counted := range []bool{false, true} {
				values := Values(spreadOut(rows))
				if counted {
					values = WithCounts(values, slices.Repeat([]uint64{1}, len(rows)))
				}
				a := must(sorted(values, nil, 1, spreadSize-1, nil))[0]
				b := must(tabulate(values, nil, 1, spreadSize-1, nil))[0]
				if !slices.Equal(a.codes, b.codes) || !slices.Equal(a.upTo, b.upTo) ||
					a.last != b.last {
					t.Fatalf("sorted %v, tabulated %v", a, b)
				}
			}
			a := must(sorted(spreadOut(rows), nil, 1, spreadSize-1, nil))[0]
			wide := mechanism.BigCodes{Counts: a.upTo}
			for _, code := range a.codes {
				wide.Codes = append(wide.Codes, bigOf(code))
			}
			out, err := q.ReleaseWide(src, wide, nil)
			if err != nil {
				return released{}, err
			}
			return asReleased([]uint64{out[0].Uint64(), out[1].Uint64()}), nil
		}))
}

func TestQuantilesOfGroups(t *testing.T) {
	const n = 6000
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(1 << 40),
			Targets: rats("1/4", "3/4"), People: n, ByGroup: true}))
	codes, groups := make(column, n), make(column, n)
	for i := range codes {
		codes[i], groups[i] = (i%3)<<30+i<<10, i%3 // group 3 has nobody; one in eight has no group
		if i%8 == 0 {
			groups[i] = -1
		}
	}
	all := must(q.ReleaseByGroup(coin.NewSeeded(1), codes, groups, 4, nil))
	for g := range 3 {
		for k, code := range all[g] {
			aim := float64(g<<30) + float64(n<<10)*[]float64{0.25, 0.75}[k]
			if math.Abs(float64(code)-aim) > 0.1*(n<<10) {
				t.Errorf("group %d: %d, want about %g", g, code, aim)
			}
		}
	}
	if len(all) != 4 || len(all[3]) != 2 {
		t.Errorf("answers %v", all)
	}
}

func TestQuantilesOnHugeDomains(t *testing.T) {
	whole := new(big.Int).Lsh(big.NewInt(1), 64)
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("2"), Size: whole, Targets: rats("1/10", "1/2", "9/10"),
			People: 2000}))
	data := make(bits64, 2000)
	for i := range data {
		data[i] = math.MaxUint64 - uint64(i)<<50
	}
	codes := must(q.Release(coin.NewSeeded(3), data, nil))
	for i, at := range []int{1800, 1000, 200} {
		if off := math.Abs(float64(codes[i]) - float64(data[at])); off > 150*(1<<50) {
			t.Errorf("quantile %d is %d, want about %d", i, codes[i], data[at])
		}
	}
	if high := must(q.Release(coin.NewSeeded(4), bits64{}, nil)); !slices.IsSorted(high) {
		t.Errorf("without data: %v", high)
	}
	bits := uint(1) << 12
	wide := must(
		NewQuantiles(
			QuantilesParams{Epsilon: epsilon("2"), Size: new(big.Int).Lsh(oneInt, bits),
				Targets: rats("1/4", "1/2"), People: 100_000}))
	set := mechanism.BigCodes{
		Codes:  []*big.Int{big.NewInt(7), new(big.Int).Lsh(big.NewInt(5), bits-9)},
		Counts: []int64{40_000, 100_000}}
	out := must(wide.ReleaseWide(coin.NewSeeded(1), set, nil))
	if out[0].Cmp(set.Codes[0]) != 0 || out[1].Cmp(set.Codes[1]) != 0 {
		t.Errorf("40 %% at 7 and 60 %% far above give quartile %d bits, median %d bits",
			out[0].BitLen(), out[1].BitLen())
	}
}

type bits64 []uint64

func (b bits64) Len() int                  { return len(b) }
func (b bits64) Code(i int) (uint64, bool) { return b[i], true }

func TestQuantilesOfOneValue(t *testing.T) {
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(1),
			Targets: rats("1/4", "1/2", "3/4"), People: 5}))
	for _, data := range []column{{}, {0, 0, 0}, {-1}} {
		if codes := must(q.Release(coin.NewSeeded(1), data, nil)); !slices.Equal(
			codes, []uint64{0, 0, 0}) {
			t.Errorf("%v gave %v", data, codes)
		}
	}
}

func TestQuantilesPlan(t *testing.T) {
	for m := 1; m <= MaxTargets; m++ {
		var targets []*big.Rat
		for i := range m {
			targets = append(targets, big.NewRat(int64(i+1), int64(m+1)))
		}
		q := must(NewQuantiles(
			QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(1000), Targets: targets,
				People: 1000}))
		want := int(math.Ceil(math.Log2(float64(m + 1))))
		deepest, seen := 0, 0
		q.root.visit(0, func(n *node, level int) {
			deepest, seen = max(deepest, level+1), seen+1
			share := privacy.LogUp(n.base.Rat())
			share.Mul(share, big.NewRat(n.moves*int64(q.levels), 1))
			if share.Cmp(rat("1")) > 0 || share.Cmp(rat("0.999999999999")) < 0 {
				t.Errorf("%d targets: target %d at level %d has %v times its share", m, n.target,
					level, share)
			}
		})
		if q.levels != want || deepest != want || seen != m {
			t.Errorf("%d targets: %d levels planned, %d deep, want %d; %d nodes", m, q.levels,
				deepest, want, seen)
		}
	}
	// One extreme quantile about everybody is weighed by replaced persons, not by those who come
	// and go: 2·10 against 4·9.
	one := newQuantiles(base(3, 2), 1, "9/10")
	if one.root.moves != 20 {
		t.Errorf("the upper decile moves by %d, want 20", one.root.moves)
	}
	groups := must(
		NewQuantiles(
			QuantilesParams{Base: base(3, 2), Size: big.NewInt(5), Targets: rats("9/10"), People: 3,
				ByGroup: true}))
	if groups.root.moves != 36 {
		t.Errorf("the upper decile of a group moves by %d, want 36", groups.root.moves)
	}
}

func TestQuantilesRefuse(t *testing.T) {
	good := QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(10), Targets: rats("1/2"),
		People: 10}
	for field, changes := range map[string][]func(*QuantilesParams){
		"epsilon": {func(p *QuantilesParams) { p.Epsilon.UnmarshalText([]byte("0")) },
			func(p *QuantilesParams) {
				p.Epsilon, p.Parts = epsilon("0.000000001"), 1<<40
			}},
		"base": {func(p *QuantilesParams) { p.Base = base(3, 2) }, // H: quantiles.md one-loss
			func(p *QuantilesParams) {
				p.Epsilon.UnmarshalText([]byte("0"))
				p.Base, p.Parts = base(3, 2), 1<<20
			}},
		// H: quantiles.md domain
		"size": {func(p *QuantilesParams) { p.Size = nil }, func(p *QuantilesParams) {
			p.Size = new(big.Int)
		}},
		// H: quantiles.md people
		"people": {func(p *QuantilesParams) { p.People = 0 }, func(p *QuantilesParams) {
			p.People = MaxPeople + 1
		}},
		// H: quantiles.md parts
		"parts": {func(p *QuantilesParams) { p.Parts = -1 }, func(p *QuantilesParams) {
			p.Parts = 1 << 62 // H: quantiles.md scores-fit
		}},
		// H: quantiles.md targets
		"targets": {func(p *QuantilesParams) { p.Targets = nil }, func(p *QuantilesParams) {
			p.Targets = rats("1/2", "1/2")
		},
			func(p *QuantilesParams) { p.Targets = rats("0") }, func(p *QuantilesParams) {
				p.Targets = rats("1")
			},
			func(p *QuantilesParams) { p.Targets = rats("1/3", "1/2", "1000002/1000003") },
			func(p *QuantilesParams) { p.Targets = []*big.Rat{nil} },
			// H: quantiles.md scores-fit
			func(p *QuantilesParams) { p.People, p.Targets = 1<<50, rats("1/1000000") }},
	} {
		for _, change := range changes {
			p := good
			change(&p)
			q, err := NewQuantiles(p)
			wantRefusal(t, err, field)
			if q != nil {
				t.Errorf("%s: an answer beside the error", field)
			}
		}
	}
	q, err := NewQuantiles(good)
	if err != nil {
		t.Fatal(err)
	}
	good.ByGroup = true
	by := must(NewQuantiles(good))
	data := column{1, 2}
	for name, release := range map[string]func(){ // H: quantiles.md as-planned
		"those of everybody by group": func() {
			q.ReleaseByGroup(coin.NewSeeded(1), data, column{0, 1}, 2, nil)
		},
		"those by group about everybody": func() { by.Release(coin.NewSeeded(1), data, nil) },
		"wide ones by group about everybody": func() {
			by.ReleaseWide(coin.NewSeeded(1), mechanism.BigCodes{}, nil)
		},
		"too many groups": func() {
			by.ReleaseByGroup(coin.NewSeeded(1), data, column{0, 1}, MaxGroups+1, nil)
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s are released", name)
				}
			}()
			release()
		}()
	}
}

func TestQuantilesStop(t *testing.T) {
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(1 << 40),
			Targets: rats("1/4", "1/2", "3/4"), People: 50_000}))
	data := make(column, 50_000)
	for i := range data {
		data[i] = i << 20
	}
	stop := errors.New("stop")
	calls, before := 0, int64(-1)
	if _, err := q.Release(coin.NewSeeded(1), data, func(done, total int64) error {
		if calls++; done < before || done > total || total != progress {
			t.Errorf("step %d: %d of %d after %d", calls, done, total, before)
		}
		before = done
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for at := 1; at <= calls; at++ {
		n := 0
		codes, err := q.Release(coin.NewSeeded(1), data, func(int64, int64) error {
			if n++; n == at {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) || codes != nil {
			t.Errorf("stopped at call %d: %v, %v", at, codes, err)
		}
	}
}

func BenchmarkQuantiles(b *testing.B) {
	const n = 1_000_000
	for name, value := range map[string]func(i int) int{
		"distinct": func(i int) int { return i * 7919 % n << 20 },
		"ages":     func(i int) int { return i % 100 },
	} {
		b.Run(name, func(b *testing.B) {
			data := make(column, n)
			for i := range data {
				data[i] = value(i)
			}
			q := must(NewQuantiles(
				QuantilesParams{Epsilon: epsilon("1"), Size: big.NewInt(1 << 40),
					Targets: rats("1/4", "1/2", "3/4"), People: n}))
			src := coin.NewSeeded(1)
			for b.Loop() {
				must(q.Release(src, data, nil))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
