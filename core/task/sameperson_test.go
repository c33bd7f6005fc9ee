package task

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// alike is a file of 500 persons in towns that everybody has, and one person more with five rows
// whose cells differ in zero bytes at the end.
func alike() []byte {
	var b strings.Builder
	b.WriteString("who,town,value\n")
	for i := range 500 {
		for g := range 5 {
			fmt.Fprintf(&b, "p%d,town %d,1\n", i, g)
		}
	}
	for g := range 5 {
		fmt.Fprintf(&b, "one,A%s,1\n", strings.Repeat("\x00", g))
	}
	return []byte(b.String())
}

// TestFoundGroupsOfOnePerson: a group that only one person of several rows is in is found as seldom
// as δ says, where the cells of these rows differ and are read as one label. Before cells were one
// group for both readings it was found in more than a tenth of the releases, with a δ of 0.0002.
func TestFoundGroupsOfOnePerson(t *testing.T) {
	file := alike()
	s := open(t, file)
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "count", Table: must(s.Opened()).Options,
		Person: 1, Use: &table.Use{Rows: 1, Groups: 5, Column: 2}, Epsilon: "20",
		Column: 3, Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"},
		Group: &ask.Group{Column: 2, Find: &ask.Find{Share: 99, Delta: "0.000225"}}}
	const runs = 200
	release := askFor(t, s, r, file)
	shown := 0
	for range runs {
		var err error
		if release, err = s.Run(r, nil); err != nil {
			t.Fatal(err)
		}
		for _, row := range release.Answer.Result.(*Estimates).Rows {
			if row.Group == "A" {
				shown++
			}
		}
	}
	delta, _ := release.Plan.Loss.Delta().Float64()
	t.Logf("δ %.3g: shown in %d of %d", delta, shown, runs)
	if delta <= 0 || delta > 0.000225 {
		t.Errorf("δ is %v", delta)
	}
	if shown > 3 { // with a chance below 10^-6 by δ
		t.Errorf("the group of one person is shown in %d of %d releases, for δ = %.3g", shown, runs,
			delta)
	}
}
