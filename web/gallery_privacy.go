package web

import (
	"math/big"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
)

// privacySpecimens is step 3: the dial, the budget at each level, and the forecast.
func privacySpecimens() []Specimen {
	show := func(state string, changes ...func(*Model)) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI { return &PrivacyStep{Model: exhibit(changes...), Browser: b} }}
	}
	spentBefore := func(limit *engine.Limit, losses ...privacy.Loss) func(*Model) {
		return func(m *Model) {
			a := spent(spending(exhibitPrint, limit, losses...))
			m.Ledger = &a
		}
	}
	limit := engine.DefaultLimit()
	return []Specimen{
		show("no file yet", func(m *Model) { m.Data = Data{} }),
		show("question incomplete", question(func(q *Question) { q.Domain.Hi = "" })),
		show("persons being counted", func(m *Model) {
			m.Forecast = Forecast{Progress: &engine.Progress{Phase: "reading", Done: 3, Total: 10}}
		}),
		show("priced"),
		show("the error wished for", func(m *Model) {
			m.Wish.Text, m.Wish.Fault = "lots", "Wanted: a number above 0."
			m.Wish.Curve = []task.Point{{Epsilon: "0.01", Error: 600}, {Epsilon: "0.1", Error: 60}, {Epsilon: "1", Error: 6}, {Epsilon: "10", Error: 1}}
		}),
		show("ε at fault", question(func(q *Question) { q.Epsilon = "much" }), func(m *Model) {
			m.Forecast.Failure = &engine.Fault{Code: engine.Refused, Message: "refused", Field: "epsilon", Want: "an exact number from 0.000000001 to 100"}
		}),
		show("too large for the memory", func(m *Model) {
			m.Forecast = Forecast{Failure: &engine.Fault{Code: engine.TooLarge, Message: "This column needs 5.2 GB of memory, and a page has at most 3.2 GB."}}
		}),
		show("ε between the stops", func(m *Model) { m.Question.Epsilon = "0.123456789" }),
		show("weak protection", func(m *Model) { m.Question.Epsilon = "10" }),
		show("half spent", spentBefore(&limit, made("3/2", "0"))),
		show("most spent", spentBefore(&limit, made("12/5", "0"))),
		show("all spent, over the limit", spentBefore(&limit, made("3", "0"))),
		show("no limit", spentBefore(nil, made("1", "1/1000000"))),
		show("losses of many digits", spentBefore(&limit, made("1/3", "1/3000000"), made("1/7", "0"))),
	}
}

// made is a loss from rationals.
func made(epsilon, delta string) privacy.Loss {
	e, _ := new(big.Rat).SetString(epsilon)
	d, _ := new(big.Rat).SetString(delta)
	loss, err := privacy.NewLoss(e, d)
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return loss
}

// spending is a data set's record with these losses.
func spending(fingerprint string, limit *engine.Limit, losses ...privacy.Loss) engine.Spending {
	s := engine.Spending{Fingerprint: fingerprint, Limit: limit, Entries: []engine.Entry{}}
	for i, loss := range losses {
		s.Entries = append(s.Entries, engine.Entry{Fingerprint: fingerprint, Debit: engine.Debit{Task: []string{"median", "count", "unheard-of"}[i%3], Loss: loss},
			Time: "2026-01-0" + string(rune('1'+i%9)) + "T12:34:56.789Z", Schema: 1})
	}
	return s
}
