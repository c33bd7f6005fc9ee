package privacy

import (
	"flag"
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

var (
	judgeFiles  = flag.String("judged", "", "files of judge.py, with commas between, for JUDGE.md")
	judgeUpdate = flag.Bool("update-judge", false, "write JUDGE.md anew")
)

// ratios are ε of a list over what dp_accounting gives from below and from above; ok is false where
// ours is below, or above by more than a fiftieth.
func (j judgement) ratios(t *testing.T) (low, high float64, rule Rule, ok bool) {
	t.Helper()
	total, err := ComposePlan(planned(t, j.parts), delta(t, j.delta))
	if err != nil {
		t.Errorf("%s at %s: %v", j.parts, j.delta, err)
		return 1, 1, "", false
	}
	epsilon := total.Loss.epsilonOrZero()
	if epsilon.Sign() <= 0 {
		t.Errorf("%s at %s costs nothing", j.parts, j.delta)
	}
	ratioTo := func(x *big.Rat) float64 {
		if x.Sign() <= 0 {
			return 0
		}
		return toFloat(new(big.Rat).Quo(epsilon, x))
	}
	low, high = ratioTo(j.low), ratioTo(j.high)
	ok = j.low.Sign() <= 0 || low >= 1-1e-8 || j.explained(t)
	return low, high, total.Rule, ok && high <= 1.02
}

// explained tells whether an estimate that is no lower bound is above ours by no more than the
// floats of dp_accounting can add: it cuts up to 1e-15 off a law for each release, and counts that
// as lost from below too.
func (j judgement) explained(t *testing.T) bool {
	plan := planned(t, j.parts)
	lost := big.NewRat(int64(len(plan)), 1_000_000_000_000_000)
	whole := ratio(t, j.delta)
	left := larger(new(big.Rat).Sub(whole, lost), new(big.Rat).Quo(whole, two))
	d, err := NewDelta(left)
	if err != nil {
		t.Fatal(err)
	}
	total, err := ComposePlan(plan, d)
	if err != nil {
		return false
	}
	epsilon := total.Loss.epsilonOrZero()
	return toFloat(new(big.Rat).Quo(epsilon, j.low)) >= 1-1e-8
}

// TestPlansAgainstOthers holds plans, far out and with tiny losses, to what dp_accounting gives: at
// least its estimate from below, at most 1.02 times the one from above.
func TestPlansAgainstOthers(t *testing.T) {
	list := judged(t, "testdata/judged.txt")
	for _, j := range list {
		if low, high, rule, ok := j.ratios(t); !ok {
			t.Errorf("%s at %s: %.6f and %.6f of what dp_accounting gives, by %s", j.parts,
				j.delta, low, high, rule)
		}
	}
	if len(list) < 40 {
		t.Errorf("%d lists only", len(list))
	}
}

// TestJudged compares random lists, as judge.py writes them, and draws JUDGE.md.
func TestJudged(t *testing.T) {
	if *judgeFiles == "" {
		t.Skip("./build.sh bench peers runs it")
	}
	type row struct{ lists, below, above, far, unable int }
	var hold sync.Mutex // what follows, while the lists are compared side by side
	rows, worst, least := map[string]*row{}, map[string]float64{}, map[string]float64{}
	var classes, failed []string
	compare := func(t *testing.T, j judgement) {
		var low, high float64
		var rule Rule
		ok := true
		if j.why == "" {
			low, high, rule, ok = j.ratios(t)
		}
		hold.Lock()
		defer hold.Unlock()
		r := rows[j.class]
		if r == nil {
			r = &row{}
			rows[j.class], least[j.class] = r, 2
			classes = append(classes, j.class)
		}
		if r.lists++; j.why != "" {
			r.unable++
			return
		}
		if j.low.Sign() > 0 {
			least[j.class] = min(least[j.class], low)
		}
		worst[j.class] = max(worst[j.class], high)
		if j.high.Cmp(big.NewRat(355, 1)) > 0 {
			r.far++
		}
		switch {
		case ok:
		case high > 1.02:
			r.above++
			failed = append(failed, fmt.Sprintf("%s %s by %s: %.4f", j.parts, j.delta, rule, high))
		default:
			r.below++
			t.Errorf("%s at %s: %.9f of the estimate from below", j.parts, j.delta, low)
		}
	}
	t.Run("lists", func(t *testing.T) {
		for name := range strings.SplitSeq(*judgeFiles, ",") {
			for _, j := range judged(t, name) {
				t.Run(j.class, func(t *testing.T) {
					t.Parallel()
					compare(t, j)
				})
			}
		}
	})
	slices.Sort(classes)
	var b strings.Builder
	b.WriteString(judgeHead)
	for _, c := range classes {
		r := rows[c]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %.6f | %.4f |\n", c, r.lists, r.far,
			r.unable, r.below, r.above, least[c], worst[c])
	}
	t.Logf("above 1.02:\n%s", strings.Join(failed, "\n"))
	t.Log(b.String())
	if *judgeUpdate {
		if err := os.WriteFile("JUDGE.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const judgeHead = `# Plans beside dp_accounting

Random lists of 1 to 200 releases, with losses that add up to .01 to 2 000 and δ from 1e-12 to .1, by
seed; Google's dp_accounting (0.6.0), which shares no code, gives ε from below and from above, its
lattice refined until both are within .4 % or it has 3 000 000 places. *Below*: lists for which a
plan costs less than its estimate from below by more than its floats explain (up to 1e-15 of δ for each
release), which must be none. Beyond ε = 700, where e^ε overflows in it, ε is read from its law in another
way (judge.py). *Above*: more than 1.02 times the one from above. *Far*: ε beyond 355. *Unable*:
dp_accounting ended with an error, or says that no finite ε does. The last columns are the least ratio to
the estimate from below and the largest to that from above. ./build.sh bench peers draws it.

| parts | lists | far | unable | below | above | least | most |
| --- | --: | --: | --: | --: | --: | --: | --: |
`
