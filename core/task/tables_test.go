package task

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// townTables are the columns of the town as those of tables: three bins of ages and two lists, of
// which one has not all cities.
func townTables() []ask.Field {
	return []ask.Field{
		{Role: "by", Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"},
			Cuts:   []string{"20", "50"}},
		{Role: "by", Column: 2, Label: "city", Domain: category("Hill", "Mill")},
		{Role: "by", Column: 3, Label: "smoker", Domain: category("yes", "no")},
	}
}

// TestTablesTogether asks for tables of each number of columns by each method, reads the release
// again, and compares all counts with the truth; what the file says adds up.
func TestTablesTogether(t *testing.T) {
	const n = 20_000
	file, truth := town(n)
	for _, method := range []string{"auto", "residuals", "independent", "full"} {
		for _, together := range []string{"1", "2", "3"} {
			if method == "full" && together == "3" {
				continue // that is what the independent ones are
			}
			t.Run(method+" "+together, func(t *testing.T) {
				s := open(t, file)
				release := askFor(t, s, withoutMain(s, "tables", townTables(),
					ask.Params{"method": method, "together": together}), file)
				var saved Release
				if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
					t.Fatal(err)
				}
				set := saved.Answer.Result.(*TableSet)
				want := map[string]int{"1": 3, "2": 3, "3": 1}[together]
				if len(set.Tables()) != want || !release.Plan.Loss.AtMost(set.Release.Loss) {
					t.Fatalf("%d tables, loss %v", len(set.Tables()), set.Release.Loss)
				}
				if (method == "residuals") != (set.Release.Loss.Delta().Sign() > 0) &&
					method != "auto" {
					t.Errorf("%s spends δ = %v", method, set.Release.Loss.Delta())
				}
				for _, one := range set.Tables() {
					total := 0.0
					for cell, count := range one.Counts {
						total += float64(count)
						var chosen []string
						for i, place := range placesOf(one.Axes, cell) {
							if place < len(one.Axes[i].Places)-1 {
								chosen = append(chosen, townName(one.Axes[i], place)...)
							}
						}
						if len(chosen) < len(one.Axes) || one.Axes[0].Column == "age" &&
							len(chosen) < len(one.Axes)+1 {
							continue // without a value
						}
						off := math.Abs(float64(count) - float64(truth(chosen...)))
						if off > float64(one.AllError) {
							t.Errorf("%s: %d ± %d, truly %d", one.CellName(cell), count,
								one.AllError, truth(chosen...))
						}
					}
					if math.Abs(total-n) > float64(len(one.Counts))/2 {
						t.Errorf("%v add up to %v", AxisNames(one.Axes), total)
					}
				}
				rows, err := csv.NewReader(strings.NewReader(release.CSV())).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				sums := map[string]float64{} // of each city, by table
				for _, row := range rows[1:] {
					if strings.Contains(row[0], "city") && row[4] == "Hill" {
						sums[row[0]] += must(strconv.ParseFloat(row[6], 64))
					}
				}
				first := math.NaN()
				for name, sum := range sums {
					if math.IsNaN(first) {
						first = sum
					}
					if math.Abs(sum-first) > 0.05 {
						t.Errorf("%s: %v in Hill, elsewhere %v", name, sum, first)
					}
				}
				if math.IsNaN(first) || strings.Join(rows[0], " ") !=
					"table age age_from age_to city smoker count low high verdict" {
					t.Errorf("no table of cities, or columns %v", rows[0])
				}
			})
		}
	}
}

// townName are the names of a place as the truth has them.
func townName(a Axis, place int) []string {
	if a.Column != "age" {
		return []string{a.Column + " = " + a.Places[place].Label}
	}
	return [][]string{{"age < 20", "age < 50"}, {"age ≥ 20", "age < 50"},
		{"age ≥ 20", "age ≥ 50"}}[place]
}

// TestTablesRefusals: what cannot be asked is refused at its field.
func TestTablesRefusals(t *testing.T) {
	file, _ := town(100)
	s := open(t, file)
	for name, c := range map[string]struct {
		field  string
		change func(r *ask.Recipe)
	}{
		"residuals without a δ": {"method", func(r *ask.Recipe) {
			r.Params = ask.Params{"method": "residuals", "delta": "0"}
		}},
		"noise that cannot be drawn": {"method", func(r *ask.Recipe) {
			r.Params, r.Epsilon = ask.Params{"method": "residuals",
				"delta": "0." + strings.Repeat("0", 40) + "1"}, "0.000000001"
		}},
		"one column":   {"others", func(r *ask.Recipe) { r.Others = r.Others[:1] }},
		"a δ of words": {"delta", func(r *ask.Recipe) { r.Params = ask.Params{"delta": "x"} }},
		"one column twice": {"others.2.column", func(r *ask.Recipe) {
			r.Others[2].Column, r.Others[2].Label = 2, "city"
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := withoutMain(s, "tables", townTables(), nil)
			c.change(&r)
			_, err := s.Plan(r)
			wantField(t, err, c.field)
		})
	}
	release := askFor(t, s, withoutMain(s, "tables", townTables(), nil), file)
	for field, change := range map[string]func(t *TableSet){
		"axes":    func(t *TableSet) { t.Axes[0].Places = t.Axes[0].Places[1:] },
		"release": func(t *TableSet) { t.Release = nil },
	} {
		var saved Release
		if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
			t.Fatal(err)
		}
		set := saved.Answer.Result.(*TableSet)
		change(set)
		wantField(t, set.Check(), field)
		if _, err := json.Marshal(saved); err != nil {
			t.Fatal(err)
		}
	}
	set := release.Answer.Result.(*TableSet)
	if set.Of(0, 0) != nil || set.Of(0, 2) == nil {
		t.Error("a table of one column twice")
	}
	set.Together = 4
	wantField(t, set.Check(), "axes")
}

