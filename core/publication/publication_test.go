package publication

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/task"
)

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// ages is a file of ages and cities.
func ages(n int) []byte {
	var b strings.Builder
	b.WriteString("age,city\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%s\n", i%100, []string{"Bern", "Graz", "Ulm"}[i%3])
	}
	return []byte(b.String())
}

var cities = domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Graz", "Ulm"}}

// asking is a question about the first column of a file of ages.
func asking(name, epsilon string, params ask.Params) ask.Recipe {
	return ask.Recipe{Version: ask.RecipeVersion, Task: name, Column: 1, Epsilon: epsilon,
		Params: params, Noun: codebook.Noun{One: "patient", Many: "patients"},
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}}
}

func byCity(r ask.Recipe) ask.Recipe {
	r.Group = ask.GroupsOf(2, cities)
	return r
}

// answering is a session in which a question can be asked.
func answering(r *ask.Recipe, seed coin.Seed) *task.Session {
	s := task.NewSession(coin.NewSeeded(seed))
	file := bytes.NewReader(ages(2000))
	pass := must(s.Survey(r.Table))
	if err := errors.Join(pass.Write(ages(2000)), pass.Close()); err != nil {
		panic(err)
	}
	r.Table = must(s.Opened()).Options
	if err := s.Load(file, *r); err != nil {
		panic(err)
	}
	return s
}

// released is an answer, the same for the same seed.
func released(r ask.Recipe, seed coin.Seed) *task.Release {
	s := answering(&r, seed)
	return must(s.Run(r, nil))
}

// pageOf is a page of these figures, under a heading.
func pageOf(figures ...*Figure) Page {
	p := Page{Title: "Ages <in> 2025", Lead: "Who is how old.", Publisher: "Office & Sons",
		Source: "Made up", Date: "2026-01-31", Build: "0123", Pieces: []Piece{{Heading: "Ages"},
			{Text: "A paragraph."}}}
	for _, f := range figures {
		p.Pieces = append(p.Pieces, Piece{Figure: f})
	}
	return p
}

// allKinds is a page with an answer of many kinds.
func allKinds() Page {
	var figures []*Figure
	for i, r := range []ask.Recipe{
		asking("histogram", "0.5", nil), asking("mean", "0.2", nil), asking("median", "0.2", nil),
		asking("count", "0.1", nil), byCity(asking("mean", "1", nil)),
		asking("quantiles", "1", nil), asking("distribution", "1", nil),
	} {
		figures = append(figures, &Figure{Release: released(r, coin.Seed(i+1)),
			Sentence: strings.Repeat("A finding. ", i%2)})
	}
	return pageOf(figures...)
}

// TestPageAsJSON: a page that is read is the page that was written, byte by byte, and an answer
// that two figures show stays one.
func TestPageAsJSON(t *testing.T) {
	p := allKinds()
	p.Pieces = append(p.Pieces, Piece{Figure: &Figure{Release: p.Figures()[1].Release,
		Sentence: "Once more."}})
	text := Write(p)
	read, err := Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(Write(read), text) || Digest(read) != Digest(p) {
		t.Error("a page that is read is another")
	}
	figures := read.Figures()
	if len(figures) != 8 || figures[7].Release != figures[1].Release ||
		figures[7].Sentence != "Once more." || figures[0].Release == figures[1].Release {
		t.Error("the figures of a page that is read are others")
	}
	if !bytes.Equal(must(json.Marshal(read)), must(json.Marshal(p))) {
		t.Error("a page as JSON without its digest is another")
	}
	var wide bytes.Buffer
	if err := json.Indent(&wide, text, "", "\t"); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(wide.Bytes()); err != nil {
		t.Errorf("with white space: %v", err)
	}
	if bytes.ContainsAny(text, "<>&") {
		t.Error("a page's JSON may not stand in HTML")
	}
	if f := Fingerprint(p); len(f) != 19 || strings.ReplaceAll(f, " ", "") != Digest(p)[:16] {
		t.Errorf("the fingerprint is %q", f)
	}
}

func field(err error) string {
	var refused *param.Error
	if !errors.As(err, &refused) {
		return fmt.Sprint(err)
	}
	return refused.Field
}

// resigned is a page's file with something replaced, and the digest of what that gives.
func resigned(text []byte, old, now string) []byte {
	if !bytes.Contains(text, []byte(old)) {
		panic("nothing to replace: " + old)
	}
	text = bytes.Replace(text, []byte(old), []byte(now), 1)
	var f struct{ Page json.RawMessage }
	if err := json.Unmarshal(text, &f); err != nil {
		return text
	}
	return must(json.Marshal(file{Version, digest(f.Page), f.Page}))
}

