package threshold

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
)

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }
func delta(text string) privacy.Delta     { return must(privacy.ParseDelta(text)) }

// values is the size of the domain of all codes of that many bits.
func values(bits uint) *big.Int { return new(big.Int).Lsh(oneInt, bits) }

// TestTreeLogNeeds keeps the requirement from growing: persons needed for ε = 1, δ = 10^-6, β =
// 0.05, by bits of the domain.
func TestTreeLogNeeds(t *testing.T) {
	for bits, want := range map[uint]int{8: 394, 64: 423, 256: 442, 1024: 463, 65536: 513,
		1 << 20: 544} {
		tree := must(
			NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
				Size: values(bits)}))
		if tree.Needs() != want || tree.rounds != 1 {
			t.Errorf("%d bits: %d persons in %d rounds, want %d in 1", bits, tree.Needs(),
				tree.rounds, want)
		}
	}
}

// TestTreeLogStaysWithinItsBudget compares the exact loss with the granted one, and the requirement
// with its terms.
func TestTreeLogStaysWithinItsBudget(t *testing.T) {
	cases := map[string]TreeLogParams{
		"8 bits":            {Size: values(8), Beta: 0.5},
		"one value":         {Size: big.NewInt(1)},
		"2^20 bits":         {Size: values(1 << 20), Beta: 1e-9},
		"64 bits, 3 rounds": {Size: values(64), Rounds: 3},
		"64 bits, absolute": {Size: values(64), Form: Absolute, Persons: 5000},
		"1024 bits, absolute, rounds": {Size: values(1024), Form: Absolute, Persons: 1 << 40,
			Rounds: 2},
	}
	for _, e := range []string{"0.001", "1", "100"} {
		for _, d := range []string{"1e-30", "0.5"} {
			for name, p := range cases {
				p.Epsilon, p.Delta = epsilon(e), delta(d)
				tree, err := NewTreeLog(p)
				if err != nil {
					t.Errorf("ε = %s, δ = %s, %s: %v", e, d, name, err)
					continue
				}
				loss := must(tree.Loss(1))
				spent, _ := loss.Epsilon()
				if spent.Cmp(p.Epsilon.Rat()) > 0 || loss.Delta().Cmp(p.Delta.Rat()) > 0 {
					t.Errorf("ε = %s, δ = %s, %s: loss %v", e, d, name, loss)
				}
				if float(spent) < 0.7*p.Epsilon.Float64() ||
					float(loss.Delta()) < 0.8*float(p.usedDelta()) {
					t.Errorf("ε = %s, δ = %s, %s: only %v spent", e, d, name, loss)
				}
				// H: path.md stop
				if tree.path.stop < 1 || tree.Needs() <= tree.rounds*(2*tree.trim+tree.path.stop) {
					t.Errorf("%d persons needed, with %d rounds, trim %d, stop %d", tree.Needs(),
						tree.rounds, tree.trim, tree.path.stop)
				}
			}
		}
	}
}

// TestDivideIsBest looks for shares of ε that need fewer persons than those found, around them and
// anywhere.
func TestDivideIsBest(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 12))
	for _, rounds := range []int{1, 2, 4} {
		n := float64(rounds)
		b := divide(rounds, 1, 1e-6, 0.05, math.Log(65))
		if used := b.base + n*(b.end+b.turn); math.Abs(used-1) > 1e-9 {
			t.Errorf("%d rounds: shares of ε add up to %g", rounds, used)
		}
		if used := n * (b.pathDelta + b.node); math.Abs(used-1) > 1e-9 {
			t.Errorf("%d rounds: shares of δ add up to %g", rounds, used)
		}
		if used := b.baseBeta + n*(b.nodeBeta+b.endBeta); math.Abs(used-1) > 1e-9 {
			t.Errorf("%d rounds: shares of β add up to %g", rounds, used)
		}
		needs := func(base, end float64) float64 {
			turn := (1 - base - n*end) / n
			return 4*(math.Log(65)-math.Log(0.05*b.baseBeta))/base + n*
				(4*(math.Log(3)-math.Log(0.05*b.endBeta))/end+
					(-5*math.Log(1e-6*b.pathDelta)-2*math.Log(1e-6*b.node*0.05*b.nodeBeta))/turn)
		}
		if have := needs(b.base, b.end); math.Abs(have-b.needs) > 1e-6 {
			t.Errorf("%d rounds: estimate %g, by the formula %g", rounds, b.needs, have)
		}
		for range 1000 {
			base := random.Float64()
			if end := random.Float64() * (1 - base) / n; needs(base, end) < b.needs*(1-1e-9) {
				t.Fatalf("%d rounds: shares %g and %g need %g, fewer than %g", rounds, base, end,
					needs(base, end), b.needs)
			}
		}
	}
}

