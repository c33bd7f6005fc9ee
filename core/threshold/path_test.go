package threshold

import (
	"bufio"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// must unwraps a constructor's result.
func must[T any](m T, err error) T {
	if err != nil {
		panic(err)
	}
	return m
}

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a rational number: " + text)
	}
	return r
}

func base(num, den int64) coin.Base { return must(coin.NewBase(num, den)) }

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// outcome is one path of positive probability, found node by node without the tree view.
type outcome struct {
	prefix uint64 // its length bits are the path
	length int
	chance float64
	turns  string // at the nodes with two children: l or r
}

func (o outcome) String() string {
	if o.length == 0 {
		return "-"
	}
	return fmt.Sprintf("%0*b", o.length, o.prefix)
}

// levelsByDefinition are the levels of all codes against a path, without the stop largest.
func levelsByDefinition(codes []uint64, bitLength int, o outcome, stop int) []int {
	levels := make([]int, 0, len(codes))
	for _, code := range codes {
		levels = append(levels, o.length-bits.Len64(code>>(bitLength-o.length)^o.prefix))
	}
	slices.Sort(levels)
	return levels[:max(len(levels)-stop, 0)]
}

// pathsByDefinition walks every node of the tree. lnR is ln r.
func pathsByDefinition(p path, lnR float64, codes []uint64, bitLength int) (all []outcome) {
	var down func(o outcome, codes []uint64)
	down = func(o outcome, codes []uint64) {
		if o.length == bitLength || len(codes) <= p.stop {
			all = append(all, o)
			return
		}
		left := 0
		for _, c := range codes {
			left += int(1 - c>>(bitLength-1-o.length)&1)
		}
		right := len(codes) - left
		child := func(bit uint64, chance float64, turn string) outcome {
			return outcome{o.prefix<<1 | bit, o.length + 1, o.chance * chance, o.turns + turn}
		}
		switch {
		case left == 0:
			down(child(1, 1, ""), codes)
		case right == 0:
			down(child(0, 1, ""), codes)
		default:
			s := float64(p.advantage(max(left, right)-min(left, right), left+right)) * lnR
			heavy := 1 / (1 + math.Exp(-s))
			if right > left {
				heavy = 1 - heavy
			}
			down(child(0, heavy, "l"), codes[:left])
			down(child(1, 1-heavy, "r"), codes[left:])
		}
	}
	down(outcome{chance: 1}, codes)
	return all
}

// follow is the fall-off of the path with these turns.
func follow(codes domain.Sorted, stop int, turns string) *levels {
	return fallOff(codes, 0, codes.Len(), stop, func(int, int) bool {
		turn := turns[0]
		turns = turns[1:]
		return turn == 'l'
	})
}

// expand lists the members of a multiset of levels.
func expand(l *levels) []int { return ints(numbers(l)) }

// TestPathVectors compares path laws and levels with testdata/path.txt.
func TestPathVectors(t *testing.T) {
	file, err := os.Open("testdata/path.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var (
		name      string
		codes     []uint64
		bitLength int
		p         path
		all       map[string]outcome
	)
	finish := func() {
		if len(all) > 0 {
			t.Errorf("%s: paths without a line: %v", name, all)
		}
	}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		switch {
		case fields[0] == "#":
		case fields[0] == "case":
			finish()
			name = lines.Text()
			bitLength = must(strconv.Atoi(fields[1]))
			p = path{form: Form(fields[3]), stop: must(strconv.Atoi(fields[2])), scale: 1}
			if p.form == Relative {
				p.scale = 2520 // a multiple of every weight, so that nothing is rounded
			}
			codes = nil
			for _, f := range fields[6:] {
				codes = append(codes, must(strconv.ParseUint(f, 10, 64)))
			}
			all = map[string]outcome{}
			for _, o := range pathsByDefinition(p, float(rat(fields[4]))/float64(p.scale), codes,
				bitLength) {
				all[o.String()] = o
			}
			checkLaw(t, name, path{form: p.form, base: base(3, 2), scale: 8, stop: p.stop}, codes,
				bitLength)
		default:
			o, ok := all[fields[0]]
			if want := must(strconv.ParseFloat(fields[1], 64)); !ok ||
				math.Abs(o.chance-want) > 1e-12 {
				t.Errorf("%s: path %s has chance %.15f, want %s", name, fields[0], o.chance,
					fields[1])
			}
			delete(all, fields[0])
			have := expand(follow(domain.SortedCodes(codes, bitLength), p.stop, o.turns))
			if want := fields[2:]; fmt.Sprint(have) != fmt.Sprint(want) {
				t.Errorf("%s: path %s leaves levels %v, want %v", name, fields[0], have, want)
			}
		}
	}
	finish()
}

