//go:build browser

package browsertest

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
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

// goals are how many actions a stranger needs at most from the dropped file to an answer.
var goals = map[string]int{"histogram": 5, "table": 8, "quantiles": 7, "mean": 9, "share": 7,
	"count": 8}

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
	for _, c := range []struct {
		name, person string
		most         int
		describe     func(s *stranger)
		ask          func(s *stranger)
		rows         [][]string
	}{
		{"histogram", "persons-no", goals["histogram"],
			func(s *stranger) { chip(s, 4) }, nil, rows},
		{"table", "persons-no", goals["table"], func(s *stranger) {
			list(s, 2, "Mitte, Hafen, Süd")
			list(s, 3, "w, m, d")
		}, func(s *stranger) { s.asks("table") }, rows},
		{"quantiles", "persons-no", goals["quantiles"], func(s *stranger) { chip(s, 4) },
			func(s *stranger) { s.asks("quantiles") }, rows},
		{"mean", "persons-no", goals["mean"], func(s *stranger) {
			chip(s, 4)
			list(s, 2, "Mitte, Hafen, Süd")
		}, func(s *stranger) {
			s.asks("mean")
			s.does("by district", func() { s.choose("Answer for", "for each Bezirk") })
		}, rows},
		{"share", "persons-no", goals["share"], func(s *stranger) { list(s, 3, "w, m, d") },
			func(s *stranger) {
				s.asks("share")
				s.does("of women", func() { s.choose("Values that count", "w") })
			}, rows},
		{"most frequent text", "persons-no", goals["count"], func(s *stranger) { chip(s, 4) },
			func(s *stranger) {
				s.asks("count")
				s.does("find groups", func() {
					s.choose("Answer for", "for each … that is found privately")
				})
				s.does("by note", func() {
					s.choose("Answer for", "for each note that is found")
				})
			}, rows},
		{"madeup", "persons-no", 9, func(s *stranger) {
			chip(s, 4)
			list(s, 3, "w, m, d")
		}, func(s *stranger) { s.asks("madeup") }, rows},
		{"count", "persons-1", goals["count"],
			func(s *stranger) { list(s, 2, "Mitte, Hafen, Süd") },
			func(s *stranger) {
				s.asks("count")
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
			s.goes(c.person, func() { c.describe(s) }, func() {
				if c.ask != nil {
					c.ask(s)
				}
			}, c.most)
			r := s.asJSON()
			if r.Recipe.Task != task {
				t.Fatalf("asked for %s, and %s was answered", c.name, r.Recipe.Task)
			}
			checkTruth(t, r, peopleOf(r.Recipe, c.rows), c.rows)
		})
	}
}

// goes is the way from a dropped file to an answer, in the given number of actions at most.
func (s *stranger) goes(person string, describe, ask func(), most int) {
	s.t.Helper()
	s.until("whether a person can have several rows", `document.getElementById("persons-no")`)
	s.does("say who is a person", func() { s.clickSelector("#" + person) })
	if person == "persons-yes" {
		s.until("the columns to choose from", `document.getElementById("whose")`)
		s.does("choose the first column", func() {
			s.eval(`(() => {
				const select = document.getElementById("whose");
				select.value = "1";
				select.dispatchEvent(new Event("change", { bubbles: true }));
			})()`, nil)
		})
		s.does("go on", func() { s.clickSelector("#confirm") })
	}
	s.until("the columns", `document.getElementById("step-columns")`)
	describe()
	s.does("ask", func() { s.clickSelector("#ask") })
	s.until("the question", `document.getElementById("sentence")`)
	ask()
	s.waitPrice()
	s.does("release", func() { s.click("button", "Release, spending ε = 0.5") })
	s.waitText("What is promised")
	s.t.Logf("%d actions, of at most %d", s.actions, most)
	if s.actions > most {
		s.t.Errorf("%d actions, want at most %d", s.actions, most)
	}
}

// asks chooses a kind of question.
func (s *stranger) asks(id string) {
	s.t.Helper()
	if s.there("task-" + id) {
		s.does("choose "+id, func() { s.clickSelector("#task-" + id) })
		return
	}
	s.does("look at more questions", func() { s.click("button", "More…") })
	s.until(id+" in the list", `document.getElementById("found-`+id+`")`)
	s.does("choose "+id, func() { s.clickSelector("#found-" + id) })
}

// says says which values of a column are possible: by a chip, or else by typing it.
func (s *stranger) says(column, values string) {
	s.t.Helper()
	var chip string
	s.until("the ways to describe "+column, `[...document.querySelectorAll(".suggests input")]
		.some((e) => e.getAttribute("aria-label").includes(`+strconv.Quote(column)+`))`)
	s.eval(`(() => {
		const field = [...document.querySelectorAll(".suggests input")]
			.find((e) => e.getAttribute("aria-label").includes(`+strconv.Quote(column)+`));
		const chips = [...field.closest(".suggests").querySelectorAll(".suggest")];
		const at = chips.findIndex((e) => e.innerText === `+strconv.Quote(values)+`);
		const among = "#" + field.id;
		return at < 0 ? among : ".suggests:has(" + among + ") .suggest:nth-child(" + (at + 1) + ")";
	})()`, &chip)
	if !strings.HasPrefix(chip, ".suggests") {
		s.does("type "+values+" for "+column, func() {
			s.clickSelector(chip)
			s.do(input.InsertText(values))
			s.press(kb.Enter)
		})
		return
	}
	s.does("press "+values+" for "+column, func() { s.clickSelector(chip) })
}

