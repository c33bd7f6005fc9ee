package review

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/privacy"
	"hush/core/publication"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
)

// answer asks the example of a question of made-up people.
func answer(t *testing.T, id string, change func(*ask.Recipe)) *task.Release {
	t.Helper()
	for _, q := range task.Catalogue() {
		if q.ID != id {
			continue
		}
		set, _ := sample.Named(q.Example.Sample)
		s := task.NewSession(coin.NewSeeded(1))
		survey, err := s.Survey(table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := ask.ReadAll(survey, set.CSV()); err != nil {
			t.Fatal(err)
		}
		opened, err := s.Opened()
		if err != nil {
			t.Fatal(err)
		}
		r := q.Example.Recipe
		r.Version, r.Task, r.Table, r.Epsilon = ask.RecipeVersion, id, opened.Options, "1"
		change(&r)
		pass, err := s.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := ask.ReadAll(pass, set.CSV()); err != nil {
			t.Fatal(err)
		}
		out, err := s.Run(r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	t.Fatalf("there is no question %q", id)
	return nil
}

func same(*ask.Recipe) {}

func pageOf(list ...*task.Release) publication.Page {
	p := publication.Page{Title: `Visits: "one" & #2`, Publisher: "Health Office",
		Date: "2026-11-25", Build: "0123", Source: "Made up"}
	for _, r := range list {
		p.Pieces = append(p.Pieces, publication.Piece{Figure: &publication.Figure{Release: r}})
	}
	return p
}

// files are those of a page by name.
func files(t *testing.T, p publication.Page) map[string]string {
	t.Helper()
	list, err := Files(p)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range list {
		all[f.Name] = f.Text
	}
	return all
}

// TestItems: each layer of the pyramid has its heading, the price is that of the whole page, and
// what a tool cannot know is marked.
func TestItems(t *testing.T) {
	page := pageOf(answer(t, "histogram", same), answer(t, "median", same))
	text := files(t, page)["nist-sp-800-226.md"]
	for _, want := range []string{"## Privacy parameters", "## Unit of privacy",
		"## Algorithms and correctness", "## Utility and bias", "## Queries and access",
		"## Trust model", "## Side channels", "## Security and access control",
		"## Data collection exposure", "**Guarantee**: ε = 2, pure", "**Figure 1**: ε = 1",
		"discrete Laplace mechanism", "Collection and consent**: " + Blank, "build 0123",
		"seeded"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Count(text, Blank) < 6 {
		t.Errorf("%d blanks", strings.Count(text, Blank))
	}
}

// schema are the fields that the registry's schema requires, and the lists that it has.
var schema = map[string][]string{
	"url_slug": nil, "status": {"Draft"}, "tier": nil, "deployment": nil, "  basic": nil,
	"    name": nil, "    data_curators": nil, "    description": nil, "    intended_use": nil,
	"    data_product_type":   {"Summary statistics", "Synthetic data", "Machine learning model"},
	"    data_product_region": nil, "    publication_date": nil,
	"    registry_authors": nil, "    variant_name": {"Pure DP", "Approximate DP"},
	"    model_name": {"Central"}, "    release_type": {"One release"},
	"    access_type": {"Non-interactive"},
}

// TestRegistry: the entry has what the schema requires, in its words, and is valid by the schema
// itself where HUSH_REGISTRY_SCHEMA names it and Python has jsonschema.
func TestRegistry(t *testing.T) {
	delta := answer(t, "mean", func(r *ask.Recipe) {
		r.Params = ask.Params{"delta": "0.000001"}
		r.Epsilon = "0.3"
	})
	for name, p := range map[string]publication.Page{
		"two": pageOf(answer(t, "histogram", same), delta), "δ": pageOf(delta),
		"made up": pageOf(answer(t, "madeup", same)),
		"bare": {Pieces: []publication.Piece{{Figure: &publication.Figure{
			Release: answer(t, "count", same)}}}},
	} {
		text := files(t, p)["registry.yaml"]
		lines := map[string]string{}
		for line := range strings.Lines(text) {
			key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ":")
			lines[key] = strings.TrimSpace(value)
		}
		for key, among := range schema {
			value, has := lines[key]
			if !has {
				t.Errorf("%s: no %q in\n%s", name, key, text)
			}
			var plain string
			if among != nil && (json.Unmarshal([]byte(value), &plain) != nil ||
				!strings.Contains(strings.Join(among, "|"), plain)) {
				t.Errorf("%s: %s is %s", name, key, value)
			}
		}
		if path := os.Getenv("HUSH_REGISTRY_SCHEMA"); path != "" {
			valid(t, path, text)
		}
	}
}

// valid asks Python whether a text is one of the schema.
func valid(t *testing.T, schema, text string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "entry.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = "import sys, yaml, jsonschema\n" +
		"jsonschema.validate(yaml.safe_load(open(sys.argv[2])), yaml.safe_load(open(sys.argv[1])))"
	out, err := exec.Command("python3", "-c", script, schema, file).CombinedOutput()
	if err != nil {
		t.Errorf("not valid: %s\n%s", out, text)
	}
}

// TestCodebook: each column that was read has its row, in both forms.
func TestCodebook(t *testing.T) {
	all := files(t, pageOf(answer(t, "histogram", same), answer(t, "table", same)))
	rows, err := csv.NewReader(strings.NewReader(all["codebook.csv"])).ReadAll()
	if err != nil || len(rows) < 4 || rows[1][0] != "age" || rows[1][4] != "0" ||
		rows[1][5] != "99" {
		t.Errorf("%v, %v", rows, err)
	}
	var book ddiBook
	if err := json.Unmarshal([]byte(all["codebook-ddi.json"]), &book); err != nil {
		t.Fatal(err)
	}
	list := book.CodeBook.Data.Variables
	if len(list) != len(rows)-1 || list[0].Name != "age" || list[0].Range.Max != "99" ||
		list[0].Format.Type != "numeric" || book.CodeBook.Study.Producer != "Health Office" {
		t.Errorf("%+v", book)
	}
	categories := 0
	for _, v := range list {
		categories += len(v.Categories)
	}
	if categories < 3 {
		t.Errorf("%d categories", categories)
	}
}

// curveOf reads the curve of a page.
func curveOf(t *testing.T, p publication.Page) (curve []float64, law string) {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(files(t, p)["trade-off.csv"])).ReadAll()
	if err != nil || len(rows) != 102 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		alpha, _ := strconv.ParseFloat(row[0], 64)
		beta, err := strconv.ParseFloat(row[1], 64)
		if err != nil || math.Abs(alpha-float64(i)/100) > 1e-9 {
			t.Fatalf("row %d: %v", i, row)
		}
		curve, law = append(curve, beta), row[2]
	}
	return curve, law
}

// optimal is the exact trade-off of discrete Laplace noise for moves of −1 and +1 in two cells, as
// of a histogram of one person replaced: by the lemma of Neyman and Pearson outcomes are taken by
// their ratio, from the law of the loss 2a, 0, −2a.
func optimal(epsilon, alpha float64) float64 {
	a := epsilon / 2 // of a move by 1
	odds := math.Exp(a)
	p := 1 / (1 + 1/odds) // of a loss of a, and 1 − p of −a
	type outcome struct{ p, q float64 }
	list := []outcome{{p * p, (1 - p) * (1 - p)}, {2 * p * (1 - p), 2 * p * (1 - p)},
		{(1 - p) * (1 - p), p * p}}
	power := 0.0 // the test says P; q is its false alarm
	for _, o := range list {
		take := min(1, alpha/o.q)
		power += take * o.p
		if alpha -= take * o.q; alpha <= 0 {
			break
		}
	}
	return 1 - power
}

// TestTradeOff: the curve of a histogram comes from below to within a few thousandths of its exact
// law, closer than ε alone gives; a median has the curve of its ε.
func TestTradeOff(t *testing.T) {
	curve, law := curveOf(t, pageOf(answer(t, "histogram", same)))
	if law != "exact law" {
		t.Fatalf("the curve is from %s", law)
	}
	largest, gain := 0.0, 0.0
	for i, beta := range curve {
		alpha := float64(i) / 100
		want := optimal(1, alpha)
		pure := max(0, 1-math.E*alpha, (1-alpha)/math.E)
		if beta > want {
			t.Errorf("at %g the curve says %g, and %g is reached", alpha, beta, want)
		}
		largest, gain = max(largest, want-beta), max(gain, beta-pure)
	}
	if largest > 0.002 || gain < 0.02 {
		t.Errorf("off by up to %g, above that of ε by up to %g", largest, gain)
	}
	curve, law = curveOf(t, pageOf(answer(t, "median", same)))
	if law != "epsilon and delta" || curve[0] < 1-1e-5 ||
		math.Abs(curve[27]-max(1-math.E*0.27, 0.73/math.E)) > 1e-5 {
		t.Errorf("from %s: %v", law, curve)
	}
	// a law that says too little, and the first has no loss at all
	for name, planted := range map[string][]privacy.Pairs{"nothing": nil,
		"half of it": {{Pair: pairOf(t, 2), Times: 1}}} {
		r := &reviewed{page: pageOf(answer(t, "histogram", same))}
		r.total = must(r.page.Total())
		curve, law := r.profile(func([]privacy.Pairs) (*privacy.LossDistribution, error) {
			return privacy.ComposePairs(planted)
		})
		if law != "epsilon and delta" || len(curve) != 1 || curve[0].delta != 0 ||
			curve[0].epsilon < 1 {
			t.Errorf("a law that says %s is taken: from %s, %v", name, law, curve)
		}
	}
	// five answers whose losses add up to 500 tell neighbours apart, whatever the law says
	loud := func(r *ask.Recipe) { r.Epsilon = "100" }
	var figures []*task.Release
	for range 5 {
		figures = append(figures, answer(t, "histogram", loud))
	}
	if far, law := curveOf(t, pageOf(figures...)); far[1] > 0 || far[0] > 1 {
		t.Errorf("far out, from %s: %v", law, far[:3])
	}
	two, _ := curveOf(t, pageOf(answer(t, "histogram", same), answer(t, "count", same)))
	one, _ := curveOf(t, pageOf(answer(t, "histogram", same)))
	for i := range two {
		if two[i] > one[i] {
			t.Errorf("two answers tell less than one at %d %%", i)
		}
	}
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// pairOf is the pair of noise that loses 1/part.
func pairOf(t *testing.T, part int64) privacy.Pair {
	t.Helper()
	return must(privacy.PairOf(must(privacy.NewLoss(big.NewRat(1, part), nil))))
}

// TestDecimalUp: what is stated is never less than what holds.
func TestDecimalUp(t *testing.T) {
	for text, want := range map[string]string{"1": "1.0", "1/2": "0.5", "1/3": "0.333334",
		"1/10000000": "0.000001", "12": "12.0"} {
		x, _ := new(big.Rat).SetString(text)
		if got := decimalUp(x, 6); got != want {
			t.Errorf("%s is written %s, want %s", text, got, want)
		}
	}
}
