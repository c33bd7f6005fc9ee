package edit_test

import (
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/state"
	"hush/web/state/edit"
	"hush/web/webtest"
)

// planned is a page of three questions that are priced, with a heading between them.
func planned(t *testing.T) (*state.Model, *webtest.Fake) {
	t.Helper()
	m, f := webtest.Asked(t)
	m.Figures.Plan()
	m.Page.AddWords(edit.Heading)
	m.Question.ChooseTask("median")
	f.Settle()
	m.Figures.Plan()
	m.Question.ChooseTask("mean")
	f.Settle()
	m.Figures.Plan()
	f.Settle()
	if n := len(m.Page.Planned()); n != 3 {
		t.Fatalf("%d questions are on the page", n)
	}
	return m, f
}

func again(f *webtest.Fake) *state.Model {
	m := state.NewModel()
	m.Start(f, f, func() {})
	f.Settle()
	return m
}

func epsilonOf(l privacy.Loss) float64 {
	e, _ := l.Epsilon()
	x, _ := e.Float64()
	return x
}

// TestPageIsReleased: what is released costs what the page said, in one debit; each figure stands
// where its question stood, and a published page states the plan.
func TestPageIsReleased(t *testing.T) {
	m, f := planned(t)
	p := &m.Page
	if p.Prices.Chosen == nil || !p.Ready() {
		t.Fatalf("the page has no price: %+v", p.Prices.Fault)
	}
	for _, piece := range p.Planned() {
		if v := piece.Verdict(); v == nil || v.Grade == ask.Noise || piece.Epsilon == "" {
			t.Errorf("figure %d has the verdict %v at ε = %q", p.Number(piece), v, piece.Epsilon)
		}
	}
	want := p.Prices.Chosen.Total.Loss
	if f.Spent != 0 || len(f.Spendings[0].Entries) != 0 {
		t.Fatal("something is spent before the release")
	}
	m.Figures.Release()
	f.Settle()
	entries := f.Spendings[0].Entries
	if len(entries) != 1 || len(entries[0].Plan.Drawn) != 3 {
		t.Fatalf("%d debits, drawn are %v", len(entries), entries[0].Plan.Drawn)
	}
	if got := epsilonOf(entries[0].Loss); got < epsilonOf(want) || got > 1.0001*epsilonOf(want) {
		t.Errorf("ε = %v was debited, and %v said", got, epsilonOf(want))
	}
	var kinds []string
	for _, piece := range p.Pieces {
		if piece.Kind == edit.Figure && !piece.Drawn() {
			t.Fatalf("figure %d is not drawn", p.Number(piece))
		}
		if piece.Drawn() {
			kinds = append(kinds, piece.Release.Recipe.Task)
		} else {
			kinds = append(kinds, string(piece.Kind))
		}
	}
	if want := []string{"histogram", "heading", "median", "mean"}; !slices.Equal(kinds, want) {
		t.Errorf("the page has %q, want %q", kinds, want)
	}
	page := p.Publication("2026-01-31")
	if len(page.Plans) != 1 || len(page.Plans[0].Questions) != 3 {
		t.Fatalf("%d plans are published", len(page.Plans))
	}
	for i, piece := range page.Pieces {
		if piece.Figure == nil || piece.Figure.Plan != 1 ||
			piece.Figure.Release.Recipe.Epsilon != page.Plans[0].Questions[i].Epsilon {
			t.Errorf("piece %d is not of the plan", i+1) // the heading is empty
		}
	}
	if n := len(m.History.Past); n != 3 {
		t.Errorf("%d answers are in the list", n)
	}
	m.Figures.Release()
	f.Settle()
	if len(f.Spendings[0].Entries) != 1 {
		t.Error("a page that is drawn is paid for again")
	}
}

