package basic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

// TestJointRankErrors: the bound at 95 % fails in no more releases than it may, for data with and
// without ties and for targets that were not chosen, and a tenth of it fails for one
// target.
func TestJointRankErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds: a comparison of errors")
	}
	const n, size, runs = 3000, 1000, 15
	for _, c := range []struct {
		targets []*big.Rat
		chosen  int
		levels  int
	}{{evenly(1), 1, 1}, {evenly(9), 9, 1}, {evenly(9), 4, 1}, {rats("99/100"), 1, 1},
		{evenly(15), 15, 2}, {evenly(9), 7, 2}} {
		q := must(NewJointExp(JointExpParams{Epsilon: epsilon("1"), Size: big.NewInt(size),
			Targets: c.targets, People: n, Chosen: c.chosen, Levels: c.levels}))
		bounds, tenth := q.RankErrors(Beta), 0
		for name, data := range hardData(n, size) {
			src, failed := coin.NewSeeded(coin.Seed(len(name))), 0
			for range runs {
				codes := must(q.Release(src, data, nil))
				if !slices.IsSorted(codes) {
					t.Fatalf("%s: %v is out of order", name, codes)
				}
				bad, badTenth := false, false
				for i, code := range codes {
					target, _ := c.targets[i].Float64()
					off := rankError(data, code, target)
					bad, badTenth = bad || off > bounds[i], badTenth || off > bounds[i]/10
				}
				if bad {
					failed++
				}
				if badTenth {
					tenth++
				}
			}
			if failed > runs/5 {
				t.Errorf("%s, %d of %d targets: bounds %v broken in %d of %d releases", name,
					c.chosen, len(c.targets), bounds, failed, runs)
			}
		}
		if tenth == 0 && len(c.targets) == 1 {
			t.Errorf("%d targets: a tenth of the bounds is never broken", c.chosen)
		}
	}
}

// TestJointExpForms: rows and counted rows in any order give the same, nobody at all gives some
// list, the ends of the widest domain are reached, and targets that are not chosen lie between.
func TestJointExpForms(t *testing.T) {
	p := JointExpParams{Epsilon: epsilon("1"), Size: big.NewInt(50), Targets: evenly(5), People: 40,
		Chosen: 2}
	q := must(NewJointExp(p))
	list := column{3, 3, 3, 9, 30, 30, 41, -1}
	once := must(q.Release(coin.NewSeeded(5), list, nil))
	for name, data := range map[string]Values{
		"shuffled": column(shuffled(list)),
		"counted":  WithCounts(column{41, 30, -1, 9, 3, 8}, []uint64{1, 2, 1, 1, 3, 0}),
	} {
		if again := must(q.Release(coin.NewSeeded(5), data, nil)); !slices.Equal(once, again) {
			t.Errorf("%s: %v, want %v", name, again, once)
		}
	}
	wide := p
	wide.Size, wide.Epsilon = new(big.Int).Lsh(oneInt, 64), epsilon("100")
	last := ^uint64(0)
	far := make(rows, 40)
	for i := range far {
		far[i] = last
	}
	codes := must(must(NewJointExp(wide)).Release(coin.NewSeeded(6), far, nil))
	if !slices.IsSorted(codes) || codes[1] < last/4 {
		t.Errorf("all at the last value: %d", codes)
	}
	if codes := must(q.Release(coin.NewSeeded(7), column{}, nil)); !slices.IsSorted(codes) ||
		codes[4] > 49 {
		t.Errorf("of nobody: %v", codes)
	}
	// 2/6 and 4/6 are chosen, and 1/6, 3/6, 5/6 lie halfway between them and the ends.
	got := fmt.Sprint(q.between([]*big.Int{big.NewInt(10), big.NewInt(20)}))
	if want := "[5 10 15 20 34]"; got != want {
		t.Errorf("between 10 and 20: %s, want %s", got, want)
	}
}

