package web

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/say"
)

// Book is the ledger page: what was spent on every data set that this device knows.
type Book struct {
	Phase    BookPhase
	Accounts []engine.Account // the open data set first, then the one spent on last
	Failure  *engine.Fault    // why there is no ledger
	Limits   map[string]LimitForm
	Composed map[string]Composed
	Notice   string        // what the last import has done
	Refused  *engine.Fault // why the last export or import was not done
}

// BookPhase says whether the ledger is known.
type BookPhase int

const (
	BookUnread BookPhase = iota
	BookRead
	BookFailed
)

// LimitForm is the change of one data set's limit, as typed. The zero value is not begun.
type LimitForm struct {
	Begun          bool
	Epsilon, Delta string
	Remove         bool // the words that take the limit away are ticked
	Fault          *engine.Fault
}

// askLedger reads the ledger anew: at the start of its page, after a run, and whenever a tab has written it.
func (m *Model) askLedger() {
	if m.engine == nil {
		return
	}
	m.engine.Call(engine.Ledger.With(nil), func(_ Request, kind string, body []byte) {
		switch kind {
		case ReplyDone:
			read := engine.Ledger.Read(body)
			m.Book.Phase, m.Book.Failure, m.Book.Accounts = BookRead, nil, read.Accounts
			if m.Data.Phase == DataOpened && m.Data.Opened.Fingerprint == read.Fingerprint {
				m.takeAccount(read.Account)
			}
			m.sortBook()
		case ReplyFailed:
			m.Book.Phase, m.Book.Failure = BookFailed, failure(body)
		}
		m.update()
	})
}

// takeAccount takes what is known of the open data set. One that was damaged may have been mended by an import.
func (m *Model) takeAccount(a engine.Account) {
	if opened := &m.Data.Opened; opened.Account.Damaged && !a.Damaged {
		opened.StorageRefused, opened.Account.Damaged = "", false
		defer m.replan()
	}
	m.Ledger = &a
}

func (m *Model) sortBook() {
	last := func(a engine.Account) string {
		if len(a.Entries) == 0 {
			return ""
		}
		return a.Entries[len(a.Entries)-1].Time
	}
	slices.SortStableFunc(m.Book.Accounts, func(a, b engine.Account) int {
		if x, y := m.IsOpen(a), m.IsOpen(b); x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return cmp.Compare(last(b), last(a))
	})
	if m.Ledger != nil && m.Ledger.Fingerprint != "" && (len(m.Book.Accounts) == 0 || !m.IsOpen(m.Book.Accounts[0])) {
		m.Book.Accounts = slices.Insert(m.Book.Accounts, 0, *m.Ledger)
	}
}

// IsOpen reports whether an account is that of the data set at hand.
func (m *Model) IsOpen(a engine.Account) bool {
	return m.Data.Phase == DataOpened && a.Fingerprint != "" && a.Fingerprint == m.Data.Opened.Fingerprint
}

// EditLimit changes what is typed about a data set's limit.
func (m *Model) EditLimit(fingerprint string, change func(*LimitForm)) {
	form := m.Limit(fingerprint)
	form.Begun, form.Fault = true, nil
	change(&form)
	if m.Book.Limits == nil {
		m.Book.Limits = map[string]LimitForm{}
	}
	m.Book.Limits[fingerprint] = form
	m.update()
}

// Limit is the form of a data set's limit: as typed, or the limit as it is, or the default where there is none.
func (m *Model) Limit(fingerprint string) LimitForm {
	if form := m.Book.Limits[fingerprint]; form.Begun {
		return form
	}
	limit := engine.DefaultLimit()
	for _, a := range m.Book.Accounts {
		if a.Fingerprint == fingerprint && a.Limit != nil {
			limit = *a.Limit
		}
	}
	return LimitForm{Epsilon: limit.Epsilon, Delta: cmp.Or(limit.Delta, "0")}
}

// SetLimit makes what was typed the limit.
func (m *Model) SetLimit(fingerprint string) {
	form := m.Limit(fingerprint)
	m.setLimit(fingerprint, &engine.Limit{Epsilon: strings.TrimSpace(form.Epsilon), Delta: strings.TrimSpace(form.Delta)})
}

