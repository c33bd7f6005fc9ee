package classify

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/param"
)

const comparedFile = "COMPARED.md"

var (
	compare = flag.Bool("compare", false, "compare with other methods: minutes")
	adult   = flag.String(
		"adult", "", "the Adult data as CSV with whole numbers and a column income>50K, for "+
			"-compare; with it "+comparedFile+" is compared, or written anew (-update)")
)

// scores are of one method at one ε: over this many runs, the part of labels wrong beyond that of
// the best rule, and how many cases got one.
type scores struct {
	excess   float64
	answered float64
	unstable float64
	refused  string
}

func (s scores) String() string {
	switch {
	case s.refused != "":
		return s.refused
	case s.unstable > 0:
		return fmt.Sprintf("%+.2f (m = %.0f, %.1f unstable)", 100*s.excess, s.answered, s.unstable)
	case s.answered < 0:
		return fmt.Sprintf("%+.2f (any m)", 100*s.excess)
	}
	return fmt.Sprintf("%+.2f (m = %.0f)", 100*s.excess, s.answered)
}

// contest is one data set: persons, and labelled cases, whose labels only count.
type contest struct {
	name  string
	class Class
	train []Example
	cases []Example
	best  float64 // error of the best rule on the cases
	truth func(Example) float64
}

// wrong is the part of cases that labels get wrong: by the cases' own labels, or by the chance of
// an error where that is known.
func (c contest) wrong(e Example, yes bool) float64 {
	if c.truth != nil {
		p := c.truth(e)
		if yes {
			return 1 - p
		}
		return p
	}
	if yes != e.Yes {
		return 1
	}
	return 0
}

func (c contest) wrongBy(r Rule) (sum float64) {
	for _, e := range c.cases {
		sum += c.wrong(e, r.Says(e.Point))
	}
	return sum / float64(len(c.cases))
}

const runs = 3

// answers runs Answers for as many cases as it takes on, at most len(cases).
func (c contest) answers(t *testing.T, e string, plain bool) scores {
	p := AnswersParams{Class: c.class, Epsilon: epsilon(e), Delta: delta("1e-8"),
		Persons: uint64(len(c.train)), Queries: uint64(len(c.cases)), Plain: plain}
	a, err := NewAnswers(p)
	var refused *param.Error
	if errors.As(err, &refused) && refused.Field == "queries" {
		var most uint64
		if _, err := fmt.Sscanf(refused.Want.String(), "at most %d from", &most); err != nil {
			t.Fatal(err)
		}
		p.Queries = most
		a, err = NewAnswers(p)
	}
	if err != nil {
		return refusal(t, err)
	}
	var s scores
	for run := range runs {
		b := must(a.Start(coin.NewSeeded(coin.Seed(run)), c.train, nil))
		for i := range p.Queries {
			e := c.cases[(int(i)+run*int(p.Queries))%len(c.cases)]
			answer, err := b.Answer(e.Point)
			if err != nil {
				break
			}
			s.answered++
			if !answer.Stable {
				s.unstable++
			}
			s.excess += c.wrong(e, answer.Yes)
		}
	}
	s.excess = s.excess/s.answered - c.best
	s.answered /= runs
	s.unstable /= runs
	return s
}

// refusal says what would do.
func refusal(t *testing.T, err error) scores {
	var refused *param.Error
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	return scores{refused: "refused, wants " + strings.Split(refused.Want.String(), ",")[0]}
}

// rule is a published rule, drawn some times.
func (c contest) rule(learn func(src coin.Source) Rule) scores {
	s := scores{answered: -1}
	for run := range runs {
		s.excess += c.wrongBy(learn(coin.NewSeeded(coin.Seed(run))))
	}
	s.excess = s.excess/runs - c.best
	return s
}

func (c contest) semiPrivate(t *testing.T, e string, anchors []Point) scores {
	m, err := NewSemiPrivate(
		SemiPrivateParams{Class: c.class.(Enumerable), Anchors: anchors, Epsilon: epsilon(e)})
	if err != nil {
		return refusal(t, err)
	}
	return c.rule(func(src coin.Source) Rule { return must(m.Learn(src, c.train, nil)) })
}

// cells is about how many codes of each column a grid of 4,096 points has.
func cells(columns int) uint64 {
	per := uint64(2)
	for {
		points := 1.0
		for range columns {
			points *= float64(per + 1)
		}
		if points > 4096 {
			return per
		}
		per++
	}
}

// grid are public points that no data decide: per codes spread evenly over each column, the product
// of all columns.
func grid(sizes []uint64, per uint64) []Point {
	points := []Point{{}}
	for _, size := range sizes {
		steps := min(size, per)
		var longer []Point
		for _, p := range points {
			for i := range steps {
				longer = append(longer, append(slices.Clone(p), (2*i+1)*size/(2*steps)))
			}
		}
		points = longer
	}
	return points
}

