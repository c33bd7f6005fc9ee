package prove

import (
	"errors"
	"flag"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/param"
	"hush/core/selection"
)

var long = flag.Bool("long", false,
	"all settings of all demonstrations: minutes instead of seconds")

// settings are the requests to test a demonstration with: with -long every one there is, else those
// at the ends of each range.
func settings(d Demonstration) (list []Request) {
	numbers := func(r Range) (all []int) {
		for n := r.Least; n <= r.Most; n++ {
			if *long || n == r.Usual || !testing.Short() && (n == r.Least || n == r.Most) {
				all = append(all, n)
			}
		}
		return all
	}
	choices := func(all []string) []string {
		switch {
		case len(all) == 0:
			return []string{""}
		case testing.Short():
			return all[:1]
		}
		return all
	}
	for _, persons := range numbers(d.Persons) {
		for _, values := range numbers(d.Domain) {
			for _, base := range choices(d.Bases) {
				for _, epsilon := range choices(d.Epsilon) {
					for _, delta := range choices(d.Deltas) {
						list = append(list,
							Request{ID: d.ID, Persons: persons, Values: values, Base: base,
								Epsilon: epsilon, Delta: delta})
					}
				}
			}
		}
	}
	return list
}

// TestClaimsHoldAndBugsAreCaught runs every demonstration, sound and with each bug, under every
// setting.
func TestClaimsHoldAndBugsAreCaught(t *testing.T) {
	for _, d := range Catalogue() {
		t.Run(d.ID, func(t *testing.T) {
			t.Parallel()
			for _, r := range settings(d) {
				for _, bug := range append([]Bug{{}}, d.Bugs...) {
					r.Bug = bug.ID
					f, err := Run(nil, r, nil)
					if err != nil {
						t.Fatalf("%+v: %v", r, err)
					}
					want := audit.Holds
					if bug.ID != "" {
						want = audit.Violated
					}
					if f.Verdict != want {
						t.Errorf("%+v: %s, e^ε %s of %s, δ %s of %s", r, f.Verdict, f.Found, f.Odds,
							f.Lost, f.Delta)
					}
				}
			}
		})
	}
}

