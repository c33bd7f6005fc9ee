package task

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
)

// strangers are a file of people that no example has: how many there are, and their cells. Columns
// are pay, years, place, sex, married and answer.
type strangers struct {
	name   string
	people int
	cells  func(r *rand.Rand) person
	places []string
	payTop string
	bin    string // of pay
}

// person is one of them.
type person struct {
	pay, years                  float64
	place, sex, married, answer string
}

// pick is one of some values, by its weight.
func pick(r *rand.Rand, values []string, weights ...float64) string {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	at := r.Float64() * sum
	for i, w := range weights {
		if at -= w; at < 0 {
			return values[i]
		}
	}
	return values[len(values)-1]
}

var (
	sexes   = []string{"0", "1"}
	answers = []string{"yes", "no", "none"}
)

// strangersOf are six files of people: pay with a heavy end, pay that most do not have, ages in
// crowds, groups that differ by a factor of a hundred, gaps, and few people.
func strangersOf() []strangers {
	places := func(n int) (list []string) {
		for i := range n {
			list = append(list, "p"+strconv.Itoa(i+1))
		}
		return list
	}
	skewed := func(n int) (w []float64) {
		for i := range n {
			w = append(w, math.Pow(.6, float64(i)))
		}
		return w
	}
	level := func(n int) (w []float64) {
		for range n {
			w = append(w, 1)
		}
		return w
	}
	return []strangers{
		{"heavy pay", 1948, func(r *rand.Rand) person {
			return person{math.Exp(10 + r.NormFloat64()), 18 + 70*r.Float64(),
				pick(r, places(6), skewed(6)...), pick(r, sexes, 1, 1.2), pick(r, sexes, 1, 1),
				pick(r, answers, 5, 4, 1)}
		}, places(6), "250000", "25000"},
		{"seldom paid", 5000, func(r *rand.Rand) person {
			pay := 0.0
			if r.Float64() < .1 {
				pay = 1000 * r.ExpFloat64()
			}
			return person{pay, math.Min(95, 30*r.ExpFloat64()), pick(r, places(12), level(12)...),
				pick(r, sexes, 3, 1), pick(r, sexes, 30, 1), pick(r, answers, 1, 1, 1)}
		}, places(12), "5000", "500"},
		{"crowds", 20000, func(r *rand.Rand) person {
			return person{500 * math.Round(60+10*r.NormFloat64()), 10 * float64(2+r.IntN(6)),
				pick(r, places(16), skewed(16)...), pick(r, sexes, 1, 1), pick(r, sexes, 2, 3),
				pick(r, answers, 90, 9, 1)}
		}, places(16), "100000", "10000"},
		{"few", 800, func(r *rand.Rand) person {
			return person{2000 + 800*r.NormFloat64(), 40 + 12*r.NormFloat64(),
				pick(r, places(4), 4, 3, 2, 1), pick(r, sexes, 1, 1), pick(r, sexes, 1, 3),
				pick(r, answers, 2, 1, 1)}
		}, places(4), "6000", "500"},
		{"gaps", 3000, func(r *rand.Rand) person {
			pay, years := 30000+9000*r.NormFloat64(), 50+15*r.NormFloat64()
			if r.Float64() < .3 {
				pay = math.NaN()
			}
			if r.Float64() < .2 {
				years = math.NaN()
			}
			return person{pay, years, pick(r, places(9), skewed(9)...),
				pick(r, append(sexes, ""), 4, 4, 2),
				pick(r, append(sexes, ""), 3, 3, 4), pick(r, append(answers, ""), 2, 1, 1, 2)}
		}, places(8), "60000", "5000"},
		{"many", 50000, func(r *rand.Rand) person {
			return person{3 * r.ExpFloat64() * 1000, 100 * math.Pow(r.Float64(), 2),
				pick(r, places(20), skewed(20)...), pick(r, sexes, 1, 1), pick(r, sexes, 99, 1),
				pick(r, answers, 1, 1, 8)}
		}, places(20), "40000", "5000"},
	}
}

func (f strangers) file(seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, uint64(len(f.name))))
	number := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.Itoa(int(math.Max(0, math.Round(x))))
	}
	var b bytes.Buffer
	b.WriteString("pay,years,place,sex,married,answer\n")
	for range f.people {
		p := f.cells(r)
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s\n", number(p.pay), number(p.years), p.place, p.sex,
			p.married, p.answer)
	}
	return b.Bytes()
}