// TestTreeLogRounds runs more rounds than any domain asks for.
func TestTreeLogRounds(t *testing.T) {
	if have, want := fmt.Sprint(tops(1<<20, 5)), "[1048576 21 5 3 2 2]"; have != want {
		t.Errorf("chain %s, want %s", have, want)
	}
	src := coin.NewSeeded(4)
	for _, rounds := range []int{1, 2, 3, 6} {
		tree := must(
			NewTreeLog(TreeLogParams{Epsilon: epsilon("5"), Delta: delta("1e-3"), Size: values(64),
				Rounds: rounds}))
		list := make([]uint64, tree.Needs())
		for i := range list {
			list[i] = 1<<63 + uint64(i)<<20
		}
		x := must(tree.Release(src, domain.SortedCodes(list, 64), nil)).Uint64()
		if x < list[0] || x > list[len(list)-1] {
			t.Errorf("%d rounds: %d is no interior point", rounds, x)
		}
	}
}

// TestTreeLogOfFewCodes finds a point in the domain whatever there is.
func TestTreeLogOfFewCodes(t *testing.T) {
	src := coin.NewSeeded(5)
	for _, size := range []int64{1, 2, 3, 1000} {
		tree := must(
			NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"),
				Size: big.NewInt(size)}))
		for count := range 4 {
			list := make([]uint64, count*count*60)
			for i := range list {
				list[i] = uint64(size - 1)
			}
			for range 20 {
				x, err := tree.Release(src, domain.SortedCodes(list, tree.bits), nil)
				if err != nil || x.Sign() < 0 || x.Cmp(big.NewInt(size)) >= 0 {
					t.Errorf("size %d, %d codes: point %v, %v", size, len(list), x, err)
				}
			}
		}
	}
}

func TestTreeLogSteps(t *testing.T) {
	tree := must(
		NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64),
			Rounds: 2}))
	list := make([]uint64, 1<<18) // half of them alike, so that both rounds look at long lists
	for i := range list {
		list[i] = uint64(max(i-1<<17, 0))
	}
	codes := domain.SortedCodes(list, 64)
	seen := map[int64]bool{}
	_, err := tree.Release(coin.NewSeeded(6), codes, func(done, total int64) error {
		seen[done] = true
		if total != 5 || done < 0 || done > total {
			t.Errorf("%d of %d", done, total)
		}
		return nil
	})
	if err != nil || !seen[5] {
		t.Errorf("stages seen: %v, %v", seen, err)
	}
	stop := errors.New("stop")
	for at := range int64(6) {
		_, err := tree.Release(coin.NewSeeded(6), codes, func(done, total int64) error {
			if done == at {
				return stop
			}
			return nil
		})
		if seen[at] && !errors.Is(err, stop) {
			t.Errorf("stopped at %d: %v", at, err)
		}
	}
}

func wantRefusal(t *testing.T, err error, field string) {
	t.Helper()
	var refused *param.Error
	if !errors.As(err, &refused) || refused.Package != "threshold" || refused.Field != field {
		t.Errorf("have %v, want a refusal of %s", err, field)
	}
}

