package warehouse

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// billion is how many people the file of counts stands for.
const billion = 1_000_000_000

// countsOfBillion is a file of counts of a billion people: their district, of 20, their age and
// their income in 500 steps. A fifth of all combinations occur.
func countsOfBillion() string {
	var b strings.Builder
	b.WriteString("district,age,income,persons\n")
	const rows = 20 * 100 * 100
	left := int64(billion)
	for i := range rows {
		district, age, income := i/10000, i/100%100, i%100*5+(i/100)%5
		n := int64(billion/rows) * int64(20+(age*(99-age))/100+district) / 50
		if i == rows-1 {
			n = left
		}
		left -= n
		fmt.Fprintf(&b, "D%d,%d,%d,%d\n", district, age, income*100, n)
	}
	return b.String()
}

// questionsOfBillion are those that are asked of it.
func questionsOfBillion() map[string]ask.Recipe {
	var districts []string
	for i := range 20 {
		districts = append(districts, fmt.Sprint("D", i))
	}
	district := domain.Spec{Kind: domain.Category, Categories: districts}
	age := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}
	income := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "49999"}
	o, _ := table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: 4}.Decided()
	list := map[string]ask.Recipe{}
	for id, params := range map[string]ask.Params{"histogram": {"width": "1000"}, "table": nil,
		"quantiles": {"targets": "100"}, "distribution": nil, "joint": nil} {
		r := ask.Recipe{Version: ask.RecipeVersion, Task: id, Table: o, Count: 4, Column: 3,
			Domain: income, Params: params, Epsilon: "1"}
		if id == "table" || id == "joint" {
			r.Column, r.Domain = 0, domain.Spec{}
			r.Others = []ask.Field{{Role: "by", Column: 1, Domain: district},
				{Role: "by", Column: 2, Domain: age, Cuts: []string{"18", "30", "45", "65"}},
				{Role: "by", Column: 3, Domain: income, Cuts: []string{"10000", "30000"}}}
			if id == "joint" {
				for i := range r.Others {
					r.Others[i].Role = "kept"
				}
			}
		}
		list[id] = r
	}
	return list
}

// askBillion asks one of the questions.
func askBillion(t testing.TB, file string, r ask.Recipe) {
	s := task.NewSession(coin.NewSeeded(1))
	if err := s.Load(strings.NewReader(file), r); err != nil {
		t.Fatalf("%s: %v", r.Task, err)
	}
	plan, err := s.Plan(r)
	if err != nil {
		t.Fatalf("%s: %v", r.Task, err)
	}
	if plan.People != billion {
		t.Errorf("%s: of %d people", r.Task, plan.People)
	}
	if _, err := s.Run(r, nil); err != nil {
		t.Errorf("%s: %v", r.Task, err)
	}
}

// TestBillion: a file of counts that stands for a billion people is asked for a histogram, a table,
// quantiles, a distribution and made-up rows.
func TestBillion(t *testing.T) {
	file := countsOfBillion()
	for _, r := range questionsOfBillion() {
		askBillion(t, file, r)
	}
}

// BenchmarkBillion times each of them, from the bytes of the file to the release.
func BenchmarkBillion(b *testing.B) {
	file := countsOfBillion()
	for id, r := range questionsOfBillion() {
		b.Run(id, func(b *testing.B) {
			for b.Loop() {
				askBillion(b, file, r)
			}
		})
	}
}
