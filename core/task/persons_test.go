package task

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/table"
)

// order is a row of the test file: each person has 0 to 3 orders in each of two shops.
type order struct {
	person, shop string
	price        int
}

func orders(persons int) (list []order) {
	rng := rand.New(rand.NewPCG(7, 8))
	for p := range persons {
		for _, shop := range []string{"north", "south"} {
			for range rng.IntN(4) {
				list = append(list, order{fmt.Sprint("p", p), shop, 1 + rng.IntN(9)})
			}
		}
	}
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

func askOrders(t *testing.T, list []order, r ask.Recipe, seed uint64) *ask.Release[All] {
	t.Helper()
	var file strings.Builder
	file.WriteString("person,shop,price\n")
	for _, o := range list {
		fmt.Fprintf(&file, "%s,%s,%d\n", o.person, o.shop, o.price)
	}
	r.Version, r.Person = ask.RecipeVersion, 1
	r.Table = must(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: 3}.Decided())
	s := ask.NewSession(All{}, coin.NewSeeded(coin.Seed(seed)))
	if err := s.Load(strings.NewReader(file.String()), r); err != nil {
		t.Fatal(err)
	}
	return must(s.Run(r, nil))
}

var (
	prices = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "10"}
	shops  = domain.Spec{Kind: domain.Category, Categories: []string{"north", "south"}}
	byShop = &ask.Group{Column: 2, Names: shops.Categories}
)

// TestPersonsAtMuchEpsilon: where nobody has more rows than the bounds allow, answers at much ε are
// the data's: rows, persons, sums, means and persons' own values.
func TestPersonsAtMuchEpsilon(t *testing.T) {
	list := orders(4000)
	total, times := map[string]float64{}, map[string]float64{}
	shopper, persons := map[string]float64{}, map[[2]string]bool{}
	for _, o := range list {
		total[o.shop] += float64(o.price)
		times[o.shop]++
		shopper[o.person]++
		if who := [2]string{o.person, o.shop}; !persons[who] {
			persons[who] = true
			total[o.shop+" persons"]++
		}
	}
	rows := table.Use{Rows: 3, Groups: 2, Column: 2}
	found := &ask.Group{Column: 2, Find: &ask.Find{Share: 50, Delta: "0.00001"}}
	visits := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "20"}
	number := table.Use{Values: []table.Value{{Column: 3, Of: table.Number}}}
	for _, c := range []struct {
		name   string
		recipe ask.Recipe
		want   []float64
		within float64
	}{
		{"rows", ask.Recipe{Task: "count", Column: 3, Domain: prices, Use: &table.Use{Rows: 6}},
			[]float64{times["north"] + times["south"]}, 2},
		{"rows by group", ask.Recipe{Task: "count", Column: 3, Domain: prices, Use: &rows,
			Group: byShop}, []float64{times["north"], times["south"]}, 2},
		{"persons by group", ask.Recipe{Task: "count", Column: 3, Domain: prices,
			Use: &table.Use{Rows: 1, Groups: 2, Column: 2}, Group: byShop},
			[]float64{total["north persons"], total["south persons"]}, 2},
		{"persons by groups that are found", ask.Recipe{Task: "count", Column: 3, Domain: prices,
			Use: &table.Use{Rows: 1, Groups: 2, Column: 2}, Group: found},
			[]float64{total["north persons"], total["south persons"]}, 2},
		{"rows by groups that are found", ask.Recipe{Task: "count", Column: 3, Domain: prices,
			Use: &rows, Group: found}, []float64{times["north"], times["south"]}, 3},
		{"persons in all, by any column", ask.Recipe{Task: "count", Column: 2, Domain: shops,
			Use: &table.Use{Rows: 1}}, []float64{float64(len(shopper))}, 2},
		{"persons who bought in the north", ask.Recipe{Task: "count", Column: 2, Domain: shops,
			Use:    &table.Use{Rows: 1},
			Filter: []table.Condition{{Column: 2, Spec: shops, In: []string{"north"}}}},
			[]float64{total["north persons"]}, 2},
		{"sum by group", ask.Recipe{Task: "sum", Column: 3, Domain: prices, Use: &rows,
			Group: byShop}, []float64{total["north"], total["south"]}, 10},
		{"mean by group", ask.Recipe{Task: "mean", Column: 3, Domain: prices, Use: &rows,
			Group: byShop}, []float64{total["north"] / times["north"],
			total["south"] / times["south"]}, 0.01},
		{"persons, whose numbers are clipped", ask.Recipe{Task: "count", Column: 3,
			Domain: domain.Spec{Kind: domain.Integer, Lo: "4", Hi: "20"},
			Use:    &number}, []float64{float64(len(shopper))}, 2},
		{"orders of a person", ask.Recipe{Task: "mean", Column: 3, Domain: visits, Use: &number},
			[]float64{(times["north"] + times["south"]) / float64(len(shopper))}, 0.01},
	} {
		c.recipe.Epsilon = "100"
		release := askOrders(t, list, c.recipe, 1)
		if n := release.Plan.People; n != int64(len(shopper)) {
			t.Errorf("%s: n is %d, want %d", c.name, n, len(shopper))
		}
		for i, row := range release.Table(nil)[1:] {
			at := 0
			if c.recipe.Group != nil {
				at = 1
			}
			have, err := strconv.ParseFloat(row[at], 64)
			if err != nil {
				t.Fatalf("%s: %q", c.name, row)
			}
			if i < len(c.want) && math.Abs(have-c.want[i]) > c.within {
				t.Errorf("%s: %v, want %v within %v", c.name, have, c.want[i], c.within)
			}
		}
	}
}

