package verify

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
)

// cryptic is a seeded source that says that it is none, as a real release would.
type cryptic struct{ coin.Source }

func (cryptic) Origin() coin.Origin { return coin.Crypto }

// released asks the example of each question of made-up people, and some of its variants.
var released = sync.OnceValue(func() (list []*task.Release) {
	for _, q := range task.Catalogue() {
		for _, change := range []func(*ask.Recipe){
			func(*ask.Recipe) {},
			func(r *ask.Recipe) { r.Params["delta"] = "0.00001" },
			func(r *ask.Recipe) {
				r.Group = &ask.Group{Column: 3, Label: "district", Names: []string{"Mill", "Park"}}
			},
			func(r *ask.Recipe) { r.Person = 1 },
			func(r *ask.Recipe) { r.Person, r.Use = 1, &table.Use{Rows: 2, Usual: "1.5"} },
			func(r *ask.Recipe) { r.Params[ask.TryName("width")] = "5, 10, 20" },
			func(r *ask.Recipe) { r.Params["alone"] = "counted" },
			func(r *ask.Recipe) { r.Params["criteria"] = "pairs, 30 %\n\n mean, age, 30" },
			func(r *ask.Recipe) {
				if r.Params["method"] = "residuals"; r.Task != "tables" {
					r.Epsilon = ""
				}
			},
			func(r *ask.Recipe) { r.Params["inUnit"], r.Params["stated"] = "true", "measured" },
			func(r *ask.Recipe) { // Gaussian noise
				if !slices.Contains([]string{"count", "share", "sum", "mean"}, r.Task) {
					r.Epsilon = ""
					return
				}
				r.Person, r.Use = 1, &table.Use{Rows: 2, Groups: 30, Column: 3}
				r.Group = &ask.Group{Column: 3, Label: "district", Names: []string{"Mill", "Park"}}
				r.Params["delta"] = "0.00001"
			},
		} {
			if r := release(q, change); r != nil {
				list = append(list, r)
			}
		}
	}
	return list
})

// release is nil where the question cannot be asked so.
func release(q ask.Task, change func(*ask.Recipe)) *task.Release {
	set, _ := sample.Named(q.Example.Sample)
	set.Rows = 2000
	file := set.CSV()
	s := task.NewSession(cryptic{coin.NewSeeded(7)})
	survey, err := s.Survey(table.Options{})
	if err != nil {
		panic(err)
	}
	if err := ask.ReadAll(survey, file); err != nil {
		panic(err)
	}
	opened, err := s.Opened()
	if err != nil {
		panic(err)
	}
	r := q.Example.Recipe
	r.Version, r.Task, r.Table, r.Epsilon = ask.RecipeVersion, q.ID, opened.Options, "1"
	params := ask.Params{}
	for name, value := range r.Params {
		params[name] = value
	}
	r.Params = params
	change(&r)
	pass, err := s.Encode(r)
	if err != nil {
		return nil
	}
	if pass != nil {
		if err := ask.ReadAll(pass, file); err != nil {
			return nil
		}
	}
	if _, err := s.Plan(r); err != nil {
		return nil
	}
	out, err := s.Run(r, nil)
	if err != nil {
		return nil
	}
	if len(r.Params) > 0 && (r.Use == nil || r.Use.Groups == 0) && r.Params["method"] == "" {
		return out
	}
	if more, err := s.TopUp(out, "2", nil); err == nil {
		return more // as good as any other release
	}
	return out
}