func TestTreeLogRefuses(t *testing.T) {
	good := TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)}
	for field, change := range map[string]func(p *TreeLogParams){
		// H: treelog.md epsilon
		"epsilon": func(p *TreeLogParams) { p.Epsilon = privacy.Epsilon{} },
		"delta":   func(p *TreeLogParams) { p.Delta = privacy.Delta{} }, // H: treelog.md delta
		"size":    func(p *TreeLogParams) { p.Size = nil },              // H: treelog.md size
		"beta":    func(p *TreeLogParams) { p.Beta = math.NaN() },       // H: treelog.md beta
		"rounds":  func(p *TreeLogParams) { p.Rounds = 65 },             // H: treelog.md rounds
		"form":    func(p *TreeLogParams) { p.Form = "other" },          // H: treelog.md form
		"persons": func(p *TreeLogParams) { p.Form = Absolute },         // H: treelog.md some-n
	} {
		p := good
		change(&p)
		_, err := NewTreeLog(p)
		wantRefusal(t, err, field)
	}
	p := good
	p.Size = new(big.Int).Lsh(oneInt, 1<<20+2) // H: treelog.md size; path.md scale
	_, err := NewTreeLog(p)
	wantRefusal(t, err, "size")
	p = good
	p.Form, p.Persons = Absolute, 1<<53+1 // H: treelog.md some-n
	_, err = NewTreeLog(p)
	wantRefusal(t, err, "persons")
	tree := must(NewTreeLog(good))
	_, err = tree.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 63), nil)
	wantRefusal(t, err, "codes") // H: treelog.md bits
}

// ε and δ are exact rationals, and so is the base of a path.
var (
	_ interface{ Rat() *big.Rat } = TreeLogParams{}.Epsilon // H: treelog.md rational
	_ interface{ Rat() *big.Rat } = TreeLogParams{}.Delta   // H: treelog.md rational
	_ interface{ Rat() *big.Rat } = path{}.base             // H: path.md rational
)

// TestLevelsBeyondTheBits: where nobody has a code a round finds any level that its bits have room
// for, and the round before takes those beyond its own bits as the last.
func TestLevelsBeyondTheBits(t *testing.T) {
	e, d, size := epsilon("1"), delta("1e-6"), values(9)
	for _, f := range []Finder{
		must(NewTreeLog(TreeLogParams{Epsilon: e, Delta: d, Size: size, Rounds: 2})),
		must(NewHeavyPaths(HeavyPathsParams{Epsilon: e, Delta: d, Size: size, Rounds: 2})),
	} {
		for seed := range coin.Seed(50) { // H: climb.md level-of-tree
			x := must(f.Release(coin.NewSeeded(seed), domain.SortedCodes([]uint64{}, 9), nil))
			if x.Sign() < 0 || x.Cmp(size) >= 0 {
				t.Fatalf("%v, seed %d: %v is not in the domain", f.Name(), seed, x)
			}
		}
	}
}

// TestTreeLogGroup is group privacy of what Loss gives for one.
func TestTreeLogGroup(t *testing.T) {
	tree := must(
		NewTreeLog(TreeLogParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(64)}))
	one, _ := must(tree.Loss(1)).Epsilon()
	three, _ := must(tree.Loss(3)).Epsilon()
	if three.Cmp(new(big.Rat).Mul(one, ratOf(3))) != 0 {
		t.Errorf("ε = %v for one and %v for three", one, three)
	}
}

func TestLevelsAsCodes(t *testing.T) {
	random := rand.New(rand.NewPCG(13, 14))
	for range 300 {
		top := 1 + random.IntN(15)
		var at []uint32
		var upTo []int
		var all []uint64
		for level := range uint32(top + 1) {
			if count := random.IntN(4); count > 0 {
				all = append(all, slices.Repeat([]uint64{uint64(level)}, count)...)
				at, upTo = append(at, level), append(upTo, len(all))
			}
		}
		drop := random.IntN(len(all) + 3)
		l := newLevels(top, at, upTo, drop)
		all = all[:max(len(all)-drop, 0)]
		sameView(t, "levels", l, all, l.Bits())
		if most := largest(ints(all)); l.most() != most || l.top != top {
			t.Fatalf("most %d, want %d", l.most(), most)
		}
	}
}