// TestRowsBound: the choice of k is a number of rows that at most as many persons exceed as is said
// before, at the loss that was asked for, and hardly ever one far beyond what anybody has.
func TestRowsBound(t *testing.T) {
	list := orders(2000)
	times := map[string]int{}
	for _, o := range list {
		times[o.person]++
	}
	for _, epsilon := range []string{"0.05", "1"} {
		about, most := RowsAbove(epsilon)
		if about < 1 || most < 3*about {
			t.Errorf("about %d and at most %d persons have more rows", about, most)
		}
		wrong, beyond := 0, 0
		for seed := range uint64(12) {
			release := askOrders(t, list, RowsBound(ask.Recipe{Version: ask.RecipeVersion,
				Person: 1, Epsilon: epsilon}), seed)
			k, above, ok := ChosenRows(release)
			if !ok || above != most {
				t.Fatal(release.Table(nil))
			}
			var more int64
			for _, rows := range times {
				if rows > k {
					more++
				}
			}
			if k > 12 { // nobody has half as many
				beyond++
			}
			if more > most {
				wrong++
			}
			if e, _ := release.Plan.Loss.Epsilon(); must(privacy.ParseEpsilon(epsilon)).Rat().
				Cmp(e) < 0 {
				t.Errorf("it costs ε = %v, of %s", e, epsilon)
			}
			if n := int64(len(times)); release.Plan.People != n {
				t.Errorf("%d people, want %d", release.Plan.People, n)
			}
		}
		if beyond > 4 { // of 12, each with a chance below 1 in 4·(1/2)²
			t.Errorf("ε = %s: %d of 12 choices are twice what anybody has", epsilon, beyond)
		}
		if wrong > 3 { // of 12, each wrong with a chance of at most 1 in 20: 3 in 1000
			t.Errorf("ε = %s: %d of 12 choices are exceeded by more than is said", epsilon, wrong)
		}
	}
	shops := GroupsBound(ask.Recipe{Version: ask.RecipeVersion, Person: 1, Epsilon: "5"}, 2)
	for seed := range uint64(3) { // everybody is in one or two
		release := askOrders(t, list, shops, seed)
		g, _, ok := ChosenRows(release)
		if !ok || g < 2 || g > 12 || release.Plan.People != int64(len(times)) {
			t.Errorf("%d groups of %d people", g, release.Plan.People)
		}
	}
	if about, most := RowsAbove("none"); about != 0 || most != 0 {
		t.Errorf("%d and %d persons without a price", about, most)
	}
}

// TestHundredPercent: all of the people is asked for by itself, of not too many values, and with no
// algorithm that cannot answer it.
func TestHundredPercent(t *testing.T) {
	hours := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "80"}
	for _, c := range []struct {
		params ask.Params
		spec   domain.Spec
		fine   bool
	}{
		{ask.Params{paramTargets: "100"}, hours, true},
		{ask.Params{paramTargets: "100%"}, hours, true},
		{ask.Params{paramTargets: "50, 100"}, hours, false},
		{ask.Params{paramTargets: "101"}, hours, false},
		{ask.Params{paramTargets: "100", paramAlgorithm: splits}, hours, false},
		{ask.Params{paramTargets: "100"},
			domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "70000"}, false},
	} {
		_, err := Price(nil, ask.Recipe{Version: ask.RecipeVersion, Task: "quantiles", Column: 1,
			Domain: c.spec, Params: c.params, Epsilon: "1",
			Table: must(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
				Columns: 1}.Decided())}, 1000)
		var refused *param.Error
		if c.fine != (err == nil) || err != nil && (!errors.As(err, &refused) ||
			refused.Field != paramTargets) {
			t.Errorf("%v: %v", c.params, err)
		}
	}
}

