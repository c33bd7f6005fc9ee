//go:build browser

package browsertest

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/task"
)

// clinic are visits of patients as a practice writes them: a mark at the front, lines that end as
// on Windows, quotes, blanks, spellings that are in no list, a broken row and an empty one. Each
// patient has two rows, with the same district.
func clinic() (text string, rows [][]string) {
	var b strings.Builder
	b.WriteString("\ufeffPatienten-Nr.;Bezirk;Geschlecht;age;note\r\n")
	districts := []string{"Mitte", "Hafen", "Mitte", "Süd", "Mitte"}
	notes := []string{"Kontrolle", "Kontrolle", "Impfung", "Kontrolle", `"Rezept; ""neu"""`}
	for i := range 6000 {
		patient := i / 2
		row := []string{fmt.Sprintf("P%04d", patient), districts[patient%5],
			[]string{"w", "m", "m", "d", "w", "w", "m"}[i%7], fmt.Sprint(20 + patient%60),
			notes[i%5]}
		switch { // the first rows are as they should be
		case i > 100 && i%97 == 0:
			row[3] = "n. a."
		case i > 100 && i%53 == 0:
			row[2] = "weiblich"
		}
		fmt.Fprint(&b, strings.Join(row, ";")+"\r\n")
		rows = append(rows, row)
	}
	b.WriteString("P0001;Mitte\r\n\r\n")
	return b.String(), append(rows, []string{"P0001", "Mitte", "", "", ""})
}

// peopleOf are the rows as a release's question sees them, read here cell by cell.
func peopleOf(r ask.Recipe, rows [][]string) (list []ask.Person) {
	main, _ := domain.New(r.Domain.Plain())
	for _, row := range rows {
		p := ask.Person{Times: 1, Main: -1}
		if main != nil && r.Column > 0 {
			if code, ok := main.Encode([]byte(row[r.Column-1])); ok {
				p.Main = int64(code)
				if line, is := main.(domain.Numeric); is {
					first, step := line.Linear()
					value := new(big.Rat).SetUint64(code)
					p.Value, _ = value.Add(value.Mul(value, step), first).Float64()
				}
			}
		}
		for _, o := range r.Others {
			code := int64(-1)
			if d, err := domain.New(o.Domain.Plain()); err == nil {
				if c, ok := d.Encode([]byte(row[o.Column-1])); ok {
					code = int64(c)
				}
			}
			p.Others = append(p.Others, code)
		}
		if r.Group != nil {
			p.Group = row[r.Group.Column-1]
		}
		list = append(list, p)
	}
	return list
}

