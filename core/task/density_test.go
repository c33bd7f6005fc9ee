package task

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/privacy"
)

// TestDensity asks with each algorithm, and compares all counts with the data: hours are 0 to 39,
// each equally often.
func TestDensity(t *testing.T) {
	const n = 40_000
	file := pay(n)
	spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60"}
	space, _ := ask.NewSpace(spec)
	said := 0
	for _, method := range densityTask.Params[0].Choices {
		s := open(t, file)
		release := askFor(t, s, recipe(s, "density", 0, spec, ask.Params{"method": method.Value}),
			file)
		r := release.Answer.Result.(*Density)
		d, _, err := r.distribution(spec)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for x := range 61 {
			code, _ := space.Find(fmt.Sprint(x))
			want := float64(min(x+1, 40)) * n / 40
			low, high := d.Within(code)
			if worst = max(worst, math.Abs(d.Count(code)-want)); low > want || high < want {
				t.Errorf("%s: up to %d are %g, outside of %g to %g", method.Value, x, want, low,
					high)
			}
		}
		if worst > n/8 {
			t.Errorf("%s: off by %g", method.Value, worst)
		}
		delta, spends := release.Plan.Loss.Delta(), merrRules[method.Value] == density.Capped
		if (delta.Sign() > 0) != spends {
			t.Errorf("%s: δ is %v", method.Value, delta)
		}
		table := r.Table(ask.Voice{}, "hours")
		if len(table) != len(r.Cells)+1 || len(table[0]) != len(table[1]) {
			t.Errorf("%s: table of %d rows", method.Value, len(table))
		}
		if !strings.Contains(release.Statement, "The median of ") ||
			strings.Contains(release.Statement, "densest") &&
				!strings.Contains(release.Statement, "densest from 0 to 39.") { // all level
			t.Error(release.Statement)
		}
		if strings.Contains(release.Statement, "densest") {
			said++
		}
	}
	if said == 0 {
		t.Error("no algorithm says where people are densest")
	}
}

// TestDensityKeepsDetail: where values were counted one by one, the pieces chosen for the user say
// what the release says, in fewer cells; fewer pieces would be less exact.
func TestDensityKeepsDetail(t *testing.T) {
	var places, rugged []uint64
	for i := range 3000 {
		places = append(places, uint64([]int{10, 300 + i%60*10, 990}[i%3]))
	}
	slices.Sort(places)
	for v := range 1000 {
		rugged = append(rugged, slices.Repeat([]uint64{uint64(v)}, v*v%7*100)...)
	}
	epsilon, err := privacy.ParseEpsilon("0.3")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		codes        []uint64
		fewest, most int
	}{{places, 5, 400}, {rugged, 700, 1000}} {
		for _, goal := range []density.Goal{density.Function, density.Density} {
			advice, err := density.Advise(
				density.AdviceParams{Epsilon: epsilon, Size: big.NewInt(1000),
					Persons: uint64(len(test.codes)) * 3 / 2, Goal: goal})
			if err != nil {
				t.Fatal(err)
			}
			release, err := advice.Learners[0].Release(coin.NewSeeded(1),
				domain.SortedCodes(test.codes, 10), nil)
			if err != nil {
				t.Fatal(err)
			}
			d := &densityQuery{chosen: advice.Learners[0], shape: "none", most: mostCounted}
			shaped, err := d.shaped(release)
			if err != nil {
				t.Fatal(err)
			}
			off := 0.0
			for code := range int64(1000) {
				x := big.NewInt(code)
				off = max(off, math.Abs(shaped.Count(x)-release.Count(x)))
			}
			if off > 1e-6 || shaped.Cells() > test.most || shaped.Cells() < test.fewest {
				t.Errorf("%s: %d pieces are off by %g from the release", goal, shaped.Cells(), off)
			}
			d.most = 100
			if shaped, err = d.shaped(release); err != nil || shaped.Cells() > d.most {
				t.Errorf("%s: %d pieces of at most %d, %v", goal, shaped.Cells(), d.most, err)
			}
		}
	}
}