// RemoveLimit takes the limit away, once the words for it are ticked.
func (m *Model) RemoveLimit(fingerprint string) {
	if m.Limit(fingerprint).Remove {
		m.setLimit(fingerprint, nil)
	}
}

func (m *Model) setLimit(fingerprint string, limit *engine.Limit) {
	set := engine.SetLimit.With(engine.LimitOf{Limit: limit, Fingerprint: fingerprint})
	m.engine.Call(set, func(_ Request, kind string, body []byte) {
		switch kind {
		case ReplyDone:
			delete(m.Book.Limits, fingerprint)
			m.askLedger()
		case ReplyFailed:
			m.EditLimit(fingerprint, func(f *LimitForm) { f.Fault = failure(body) })
		}
		m.update()
	})
}

// ExportLedger hands the ledger's file to save.
func (m *Model) ExportLedger(save func(text string)) {
	m.Book.Notice, m.Book.Refused = "", nil
	m.engine.Call(engine.ExportLedger.With(nil), func(_ Request, kind string, body []byte) {
		switch kind {
		case ReplyDone:
			save(engine.ExportLedger.Read(body))
		case ReplyFailed:
			m.Book.Refused = failure(body)
		}
		m.update()
	})
}

// ImportLedger adds what a ledger's file holds.
func (m *Model) ImportLedger(f File) {
	m.Book.Notice, m.Book.Refused = "", nil
	m.engine.Call(engine.ImportLedger.With("").Of(f), func(_ Request, kind string, body []byte) {
		switch kind {
		case ReplyDone:
			m.Book.Notice = importedText(engine.ImportLedger.Read(body))
			m.askLedger()
		case ReplyFailed:
			m.Book.Refused = failure(body)
		}
		m.update()
	})
}

// importedText says what an import came to.
func importedText(i engine.Imported) string {
	text := say.Format("The file holds %s. %s, %d known here already.",
		say.Count(int64(i.DataSets), "one data set", "%d data sets", i.DataSets),
		say.Count(int64(i.Added), "One release added", "%d releases added", i.Added), i.Known)
	if i.Elsewhere > 0 {
		text += " " + say.Count(int64(i.Elsewhere), "One data set is named by another browser, or by this one before its storage was cleared: these stay apart, "+
			"and a file opened here is never counted towards them.", "%d data sets are named by another browser, or by this one before its storage was cleared: these stay apart, "+
			"and a file opened here is never counted towards them.", i.Elsewhere)
	}
	return text
}

func releasesText(n int) string { return say.Count(int64(n), "one release", "%d releases", n) }

// After is the budget as this release would leave it, once the release has a price.
func (m *Model) After() (engine.Budget, bool) {
	if m.Ledger == nil || !m.Priced() {
		return engine.Budget{}, false
	}
	b, err := m.Ledger.Budget()
	return b.After(m.Forecast.Plan.Loss), err == nil
}

// The words about a budget --------------------------------------------------------------------------------------------

// shortPrint is what a data set is called: enough of its fingerprint to tell it from others.
func shortPrint(fingerprint string) string {
	short := fingerprint[:min(8, len(fingerprint))]
	if len(short) < 8 {
		return short
	}
	return short[:4] + " " + short[4:]
}

func spentText(b engine.Budget, releases int) string {
	if releases == 0 {
		return say.Text("Nothing has been spent on this file yet.")
	}
	return say.Format("Spent on this file so far, on this device: %s in %s. Losses add up.", b.Spent, releasesText(releases))
}

func leftText(b engine.Budget) string {
	if b.Limit == nil {
		return say.Text("No limit is set for this data set: nothing stops releases from adding up.")
	}
	return say.Format("The limit for all releases together is %s. Left: %s.", b.Limit, left(b))
}

func afterText(after engine.Budget, room int64) string {
	text := say.Format("This release would leave %s.", left(after))
	switch {
	case room == 1:
		text += " " + say.Text("There is room for it once.")
	case room < 1_000_000:
		text += " " + say.Format("There is room for %s like it.", grouped(room))
	}
	return text
}

