package ask

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/phrase"
)

// TestJudge: the ends of the grades belong to the better one, and what is unknown is noise.
func TestJudge(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		err, about float64
		want       Grade
	}{
		{0, 100, Good}, {20, 100, Good}, {20.01, 100, Rough}, {50, 100, Rough}, {50.01, 100, Noise},
		{0, 0, Good}, {1, 0, Noise}, {1, -100, Noise}, {inf, 100, Noise}, {nan, 100, Noise},
		{1, nan, Noise}, {1, inf, Good},
	} {
		if got := Judge(c.err, c.about); got != c.want {
			t.Errorf("%g of %g is %s, want %s", c.err, c.about, got, c.want)
		}
	}
}

// TestSpread: three times the typical error decides where the bound is above that, and the typical
// error where there is no bound.
func TestSpread(t *testing.T) {
	a := Usually(60, 15, 100)
	if a.Grade() != Rough || Within(60, 100).Grade() != Noise ||
		Typically(15, 100).Grade() != Good {
		t.Errorf("%+v is %s", a, a.Grade())
	}
	if v := a.Verdict(); v.Error != 45 || v.About != 100 || !v.Usual || v.typical {
		t.Errorf("%+v", v)
	}
	if v := Usually(40, 15, 100).Verdict(); v.Error != 40 || v.Usual {
		t.Errorf("%+v", v)
	}
	if _, err := json.Marshal(Within(math.Inf(1), 5).Verdict()); err != nil {
		t.Error(err)
	}
}

func TestOfMany(t *testing.T) {
	good, rough, noise := Within(1, 100), Within(30, 100), Within(90, 100)
	for _, c := range []struct {
		list []Against
		want Grade
	}{
		{nil, Noise},
		{[]Against{good}, Good},
		{[]Against{noise, good, good}, Good},
		{[]Against{noise, good}, Rough},
		{[]Against{noise, noise, good, good}, Rough},
		{[]Against{rough, good, good, rough}, Rough},
		{[]Against{good, noise, noise}, Noise},
		{[]Against{noise, rough, rough}, Rough},
	} {
		v := OfMany(c.list)
		if v.Grade != c.want || len(v.Cells) != len(c.list) {
			t.Errorf("%v: %+v, want %s", c.list, v, c.want)
		}
		for i, a := range c.list {
			if v.Cells[i] != a.Grade() {
				t.Errorf("cell %d of %v is %s", i, c.list, v.Cells[i])
			}
		}
	}
}

// TestOfCounts: counts are judged by the one that most people are in; those below 0 hold nobody.
func TestOfCounts(t *testing.T) {
	v := OfCounts([]Against{Within(35, 900), Within(35, 100), Within(35, -20), Within(35, 3)})
	want := (900.0*900 + 100*100 + 9) / 1003
	if v.Grade != Good || math.Abs(v.About-want) > 1e-9 || v.Error != 35 ||
		!slices.Equal(v.Cells, []Grade{Good, Rough, Noise, Noise}) {
		t.Errorf("%+v, want about %g", v, want)
	}
	if v := OfCounts([]Against{Within(35, -1), Within(35, 0)}); v.Grade != Noise || v.Error != 35 {
		t.Errorf("nobody: %+v", v)
	}
}

func TestWorse(t *testing.T) {
	good, noise := Within(1, 100).Verdict(), Within(90, 100).Verdict()
	good.Cells = []Grade{Good}
	if v := good.Worse(noise); v.Grade != Noise || v.Error != 90 || len(v.Cells) != 1 {
		t.Errorf("%+v", v)
	}
	if v := noise.Worse(good); v.Error != 90 {
		t.Errorf("%+v", v)
	}
}