// TestDensityForms asks for pieces, degrees and shapes.
func TestDensityForms(t *testing.T) {
	const n = 20_000
	file := pay(n)
	spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60"}
	for _, params := range []ask.Params{{"pieces": "5"}, {"degree": "2", "pieces": "3"},
		{"degree": "1"}, {"shape": "falling"}, {"shape": "unimodal", "pieces": "7"},
		{"shape": "bimodal"}, {"shape": "hazard rate", "mixed": "3"}, {"goal": "density"}} {
		s := open(t, file)
		r := askFor(t, s, recipe(s, "density", 0, spec, params), file).Answer.Result.(*Density)
		sum, last := 0.0, math.Inf(1)
		for _, c := range r.Cells {
			sum += c.People
			if params["shape"] == "falling" && c.Height > last*1.001+0.01 {
				t.Errorf("%v rises to %g from %g", params, c.Height, last)
			}
			last = c.Height
		}
		if math.Abs(sum-n) > n/10 {
			t.Errorf("%v: %g people", params, sum)
		}
		if p := params["pieces"]; p != "" && params["degree"] == "" {
			if most, _ := strconv.Atoi(p); len(r.Cells) > most {
				t.Errorf("%v: %d pieces", params, len(r.Cells))
			}
		}
	}
	s := open(t, file)
	for _, bad := range []struct{ field, value string }{{"pieces", "0"}, {"pieces", "many"},
		{"pieces", "201"}, {"degree", "4"}, {"method", "best"}, {"goal", "fame"},
		{"shape", "round"}, {"mixed", "5"}, {"mixed", "2"}} {
		_, err := s.Plan(recipe(s, "density", 0, spec, ask.Params{bad.field: bad.value}))
		wantField(t, err, bad.field)
	}
	_, err := s.Plan(recipe(s, "density", 0, spec, ask.Params{"degree": "1", "shape": "falling"}))
	wantField(t, err, "degree")
	_, err = s.Plan(recipe(s, "density", 0, spec, ask.Params{"mixed": "2", "shape": "bimodal"}))
	wantField(t, err, "mixed")
	_, err = s.Plan(recipe(s, "density", 0, spec, ask.Params{"method": "capped", "delta": "0"}))
	wantField(t, err, "delta")
}

// TestDensityMixed asks for a mixture of two where there are two kinds of people: it costs as much,
// its counts are nearer than those of one, and what pieces prove of it is said beforehand.
func TestDensityMixed(t *testing.T) {
	const n = 1_000_000
	var file strings.Builder
	upTo, counted := [64]float64{}, 0.0
	file.WriteString("hours\n")
	for x := range upTo {
		young, old := float64(x-12)/3, float64(x-40)/6
		people := math.Round(0.6*n/3/2.5066*math.Exp(-young*young/2) +
			0.4*n/6/2.5066*math.Exp(-old*old/2))
		file.WriteString(strings.Repeat(fmt.Sprintf("%d\n", x), int(people)))
		counted += people
		upTo[x] = counted
	}
	spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "63"}
	space, _ := ask.NewSpace(spec)
	off, said := map[string]float64{}, map[string]float64{}
	var losses []string
	for _, mixed := range []string{"1", "2"} {
		s := open(t, []byte(file.String()))
		release := askFor(t, s, recipe(s, "density", 0, spec,
			ask.Params{"shape": "log-concave", "mixed": mixed}), []byte(file.String()))
		r := release.Answer.Result.(*Density)
		if want := map[string]string{"1": "log-concave", "2": "2 × log-concave"}[mixed]; want !=
			r.Shape {
			t.Errorf("shape %q, want %q", r.Shape, want)
		}
		losses = append(losses, fmt.Sprint(release.Plan.Loss))
		d, _, err := r.distribution(spec)
		if err != nil {
			t.Fatal(err)
		}
		for x, want := range upTo {
			code, _ := space.Find(fmt.Sprint(x))
			off[mixed] = max(off[mixed], math.Abs(d.Count(code)-want))
		}
		for _, f := range release.Plan.Forecast {
			if f.Label == "With that shape, for a larger population" {
				var percent float64
				if _, err := fmt.Sscanf(f.Value, "at most %f", &percent); err != nil {
					t.Errorf("%q: %v", f.Value, err)
				}
				said[mixed] = percent
			}
		}
	}
	if losses[0] != losses[1] {
		t.Errorf("a mixture costs %v", losses)
	}
	if off["2"] > off["1"]/10 || off["2"] > n/100 {
		t.Errorf("two are off by %g, one by %g", off["2"], off["1"])
	}
	if said["2"] < 1 || said["2"] < said["1"] || said["2"] >= 50 {
		t.Errorf("said to be within %v %%", said)
	}
}

