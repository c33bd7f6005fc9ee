package task_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
)

// What the vectors need of the questions and of the session, wherever it is declared.
type (
	question   = ask.Task
	recipe     = ask.Recipe
	params     = ask.Params
	group      = ask.Group
	find       = ask.Find
	lesson     = ask.Lesson
	release    = task.Release
	density    = task.Density
	madeUp     = task.MadeUp
	labels     = task.Labels
	paramField = ask.Param
)

const version = ask.RecipeVersion

var (
	catalogue  = task.Catalogue
	newSession = task.NewSession
	teach      = task.Teach
	tryName    = ask.TryName
)

const (
	vectors  = "testdata/released.json"
	released = coin.Seed(20) // of every coin
	shown    = 40            // characters of an answer, to see what a vector is about
)

// vector is a question and what was released for it. Nothing in it is prose, which may be
// rewritten: only values.
type vector struct {
	Name   string `json:"name"`
	Data   string `json:"data"` // of sample.Sets, or kinds
	Rows   int    `json:"rows"`
	Copies []int  `json:"-"`                // of columns, behind the others: growth_test.go
	Taught bool   `json:"taught,omitempty"` // drawn in a lesson: Quiet, then one draw
	Recipe recipe `json:"recipe"`           // without Table

	// Refused names the refused field, in place of the fields below.
	Refused string        `json:"refused,omitempty"`
	Loss    *privacy.Loss `json:"loss,omitempty"`
	Answer  string        `json:"answer,omitempty"` // its start
	SHA256  string        `json:"sha256,omitempty"` // of the answer and its exports
}

// TestReleasedAsBefore: from the same seeds each question releases what it released when the
// vectors were written, at the same privacy loss. Answers are compared as canonical JSON without
// prose, numbers with 9 digits; with a distribution go rows that are made up from it, with votes
// the labels of later cases.
//
// The short tests ask every third.
//
// -update -run Released writes all vectors anew. Do that where an algorithm changes on purpose,
// and say so in the commit; code that only moves leaves them as they are.
func TestReleasedAsBefore(t *testing.T) {
	if *audittest.Update {
		list := cases()
		for i := range list {
			list[i].ask(t, false)
		}
		write(t, list)
		return
	}
	askAgain(t, func(v vector) bool { return true }, 3, false)
}

// askAgain asks the stored questions that are wanted, in short one of this many, and wants the
// outcome that is stored.
func askAgain(t *testing.T, wanted func(vector) bool, short int, ahead bool) {
	t.Helper()
	for i, v := range readVectors(t) {
		if !wanted(v) || testing.Short() && i%short > 0 {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			now := v
			now.ask(t, ahead)
			if was, is := v.outcome(t), now.outcome(t); was != is {
				t.Errorf("was\n%s\nand is\n%s", was, is)
			}
		})
	}
}

// TestReleasedAfterReadingAhead: a question whose columns were read for another one, since they
// were expected, reads nothing, and releases the same bytes from the same seed.
func TestReleasedAfterReadingAhead(t *testing.T) {
	askAgain(t, func(v vector) bool { return !v.Taught }, 16, true)
}

