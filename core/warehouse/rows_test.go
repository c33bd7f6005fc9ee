package warehouse

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/replay"
	"hush/core/param"
	"hush/core/table"
	"hush/core/task"
)

// hostile are names of columns that end a quotation, a comment or a statement, or name a variable.
var hostile = []string{`a"b`, "c`d", "e'f", "g;h --", "i\nj", "k\\", "ä ö", "SELECT", "  x ", "$1",
	"%s", "persons", "PERSONS", "m/*n", ":o", "{p}", "q.r", "c2", "person", "place", "n"}

// namesOf are as many names, of which no two are one for an engine.
func namesOf(columns int, seed uint64) (names []string) {
	for i := range columns {
		name := hostile[(uint64(i)*5+seed)%uint64(len(hostile))]
		for slices.ContainsFunc(names, func(o string) bool { return strings.EqualFold(o, name) }) {
			name += "_"
		}
		names = append(names, name)
	}
	return names
}

// labelled is a recipe whose columns have names, which no number of a column takes the place of.
func labelled(r ask.Recipe) ask.Recipe {
	name := func(column int) string { return fmt.Sprint("named ", column) }
	r.Label = name(r.Column)
	r.Others = slices.Clone(r.Others)
	for i := range r.Others {
		r.Others[i].Label = name(r.Others[i].Column)
	}
	if r.Group != nil {
		group := *r.Group
		group.Label, r.Group = name(group.Column), &group
	}
	return r
}

// fewEnough leaves out rows until the bound of the recipe drops none.
func fewEnough(r ask.Recipe, cells [][]string) (list [][]string) {
	most, groups := 1, 1000
	if r.Use != nil && len(r.Use.Values) > 0 {
		if !Draws(r) {
			return cells
		}
	} else if r.Use != nil {
		if most = r.Use.Rows; r.Use.Groups > 0 {
			groups = r.Use.Groups
		}
	}
	type known struct {
		rows   int
		groups map[string]bool
	}
	seen := map[string]*known{}
	for _, row := range cells {
		id := strings.Trim(row[r.Person-1], " \t")
		if seen[id] == nil {
			seen[id] = &known{groups: map[string]bool{}}
		}
		who := seen[id]
		if groups < 1000 {
			who.groups[row[r.Use.Column-1]] = true
		}
		if who.rows++; who.rows <= most && len(who.groups) <= groups {
			list = append(list, row)
		}
	}
	return list
}

// anyOf are rows as an engine takes them: an empty cell is NULL or an empty text.
func anyOf(cells [][]string) (rows [][]any) {
	for i, row := range cells {
		out := make([]any, len(row))
		for k, cell := range row {
			if out[k] = any(cell); cell == "" && (i+k)%2 == 0 {
				out[k] = nil
			}
		}
		rows = append(rows, out)
	}
	return rows
}

// answer is what a release of a file says.
func answer(file string, r ask.Recipe, seed uint64) (said string, people int64, err error) {
	s := task.NewSession(coin.NewSeeded(coin.Seed(seed + 1)))
	if err := s.Load(strings.NewReader(file), r); err != nil {
		return "", 0, err
	}
	plan, err := s.Plan(r)
	if err != nil {
		return "", 0, err
	}
	s.DrawFrom(newAfterKeys(r, seed))
	release, err := s.Run(r, nil)
	if err != nil {
		return "the error " + err.Error(), plan.People, nil
	}
	text, err := json.Marshal(release.Answer)
	return string(text) + " for " + plan.Loss.String(), plan.People, err
}

// afterKeys are the coins of a seed, but for the keys of the pass that a run makes once more where
// a column names the persons, to see that the file can be read: no row is read by them.
type afterKeys struct {
	coin.Source
	keys int
}

func newAfterKeys(r ask.Recipe, seed uint64) *afterKeys {
	a := &afterKeys{coin.NewSeeded(coin.Seed(seed)), 0}
	if r.Person > 0 {
		a.keys = 2
		if r.Use != nil {
			a.keys = 4
		}
	}
	return a
}

func (a *afterKeys) UniformBig(n *big.Int) *big.Int {
	if a.keys > 0 {
		a.keys--
		return new(big.Int)
	}
	return a.Source.UniformBig(n)
}

