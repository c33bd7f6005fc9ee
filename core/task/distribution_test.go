package task

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
)

func TestDistribution(t *testing.T) {
	const n = 40_000
	file := pay(n) // hours 0 to 39, each equally often
	for method, algorithm := range map[string]message.Key{"auto": forLevels,
		"hierarchy": forLevels, "sparse": forSparse, "tree": forTree, "each": forEach} {
		s := open(t, file)
		d := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60"}
		release := askFor(t, s, recipe(s, "distribution", 0, d, ask.Params{"method": method}), file)
		r := release.Answer.Result.(*Distribution)
		if !strings.HasPrefix(release.Plan.Algorithm, string(algorithm)) {
			t.Errorf("%s: %s", method, release.Plan.Algorithm)
		}
		f, _, err := r.function(d)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(r.Total - n); off > float64(r.Error) || r.Error > n/10 {
			t.Errorf("%s: total %g, error %d", method, r.Total, r.Error)
		}
		s2, _ := ask.NewSpace(d)
		for x := range 61 {
			code, _ := s2.Find(fmt.Sprint(x))
			if want := float64(min(x+1, 40)) * n / 40; math.Abs(f.Count(code)-want) > float64(
				r.Error) {
				t.Errorf("%s: up to %d are %g, want %g ± %d", method, x, f.Count(code), want,
					r.Error)
			}
		}
		table := r.Table(ask.Voice{}, "hours")
		if len(table) != len(r.Points)+1 || len(table[0]) != len(table[1]) {
			t.Errorf("%s: table of %d rows for %d points", method, len(table), len(r.Points))
		}
	}
}

// TestDistributionAnswers: the release answers later questions, and refuses what is none.
func TestDistributionAnswers(t *testing.T) {
	const n = 40_000
	file := pay(n)
	s := open(t, file)
	d := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60"}
	release := askFor(t, s, recipe(s, "distribution", 0, d, nil), file)
	r := release.Answer.Result.(*Distribution)
	var count, low, high float64
	var percent float64
	text, err := ungrouped(r.Below(ask.Voice{}, d, " 18 "))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(
		text, "About %f people are below 18, %f %% of those with a value (between %f and %f people",
		&count, &percent, &low, &high); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if math.Abs(count-18_000) > float64(r.Error) || math.Abs(percent-45) > 2 || low > 18_000 ||
		high < 18_000 {
		t.Error(text)
	}
	var value int
	text, err = r.Reaching(ask.Voice{}, d, "90 %")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(text, "About 90 %% of the people with a value are at or below %d",
		&value); err != nil || value < 34 || value > 37 {
		t.Errorf("%s: %v", text, err)
	}
	if !strings.Contains(release.Statement, "The median of column 1 is about ") {
		t.Error(release.Statement)
	}
	for _, bad := range []string{"", "18.5", "99", "-1", "many"} {
		_, err := r.Below(ask.Voice{}, d, bad)
		wantField(t, err, "below")
	}
	for _, bad := range []string{"", "101", "-1", "half"} {
		_, err := r.Reaching(ask.Voice{}, d, bad)
		wantField(t, err, "percent")
	}
	for _, good := range []string{"0", "100", "12.5"} {
		if _, err := r.Reaching(ask.Voice{}, d, good); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	r.Points[0].Code = "61"
	if _, err := r.Below(ask.Voice{}, d, "18"); err == nil {
		t.Error("a point outside the domain is taken")
	}
}

func TestDistributionRefuses(t *testing.T) {
	file := pay(100)
	s := open(t, file)
	for _, test := range []struct {
		name, field string
		recipe      ask.Recipe
	}{
		{"too many values to count each", "method",
			recipe(s, "distribution", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9999"},
				ask.Params{"method": "each"})},
		{"too many values for a tree of counts", "method",
			recipe(s, "distribution", 0,
				domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1048576"},
				ask.Params{"method": "hierarchy"})},
		{"codes too long to grow a tree", "method",
			recipe(s, "distribution", 0, domain.Spec{Kind: domain.Text, Length: 99},
				ask.Params{"method": "sparse"})},
		{"categories", "kind",
			recipe(s, "distribution", 2,
				domain.Spec{Kind: domain.Category, Categories: []string{"Ulm"}}, nil)},
		{"a δ too large", "delta",
			recipe(s, "distribution", 0, domain.Spec{Kind: domain.Text, Length: 99},
				ask.Params{"delta": "0.5"})},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := s.Plan(test.recipe)
			wantField(t, err, test.field)
		})
	}
}

// TestDistributionOfManyValues: a tree of counts answers by few points, off by no more than is
// said, where all values are counted and where ranges are halved, and either is taken where its
// error is smaller.
func TestDistributionOfManyValues(t *testing.T) {
	million := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999"}
	wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999999999999"}
	for _, tt := range []struct {
		name      string
		n         int
		domain    domain.Spec
		algorithm message.Key
	}{
		{"few people", 500, million, forSparse},
		{"many people", 60_000, million, forLevels},
		{"wide", 3000, wide, forSparse},
	} {
		file := magnitudes(tt.n)
		s := open(t, file)
		release := askFor(t, s, recipe(s, "distribution", 0, tt.domain, nil), file)
		r := release.Answer.Result.(*Distribution)
		if release.Plan.Algorithm != string(tt.algorithm) || len(r.Points) > maxPoints {
			t.Errorf("%s: %d points by %s", tt.name, len(r.Points), release.Plan.Algorithm)
		}
		f, _, err := r.function(tt.domain)
		if err != nil {
			t.Fatal(err)
		}
		codes := must(sorted(must(s.Data(release.Recipe)).Main, nil))
		for i := range codes.Len() {
			at := codes.Number(i)
			below, upTo := codes.Rank(at)
			if off := max(math.Abs(f.Count(at)-float64(upTo)),
				math.Abs(f.Count(at.Sub(at, one))-float64(below))); off > float64(r.Error) {
				t.Fatalf("%s: off by %g, error %d", tt.name, off, r.Error)
			}
		}
	}
}

// TestDistributionOfTexts: names by their first letter, in a domain of 2^2048 values.
func TestDistributionOfTexts(t *testing.T) {
	const n = 60_000
	file := namesFile(n)
	s := open(t, file)
	d := domain.Spec{Kind: domain.Text, Length: 256}
	release := askFor(t, s, recipe(s, "distribution", 0, d, nil), file)
	r := release.Answer.Result.(*Distribution)
	if release.Plan.Loss.Delta().Sign() == 0 ||
		!strings.Contains(release.Plan.Algorithm, "TreeLog") {
		t.Errorf("%s for %v", release.Plan.Algorithm, release.Plan.Loss)
	}
	text, err := ungrouped(r.Below(ask.Voice{}, d, "F"))
	if err != nil {
		t.Fatal(err)
	}
	var count float64
	if _, err := fmt.Sscanf(text, "About %f people are below F", &count); err != nil ||
		math.Abs(count-n/2) > float64(r.Error) {
		t.Errorf("%s, error %d", text, r.Error)
	}
}