// readAhead reads a file for a mean, where the mean's coins are none that a recipe draws, and fails
// where the recipe then has something to read that is neither long nor read otherwise.
func (v *vector) readAhead(t *testing.T, s *task.Session, file []byte, r recipe) {
	t.Helper()
	mean := recipe{Version: version, Task: "mean", Table: r.Table, Count: r.Count,
		Filter: r.Filter, Column: 1, Epsilon: "1",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999"}}
	if v.Data != everyKind {
		mean.Column = len(set(v.Data).Columns) + 1
	}
	pass, err := s.Ahead(mean)
	if err != nil {
		return // as of a filter that is refused
	}
	feedAll(t, pass, file)
	opened, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	if r.Person != 0 || slices.ContainsFunc(r.Reads(*opened).Columns, func(w table.Wanted) bool {
		return w.Spec.IsWide() || w.Column == mean.Column || w.Column == r.Count
	}) {
		return
	}
	if pass, err := s.Encode(r); err == nil && pass != nil {
		t.Error("it is read again")
	}
}

// TestEveryQuestionHasVectors: a question, parameter or choice of the catalogue that is new needs
// its vector. With -update those that are missing are asked and put beside their neighbours; the
// others stay.
func TestEveryQuestionHasVectors(t *testing.T) {
	list, missing, at := readVectors(t), 0, 0
	for _, v := range cases() {
		if have := slices.IndexFunc(list, func(old vector) bool {
			return old.Name == v.Name
		}); have >= 0 {
			at = have + 1
			continue
		}
		if !*audittest.Update {
			t.Errorf("%s has no vector: ./build.sh golden adds it", v.Name)
			continue
		}
		v.ask(t, false)
		list = slices.Insert(list, at, v)
		missing, at = missing+1, at+1
	}
	if missing > 0 {
		write(t, list)
	}
}

func readVectors(t *testing.T) (list []vector) {
	t.Helper()
	text, err := os.ReadFile(vectors)
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, list []vector) {
	t.Helper()
	text := []byte("[")
	for i, v := range list {
		line, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		text = append(append(text, [...]string{",\n", "\n"}[max(0, 1-i)]...), line...)
	}
	if err := os.WriteFile(vectors, append(text, "\n]\n"...), 0o644); err != nil {
		t.Fatal(err)
	}
}

// outcome is what is compared, as text.
func (v vector) outcome(t *testing.T) string {
	t.Helper()
	text, err := json.Marshal([]any{v.Refused, v.Loss, v.Answer, v.SHA256})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// cases are the questions of the vectors: the example of each task, and what is changed in it.
func cases() (list []vector) {
	for _, q := range catalogue() {
		base := vector{Data: q.Example.Sample, Rows: rows, Recipe: q.Example.Recipe}
		base.Recipe.Version, base.Recipe.Task, base.Recipe.Epsilon = version, q.ID, "1"
		if q.ID == "classify" {
			base.Recipe.Epsilon = "0.02" // with more the rule is the same for any people counted
		}
		add := func(name string, change func(*vector)) {
			v := base
			v.Name = q.ID + ": " + name
			v.Recipe.Params = maps.Clone(v.Recipe.Params)
			if v.Recipe.Params == nil {
				v.Recipe.Params = params{}
			}
			v.Recipe.Others = slices.Clone(v.Recipe.Others)
			change(&v)
			list = append(list, v)
		}
		last := len(set(base.Data).Columns)
		identifier := table.Condition{
			Column: last + 1, From: "10",
			Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999"},
		}
		add("example", func(*vector) {})
		add("little ε", func(v *vector) { v.Recipe.Epsilon = "0.1" })
		add("filter", func(v *vector) { v.Recipe.Filter = []table.Condition{identifier} })
		add("persons", func(v *vector) { v.Recipe.Person = last + 1 })
		for _, use := range usesOf(base.Recipe, last+1, last+2) {
			add("persons, "+use.name, func(v *vector) {
				v.Recipe.Person, v.Recipe.Use = last+1, &use.of
			})
		}
		if q.ID == "count" {
			add("persons by two groups each, found", func(v *vector) {
				v.Recipe.Person, v.Recipe.Epsilon = last+1, "8"
				v.Recipe.Use = &table.Use{Rows: 1, Groups: 2, Column: groupColumn(v.Data)}
				v.Recipe.Group = &group{Column: groupColumn(v.Data),
					Find: &find{Share: 50, Delta: "0.0001"}}
			})
			add("persons by two groups each, with δ", func(v *vector) {
				v.Recipe.Person, v.Recipe.Params["delta"] = last+1, "0.000001"
				v.Recipe.Use = &table.Use{Rows: 3, Groups: 2, Column: groupColumn(v.Data)}
				v.Recipe.Group = &group{Column: groupColumn(v.Data), Names: groupNames(v.Data)}
			})
		}
		if q.ID == "quantiles" {
			add("persons, the choice of k", func(v *vector) {
				v.Recipe = task.RowsBound(recipe{Version: version, Person: last + 1, Epsilon: "1"})
				v.Recipe.Params = params{"algorithm": "exponential", "targets": "56.0000"}
			}) // as it was asked by earlier versions
			add("persons, the choice of g by weights", func(v *vector) {
				v.Recipe = task.GroupsBound(recipe{Version: version, Person: last + 1,
					Epsilon: "1"}, groupColumn(v.Data))
			})
			add("persons, the choice of k by weights", func(v *vector) {
				v.Recipe = task.RowsBound(recipe{Version: version, Person: last + 1, Epsilon: "1"})
			})
		}
		add("counts", func(v *vector) { v.Recipe.Count = last + 2 })
		for _, p := range q.Params {
			vary(q, p, add)
		}
		if q.ByGroup {
			add("groups", func(v *vector) {
				v.Recipe.Group = &group{Column: groupColumn(v.Data), Names: groupNames(v.Data)}
			})
		}
		if q.FindsGroups() {
			add("groups found", func(v *vector) {
				found := &find{Share: 50, Delta: "0.0001"}
				v.Recipe.Group, v.Recipe.Epsilon = &group{Column: groupColumn(v.Data), Find: found},
					"8"
			})
		}
		for _, kind := range q.Domains {
			add("of "+string(kind), func(v *vector) {
				v.Data = everyKind
				v.Recipe.Column, v.Recipe.Domain, v.Recipe.Label = column(kind)
				if kind == domain.Text && !q.LongTexts {
					v.Recipe.Domain.Length = 8
				}
				if kind == domain.Timestamp && q.ID == "histogram" {
					v.Recipe.Params["width"] = "86400"
				}
				if len(v.Recipe.Others) > 0 { // the other column to compare with it
					o := &v.Recipe.Others[0]
					o.Column, o.Domain, o.Label = column(domain.Category)
					o.Domain.Categories = o.Domain.Categories[:2]
				}
			})
		}
	}
	return list
}

// use is one way in which the rows of a person are used.
type use struct {
	name string
	of   table.Use
}

// usesOf are the ways for a recipe whose persons a column names; another holds whole numbers.
func usesOf(r recipe, person, number int) []use {
	list := []use{{"one row", table.Use{Rows: 1}}, {"two rows", table.Use{Rows: 2}},
		{"a row of each of two groups", table.Use{Rows: 1, Groups: 2, Column: number}}}
	kind, column := r.Domain.Kind, r.Column
	if column == 0 {
		kind, column = r.Others[0].Domain.Kind, r.Others[0].Column
	}
	value := table.Value{Column: column, Of: table.Latest, By: &table.Wanted{Column: number,
		Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999"}}}
	if kind == domain.Integer || kind == domain.Decimal {
		value = table.Value{Column: column, Of: table.Mean}
	}
	return append(list, use{string(value.Of), table.Use{Values: []table.Value{value}}})
}

// vary adds the choices of a parameter, or another value, and values to be tried.
func vary(q question, p paramField, add func(string, func(*vector))) {
	change := func(v *vector, name, value string) {
		v.Recipe.Params[name] = value
		switch {
		case p.Name == "rounds" && q.ID == "conjunctions":
			v.Recipe.Params["method"] = "MWEM"
		case p.Name == "rounds":
			v.Recipe.Params["method"] = "merr"
		case p.Name == "ways":
			v.Recipe.Params["criteria"] = "pairs, 40 %"
		case name == tryName(p.Name) && q.ID == "cutoff":
			v.Recipe.Params["curve"] = "false"
		}
	}
	for i, c := range p.AllChoices() {
		add(p.Name+" "+c.Value, func(v *vector) {
			change(v, p.Name, c.Value)
			switch {
			case c.Value == "trees" || c.Value == "weighted":
				v.Recipe.Others[1].Domain.Hi, v.Recipe.Others[2].Domain.Hi = "10.0", "60"
				v.Recipe.Others[1].Cuts, v.Recipe.Others[2].Cuts = []string{"3.0"}, []string{"20"}
				v.Recipe.Params["cases"] = "1.0,5\n5.0,15\n9.0,30"
				if c.Value == "weighted" {
					byVotes(v)
					v.Recipe.Params["release"] = "plain"
				}
			case q.ID == "classify" && p.Name == "release" && c.Value != p.Default &&
				i < len(p.Choices):
				byVotes(v)
			}
			v.Taught = i >= len(p.Choices)
		})
	}
	if value := another(p); value != "" {
		add(p.Name+" "+value, func(v *vector) {
			change(v, p.Name, value)
			switch p.Name {
			case "later":
				byVotes(v)
				v.Recipe.Params["release"] = "plain"
			case "inUnit":
				change(v, "stated", "measured") // else it says nothing
			}
		})
	}
	if p.Name == "criteria" {
		add("criteria of each kind", func(v *vector) {
			v.Recipe.Epsilon = "8"
			change(v, p.Name, "pairs, 20 %\ncolumns, 20 %\nmean, age, 20\n"+
				"median, age, 30 %\nquantile, age, 40 %, 30 %")
		})
	}
	if p.Start != "" && p.Start != another(p) {
		add(p.Name+" "+p.Start, func(v *vector) { change(v, p.Name, p.Start) })
	}
	if q.ID == "histogram" && p.Name == "width" { // of recipes of earlier versions
		add("width auto", func(v *vector) { change(v, p.Name, "auto") })
		for _, width := range []string{"auto", "round"} {
			add("width "+width+" up to an edge", func(v *vector) {
				change(v, p.Name, width)
				v.Recipe.Domain.Hi = "100"
			})
		}
	}
	if q.ID == "density" && p.Name == ask.ParamEdges {
		for _, known := range []string{"falls", "rises", "peaks at 40"} {
			add(p.Name+" "+known, func(v *vector) { change(v, p.Name, known) })
		}
	}
	if p.Tries != "" {
		add("tries of "+p.Name, func(v *vector) { change(v, tryName(p.Name), p.Tries) })
	}
}

// byVotes asks for the labels of few cases, for which fewer people can vote.
func byVotes(v *vector) {
	v.Rows, v.Recipe.Epsilon = votes, "100"
	v.Recipe.Params["rules"], v.Recipe.Params["cases"] = "stumps", "1.0,5\n9.0,30"
}

// another is a value of a parameter that is not its default; empty: of choices, and of lines.
func another(p paramField) string {
	switch p.Kind {
	case "integer":
		n, err := strconv.Atoi(p.Default)
		if err != nil {
			return "3"
		}
		return strconv.Itoa(n + 1)
	case "flag":
		return map[string]string{"true": "false", "false": "true"}[p.Default]
	case "decimal", "text":
		return map[string]string{
			"delta": "0.00001", "width": "25", "targets": "10, 90", "edges": "18, 65",
			"rounds": "8", "pieces": "5", "degree": "2",
		}[p.Name]
	}
	return ""
}

// rows are as few as most questions can be asked of.
const rows = 400

// votes are as many rows as votes can be asked of, with much ε.
const votes = 8000

// everyKind is made up here: a column for each kind of domain.
const everyKind = "kinds"

// column is one of everyKind, how it is read, and its label.
func column(kind domain.Kind) (int, domain.Spec, string) {
	switch kind {
	case domain.Integer:
		return 1, domain.Spec{Kind: kind, Lo: "0", Hi: "80"}, "whole"
	case domain.Decimal:
		return 2, domain.Spec{Kind: kind, Lo: "0", Hi: "35", Step: "0.5"}, "half"
	case domain.Float64:
		return 3, domain.Spec{Kind: kind, Hi: "10"}, "real"
	case domain.Date:
		return 4, domain.Spec{Kind: kind, Lo: "2026-01-01", Hi: "2026-08-31"}, "day"
	case domain.Timestamp:
		first, last := "2026-01-01 00:00:00", "2026-07-31 23:59:59"
		return 5, domain.Spec{Kind: kind, Step: "second", Lo: first, Hi: last}, "time"
	case domain.Text:
		return 6, domain.Spec{Kind: kind, Length: 100}, "name"
	case domain.Bytes:
		return 6, domain.Spec{Kind: kind, Length: 8, Outside: domain.Clamp}, "name"
	}
	return 7, domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Graz"}}, "town"
}

func kinds(rows int) []byte {
	var b bytes.Buffer
	b.WriteString("whole,half,real,day,time,name,town\n")
	src := coin.NewSeeded(released)
	for i := range rows {
		n := int(src.Uniform(60) + src.Uniform(40))
		fmt.Fprintf(&b, "%d,%d.%d,%g,2026-%02d-%02d,2026-%02d-%02d %02d:%02d:00,%s,%s\n",
			n, n/2, n%2*5, float64(n)/7, 1+n/10, 1+n%28, 1+n/10, 1+n%28, n%24, i%60,
			[]string{"Anna", "Bela", "Chris", "Dora", "Emil"}[n/20],
			[]string{"Bern", "Graz", "Ulm"}[n/35])
	}
	return b.Bytes()
}

// groupColumn returns a column of towns and the like, and groupNames some of its values.
func groupColumn(data string) int {
	return map[string]int{"clinic": 3, "pay": 1, "trial": 1, everyKind: 7}[data]
}

func groupNames(data string) []string {
	return map[string][]string{
		"clinic": {"Mill", "Park", "Harbour"}, "pay": {"sales", "care"},
		"trial":   {"new", "usual"},
		everyKind: {"Graz", "Bern"},
	}[data]
}

func set(name string) sample.Set {
	s, ok := sample.Named(name)
	if !ok {
		panic("no made-up data set " + name)
	}
	return s
}

// file is the vector's data: of the sets with two columns more, an identifier that every third row
// shares with the row before, and how many persons the row stands for.
func (v vector) file() []byte {
	if v.Data == everyKind {
		return kinds(v.Rows)
	}
	s := set(v.Data)
	s.Rows = v.Rows
	var b bytes.Buffer
	for i, line := range strings.Split(strings.TrimSpace(string(s.CSV())), "\n") {
		if i == 0 {
			b.WriteString(line + ",identifier,persons\n")
		} else {
			fmt.Fprintf(&b, "%s,%d,%d\n", line, i-i%3/2, i%4)
		}
	}
	return b.Bytes()
}

// ask draws the vector's outcome; ahead: after its columns were read for another question.
func (v *vector) ask(t *testing.T, ahead bool) {
	t.Helper()
	v.Refused, v.Loss, v.Answer, v.SHA256 = "", nil, "", ""
	var answers []any
	var err error
	if v.Taught {
		answers, err = v.teach()
	} else {
		answers, err = v.publish(t, ahead)
	}
	var refused *param.Error
	if errors.As(err, &refused) {
		v.Refused = refused.Field
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	text := canonical(t, answers)
	sum := sha256.Sum256(text)
	v.Answer, v.SHA256 = string(text[:min(shown, len(text))]), hex.EncodeToString(sum[:])
}

// publish is the release and what is made from it.
func (v *vector) publish(t *testing.T, ahead bool) ([]any, error) {
	file, src := v.file(), coin.NewSeeded(released)
	s := newSession(src)
	survey, err := s.Survey(table.Options{})
	if err != nil {
		return nil, err
	}
	feedAll(t, survey, file)
	opened, err := s.Opened()
	if err != nil {
		return nil, err
	}
	r := v.Recipe
	r.Table = opened.Options
	if ahead {
		s.Expect(r.Reads(*opened).Columns)
		v.readAhead(t, s, file, r)
	}
	pass, err := s.Encode(r)
	if err != nil {
		return nil, err
	}
	if pass != nil {
		feedAll(t, pass, file)
	}
	plan, err := s.Plan(r)
	if err != nil {
		return nil, err
	}
	v.Loss = &plan.Loss
	out, err := s.Run(r, nil)
	if err != nil {
		return nil, err
	}
	answers := []any{out.Answer, chosen(out)}
	switch result := out.Answer.Result.(type) {
	case *density:
		rows, err := result.Synthetic(nil, src, r.Domain, "x", "20")
		return append(answers, rows), err
	case *madeUp:
		rows, err := result.Synthetic(nil, src, r, "20")
		return append(answers, rows), err
	case *labels:
		if result.Left != nil {
			later, err := s.Label([]string{"3.5", "20"})
			if err != nil {
				return nil, err
			}
			return append(answers, later.Answer), nil
		}
	}
	return answers, nil
}

// teach is a lesson's quiet answer and one draw.
func (v *vector) teach() ([]any, error) {
	l := lesson{Sample: v.Data, Rows: v.Rows, Recipe: v.Recipe, Draws: 1, Seed: released}
	out, err := teach(nil, l, nil)
	if err != nil {
		return nil, err
	}
	v.Loss = &out.Draws[0].Plan.Loss
	return []any{out.Quiet.Answer, out.Draws[0].Answer}, nil
}

// chosen is which of the values that were tried was chosen; −1: none was tried.
func chosen(r *release) int {
	if r.Tuned == nil {
		return -1
	}
	return slices.Index(r.Tuned.Among, r.Tuned.Value)
}

func feedAll(t *testing.T, pass table.Pass, file []byte) {
	t.Helper()
	if err := pass.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := pass.Close(); err != nil {
		t.Fatal(err)
	}
}

// prose are the parts of answers that are words of the page, the name of a number, what a density
// was made to be, a rule as a sentence, what a score counts, and n, which is public and no answer.
// So are the edges of bins, which their labels hold.
var prose = map[string][]string{
	"estimates": {"name"}, "density": {"shape"}, "labels": {"rule"}, "cutoff": {"rule"},
	"winner": {"score"}, "histogram": {"width", "people"}, "distribution": {"people"},
	"clusters": {"all"},
}

// canonical is JSON with sorted names, without prose, its fractions with 9 digits: the last ones
// are those of a processor.
func canonical(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var parts any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&parts); err != nil {
		t.Fatal(err)
	}
	if text, err = json.Marshal(plain(parts)); err != nil {
		t.Fatal(err)
	}
	return text
}

func plain(value any) any {
	switch value := value.(type) {
	case json.Number:
		if strings.ContainsAny(string(value), ".eE") {
			x, err := value.Float64()
			if err != nil {
				return value
			}
			return json.Number(strconv.FormatFloat(x, 'g', 9, 64))
		}
	case []any:
		for i := range value {
			value[i] = plain(value[i])
		}
	case map[string]any:
		for name := range value {
			if fields, ok := value[name].(map[string]any); ok {
				for _, word := range prose[name] {
					delete(fields, word)
				}
				if name == "histogram" {
					for _, bin := range fields["bins"].([]any) {
						delete(bin.(map[string]any), "from")
						delete(bin.(map[string]any), "to")
					}
				}
			}
			value[name] = plain(value[name])
		}
	}
	return value
}