// checkLaw compares the law of the walk itself, enumerated, with the law by definition.
func checkLaw(t *testing.T, name string, p path, codes []uint64, bitLength int) {
	t.Helper()
	want := pathsByDefinition(p, p.base.Log(), codes, bitLength)
	law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
		turns := ""
		fallOff(domain.SortedCodes(codes, bitLength), 0, len(codes), p.stop,
			func(left, right int) bool {
				if p.coin(src)(left, right) {
					turns += "l"
					return true
				}
				turns += "r"
				return false
			})
		return turns, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(law.Outcomes()) != len(want) {
		t.Errorf("%s: %d paths, want %d", name, len(law.Outcomes()), len(want))
	}
	for _, o := range want {
		if have := float(law.Mass(o.turns)); math.Abs(have-o.chance) > 1e-12 {
			t.Errorf("%s: path %v is walked with chance %.15f, want %.15f", name, o, have, o.chance)
		}
	}
}

// TestFallOffByDefinition compares levels with their definition on random data, for 8 bits and for
// 64.
func TestFallOffByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		bitLength := []int{1, 3, 8, 64}[random.IntN(4)]
		codes := randomCodes(random, bitLength, 12)
		p := path{form: Absolute, stop: 1 + random.IntN(4)}
		for _, o := range pathsByDefinition(p, 1, codes, bitLength) {
			have := follow(domain.SortedCodes(codes, bitLength), p.stop, o.turns)
			if want := levelsByDefinition(codes, bitLength, o, p.stop); !slices.Equal(expand(have),
				want) {
				t.Fatalf("codes %v of %d bits, path %v, stop %d: levels %v, want %v", codes,
					bitLength, o, p.stop, expand(have), want)
			}
		}
	}
}

// TestPathLemma checks every statement of path.md, Theorem 1, on random pairs that differ in one
// code: that each path of S becomes one or two of S', which of them there are, how the levels
// differ, and the three figures of cost, with the scales that are used and with very coarse ones.
func TestPathLemma(t *testing.T) {
	pairs := 100_000
	if *long {
		pairs = 3_000_000
	}
	random := rand.New(rand.NewPCG(3, 4))
	type tried struct {
		path
		lnR, add, remove, stray float64
	}
	const bitLength, most = 5, 12
	var paths []tried
	for range 60 {
		p := path{form: Relative, base: base(int64(21+random.IntN(20)), 20),
			scale: 1 + random.Uint64N(8), stop: 1 + random.IntN(4)}
		switch random.IntN(3) {
		case 0:
			p.form = Absolute
		case 1: // fine: 360360 is a multiple of all weights
			p.scale = 360360
			p.base = must(coin.ExpBelow(big.NewRat(int64(1+random.IntN(60)), 10*360360)))
		}
		c := p.cost(bitLength, most+1)
		paths = append(paths,
			tried{p, p.base.Log(), float(c.add), float(c.remove), float(c.removeDelta)})
	}
	worst := map[string]float64{}
	for i := range pairs {
		codes, x := randomCodes(random, bitLength, most), random.Uint64()>>(64-bitLength)
		p := paths[i%len(paths)]
		larger := with(codes, x)
		before, after := pathsByDefinition(p.path, p.lnR, codes, bitLength),
			pathsByDefinition(p.path, p.lnR, larger, bitLength)
		stray := 1.0
		for _, o := range before {
			sum, matches := 0.0, 0
			small := levelsByDefinition(codes, bitLength, o, p.stop)
			for _, q := range after {
				if q.length < o.length || q.prefix>>(q.length-o.length) != o.prefix {
					continue
				}
				sum, matches = sum+q.chance, matches+1
				if large := levelsByDefinition(larger, bitLength, q, p.stop); !insertion(
					small, large) {
					t.Fatalf("codes %v and %d, stop %d, paths %v and %v: levels %v and %v", codes,
						x, p.stop, o, q, small, large)
				}
			}
			if matches < 1 || matches > 2 {
				t.Fatalf("codes %v and %d, stop %d: path %v has become %d paths", codes, x, p.stop,
					o, matches)
			}
			stray -= sum
			note := func(what string, have, bound float64) {
				if have > bound+1e-9 {
					t.Fatalf("codes %v and %d, path %+v, %v: %s is %g, more than %g", codes, x, p,
						o, what, have, bound)
				}
				worst[what] = max(worst[what], have/bound)
			}
			gain := math.Log(sum / o.chance)
			note("add", -gain, p.add)
			note("remove", gain, p.remove)
		}
		if stray > p.stray+1e-12 {
			t.Fatalf("codes %v and %d, path %+v: strays with %g, more than %g", codes, x, p, stray,
				p.stray)
		}
		worst["stray"] = max(worst["stray"], stray/p.stray)
	}
	for what, near := range map[string]float64{"add": 0.999, "remove": 0.5, "stray": 0.999} {
		t.Logf("the largest %s is %g of its bound", what, worst[what])
		if worst[what] < near {
			t.Errorf("no pair comes near the bound on %s: %g of it", what, worst[what])
		}
	}
}