// coded is a file of codes with gaps, whose names say nothing to a program: two columns of codes, a
// score, an amount, a day and a town, in an order of the seed's. With several rows, a person's
// codes are the same in each.
type coded struct {
	text          string
	rows          [][]string
	header        []string
	first, second string // of codes
	codes, others string // what can stand in them
	score, most   string // whole numbers, from 0 to most
	several       bool   // the first column names the person of a row
}

func codedFile(seed uint64, several bool) coded {
	random := rand.New(rand.NewPCG(seed, 20))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	c := coded{several: several, first: pick("arm", "wohnform", "q17"),
		second: pick("verh", "ntx", "item_b"), score: pick("phq", "punkte", "summe2"),
		codes: pick("0, 1", "1, 2"), others: pick("1, 2, 3", "1, 2, 3, 4, 5", "0, 1, 2"),
		most: pick("10", "27", "100")}
	most, _ := strconv.Atoi(c.most)
	separator := pick(";", ",", "\t")
	gap := pick("", "", "NA", "-9")
	names := []string{c.first, c.second, c.score, "betrag", "tag", "ort"}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	if c.header = names; several {
		c.header = append([]string{pick("pat_nr", "fall")}, names...)
	}
	var b strings.Builder
	fmt.Fprint(&b, strings.Join(c.header, separator)+"\n")
	from := func(list string) string { return pick(strings.Split(list, ", ")...) }
	for i := range 3000 {
		copies := 1
		if several {
			copies = 1 + random.IntN(3)
		}
		cells := map[string]string{c.header[0]: fmt.Sprintf("%06d", 7*i), c.first: from(c.codes),
			c.second: from(c.others)}
		for range copies {
			cells[c.score] = fmt.Sprint(random.IntN(most + 1))
			cells["betrag"] = fmt.Sprintf("%d.%02d", random.IntN(4000), random.IntN(100))
			cells["tag"] = fmt.Sprintf("%02d.%02d.20%02d", 1+random.IntN(28), 1+random.IntN(12),
				10+random.IntN(14))
			cells["ort"] = pick("Aue", "Bonn", "Celle", "Düren", " bonn")
			row := make([]string, len(c.header))
			for j, name := range c.header {
				row[j] = cells[name]
				if i > 30 && name != c.first && !(several && j == 0) && random.IntN(12) == 0 {
					row[j] = gap
				}
			}
			fmt.Fprint(&b, strings.Join(row, separator)+"\n")
			c.rows = append(c.rows, row)
		}
	}
	c.text = b.String()
	return c
}

// persons are the first rows of each person, where that column is the same in all.
func (c coded) persons() (list [][]string) {
	for i, row := range c.rows {
		if i == 0 || row[0] != c.rows[i-1][0] {
			list = append(list, row)
		}
	}
	return list
}

// TestActionsUnknownFiles counts the same with files of codes and gaps, drawn from a seed, whose
// columns no convention knows.
func TestActionsUnknownFiles(t *testing.T) {
	site := serveBundle(t)
	for _, c := range []struct {
		name     string
		describe func(s *stranger, f coded)
		ask      func(s *stranger, f coded)
	}{
		{"histogram", func(s *stranger, f coded) { s.says(f.score, "0–"+f.most) }, nil},
		{"table", func(s *stranger, f coded) {
			s.says(f.first, f.codes)
			s.says(f.second, f.others)
		}, func(s *stranger, f coded) { s.asks("table") }},
		{"quantiles", func(s *stranger, f coded) { s.says(f.score, "0–"+f.most) },
			func(s *stranger, f coded) { s.asks("quantiles") }},
		{"mean", func(s *stranger, f coded) { s.says(f.score, "0–"+f.most) },
			func(s *stranger, f coded) {
				s.asks("mean")
				s.does("by "+f.second, func() { s.choose("Answer for", "for each "+f.second) })
				s.says(f.second, f.others) // where it was chosen
			}},
		{"share", func(s *stranger, f coded) { s.says(f.second, f.others) },
			func(s *stranger, f coded) {
				s.asks("share")
				s.does("of code 1", func() { s.choose("Values that count", "1") })
			}},
		{"count", func(s *stranger, f coded) { s.says(f.first, f.codes) },
			func(s *stranger, f coded) {
				s.asks("count")
				s.does("by "+f.first, func() { s.choose("Answer for", "for each "+f.first) })
			}},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s, seed %d", c.name, seed), func(t *testing.T) {
				several := c.name == "count"
				f := codedFile(seed, several)
				s := &stranger{webPage: open(t, site.url)}
				s.drop("#content", textFile(t, "daten.csv", f.text))
				person, rows := "persons-no", f.rows
				if several {
					person, rows = "persons-yes", f.persons()
					if f.header[0] == "pat_nr" { // its name says so
						person = "persons-1"
					}
				}
				s.goes(person, func() { c.describe(s, f) }, func() {
					if c.ask != nil {
						c.ask(s, f)
					}
				}, goals[c.name])
				r := s.asJSON()
				if r.Recipe.Task != c.name {
					t.Fatalf("asked for %s, and %s was answered", c.name, r.Recipe.Task)
				}
				checkTruth(t, r, peopleOf(r.Recipe, rows), rows)
			})
		}
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
