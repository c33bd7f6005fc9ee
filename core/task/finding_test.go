package task

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/table"
)

// towns is a file of n rows: pay of 0 to 399, three large towns, the last of them in a script of
// its own and with a comma, and for every twentieth person a town of which there is no other.
func towns(n int) []byte {
	var b strings.Builder
	b.WriteString("pay,town\n")
	for i := range n {
		town := []string{"Bern", "Graz", `"Ulm, 東"`}[i%3]
		switch {
		case i%20 == 0:
			town = fmt.Sprintf("hamlet %d", i)
		case i%50 == 1:
			town = ""
		}
		fmt.Fprintf(&b, "%d,%s\n", i%400, town)
	}
	return []byte(b.String())
}

func finding50(s *Session, task string) ask.Recipe {
	r := recipe(s, task, 0, payDomain, nil)
	r.Group = &ask.Group{Column: 2, Find: &ask.Find{Share: 50, Delta: "1e-6"}}
	return r
}

// TestGroupsAreFound: the large towns are found with their sizes, the others are together in the
// last row, and each interval holds the truth. With 5 % for each of 24 intervals, up to four may
// miss.
func TestGroupsAreFound(t *testing.T) {
	const n = 12_000
	file := towns(n)
	sum, valued := map[string]float64{}, map[string]float64{}
	nowhere := 0.0
	for i := range n {
		town := []string{"Bern", "Graz", "Ulm, 東"}[i%3]
		switch {
		case i%20 == 0:
			town = string(allOthers)
		case i%50 == 1:
			nowhere++
			continue
		}
		sum[town] += float64(i % 400)
		valued[town]++
	}
	missed := 0
	for task, truth := range map[string]func(town string) float64{
		"count": func(town string) float64 { return valued[town] },
		"sum":   func(town string) float64 { return sum[town] },
		"mean":  func(town string) float64 { return sum[town] / valued[town] },
	} {
		s := open(t, file)
		release := askFor(t, s, finding50(s, task), file)
		e := release.Answer.Result.(*Estimates)
		var names []string
		for _, row := range e.Rows {
			names = append(names, row.Group)
			size := valued[row.Group]
			if row.Group == string(allOthers) {
				size += nowhere
			}
			for _, held := range []struct {
				in   Estimate
				true float64
			}{{row, truth(row.Group)}, {*row.Size, size}} {
				if held.true < parse(t, held.in.Low) || held.true > parse(t, held.in.High) {
					missed++
				}
			}
		}
		if want := []string{"Bern", "Graz", "Ulm, 東", string(allOthers)}; !slices.Equal(
			names, want) || !e.Found {
			t.Errorf("%s: groups %q, want %q", task, names, want)
		}
		if !strings.Contains(release.Statement, "3 groups were found.") {
			t.Errorf("%s: %s", task, release.Statement)
		}
		table := release.Table(nil)
		if len(table[0]) != 7 || len(table[4]) != 7 || table[1][0] != "Bern" ||
			table[1][4]+".0" != e.Rows[0].Size.Value { // people are whole
			t.Errorf("%s: the table says %q", task, table)
		}
	}
	if missed > 4 {
		t.Errorf("%d of 24 intervals miss the truth", missed)
	}
}

// TestFindingIsPaidFor: the loss is that of the finding and of the answers, ε within what was
// granted however it is divided, δ that of the finding and of the question.
func TestFindingIsPaidFor(t *testing.T) {
	s := open(t, towns(3000))
	granted := big.NewRat(1, 1)
	for _, share := range []int{1, 37, 50, 99} {
		for _, extra := range []string{"0", "1e-7"} {
			r := finding50(s, "sum")
			r.Group.Find.Share, r.Params = share, ask.Params{ask.ParamDelta: extra}
			plan, err := s.Plan(r)
			if err != nil {
				t.Fatal(err)
			}
			r.Group, r.Epsilon = nil, fmt.Sprintf("%d/100", 100-share)
			alone, err := s.Plan(r)
			if err != nil {
				t.Fatal(err)
			}
			epsilon, ok := plan.Loss.Epsilon()
			// more is lost to rounding by nobody
			least := new(big.Rat).Mul(granted, big.NewRat(99, 100))
			if !ok || epsilon.Cmp(granted) > 0 || epsilon.Cmp(least) < 0 {
				t.Errorf("share %d: ε = %v of %v granted", share, epsilon, granted)
			}
			rest := new(big.Rat).Sub(plan.Loss.Delta(), alone.Loss.Delta())
			if limit := big.NewRat(1, 1_000_000); rest.Sign() <= 0 || rest.Cmp(limit) > 0 {
				t.Errorf("share %d, δ %s: finding costs δ = %v, want above 0 and at most %v", share,
					extra, rest, limit)
			}
			if plan.Loss.AtMost(alone.Loss) {
				t.Errorf("share %d: finding the groups is free", share)
			}
			if !strings.Contains(plan.Algorithm, "stability histogram") ||
				!strings.Contains(plan.Guarantee.Exact, "approximate") {
				t.Errorf("the plan says %q, %q", plan.Algorithm, plan.Guarantee.Exact)
			}
		}
	}
}