// randomCodes are up to most sorted codes, clustered in one of several ways.
func randomCodes(random *rand.Rand, bitLength, most int) []uint64 {
	codes := make([]uint64, random.IntN(most+1))
	shape := random.IntN(4)
	for i := range codes {
		codes[i] = random.Uint64() >> (64 - bitLength)
		switch {
		case shape == 1 && i > 0 && random.IntN(3) > 0:
			codes[i] = codes[0] // duplicates
		case shape == 2:
			codes[i] >>= random.IntN(bitLength + 1) // near zero
		case shape == 3 && i > 0:
			codes[i] = codes[i-1] ^ codes[i]>>(bitLength/2) // clusters
		}
	}
	slices.Sort(codes)
	return codes
}

// with is a sorted list with one member more.
func with(codes []uint64, x uint64) []uint64 {
	i, _ := slices.BinarySearch(codes, x)
	larger := append(make([]uint64, 0, len(codes)+1), codes[:i]...)
	return append(append(larger, x), codes[i:]...)
}

// insertion says whether large is small, or small with one member more; both are sorted.
func insertion(small, large []int) bool {
	if len(large) == len(small) {
		return slices.Equal(small, large)
	}
	if len(large) != len(small)+1 {
		return false
	}
	i := 0
	for i < len(small) && small[i] == large[i] {
		i++
	}
	return slices.Equal(small[i:], large[i+1:])
}

// TestTrimmingKeepsNeighbours checks path.md, Lemma 1, for both ends: trimming a list and the list
// with one code more leaves the same, or one code more.
func TestTrimmingKeepsNeighbours(t *testing.T) {
	random := rand.New(rand.NewPCG(45, 46))
	for range 100_000 {
		list, x, trim := randomCodes(random, 4, 10), random.Uint64N(16), random.IntN(4)
		larger := with(list, x)
		lo, hi := trimmed(len(list), trim)
		from, to := trimmed(len(larger), trim)
		if !insertion(ints(list[lo:hi]), ints(larger[from:to])) {
			t.Fatalf("codes %v and %d, trim %d: %v and %v", list, x, trim, list[lo:hi],
				larger[from:to])
		}
	}
}

// TestRelativeGainIsBounded adds up the gains along paths that lose a fixed part of their weight at
// each node, up to a million codes, where the sum comes nearest its bound.
func TestRelativeGainIsBounded(t *testing.T) {
	p := must(newPath(Relative, 64, 200, big.NewRat(1, 2_000_000)))
	lambda := float64(p.scale) * p.base.Log()
	bound := float(p.cost(64, 0).remove)
	gain := func(weight, taken int) float64 {
		logit := func(x, w int) float64 { return lambda * float64(2*x-w) / float64(w) }
		return logSigma(logit(taken+1, weight+1)) - logSigma(logit(taken, weight))
	}
	worst := 0.0
	for _, share := range []float64{0.3, 0.38, 0.42, 0.45, 0.5, 0.55, 0.7, 0.9, 0.99} {
		for top := p.stop + 1; top < 1_000_000; top = top*21/20 + 1 {
			total := 0.0
			for w := top; w > p.stop; {
				taken := max(1, int(float64(w)*share))
				if float64(w)*share <= float64(p.stop) {
					taken = 1 // the last node: the lightest child gains most
				}
				total += gain(w, taken)
				w = taken
			}
			worst = max(worst, total/bound)
		}
	}
	if worst > 1 || worst < 0.5 {
		t.Errorf("the largest gain is %g of its bound", worst)
	}
}