// TestPageComesBack: a page that is loaded again has its words, its questions and its answers, in
// their order; its questions wait for their own file.
func TestPageComesBack(t *testing.T) {
	m, f := planned(t)
	p := &m.Page
	m.Figures.Release()
	f.Settle()
	m.Figures.Plan()
	p.Set(&p.Title, "Who comes")
	p.Write(p.Pieces[1].ID, "Ages")
	p.MoveBy(p.Pieces[0].ID, 2)
	f.Settle()
	order := func(p *edit.Page) (list []string) {
		for _, piece := range p.Pieces {
			switch {
			case piece.Drawn():
				list = append(list, "drawn "+piece.Release.Recipe.Task)
			case piece.Planned():
				list = append(list, "asked "+piece.Recipe.Task)
			default:
				list = append(list, piece.Text)
			}
		}
		return list
	}
	want := order(p)
	n := again(f)
	q := &n.Page
	if got := order(q); !slices.Equal(got, want) || q.Title != "Who comes" {
		t.Fatalf("the page has %q and the title %q, want %q", got, q.Title, want)
	}
	if q.Ready() || q.Prices.Chosen != nil {
		t.Error("a page is priced without a file")
	}
	if page := q.Publication(""); len(page.Plans) != 1 {
		t.Error("the plan of the figures is forgotten")
	}
	n.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	if q.Elsewhere() || q.Prices.Chosen == nil {
		t.Errorf("the page has no price with its own file: %+v", q.Prices.Fault)
	}
}

// TestRestIsDrawnForNothing: a release that stops leaves its rest paid for, also for the page that
// is loaded next; nothing is drawn twice, and nothing is paid for twice.
func TestRestIsDrawnForNothing(t *testing.T) {
	m, f := planned(t)
	f.StopsAt = 2
	m.Figures.Release()
	f.Settle()
	p := &m.Page
	if tally := p.Tally(); tally.Drawn != 1 || tally.Paid != 2 || tally.Planned != 0 {
		t.Fatalf("after the stop: %+v", tally)
	}
	n := again(f)
	n.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	q := &n.Page
	if tally := q.Tally(); tally.Drawn != 1 || tally.Paid != 2 || tally.Planned != 0 {
		t.Fatalf("after a reload: %+v", tally)
	}
	n.Figures.Release()
	f.Settle()
	if tally := q.Tally(); tally.Drawn != 3 || tally.Paid != 0 || len(f.Texts) != 3 ||
		len(f.Spendings[0].Entries) != 1 {
		t.Fatalf("at the end: %+v, %d answers, %d debits", tally, len(f.Texts),
			len(f.Spendings[0].Entries))
	}
}

// TestRefusedPageCostsNothing: over the limit nothing is debited, and the page stays as it was.
func TestRefusedPageCostsNothing(t *testing.T) {
	m, f := planned(t)
	p := &m.Page
	p.SetTotal("90")
	f.Settle()
	m.Figures.Release()
	f.Settle()
	if p.Run.Failure == nil || len(f.Spendings[0].Entries) != 0 || p.Tally().Planned != 3 {
		t.Fatalf("a page over the limit: %+v, %+v", p.Run.Failure, p.Tally())
	}
	p.Divide(ask.LeastTotal)
	f.Settle()
	if m.Figures.Release(); !p.Run.Running {
		t.Error("it cannot be released afterwards")
	}
	f.Settle()
}

// TestWeights: a figure that matters more gets more ε than before, and its error is the smaller
// one.
func TestWeights(t *testing.T) {
	m, f := planned(t)
	p := &m.Page
	p.SetTotal("1")
	f.Settle()
	first := p.Planned()[0]
	before := first.Price.Verdict.Error
	p.Weigh(first.ID, 3)
	f.Settle()
	if p.Division != ask.ByImportance || first.Price == nil ||
		first.Price.Verdict.Error >= before {
		t.Errorf("an error of %v became %v", before, first.Price.Verdict.Error)
	}
	for _, by := range edit.Divisions {
		if o, ok := p.Prices.Offers[by]; !ok || o.Fault != nil {
			t.Errorf("%s is not offered: %+v", by, o.Fault)
		}
	}
}

