// Package account is the ledger as the page shows it: what was spent on each data set, what is left
// of its limit, and how both are put in words.
package account

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/place"
)

// Ledger holds what was spent on every data set that this device knows.
type Ledger struct {
	place.Link
	Data  OpenData
	Take  func(engine.Account) // takes over what is known about that data set
	Tasks []ask.Task

	Phase    LedgerPhase
	Accounts []engine.Account // the open data set first, then the one spent on last
	Failure  *engine.Fault    // why there is no ledger
	Limits   map[string]LimitForm
	Named    map[string]NameForm
	Composed map[string]Composed
	earlier  map[string]int // releases shown beyond the last ones
	Notice   string         // what the last import has done
	Refused  *engine.Fault  // why the last export or import was not done
}

// OpenData gives the ledger access to the data set at hand.
type OpenData interface{ AtHand() AtHand }

// AtHand is the data set at hand. The zero value stands for none.
type AtHand struct {
	Open        bool
	Fingerprint string
	Name        string          // what its owner's screen calls it
	Account     *engine.Account // what was spent on it; nil before that is known
}

// LedgerPhase says whether the ledger is known.
type LedgerPhase int

const (
	LedgerUnread LedgerPhase = iota
	LedgerRead
	LedgerFailed
)

// LimitForm is the change of one data set's limit, as typed. The zero value has not been started.
type LimitForm struct {
	Begun                 bool
	Epsilon, Delta, Slack string
	Remove                bool // the statement that removes the limit is ticked
	Fault                 *engine.Fault
}

// Ask reads the ledger again: at the start of its page, after a run, and whenever a tab has written
// it.
func (l *Ledger) Ask() {
	l.Call(engine.Ledger.With(nil), func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			read := engine.Ledger.Read(body)
			l.Phase, l.Failure, l.Accounts = LedgerRead, nil, read.Accounts
			if d := l.Data.AtHand(); d.Open && d.Fingerprint == read.Fingerprint {
				l.Take(read.Account)
			}
			l.sort()
		case engine.ReplyFailed:
			l.Phase, l.Failure = LedgerFailed, place.Failure(body)
		}
		l.Update()
	})
}

func (l *Ledger) sort() {
	last := func(a engine.Account) string {
		if len(a.Entries) == 0 {
			return ""
		}
		return a.Entries[len(a.Entries)-1].Time
	}
	slices.SortStableFunc(l.Accounts, func(a, b engine.Account) int {
		if x, y := l.IsOpen(a), l.IsOpen(b); x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		return cmp.Compare(last(b), last(a))
	})
	if a := l.Data.AtHand().Account; a != nil && a.Fingerprint != "" &&
		(len(l.Accounts) == 0 || !l.IsOpen(l.Accounts[0])) {
		l.Accounts = slices.Insert(l.Accounts, 0, *a)
	}
}

// Earlier is the number of releases of a data set that are shown beyond the last ones.
func (l *Ledger) Earlier(fingerprint string) int { return l.earlier[fingerprint] }

// ShowEarlier shows this many more.
func (l *Ledger) ShowEarlier(fingerprint string, more int) {
	if l.earlier == nil {
		l.earlier = map[string]int{}
	}
	l.earlier[fingerprint] += more
	l.Update()
}

// HasFrozen reports whether questions are frozen; an export contains them.
func (l *Ledger) HasFrozen() bool {
	return slices.ContainsFunc(l.Accounts, func(a engine.Account) bool { return len(a.Frozen) > 0 })
}

// IsOpen reports whether an account belongs to the data set at hand.
func (l *Ledger) IsOpen(a engine.Account) bool {
	if l.Data == nil {
		return false
	}
	d := l.Data.AtHand()
	return d.Open && a.Fingerprint != "" && a.Fingerprint == d.Fingerprint
}

// OpenName is the name of the data set at hand on its owner's screen.
func (l *Ledger) OpenName() string { return l.Data.AtHand().Name }

