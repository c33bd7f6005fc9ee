package task

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/privacy"
	"hush/core/table"
)

// byManyShops are questions of persons with rows in several groups, which Gaussian noise hides.
func byManyShops() map[string]ask.Recipe {
	list := map[string]ask.Recipe{}
	for _, name := range []string{"count", "share", "sum", "mean"} {
		list[name] = ask.Recipe{Version: ask.RecipeVersion, Task: name, Person: 1, Column: 3,
			Domain: prices, Group: byShop, Epsilon: "1", Params: ask.Params{"delta": "0.00001"},
			Use: &table.Use{Rows: 3, Groups: 30, Column: 2},
			Table: must(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
				Columns: 3}.Decided())}
	}
	return list
}

// ordersFile is the file of orders.
func ordersFile(persons int) string {
	var file strings.Builder
	file.WriteString("person,shop,price\n")
	for _, o := range orders(persons) {
		fmt.Fprintf(&file, "%s,%s,%d\n", o.person, o.shop, o.price)
	}
	return file.String()
}

// averagedQuestions are those whose answers are averaged, and their files.
func averagedQuestions() (recipes map[string]ask.Recipe, files map[string]string) {
	recipes, files = byManyShops(), map[string]string{}
	for name := range recipes {
		files[name] = ordersFile(400)
	}
	people, _ := town(3000)
	tables := ask.Recipe{Version: ask.RecipeVersion, Task: "tables", Others: townTables(),
		Epsilon: "1", Params: ask.Params{"method": "residuals"}, Table: must(table.Options{
			Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 4}.Decided())}
	recipes["tables"], files["tables"] = tables, string(people)
	tables.Params = ask.Params{"method": "residuals", "fit": "false", "together": "3",
		"weights": "age, city, smoker = 5"}
	recipes["tables not fitted"], files["tables not fitted"] = tables, string(people)
	recipes["tables of persons"] = ask.Recipe{Version: ask.RecipeVersion, Task: "tables",
		Person: 1, Epsilon: "1", Params: ask.Params{"method": "residuals"},
		Use: &table.Use{Rows: 3}, Others: []ask.Field{
			{Role: "by", Column: 2, Label: "shop", Domain: category("north", "south")},
			{Role: "by", Column: 3, Label: "price",
				Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"},
				Cuts:   []string{"10"}}},
		Table: must(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: 3}.Decided())}
	files["tables of persons"] = ordersFile(400)
	return recipes, files
}

func reopenedFrom(t *testing.T, r *Release) *Release {
	t.Helper()
	var back Release
	if err := json.Unmarshal(must(json.Marshal(r)), &back); err != nil {
		t.Fatal(err)
	}
	return &back
}

// TestAverages: an answer with Gaussian noise is made good twice, each time for the difference in
// ρ, up to the person, also where rows are drawn of persons; it says so, follows from its draws,
// and its head closes.
func TestAverages(t *testing.T) {
	recipes, files := averagedQuestions()
	for name, r := range recipes {
		t.Run(name, func(t *testing.T) {
			s := NewSession(coin.NewSeeded(3))
			if err := s.Load(strings.NewReader(files[name]), r); err != nil {
				t.Fatal(err)
			}
			first := must(s.Run(r, nil))
			if first.Head == nil || len(first.Head.Draws) != 1 || first.Head.Sums != nil ||
				first.Plan.Loss.Delta().Sign() == 0 {
				t.Fatalf("the head is %v, the loss %v", first.Head, first.Plan.Loss)
			}
			latest := reopenedFrom(t, first)
			paid := first.Plan.Loss.Rho()
			for i, epsilon := range []string{"2", "4"} {
				offer := must(s.PlanTopUp(latest, epsilon))
				next := must(s.TopUp(latest, epsilon, nil))
				paid.Add(paid, offer.Debit.Rho())
				whole := must(s.Plan(next.Recipe)).Loss
				// stated losses are rounded up, each by itself; that of several rows of a person
				// may be less than their ρ adds up to, since their ε bounds it too
				all := whole.Rho()
				if r.Use != nil && r.Use.Groups == 0 {
					if paid.Cmp(all) < 0 || offer.Debit.Rho().Cmp(all) >= 0 {
						t.Errorf("paid ρ = %v and %v of it now, the answer costs %v", paid,
							offer.Debit.Rho(), whole.Rho())
					}
				} else if off := all.Quo(paid, all).Sub(all, big.NewRat(1, 1)); off.Abs(off).Cmp(
					big.NewRat(1, 10_000)) > 0 {
					t.Errorf("paid ρ = %v, the answer costs %v", paid, whole.Rho())
				}
				if offer.Debit.IsRest() || !whole.AtMost(next.Plan.Loss) {
					t.Errorf("the debit is %v, in all %v", offer.Debit, next.Plan.Loss)
				}
				if offer.Plan.Off.Bound < must(s.Plan(next.Recipe)).Off.Bound {
					t.Error("an average is forecast to be more exact than one release")
				}
				words := fmt.Sprintf("average of %d releases", i+2)
				if !strings.Contains(next.Statement, words) ||
					!strings.Contains(next.Plan.Algorithm, words) {
					t.Errorf("it says %q, by %q", next.Statement, next.Plan.Algorithm)
				}
				if len(next.Head.Draws) != i+2 || len(next.Head.Before) != i+1 ||
					next.Head.Before[i].Digest != latest.Digest() {
					t.Errorf("the chain is %v", next.Head.Before)
				}
				_, err := s.PlanTopUp(latest, "5")
				refused(t, "a second successor", "release", err)
				latest = reopenedFrom(t, next)
				again, err := ask.Redo(nil, All{}, latest)
				if err != nil || !again.Drawn || ask.KeyOf(again.Release.Answer) !=
					ask.KeyOf(next.Answer) || again.Release.Statement != next.Statement ||
					ask.KeyOf(again.Release.Head, again.Release.Plan) != ask.KeyOf(next.Head,
						next.Plan) {
					t.Errorf("worked out again: %v, %+v", err, again.Release)
				}
			}
			if first.Digest() == latest.Digest() || len(latest.Digest()) != 64 {
				t.Error("two answers of a chain have one digest")
			}
		})
	}
}