// TestPersonsLoss: for every question with several rows per person the loss, computed from the loss
// of one entry, is at most the granted ε and δ.
func TestPersonsLoss(t *testing.T) {
	var asked int
	for _, task := range (All{}).Tasks() {
		for _, use := range []table.Use{{Rows: 3}, {Rows: 2, Groups: 4, Column: 1}, {Rows: 1000},
			{Values: []table.Value{{Column: 1, Of: table.Largest}}}} {
			r := task.Example.Recipe
			r.Version, r.Task, r.Epsilon = ask.RecipeVersion, task.ID, "7"
			r.Person, r.Use = 1, &use
			_, prepared, err := ask.Prepare(All{}, r, 40_000)
			if err != nil {
				t.Log(task.ID, use, err)
				continue
			}
			one, plan := must(prepared.Loss()), must(ask.Price(nil, All{}, r, 40_000))
			spent, _ := one.Epsilon()
			have, known := plan.Loss.Epsilon()
			if total, _ := have.Float64(); !known || total > 7 || total < 5 {
				t.Errorf("%s, %+v: ε = %v of 7", task.ID, use, total)
			}
			if plan.Loss.Delta().Cmp(big.NewRat(1, 10_000_000)) > 0 {
				t.Errorf("%s, %+v: δ = %v", task.ID, use, plan.Loss.Delta())
			}
			all := must(one.Group(privacy.Distance(use.Entries())))
			if all.Delta().Cmp(plan.Loss.Delta()) > 0 {
				t.Errorf("%s, %+v: entries have a larger δ together", task.ID, use)
			}
			for range use.Entries() { // no less than what this many entries spend
				have.Sub(have, spent)
			}
			if have.Sign() < 0 {
				t.Errorf("%s, %+v: less than the loss of all entries", task.ID, use)
			}
			asked++
		}
	}
	if asked < 3*len(All{}.Tasks()) {
		t.Errorf("only %d were asked", asked)
	}
}

// TestUsualRows: what is said before a release follows how many rows persons are known to have;
// where that is not known, it is said for all rows and for single ones. Losses and answers stay.
func TestUsualRows(t *testing.T) {
	const people = 500
	priced := func(task, usual string) ask.Plan {
		return must(ask.Price(nil, All{}, ask.Recipe{Version: ask.RecipeVersion, Task: task,
			Person: 1, Column: 3, Domain: prices, Epsilon: "1",
			Use: &table.Use{Rows: 50, Usual: usual}}, people))
	}
	for _, task := range []string{"count", "mean", "sum"} {
		unknown, one, ten, beyond := priced(task, ""), priced(task, "1"), priced(task, "10"),
			priced(task, "80")
		if one.Verdict.Error/one.Verdict.About < 5*ten.Verdict.Error/ten.Verdict.About ||
			ten.Verdict.Error/ten.Verdict.About < 3*beyond.Verdict.Error/beyond.Verdict.About {
			t.Errorf("%s: %+v with one row, %+v with ten, %+v with 80", task, one.Verdict,
				ten.Verdict, beyond.Verdict)
		}
		if beyond.Verdict.Grade != unknown.Verdict.Grade ||
			beyond.Verdict.Error != unknown.Verdict.Error {
			t.Errorf("%s: %+v with more than count, %+v with all", task, beyond.Verdict,
				unknown.Verdict)
		}
		if span := "with one row each it is " + string(one.Verdict.Grade.Words()); one.Verdict.
			Grade != unknown.Verdict.Grade && !strings.Contains(unknown.Verdict.Text, span) {
			t.Errorf("%s: %q, want %q", task, unknown.Verdict.Text, span)
		}
		if !strings.Contains(ten.Verdict.Text, "about 10 rows of each") {
			t.Errorf("%s: %q", task, ten.Verdict.Text)
		}
		if ten.Loss.String() != unknown.Loss.String() || ten.People != people {
			t.Errorf("%s: %v of %d, want %v", task, ten.Loss, ten.People, unknown.Loss)
		}
	}
	for _, wrong := range []string{"0", "-1", "many", "NaN"} {
		_, err := ask.Price(nil, All{}, ask.Recipe{Version: ask.RecipeVersion, Task: "count",
			Person: 1, Column: 3, Domain: prices, Epsilon: "1",
			Use: &table.Use{Rows: 2, Usual: wrong}}, people)
		if err == nil && (&table.Use{Rows: 2, Usual: wrong}).Check(3) == nil {
			t.Errorf("%s rows are taken", wrong)
		}
	}
	list := orders(300)
	of := func(usual string) [][]string {
		return askOrders(t, list, ask.Recipe{Task: "count", Column: 3, Domain: prices,
			Epsilon: "1", Use: &table.Use{Rows: 2, Usual: usual}}, 5).Table(nil)
	}
	if with, without := of("3"), of(""); fmt.Sprint(with) != fmt.Sprint(without) {
		t.Errorf("%v, and %v without", with, without)
	}
}

