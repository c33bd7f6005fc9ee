// Package exhibit makes up states of the page and releases, for the gallery and for tests.
package exhibit

import (
	"math/big"
	"strings"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// Model is a workbench with a made-up file that has been opened and confirmed, and a complete
// question about it. It leads nowhere: whatever is clicked, nothing is read and nothing is spent.
func Model(change func(*state.Model)) *state.Model {
	m := state.NewModel()
	m.Start(Still{}, Still{}, func() {})
	m.Engine = state.EngineReady
	m.Data.File = dataset.File{Phase: dataset.Opened, Name: "visits 2026.csv", Size: 71_575,
		Confirmed: true, Opened: engine.Opening{
			Opened: ask.Opened{Summary: table.Summary{
				Options: table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
					Columns: 3},
				Fields: []table.Field{
					{Column: 1, Name: "age", Guess: domain.Spec{Kind: domain.Integer},
						Why: phrase.Of("whole numbers")},
					{Column: 2, Name: "cost",
						Guess: domain.Spec{Kind: domain.Decimal, Mark: ",", Step: "0.01"},
						Why: phrase.Glue(phrase.Key("decimal numbers"), " ",
							phrase.Key("with a decimal comma"))},
					{Column: 3, Name: "ward", Guess: domain.Spec{Kind: domain.Text, Length: 16},
						Why: phrase.Of("many different texts")},
				},
				Rows: 3000, Bytes: 71_575, Text: 71_575,
				Preview: [][]string{{"34", "120,50", "Hill"}, {"71", "", "Mill"},
					{"8", "19,00", "Hill"}},
			}},
			Fingerprint: Fingerprint,
		}}
	m.Data.Opened.Own = m.Data.Opened.Options.Filled()
	account := Spent(Fingerprint, "")
	m.Data.Account, m.Data.Opened.Account = &account, account
	m.Codebook.Codebook = codebook.New(m.Data.Opened.Options, m.Data.Opened.Fields)
	m.Codebook.Rows.Each = codebook.One
	m.Codebook.Form = form.BookFormOf(m.Codebook.Codebook)
	Describe(m, 1, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"})
	m.Question.Form.Column, m.Question.Form.Table = 1, m.Data.Opened.Options
	m.Way.GoTo(stage.Question)
	plan := Plan("Histogram")
	m.Forecast.Plan = &plan
	if change != nil {
		change(m)
	}
	return m
}

// Describe puts the description of a column into the codebook.
func Describe(m *state.Model, column int, spec domain.Spec) {
	c, _ := m.Codebook.Column(column)
	values := codebook.Values{Spec: spec}
	c, err := c.Describe(values, nil, codebook.Unanswered)
	if err == nil {
		m.Codebook.Codebook, err = m.Codebook.With(c)
	}
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
}

// Fingerprint is the fingerprint of the data set that is open in an exhibit.
const Fingerprint = "3f2a91bc00000000000000000000000000000000000000000000000000000000"

// Plan returns a forecast such as a question might have.
func Plan(title string) ask.Plan {
	epsilon, err := privacy.ParseEpsilon("0.5")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	loss, off := privacy.PureLoss(epsilon), ask.Off{Typical: 3.96, Exact: true, Bound: 12}
	return ask.Plan{
		Task: title, People: 3000, Loss: loss,
		Algorithm: say.Text("discrete Laplace mechanism on counts"), Column: "age",
		Domain: "whole numbers from 0 to 120",
		Guarantee: ask.Guarantee{Plain: say.Phrase(loss.Sentence()),
			Exact: say.Phrase(loss) + ", pure differential privacy",
			Neighbours: "One row is one person. The guarantee compares data sets of the same " +
				"size that differ in one person's row; the number of rows is public."},
		Forecast: []ask.Forecast{
			off.Forecast(say.Language(), ask.Unit{
				Text: phrase.Plain(say.Text("people in each count")), Of: ask.OfPeople}),
			{Label: say.Text("Each count is off by at most"), Value: "12 people",
				Detail: "in 95 of 100 releases; 0.4 % of all 3 000 people"},
			{Label: "All 13 counts at once", Value: "± 23 people",
				Detail: say.Text("in 95 of 100 releases")},
			{Label: say.Text("Smallest group that stands out"), Value: "24 people",
				Detail: say.Text("smaller ones drown in the noise")},
		},
		ErrorUnit: say.Text("people in each count"), ErrorOf: ask.OfPeople, Off: &off,
	}
}

// Release returns an answer with all that belongs to it.
func Release(id, title, statement string, result ask.Result,
	changes ...func(*task.Release)) *task.Release {
	r := &task.Release{Version: ask.RecipeVersion, Origin: "seeded", Plan: Plan(title),
		Recipe: ask.Recipe{Version: ask.RecipeVersion, Task: id, Column: 1,
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}, Epsilon: "0.5"},
		Answer: task.Answer{Result: result}, Statement: statement}
	for _, change := range changes {
		change(r)
	}
	return r
}

// Made-up texts of awkward sizes.
var (
	LongName = "Answers to question 17b, “How often did you, or anybody in your household, …?” " +
		strings.Repeat("x", 60)
	ManyWays = strings.TrimSpace(
		strings.Repeat("a rather long explanation of what went wrong and where, ", 6))
)

// Spent returns the account of a data set with the default limit and the given losses, written "ε,δ
// ε,δ".
func Spent(fingerprint, losses string) engine.Account {
	limit := engine.DefaultLimit()
	s := engine.Spending{Fingerprint: fingerprint, Limit: &limit, Entries: []engine.Entry{}}
	for i, text := range strings.Fields(losses) {
		epsilon, delta, _ := strings.Cut(text, ",")
		s.Entries = append(s.Entries,
			engine.Entry{Fingerprint: fingerprint,
				Debit: engine.Debit{Task: []string{"median", "count", "unheard-of"}[i%3],
					Loss: Loss(epsilon, delta)},
				Time: "2026-01-0" + string(rune('1'+i%9)) + "T12:34:56.789Z", Schema: 1})
	}
	a, err := s.Account()
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return a
}

// Loss returns a loss from rationals.
func Loss(epsilon, delta string) privacy.Loss {
	e, _ := new(big.Rat).SetString(epsilon)
	d, _ := new(big.Rat).SetString(delta)
	loss, err := privacy.NewLoss(e, d)
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return loss
}
