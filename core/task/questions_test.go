package task

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
)

// pay is a file of n rows: hours 0 to 39, each equally often; pay is ten times that and 50 cents;
// three towns in turn, every fourth person without pay.
func pay(n int) []byte {
	var b strings.Builder
	b.WriteString("hours,pay,town\n")
	for i := range n {
		amount := fmt.Sprintf("%d.50", i%40*10)
		if i%4 == 3 {
			amount = ""
		}
		fmt.Fprintf(&b, "%d,%s,%s\n", i%40, amount, []string{"Bern", "Graz", "Ulm"}[i%3])
	}
	return []byte(b.String())
}

var payDomain = domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "400", Step: "0.5"}

// TestEstimates holds every number against the truth, for everybody and for the three towns: the
// interval of each release must hold it. With 27 intervals that fail with 5 % each, up to five may.
func TestEstimates(t *testing.T) {
	const n = 12_000
	file := pay(n)
	truth := map[string]func(town int) float64{
		"count": func(town int) float64 {
			return tally(n, town, func(i int) float64 { return 1 }, false)
		},
		"share": func(town int) float64 {
			if town < 0 {
				return tally(n, town, func(int) float64 { return 1 }, false) / n
			}
			return tally(n, town, func(int) float64 { return 1 }, false) /
				tally(n, town, func(int) float64 { return 1 }, true)
		},
		"sum":      func(town int) float64 { return tally(n, town, amount, false) },
		"mean":     mean,
		"variance": func(town int) float64 { return variance(town) },
	}
	missed, asked := 0, 0
	for id, value := range truth {
		for _, grouped := range []bool{false, true} {
			s := open(t, file)
			r := recipe(s, id, 1, payDomain, nil)
			if grouped {
				r.Group = &ask.Group{Column: 3, Names: []string{"Ulm", "Bern", "Graz"}}
			}
			rows := askFor(t, s, r, file).Answer.Result.(*Estimates).Rows
			if want := map[bool]int{false: 1, true: 3}[grouped]; len(rows) != want {
				t.Fatalf("%s: %d rows, want %d", id, len(rows), want)
			}
			for i, row := range rows {
				town := -1
				if grouped {
					town = map[string]int{"Bern": 0, "Graz": 1, "Ulm": 2}[row.Group]
				}
				low, high, got := parse(t, row.Low), parse(t, row.High), parse(t, row.Value)
				want := value(town)
				asked++
				if want < low || want > high {
					missed++
				}
				if math.Abs(got-want) > 3*(high-low) {
					t.Errorf("%s, row %d: %s in [%s, %s], want %g", id, i, row.Value, row.Low,
						row.High, want)
				}
				if high-low > math.Max(0.2*math.Abs(want), 0.02) {
					t.Errorf("%s: [%s, %s] says nothing about %g", id, row.Low, row.High, want)
				}
			}
		}
	}
	if missed > 5 {
		t.Errorf("%d of %d intervals miss the truth", missed, asked)
	}
}

func parse(t *testing.T, text string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// amount is the pay of person i of the file pay.
func amount(i int) float64 { return float64(i%40*10) + 0.5 }

// tally adds up f over the persons of a town (−1: all), with or without those who have no pay.
func tally(n, town int, f func(int) float64, all bool) (sum float64) {
	for i := range n {
		if (town < 0 || i%3 == town) && (all || i%4 != 3) {
			sum += f(i)
		}
	}
	return sum
}

func mean(town int) float64 {
	return tally(12_000, town, amount, false) / tally(12_000, town, func(int) float64 {
		return 1
	}, false)
}

func variance(town int) float64 {
	m := mean(town)
	return tally(12_000, town, func(i int) float64 { return (amount(i) - m) * (amount(i) - m) },
		false) /
		tally(12_000, town, func(int) float64 { return 1 }, false)
}

func TestQuantiles(t *testing.T) {
	const n = 8000
	file := pay(n)
	s := open(t, file)
	d := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}
	rows := askFor(t, s, recipe(s, "quantiles", 0, d, ask.Params{"targets": "10, 50, 90"}), file).
		Answer.Result.(*Quantiles).Rows
	if len(rows) != 3 || rows[0].Part != "10 %" {
		t.Fatalf("rows %+v", rows)
	}
	for i, part := range []float64{0.1, 0.5, 0.9} {
		// A value v of the file has v·n/40 people below it, and one more each 1/40 of them at it.
		v, slack := parse(t, rows[i].Value), float64(rows[i].RankError)/n+1.0/40
		if below := v / 40; below < part-slack || below > part+slack {
			t.Errorf("%s: %s, with %.3f below", rows[i].Part, rows[i].Value, below)
		}
	}
}