func TestNounsAndValues(t *testing.T) {
	q := &Query{}
	books := &Query{Recipe: Recipe{Noun: codebook.Noun{One: "book", Many: "books"}, Unit: "€",
		Domain: domain.Spec{Kind: domain.Integer}}}
	year := &Query{Recipe: Recipe{Domain: domain.Spec{Kind: domain.Integer}}}
	for got, want := range map[string]string{
		q.Count(1): "1 person", q.Count(11127): "11 127 people", books.Count(1): "1 book",
		books.Count(3200): "3 200 books", books.CountUp(2.1): "3 books", q.Many(): "people",
		books.Many(): "books", books.One(): "book", books.Value("1720"): "1 720 €",
		year.Value("1985"): "1985", year.Value("-331090"): "−331 090",
		q.Value("2026-01-31"): "2026-01-31", books.Amount(331090): "331 000 €",
	} {
		if got = strings.ReplaceAll(got, "\u00a0", " "); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBecause(t *testing.T) {
	q := &Query{}
	v := q.Because(OfCounts([]Against{Within(35, 900), Within(35, 3)}), phrase.Prose, "that")
	want := "Off by up to 35, judged against 897: that. Of 2 rows, 1 is mostly noise."
	if v.Text != want {
		t.Errorf("%q, want %q", v.Text, want)
	}
	v = q.Because(Typically(4, 10).Verdict(), phrase.Prose, "that")
	if v.Text != "Typically off by 4, judged against 10: that." {
		t.Error(v.Text)
	}
	if v = q.Because(Within(math.Inf(1), 1).Verdict(), phrase.Prose, "that"); !strings.Contains(
		v.Text, "not known") {
		t.Error(v.Text)
	}
}

// TestSearchFrom finds what sort.Search finds, from every guess.
func TestSearchFrom(t *testing.T) {
	for n := range 20 {
		for first := range n + 1 {
			for guess := range n + 3 {
				calls := 0
				got := searchFrom(n, guess, func(i int) bool { calls++; return i >= first })
				if got != first {
					t.Fatalf("of %d from %d: %d, want %d", n, guess, got, first)
				}
				if calls > 14 {
					t.Errorf("of %d from %d to %d: %d looks", n, guess, first, calls)
				}
			}
		}
	}
}

// TestHelpOfASession: nothing for a good answer, the smallest ε for another, and what a release
// said is taken into account until there is another file.
func TestHelpOfASession(t *testing.T) {
	file := []byte("x\n" + strings.Repeat("1\n", 20) + strings.Repeat("-\n", 80))
	s := open(t, file)
	r := question(s, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"})
	r.Epsilon = "0.01" // an error of 100 of 100 rows
	help, err := s.Help(r)
	if err != nil || len(help) != 1 || help[0].Recipe.Epsilon != "0.05" || help[0].Grade != Good ||
		!help[0].Exact || help[0].Error != 20 || help[0].Text != "ε = 0.05" {
		t.Fatalf("%+v, %v", help, err)
	}
	r.Epsilon = "0.06" // was good; once released, the 20 rows with a value are known
	if help, err = s.Help(r); err != nil || help != nil {
		t.Fatalf("%+v, %v", help, err)
	}
	if err := s.Load(strings.NewReader(string(file)), r); err != nil {
		t.Fatal(err)
	}
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if release.Verdict.Grade != Noise || release.Plan.Verdict.Grade != Good ||
		release.Statement != "Rows of column 1: too few people to tell." {
		t.Fatalf("%+v: %s", release.Verdict, release.Statement)
	}
	help, err = s.Help(r)
	if err != nil || len(help) != 1 || help[0].Recipe.Epsilon != "0.25" {
		t.Fatalf("after a release: %+v, %v", help, err)
	}
	other := open(t, file)
	if help, err = other.Help(r); err != nil || help != nil {
		t.Fatalf("of another session: %+v, %v", help, err)
	}
	r.Column = 7
	if _, err = s.Help(r); err == nil {
		t.Error("help for a column that there is not")
	}
}

// TestVerdictGoesOn: a further case has its verdict too, and what was returned before keeps its
// own.
func TestVerdictGoesOn(t *testing.T) {
	file := "x\n" + strings.Repeat("1\n", 100)
	s := open(t, []byte(file))
	r := question(s, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"})
	r.Params = Params{"together": "3"}
	if err := s.Load(strings.NewReader(file), r); err != nil {
		t.Fatal(err)
	}
	first, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	next, err := s.Label([]string{"5"})
	if err != nil || next.Verdict == nil || next.Verdict == first.Verdict ||
		next.Verdict.Grade != Good || next.Statement == first.Statement {
		t.Errorf("%+v, %v", next, err)
	}
}

// TestMiddle: neither the best nor the worst, and of two the better, by grade and then by error.
func TestMiddle(t *testing.T) {
	good, rough, noise := Verdict{Grade: Good, Error: 9}, Verdict{Grade: Rough, Error: 1},
		Verdict{Grade: Noise}
	far := Verdict{Grade: Rough, Error: 2}
	for _, c := range []struct {
		list []Verdict
		want Verdict
	}{
		{[]Verdict{noise}, noise},
		{[]Verdict{noise, good}, good},
		{[]Verdict{noise, rough, good}, rough},
		{[]Verdict{noise, far, rough, good}, rough},
		{[]Verdict{noise, noise, far, rough, good}, far},
	} {
		if got := Middle(c.list); got.Grade != c.want.Grade || got.Error != c.want.Error {
			t.Errorf("in the middle of %+v is %+v, want %+v", c.list, got, c.want)
		}
	}
}