// EditLimit changes what is typed about a data set's limit.
func (l *Ledger) EditLimit(fingerprint string, change func(*LimitForm)) {
	form := l.Limit(fingerprint)
	form.Begun, form.Fault = true, nil
	change(&form)
	if l.Limits == nil {
		l.Limits = map[string]LimitForm{}
	}
	l.Limits[fingerprint] = form
	l.Update()
}

// Limit returns the form of a data set's limit: as typed, or the present limit, or the default if
// there is none.
func (l *Ledger) Limit(fingerprint string) LimitForm {
	if form := l.Limits[fingerprint]; form.Begun {
		return form
	}
	limit := engine.DefaultLimit()
	for _, a := range l.Accounts {
		if a.Fingerprint == fingerprint && a.Limit != nil {
			limit = *a.Limit
		}
	}
	return LimitForm{Epsilon: limit.Epsilon, Delta: cmp.Or(limit.Delta, "0"),
		Slack: cmp.Or(limit.Slack, "0")}
}

// SetLimit makes what was typed the limit.
func (l *Ledger) SetLimit(fingerprint string) {
	form := l.Limit(fingerprint)
	l.setLimit(fingerprint,
		&engine.Limit{Epsilon: strings.TrimSpace(form.Epsilon),
			Delta: strings.TrimSpace(form.Delta), Slack: strings.TrimSpace(form.Slack)})
}

// RemoveLimit removes the limit, once the statement for it is ticked.
func (l *Ledger) RemoveLimit(fingerprint string) {
	if l.Limit(fingerprint).Remove {
		l.setLimit(fingerprint, nil)
	}
}

func (l *Ledger) setLimit(fingerprint string, limit *engine.Limit) {
	set := engine.SetLimit.With(engine.LimitOf{Limit: limit, Fingerprint: fingerprint})
	l.Call(set, func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			delete(l.Limits, fingerprint)
			l.Ask()
		case engine.ReplyFailed:
			l.EditLimit(fingerprint, func(f *LimitForm) { f.Fault = place.Failure(body) })
		}
		l.Update()
	})
}

// NameForm is the change of a data set's nickname, as typed.
type NameForm struct {
	Name  string
	Fault *engine.Fault // why it was not kept
}

// Name returns the typed nickname of a data set, or the present one.
func (l *Ledger) Name(fingerprint string) NameForm {
	if form, begun := l.Named[fingerprint]; begun {
		return form
	}
	for _, a := range l.Accounts {
		if a.Fingerprint == fingerprint {
			return NameForm{Name: a.Nickname}
		}
	}
	return NameForm{}
}

// EditName sets what is typed as a data set's nickname.
func (l *Ledger) EditName(fingerprint, name string) {
	if l.Named == nil {
		l.Named = map[string]NameForm{}
	}
	l.Named[fingerprint] = NameForm{Name: name}
	l.Update()
}

// SetName makes what was typed the nickname. It stays on this device, and is in no export.
func (l *Ledger) SetName(fingerprint string) {
	name := strings.TrimSpace(l.Name(fingerprint).Name)
	set := engine.SetNickname.With(engine.NicknameOf{Nickname: name, Fingerprint: fingerprint})
	l.Call(set, func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			delete(l.Named, fingerprint)
			l.Ask()
		case engine.ReplyFailed:
			l.EditName(fingerprint, name)
			l.Named[fingerprint] = NameForm{Name: name, Fault: place.Failure(body)}
		}
		l.Update()
	})
}

// Title names a data set: by its nickname, or else by its fingerprint.
func Title(a engine.Account) string {
	if a.Nickname != "" {
		return a.Nickname
	}
	return say.Format("Data set %s", ShortPrint(a.Fingerprint))
}

// EntryTitle says what was released: "Mean of income".
func (l *Ledger) EntryTitle(e engine.Entry) string {
	if n := int64(e.Questions); n > 0 {
		return say.Count(n, "A page of one figure", "A page of %d figures", n)
	}
	title := TaskTitle(l.Tasks, e.Task)
	if e.Column == "" {
		return title
	}
	return say.Format("%s of %s", title, e.Column)
}