// TestSeveralGroups: where groups are found, or Gaussian noise hides them, a person's loss is what
// was granted, and the groups of several are found from smaller sizes on, with less noise, than
// group privacy from one row would have it.
func TestSeveralGroups(t *testing.T) {
	const people = 40_000
	of := func(r ask.Recipe) (ask.Plan, ask.Prepared) {
		r.Version, r.Person, r.Column, r.Domain = ask.RecipeVersion, 1, 3, prices
		plan := must(ask.Price(nil, All{}, r, people))
		_, prepared, err := ask.Prepare(All{}, r, people)
		if err != nil {
			t.Fatal(err)
		}
		return plan, prepared
	}
	for _, rows := range []int{1, 3} {
		use := table.Use{Rows: rows, Groups: 5, Column: 2}
		other := use
		other.Column = 3 // groups of another column: nothing is known of the question's
		for _, task := range []string{"count", "median"} {
			var sizes []int64
			for _, u := range []*table.Use{&use, &other} {
				plan, p := of(ask.Recipe{Task: task, Use: u, Epsilon: "5",
					Group: &ask.Group{Column: 2,
						Find: &ask.Find{Share: 50, Delta: "0.000001"}}})
				e, _ := plan.Loss.Epsilon()
				if d := plan.Loss.Delta(); e.Cmp(big.NewRat(5, 1)) > 0 ||
					d.Cmp(big.NewRat(1, 1_000_000)) > 0 || d.Sign() == 0 {
					t.Errorf("%s, %+v: %v", task, u, plan.Loss)
				}
				switch p := p.(type) {
				case *estimate:
					sizes = append(sizes, p.finding.groups.NeededSize(0.05))
				case *medians:
					sizes = append(sizes, p.finding.groups.NeededSize(0.05))
				}
			}
			if len(sizes) != 2 || (rows == 1) != (sizes[0] < sizes[1]) || sizes[0] > sizes[1] {
				t.Errorf("%s, %d rows: found from %d", task, rows, sizes)
			}
		}
		use.Groups, other.Groups = 30, 30
		for _, task := range []string{"count", "sum", "mean"} {
			var bounds []float64
			for _, u := range []*table.Use{&use, &other} {
				plan, p := of(ask.Recipe{Task: task, Use: u, Epsilon: "5", Group: byShop,
					Params: ask.Params{ask.ParamDelta: "0.000001"}})
				e, known := plan.Loss.Epsilon()
				if !known || e.Cmp(big.NewRat(5, 1)) > 0 ||
					plan.Loss.Delta().Cmp(big.NewRat(1, 1_000_000)) > 0 {
					t.Errorf("%s, %+v: %v", task, u, plan.Loss)
				}
				bounds = append(bounds, p.Bound())
			}
			if bounds[0] > 0.75*bounds[1] {
				t.Errorf("%s, %d rows: within %v", task, rows, bounds)
			}
		}
	}
}

// TestGroupSumsAreUnbiased: sums by group are right on average where no value exceeds the bounds,
// and otherwise low by the excess.
func TestGroupSumsAreUnbiased(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of draws")
	}
	list := orders(60)
	truth := 0.0
	for _, o := range list {
		if o.shop == "north" {
			truth += float64(o.price)
		}
	}
	average := func(use table.Use) (mean, off float64) {
		const runs = 400
		for seed := range uint64(runs) {
			row := askOrders(t, list, ask.Recipe{Task: "sum", Column: 3, Domain: prices,
				Use: &use, Group: byShop, Epsilon: "20"}, 100+seed).Table(nil)[1]
			have, err := strconv.ParseFloat(row[1], 64)
			if err != nil {
				t.Fatal(row)
			}
			mean += have / runs
		}
		// the noise of an entry is of scale 10·2·6/20 at most, so that of a mean of 400 is
		return mean, 5 * math.Sqrt2 * 6 / math.Sqrt(runs)
	}
	if mean, off := average(table.Use{Rows: 3, Groups: 2, Column: 2}); math.Abs(mean-truth) > off {
		t.Errorf("sums of %v are %v on average, further off than %v", truth, mean, off)
	}
	if mean, off := average(table.Use{Rows: 1, Groups: 2, Column: 2}); mean > truth/1.3+off {
		t.Errorf("sums of one row each are %v on average, hardly below %v", mean, truth)
	}
}
