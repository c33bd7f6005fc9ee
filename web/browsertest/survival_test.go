//go:build browser

package browsertest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// TestSurvivalCurve asks of patients how long they go without a relapse: some leave early, some
// have no time or no end, some were followed beyond the range; then of each of two arms.
func TestSurvivalCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	file := fileOf(t, "relapses.csv", "months,end,arm", 2000, func(i int) string {
		event, followed := int(r.ExpFloat64()*float64(60-35*(i%2))), 6+r.IntN(66)
		months, end := fmt.Sprint(min(event, followed)), "left"
		if event <= followed {
			end = "relapse"
		}
		switch r.IntN(50) {
		case 0:
			months = ""
		case 1:
			end = "unknown"
		}
		return months + "," + end + "," + []string{"new", "usual"}[i%2]
	})
	recipe := ask.Recipe{Version: ask.RecipeVersion, Task: "survival", Column: 1, Label: "months",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60", Outside: domain.Clamp},
		Others: []ask.Field{{Role: "end", Column: 2, Label: "end",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"relapse", "left"}}}},
		Epsilon: "1", Table: table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: 3}}
	asked := func(recipe ask.Recipe) *webPage {
		text, err := json.Marshal(recipe)
		if err != nil {
			t.Fatal(err)
		}
		p := open(t, serveBundle(t).url+"#/?q="+base64.RawURLEncoding.EncodeToString(text))
		p.waitText("A question is waiting")
		p.upload("#file", file)
		p.waitPrice()
		return p
	}
	p := asked(recipe)
	p.waitText("Half of the band, usually")
	p.agree()
	p.click("button", "Release, spending ε = ")
	p.waitText("are still without “relapse” at about")
	s := released(p).Answer.Result.(*task.Survival)
	c := s.Curves[0]
	if _, half, _ := c.Median("0"); half == "" || c.All < 1800 || c.All > 2000 {
		t.Errorf("half at %q, of %d people", half, c.All)
	}
	look(p, "survival")

	recipe.Group = &ask.Group{Column: 3, Label: "arm", Names: []string{"new", "usual"}}
	p = asked(recipe)
	p.waitText("for 1 000 people in each group")
	p.agree()
	p.click("button", "Release, spending ε = ")
	p.waitText("are still without “relapse” at")
	both := released(p).Answer.Result.(*task.Survival)
	high, low, at := both.Apart()
	if high == nil || high.Group != "new" || len(both.Curves) != 2 {
		t.Fatalf("apart are %v, %v of %+v", high, low, both)
	}
	p.waitText(fmt.Sprintf("With “new”, %.1f to %.1f percentage points more",
		high.Points[at].Low-low.Points[at].High, high.Points[at].High-low.Points[at].Low))
	look(p, "survival of two groups")
}