// Export passes the ledger's file to save.
func (l *Ledger) Export(save func(text string)) {
	l.Notice, l.Refused = "", nil
	l.Call(engine.ExportLedger.With(nil), func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			save(engine.ExportLedger.Read(body))
		case engine.ReplyFailed:
			l.Refused = place.Failure(body)
		}
		l.Update()
	})
}

// Import adds the contents of a ledger's file.
func (l *Ledger) Import(f engine.File) {
	l.Notice, l.Refused = "", nil
	l.Call(engine.ImportLedger.With("").Of(f), func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			l.Notice = ImportedText(engine.ImportLedger.Read(body))
			l.Ask()
		case engine.ReplyFailed:
			l.Refused = place.Failure(body)
		}
		l.Update()
	})
}

// ImportedText states the result of an import.
func ImportedText(i engine.Imported) string {
	text := say.Format("The file holds %s. %s, %d known here already.",
		say.Count(int64(i.DataSets), "one data set", "%d data sets", i.DataSets),
		say.Count(int64(i.Added), "One release added", "%d releases added", i.Added), i.Known)
	if i.Elsewhere > 0 {
		text += " " + say.Count(int64(i.Elsewhere), "One data set is named by another browser, "+
			"or by this one before its storage was cleared: these stay apart, "+
			"and a file opened here is never counted towards them.", "%d data sets have names "+
			"from another browser, or from this one before its storage was cleared. They "+
			"stay separate: a file opened here is never counted towards them.",
			i.Elsewhere)
	}
	if i.Above > 0 {
		text += " " + say.Count(int64(i.Above), "One data set has a higher limit in the file: "+
			"here it has the default, and you can raise it below.",
			"%d data sets have higher limits in the file: here they have the default, and you "+
				"can raise them below.", i.Above)
	}
	if i.Ended > 0 {
		text += " " + say.Count(int64(i.Ended), "One data set had a δ set aside, and releases "+
			"come to it that its limit did not admit: nothing is set aside for it any more, "+
			"and the plain sum of all its releases counts.", "%d data sets had a δ set aside, "+
			"but some of their releases exceed what their limits admitted. Nothing is set "+
			"aside for them any more: the plain sums of all their releases count.",
			i.Ended)
	}
	return text
}

// ReleasesText counts releases in words.
func ReleasesText(n int) string { return say.Count(int64(n), "one release", "%d releases", n) }

// ShortPrint shortens a fingerprint to a name that distinguishes the data set from others.
func ShortPrint(fingerprint string) string {
	short := fingerprint[:min(8, len(fingerprint))]
	if len(short) < 8 {
		return short
	}
	return short[:4] + " " + short[4:]
}

// SpentText states what was spent on the open file.
func SpentText(b engine.Budget, releases int) string {
	if releases == 0 {
		return say.Text("Nothing has been spent on this file yet.")
	}
	if b.Fixed() {
		return say.Format("Spent on this file so far, on this device: %s of its limit in %s.",
			Percent(b), ReleasesText(releases))
	}
	return say.Format("Spent on this file so far, on this device: %s in %s. Losses add up.",
		b.Spent.Brief(), ReleasesText(releases))
}

// LeftText states what is left of the limit.
func LeftText(b engine.Budget) string {
	if b.Limit == nil {
		return say.Text("No limit is set for this data set: nothing stops releases from adding up.")
	}
	return say.Format("The limit for all releases together is %s. Left: %s.", b.Limit, Left(b))
}

// AfterText states what a release would leave, and how often there is room for it.
func AfterText(after engine.Budget, room int64) string {
	text := say.Format("This release would leave %s.", Left(after))
	switch {
	case room == 1:
		text += " " + say.Text("There is room for it once.")
	case room < 1_000_000:
		text += " " + say.Format("There is room for %s like it.", message.Grouped(room))
	}
	return text
}