// TestActions counts what a stranger does from the dropped file to the answer, and holds the answer
// against the file.
func TestActions(t *testing.T) {
	text, rows := clinic()
	path := textFile(t, "besuche.csv", text)
	patients := rows[:0:0]
	for i, row := range rows {
		if i%2 == 0 && i < 6000 {
			patients = append(patients, row)
		}
	}
	site := serveBundle(t)
	const released = "Release, spending ε = 0.5"
	list := func(s *stranger, column int, names string) {
		s.does("list "+names, func() {
			s.fill("textbox", "Categories of "+map[int]string{2: "Bezirk", 3: "Geschlecht"}[column]+
				", with commas between", names)
			s.press(kb.Enter)
		})
	}
	chip := func(s *stranger, column int) {
		s.does("take what is proposed", func() {
			s.clickSelector(fmt.Sprintf("#column-%d .suggest", column))
		})
	}
	kind := func(s *stranger, id string) {
		if s.there("task-" + id) {
			s.does("choose "+id, func() { s.clickSelector("#task-" + id) })
			return
		}
		s.does("look at more questions", func() { s.click("button", "More…") })
		s.until(id+" in the list", `document.getElementById("found-`+id+`")`)
		s.does("choose "+id, func() { s.clickSelector("#found-" + id) })
	}
	for _, c := range []struct {
		name, person string
		most         int
		describe     func(s *stranger)
		ask          func(s *stranger)
		rows         [][]string
	}{
		{"histogram", "persons-no", 5, func(s *stranger) { chip(s, 4) }, nil, rows},
		{"table", "persons-no", 8, func(s *stranger) {
			list(s, 2, "Mitte, Hafen, Süd")
			list(s, 3, "w, m, d")
		}, func(s *stranger) { kind(s, "table") }, rows},
		{"quantiles", "persons-no", 7, func(s *stranger) { chip(s, 4) },
			func(s *stranger) { kind(s, "quantiles") }, rows},
		{"mean", "persons-no", 9, func(s *stranger) {
			chip(s, 4)
			list(s, 2, "Mitte, Hafen, Süd")
		}, func(s *stranger) {
			kind(s, "mean")
			s.does("by district", func() { s.choose("Answer for", "for each Bezirk") })
		}, rows},
		{"share", "persons-no", 7, func(s *stranger) { list(s, 3, "w, m, d") },
			func(s *stranger) {
				kind(s, "share")
				s.does("of women", func() { s.choose("Values that count", "w") })
			}, rows},
		{"most frequent text", "persons-no", 8, func(s *stranger) { chip(s, 4) },
			func(s *stranger) {
				kind(s, "count")
				s.does("by note", func() {
					s.choose("Answer for", "for each note that is found")
				})
			}, rows},
		{"madeup", "persons-no", 9, func(s *stranger) {
			chip(s, 4)
			list(s, 3, "w, m, d")
		}, func(s *stranger) { kind(s, "madeup") }, rows},
		{"count", "persons-1", 8, func(s *stranger) { list(s, 2, "Mitte, Hafen, Süd") },
			func(s *stranger) {
				kind(s, "count")
				s.does("by district", func() { s.choose("Answer for", "for each Bezirk") })
			}, patients},
	} {
		task, _, text := strings.Cut(c.name, "most frequent ")
		if text {
			task = "count"
		}
		t.Run(c.name, func(t *testing.T) {
			s := &stranger{webPage: open(t, site.url)}
			s.drop("#content", path)
			s.until("whether a person can have several rows",
				`document.getElementById("persons-no")`)
			s.does("say who is a person", func() { s.clickSelector("#" + c.person) })
			s.does("go on", func() { s.clickSelector("#confirm") })
			s.until("the columns", `document.getElementById("step-columns")`)
			c.describe(s)
			s.does("ask", func() { s.clickSelector("#ask") })
			s.until("the question", `document.getElementById("sentence")`)
			if c.ask != nil {
				c.ask(s)
			}
			s.waitPrice()
			s.does("release", func() { s.click("button", released) })
			s.waitText("What is promised")
			t.Logf("%d actions, of at most %d", s.actions, c.most)
			if s.actions > c.most {
				t.Errorf("%d actions, want at most %d", s.actions, c.most)
			}
			r := s.asJSON()
			if r.Recipe.Task != task {
				t.Fatalf("asked for %s, and %s was answered", c.name, r.Recipe.Task)
			}
			checkTruth(t, r, peopleOf(r.Recipe, c.rows), c.rows)
		})
	}
}

// checkTruth holds a release against the people.
func checkTruth(t *testing.T, r task.Release, people []ask.Person, rows [][]string) {
	t.Helper()
	switch answer := r.Answer.Result.(type) {
	case *task.ContingencyTable:
		if len(answer.Axes) != 2 {
			t.Errorf("a table of %d columns, want 2", len(answer.Axes))
		}
	case *task.MadeUp:
		for i, column := range answer.Columns {
			var valued, told float64
			for _, row := range rows {
				d, err := domain.New(r.Recipe.Others[i].Domain.Plain())
				if err != nil {
					t.Fatal(err)
				}
				if _, ok := d.Encode([]byte(row[r.Recipe.Others[i].Column-1])); ok {
					valued++
				}
			}
			for _, cell := range column.Density.Cells {
				told += cell.People
			}
			if math.Abs(told-valued) > .1*float64(len(rows)) {
				t.Errorf("%s: %g people with a value, true are %g", column.Name, told, valued)
			}
		}
		if len(answer.Columns) != 2 {
			t.Errorf("%d columns are made up, want 2", len(answer.Columns))
		}
		return
	case *task.Estimates:
		if r.Recipe.Group != nil && r.Recipe.Group.Find != nil {
			if !strings.HasPrefix(r.Statement, "Kontrolle is most common: about ") {
				t.Errorf("says %q", r.Statement)
			}
			people = slices.DeleteFunc(people, func(p ask.Person) bool {
				return p.Group == "" || strings.HasPrefix(p.Group, "Rezept")
			})
			answer.Rows = slices.DeleteFunc(answer.Rows, func(e task.Estimate) bool {
				return e.Group == "" || strings.HasPrefix(e.Group, "Rezept")
			})
		}
	}
	var exact ask.Exact
	for _, q := range task.Catalogue() {
		if q.ID == r.Recipe.Task {
			exact = q.Exact
		}
	}
	misses := exact(r.Recipe, r.Answer.Result, people)
	if len(misses) == 0 {
		t.Error("nothing was held against the truth")
	}
	for _, m := range misses {
		if !(m.Off <= 2*m.Most) {
			t.Errorf("%s is off by %g, want at most %g", m.Of, m.Off, 2*m.Most)
		}
	}
}