// TestFindingForecastIsPublic: two files of as many people, one without any group, are forecast
// alike and cost the same.
func TestFindingForecastIsPublic(t *testing.T) {
	one, two := open(t, towns(900)), open(t, []byte("pay,town\n"+strings.Repeat("7,\n", 900)))
	r := finding50(one, "mean")
	p, err := one.Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Table = must(two.Opened()).Options
	q, err := two.Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := marshal(t, p), marshal(t, q); x != y {
		t.Errorf("two plans:\n%s\n%s", x, y)
	}
}

// TestNoGroupIsLargeEnough: then all others are everybody.
func TestNoGroupIsLargeEnough(t *testing.T) {
	file := towns(60)
	s := open(t, file)
	r := finding50(s, "count")
	r.Epsilon = "0.1"
	release := askFor(t, s, r, file)
	if e := release.Answer.Result.(*Estimates); len(e.Rows) != 1 ||
		e.Rows[0].Group != string(allOthers) {
		t.Errorf("groups of 19 people are found at ε = 0.05: %+v", e.Rows)
	}
	if !strings.Contains(release.Verdict.Text, "No group was large enough") ||
		release.Plan.Forecast[2].Value != "none for certain" {
		t.Errorf("%s; %+v", release.Verdict.Text, release.Plan.Forecast)
	}
}

// TestFindingWithCountsAndConditions: a row stands for as many people as it says, and who does not
// meet a condition is in no group.
func TestFindingWithCountsAndConditions(t *testing.T) {
	file := []byte(
		"pay,town,people\n10,Bern,4000\n30,Graz,3000\n50,Ulm,3\n70,Bern,x\n20,Chur,2000\n")
	s := open(t, file)
	r := finding50(s, "mean")
	r.Count = 3
	r.Filter = append(r.Filter,
		table.Condition{Column: 1, Spec: domain.Spec{Kind: domain.Float64}, To: "40"})
	e := askFor(t, s, r, file).Answer.Result.(*Estimates)
	var names []string
	for _, row := range e.Rows {
		names = append(names, row.Group)
	}
	if !slices.Equal(names, []string{"Bern", "Chur", "Graz", string(allOthers)}) {
		t.Fatalf("groups %q", names)
	}
	if size := parse(t, e.Rows[0].Size.Value); size < 3800 || size > 4200 {
		t.Errorf("Bern has %g people, want about 4000", size)
	}
}

func TestFindingRefusals(t *testing.T) {
	s := open(t, towns(1000))
	for _, c := range []struct {
		name, field string
		change      func(*ask.Recipe)
	}{
		{"no share", "findShare", func(r *ask.Recipe) { r.Group.Find.Share = 0 }},
		{"all of ε", "findShare", func(r *ask.Recipe) { r.Group.Find.Share = 100 }},
		{"no δ", "findDelta", func(r *ask.Recipe) { r.Group.Find.Delta = "0" }},
		{"δ that is no number", "findDelta", func(r *ask.Recipe) { r.Group.Find.Delta = "little" }},
		{"δ of 1/n", "findDelta", func(r *ask.Recipe) { r.Group.Find.Delta = "0.001" }},
		{"a list too", "groups", func(r *ask.Recipe) { r.Group.Names = []string{"Bern"} }},
		{"a column beyond the last", "groupColumn", func(r *ask.Recipe) { r.Group.Column = 3 }},
		{"a long name", "groupColumn", func(r *ask.Recipe) {
			r.Group.Label = strings.Repeat("x", ask.MaxLabel+1)
		}},
	} {
		r := finding50(s, "sum")
		c.change(&r)
		_, err := s.Plan(r)
		t.Run(c.name, func(t *testing.T) { wantField(t, err, c.field) })
	}
	r := finding50(s, "histogram")
	_, err := s.Plan(r)
	wantField(t, err, "groupColumn")
}

// TestFoundGroupsTravel: the recipe and the release come back from JSON.
func TestFoundGroupsTravel(t *testing.T) {
	file := towns(3000)
	s := open(t, file)
	release := askFor(t, s, finding50(s, "mean"), file)
	var back Release
	if err := json.Unmarshal([]byte(release.JSON("")), &back); err != nil {
		t.Fatal(err)
	}
	if x, y := marshal(t, back), marshal(t, release); x != y {
		t.Errorf("it comes back as\n%s\nwant\n%s", x, y)
	}
	if back.Origin != coin.Seeded || back.Recipe.Group.Find.Share != 50 || back.Plan.Loss.Delta().
		Sign() == 0 {
		t.Errorf("%+v", back.Recipe.Group)
	}
	var sum privacy.Loss
	// a long ρ is rounded up on the way
	if sum = sum.Plus(back.Plan.Loss); sum.String() != release.Plan.Loss.String() ||
		!release.Plan.Loss.AtMost(sum) {
		t.Errorf("the loss %v is not that of the release, %v", sum, release.Plan.Loss)
	}
}