// OverText says that a release would exceed the limit.
func OverText(b engine.Budget, loss privacy.Loss) string {
	return say.Format(
		"This release would go over the limit and will be refused: it costs %s, and %s"+
			" is left of %s. Ask for less, or change the limit.", loss, Left(b), b.Limit)
}

// Left states the budget left, in ε and, if the limit has one, in δ.
func Left(b engine.Budget) string { return LeftFor(b, *b.Limit) }

// LeftFor states the budget left, in δ too if a loss has one. If releases are also counted by ρ, it
// is the room for one more.
func LeftFor(b engine.Budget, loss privacy.Loss) string {
	text := "ε = " + privacy.BriefDown(b.Epsilon)
	if loss.Delta().Sign() > 0 {
		text += ", δ = " + privacy.BriefDown(b.Delta)
	}
	if b.Filter != nil {
		return say.Format("room for %s", text)
	}
	return text
}

// Percent is the spent share of the limit, rounded up to tenths, for a reader.
func Percent(b engine.Budget) string {
	switch tenths := SpentShare(b, 1000); {
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

// SpentShare returns the spent share of the limit in parts of whole, rounded up; whole+1 stands for
// more than all.
func SpentShare(b engine.Budget, whole int64) int64 {
	share := new(big.Rat).Mul(b.Used, big.NewRat(whole, 1))
	if share.Cmp(big.NewRat(whole, 1)) > 0 {
		return whole + 1
	}
	up := new(big.Int).Add(share.Num(), new(big.Int).Sub(share.Denom(), big.NewInt(1)))
	return up.Quo(up, share.Denom()).Int64()
}

// WarningText returns the warning at 50 %, 80 % and 100 % of a limit, and the kind of note that
// holds it.
func WarningText(b engine.Budget) (kind, text string) {
	switch {
	case b.Fixed() && b.Over:
		return "bad", say.Text("More was spent than the limit allows, so the smaller count is no " +
			"longer proven: only the plain sum holds. Nothing more is released from this data " +
			"set unless you give it a limit that counts the plain sum.")
	case b.Filter != nil && b.Level == engine.LevelFull:
		return "bad", say.Text("The limit is fully spent, by either count. Nothing more is " +
			"released from this data set unless you raise its limit, which weakens the promise " +
			"made to the people in it, or give it a limit that counts the plain sum.")
	case b.Over:
		return "bad", say.Text("More than the limit is spent. Nothing more is released from this " +
			"data set unless you raise its limit, which weakens your promise to the people in it.")
	case b.Level == engine.LevelFull:
		return "bad", say.Text("The limit is fully spent. Nothing more is released from this " +
			"data set unless you raise its limit, which weakens the promise made to the people " +
			"in it.")
	case b.Level == engine.LevelMost:
		return "warn", say.Text("At least four fifths of the limit is spent. Keep the rest for " +
			"the one question that matters most.")
	case b.Level == engine.LevelHalf:
		return "", say.Text("Half of the limit or more is spent. Decide which questions are " +
			"still worth asking before you go on.")
	}
	return "", ""
}

// TimeText shortens the time of an entry: "2026-01-31 12:00 UTC".
func TimeText(iso string) string {
	if len(iso) < 16 {
		return iso
	}
	return iso[:10] + " " + iso[11:16] + " UTC"
}

// AtMost writes a number that was spent, never too small: rounded up to 12 digits, and marked, if
// it is long.
func AtMost(r *big.Rat) string {
	loss, err := privacy.NewLoss(r, nil)
	if err != nil {
		return privacy.Number(r) // unreachable: no loss is negative
	}
	return strings.TrimPrefix(strings.TrimPrefix(say.Phrase(loss), "ε "), "= ")
}

// TaskTitle is a task's name for people; a task that this page does not know keeps its name in the
// ledger.
func TaskTitle(tasks []ask.Task, id string) string {
	for _, t := range tasks {
		if t.ID == id {
			return say.Text(t.Title)
		}
	}
	return id
}
