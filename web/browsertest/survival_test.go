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

// TestSurvivalCurve asks of patients how long they go without a relapse: some leave early, some have
// no time or no end, some were followed beyond the range.
func TestSurvivalCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	file := fileOf(t, "relapses.csv", "months,end", 2000, func(int) string {
		event, followed := int(r.ExpFloat64()*40), 6+r.IntN(66)
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
		return months + "," + end
	})
	recipe := ask.Recipe{Version: ask.RecipeVersion, Task: "survival", Column: 1, Label: "months",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60", Outside: domain.Clamp},
		Others: []ask.Field{{Role: "end", Column: 2, Label: "end",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"relapse", "left"}}}},
		Epsilon: "1", Table: table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: 2}}
	text, err := json.Marshal(recipe)
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, serveBundle(t).url+"#/?q="+base64.RawURLEncoding.EncodeToString(text))
	p.waitText("A question is waiting")
	p.upload("#file", file)
	p.waitPrice()
	p.waitText("Half of the band, usually")
	p.agree()
	p.click("button", "Release, spending ε = ")
	p.waitText("are still without “relapse” at about")
	s := released(p).Answer.Result.(*task.Survival)
	if _, half, _ := s.Median(); half == "" || s.All < 1800 || s.All > 2000 {
		t.Errorf("half at %q, of %d people", half, s.All)
	}
	look(p, "survival")
}