func TestFurtherRefusals(t *testing.T) {
	file := pay(100)
	s := open(t, file)
	for _, test := range []struct {
		name, field string
		recipe      ask.Recipe
	}{
		{"parts out of order", "targets",
			recipe(s, "quantiles", 0, ageDomain, ask.Params{"targets": "50, 25"})},
		{"a part of all beside others", "targets",
			recipe(s, "quantiles", 0, ageDomain, ask.Params{"targets": "50, 100"})},
		{"the mean of categories", "kind",
			recipe(s, "mean", 2, domain.Spec{Kind: domain.Category, Categories: []string{"Ulm"}},
				nil)},
		{"δ of 1/n", "delta", recipe(s, "mean", 0, ageDomain, ask.Params{"delta": "0.01"})},
		{"δ that is no number", "delta",
			recipe(s, "count", 0, ageDomain, ask.Params{"delta": "small"})},
		{"no groups", "groups", func() ask.Recipe {
			r := recipe(s, "mean", 0, ageDomain, nil)
			r.Group = &ask.Group{Column: 3}
			return r
		}()},
		{"a group column beyond the last", "groupColumn", func() ask.Recipe {
			r := recipe(s, "mean", 0, ageDomain, nil)
			r.Group = &ask.Group{Column: 4, Names: []string{"Ulm"}}
			return r
		}()},
		{"quantiles by group", "groupColumn", func() ask.Recipe {
			r := recipe(s, "quantiles", 0, ageDomain, nil)
			r.Group = &ask.Group{Column: 3, Names: []string{"Ulm"}}
			return r
		}()},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := s.Plan(test.recipe)
			wantField(t, err, test.field)
		})
	}
}

// TestWrittenRoundsOutwards: what is printed must hold whatever the exact interval holds.
func TestWrittenRoundsOutwards(t *testing.T) {
	file := pay(400)
	s := open(t, file)
	row := askFor(t, s, recipe(s, "share", 1, payDomain, nil), file).Answer.Result.(*Estimates).
		Rows[0]
	if low, high, value := parse(t, row.Low), parse(t, row.High),
		parse(t, row.Value); low >= high || value < low || value > high {
		t.Errorf("%+v", row)
	}
	if len(row.Value) > 8 {
		t.Errorf("%s pretends to more digits than the interval %s to %s has", row.Value, row.Low,
			row.High)
	}
}

// TestEpsilonForAWish: the ε found reaches the wish, and a little less does not; the curve falls.
func TestEpsilonForAWish(t *testing.T) {
	file := pay(4000)
	s := open(t, file)
	for id, wish := range map[string]float64{"count": 20, "mean": 2.5, "histogram": 30,
		"median": 50, "quantiles": 200} {
		d, params := payDomain, ask.Params(nil)
		if id == "histogram" {
			params = ask.Params{"width": "50"}
		}
		r := recipe(s, id, 1, d, params)
		found, err := s.EpsilonFor(ask.Wish{Recipe: r, Error: wish})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		errorAt, err := s.Bounds(r)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		reached, err := errorAt(found)
		if err != nil || reached > wish {
			t.Errorf("%s: ε = %s gives ± %g, wished %g (%v)", id, found, reached, wish, err)
		}
		less, err := errorAt(fmt.Sprint(parse(t, found) * 0.9))
		if err != nil || less <= wish {
			t.Errorf("%s: a tenth less than ε = %s gives ± %g as well (%v)", id, found, less, err)
		}
		curve, err := s.Curve(r)
		if err != nil || len(curve) < 5 {
			t.Fatalf("%s: curve %v, %v", id, curve, err)
		}
		for i := 1; i < len(curve); i++ {
			if curve[i].Error > curve[i-1].Error {
				t.Errorf("%s: more ε, more error: %v", id, curve)
			}
		}
	}
	_, err := s.EpsilonFor(ask.Wish{Recipe: recipe(s, "mean", 1, payDomain, nil), Error: 0})
	wantField(t, err, "error")
}