// usual runs a demonstration as it starts, with a bug.
func usual(t *testing.T, id, bug string, changes ...func(*Request)) *Finding {
	t.Helper()
	d, ok := Find(id)
	if !ok {
		t.Fatalf("there is no demonstration %s", id)
	}
	r := d.Usual()
	r.Bug = bug
	for _, change := range changes {
		change(&r)
	}
	f, err := Run(nil, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSentences says in words what the figures say, for each kind of verdict.
func TestSentences(t *testing.T) {
	pair := func(from, to []int) func(*Request) {
		return func(r *Request) { r.From, r.To = from, to }
	}
	for name, c := range map[string]struct {
		have *Finding
		want []string
	}{
		"pure": {
			usual(t, "count", ""),
			[]string{"Holds.", "no outcome becomes more than 3/2 times as likely",
				"over all 8 pairs of neighbours is 3/2."}},
		"with a δ": {usual(t, "stable-choice", ""),
			[]string{"Holds.", "more than 9/4 times as likely, except with probability 1/10",
				"that probability is"}},
		"too likely": {usual(t, "count", "half"),
			[]string{"Fails: the outcome “≤ −2” is 9/4 times as likely",
				"the claim is at most 3/2 times."}},
		"impossible": {usual(t, "exponential", "named"),
			[]string{"Fails: the outcome “", "is impossible for the second"}},
		"by a hair": {usual(t, "count", "last-place"),
			[]string{"Fails: ", "too much by a part of 1.5e-16"}},
		"with a δ, too much": {usual(t, "stable-choice", "light"),
			[]string{"has probability 1/9", "is impossible for the second",
				"a probability of 1/10 at most."}},
		"without a single one": {usual(t, "above-threshold", "half"),
			[]string{"Fails: a probability of 1/16777216 may lie outside e^ε = 27/8, and " +
				"≈ 0.07876463 does.", "adds the most."}},
		"not for this pair": {
			usual(t, "count", "zero", pair([]int{0, 0, 0, 0}, []int{audit.None, 0, 0, 0})),
			[]string{"Fails, though not for this pair: over all 8 pairs"}},
		"another pair, holds": {
			usual(t, "count", "", pair([]int{0, 0, 0, 0}, []int{audit.None, 0, 0, 0})),
			[]string{"Holds."}},
	} {
		for _, want := range c.want {
			if !strings.Contains(c.have.Sentence, want) {
				t.Errorf("%s: %q, want %q in it", name, c.have.Sentence, want)
			}
		}
	}
}

// TestFindingIsWhole compares what is shown with the law it is of: chances add up to 1, ratios are
// what they say, and the curve falls, is 0 at the exact ε and the excess at ε = 0.
func TestFindingIsWhole(t *testing.T) {
	for _, d := range Catalogue() {
		for _, bug := range append([]Bug{{}}, d.Bugs...) {
			f := usual(t, d.ID, bug.ID)
			p, q, distance := 0.0, 0.0, 0.0
			for _, o := range f.Outcomes {
				p, q, distance = p+o.First, q+o.Second, distance+max(0, o.First-o.Second)
				if o.Log != nil && math.Abs(*o.Log-math.Log(o.First/o.Second)) > 1e-9 {
					t.Errorf("%s %s: the logarithm of %g/%g is %g", d.ID, bug.ID, o.First, o.Second,
						*o.Log)
				}
				if (o.Log == nil) != (o.First == 0 || o.Second == 0) || o.Label == "" {
					t.Errorf("%s %s: outcome %+v", d.ID, bug.ID, o)
				}
			}
			if math.Abs(p-1) > 1e-6 || math.Abs(q-1) > 1e-6 {
				t.Errorf("%s %s: the chances add up to %g and %g", d.ID, bug.ID, p, q)
			}
			if c := f.Curve; len(c) != points || c[0].Epsilon != 0 ||
				math.Abs(c[0].There-distance) > 1e-6 || c[points-1].Epsilon < f.Epsilon {
				t.Errorf("%s %s: a curve from %+v, at distance %g", d.ID, bug.ID, c[0], distance)
			}
			for i := range points - 1 {
				if f.Curve[i].There < f.Curve[i+1].There || f.Curve[i].Back < f.Curve[i+1].Back ||
					f.Curve[i].Epsilon >= f.Curve[i+1].Epsilon {
					t.Errorf("%s %s: the curve rises at %+v", d.ID, bug.ID, f.Curve[i])
				}
			}
			if f.Telling >= len(f.Outcomes) || f.Telling < 0 && f.Verdict == audit.Violated {
				t.Errorf("%s %s: the outcome %d of %d tells", d.ID, bug.ID, f.Telling,
					len(f.Outcomes))
			}
		}
	}
}

// TestTwinsWithoutTheirMistake: what stands in for an algorithm where a bug is planted is the
// algorithm itself but for the bug.
func TestTwinsWithoutTheirMistake(t *testing.T) {
	d, _ := Find("stable-choice")
	s := d.Usual().setting()
	twin := func(src coin.Source, scores []int64) (int, bool, error) {
		return weighed(src, s.base, scores, nothingsWeight(s))
	}
	sound := d.prepare(s)
	for _, rows := range d.Usual().Space().DataSets() {
		want := must(
			coin.Enumerate(coin.Limits{}, func(src coin.Source) (outcome, error) {
				return sound.run(src, rows)
			}))
		have := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (outcome, error) {
			var which []int
			var scores []int64
			for i, c := range counts(rows, 2) {
				if c > 0 {
					which, scores = append(which, i), append(scores, c)
				}
			}
			i, chosen, err := twin(src, scores)
			if !chosen {
				return outcome{nothing}, err
			}
			return outcome{int64(which[i])}, err
		}))
		same(t, rows, want, have)
	}
	law := must(coin.Enumerate(coin.Limits{Top: 4}, func(src coin.Source) (outcome, error) {
		x, err := largestOf16(src, coin.Limits{},
			func(src coin.Source) (selection.Scored[int64], error) {
				return selection.Scored[int64]{Output: int64(src.Uniform(2))}, nil
			}, 0, 1)
		return outcome{x}, err
	}))
	if law.Mass(outcome{0}).Cmp(big.NewRat(1, 1<<16)) != 0 {
		t.Errorf("16 fair coins are all 0 with probability %v", law.Mass(outcome{0}))
	}
}