// TestHolds: all that can be checked of what Hush releases holds, of each question.
func TestHolds(t *testing.T) {
	kinds, drawn, topped, several, averages := map[string]bool{}, 0, 0, 0, map[string]int{}
	for _, r := range released() {
		kinds[r.Answer.Kind()] = true
		report := File(nil, []byte(r.JSON("0123")), "0123")
		for _, c := range report.Checks {
			if c.Status == Fails {
				t.Errorf("%s %v: %s: %+v", r.Recipe.Task, r.Recipe.Params, c.Title, c.Faults[0])
			}
		}
		if report.Count(Holds) < 5 || len(report.Unknowable) != 4 || report.About == "" {
			t.Errorf("%s: %+v", r.Recipe.Task, report)
		}
		if r.Head != nil || r.Drawn != nil {
			drawn++
		}
		if r.Head != nil && r.Head.Before != nil {
			topped++
			averages[r.Recipe.Task] += min(len(r.Head.Draws), 1)
		}
		if r.Recipe.Use != nil {
			several++
		}
	}
	if topped < 3 || several < 5 || averages["mean"] < 1 || averages["tables"] < 1 {
		t.Errorf("%d topped up, %v of these averages, %d of persons with several rows", topped,
			averages, several)
	}
	if len(kinds) < 15 || drawn < 12 {
		t.Errorf("%d kinds of answers, %d with what was drawn", len(kinds), drawn)
	}
	t.Logf("%d releases, %d kinds, %d with what was drawn", len(released()), len(kinds), drawn)
}

