package joint

import (
	"errors"
	"math"
	"testing"

	"hush/core/coin"
)

// made is a living table of the given rows, by column, of which all pairs were measured.
func made(t *testing.T, columns [][]uint8, sizes ...int) *Living {
	t.Helper()
	by := pairsOf("1", "0.0000001", sizes)
	model := &Model{Measured: must(by.Release(coin.NewSeeded(1), columns, nil)), Strength: 1}
	for row := range columns[0] {
		for _, column := range columns {
			model.rows = append(model.rows, column[row])
		}
	}
	return must(NewLiving(model, by))
}

// listed are rows of two columns, each pair as often as is said.
func listed(table [][]int) [][]uint8 {
	out := make([][]uint8, 2)
	for i, row := range table {
		for j, times := range row {
			for range times {
				out[0], out[1] = append(out[0], uint8(i)), append(out[1], uint8(j))
			}
		}
	}
	return out
}

var (
	isYes    = Within{1, []bool{false, true, false}}
	answered = []bool{true, true, false}
	noNumber = math.Float64frombits(nan)
)

// TestLogisticKnown: the odds ratio of a table of counts, and twenty students who passed by hours
// of study (en.wikipedia.org/wiki/Logistic_regression: 1.5046 and −4.0777).
func TestLogisticKnown(t *testing.T) {
	near := func(name string, got, want, within float64) {
		t.Helper()
		if !(math.Abs(got-want) <= within) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// places 0, 1, 3 of the first column have a value, and nobody is in place 2
	l := made(t, listed([][]int{{30, 10, 5}, {20, 40, 2}, {0, 0, 0}, {12, 18, 0}, {7, 9, 4}}), 5, 3)
	places := Predictor{Column: 0, Values: []float64{0, 0, 0, 0, noNumber}}
	fit, err := l.Logistic(isYes, answered, []Predictor{places}, nil, .05)
	if err != nil || len(fit.Coefficients) != 2 {
		t.Fatal(fit, err)
	}
	near("intercept", fit.Intercept, math.Log(10./30), 1e-9)
	near("persons", fit.Persons, 130, 1e-9)
	for k, want := range []float64{math.Log(40. / 20 * 30 / 10), math.Log(18. / 12 * 30 / 10)} {
		c := fit.Coefficients[k]
		near("coefficient", c.Value, want, 1e-9)
		if c.Place != 1+2*k || c.Against != 0 || c.Known != ByCounts || c.Low >= want ||
			c.High <= want {
			t.Errorf("%+v", c)
		}
	}

	hours := []float64{.5, .75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3, 3.25, 3.5, 4, 4.25, 4.5,
		4.75, 5, 5.5}
	passed := []uint8{0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1}
	students := [][]uint8{nil, passed}
	for place := range hours {
		students[0] = append(students[0], uint8(place))
		if hours[place] == 1.75 { // of two students, and one passed
			students[0] = append(students[0], uint8(place))
		}
	}
	l = made(t, students, len(hours)+1, 3)
	study := Predictor{Column: 0, Numbers: true, Values: append(hours, noNumber)}
	fit, err = l.Logistic(isYes, answered, []Predictor{study}, nil, .05)
	if err != nil || len(fit.Coefficients) != 1 {
		t.Fatal(fit, err)
	}
	near("hours", fit.Coefficients[0].Value, 1.5046, 5e-5)
	near("intercept", fit.Intercept, -4.0777, 5e-5)
	if fit.Coefficients[0].Known != Unmeasured || fit.Coefficients[0].Place >= 0 {
		t.Errorf("%+v", fit.Coefficients[0])
	}
}

// TestLogisticScore: with numbers, places and a condition the weights meet the equations of the
// greatest likelihood: the predicted answers add up to the given ones, also weighted by each entry.
func TestLogisticScore(t *testing.T) {
	sizes, people := town(4000)
	l := made(t, people, sizes...)
	yes, has := Within{2, places(3, 0)}, places(3, 0, 1, 2)
	only := Within{3, places(sizes[3], 0)}
	by := []Predictor{{Column: 0, Numbers: true, Values: firstValues},
		{Column: 1, Values: laterValues}}
	fit, err := l.Logistic(yes, has, by, []Within{only}, .05)
	if err != nil || len(fit.Coefficients) != 4 {
		t.Fatal(fit, err)
	}
	sums, n := make([]float64, 5), 0.0 // nobody with a value of the first is in the last place
	for person := range people[0] {
		v := firstValues[people[0][person]]
		if math.IsNaN(v) || !only.Places[people[3][person]] {
			continue
		}
		n++
		entries := []float64{1, v, 0, 0, 0}
		if place := people[1][person]; place > 0 {
			entries[1+place] = 1
		}
		z := fit.Intercept
		for i, c := range fit.Coefficients {
			z += c.Value * entries[i+1]
			if c.Known != Unmeasured {
				t.Fatalf("%+v", c)
			}
		}
		for i, x := range entries {
			sums[i] += x * (one(yes.Places[people[2][person]]) - 1/(1+math.Exp(-z)))
		}
	}
	for i, sum := range sums {
		if math.Abs(sum) > 1e-6*n {
			t.Errorf("equation %d is off by %v", i, sum)
		}
	}
	if math.Abs(fit.Persons-n) > 1e-6 {
		t.Errorf("%v persons, want %v", fit.Persons, n)
	}
}

// TestLogisticFlaws: an answer that all give, a column of one value, columns that follow from each
// other, and such as decide the answer, alone or together.
func TestLogisticFlaws(t *testing.T) {
	numbers := func(values ...float64) Predictor {
		return Predictor{Column: 0, Numbers: true, Values: values}
	}
	of := Predictor{Column: 0, Values: []float64{0, 0, noNumber}}
	for name, c := range map[string]struct {
		table [][]int
		by    Predictor
		want  UnfitError
	}{
		"nobody":    {[][]int{{0, 0, 4}, {0, 0, 4}, {1, 2, 0}}, of, UnfitError{OneAnswer, 1, -1}},
		"only no":   {[][]int{{9, 0, 4}, {9, 0, 4}, {0, 3, 0}}, of, UnfitError{OneAnswer, 1, -1}},
		"only yes":  {[][]int{{0, 9, 0}, {0, 9, 0}, {3, 0, 0}}, of, UnfitError{OneAnswer, 1, -1}},
		"one place": {[][]int{{5, 6, 0}, {0, 0, 9}, {5, 5, 0}}, of, UnfitError{OneValue, 0, -1}},
		"one number": {[][]int{{5, 6, 0}, {3, 2, 0}, {5, 5, 0}}, numbers(7, 7, noNumber),
			UnfitError{OneValue, 0, -1}},
		"a sure place": {[][]int{{5, 6, 0}, {3, 0, 0}, {5, 5, 0}}, of, UnfitError{Separated, 0, 1}},
		"a threshold": {[][]int{{5, 0, 0}, {5, 0, 0}, {0, 9, 0}}, numbers(1, 2, 3),
			UnfitError{Separated, -1, -1}},
		"all but one": {[][]int{{5, 0, 0}, {5, 9, 0}, {0, 9, 0}}, numbers(1, 2, 3),
			UnfitError{Separated, -1, -1}},
	} {
		l := made(t, listed(c.table), 3, 3)
		var unfit *UnfitError
		fit, err := l.Logistic(isYes, answered, []Predictor{c.by}, nil, .05)
		if !errors.As(err, &unfit) || *unfit != c.want {
			t.Errorf("%s: %+v, %v", name, fit, err)
		}
	}
	people := listed([][]int{{5, 6, 0}, {3, 4, 0}, {5, 9, 0}})
	l := made(t, append(people, people[0]), 3, 3, 3)
	twice := []Predictor{numbers(1, 2, 3), {Column: 2, Numbers: true, Values: []float64{4, 6, 8}}}
	var unfit *UnfitError
	if _, err := l.Logistic(isYes, answered, twice, nil, .05); !errors.As(err, &unfit) ||
		unfit.Flaw != Dependent {
		t.Errorf("a column that stands twice: %v", err)
	}
}
