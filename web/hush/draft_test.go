package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
)

// TestDraft: a recipe names its columns, and leaves open how its file is read; that is the question
// with numbers and all options.
func TestDraft(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	full := ages(t, file, "mean", "0.5")
	full.Group = &ask.Group{Column: 2, Label: "sex", Names: []string{"f", "m"}}
	named := strings.NewReplacer(`"column":1`, `"column": "age"`, `"column":2`, `"column" :"sex"`)
	price := func(text string) string {
		t.Helper()
		code, out, said := hush(t, "ask", "-json", "-ledger", dir, save(t, "mean.json", text), file)
		if code != exitDone {
			t.Errorf("code %d, %s: %s", code, said, text)
		}
		return out
	}
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	bare := full
	bare.Table.Encoding, bare.Table.Delimiter, bare.Table.Columns = "", "", 0
	some, err := json.Marshal(bare)
	if err != nil {
		t.Fatal(err)
	}
	var none map[string]any
	if err := json.Unmarshal(text, &none); err != nil {
		t.Fatal(err)
	}
	delete(none, "table")
	open, err := json.Marshal(none)
	if err != nil {
		t.Fatal(err)
	}
	want := price(string(text))
	for _, text := range []string{named.Replace(string(text)), string(some), string(open),
		named.Replace(string(open))} {
		if out := price(text); out != want {
			t.Errorf("%s\nis priced as %s\nwant %s", text, out, want)
		}
	}
	// a column that is named needs no label beside
	unlabelled := strings.NewReplacer(`,"label":"age"`, "", `,"label":"sex"`, "")
	bareNames := named.Replace(unlabelled.Replace(string(open)))
	if strings.Contains(bareNames, "label") {
		t.Error("labels are still there: " + bareNames)
	}
	if out := price(bareNames); out != want {
		t.Errorf("%s\nis priced as %s\nwant %s", bareNames, out, want)
	}
	if !strings.Contains(named.Replace(string(open)), `"sex"`) {
		t.Error("no column is named")
	}
	// a report of the same
	report := `{"division": "evenly", "total": "1", "delta": "0", "parts": [{"recipe": ` +
		named.Replace(string(open)) + `}, {"recipe": ` + string(open) + `}]}`
	if code, out, said := hush(t, "plan", "-spend", "-ledger", dir, save(t, "report.json", report),
		file); code != exitDone || !strings.Contains(out, "2. ") {
		t.Errorf("the report: code %d, %s %s", code, out, said)
	}
}

// TestDraftRefused: what is wrong is said with the place, the field, and what to write there.
func TestDraftRefused(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	t.Setenv("HUSH_LEDGER", dir)
	text, err := json.MarshalIndent(ages(t, file, "mean", "0.5"), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	recipe := string(text)
	change := func(old, now string) string {
		changed := strings.Replace(recipe, old, now, 1)
		if changed == recipe {
			t.Fatalf("nothing is %q", old)
		}
		return save(t, "other.json", changed)
	}
	whole := save(t, "mean.json", recipe)
	report := save(t, "report.json", `{"parts": [{"recipe": `+recipe+`}], "total": "1"}`)
	_, release, _ := hush(t, "ask", "-spend", "-json", "-ledger", dir, whole, file)
	drawn := save(t, "drawn.json", release)
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"swapped", []string{"ask", file, whole}, []string{"people.csv", "no recipe", "first"}},
		{"a report to ask", []string{"ask", report, file}, []string{"report", "hush plan"}},
		{"a recipe to plan", []string{"plan", whole, file}, []string{"one recipe", "hush ask"}},
		{"a release", []string{"ask", drawn, file}, []string{"release", "hush check"}},
		{"a recipe to top up", []string{"topup", whole, file}, []string{"mean.json", "no release"}},
		{"a table to check", []string{"check", file}, []string{"no release", "hush look"}},
		{"a number for a text", []string{"ask", change(`"label": "age"`, `"label": 5`), file},
			[]string{"other.json, line 1", `"label" is a number`, "a text in quotes"}},
		{"an unknown field", []string{"ask", change(`"label"`, `"labels"`), file},
			[]string{"other.json", "line 1", `no field "labels"`}},
		{"no such column", []string{"ask", change(`"column": 1`, `"column": "pay"`), file},
			[]string{"people.csv", `no column "pay"`, "age, sex"}},
		{"no JSON from somewhere on", []string{"ask", change(`"label":`, `"label"`), file},
			[]string{"other.json, line 1", "no JSON any more"}},
	} {
		code, out, said := hush(t, c.args...)
		if code != exitUnread {
			t.Errorf("%s: code %d, %s %s", c.name, code, out, said)
		}
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%s: %q does not say %q", c.name, said, want)
			}
		}
		if strings.Contains(said, "Go ") || strings.Contains(said, " json:") ||
			strings.Contains(said, "task:") || strings.Contains(said, "ask: ask:") {
			t.Errorf("%s: a word for programmers: %s", c.name, said)
		}
	}
	// the recipe of another file asks whether it is one of this
	other := save(t, "other.csv", "town;age\nBerg;41\nTal;32\n")
	if code, out, said := hush(t, "ask", "-ledger", dir, whole, other); code != exitRefused ||
		!strings.Contains(out, `your file says "town;age", the description says "age"`) ||
		!strings.Contains(out, "Add -agree if that is so.") {
		t.Errorf("another file: code %d, %s %s", code, out, said)
	}
}