// TestEarlier: a release of an earlier version is said to lack what it lacks, and not refused.
func TestEarlier(t *testing.T) {
	r := *released()[0]
	r.Plan.Verdict, r.Plan.Off, r.Verdict, r.Head = nil, nil, nil, nil
	r.Plan.Guarantee.Promise = ""
	text, err := json.MarshalIndent(&r, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	report := File(nil, text, "")
	if report.Count(Fails) > 0 || report.Count(Cannot) < 3 {
		t.Errorf("%+v", report.Checks)
	}
	if !strings.Contains(fmt.Sprint(report.Checks), "earlier version") {
		t.Error("it is not said")
	}
}

// TestEarlierRange: a release with ranges in its column's unit of a version that did not say before
// how wide they would be is not called false; one that says another width is.
func TestEarlierRange(t *testing.T) {
	found := 0
	for _, one := range released() {
		if one.Plan.Range == "" {
			continue
		}
		found++
		r := *one
		for said, wrong := range map[string]bool{"": false, "± 0.1 EUR": true} {
			r.Plan.Range = said
			if report := File(nil, []byte(r.JSON("0123")), "0123"); fails(report) != wrong {
				t.Errorf("%s: with %q in place of %q: %+v", r.Recipe.Task, said, one.Plan.Range,
					report.Checks)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d questions have ranges", found)
	}
}

// TestSettled: whatever names and values a recipe has, no sentence of a release, and none that is
// said before, is turned by them or ends early.
func TestSettled(t *testing.T) {
	const marks = "\u202e\u2066\x1b[8m\n\u2028"
	asked := 0
	for _, q := range task.Catalogue() {
		for _, grouped := range []bool{false, true} {
			r := release(q, func(r *ask.Recipe) {
				r.Label, r.Unit = "age"+marks, "EUR"+marks
				r.Noun = codebook.Noun{One: "guest" + marks, Many: "guests" + marks}
				r.Others = slices.Clone(r.Others)
				for i := range r.Others {
					r.Others[i].Label = "other" + marks
				}
				r.Filter = []table.Condition{{Column: 2, Label: "of" + marks, Spec: domain.Spec{
					Kind: domain.Category, Categories: []string{"a" + marks}}, Not: true}}
				if grouped {
					r.Group = &ask.Group{Column: 3, Label: "by" + marks,
						Names: []string{"Mill" + marks, "Park"}}
				}
			})
			if r == nil {
				continue
			}
			asked++
			texts := []string{r.Statement, r.Verdict.Text, r.Plan.Verdict.Text, r.Plan.Column,
				r.Plan.Domain, r.Plan.ErrorUnit, fmt.Sprint(r.Plan.Forecast, r.Plan.Guarantee),
				q.Words(nil, r.Recipe), q.Named(nil, r.Recipe)}
			for _, o := range r.Plan.Others {
				texts = append(texts, o.Column, o.Domain)
			}
			for _, text := range texts {
				if strings.ContainsAny(text, "\u202e\u2066\x1b\n\u2028") {
					t.Errorf("%s: %q", q.ID, text)
				}
			}
			if report := File(nil, []byte(r.JSON("0123")), "0123"); fails(report) {
				t.Errorf("%s: %+v", q.ID, report.Checks)
			}
		}
	}
	if asked < 15 {
		t.Errorf("%d questions are asked with such names", asked)
	}
}

func fails(report Report) bool { return report.Count(Fails) > 0 }

// TestBytes: of 100 bytes changed at random 100 are refused, with a line.
func TestBytes(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	list := released()
	for i := range 100 {
		text := []byte(list[i%len(list)].JSON("0123"))
		at := random.Intn(len(text))
		was := text[at]
		for text[at] == was {
			text[at] = byte(random.Intn(256))
		}
		report := File(nil, text, "0123")
		if !fails(report) || report.Checks[0].Faults[0].Line < 1 {
			t.Errorf("byte %d of %d, %q for %q: %+v", at, len(text), text[at], was, report.Checks)
		}
	}
}

// TestForm: what is the same JSON in other bytes is refused, checksum renewed or not.
func TestForm(t *testing.T) {
	body, _, _ := ask.Checksum(released()[0].JSON("0123"))
	for name, other := range map[string]string{
		"space":     strings.Replace(body, ": ", ":  ", 1),
		"line":      strings.Replace(body, ",\n", ",\n\n", 1),
		"duplicate": strings.Replace(body, `  "origin"`, "  \"version\": 1,\n  \"origin\"", 1),
		"twin":      strings.Replace(body, `  "origin"`, "  \"Statement\": \"no\",\n  \"origin\"", 1),
		"order":     strings.Replace(body, "\"statement\": \"", "\"statement\": \" ", 1),
	} {
		if other == body {
			t.Fatalf("%s: nothing is changed", name)
		}
		if !fails(File(nil, []byte(ask.WithChecksum(other)), "0123")) {
			t.Errorf("%s is not refused", name)
		}
	}
}

// TestNames: a file of which the name of the checksum was changed, in any byte, or of any other
// field, is no file of an earlier version: it is refused, with the line.
func TestNames(t *testing.T) {
	text := released()[0].JSON("0123")
	for _, name := range []string{"checksum", "build", "statement", "people"} {
		at := strings.Index(text, `"`+name+`":`) + 1
		for i := range name {
			other := []byte(text)
			other[at+i] ^= 1
			if name == "build" {
				other = other[:strings.Index(text, ",\n  \"checksum\"")]
				other = append(other, "\n}\n"...)
			}
			report := File(nil, other, "")
			line, _ := position(other, at)
			if !fails(report) || !located(report, line) {
				t.Errorf("%s in place of %s: %+v", other[at:at+len(name)], name, report.Checks[0])
			}
		}
	}
}

// located tells whether a fault names a line.
func located(r Report, line int) bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool {
		return slices.ContainsFunc(c.Faults, func(f Fault) bool { return f.Line == line })
	})
}

// changed is another value of the same kind.
func changed(random *rand.Rand, text string) string {
	switch {
	case text == "true":
		return "false"
	case text == "false":
		return "true"
	case strings.HasPrefix(text, `"`):
		var plain string
		_ = json.Unmarshal([]byte(text), &plain)
		digits := strings.IndexFunc(plain, func(c rune) bool { return c >= '0' && c <= '9' })
		if digits >= 0 && random.Intn(2) == 0 {
			digit := '0' + (plain[digits]-'0'+1+byte(random.Intn(8)))%10
			plain = plain[:digits] + string(rune(digit)) + plain[digits+1:]
		} else {
			plain += "1"
		}
		out, _ := json.Marshal(plain)
		return string(out)
	case text == "[]", text == "{}", text == "null":
		return ""
	}
	if strings.ContainsAny(text, ".eE") {
		return "1" + strings.TrimPrefix(text, "-")
	}
	return text + "1"
}

// TestRecomputed: every field that is recomputed, changed with the checksum renewed, is refused,
// and the report has the line of each field that is not the question's own.
func TestRecomputed(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	tried, refused, located := 0, 0, 0
	fields, seen := map[string]bool{}, map[string]int{}
	for _, r := range released() {
		body, _, _ := ask.Checksum(r.JSON("0123"))
		tree, wrong := scan([]byte(body))
		if wrong != nil {
			t.Fatal(wrong)
		}
		paths := slices.Clone(tree.order)
		random.Shuffle(len(paths), func(i, j int) { paths[i], paths[j] = paths[j], paths[i] })
		for _, path := range paths {
			class := ClassOf(path)
			if class != Recomputed && !(class == Drawn && (r.Head != nil || r.Drawn != nil)) {
				continue
			}
			name := r.Answer.Kind() + " " + plainPath(path)
			leaf := tree.leaves[path]
			other := changed(random, leaf.text)
			if each := 1; seen[name] == each || other == "" || testing.Short() && tried > 300 {
				continue
			}
			seen[name]++
			fields[plainPath(path)] = true
			text := ask.WithChecksum(body[:leaf.at] + other + body[leaf.at+len(leaf.text):])
			report := File(nil, []byte(text), "0123")
			line, _ := position([]byte(body), leaf.at)
			tried++
			if !fails(report) {
				t.Errorf("%s: %s: %s for %s is not refused", r.Recipe.Task, path, other, leaf.text)
				continue
			}
			refused++
			if at(report, line) {
				located++
			} else if !strings.HasPrefix(path, "recipe.") && !strings.HasPrefix(path, "head.") &&
				!strings.HasPrefix(path, "drawn") && !strings.HasPrefix(path, "answer.") {
				t.Errorf("%s: %s: line %d is not in the report: %+v", r.Recipe.Task, path, line,
					report.Checks[0])
			}
		}
	}
	t.Logf("%d of %d changes refused, %d with their own line, of %d fields", refused, tried,
		located, len(fields))
	if tried < 100 || len(fields) < 60 {
		t.Errorf("%d changes of %d fields", tried, len(fields))
	}
}

// TestAverages: of an answer that averages two releases a change of the first draw, of an answer
// before, or of a ρ is refused, with the checksum renewed; so are draws that are one and the same.
func TestAverages(t *testing.T) {
	for _, r := range released() {
		if r.Head == nil || len(r.Head.Draws) < 2 {
			continue
		}
		for name, change := range map[string]func(h *ask.Head){
			"the first draw": func(h *ask.Head) { h.Draws[0].Sums[0]++ },
			"its ρ":          func(h *ask.Head) { h.Draws[0].Rho = h.Draws[1].Rho },
			"both ρ": func(h *ask.Head) {
				h.Draws[0].Rho, h.Draws[1].Rho = h.Draws[1].Rho, h.Draws[0].Rho
			},
			"one draw twice":   func(h *ask.Head) { h.Draws[1].Sums = h.Draws[0].Sums },
			"one draw less":    func(h *ask.Head) { h.Draws = h.Draws[1:] },
			"another ε before": func(h *ask.Head) { h.Before[0].Epsilon = "0.5" },
			"another digest":   func(h *ask.Head) { h.Before[0].Digest = "0" },
		} {
			if name == "one draw twice" && r.Recipe.Task == "mean" {
				continue // this one is cut to an end of the range either way
			}
			var other task.Release
			if err := json.Unmarshal([]byte(r.JSON("")), &other); err != nil {
				t.Fatal(err)
			}
			change(other.Head)
			if report := File(nil, []byte(other.JSON("0123")), "0123"); !fails(report) {
				t.Errorf("%s of %s was changed, and nothing is refused", name, r.Recipe.Task)
			}
		}
	}
}

// at tells whether a report names a line.
func at(r Report, line int) bool {
	for _, c := range r.Checks {
		for _, f := range c.Faults {
			if f.Line == line || c.More > 0 {
				return true
			}
		}
	}
	return false
}

// plainPath is a path without the places in lists.
func plainPath(path string) string {
	var b strings.Builder
	inside := false
	for _, c := range path {
		switch {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case !inside:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// TestClasses: every field of a release has a class, and every class a field.
func TestClasses(t *testing.T) {
	used := map[string]bool{}
	var visit func(of reflect.Type)
	visit = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		for _, f := range fieldsOf(of) {
			name := typeName(of) + "." + f.name
			class, known := classes[name]
			if !known {
				t.Errorf("%s has no class: say in class.go what can be told of it", name)
			}
			if used[name] {
				continue
			}
			if used[name] = true; class == inner && name != "Release.answer" {
				visit(f.of)
			}
		}
	}
	visit(reflect.TypeFor[task.Release]())
	for _, r := range task.Results() {
		visit(reflect.TypeOf(r))
	}
	for name := range classes {
		if !used[name] {
			t.Errorf("%s is no field", name)
		}
	}
	type added struct { // a new field is missed
		Later int `json:"later"`
	}
	if _, field := classIn(reflect.TypeFor[added](), "later"); field != nil {
		t.Error("a field without a class has one")
	}
}

// TestHostile: whatever a file holds, there is a report, and no panic.
func TestHostile(t *testing.T) {
	for _, text := range []string{"", "{", "[]", "null", "\xff\xfe", `{"answer": {}}`,
		`{"answer": {"histogram": {"bins": null}}, "recipe": {"task": "histogram"}}`,
		`{"answer": {"median": null}, "recipe": {"version": 1, "task": "median"}}`,
		strings.Repeat("[", 100000), `{"version": 1e999}`,
		`{"plan": {"people": -1}, "answer": {"histogram": {}}, "recipe": {"version": 1,
			"task": "histogram", "column": 1, "epsilon": "1"}}`} {
		report := File(nil, []byte(text), "")
		if !fails(report) || len(report.Unknowable) != 4 || report.Checks[0].Faults[0].Line < 1 {
			t.Errorf("%.80q: %+v", text, report)
		}
	}
	large := make([]byte, MaxBytes+1)
	if report := File(nil, large, ""); !fails(report) {
		t.Error("a file that is too large is not refused")
	}
}

// TestSignature: a signature is worth what its key is: it holds, fails with its line, or was not
// looked at, and each time the report says what it proves.
func TestSignature(t *testing.T) {
	key := strings.Repeat("0a", 65)
	text := ask.WithSignature(released()[0].JSON("0123"), key, strings.Repeat("0b", 64))
	for name, c := range map[string]struct {
		signature *Signature
		status    Status
		says      string
	}{
		"not looked at": {nil, Cannot, "did not look"},
		"holds":         {&Signature{Key: key, Holds: true}, Holds, "proves nothing"},
		"own":           {&Signature{Key: key, Holds: true, Own: true}, Holds, "of this device"},
		"fails":         {&Signature{Key: key}, Fails, ""},
		"of another":    {&Signature{Key: key + "0", Holds: true}, Fails, ""},
	} {
		report := Signed(nil, []byte(text), "0123", c.signature, nil)
		at := slices.IndexFunc(report.Checks, func(c Check) bool {
			return c.Title == "It is signed"
		})
		if at < 0 || report.Checks[at].Status != c.status ||
			!strings.Contains(report.Checks[at].Detail, c.says) ||
			fails(report) != (c.status == Fails) {
			t.Errorf("%s: %+v", name, report.Checks)
		}
	}
}

// TestSeeded: noise from a seed is refused.
func TestSeeded(t *testing.T) {
	r := *released()[0]
	r.Origin = coin.Seeded
	if !fails(File(nil, []byte(r.JSON("")), "")) {
		t.Error("a seed is not refused")
	}
}

// TestJointPairs: made-up rows of other pairs of columns than the question asks for, or of other
// people, are refused.
func TestJointPairs(t *testing.T) {
	for _, r := range released() {
		if r.Recipe.Task != "joint" || len(r.Recipe.Params) > 0 || r.Recipe.Person != 0 {
			continue
		}
		for name, change := range map[string]func(r *task.Release){
			"pairs": func(r *task.Release) {
				r.Recipe.Params = ask.Params{"pairs": "age,district\ndepartment,age"}
			},
			"people": func(r *task.Release) {
				m := r.Answer.Result.(*task.Joint).Model
				m.Measured.Persons--
				m.Packed = m.Packed[:len(m.Packed)-1] // of 9 bits a row
			},
		} {
			var other task.Release
			if err := json.Unmarshal([]byte(r.JSON("0123")), &other); err != nil {
				t.Fatal(err)
			}
			change(&other)
			report, found := File(nil, []byte(other.JSON("0123")), "0123"), false
			for _, c := range report.Checks {
				for _, f := range c.Faults {
					found = found || strings.Contains(f.Path, "model.measured")
				}
			}
			if !found {
				t.Errorf("%s: %+v", name, report.Checks)
			}
		}
		return
	}
	t.Error("no made-up rows")
}