func logSigma(x float64) float64 { return -math.Log1p(math.Exp(-x)) }

// TestNewPath finds that a path strays with at most the δ asked for, and not with much less.
func TestNewPath(t *testing.T) {
	for _, form := range []Form{Relative, Absolute} {
		for _, stop := range []int{1, 2, 30, 211, 1 << 20} {
			for _, delta := range []string{
				"1/4", "1/1000000", "1/1000000000000000000000000000000"} {
				p, err := newPath(form, 64, stop, rat(delta)) // H: path.md stray
				if err != nil {
					t.Fatal(err)
				}
				c := p.cost(64, 1000)
				if c.removeDelta.Cmp(rat(delta)) > 0 ||
					float(c.removeDelta) < float(rat(delta))*(1-1e-9) {
					t.Errorf("%s, stop %d, δ %s: strays with %v", form, stop, delta,
						c.removeDelta.FloatString(40))
				}
			}
		}
	}
	if _, err := newPath(Relative, 64, 10, big.NewRat(1, 2)); err == nil { // H: path.md stray
		t.Error("a path that may stray half of the time was made")
	}
}

// TestPathCostInClosedForm compares the exact costs with the formulas of path.md in floating point.
func TestPathCostInClosedForm(t *testing.T) {
	p := path{form: Relative, base: must(coin.ExpBelow(big.NewRat(15, 1<<40))), scale: 1 << 40,
		stop: 200}
	c := p.cost(64, 0)
	lambda := 15.0
	for _, x := range []struct {
		what       string
		have, want float64
	}{
		{"add", float(c.add), 2 * lambda / 202},
		{"remove", float(c.remove), lambda/201 + 2*lambda/202},
		{"stray", float(c.removeDelta), 1 / (1 + math.Exp(lambda*200/202))},
	} {
		if math.Abs(x.have/x.want-1) > 1e-8 {
			t.Errorf("%s is %g, want %g", x.what, x.have, x.want)
		}
	}
	p = path{form: Absolute, base: must(coin.ExpBelow(big.NewRat(1, 10))), stop: 200}
	c = p.cost(64, 5000)
	least := math.Inf(1)
	for i := range 17 {
		at := float64(200 * i / 16)
		b := 1 + math.Floor(math.Log2(math.Floor((5000-at)/(201-at))))
		least = min(least, 0.1*b+64*(1-math.Exp(-0.1))*math.Exp(-0.1*at))
	}
	if math.Abs(float(c.add)-0.1) > 1e-9 || math.Abs(float(c.remove)-least) > 1e-9 ||
		math.Abs(float(c.removeDelta)/math.Exp(-20)-1) > 1e-8 {
		t.Errorf("absolute: have %g, %g, %g, want 0.1, %g, %g", float(c.add), float(c.remove),
			float(c.removeDelta), least, math.Exp(-20))
	}
}

func TestCost(t *testing.T) {
	a := cost{add: rat("1/2"), remove: rat("1/3"), removeDelta: rat("1/100")}
	b := both(rat("1"))
	total := a.plus(b).times(2)
	loss := total.replace()
	epsilon, _ := loss.Epsilon()
	if epsilon.Cmp(rat("17/3")) != 0 || loss.Delta().Cmp(rat("1/50")) != 0 {
		t.Errorf("have %v, %v", epsilon, loss.Delta())
	}
	if o := a.or(b); o.add.Cmp(rat("1")) != 0 || o.remove.Cmp(rat("1")) != 0 ||
		o.removeDelta.Cmp(rat("1/100")) != 0 || o.addDelta.Sign() != 0 {
		t.Errorf("have %+v", o)
	}
	with := cost{remove: rat("1"), addDelta: rat("1/1000"), removeDelta: rat("1/100")}.replace()
	if want := new(big.Rat).
		Add(rat("1/100"), new(big.Rat).Mul(privacy.ExpUp(rat("1")), rat("1/1000"))); with.Delta().
		Cmp(want) != 0 {
		t.Errorf("have δ = %v, want %v", with.Delta(), want)
	}
	if a.add.Cmp(rat("1/2")) != 0 || b.add.Cmp(rat("1")) != 0 {
		t.Error("a cost was written to")
	}
}