// TestPromise: at the least ε a figure whose answer's size decides whether it is good is counted
// apart, and one that matters twice as much has half the error and is good for half the size.
func TestPromise(t *testing.T) {
	m, f := planned(t)
	p := &m.Page
	if tally := p.Tally(); tally.Unknown != 1 || tally.Rough+tally.Noise != 0 {
		t.Fatalf("of a histogram, a median and a mean: %+v", tally)
	}
	mean := p.Planned()[2]
	before := *mean.Price.Verdict
	p.Weigh(mean.ID, 2)
	f.Settle()
	after := mean.Price.Verdict
	if p.Division != ask.LeastTotal || after.From == before.From ||
		after.Error > .51*before.Error || after.Error < .4*before.Error {
		t.Errorf("an error of %v, good from %s, became %v, %s", before.Error, before.From,
			after.Error, after.From)
	}
}

// TestAnotherFile: questions are not asked of a file that they were not put on the page for, unless
// their owner says so.
func TestAnotherFile(t *testing.T) {
	m, f := planned(t)
	p := &m.Page
	m.Forget()
	f.Spendings[0].Fingerprint = "another"
	p.OpenData("another")
	f.Settle()
	if !p.Elsewhere() || p.Ready() || p.Prices.Chosen != nil {
		t.Fatal("the questions are asked of another file")
	}
	p.AskHere()
	if p.Elsewhere() {
		t.Error("they are not asked of it though their owner says so")
	}
}

// TestProposals: what the codebook suggests can be priced, and is not suggested twice.
func TestProposals(t *testing.T) {
	m, f := webtest.Asked(t)
	list := m.Figures.Proposals()
	if len(list) < 2 {
		t.Fatalf("%d questions are proposed", len(list))
	}
	for _, r := range list {
		m.Figures.Add(r.Recipe)
	}
	f.Settle()
	if len(m.Figures.Proposals()) != 0 {
		t.Errorf("%d are proposed again", len(m.Figures.Proposals()))
	}
	if m.Page.Prices.Chosen == nil || len(m.Page.Planned()) != len(list) {
		t.Errorf("they have no price: %+v", m.Page.Prices.Fault)
	}
	if m.Question.Form.Task != "histogram" || m.Question.Form.Column != 1 {
		t.Error("the question at hand is another")
	}
}

// TestSavings: a table of one column that another has as its sums is found, what the page costs
// without it is said, and it goes; two tables become several measured together where that is less.
func TestSavings(t *testing.T) {
	m, f := webtest.Asked(t)
	webtest.DescribeList(m, 3, "Harbour", "Hill", "Market", "Mill", "Old Town", "Park")
	webtest.DescribeList(m, 4, "children", "eyes", "general", "heart", "injuries")
	p := &m.Page
	for _, r := range m.Figures.Proposals() {
		if r.Recipe.Task == "table" {
			m.Figures.Add(r.Recipe)
		}
	}
	f.Settle()
	before := p.Prices.Offers[ask.LeastTotal].Loss
	list := p.Savings()
	if len(list) == 0 {
		t.Fatalf("nothing is saved on a page of %d tables", len(p.Planned()))
	}
	for _, s := range list {
		if epsilonOf(s.Loss) >= epsilonOf(before) {
			t.Errorf("ε = %v is no saving on %v", epsilonOf(s.Loss), epsilonOf(before))
		}
	}
	n := len(p.Planned())
	p.Save(list[0])
	f.Settle()
	if got := epsilonOf(p.Prices.Offers[ask.LeastTotal].Loss); got != epsilonOf(list[0].Loss) ||
		len(p.Planned()) != n-1 {
		t.Errorf("ε = %v for %d figures, said was %v", got, len(p.Planned()),
			epsilonOf(list[0].Loss))
	}
}
