//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// TestWarehouse: beside a question stands the SQL that counts for it, for an engine that is chosen
// and of a table that is named, to copy and to save. A file of counts that stands for 10^9 people
// is then asked the saved question, and answered in the tab.
func TestWarehouse(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.drop("#drop", visitors(t, 5000))
	askAge(p)
	p.until("the question", `document.getElementById("warehouse")`)
	p.eval(`document.getElementById("elsewhere").open = true`, nil)
	p.eval(`document.getElementById("warehouse").open = true`, nil)
	p.choose("Database", "PostgreSQL")
	p.fill("textbox", "Name of the table", `clinic.visits`)
	p.click("button", "Write the SQL")
	p.waitText("GROUP BY")
	var sql string
	p.eval(`document.getElementById("warehouse-sql").textContent`, &sql)
	for _, part := range []string{`FROM "clinic"."visits"`, `CAST("age" AS text)`, "COUNT(*)"} {
		if !strings.Contains(sql, part) {
			t.Errorf("the SQL has no %s:\n%s", part, sql)
		}
	}
	file := p.download(func() { p.clickSelector("#warehouse-save") })
	if string(file.data) != sql {
		t.Errorf("saved is %q, shown %q", file.data, sql)
	}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{1280, 360} {
			p.size(width, 1600)
			p.eval(`document.getElementById("warehouse").scrollIntoView()`, nil)
			p.screenshot(fmt.Sprintf("warehouse-%s-%d", theme, width), width, 1600, theme)
			p.axeOf(fmt.Sprintf("warehouse, %s, %d wide", theme, width))
		}
	}
	p.size(1280, 900)
	p.theme("light")
	p.choose("Database", "BigQuery")
	p.until("another engine",
		`document.getElementById("warehouse-sql").textContent.includes("STRING")`)
	saved := p.download(func() { p.clickSelector("#warehouse-question") })
	var r ask.Recipe
	if err := json.Unmarshal(saved.data, &r); err != nil || r.Count != 2 || r.Column != 1 {
		t.Fatalf("the question for the counts is %s, %v", saved.data, err)
	}

	var counts strings.Builder
	counts.WriteString("age,persons\n")
	for age := range 100 {
		fmt.Fprintf(&counts, "%d,%d\n", age, 1_000_000_000/100)
	}
	askCounts(t, counts.String(), r)
}

// askCounts asks a question of a file of counts that stands for 10^9 people, in a page of its own,
// and says how long it takes from the file to the price, and from there to the answer.
func askCounts(t *testing.T, counts string, r ask.Recipe) (total time.Duration) {
	t.Helper()
	dir := t.TempDir()
	path, question := filepath.Join(dir, "counts.csv"), filepath.Join(dir, "question.json")
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{path: counts, question: string(text)} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	q := open(t, serveBundle(t).url)
	q.upload("#recipe-file", question)
	q.waitText("A question is waiting")
	start := time.Now()
	q.drop("#drop", path)
	q.waitText("Look at its contents…")
	opened := time.Since(start)
	q.agree()
	start = time.Now()
	q.waitPrice()
	priced := time.Since(start)
	q.click("button", "Release, spending ε = "+r.Epsilon)
	q.until("an answer", `!!document.getElementById("export-json")`)
	asked := time.Since(start)
	t.Logf("%s of 10^9 people by their counts: the file %v, the price %v, the answer %v", r.Task,
		opened.Round(time.Millisecond), priced.Round(time.Millisecond),
		(asked - priced).Round(time.Millisecond))
	if r := released(q); r.Plan.People != 1_000_000_000 {
		t.Errorf("the release is of %d people", r.Plan.People)
	}
	return opened + asked
}

// TestBillion: a file of 200 000 counts that stands for 10^9 people, of their district, age and
// income, is asked for a table, quantiles, a distribution and made-up rows in the tab, each in at
// most 10 s.
func TestBillion(t *testing.T) {
	var counts strings.Builder
	counts.WriteString("district,age,income,persons\n")
	for i := range 20 * 100 * 100 {
		fmt.Fprintf(&counts, "D%d,%d,%d,%d\n", i/10000, i/100%100, i%100*500, 5000)
	}
	var districts []string
	for i := range 20 {
		districts = append(districts, fmt.Sprint("D", i))
	}
	age := ask.Field{Column: 2, Label: "age",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}
	income := ask.Field{Column: 3, Label: "income",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "49999"}}
	district := ask.Field{Column: 1, Label: "district",
		Domain: domain.Spec{Kind: domain.Category, Categories: districts}}
	reading, err := table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: 4}.Decided()
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []struct{ id, role string }{{"table", "by"}, {"quantiles", ""},
		{"distribution", ""}, {"madeup", "column"}, {"joint", "kept"}} {
		t.Run(q.id, func(t *testing.T) {
			if q.id == "joint" && os.Getenv("HUSH_LONG") == "" {
				t.Skip("skipped: most of the time of all; HUSH_LONG=1 runs it")
			}
			r := ask.Recipe{Version: ask.RecipeVersion, Task: q.id, Table: reading, Count: 4,
				Epsilon: "0.5"}
			if q.role == "" {
				r.Column, r.Label, r.Domain = income.Column, income.Label, income.Domain
			} else {
				a, i := age, income
				if q.id != "madeup" {
					a.Cuts, i.Cuts = []string{"18", "30", "45", "65"}, []string{"10000", "30000"}
				}
				r.Others = []ask.Field{district, a, i}
				for k := range r.Others {
					r.Others[k].Role = q.role
				}
			}
			if took := askCounts(t, counts.String(), r); took > 10*time.Second {
				t.Errorf("%v, want at most 10 s", took)
			}
		})
	}
}