// TestAverageMeter: what an average draws is what is debited to a person, and no less; on another
// person's rows all that is public is equal.
func TestAverageMeter(t *testing.T) {
	recipes, _ := averagedQuestions()
	for _, name := range []string{"sum", "tables of persons"} {
		t.Run(name, func(t *testing.T) { averageMeter(t, recipes[name]) })
	}
}

func averageMeter(t *testing.T, r ask.Recipe) {
	file := ordersFile(60)
	lines := strings.Split(strings.TrimSpace(file), "\n")
	var other []string // person 5 shops elsewhere, and less
	for _, line := range lines {
		if strings.HasPrefix(line, "p5,") {
			line = "p5,south,1"
		}
		other = append(other, line)
	}
	both := func(src coin.Source, file string) (string, ask.TopUpPlan, privacy.Loss) {
		s := NewSession(src)
		if err := s.Load(strings.NewReader(file), r); err != nil {
			t.Fatal(err)
		}
		first := must(s.Run(r, nil))
		offer := must(s.PlanTopUp(first, "3"))
		next := must(s.TopUp(first, "3", nil))
		return ask.KeyOf(first, next), offer, first.Plan.Loss
	}
	tape := meter.Record(7)
	want, offer, before := both(tape, file)
	names := tape.Inputs()
	if len(names) < 2 || names[len(names)-1].Spend.Name !=
		"discrete Gaussian noise, to be averaged" {
		t.Fatalf("drew %v", names)
	}
	again := tape.Replay()
	if have, _, _ := both(again, strings.Join(other, "\n")+"\n"); have != want {
		t.Errorf("of another person's rows was published\n%s, want\n%s", have, want)
	}
	if list := again.Violations(); len(list) > 0 {
		t.Error(list)
	}
	// a full release of the larger ε is not paid by the difference
	spent := meter.New(coin.NewSeeded(1)).Of(uint64(r.Use.Entries()))
	r.Epsilon = "3"
	_, question, err := ask.Prepare(All{}, r, 60*int64(r.Use.Entries()))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSession(coin.NewSeeded(3))
	if err := s.Load(strings.NewReader(file), r); err != nil {
		t.Fatal(err)
	}
	if _, err := question.Run(spent, must(s.Data(r)), nil); err != nil {
		t.Fatal(err)
	}
	if spent.Over(offer.Debit) == nil || before.Rho().Sign() == 0 {
		t.Errorf("ε = 3 was paid by %v", offer.Debit)
	}
}

// TestTablesRefuseTopUps: tables of Laplace noise keep no draw, and are asked again.
func TestTablesRefuseTopUps(t *testing.T) {
	recipes, files := averagedQuestions()
	r := recipes["tables"]
	s := NewSession(coin.NewSeeded(3))
	if err := s.Load(strings.NewReader(files["tables"]), r); err != nil {
		t.Fatal(err)
	}
	first := must(s.Run(r, nil))
	for _, method := range []string{"independent", "full"} {
		r.Params = ask.Params{"method": method}
		laplace := must(s.Run(r, nil))
		if laplace.Head != nil || laplace.Drawn != nil {
			t.Errorf("%s: a head %v", method, laplace.Head)
		}
		laplace.Head = first.Head
		_, err := s.PlanTopUp(laplace, "2")
		refused(t, method, "release", err)
	}
}
