package task

import (
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/selection"
)

// magnitudes are n whole numbers up to 10^12 whose logarithms are even.
func magnitudes(n int) []byte {
	src := coin.NewSeeded(4)
	var b strings.Builder
	b.WriteString("x\n")
	for range n {
		b.WriteString(strconv.Itoa(int(math.Exp(27*float64(src.Uniform(1<<30))/(1<<30)))) + "\n")
	}
	return []byte(b.String())
}

// TestChosenPrivately: where public facts do not decide, the choice finds what suits data for which
// the maximum error rule fails; where they do, it is the public rule.
func TestChosenPrivately(t *testing.T) {
	file := magnitudes(2000)
	s := open(t, file)
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999999999"}
	gap := func(params ask.Params) (int64, *ask.Tuned) {
		var gaps []int64
		var tuned *ask.Tuned
		for range 7 {
			release := askFor(t, s, recipe(s, "density", 0, wide, params), file)
			gaps, tuned = append(gaps, peopleOff(t, s, release)), release.Tuned
			if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 {
				t.Errorf("loss %v", release.Plan.Loss)
			}
		}
		slices.Sort(gaps)
		return gaps[3], tuned
	}
	rule, none := gap(ask.Params{"method": "merr"})
	private, tuned := gap(ask.Params{"method": "private"})
	if none != nil || tuned == nil || len(tuned.Among) != 5 {
		t.Fatalf("%+v, %+v", none, tuned)
	}
	if private > rule/2 {
		t.Errorf("off by %d people, and by %d by the maximum error rule", private, rule)
	}
	small := peaked(500)
	s = open(t, small)
	if release := askFor(
		t, s, recipe(s, "density", 0, hundredDomain, ask.Params{"method": "private"}),
		small); release.Tuned != nil || release.Plan.Algorithm != "hierarchical histogram" {
		t.Errorf("%+v by %s", release.Tuned, release.Plan.Algorithm)
	}
}

func TestRoundsRefusals(t *testing.T) {
	s := open(t, magnitudes(100))
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999999999"}
	for _, test := range []struct {
		params ask.Params
		field  string
	}{
		{ask.Params{"rounds": "0"}, "rounds"}, {ask.Params{"rounds": "257"}, "rounds"},
		{ask.Params{"rounds": "x"}, "rounds"},
		{ask.Params{"rounds": "8", "method": "tree"}, "rounds"},
		{ask.Params{"try-rounds": "8, 16", "method": "tree"}, "try-rounds"},
		{ask.Params{"method": "private", "try-pieces": "5, 10"}, "try-pieces"},
		{ask.Params{"try-method": "private, tree"}, "try-method"},
	} {
		_, err := s.Plan(recipe(s, "density", 0, wide, test.params))
		wantField(t, err, test.field)
	}
	for _, rounds := range []string{"1", "256"} {
		if _, err := s.Plan(
			recipe(s, "density", 0, wide, ask.Params{"rounds": rounds})); err != nil {
			t.Error(err)
		}
	}
}

// TestRefusalOfWhatIsChosenPrivately: where Hush chooses the algorithm and it is refused, the field
// stays the one that is wrong.
func TestRefusalOfWhatIsChosenPrivately(t *testing.T) {
	s := open(t, ages(4000))
	r := recipe(s, "density", 0, ageDomain,
		ask.Params{"method": "private", "degree": "1", "shape": "falling"})
	_, err := s.Plan(r)
	wantField(t, err, "degree")
}

// TestHalvesOfRows: a replaced person changes the training half or the scoring half, never both;
// each gets the whole share of a run, and data without a row for each person are refused.
func TestHalvesOfRows(t *testing.T) {
	r := lessonOf(classifyTask).Recipe
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, "classify", "2"
	r.Params = maps.Clone(r.Params)
	r.Params[ask.TryName(paramRules)], r.Params[ask.ParamHalves] = "stumps, boxes", "true"
	r.Params[paramRelease] = releaseRule
	_, p, err := ask.Prepare(All{}, r, 1000)
	if err != nil {
		t.Fatal(err)
	}
	tried := p.(*tuned)
	if tried.each.Rat().Cmp(tried.noise.Rat()) != 0 || tried.each.Rat().Cmp(big1) != 0 {
		t.Errorf("a run has %v, its score %v", tried.each, tried.noise)
	}
	if e, _ := must(p.Loss()).Epsilon(); e.Cmp(big.NewRat(2, 1)) != 0 {
		t.Errorf("it costs %v", e)
	}
	file := set("commute").CSV()
	s := open(t, file)
	r.Table = must(s.Opened()).Options
	release := askFor(t, s, r, file)
	if release.Tuned == nil || release.Answer.Result.(*Labels).Rule == "" {
		t.Errorf("%+v", release.Tuned)
	}

	for task, params := range map[string]ask.Params{
		"rule":   {"try-together": "1, 2"},
		"cutoff": {"try-direction": "above, below", "curve": "false"}} {
		file, _ := town(4000)
		s := open(t, file)
		params[ask.ParamHalves] = "true"
		outcome := []ask.Field{{Role: ask.RoleOutcome, Column: 4,
			Domain: category("true", "false")}}
		r := recipe(s, task, 1, hundredDomain, params)
		if r.Others = outcome; task == "rule" {
			r = withoutMain(s, task, append(outcome, townAttributes()...), params)
		}
		release := askFor(t, s, r, file)
		if !strings.Contains(release.Statement, "learned from one half of the rows") {
			t.Errorf("%s: %s", task, release.Statement)
		}
		if l, is := release.Answer.Result.(*LearnedRule); is &&
			(l.People != selection.Trained(4000) || l.Right > l.People || l.Right < l.People/2) {
			t.Errorf("%+v", l)
		}
	}

	codes := listed{0, 0, 0, 0, 0, 0, 0, 0}
	data := ask.Data{Others: []*ask.Column{{Codes: codes}}}
	trains, scores := halfOf(data, true).Others[0].Codes, halfOf(data, false).Others[0].Codes
	for i := range codes {
		_, first := trains.Code(i)
		if _, second := scores.Code(i); first == second || first != selection.Trains(i) {
			t.Errorf("row %d is trained on: %t, and scored: %t", i, first, second)
		}
	}
	r.Count = 1
	_, _, err = ask.Prepare(All{}, r, 1000)
	if f := new(param.Error); !errors.As(err, &f) || f.Field != ask.ParamHalves {
		t.Errorf("rows with counts: %v", err)
	}
}

type listed []uint64

func (l listed) Len() int { return len(l) }

func (l listed) Code(i int) (uint64, bool) { return l[i], true }

// gapOff is by how many people a distribution of ages is off, where it was measured.
func gapOff(file []byte, r *Release) (off int64) {
	for _, p := range r.Answer.Result.(*Distribution).Points {
		below := 0.0
		for _, line := range strings.Fields(string(file))[1:] {
			if must(strconv.Atoi(line)) < must(strconv.Atoi(p.Value)) {
				below++
			}
		}
		off = max(off, int64(math.Abs(below-p.Below)))
	}
	return off
}