// emptied is a page's file whose answer has no rows.
func emptied(text []byte) []byte {
	_, rows, _ := strings.Cut(string(text), `"rows":[`)
	rows, _, _ = strings.Cut(rows, "]")
	return resigned(text, `"rows":[`+rows+"]", `"rows":[]`)
}

// TestReadRefuses: what Write did not write, with the digest it should have.
func TestReadRefuses(t *testing.T) {
	p := pageOf(&Figure{Release: released(asking("mean", "0.2", nil), 1)})
	text := Write(p)
	two := pageOf(p.Figures()[0], &Figure{Release: p.Figures()[0].Release})
	for name, c := range map[string]struct {
		text []byte
		want string
	}{
		"nothing":            {nil, "file"},
		"no object":          {[]byte(`[]`), "file"},
		"a null":             {[]byte(`null`), "version"},
		"text behind it":     {append(slices.Clone(text), "{}"...), "file"},
		"a field beside":     {bytes.Replace(text, []byte(`{`), []byte(`{"x":1,`), 1), "file"},
		"a later version":    {bytes.Replace(text, []byte(`:1`), []byte(`:2`), 1), "version"},
		"a changed letter":   {bytes.Replace(text, []byte("Made"), []byte("Mede"), 1), "sha256"},
		"a null for a page":  {resigned(text, string(must(json.Marshal(p))), "null"), "page"},
		"an unknown field":   {resigned(text, `"title"`, `"tittle"`), "page"},
		"one of an answer":   {resigned(text, `"rows"`, `"x":1,"rows"`), "page"},
		"one of a release":   {resigned(text, `"statement"`, `"x":"y","statement"`), "page"},
		"a figure of none":   {resigned(text, `"release"`, `"again":1,"release"`), "page"},
		"a later figure":     {resigned(Write(two), `"again":1`, `"again":2`), "page"},
		"a plan of none":     {resigned(text, `"release"`, `"plan":1,"release"`), "plan"},
		"no answer":          {resigned(text, `{"estimates"`, `{"nothing"`), "page"},
		"no number":          {emptied(text), "pieces"},
		"no people":          {resigned(text, `"people":2000`, `"people":0`), "pieces"},
		"a day of no month":  {resigned(text, `2026-01-31`, `2026-13-31`), "date"},
		"a piece of two":     {resigned(text, `{"heading"`, `{"text":"x","heading"`), "pieces"},
		"a long title":       {resigned(text, "Who", strings.Repeat("x", 1<<16)), "text"},
		"a release for text": {resigned(text, `"A paragraph."`, `{}`), "page"},
	} {
		read, err := Read(c.text)
		if got := field(err); got != c.want || len(read.Pieces) > 0 {
			t.Errorf("%s: %v, want an error of %s", name, err, c.want)
		}
	}
}

// TestEveryByteCounts: no byte of a page can be changed without the page being refused, but for
// white space and for the case of the file's own field names.
func TestEveryByteCounts(t *testing.T) {
	text := Write(pageOf(&Figure{Release: released(asking("count", "0.2", nil), 1)}))
	start := bytes.Index(text, []byte(`"page":`)) + len(`"page":`)
	for i := start; i < len(text)-1; i += 7 {
		changed := slices.Clone(text)
		if changed[i] ^= 1; json.Valid(changed) {
			if _, err := Read(changed); err == nil {
				t.Errorf("byte %d changed from %q to %q is read", i, text[i], changed[i])
			}
		}
	}
}

func TestFromHTML(t *testing.T) {
	p := pageOf(&Figure{Release: released(asking("count", "0.2", nil), 1)})
	appendix := AppendixStart + string(Write(p)) + AppendixEnd
	read, err := FromHTML([]byte("<p>x</p>" + appendix + "<p>y</p>"))
	if err != nil || Digest(read) != Digest(p) {
		t.Errorf("the appendix reads as %v, %v", read, err)
	}
	for _, bad := range []string{"", "<p>x</p>", appendix + appendix, AppendixStart,
		AppendixStart + AppendixEnd} {
		if _, err := FromHTML([]byte(bad)); field(err) != "file" {
			t.Errorf("%.60s: %v", bad, err)
		}
	}
}

