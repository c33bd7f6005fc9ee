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
)

// TestWarehouse: beside a question stands the SQL that counts for it, for an engine that is chosen
// and of a table that is named, to copy and to save. A file of counts that stands for 10^9 people
// is then asked the saved question, and answered in the tab.
func TestWarehouse(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.drop("#drop", visitors(t, 5000))
	askAge(p)
	p.until("the question", `document.getElementById("warehouse")`)
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
	path := filepath.Join(t.TempDir(), "counts.csv")
	if err := os.WriteFile(path, []byte(counts.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	question := filepath.Join(filepath.Dir(path), "question.json")
	if err := os.WriteFile(question, saved.data, 0o600); err != nil {
		t.Fatal(err)
	}
	q := open(t, serveBundle(t).url)
	q.upload("#recipe-file", question)
	q.waitText("A question is waiting")
	q.drop("#drop", path)
	q.waitText("Look at its contents…")
	q.agree()
	q.waitPrice()
	start := time.Now()
	q.click("button", "Release, spending ε = 0.5")
	q.until("an answer", `!!document.getElementById("export-json")`)
	t.Logf("a histogram of 10^9 people by their counts: %v",
		time.Since(start).Round(time.Millisecond))
	if r := released(q); r.Plan.People != 1_000_000_000 {
		t.Errorf("the release is of %d people", r.Plan.People)
	}
}
