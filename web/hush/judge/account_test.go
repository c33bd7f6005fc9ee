package judge

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// number reads a decimal or a fraction exactly; empty is 0.
func number(t testing.TB, text string) *big.Rat {
	t.Helper()
	if text == "" {
		return new(big.Rat)
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}

func float(t testing.TB, text string) float64 {
	t.Helper()
	f, _ := number(t, text).Float64()
	return f
}

// person is a made-up person: an age, below 0 where there is none, and one of the groups.
type person struct{ age, group int }

// shift is by how many units one replaced person moves a number with noise, and ln r of the noise,
// discrete Laplace of base r.
type shift struct {
	units int
	log   float64
}

// logOf is ln r, to about 15 digits, of a fraction or a power of one.
func logOf(t testing.TB, base string) float64 {
	t.Helper()
	if root, power, is := strings.Cut(base, ")^"); is {
		return logOf(t, strings.TrimPrefix(root, "(")) * float(t, power)
	}
	r := number(t, base)
	less := new(big.Rat).Sub(r, big.NewRat(1, 1))
	if f, _ := less.Float64(); f < 1 {
		return math.Log1p(f)
	}
	f, _ := r.Float64()
	return math.Log(f)
}

// vector is what the numbers of a release would be without noise, as far as one person adds to
// them.
func (r release) vector(t testing.TB, p person) (sums []int) {
	t.Helper()
	lo, hi := int(float(t, r.Recipe.Domain.Lo)), int(float(t, r.Recipe.Domain.Hi))
	has := p.age >= lo && p.age <= hi
	add := []int{0}
	switch r.Recipe.Task {
	case "count", "share":
		if has {
			add[0] = 1
		}
	case "sum":
		if has {
			add[0] = p.age
		}
	case "mean":
		add = []int{0, 0}
		if has {
			half := r.half(t, lo, hi)
			add = []int{half * (2*p.age - lo - hi) / 2, 1}
		}
	case "histogram": // the ends are in bins of their own
		add = []int{0, 0}
		if has && p.age == lo {
			add[0] = 1
		} else if has && p.age == hi {
			add[1] = 1
		}
	default:
		t.Fatalf("nothing is known about %q", r.Recipe.Task)
	}
	if r.Recipe.Group == nil {
		return add
	}
	sums = make([]int, len(add)*len(r.Recipe.Group.Names))
	copy(sums[p.group*len(add):], add)
	return sums
}

// half tells in which units the sum of a mean is, from the answer that was made of it: 1 where that
// is the column's, 2 where it is half of it.
func (r release) half(t testing.TB, lo, hi int) int {
	t.Helper()
	sums := strings.Fields(r.Head.Sums)
	best, off := 1, math.Inf(1)
	for i, row := range r.Answer.Estimates.Rows {
		value, err := strconv.ParseFloat(row.Value, 64)
		if err != nil || 2*i+1 >= len(sums) {
			continue
		}
		total, people := float(t, sums[2*i]), float(t, sums[2*i+1])
		for _, units := range []int{1, 2} {
			mean := float64(lo+hi)/2 + total/people/float64(units)
			if d := math.Abs(mean - value); people > 0 && d < off {
				best, off = units, d
			}
		}
	}
	return best
}

// shifts are those of a release where one person is replaced by another.
func (r release) shifts(t testing.TB, from, to person) (list []shift) {
	t.Helper()
	a, b := r.vector(t, from), r.vector(t, to)
	for j := range a {
		if d := a[j] - b[j]; d != 0 {
			list = append(list, shift{max(d, -d), logOf(t, r.Head.Bases[j%len(r.Head.Bases)])})
		}
	}
	return list
}

// people are all that a replaced person may be, as far as the sums can move.
func people(t testing.TB, releases []release) (list []person) {
	ages, groups := []int{-1}, 1
	for _, r := range releases {
		ages = append(ages, int(float(t, r.Recipe.Domain.Lo)), int(float(t, r.Recipe.Domain.Hi)))
		if r.Recipe.Group != nil {
			groups = min(2, len(r.Recipe.Group.Names))
		}
	}
	slices.Sort(ages)
	for _, age := range slices.Compact(ages) {
		for g := range groups {
			list = append(list, person{age, g})
		}
	}
	return list
}

// worst are the shifts of the two neighbours that releases tell apart best without a δ, and their
// loss: the least ε that the releases have together.
func worst(t testing.TB, releases []release) (shifts []shift, pure float64) {
	t.Helper()
	list := people(t, releases)
	for _, from := range list {
		for _, to := range list {
			var all []shift
			for _, r := range releases {
				all = append(all, r.shifts(t, from, to)...)
			}
			if loss := lossOf(all); loss > pure {
				shifts, pure = all, loss
			}
		}
	}
	return shifts, pure
}

// lossOf is the largest loss of independent shifts.
func lossOf(all []shift) (sum float64) {
	for _, s := range all {
		sum += float64(s.units) * s.log
	}
	return sum
}

// beyond is δ(ε) = E max(0, 1 − e^(ε − loss)) of independent shifts. Losses are rounded down to a
// lattice, and chances below 10^-30 left out, so that it is at most the truth, but for float errors
// that are far below 10^-9.
func beyond(epsilon float64, all []shift) (delta float64) {
	const points = 4096
	total := lossOf(all)
	if total <= epsilon {
		return 0
	}
	step := total / points
	law := map[int]float64{0: 1} // by the loss in steps
	for _, s := range all {
		next := map[int]float64{}
		for loss, chance := range s.law(step) {
			for before, p := range law {
				if p *= chance; p > 1e-30 {
					next[before+loss] += p
				}
			}
		}
		law = next
	}
	for loss, chance := range law {
		if l := float64(loss) * step; l > epsilon {
			delta += chance * -math.Expm1(epsilon-l)
		}
	}
	return delta
}

// law is that of the privacy loss of one number: at noise z it is (|z − d| − |z|)·ln r.
func (s shift) law(step float64) map[int]float64 {
	law := map[int]float64{}
	q, d := math.Exp(-s.log), float64(s.units)
	put := func(loss, chance float64) { law[int(math.Floor(loss/step))] += chance }
	put(d*s.log, 1/(1+q)) // z ≤ 0
	for z := 1.0; z < d; z++ {
		chance := (1 - q) / (1 + q) * math.Exp(-z*s.log)
		if chance < 1e-30 {
			break
		}
		put((d-2*z)*s.log, chance)
	}
	put(-d*s.log, math.Exp(-d*s.log)/(1+q)) // z ≥ d
	return law
}

// TestAccountant: its sums agree with laws that are summed by hand, and see half a loss.
func TestAccountant(t *testing.T) {
	// one count: δ(ε) = (r − e^ε)/(1 + r)
	one := []shift{{1, 1}}
	for _, epsilon := range []float64{0, 0.3, 0.9, 1, 2} {
		want := max(0, (math.E-math.Exp(epsilon))/(1+math.E))
		if got := beyond(epsilon, one); math.Abs(got-want) > 1e-3 || got > want+1e-12 {
			t.Errorf("δ(%v) of a count is %v, want at most and nearly %v", epsilon, got, want)
		}
	}
	// several, by enumeration of all noises
	two := []shift{{3, 0.4}, {1, 0.7}}
	for _, epsilon := range []float64{0, 0.5, 1.5} {
		want := 0.0
		for x := -120; x <= 120; x++ {
			for y := -120; y <= 120; y++ {
				p, l := 1.0, 0.0
				for i, z := range []int{x, y} {
					s := two[i]
					q := math.Exp(-s.log)
					p *= (1 - q) / (1 + q) * math.Pow(q, math.Abs(float64(z)))
					l += s.log * (math.Abs(float64(z-s.units)) - math.Abs(float64(z)))
				}
				want += p * max(0, -math.Expm1(epsilon-l))
			}
		}
		if got := beyond(epsilon, two); math.Abs(got-want) > 2e-3 || got > want+1e-9 {
			t.Errorf("δ(%v) of two is %v, want at most and nearly %v", epsilon, got, want)
		}
	}
	if got := beyond(354, []shift{{1, 200}, {1, 200}}); got < 0.99 {
		t.Errorf("δ(354) of a loss of 400 is %v", got)
	}
}