// TestTablesWithCondition: those who do not meet a condition are in no category.
func TestTablesWithCondition(t *testing.T) {
	file, truth := town(2000)
	s := open(t, file)
	r := withoutMain(s, "tables", townTables(), nil)
	r.Filter = []table.Condition{{Column: 3,
		Spec: domain.Spec{Kind: domain.Category, Categories: []string{"yes"}}}}
	set := askFor(t, s, r, file).Answer.Result.(*TableSet)
	smokers := set.Of(2)
	if off := smokers.Counts[0] - int64(truth("smoker = yes")); max(off, -off) > smokers.AllError ||
		max(smokers.Counts[1], -smokers.Counts[1]) > smokers.AllError ||
		smokers.Axes[0].Places[2].Label != "no value, or not counted" {
		t.Errorf("smokers %v %v", smokers.Counts, smokers.Axes)
	}
}

// TestFittedIntervals: fitted counts are no longer below 0, and of numbers of people the intervals
// are those of the counts before, or wider: they hold the truth as often.
func TestFittedIntervals(t *testing.T) {
	of := func(fit string) *TableSet {
		file, _ := town(500)
		s := open(t, file)
		r := withoutMain(s, "tables", townTables(), ask.Params{paramFit: fit})
		r.Epsilon = "0.1"
		return askFor(t, s, r, file).Answer.Result.(*TableSet)
	}
	raw, fitted := of("false").Tables(), of("true").Tables()
	below, wider := 0, 0
	for i, table := range fitted {
		for cell, count := range table.Counts {
			before, after := raw[i].Count(cell), table.Count(cell)
			if raw[i].Counts[cell] < 0 {
				below++
			}
			if count < 0 || table.Raw[cell] != raw[i].Counts[cell] {
				t.Errorf("%s: %d, before it was fitted %d and not %d", table.CellName(cell), count,
					table.Raw[cell], raw[i].Counts[cell])
			}
			if after.Low > max(before.Low, 0) || after.High < before.High ||
				after.Value < after.Low || after.Value > after.High {
				t.Errorf("%s: %v, before %v", table.CellName(cell), after, before)
			}
			if after.High-after.Low > before.High-max(before.Low, 0) {
				wider++
			}
		}
		if all := table.Over().Counts[0]; all != 500 {
			t.Errorf("table %d: the fitted counts add up to %d of 500", i, all)
		}
		if sum := table.Over(0); sum.Raw == nil || sum.Raw[0] != raw[i].Over(0).Counts[0] {
			t.Errorf("table %d: sums have lost the counts before", i)
		}
		for cell, share := range table.Shares(0) {
			if share.Value < share.Low || share.Value > share.High {
				t.Errorf("%s: %v", table.CellName(cell), share)
			}
		}
	}
	if below == 0 || wider > len(fitted)*4 {
		t.Errorf("%d counts were below 0, %d intervals are wider", below, wider)
	}
}

// TestTableWeights: a table that weighs more has less noise than the others, for the same loss;
// what is no weight is refused with its line.
func TestTableWeights(t *testing.T) {
	file, _ := town(2000)
	s := open(t, file)
	of := func(weights string) (ask.Plan, *TableSet) {
		r := withoutMain(s, "tables", townTables(), ask.Params{paramWeights: weights,
			paramMethod: byResiduals, ask.ParamDelta: "1e-6"})
		plan, err := s.Plan(r)
		if err != nil {
			t.Fatal(err)
		}
		return plan, askFor(t, s, r, file).Answer.Result.(*TableSet)
	}
	plain, even := of("")
	weighed, uneven := of("smoker, city = 50\n")
	if !weighed.Loss.AtMost(plain.Loss) || !plain.Loss.AtMost(weighed.Loss) {
		t.Errorf("the loss is %s and was %s", weighed.Loss, plain.Loss)
	}
	stdDev := func(set *TableSet, columns ...int) float64 {
		return must(set.Release.Table(columns...)).StdDev
	}
	if stdDev(uneven, 1, 2) >= stdDev(even, 1, 2) || stdDev(uneven, 0, 1) <= stdDev(even, 0, 1) {
		t.Errorf("city and smoker: %.2f, even %.2f; age and city: %.2f, even %.2f",
			stdDev(uneven, 1, 2), stdDev(even, 1, 2), stdDev(uneven, 0, 1), stdDev(even, 0, 1))
	}
	for lines, want := range map[string]string{
		"city":                           "“=”",
		"city, smoker = 0":               "from 1 to 1000",
		"city = 3":                       "2 columns",
		"city, town = 3":                 "is none",
		"city, city = 3":                 "is none",
		"city, age = 3\n\nage, city = 2": "line 3",
	} {
		r := withoutMain(s, "tables", townTables(), ask.Params{paramWeights: lines})
		if _, err := s.Plan(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", lines, err, want)
		}
	}
}