func overText(b engine.Budget, loss privacy.Loss) string {
	return say.Format("This release would go over the limit and will be refused: it costs %s, and %s"+
		" is left of %s. Ask for less, or change the limit.", loss, left(b), b.Limit)
}

// left is what is left, in ε and in δ where the limit has one.
func left(b engine.Budget) string {
	text := "ε = " + atLeast(b.Epsilon)
	if b.Limit.Delta().Sign() > 0 {
		text += ", δ = " + atLeast(b.Delta)
	}
	return text
}

// atLeast writes a number that is left, never more than there is: exactly when it is short, else to 12 places.
func atLeast(r *big.Rat) string {
	if text := privacy.Number(r); len(text) <= 20 && !strings.Contains(text, "/") {
		return text
	}
	const places = 12
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil)
	scaled := new(big.Int).Mul(r.Num(), unit)
	return new(big.Rat).SetFrac(scaled.Quo(scaled, r.Denom()), unit).FloatString(places) + "…"
}

// percent is the spent share of the limit, rounded up to tenths, for a reader.
func percent(b engine.Budget) string {
	switch tenths := spentShare(b, 1000); {
	case b.Used.Sign() == 0:
		return say.Text("nothing")
	case b.Used.Cmp(big.NewRat(1, 100)) < 0:
		return say.Text("less than 1 %")
	case tenths > 1000:
		return say.Text("more than all")
	case tenths == 1000 && b.Used.Cmp(big.NewRat(1, 1)) < 0:
		return say.Text("more than 99 %")
	default:
		return new(big.Rat).SetFrac64(tenths, 10).FloatString(int(min(tenths%10, 1))) + " %"
	}
}

// spentShare is the spent share of the limit in parts of whole, rounded up; whole+1 is more than all.
func spentShare(b engine.Budget, whole int64) int64 {
	share := new(big.Rat).Mul(b.Used, big.NewRat(whole, 1))
	if share.Cmp(big.NewRat(whole, 1)) > 0 {
		return whole + 1
	}
	up := new(big.Int).Add(share.Num(), new(big.Int).Sub(share.Denom(), big.NewInt(1)))
	return up.Quo(up, share.Denom()).Int64()
}

// warningText is what people are told at 50 %, 80 % and 100 % of a limit, and the kind of note it stands in.
func warningText(b engine.Budget) (kind, text string) {
	switch {
	case b.Over:
		return "bad", say.Text("More than the limit is spent. Nothing more is released from this data set unless you raise its limit, which weakens the promise made to the people in it.")
	case b.Level == engine.LevelFull:
		return "bad", say.Text("All of the limit is spent. Nothing more is released from this data set unless you raise its limit, which weakens the promise made to the people in it.")
	case b.Level == engine.LevelMost:
		return "warn", say.Text("Four fifths of the limit or more are spent. Keep what is left for the one question that matters most.")
	case b.Level == engine.LevelHalf:
		return "", say.Text("Half of the limit or more is spent. Decide which questions are still worth asking before you go on.")
	}
	return "", ""
}

// timeText shortens the time of an entry: "2026-01-31 12:00 UTC".
func timeText(iso string) string {
	if len(iso) < 16 {
		return iso
	}
	return iso[:10] + " " + iso[11:16] + " UTC"
}

// taskTitle is a task's name for people; one that this page does not know keeps the name in the ledger.
func (m *Model) taskTitle(id string) string {
	for _, t := range m.Tasks {
		if t.ID == id {
			return say.Text(t.Title)
		}
	}
	return id
}

// atMost writes a number that was spent, never less than there is: rounded up to 12 digits and marked where it is long.
func atMost(r *big.Rat) string {
	loss, err := privacy.NewLoss(r, nil)
	if err != nil {
		return privacy.Number(r) // unreachable: no loss is negative
	}
	return strings.TrimPrefix(strings.TrimPrefix(say.Phrase(loss), "ε "), "= ")
}
