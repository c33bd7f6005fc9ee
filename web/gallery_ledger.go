package web

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/privacy"
	"hush/web/engine"
)

// ledgerSpecimens is the ledger's page, and a data set in each state.
func ledgerSpecimens() []Specimen {
	show := func(state string, change func(*Model)) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI { return &LedgerPage{Model: exhibit(change), Browser: b} }}
	}
	holds := func(sets ...engine.Spending) func(*Model) {
		return func(m *Model) {
			m.Book = Book{Phase: BookRead}
			for _, s := range sets {
				m.Book.Accounts = append(m.Book.Accounts, spent(s))
			}
		}
	}
	other := strings.Repeat("a1b2c3d4", 8)
	limit := engine.DefaultLimit()
	damaged := spending(other, &limit, made("1", "0"))
	damaged.Damaged = true
	elsewhere := spending(other, &limit, made("1/3", "0"))
	elsewhere.Elsewhere = true
	half := spending(other, &limit, made("3/2", "0"))
	many := spending(other, &limit, slices.Repeat([]privacy.Loss{made("1/20", "0")}, 30)...)
	composed := func(c Composed) func(*Model) {
		return func(m *Model) {
			holds(many)(m)
			c.Count = len(many.Entries)
			m.Book.Composed = map[string]Composed{other: c}
		}
	}
	typed := func(f LimitForm) func(*Model) {
		return func(m *Model) {
			holds(half)(m)
			f.Begun = true
			m.Book.Limits = map[string]LimitForm{other: f}
		}
	}
	return []Specimen{
		show("being opened", func(*Model) {}),
		show("empty", holds()),
		show("no storage", func(m *Model) {
			m.Book = Book{Phase: BookFailed, Failure: &engine.Fault{Code: "no-storage", Message: "the browser refuses to store the ledger (SecurityError: denied)"}}
		}),
		show("the open data set, nothing spent", holds(spending(exhibitPrint, &limit))),
		show("half spent", holds(half)),
		show("most spent", holds(spending(other, &limit, made("2", "0"), made("2/5", "0")))),
		show("all spent", holds(spending(other, &limit, made("2", "1/2000000"), made("1", "0")))),
		show("more than the limit", holds(spending(other, &engine.Limit{Epsilon: "1"}, made("2", "0")))),
		show("no limit", holds(spending(other, nil, made("1", "0")))),
		show("damaged", holds(damaged)),
		show("of another browser", holds(elsewhere)),
		show("several data sets, many releases", holds(spending(exhibitPrint, &limit, made("1/3", "0"), made("1/7", "1/3000000"), made("1/10", "0"), made("1/10", "0"),
			made("1/10", "0"), made("1/10", "0"), made("1/10", "0"), made("1/10", "0")), spending(other, &limit, made("1", "0")))),
		show("rules of composition to be compared", holds(many)),
		show("rules of composition compared", func(m *Model) {
			total, err := many.Compose()
			if err != nil {
				panic("web: internal error: " + err.Error())
			}
			composed(Composed{Total: &total})(m)
		}),
		show("rules that cannot be compared", composed(Composed{Failure: &engine.Fault{Message: "no such bound is proven for this loss"}})),
		show("a limit at fault", typed(LimitForm{Epsilon: "lots", Delta: "0", Fault: &engine.Fault{Code: engine.Refused, Field: "epsilon", Want: "an exact number from 0.000000001 to 100"}})),
		show("a limit to be removed", typed(LimitForm{Epsilon: "3", Delta: "0", Remove: true})),
		show("an import done", func(m *Model) {
			holds(half)(m)
			m.Book.Notice = imported{DataSets: 2, Added: 3, Known: 1, Elsewhere: 1}.words()
		}),
		show("an import refused", func(m *Model) {
			holds(half)(m)
			m.Book.Refused = &engine.Fault{Message: "this ledger file cannot be read: data set 2, release 3: its loss is missing"}
		}),
	}
}