// TestGroupsAreFoundByColumns: groups that are found are combined with a further column, within
// what was granted. With 5 % for each of 72 intervals, up to nine may miss.
func TestGroupsAreFoundByColumns(t *testing.T) {
	const n = 12_000
	file := []byte("pay,town,shift\n")
	people := map[string][]float64{}
	for i := range n {
		town, pay := []string{"Bern", "Graz", "Ulm"}[i%3], i%400
		if i%20 == 0 {
			town = fmt.Sprintf("hamlet %d", i)
		}
		shift := []string{"day", "night"}[i/3%2]
		file = fmt.Appendf(file, "%d,%s,%s\n", pay, town, shift)
		if i%20 == 0 {
			town = "all others"
		}
		people[town+" · "+shift] = append(people[town+" · "+shift], float64(pay))
	}
	missed := 0
	within := func(x float64, low, high string) {
		if x < parse(t, low) || x > parse(t, high) {
			missed++
		}
	}
	for _, task := range []string{"count", "sum", "mean", "variance", "median"} {
		s := open(t, file)
		r := finding50(s, task)
		r.Group.Label = "town"
		r.Others = []ask.Field{{Role: ask.FurtherGroups, Column: 3, Label: "shift",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"day", "night"}}}}
		plan, err := s.Plan(r)
		if err != nil {
			t.Fatal(err)
		}
		if e, _ := plan.Loss.Epsilon(); e.Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("%s: ε = %s of 1", task, e)
		}
		release := askFor(t, s, r, file)
		var names []string
		var axes []Axis
		switch out := release.Answer.Result.(type) {
		case *Estimates:
			axes = out.Axes
			for _, row := range out.Rows {
				names = append(names, row.Group)
				pays, sum, squares := people[row.Group], 0.0, 0.0
				for _, x := range pays {
					sum, squares = sum+x, squares+x*x
				}
				m := float64(len(pays))
				truth := map[string]float64{"count": m, "sum": sum, "mean": sum / m,
					"variance": squares/m - sum/m*sum/m}[task]
				within(truth, row.Low, row.High)
				town, _, _ := strings.Cut(row.Group, " · ")
				within(float64(len(people[town+" · day"])+len(people[town+" · night"])),
					row.Size.Low, row.Size.High)
			}
		case *Medians:
			axes = out.Axes
			for _, row := range out.Rows {
				names = append(names, row.Group)
				if x := parse(t, row.Value); math.Abs(x-200) > 40 {
					t.Errorf("the median of %s is %g", row.Group, x)
				}
				low, high := out.Band(row)
				within(float64(len(people[row.Group])), fmt.Sprint(low), fmt.Sprint(high))
			}
		}
		if want := []string{"Bern · day", "Bern · night", "Graz · day", "Graz · night", "Ulm · day",
			"Ulm · night", "all others · day", "all others · night"}; !slices.Equal(names, want) ||
			!slices.Equal(AxisNames(axes), []string{"town", "shift"}) {
			t.Errorf("%s: %q of %v", task, names, axes)
		}
		if !strings.Contains(release.Statement, "3 groups were found.") && task != "median" {
			t.Errorf("%s: %s", task, release.Statement)
		}
	}
	if missed > 9 {
		t.Errorf("%d of 72 intervals miss the truth", missed)
	}
}

// TestFoundByTooMuch refuses what could not be asked about however few groups are found.
func TestFoundByTooMuch(t *testing.T) {
	s := open(t, towns(900))
	same := finding50(s, "count")
	same.Column, same.Domain = 1, payDomain
	same.Others = []ask.Field{{Role: ask.FurtherGroups, Column: 2, Label: "town",
		Domain: domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Graz"}}}}
	if _, err := s.Plan(same); err == nil || !strings.Contains(err.Error(), "another column") {
		t.Errorf("the column of the groups, again: %v", err)
	}
	many := finding50(s, "count")
	var names []string
	for i := range 6000 {
		names = append(names, fmt.Sprint(i))
	}
	many.Group.Column = 1
	many.Column, many.Domain = 2, domain.Spec{Kind: domain.Category, Categories: names[:3]}
	many.Others = []ask.Field{{Role: ask.FurtherGroups, Column: 2, Label: "town",
		Domain: domain.Spec{Kind: domain.Category, Categories: names}}}
	if _, err := s.Plan(many); err == nil || !strings.Contains(err.Error(), "at most 5000") {
		t.Errorf("6000 cells of each group: %v", err)
	}
}
