package task_test

import (
	"bytes"
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
)

// answer asks a question of the made-up patients of a clinic, with coins that fall in the same way
// each time: a release takes coin.NewCrypto.
func answer(r ask.Recipe) *task.Release {
	clinic, _ := sample.Named("clinic")
	file := bytes.NewReader(clinic.CSV())
	session := task.NewSession(coin.NewSeeded(1))
	opened, err := session.Open(file, table.Options{})
	if err != nil {
		panic(err)
	}
	r.Version, r.Table = ask.RecipeVersion, opened.Options
	if err := session.Read(file, r); err != nil {
		panic(err)
	}
	release, err := session.Run(r, nil)
	if err != nil {
		panic(err)
	}
	return release
}

// say prints a sentence in lines that fit a page.
func say(sentence string) {
	line := ""
	for _, word := range strings.Fields(sentence) {
		if len(line)+len(word) > 80 {
			fmt.Println(line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	fmt.Println(line)
}

// The columns of the clinic, as a person who never saw the file knows them.
var (
	age       = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}
	wait      = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}
	visits    = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}
	districts = domain.Spec{Kind: domain.Category, Categories: []string{"Harbour", "Hill", "Market",
		"Mill", "Old Town", "Park"}}
	departments = domain.Spec{Kind: domain.Category, Categories: []string{"children", "eyes",
		"general", "heart", "injuries"}}
)

// How many waited for two hours or longer?
func Example_count() {
	r := answer(ask.Recipe{Task: "count", Column: 2, Label: "wait_minutes", Epsilon: "0.1",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "120", Hi: "300"}})
	say(r.Statement)
	// Output:
	// About 134 people have wait_minutes from 120 to 300 (104 to 164 in 95 of 100
	// releases).
}

// What share is 65 or older?
func Example_share() {
	r := answer(ask.Recipe{Task: "share", Column: 1, Label: "age", Epsilon: "0.1",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "65", Hi: "100"}})
	say(r.Statement)
	// Output:
	// About 34.2 % of all people have age from 65 to 100 (33.2 to 35.2 % in 95 of 100
	// releases).
}

// How old are they on average, and how sure is that?
func Example_mean() {
	r := answer(ask.Recipe{Task: "mean", Column: 1, Label: "age", Domain: age, Epsilon: "0.5"})
	say(r.Statement)
	fmt.Println("It cost", r.Plan.Loss)
	// Output:
	// Mean age of those with a value is about 45.25 (45.06 to 45.45 in 95 of 100
	// releases).
	// It cost ε = 0.5
}

// The same by district.
func Example_meanByGroup() {
	r := answer(ask.Recipe{Task: "mean", Column: 1, Label: "age", Domain: age, Epsilon: "1",
		Group: &ask.Group{Column: 3, Label: "district", Names: districts.Categories}})
	fmt.Print(r.CSV())
	// Output:
	// group,mean,low,high,verdict
	// Harbour,47.51,46.92,48.10,good
	// Hill,46.52,44.93,48.10,good
	// Market,44.05,43.51,44.59,good
	// Mill,42.74,41.65,43.83,good
	// Old Town,44.98,44.24,45.72,good
	// Park,46.24,43.56,48.93,good
}

// How many visits were there in all?
func Example_sum() {
	r := answer(ask.Recipe{Task: "sum", Column: 5, Label: "visits", Domain: visits,
		Epsilon: "0.5"})
	say(r.Statement)
	// Output:
	// The sum of visits of those with a value is about 10 870 (10 630 to 11 110 in 95
	// of 100 releases).
}

// How long does half of them wait?
func Example_median() {
	r := answer(ask.Recipe{Task: "median", Column: 2, Label: "wait_minutes", Domain: wait,
		Epsilon: "0.5"})
	say(r.Statement)
	// Output:
	// Median wait_minutes is about 23: half of the people with a value are at or below
	// it, give or take 35 people (in 95 of 100 releases).
}

// How are the ages spread?
func Example_histogram() {
	r := answer(ask.Recipe{Task: "histogram", Column: 1, Label: "age", Epsilon: "1",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"},
		Params: ask.Params{"width": "25"}})
	fmt.Print(r.CSV())
	// Output:
	// age_from,age_to,count,low,high,verdict
	// 0,25,859,853,865,good
	// 25,50,759,753,765,good
	// 50,75,1094,1088,1100,good
	// 75,100,480,474,486,good
}

// Which district is the most frequent?
func Example_mode() {
	r := answer(ask.Recipe{Task: "mode", Column: 3, Label: "district", Domain: districts,
		Epsilon: "0.5"})
	say(r.Statement)
	// Output:
	// Market is the most common district, or at most 25 people behind the most common
	// one (in 95 of 100 releases): about 899 people (± 24 in 95 of 100 releases).
}

// How many patients of which department come from which district?
func Example_table() {
	r := answer(ask.Recipe{Task: "table", Epsilon: "1", Others: []ask.Field{
		{Role: "by", Column: 3, Label: "district", Domain: districts},
		{Role: "by", Column: 4, Label: "department", Domain: departments}}})
	lines := strings.SplitAfter(r.CSV(), "\n")
	fmt.Print(strings.Join(lines[:4], ""))
	// Output:
	// district,department,count,low,high,share,verdict
	// Harbour,children,132,126,138,0.041250,good
	// Harbour,eyes,112,106,118,0.035000,good
	// Harbour,general,276,270,282,0.086250,good
}

// From which age on are patients more likely with heart than with children?
func Example_cutoff() {
	r := answer(ask.Recipe{Task: "cutoff", Column: 1, Label: "age", Domain: age, Epsilon: "3",
		Others: []ask.Field{{Role: "outcome", Column: 4, Label: "department",
			Domain: domain.Spec{Kind: domain.Category,
				Categories: []string{"heart", "children"}}}}})
	say(r.Statement)
	// Output:
	// Cut-off of age: heart from 15 on. It misclassifies at most 10 people more than
	// the best one (in 95 of 100 releases). It is right for about 100.0 % of the people
	// (between 83.6 and 100.0 %, in 95 of 100 releases).
}

// Only those who meet a condition count; all others have no value, and n stays what it is.
func Example_condition() {
	r := answer(ask.Recipe{Task: "mean", Column: 2, Label: "wait_minutes", Domain: wait,
		Epsilon: "1", Filter: []table.Condition{{Column: 4, Label: "department",
			Spec: departments, In: []string{"injuries"}}}})
	say(r.Statement)
	// Output:
	// Among people with department injuries: Mean wait_minutes of those with a value is
	// about 64.3 (62.1 to 66.5 in 95 of 100 releases).
}