// FuzzRead: whatever a file says, it is refused or read, and what is read is written as it was.
func FuzzRead(f *testing.F) {
	one := &Figure{Release: released(asking("count", "0.2", nil), 1)}
	f.Add(Write(pageOf(one, one)))
	f.Add(Write(Page{Plans: []Plan{{Delta: "1e-6", Questions: []ask.Recipe{{Task: "x"}}}}}))
	f.Fuzz(func(t *testing.T, text []byte) {
		var sent struct{ Page json.RawMessage }
		if json.Unmarshal(text, &sent) == nil {
			var plain bytes.Buffer
			if json.Compact(&plain, sent.Page) == nil {
				text = must(json.Marshal(file{Version, digest(plain.Bytes()), sent.Page}))
			}
		}
		p, err := Read(text)
		if err != nil {
			if len(p.Pieces) > 0 {
				t.Error("a page and an error")
			}
			return
		}
		_, _ = p.Total()
		p.Keys()
		if again, err := Read(Write(p)); err != nil || Digest(again) != Digest(p) {
			t.Errorf("what was read does not read again: %v", err)
		}
	})
}

func epsilonOf(l privacy.Loss) string {
	epsilon, known := l.Epsilon()
	if !known {
		return "none"
	}
	return epsilon.RatString()
}

// TestTotal: releases add up, one shown twice counts once, equal ones drawn apart count twice, and
// what a release states of its own loss is not believed.
func TestTotal(t *testing.T) {
	mean, count := asking("mean", "0.2", nil), asking("count", "0.1", nil)
	a, b := released(mean, 1), released(count, 2)
	equal := released(mean, 1)
	liar := released(mean, 3)
	liar.Plan.Loss = b.Plan.Loss
	gauss := byCity(asking("count", "1", ask.Params{"delta": "0.000001"}))
	for name, c := range map[string]struct {
		figures []*Figure
		want    string
		parts   int
	}{
		"nothing":      {nil, "0", 0},
		"one":          {[]*Figure{{Release: a}}, "1/5", 1},
		"two":          {[]*Figure{{Release: a}, {Release: b}}, "3/10", 2},
		"one twice":    {[]*Figure{{Release: a}, {Release: b}, {Release: a}}, "3/10", 2},
		"equal ones":   {[]*Figure{{Release: a}, {Release: equal}}, "2/5", 2},
		"a liar":       {[]*Figure{{Release: liar}}, "1/5", 1}, // H: total.md own-prices
		"of no plan":   {[]*Figure{{Release: a, Plan: 1}}, "1/5", 1},
		"of gaussians": {[]*Figure{{Release: released(gauss, 4)}, {Release: b}}, "11/10", 2},
	} {
		p := pageOf(c.figures...)
		p.Plans = []Plan{{Delta: "1e-6", Questions: []ask.Recipe{count}}}
		total, err := p.Total()
		if err != nil || epsilonOf(total.Loss) != c.want || len(total.Parts) != c.parts {
			t.Errorf("%s: ε = %s of %d parts, %v, want %s of %d", name, epsilonOf(total.Loss),
				len(total.Parts), err, c.want, c.parts)
		}
	}
	twice := must(pageOf(&Figure{Release: a}, &Figure{Release: b}, &Figure{Release: a}).Total())
	if !slices.Equal(twice.Parts[0].Figures, []int{1, 3}) || twice.Saved() != nil {
		t.Errorf("the parts are %+v", twice.Parts)
	}
	broken := released(mean, 1)
	broken.Recipe.Epsilon = "none"
	if _, err := pageOf(&Figure{Release: broken}).Total(); field(err) != "epsilon" {
		t.Errorf("a release without a price: %v", err)
	}
}

