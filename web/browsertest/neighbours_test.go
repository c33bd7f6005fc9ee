//go:build browser

package browsertest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/chart/svg"
	"hush/web/engine"
	"hush/web/report"
	"hush/web/state/form"
)

// published is what one question of one file puts into the world, and into the ledger.
type published struct {
	Options table.Options
	Fields  []table.Field
	Rows    string
	Release outcome[task.Release]
	Entry   engine.Entry
}

// askedOf opens a file anew for each question, as each is taught, with the reading and the header
// that the survey proposes, and releases it. The engine draws from a fixed sequence of bytes.
func askedOf(t *testing.T, files map[string][]byte) (all []published) {
	t.Helper()
	type question struct {
		Sample string     `json:"sample"`
		Recipe ask.Recipe `json:"recipe"`
	}
	var questions []question
	for _, kind := range task.Catalogue() {
		r := kind.Example.Recipe
		r.Version, r.Task, r.Epsilon = ask.RecipeVersion, kind.ID, "1"
		questions = append(questions, question{kind.Example.Sample, r})
	}
	list, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := json.Marshal(files) // bytes, in base64
	if err != nil {
		t.Fatal(err)
	}
	b := openEngine(t)
	b.script(`start(); await hush.ready;`, nil)
	b.inWorker("engine.js", `(() => {
		let state = 2463534242;
		const draw = (bytes) => { for (let i = 0; i < bytes.length; i++) { state ^= state << 13; state ^= state >>> 17; state ^= state << 5; bytes[i] = state; } return bytes; };
		Object.defineProperty(crypto, "getRandomValues", { value: draw });
	})()`, nil)
	b.script(`
		const files = `+string(texts)+`, questions = `+string(list)+`, all = [];
		for (const { sample, recipe } of questions) {
			const file = new Blob([Uint8Array.from(atob(files[sample]), (c) => c.charCodeAt(0))]);
			const { options, fields, rows } = await hush.open(file);
			await hush.setLimit(null);
			const release = await outcome(hush.run({ ...recipe, table: options }));
			const entries = (await hush.ledger()).entries;
			all.push({ options, fields, rows, release, entry: { ...entries.at(-1), id: "", fingerprint: "", time: "" } });
		}
		return all;`, &all)
	return all
}

// neighbour is a file with one row in place of another: of cells that no other row has.
func neighbour(file []byte, columns int) []byte {
	lines := bytes.SplitAfter(bytes.Clone(file), []byte("\n"))
	odd := []string{"12.5", "unknown", "\xff", "00412", "=1+1", `"a ""quote"""`, "", "2024-02-30"}
	cells := make([]string, columns)
	for i := range cells {
		cells[i] = odd[i%len(odd)]
	}
	lines[len(lines)/2] = []byte(strings.Join(cells, ",") + "\n")
	return bytes.Join(lines, nil)
}

// TestNeighboursDifferInAnswersOnly: of two files that differ in one person, whatever is proposed,
// released, exported, linked and written down is the same but for the answers.
func TestNeighboursDifferInAnswersOnly(t *testing.T) {
	one, other := map[string][]byte{}, map[string][]byte{}
	for _, s := range sample.Sets() {
		one[s.Name] = s.CSV()
		other[s.Name] = neighbour(s.CSV(), len(s.Columns))
		if bytes.Equal(one[s.Name], other[s.Name]) {
			t.Fatalf("%s has no neighbour", s.Name)
		}
	}
	a, b := askedOf(t, one), askedOf(t, other)
	if len(a) != len(task.Catalogue()) || len(b) != len(a) {
		t.Fatalf("%d and %d questions were asked of %d", len(a), len(b), len(task.Catalogue()))
	}
	picture, err := svg.New(
		`<svg width="9" height="9" viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg">` +
			`<path d="M0 0L9 9" stroke="#333"></path></svg>`)
	if err != nil {
		t.Fatal(err)
	}
	answers, released := 0, 0
	for i, kind := range task.Catalogue() {
		x, y := a[i], b[i]
		same := func(what string, one, other any) {
			if !reflect.DeepEqual(one, other) {
				p, _ := json.Marshal(one)
				q, _ := json.Marshal(other)
				t.Errorf("%s: %s differs:\n%s\n%s", kind.ID, what, p, q)
			}
		}
		same("the reading", x.Options, y.Options)
		same("n", x.Rows, y.Rows)
		same("the ledger's entry", x.Entry, y.Entry)
		guesses := func(p published) (list []domain.Spec, names []string) {
			for _, f := range p.Fields {
				list, names = append(list, f.Guess), append(names, f.Name)
			}
			return list, names
		}
		g, n := guesses(x)
		h, m := guesses(y)
		same("a guess", g, h)
		same("a name", n, m)
		if x.Release.Error != nil || y.Release.Error != nil {
			same("a refusal", x.Release.Error, y.Release.Error)
			continue
		}
		released++
		r, s := x.Release.Value, y.Release.Value
		if !reflect.DeepEqual(r.Answer.Result, s.Answer.Result) {
			answers++
		}
		if r.Origin != coin.Crypto {
			t.Errorf("%s is of origin %s", kind.ID, r.Origin)
		}
		// With the answer of the one, all that is made of the other is that of the one.
		s.Answer, s.Statement, s.Verdict, s.Tuned = r.Answer, r.Statement, r.Verdict, r.Tuned
		if r.Head != nil && s.Head != nil { // the noisy numbers that the answer is made of
			same("how many numbers are drawn", len(r.Head.Sums), len(s.Head.Sums))
			s.Head.Sums = r.Head.Sums
		}
		same("the release", text(t, r), text(t, s))
		same("the CSV", ask.CSV(r.Table(nil)), ask.CSV(s.Table(nil)))
		same("the recipe", report.RecipeText(&r), report.RecipeText(&s))
		same("the link", form.EncodeRecipe(r.Recipe), form.EncodeRecipe(s.Recipe))
		page := func(r *task.Release) string {
			return report.Of("build", "2026-01-31",
				report.Answer{Release: r, Picture: picture}).HTML()
		}
		same("the report", page(&r), page(&s))
	}
	t.Logf("%d questions, %d released, %d answers differ", len(a), released, answers)
	if released < len(a)-2 || answers == 0 {
		t.Errorf("%d of %d questions were released, %d answers differ", released, len(a), answers)
	}
}

func text(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