// TestHostileCells: cells that end a quotation, a comment or a statement are found by a condition
// that lists them, and are their own groups.
func TestHostileCells(t *testing.T) {
	texts := []string{`a'b`, `a\'; DROP TABLE x; --`, "new\nline", `back\slash\`, `"q"`, "t\tb",
		"ü €", "/* c", "${env:HOME}", "''", `\`, "`", "cr\rlf\r\n.", `\n`, "%", "$$", ":a", "a\u00a0b"}
	for _, a := range []string{"'", `"`, "`", `\`, "$", "{"} {
		for _, b := range []string{"'", `"`, "`", `\`, "$", "{"} {
			if pair := "<" + a + b; !slices.Contains(texts, pair) {
				texts = append(texts, pair)
			}
		}
	}
	for _, e := range startEngines(t) {
		for _, use := range []*table.Use{nil, {Rows: 1, Groups: 2, Column: 1}} {
			r := visits(use, table.Condition{Column: 1, In: texts,
				Spec: domain.Spec{Kind: domain.Category, Categories: texts}})
			r.Others = r.Others[:1]
			r.Others[0].Domain = domain.Spec{Kind: domain.Category, Categories: texts,
				Spellings: []domain.Spelling{{Cell: "so", As: texts[0]}}}
			p := Params{Dialect: e.dialect(), Table: quotedTable, Columns: visitNames, Recipe: r,
				Key: someKey}
			if e.dialect() == Spark {
				p.Table = "visits"
			}
			c, err := New(p)
			if err != nil {
				t.Fatal(err)
			}
			var rows [][]any
			for i, text := range append(slices.Clone(texts), "so", "other", "") {
				rows = append(rows, []any{" " + text + "\t", fmt.Sprint(i), "1"})
			}
			file, err := e.run(visitNames, rows, c.SQL)
			if err != nil {
				t.Errorf("%v\n%s", err, c.SQL)
				continue
			}
			counts := countsIn(t, file)
			for _, text := range texts {
				// the reader of the test takes a line's end for a line feed
				if counts[strings.ReplaceAll(text, "\r\n", "\n")] != 1 {
					t.Errorf("%s, %+v: %q counts %d times in %v", e.dialect(), use, text,
						counts[text], counts)
				}
			}
		}
	}
}

// rowsFile is a file of rows, and how it is read.
func rowsFile(t testing.TB, names []string, cells [][]string) (string, table.Options) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range append([][]string{names}, cells...) {
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	o, err := table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: len(names), Blank: table.RowBlank}.Decided()
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), o
}

const someKey = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

// TestCountsOfRows: of every question of the catalogue, asked in its ways of random tables with
// hostile names and values, the counts that the engines make give the answer that the rows give,
// from the same coins, where the bound drops no row. What is refused says why.
func TestCountsOfRows(t *testing.T) {
	engines := startEngines(t)
	w := replay.NewWalk(task.All{}, 24)
	asked, refused := map[string]int{}, map[string]int{}
	tables := 0
	most := 400
	if testing.Short() {
		most = 160
	}
	all := len(task.Catalogue())
	for k := uint64(0); tables < most || len(asked) < all && tables < 4*most; k++ {
		seed := k
		if tables > most/2 { // the ways of each question come in an order: these are of all
			seed = k * 7919
		}
		q, err := w.Question(seed)
		if err != nil || q.Recipe.Count > 0 {
			continue
		}
		names := namesOf(len(q.Cells[0]), seed)
		r := labelled(q.Recipe)
		if r.Person > 0 {
			q.Cells = fewEnough(r, q.Cells)
		}
		var file string
		file, r.Table = rowsFile(t, names, q.Cells)
		want, people, err := answer(file, r, seed)
		if err != nil {
			continue
		}
		for _, e := range engines {
			p := Params{Dialect: e.dialect(), Table: quotedTable, Columns: names, Recipe: r,
				Key: someKey}
			if e.dialect() == Spark {
				p.Table = "visits"
			}
			c, err := New(p)
			var fault *param.Error
			if errors.As(err, &fault) {
				refused[fault.Field]++
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			counts, err := e.run(names, anyOf(q.Cells), c.SQL)
			if err != nil {
				t.Errorf("%s, seed %d: %v\n%s", q.Name, seed, err, c.SQL)
				continue
			}
			got, of, err := answer(counts, c.Recipe, seed)
			if err != nil || got != want || of != people {
				t.Errorf("%s, seed %d, %s: of counts %s, of %d people, %v\nof rows %s, of %d\n"+
					"%s\n%s\n%s", q.Name, seed, e.dialect(), got, of, err, want, people, c.SQL,
					counts, file)
				continue
			}
			asked[q.Recipe.Task]++
			tables++
		}
		if t.Failed() {
			return
		}
	}
	for _, one := range task.Catalogue() {
		if asked[one.ID] == 0 {
			t.Errorf("%s was never asked of counts", one.ID)
		}
	}
	t.Logf("%d tables; asked %v; refused for %v", tables, asked,
		slices.Sorted(maps.Keys(refused)))
}