// TestTotalOfPlan: the releases of a plan cost what Together says of the plan, those that are not
// on the page included, and each question pays for one release.
func TestTotalOfPlan(t *testing.T) {
	var parts []ask.Part
	for range 8 {
		parts = append(parts, ask.Part{Recipe: asking("histogram", "1", nil)})
	}
	parts = append(parts, ask.Part{Recipe: asking("mean", "1", nil)})
	s := answering(&parts[0].Recipe, 1)
	for i := range parts {
		parts[i].Recipe.Table = parts[0].Recipe.Table
	}
	plan := must(s.Together(ask.Several{Parts: parts, Division: ask.Evenly, Total: "1",
		Delta: "1e-6"}, nil))
	written := Plan{Delta: "1e-6"}
	var figures []*Figure
	for i, part := range parts {
		part.Recipe.Epsilon = plan.Epsilons[i]
		written.Questions = append(written.Questions, part.Recipe)
		if i > 1 {
			figures = append(figures, &Figure{Plan: 1,
				Release: released(part.Recipe, coin.Seed(i))})
		}
	}
	p := pageOf(figures...)
	p.Plans = []Plan{written}
	total := must(p.Total())
	if epsilonOf(total.Loss) != epsilonOf(plan.Total.Loss) || len(total.Parts) != 1 ||
		total.Parts[0].Questions != 9 || total.Saved() == nil ||
		epsilonOf(total.Parts[0].Apart) != epsilonOf(plan.Apart) {
		t.Errorf("the total is %v, want %v; %+v", total.Loss, plan.Total.Loss, total.Parts)
	}
	read := must(Read(Write(p)))
	if again := must(read.Total()); epsilonOf(again.Loss) != epsilonOf(total.Loss) {
		t.Errorf("read again it is %v", again.Loss)
	}

	// a third draw of the mean, and one with another ε, are paid for beside the plan
	mean := written.Questions[8]
	other := mean
	other.Epsilon = "0.25"
	p.Pieces = append(p.Pieces, Piece{Figure: &Figure{Plan: 1, Release: released(mean, 77)}},
		Piece{Figure: &Figure{Plan: 1, Release: released(other, 78)}})
	more, _ := must(p.Total()).Loss.Epsilon()
	want, _ := total.Loss.Epsilon()
	want.Add(want, must(privacy.ParseEpsilon(mean.Epsilon)).Rat()).Add(want, big.NewRat(1, 4))
	if more.Cmp(want) != 0 {
		t.Errorf("with two more the total is %s, want %s", more, want)
	}

	p.Pieces[2].Figure.Release.Plan.People--
	if _, err := p.Total(); field(err) != "plan" {
		t.Errorf("of two files: %v", err)
	}
	p.Pieces[2].Figure.Release.Plan.People++
	p.Plans[0].Delta = "x"
	if _, err := p.Total(); field(err) != "delta" {
		t.Errorf("of no δ: %v", err)
	}
	p = pageOf(&Figure{Release: released(asking("count", "0.1", nil), 1), Plan: 1})
	p.Plans = []Plan{written}
	if total := must(p.Total()); epsilonOf(total.Loss) != "1/10" {
		t.Errorf("a plan of which nothing is shown costs %v", total.Loss)
	}
}

// TestTotalOfTopUps: an answer and what it was topped up from cost what the last costs.
func TestTotalOfTopUps(t *testing.T) {
	r := asking("mean", "0.1", nil)
	s := answering(&r, 3)
	first := must(s.Run(r, nil))
	second := must(s.TopUp(first, "0.3", nil))
	third := must(s.TopUp(second, "0.7", nil))
	stranger := released(r, 9)
	count := released(asking("count", "0.1", nil), 2)
	forged := *count
	forged.Head = &ask.Head{Before: []ask.Before{{Epsilon: "0.1", Digest: first.Digest()}}}
	for name, c := range map[string]struct {
		list []*task.Release
		want string
	}{
		"the last":           {[]*task.Release{third}, "7/10"},
		"all":                {[]*task.Release{third, first, second}, "7/10"},
		"in order":           {[]*task.Release{first, second, third}, "7/10"},
		"with a stranger":    {[]*task.Release{first, stranger, third}, "4/5"},
		"of another recipe":  {[]*task.Release{first, &forged}, "1/5"},
		"the first of these": {[]*task.Release{first}, "1/10"},
	} {
		var figures []*Figure
		for _, r := range c.list {
			figures = append(figures, &Figure{Release: r})
		}
		read := must(Read(Write(pageOf(figures...))))
		if total := must(read.Total()); epsilonOf(total.Loss) != c.want {
			t.Errorf("%s: ε = %s, want %s", name, epsilonOf(total.Loss), c.want)
		}
	}
}