func TestJointExpRefuses(t *testing.T) {
	good := JointExpParams{Epsilon: epsilon("1"), Size: big.NewInt(100), Targets: evenly(9),
		People: 1000}
	for _, c := range []struct {
		field  string
		change func(p *JointExpParams)
	}{
		{"size", func(p *JointExpParams) { p.Size = new(big.Int) }}, // H: jointexp.md domain
		{"targets", func(p *JointExpParams) { p.Targets = nil }},    // H: jointexp.md targets
		{"people", func(p *JointExpParams) { p.People = 0 }},        // H: jointexp.md people
		// H: jointexp.md people
		{"people", func(p *JointExpParams) { p.People = maxJointPeople + 1 }},
		{"chosen", func(p *JointExpParams) { p.Chosen = 10 }},
		// H: jointexp.md list-length
		{"chosen", func(p *JointExpParams) {
			p.Targets, p.Chosen, p.People = evenly(20), 12, maxJointPeople
		}},
		{"levels", func(p *JointExpParams) { p.Levels = 3 }},
		{"parts", func(p *JointExpParams) { p.Parts = -1 }},        // H: jointexp.md points
		{"parts", func(p *JointExpParams) { p.Parts = 1<<32 + 1 }}, // H: jointexp.md points
		// H: jointexp.md around
		{"around", func(p *JointExpParams) { p.Around, p.People = 100, maxJointPeople }},
		{"around", func(p *JointExpParams) { p.Around = -1 }},             // H: jointexp.md around
		{"around", func(p *JointExpParams) { p.Around = 1001 }},           // H: jointexp.md around
		{"around", func(p *JointExpParams) { p.Around, p.Levels = 1, 2 }}, // H: jointexp.md around
		// H: jointexp.md one-loss
		{"base", func(p *JointExpParams) { p.Base = base(3, 2) }},
		// H: jointexp.md one-loss
		{"epsilon", func(p *JointExpParams) { p.Epsilon = privacy.Epsilon{} }},
	} {
		p := good
		c.change(&p)
		_, err := NewJointExp(p)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	q := must(NewJointExp(good))
	stop := errors.New("stop")
	steps := 0
	_, err := q.Release(coin.NewSeeded(1), column{1, 2}, func(int64, int64) error {
		if steps++; steps > 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestAdviseQuantiles: one target and too many people take splits, few targets the joint choice,
// and many two levels of it.
func TestAdviseQuantiles(t *testing.T) {
	for _, c := range []struct {
		m      int
		people int64
		e      string
		chosen int // 0: splits
		levels int
	}{{1, 1000, "1", 0, 0}, {9, 100, "0.1", 1, 1}, {9, 100, "1", 2, 1}, {9, 1000, "1", 9, 1},
		{99, 1000, "1", 20, 1}, {9, 100_000, "0.1", 9, 1}, {99, 100_000, "1", 99, 2},
		{99, 20_000, "0.1", 28, 1}, {99, 50_000, "0.1", 97, 2}, {9, 1 << 20, "1", 0, 0}} {
		q := must(AdviseQuantiles(QuantilesParams{Epsilon: epsilon(c.e), Size: big.NewInt(1000),
			Targets: evenly(c.m), People: c.people}))
		chosen, levels := 0, 0
		if joint, is := q.(*JointExp); is {
			chosen, levels = len(joint.chosen), len(joint.levels)
		}
		if chosen != c.chosen || levels != c.levels {
			t.Errorf("%d targets of %d people, ε = %s: %d chosen by %d levels, want %d by %d", c.m,
				c.people, c.e, chosen, levels, c.chosen, c.levels)
		}
	}
}

// TestJointExpSpendsItsEpsilon: scores are in 1/unit persons and move by 2·unit, and so does the
// sum of all weights, at each level.
func TestJointExpSpendsItsEpsilon(t *testing.T) {
	for _, c := range []struct {
		targets []*big.Rat
		levels  int
	}{{evenly(1), 1}, {evenly(9), 1}, {rats("1/7", "1/2"), 1}, {evenly(9), 2},
		{rats("1/7", "1/2", "3/4"), 2}} {
		q := must(NewJointExp(JointExpParams{Epsilon: epsilon("1"), Size: big.NewInt(10),
			Targets: c.targets, People: 1000, Chosen: len(c.targets), Levels: c.levels}))
		if len(q.levels) != c.levels {
			t.Fatalf("%v: %d levels, want %d", c.targets, len(q.levels), c.levels)
		}
		spent := 0.0
		for _, l := range q.levels {
			spent += 4 * l.base.Log() * float64(l.unit)
		}
		if spent > 1+1e-12 || spent < 1-1e-9 {
			t.Errorf("%v by %d levels: ε = %g", c.targets, c.levels, spent)
		}
		loss := must(q.Loss(1))
		if e, _ := loss.Epsilon(); e.Cmp(big.NewRat(1, 1)) != 0 {
			t.Errorf("%v: loss %v", c.targets, loss)
		}
		if rho, _ := loss.Rho().Float64(); math.Abs(rho-1/float64(8*c.levels)) > 1e-9 {
			t.Errorf("%v by %d levels: ρ = %v", c.targets, c.levels, rho)
		}
	}
}

// TestProposal: whatever has a weight is proposed, in proportion where that matters.
func TestProposal(t *testing.T) {
	p := propose([]weight{{1 << 63, -900}, {}, {3 << 62, 0}, {1 << 63, 0}, {1 << 63, -20}})
	want := []uint64{1, 0, 3<<41 + 1, 1<<42 + 1, 1<<22 + 1}
	sum := uint64(0)
	for _, part := range want {
		sum += part
	}
	if !slices.Equal(p.parts, want) || p.sum != sum {
		t.Errorf("%d of %d, want %d of %d", p.parts, p.sum, want, sum)
	}
}

func BenchmarkJointExp(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := kinds[0].rows(n, rand.New(rand.NewPCG(47, 48)))
			q := must(NewJointExp(JointExpParams{Epsilon: epsilon("1"), Size: kinds[0].size,
				Targets: evenly(9), People: int64(n)}))
			src := coin.NewSeeded(1)
			for b.Loop() {
				must(q.Release(src, data, nil))
			}
		})
	}
}