// asks are the questions that are asked of it: those that the page proposes, and the others whose
// goodness a plan can find.
func (f strangers) asks(s *Session) (names []string, parts []ask.Part) {
	years := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}
	pay := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: f.payTop}
	list := func(values ...string) domain.Spec {
		return domain.Spec{Kind: domain.Category, Categories: values}
	}
	add := func(name string, r ask.Recipe, group *ask.Group, by ...ask.Field) {
		r.Group, r.Others = group, by
		names, parts = append(names, name), append(parts, ask.Part{Recipe: r})
	}
	bySex := ask.GroupsOf(4, list(sexes...))
	byPlace := ask.GroupsOf(3, list(f.places...))
	places := ask.Field{Role: "by", Column: 3, Domain: list(f.places...)}
	sex := ask.Field{Role: "by", Column: 4, Domain: list(sexes...)}
	answer := ask.Field{Role: "by", Column: 6, Domain: list(answers...)}
	none := domain.Spec{}
	add("histogram of years", recipe(s, "histogram", 1, years, nil), nil)
	add("histogram of pay", recipe(s, "histogram", 0, pay, ask.Params{"width": f.bin}), nil)
	add("table of places", recipe(s, "table", -1, none, nil), nil, places)
	add("table of sex", recipe(s, "table", -1, none, nil), nil, sex)
	add("table of sex and answer", recipe(s, "table", -1, none, nil), nil, sex, answer)
	add("median of years", recipe(s, "median", 1, years, nil), nil)
	add("median of pay", recipe(s, "median", 0, pay, nil), nil)
	add("median of years by sex", recipe(s, "median", 1, years, nil), bySex)
	add("quantiles of years", recipe(s, "quantiles", 1, years, nil), nil)
	add("distribution of years", recipe(s, "distribution", 1, years, nil), nil)
	add("mean of pay", recipe(s, "mean", 0, pay, nil), nil)
	add("mean of pay by sex", recipe(s, "mean", 0, pay, nil), bySex)
	add("mean of years by place", recipe(s, "mean", 1, years, nil), byPlace)
	add("sum of pay", recipe(s, "sum", 0, pay, nil), nil)
	add("count of yes", recipe(s, "count", 5, list("yes"), nil), nil)
	add("count by sex", recipe(s, "count", 5, list("yes"), nil), bySex)
	add("share of yes", recipe(s, "share", 5, list("yes"), nil), nil)
	add("share of yes by sex", recipe(s, "share", 5, list("yes"), nil), bySex)
	add("share married", recipe(s, "share", 4, list("1"), nil), nil)
	add("variance of years", recipe(s, "variance", 1, years, nil), nil)
	add("survival of years", recipe(s, "survival", 1, years, nil), nil,
		ask.Field{Role: "end", Column: 5, Domain: list("1", "0")})
	add("most frequent place", recipe(s, "mode", 2, list(f.places...), nil), nil)
	return names, parts
}

const promisesHeading = `# Whether plans keep their word

Made by a test; do not edit (` + "`go test ./core/task -run TestPlanKeepsItsWord -update`" + `).

A plan at the least ε calls a figure good, or says from which size of the answer on it is good
(VERDICT.md). Here are six files of made-up people that no example has: pay with a heavy end, pay that
most people do not have, ages in crowds, few people, gaps in up to two rows of five, groups that
differ by a thousand times. Each of %d questions is priced by itself and drawn %d times.

| Question | Files where it is called good | Draws | Good | Files where it depends | Draws | Good |
|---|--:|--:|--:|--:|--:|--:|
`

// TestPlanKeepsItsWord: of answers that a plan at the least ε calls good before they are drawn, 95
// of 100 are good after. Some of each kind are called good: a plan that promises nothing keeps its
// word, too.
func TestPlanKeepsItsWord(t *testing.T) {
	files, draws := strangersOf(), 20
	if testing.Short() {
		files, draws = files[2:4], 4
	}
	type tally struct{ files, draws, good int }
	kept := map[string]map[ask.Grade]*tally{}
	var order []string
	var all tally
	for _, f := range files {
		file := f.file(7)
		s := open(t, file)
		names, parts := f.asks(s)
		order = names
		for i, part := range parts {
			plan := must(s.Together(ask.Several{Parts: []ask.Part{part},
				Division: ask.LeastTotal, Delta: "1e-7"}, nil))
			r, before := part.Recipe, plan.Plans[0].Verdict.Grade
			r.Epsilon = plan.Epsilons[0]
			if before != ask.Good && before != ask.Unknown {
				t.Errorf("%s, %s: %s at the ε that makes it good", f.name, names[i], before)
			}
			if kept[names[i]] == nil {
				kept[names[i]] = map[ask.Grade]*tally{ask.Good: {}, ask.Unknown: {}}
			}
			one := tally{files: 1}
			drawn := loaded(t, coin.NewSeeded(coin.Seed(100+i)), r, file)
			for range draws {
				one.draws++
				if must(drawn.Run(r, nil)).Verdict.Grade == ask.Good {
					one.good++
				}
			}
			if before == ask.Good {
				all.draws, all.good = all.draws+one.draws, all.good+one.good
				if one.good < draws*9/10 {
					t.Logf("%s, %s: good in %d of %d draws", f.name, names[i], one.good, draws)
				}
			}
			of := kept[names[i]][before]
			of.files, of.draws, of.good = of.files+1, of.draws+one.draws, of.good+one.good
		}
	}
	if 100*all.good < 95*all.draws || all.draws < 6*draws*len(files) {
		t.Errorf("of %d draws of figures called good %d are", all.draws, all.good)
	}
	if testing.Short() {
		return
	}
	var text strings.Builder
	fmt.Fprintf(&text, promisesHeading, len(order), draws)
	for _, name := range order {
		good, depends := kept[name][ask.Good], kept[name][ask.Unknown]
		fmt.Fprintf(&text, "| %s | %d | %d | %d | %d | %d | %d |\n", name, good.files, good.draws,
			good.good, depends.files, depends.draws, depends.good)
	}
	fmt.Fprintf(&text, "\nOf %d draws of figures called good %d are good, %.1f %%.\n", all.draws,
		all.good, 100*float64(all.good)/float64(all.draws))
	audittest.Document(t, "PROMISES.md", text.String())
}