// TestTotalOfAverages: answers with Gaussian noise that are averaged cost what the ledger is
// debited for them after the first, which the loss of the last does not cover where answers choose
// the end.
func TestTotalOfAverages(t *testing.T) {
	r := asking("tables", "0.5", ask.Params{"method": "residuals"})
	r.Column, r.Domain = 0, domain.Spec{}
	r.Others = []ask.Field{
		{Role: "by", Column: 1, Label: "age", Domain: asking("mean", "1", nil).Domain,
			Cuts: []string{"50"}},
		{Role: "by", Column: 2, Label: "city", Domain: cities}}
	s := answering(&r, 3)
	last := must(s.Run(r, nil))
	var debits privacy.Loss
	for _, epsilon := range []string{"0.6", "0.7", "0.8", "0.9", "1"} {
		debits = debits.Plus(must(s.PlanTopUp(last, epsilon)).Debit)
		last = must(s.TopUp(last, epsilon, nil))
	}
	if len(last.Head.Draws) != 6 {
		t.Fatalf("%d draws", len(last.Head.Draws))
	}
	loss := must(must(Read(Write(pageOf(&Figure{Release: last})))).Total()).Loss
	epsilon, _ := loss.Epsilon()
	paid, _ := debits.Epsilon()
	if epsilon.Cmp(paid) <= 0 || loss.Delta().Cmp(debits.Delta()) <= 0 {
		t.Errorf("the page states %v; top-ups alone cost %v", loss, debits)
	}
}

// planOf is a page with all questions of a plan of means, each with this ε.
func planOf(questions int, epsilon string) Page {
	written := Plan{Delta: "1e-6"}
	var figures []*Figure
	for i := range questions {
		r := released(asking("mean", epsilon, nil), coin.Seed(i))
		written.Questions = append(written.Questions, r.Recipe)
		figures = append(figures, &Figure{Plan: 1, Release: r})
	}
	p := pageOf(figures...)
	p.Plans = []Plan{written}
	return must(Read(Write(p)))
}

// TestTotalCannotBe: the total of a plan is above 0, no less than any question by itself at its δ,
// and no more than their sum, on pages as they are read, far out too. Where the law of the loss
// said anything else, the page states the sum.
func TestTotalCannotBe(t *testing.T) {
	for _, c := range []struct {
		questions int
		epsilon   string
		least     *big.Rat // of the plan
		most      *big.Rat
	}{{12, "100", big.NewRat(1199, 1), big.NewRat(1200, 1)},
		{20, "17.8", big.NewRat(355, 1), big.NewRat(356, 1)},
		{20, "0.05", big.NewRat(49_999, 1_000_000), big.NewRat(1, 1)}} {
		p := planOf(c.questions, c.epsilon)
		honest := must(p.Total())
		epsilon, _ := honest.Loss.Epsilon()
		if epsilon.Cmp(c.least) < 0 || epsilon.Cmp(c.most) > 0 {
			t.Errorf("%d questions of ε = %s: %v", c.questions, c.epsilon, honest.Loss)
		}
		part := honest.Parts[0]
		if len(part.Of) != c.questions || privacy.Contradiction(part.Of, part.Loss) != nil {
			t.Errorf("%d questions of ε = %s: %d parts", c.questions, c.epsilon, len(part.Of))
		}
		below := new(big.Rat).Mul(must(privacy.ParseEpsilon(c.epsilon)).Rat(),
			big.NewRat(99, 100))
		above := new(big.Rat).Add(c.most, big.NewRat(1, 1000))
		for name, says := range map[string]*big.Rat{"nothing": new(big.Rat),
			"less than a question": below, "more than all": above} {
			planted := func(q []ask.Recipe, people int64, delta string) (ask.Together, error) {
				t, err := task.PriceTogether(q, people, delta)
				t.Total.Loss = must(privacy.NewLoss(says, big.NewRat(1, 1_000_000)))
				return t, err
			}
			total := must(p.total(planted))
			if have, _ := total.Loss.Epsilon(); have.Cmp(c.most) != 0 {
				t.Errorf("%d questions of ε = %s and a law that says %s: %v", c.questions,
					c.epsilon, name, total.Loss)
			}
		}
	}
}

// TestKeys: one number that is good is a key figure, the first four of them; a rough one is none.
func TestKeys(t *testing.T) {
	p := allKinds()
	if keys := p.Keys(); !slices.Equal(keys, []int{2, 3, 4}) {
		t.Errorf("the key figures are %v", keys)
	}
	for _, grade := range []ask.Grade{ask.Noise, ask.Rough} {
		p.Figures()[1].Release.Verdict.Grade = grade
		if keys := p.Keys(); !slices.Equal(keys, []int{3, 4}) {
			t.Errorf("with one that is %s the key figures are %v", grade, keys)
		}
	}
	for range 4 {
		p.Pieces = append(p.Pieces, Piece{Figure: p.Figures()[2]})
	}
	if keys := p.Keys(); len(keys) != 4 {
		t.Errorf("there are %d key figures", len(keys))
	}
}
