//go:build peer

package peer

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// worked is one question of the worked release.
type worked struct {
	file, why string
	recipe    ask.Recipe
	rows      int // of the answer that are written down
}

// codes are the categories 0 to n − 1.
func codes(n int) domain.Spec {
	spec := domain.Spec{Kind: domain.Category}
	for i := range n {
		spec.Categories = append(spec.Categories, strconv.Itoa(i))
	}
	return spec
}

// workedQuestions are about the two data sets that the field measures by.
func workedQuestions() []worked {
	people := codebook.Noun{One: "person", Many: "persons"}
	by := func(column int, label string, spec domain.Spec, cuts ...string) ask.Field {
		return ask.Field{Role: "by", Column: column, Label: label, Domain: spec, Cuts: cuts}
	}
	ages := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}
	pums := ask.Recipe{Data: "PUMS, California, 1 000 persons", Noun: people}
	adult := ask.Recipe{Data: "Adult, 48 842 persons", Noun: people}
	with := func(r ask.Recipe, task, epsilon string, fields ...ask.Field) ask.Recipe {
		r.Version, r.Task, r.Epsilon, r.Others = ask.RecipeVersion, task, epsilon, fields
		r.Params = ask.Params{}
		return r
	}
	ages2 := with(pums, "table", "1", by(1, "age", ages, "30", "45", "65"),
		by(6, "married", codes(2)))
	income := with(pums, "mean", "1")
	income.Column, income.Label, income.Unit = 5, "income", "dollars"
	income.Domain = domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "100000", Step: "100"}
	income.Group = &ask.Group{Column: 6, Label: "married", Names: []string{"0", "1"}}
	three := with(adult, "table", "0.5", by(9, "sex", codes(2)),
		by(14, "income over 50 000", codes(2)), by(8, "race", codes(5)))
	pairs := with(adult, "tables", "1", by(2, "workclass", codes(9)),
		by(5, "marital status", codes(7)), by(6, "occupation", codes(15)),
		by(7, "relationship", codes(6)), by(8, "race", codes(5)))
	pairs.Params[ask.ParamDelta] = "0.0000001"
	return []worked{
		{"pums.csv", "How many persons are there of each age, married and not? A thousand " +
			"persons bear a table of eight cells at ε = 1.", ages2, 20},
		{"pums.csv", "What do they earn? Incomes above 100 000 count as that much, which was " +
			"said before anybody looked.", income, 20},
		{"adult.csv", "One table of three columns, at half the loss: of fifty times the people.",
			three, 30},
		{"adult.csv", "All ten tables of two of five columns in one release. A δ lets residuals " +
			"with Gaussian noise pay once for what tables share.", pairs, 16},
	}
}

// TestWorkedRelease asks the questions of a report about PUMS and Adult, and with -update writes
// WORKED.md: what is known before, what it costs, what is released. The coins are seeded, so that
// the text stays the same: such numbers must not be published for data that are secret.
func TestWorkedRelease(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# A worked release

Written by ` + "`./build.sh bench peers`" + ` (` + "`COLUMNS`" + ` names a directory with the data). These are the
questions of a small report about two public data sets, PUMS and Adult, as the page asks them: what is
known before, what it costs, and what comes out. The coins are seeded, which no release of secret data may
be.
`)
	for i, w := range workedQuestions() {
		file, err := os.ReadFile(filepath.Join(*data, w.file))
		if os.IsNotExist(err) {
			t.Skipf("no %s in %s", w.file, *data)
		} else if err != nil {
			t.Fatal(err)
		}
		s := task.NewSession(coin.NewSeeded(coin.Seed(i + 1)))
		feed := func(pass table.Pass, err error) {
			if err == nil {
				err = pass.Write(file)
			}
			if err == nil {
				err = pass.Close()
			}
			if err != nil {
				t.Fatalf("%s: %v", w.file, err)
			}
		}
		feed(s.Survey(table.Options{}))
		opened, err := s.Opened()
		if err != nil {
			t.Fatal(err)
		}
		w.recipe.Table = opened.Options
		plan, err := s.Plan(w.recipe)
		if err != nil {
			t.Fatal(err)
		}
		feed(s.Encode(w.recipe))
		release, err := s.Run(w.recipe, nil)
		if err != nil {
			t.Fatal(err)
		}
		if release.Plan.Loss.String() != plan.Loss.String() {
			t.Errorf("%s costs %s and was to cost %s", plan.Task, release.Plan.Loss, plan.Loss)
		}
		fmt.Fprintf(&b, "\n## %d. %s: %s\n\n%s\n\n", i+1, w.recipe.Data, plan.Task, w.why)
		fmt.Fprintf(&b, "*Before.* It costs %s: %s\n\n", plan.Loss, plan.Guarantee.Promise)
		fmt.Fprintf(&b, "%s. ", plan.Algorithm)
		for _, f := range plan.Forecast {
			fmt.Fprintf(&b, "%s: %s (%s). ", f.Label, f.Value, f.Detail)
		}
		fmt.Fprintf(&b, "%s\n\n*After.* %s", plan.Verdict.Text, release.Statement)
		if release.Plan.Verdict != nil {
			fmt.Fprintf(&b, " %s", release.Plan.Verdict.Text)
		}
		b.WriteString("\n\n")
		list := release.Table(nil)
		for k, row := range list[:min(len(list), w.rows+1)] {
			fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
			if k == 0 {
				b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
			}
		}
		if more := len(list) - 1 - w.rows; more > 0 {
			fmt.Fprintf(&b, "\nand %d rows more.\n", more)
		}
	}
	t.Log("\n" + b.String())
	if *write {
		if err := os.WriteFile("WORKED.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