// table compares all ways to label cases.
func (c contest) table(t *testing.T) string {
	sizes := c.class.Sizes()
	rule := c.class.Learn(votes(c.train, sizes, nil), nil)
	best := c.wrongBy(rule)
	if c.truth == nil {
		c.best = best
	}
	text := fmt.Sprintf(
		"## %s: %v\n\n%d persons, %d cases. Without privacy, “%v” is wrong for %.2f %% of the "+
			"cases", c.name, c.class, len(c.train), len(c.cases), rule, 100*best)
	if c.truth != nil {
		text += fmt.Sprintf(", the best rule for %.2f %%", 100*c.best)
	}
	text += ".\n\n| | ε = 0.5 | ε = 1 | ε = 2 |\n|---|---|---|---|\n"
	line := func(name string, run func(e string) scores) {
		text += "| " + name + " |"
		for _, e := range []string{"0.5", "1", "2"} {
			text += fmt.Sprintf(" %v |", run(e))
		}
		text += "\n"
	}
	if _, listed := c.class.(Enumerable); listed {
		var public []Point
		for _, e := range c.cases[:min(400, len(c.cases))] {
			public = append(public, e.Point)
		}
		even := grid(sizes, cells(len(sizes)))
		line("votes on relabelled persons", func(e string) scores { return c.answers(t, e, false) })
		line(fmt.Sprintf("rule, semi-private, %d public cases", len(public)),
			func(e string) scores { return c.semiPrivate(t, e, public) })
		line(fmt.Sprintf("rule, exponential mechanism over a grid of %d points", len(even)),
			func(e string) scores { return c.semiPrivate(t, e, even) })
	}
	line("votes on persons as they are", func(e string) scores { return c.answers(t, e, true) })
	line("logistic regression, objective perturbation (inexact)", func(e string) scores {
		m := must(NewLogistic(
			LogisticParams{Sizes: sizes, Epsilon: epsilon(e), Persons: uint64(len(c.train))}))
		return c.rule(func(src coin.Source) Rule { return must(m.Learn(src, c.train, nil)) })
	})
	t.Log(text)
	return text + "\n"
}

// readAdult reads columns of the file; the last of its columns is the label.
func readAdult(t *testing.T, columns []string) []Example {
	file, err := os.Open(*adult)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var examples []Example
	for _, row := range rows[1:] {
		var p Point
		for _, name := range columns {
			p = append(p, must(strconv.ParseUint(row[slices.Index(rows[0], name)], 10, 64)))
		}
		examples = append(examples, Example{p, row[len(row)-1] == "1"})
	}
	rand.New(rand.NewPCG(1, 1)).
		Shuffle(len(examples), func(i, j int) {
			examples[i], examples[j] = examples[j], examples[i]
		})
	return examples
}

// noisy are examples of a rule with this many errors, and their labels' chance to be yes.
func noisy(class Class, n, cases int, rule Rule, errors float64) contest {
	random := rand.New(rand.NewPCG(uint64(n), 2))
	sizes := class.Sizes()
	draw := func(n int) []Example {
		codes := make([]uint64, 0, n*len(sizes))
		examples := make([]Example, n)
		for i := range examples {
			for _, size := range sizes {
				codes = append(codes, random.Uint64N(size))
			}
			p := Point(codes[len(codes)-len(sizes):])
			examples[i] = Example{p, rule.Says(p) != (random.Float64() < errors)}
		}
		return examples
	}
	return contest{name: fmt.Sprintf("made up, %.0f %% errors", 100*errors), class: class,
		train: draw(n), cases: draw(cases), best: errors,
		truth: func(e Example) float64 {
			if rule.Says(e.Point) {
				return 1 - errors
			}
			return errors
		}}
}

// TestCompare says how well each method labels cases.
func TestCompare(t *testing.T) {
	if !*compare {
		t.Skip("takes minutes: -compare")
	}
	text := comparedText
	if *adult != "" {
		five, two := []string{"age", "education-num", "hours-per-week", "capital-gain",
			"capital-loss"}, []string{"age", "education-num"}
		for _, tt := range []struct {
			class   Class
			columns []string
		}{
			{stumps(Either, 85, 16, 99, 100, 100), five},
			{must(NewHalfspaces([]uint64{85, 16, 99, 100, 100})), five},
			{boxes(85, 16), two},
			{plane(85, 16), two},
		} {
			all := readAdult(t, tt.columns)
			cut := len(all) * 4 / 5
			text += contest{name: "Adult, income above 50K, by " + strings.Join(tt.columns, ", "),
				class: tt.class, train: all[:cut], cases: all[cut:]}.table(t)
		}
	}
	text += noisy(stumps(Below, 1<<30), 300_000, 2000, Stump{At: 123456789}, 0.1).table(t)
	slope := Linear{[]*big.Int{big.NewInt(3), big.NewInt(-2), big.NewInt(1)}, big.NewInt(700)}
	text += noisy(must(NewHalfspaces([]uint64{1000, 1000, 1000})), 100_000, 2000, slope, 0.1).
		table(t)
	if *adult != "" {
		audittest.Document(t, comparedFile, text)
	}
}

const comparedText = "# Ways to label cases, compared\n\nMade by TestCompare; do not edit " +
	"(ADULT=adult.csv ./build.sh bench classify).\n\nExcess error: how many percent more of the " +
	"cases are labelled wrongly than by the best rule of the class; m, how many cases are " +
	"answered, and how many of them by a coin, the votes being close. Means of 3 runs " +
	"from\nseeds, so that a few cases tell little. δ = 10^−8 where there is one. “Any m”: a rule " +
	"is published, or would be if logistic regression's noise were exact. “Refused”: before " +
	"anything is spent, with what would do. Of\nmade-up persons the best rule is known, and how " +
	"often it errs; on Adult it is the rule learned without privacy, so that others may do " +
	"better.\n\n"
