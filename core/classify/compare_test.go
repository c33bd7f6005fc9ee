package classify

import (
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/param"
)

var (
	compare = flag.Bool("compare", false, "print comparisons with other methods: minutes")
	adult   = flag.String("adult", "", "the Adult data as CSV with whole numbers and a column income>50K, for -compare")
)

// scores are of one method at one ε: over so many runs, the part of labels wrong beyond that of the best rule, and how many cases got one.
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
		return fmt.Sprintf("%+.4f, %.0f cases, %.0f unstable", s.excess, s.answered, s.unstable)
	case s.answered < 0:
		return fmt.Sprintf("%+.4f, any number", s.excess)
	}
	return fmt.Sprintf("%+.4f, %.0f cases", s.excess, s.answered)
}

// contest is one data set: persons, and labelled cases, whose labels only count.
type contest struct {
	name  string
	class Enumerable
	train []Example
	cases []Example
	best  float64 // error of the best rule on the cases
	truth func(Example) float64
}

// wrong is the part of cases that labels get wrong: by the cases' own labels, or by the chance of an error where that is known.
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
	p := AnswersParams{Class: c.class, Epsilon: epsilon(e), Delta: delta("1e-8"), Persons: uint64(len(c.train)), Queries: uint64(len(c.cases)), Plain: plain}
	a, err := NewAnswers(p)
	var refused *param.Error
	if errors.As(err, &refused) && refused.Field == "queries" {
		var most uint64
		if _, err := fmt.Sscanf(refused.Want, "at most %d from", &most); err != nil {
			t.Fatal(err)
		}
		p.Queries = most
		a, err = NewAnswers(p)
	}
	if err != nil {
		if !errors.As(err, &refused) {
			t.Fatal(err)
		}
		return scores{refused: "refused, wants " + strings.Split(refused.Want, ",")[0]}
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

// rule is a published rule, drawn some times.
func (c contest) rule(learn func(src coin.Source) Rule) scores {
	s := scores{answered: -1}
	for run := range runs {
		s.excess += c.wrongBy(learn(coin.NewSeeded(coin.Seed(run))))
	}
	s.excess = s.excess/runs - c.best
	return s
}

func (c contest) semiPrivate(e string, anchors []Point) scores {
	m := must(NewSemiPrivate(SemiPrivateParams{Class: c.class, Anchors: anchors, Epsilon: epsilon(e)}))
	return c.rule(func(src coin.Source) Rule { return must(m.Learn(src, c.train, nil)) })
}

func (c contest) poll(e string, noise Noise, queries, rules uint64) scores {
	p := PollParams{Class: c.class, Epsilon: epsilon(e), Persons: uint64(len(c.train)), Queries: queries, Rules: rules, Noise: noise}
	if noise == GaussianNoise {
		p.Delta = delta("1e-8")
	}
	m := must(NewPoll(p))
	s := scores{answered: float64(queries)}
	for run := range runs {
		b := must(m.Start(coin.NewSeeded(coin.Seed(run)), c.train, nil))
		for i := range queries {
			e := c.cases[(int(i)+run*int(queries))%len(c.cases)]
			s.excess += c.wrong(e, must(b.Answer(e.Point)))
		}
	}
	s.excess = s.excess/(runs*float64(queries)) - c.best
	return s
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

func (c contest) print(t *testing.T, polled uint64) {
	sizes := c.class.Sizes()
	rule := c.class.Learn(votes(c.train, sizes, nil), nil)
	best := c.wrongBy(rule)
	if c.truth == nil {
		c.best = best
	}
	t.Logf("\n%s: %v, %d persons; without privacy %v, wrong for %.4f of the cases (the best rule for %.4f)\n", c.name, c.class, len(c.train), rule, best, c.best)
	public := make([]Point, 0, 400)
	for _, e := range c.cases[:min(400, len(c.cases))] {
		public = append(public, e.Point)
	}
	grid := must(Grid(sizes, cells(len(sizes))))
	for _, method := range []struct {
		name string
		run  func(e string) scores
	}{
		{"answers", func(e string) scores { return c.answers(t, e, false) }},
		{"answers, plain", func(e string) scores { return c.answers(t, e, true) }},
		{fmt.Sprintf("semi-private, %d public cases", len(public)), func(e string) scores { return c.semiPrivate(e, public) }},
		{fmt.Sprintf("exponential, grid of %d", len(grid)), func(e string) scores { return c.semiPrivate(e, grid) }},
		{"poll, Laplace, 101 rules", func(e string) scores { return c.poll(e, LaplaceNoise, polled, 101) }},
		{"poll, Gaussian, 101 rules", func(e string) scores { return c.poll(e, GaussianNoise, polled, 101) }},
		{"logistic (inexact)", func(e string) scores {
			m := must(NewLogistic(LogisticParams{Sizes: sizes, Epsilon: epsilon(e), Persons: uint64(len(c.train))}))
			return c.rule(func(src coin.Source) Rule { return must(m.Learn(src, c.train, nil)) })
		}},
	} {
		line := fmt.Sprintf("%-32s", method.name)
		for _, e := range []string{"0.5", "1", "2"} {
			line += fmt.Sprintf("  ε %-3s %-48s", e, method.run(e))
		}
		t.Log(strings.TrimRight(line, " "))
	}
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
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
	return examples
}

// noisy are examples of a rule with so many errors, and their labels' chance to be yes.
func noisy(class Enumerable, n, cases int, rule Rule, errors float64) contest {
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
	return contest{name: fmt.Sprintf("made up, %.0f %% errors", 100*errors), class: class, train: draw(n), cases: draw(cases), best: errors,
		truth: func(e Example) float64 {
			if rule.Says(e.Point) {
				return 1 - errors
			}
			return errors
		}}
}

// TestCompare prints how well each method labels cases.
func TestCompare(t *testing.T) {
	if !*compare {
		t.Skip("takes minutes: -compare")
	}
	if *adult != "" {
		all := readAdult(t, []string{"age", "education-num", "hours-per-week", "capital-gain", "capital-loss"})
		cut := len(all) * 4 / 5
		contest{name: "Adult, income above 50K", class: stumps(Either, 85, 16, 99, 100, 100), train: all[:cut], cases: all[cut:]}.print(t, 100)
		all = readAdult(t, []string{"age", "education-num"})
		contest{name: "Adult, income above 50K", class: boxes(85, 16), train: all[:cut], cases: all[cut:]}.print(t, 100)
	}
	noisy(stumps(Below, 1<<30), 1_000_000, 2000, Stump{At: 123456789}, 0.1).print(t, 100)
	noisy(boxes(64, 64), 1_000_000, 2000, Box{[]uint64{10, 20}, []uint64{50, 60}}, 0.2).print(t, 100)
}