// TestDensityAnswers: the release answers later questions and makes data, and refuses what is none.
func TestDensityAnswers(t *testing.T) {
	const n = 40_000
	file := pay(n)
	s := open(t, file)
	spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60"}
	r := askFor(t, s, recipe(s, "density", 0, spec, nil), file).Answer.Result.(*Density)
	var count, low, high float64
	text, err := ungrouped(r.Between(ask.Voice{}, spec, " 10 to 19 "))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(text, "About %f people have a value from 10 to 19 (between %f and %f",
		&count, &low, &high); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if math.Abs(count-10_000) > 1500 || low > 10_000 || high < 10_000 {
		t.Error(text)
	}
	var value, from, to int
	if text, err = r.Reaching(ask.Voice{}, spec, "90"); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(
		text, "About 90 %% of the people with a value are at or below %d (between %d and %d",
		&value, &from, &to); err != nil || value < 33 || value > 38 || from > 35 || to < 35 {
		t.Errorf("%s: %v", text, err)
	}
	made, err := r.Synthetic(nil, coin.NewSeeded(1), spec, "hours, a week", "5000")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(made)).ReadAll()
	if err != nil || len(rows) != 5001 || rows[0][0] != "hours, a week" {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	below := 0
	for _, row := range rows[1:] {
		if x, err := strconv.Atoi(row[0]); err != nil || x < 0 || x > 60 {
			t.Fatal(row)
		} else if x < 20 {
			below++
		}
	}
	if below < 2200 || below > 2800 {
		t.Errorf("%d of 5000 made-up hours are below 20", below)
	}
	for _, bad := range []string{"", "20 to 10", "1 to", "70", "a to b"} {
		_, err := r.Between(ask.Voice{}, spec, bad)
		wantField(t, err, "between")
	}
	for _, bad := range []string{"", "101", "half"} {
		_, err := r.Reaching(ask.Voice{}, spec, bad)
		wantField(t, err, "percent")
	}
	for _, bad := range []string{"", "0", "1.5", "1000001"} {
		_, err := r.Synthetic(nil, coin.NewSeeded(1), spec, "x", bad)
		wantField(t, err, "rows")
	}
	broken := &Density{Cells: []DensityCell{{Code: "70"}}}
	_, err = broken.Between(ask.Voice{}, spec, "1 to 2")
	wantField(t, err, "code")
}

// TestDensityOfDates has dates without bounds, and any number: made-up dates are dates.
func TestDensityOfDates(t *testing.T) {
	var b strings.Builder
	b.WriteString("day,x\n")
	for i := range 4000 {
		fmt.Fprintf(&b, "%s,%g\n", time.Date(2020, 1, 1+i%1000, 0, 0, 0, 0, time.UTC).
			Format("2006-01-02"), math.Exp(float64(i)/400))
	}
	file := []byte(b.String())
	for column, spec := range []domain.Spec{{Kind: domain.Date}, {Kind: domain.Float64}} {
		s := open(t, file)
		r := askFor(t, s, recipe(s, "density", column, spec, nil), file).Answer.Result.(*Density)
		median := r.At(nil, spec, 0.5)
		made, err := r.Synthetic(nil, coin.NewSeeded(1), spec, "made", "2000")
		if err != nil {
			t.Fatal(err)
		}
		inside := 0
		for _, line := range strings.Fields(made)[1:] {
			if column == 0 {
				if _, err := time.Parse("2006-01-02", line); err != nil {
					t.Fatal(err)
				}
				if line >= "2019-10" && line < "2023-01" {
					inside++
				}
			} else if x, err := strconv.ParseFloat(line, 64); err == nil && x > 0.1 && x < 1e6 {
				inside++
			}
		}
		if inside < 1500 {
			t.Errorf("%s: %d of 2000 made-up values are near the true ones", spec.Kind, inside)
		}
		if column == 0 && (median < "2021-01" || median > "2021-12") {
			t.Errorf("the median is %s", median)
		}
	}
}

// TestDyadicRangesAreFound: with as many rounds as it bears, the rule on ranges that have people
// tells them from a straight line where as many rounds as on all ranges find nothing.
func TestDyadicRangesAreFound(t *testing.T) {
	file := set("clinic").CSV()
	s := open(t, file)
	gap := map[string]int64{}
	for _, method := range []string{methodDyadic, "capped"} {
		for range 4 {
			r := recipe(s, "density", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "127"},
				ask.Params{paramMethod: method})
			release, _, err := askFor(t, s, r, file).Answer.Result.(*Density).
				distribution(r.Domain)
			if err != nil {
				t.Fatal(err)
			}
			points, _, err := gapOf(release, dataOf(t, s, r, file), nil)
			if err != nil {
				t.Fatal(err)
			}
			gap[method] -= points / 4
		}
	}
	if gap[methodDyadic] > 600 || gap["capped"] < 800 {
		t.Errorf("gaps of %v people", gap)
	}
}