func same(t *testing.T, rows []int, want, have *coin.Law[outcome]) {
	t.Helper()
	for _, o := range append(slices.Clone(want.Outcomes()), have.Outcomes()...) {
		if want.Mass(o).Cmp(have.Mass(o)) != 0 {
			t.Errorf("data set %v, outcome %v: %v, want %v", rows, o, have.Mass(o), want.Mass(o))
		}
	}
}

// TestRefusals names the field of each thing that there is not.
func TestRefusals(t *testing.T) {
	d, _ := Find("stable-choice")
	for field, change := range map[string]func(*Request){
		"id":      func(r *Request) { r.ID = "no such" },
		"bug":     func(r *Request) { r.Bug = "no such" },
		"persons": func(r *Request) { r.Persons = 99 },
		"values":  func(r *Request) { r.Values = 0 },
		"base":    func(r *Request) { r.Base = "1/0" },
		"epsilon": func(r *Request) { r.Epsilon = "1" },
		"delta":   func(r *Request) { r.Delta = "" },
		"to":      func(r *Request) { r.From, r.To = []int{0, 0, 0}, []int{1, 1, 0} },
	} {
		r := d.Usual()
		change(&r)
		f, err := Run(nil, r, nil)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != field || f != nil {
			t.Errorf("%s: %v", field, err)
		}
	}
	r := d.Usual()
	r.From, r.To = []int{9, 9, 9}, []int{9, 9, 8}
	if _, err := Run(nil, r, nil); err == nil {
		t.Error("data sets outside of the space are taken")
	}
}

// TestCancel ends the work at any step, and progress never goes back.
func TestCancel(t *testing.T) {
	stop := errors.New("stop")
	d, _ := Find("histogram")
	steps, last := 0, int64(-1)
	if _, err := Run(nil, d.Usual(), func(done, total int64) error {
		if steps++; done < last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{1, steps / 2, steps} {
		n := 0
		if _, err := Run(nil, d.Usual(), func(int64, int64) error {
			if n++; n == at {
				return stop
			}
			return nil
		}); !errors.Is(err, stop) {
			t.Errorf("stopped at step %d of %d: %v", at, steps, err)
		}
	}
}

// TestCatalogue has each ID once, and its words.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Catalogue() {
		if seen[d.ID] || d.Title == "" || d.Subject == "" || d.What == "" || d.Promise == "" ||
			d.None == "" || len(d.Values) < d.Domain.Most || len(d.Bugs) < 2 {
			t.Errorf("%s is not whole", d.ID)
		}
		seen[d.ID] = true
		bugs := map[string]bool{}
		for _, b := range d.Bugs {
			if bugs[b.ID] || b.ID == "" || b.Title == "" || b.What == "" {
				t.Errorf("%s: the bug %q is not whole", d.ID, b.ID)
			}
			bugs[b.ID] = true
		}
	}
}

// TestClaimsAreThePromised holds claims that the law of tiny data does not come near to against
// what the demonstration promises in words: the best of runs has r³ and a little for the limit of
// three runs, new labels have r·(1+r)².
func TestClaimsAreThePromised(t *testing.T) {
	for _, text := range []string{"3/2", "2"} {
		r, _ := new(big.Rat).SetString(text)
		s := setting{base: must(coin.BaseFromRat(r)), persons: 2, values: 6}
		more := new(big.Rat).Add(r, big.NewRat(1, 1))
		want := more.Mul(r, more.Mul(more, more))
		if got := newLabels.prepare(s).claim; got.Odds.Cmp(want) != 0 || got.Delta.Sign() != 0 {
			t.Errorf("new labels at r = %s: e^ε = %s, want %s", text, got.Odds.RatString(),
				want.RatString())
		}
		cube := new(big.Rat).Mul(r, new(big.Rat).Mul(r, r))
		got, _ := new(big.Rat).Quo(bestOfRuns.prepare(s).claim.Odds, cube).Float64()
		if got < 1 || got > 1.4 {
			t.Errorf("the best of runs at r = %s: %.3f times r³, want from 1 to 1.4", text, got)
		}
	}
}
