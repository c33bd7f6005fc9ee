package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"

	"hush/core/ask"
	"hush/core/table"
	"hush/web/engine"
)

// Marks are the marks of a file's rows.
type Marks = table.Marks

// Account holds what was spent on one data set, oldest first.
type Account struct {
	Fingerprint string        `json:"fingerprint"`
	Browser     string        `json:"browser"` // public name of the key that made it
	Also        []string      `json:"also,omitempty"`
	Rows        string        `json:"rows,omitempty"`
	Nickname    string        `json:"nickname,omitempty"`
	Limit       *engine.Limit `json:"limit"` // nil: none
	Looked      string        `json:"looked,omitempty"`
	Frozen      []ask.Recipe  `json:"frozen,omitempty"`
	Lost        []string      `json:"lost,omitempty"` // ids that were paid for, without entries
	// Era is raised by anything that rules out topping up earlier answers.
	Era     int      `json:"era,omitempty"`
	Entries []*Entry `json:"entries"`
}

// Entry is one debit, with the answers that it paid for.
type Entry struct {
	engine.Entry
	// Asked holds the question that was paid for or, for a top-up, the one with the larger ε; Fixed
	// holds the questions of a plan, with the marks of its price. Imported entries have neither.
	Asked *ask.Recipe `json:"asked,omitempty"`
	Fixed *ask.Fixed  `json:"fixed,omitempty"`
	Marks []string    `json:"marks,omitempty"`
	// Parts are what the debit of a plan is compared with; they are not kept.
	Parts []engine.PlanPart `json:"-"`
	// Query is the SHA-256, in hexadecimal, of the statement by which a database counted; empty: a
	// file was read.
	Query string `json:"query,omitempty"`
	// The outcome of each question, by its number in a plan, or 1.
	Drawn map[int]*Drawn `json:"drawn,omitempty"`
	// Read identifies the bytes that the question was asked of, and Era is the account's era at the
	// debit. Head is a keyed digest of the answer, if this build can top it up; Next is the id of
	// the entry that did.
	Read  string `json:"read,omitempty"`
	Era   int    `json:"era,omitempty"`
	Head  string `json:"head,omitempty"`
	Build string `json:"build,omitempty"`
	Next  string `json:"next,omitempty"`
}

// Drawn says how one draw ended.
type Drawn struct {
	Failure *engine.Fault `json:"failure,omitempty"` // nil: a release
	Told    bool          `json:"told,omitempty"`    // its owner has seen it
}

// Spending returns an account in the engine's form.
func (l *Ledger) Spending(a *Account) engine.Spending {
	s := engine.Spending{Fingerprint: a.Fingerprint, Nickname: a.Nickname, Limit: a.Limit,
		Entries: []engine.Entry{}, Damaged: len(a.Lost) > 0, Lost: a.Lost, Browser: a.Browser,
		Elsewhere: a.Browser != l.Browser(), Looked: a.Looked, Frozen: a.Frozen}
	for _, e := range a.Entries {
		s.Entries = append(s.Entries, e.Entry)
	}
	return s
}

// named finds the account with a name, its own or a further one.
func (l *Ledger) named(name string) *Account {
	for _, a := range l.book.Accounts {
		if name != "" && (a.Fingerprint == name || slices.Contains(a.Also, name)) {
			return a
		}
	}
	return nil
}

func (l *Ledger) ofRows(rows string) *Account {
	for _, a := range l.book.Accounts {
		if rows != "" && a.Rows == rows {
			return a
		}
	}
	return nil
}

// Recognise returns the account of a file, or a new one if none is known. Two accounts that were
// separate before the file's rows were known become one. It reaches the disk with the next debit.
func (l *Ledger) Recognise(n Names) *Account {
	found := l.named(n.Fingerprint)
	for _, same := range []*Account{l.ofRows(n.Rows), l.named(n.Alike)} {
		switch {
		case same == nil || same == found:
		case found == nil:
			found = same
		default:
			l.unite(found, same)
		}
	}
	if found == nil {
		limit := engine.DefaultLimit()
		found = &Account{Fingerprint: n.Fingerprint, Browser: l.Browser(), Limit: &limit}
	}
	for _, name := range []string{n.Fingerprint, n.Alike} {
		if name != "" && name != found.Fingerprint && !slices.Contains(found.Also, name) {
			found.Also = append(found.Also, name)
		}
	}
	if n.Rows != "" {
		found.Rows = n.Rows
	}
	return found
}

// unite merges two accounts of the same data set into the first, with all that was spent on either.
func (l *Ledger) unite(to, from *Account) {
	l.book.Accounts = slices.DeleteFunc(l.book.Accounts,
		func(a *Account) bool { return a == from })
	to.Also = append(append(to.Also, from.Fingerprint), from.Also...)
	if to.Nickname == "" {
		to.Nickname = from.Nickname
	}
	if to.Limit != nil && len(from.Entries)+len(from.Lost) > 0 {
		// Terms that must be fixed before the first release are dropped.
		to.Limit = &engine.Limit{Epsilon: to.Limit.Epsilon, Delta: to.Limit.Delta}
	}
	if to.Looked != "" || from.Looked != "" {
		to.Frozen = both(to.Frozen, from.Frozen)
	}
	if to.Looked == "" {
		to.Looked = from.Looked
	}
	to.Lost = append(to.Lost, from.Lost...)
	to.Era = max(to.Era, from.Era) + 1
	for _, e := range from.Entries {
		e.Fingerprint = to.Fingerprint
		to.Entries = append(to.Entries, e)
	}
	to.sort()
}

func (a *Account) sort() {
	slices.SortStableFunc(a.Entries, func(x, y *Entry) int {
		switch {
		case x.Time < y.Time:
			return -1
		case x.Time > y.Time:
			return 1
		}
		return 0
	})
}

// both returns the questions that are in both lists.
func both(list, other []ask.Recipe) (kept []ask.Recipe) {
	texts := map[string]bool{}
	for _, r := range other {
		texts[ask.KeyOf(r)] = true
	}
	for _, r := range list {
		if texts[ask.KeyOf(r)] {
			kept = append(kept, r)
		}
	}
	return kept
}

// Debit records an entry: it is on the disk when Debit returns. A top-up names the entry that it
// replaces. read identifies the bytes that the question is asked of.
func (l *Ledger) Debit(a *Account, e *Entry, read string, frozen []ask.Recipe) error {
	if len(a.Lost) > 0 {
		return ErrDamaged
	}
	if e.Fixed != nil && !e.possible() {
		return errors.New("the price of this plan cannot be that of its questions: nothing was " +
			"debited, and nothing may be drawn")
	}
	e.Read, e.Era = read, a.Era
	e.ID, e.Fingerprint, e.Time, e.Schema = NewID(), a.Fingerprint, now(), entrySchema
	e.Drawn = map[int]*Drawn{}
	if e.Replaces != "" {
		for _, before := range a.Entries {
			if before.ID == e.Replaces {
				before.Next = e.ID
			}
		}
	}
	a.Entries, a.Frozen = append(a.Entries, e), frozen
	l.put(a)
	return l.save()
}

// longRounded exceeds the amount by which a sum of long numbers is rounded up: see
// privacy.Loss.Short.
var longRounded = new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 200))

// possible reports whether a plan can have its price: more than 0, no less than any question alone,
// and no more than the sum of all. It compares the stated numbers, as static/ledger.js does,
// without any code that composes losses.
func (e *Entry) possible() bool {
	epsilon, known := e.Loss.Epsilon()
	if !known || len(e.Parts) == 0 || len(e.Parts) != len(e.Fixed.Questions) {
		return false
	}
	sum, deltas := new(big.Rat), new(big.Rat)
	for _, p := range e.Parts {
		least, ok := new(big.Rat).SetString(p.Least)
		delta, also := new(big.Rat).SetString(p.Delta)
		if !ok || !also || epsilon.Cmp(least) < 0 {
			return false
		}
		deltas.Add(deltas, delta)
		if one, has := new(big.Rat).SetString(p.Epsilon); has && sum != nil {
			sum.Add(sum, one)
		} else {
			sum = nil // a question has no ε, so there is no sum
		}
	}
	if sum != nil {
		sum.Add(sum, longRounded)
	}
	return epsilon.Sign() > 0 &&
		(sum == nil || deltas.Cmp(e.Loss.Delta()) > 0 || epsilon.Cmp(sum) <= 0)
}

// file is the name of the file that keeps the answer to a question of an entry.
func (e *Entry) file(number int) string {
	return filepath.Join(answersName, fmt.Sprintf("%s-%d.json", e.ID, number))
}

// Answer returns the text of a release that was drawn; found is false if there is none.
func (l *Ledger) Answer(e *Entry, number int) (text string, found bool, err error) {
	read, err := os.ReadFile(filepath.Join(l.dir, e.file(number)))
	if errors.Is(err, os.ErrNotExist) {
		return "", false, nil
	}
	return string(read), err == nil, err
}

// Path is the path of the file that keeps an answer.
func (l *Ledger) Path(e *Entry, number int) string { return filepath.Join(l.dir, e.file(number)) }

// Keep writes a release to the disk; from then on it may be seen.
func (l *Ledger) Keep(e *Entry, number int, text string) error {
	if err := l.replace(e.file(number), text); err != nil {
		return err
	}
	e.Drawn[number] = &Drawn{}
	return l.save()
}

// Fail records that a draw failed, which is final: drawing again would be a choice among draws.
func (l *Ledger) Fail(e *Entry, number int, why engine.Fault) error {
	e.Drawn[number] = &Drawn{Failure: &why}
	return l.save()
}

// Told records that the owner has seen the outcome of a draw.
func (l *Ledger) Told(e *Entry, number int) error {
	e.Drawn[number].Told = true
	return l.save()
}

// Adopt takes over what was drawn by a run that was killed before it could record that.
func (l *Ledger) Adopt(e *Entry, number int) error {
	if e.Drawn[number] != nil {
		return nil
	}
	_, found, err := l.Answer(e, number)
	if found {
		e.Drawn[number] = &Drawn{}
		err = l.save()
	}
	return err
}

// Questions is the number of questions that an entry paid for. It is 0 for an imported entry, of
// which nothing can be drawn.
func (e *Entry) Questions() int {
	switch {
	case e.Fixed != nil:
		return len(e.Fixed.Questions)
	case e.Asked != nil:
		return 1
	}
	return 0
}

// Left lists the numbers of the questions that were not drawn yet.
func (e *Entry) Left() (numbers []int) {
	for number := 1; number <= e.Questions(); number++ {
		if e.Drawn[number] == nil {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Open reports whether anything that an entry paid for has not been seen yet.
func (e *Entry) Open() bool {
	for number := 1; number <= e.Questions(); number++ {
		if d := e.Drawn[number]; d == nil || !d.Told {
			return true
		}
	}
	return false
}

// Unfinished returns the oldest entry of a question, or of a plan, that was paid for and not seen,
// or nil if there is none. of identifies the questions, as returned by Text.
func (a *Account) Unfinished(of string) *Entry {
	for _, e := range a.Entries {
		if e.Open() && e.Replaces == "" && e.text() == of {
			return e
		}
	}
	return nil
}

// Text returns a text that identifies questions, independently of names.
func Text(asked *ask.Recipe, fixed *ask.Fixed) string {
	if asked != nil {
		return ask.KeyOf(asked.Bare())
	}
	bare := ask.Fixed{Delta: fixed.Delta}
	for _, r := range fixed.Questions {
		bare.Questions = append(bare.Questions, r.Bare())
	}
	return ask.KeyOf(bare)
}

func (e *Entry) text() string {
	if e.Questions() == 0 {
		return ""
	}
	return Text(e.Asked, e.Fixed)
}

// MarkHead records that this build of the program can top up the answer of an entry.
func (l *Ledger) MarkHead(e *Entry, digest, build string) error {
	if digest == "" {
		return nil
	}
	e.Head, e.Build = l.headName(digest), build
	return l.save()
}

// Head returns the entry whose answer has a digest, if this build may top it up with the bytes that
// read identifies; next is a top-up that was paid for and that nobody has seen, if there is one.
func (l *Ledger) Head(a *Account, read, digest, build string) (head, next *Entry, err error) {
	no := func(why string) (*Entry, *Entry, error) {
		return nil, nil, fmt.Errorf("this answer cannot be made more exact for the difference "+
			"alone: %s. Ask again", why)
	}
	name := l.headName(digest)
	i := slices.IndexFunc(a.Entries, func(e *Entry) bool { return e.Head == name && digest != "" })
	if i < 0 {
		return no("it was asked of another data set, or with another ledger, or together with " +
			"other questions")
	}
	head = a.Entries[i]
	switch {
	case head.Build != build:
		return no("it was asked with another version of this program, which may read the file " +
			"in another way")
	case head.Read != read:
		return no("it was asked of a file with other bytes, which may hold other numbers")
	case head.Era != a.Era:
		return no("its ledger was restored, joined with another, or given another limit since")
	case head.Next == "":
		return head, nil, nil
	}
	for _, e := range a.Entries {
		if e.ID == head.Next && e.Open() {
			return head, e, nil
		}
	}
	return no("it was made more exact before")
}

// Merge adds the contents of a ledger file, all of it or nothing: see merge in static/ledger.js.
func (l *Ledger) Merge(text string) (sum engine.Imported, err error) {
	list, err := engine.ReadLedger(text)
	if err != nil {
		return sum, err
	}
	before, err := json.Marshal(l.book)
	if err != nil {
		return sum, err
	}
	sum.DataSets = len(list)
	for _, file := range list {
		if err := l.merge(file, &sum); err != nil {
			l.book = book{}
			return engine.Imported{}, errors.Join(err, json.Unmarshal(before, &l.book))
		}
	}
	return sum, l.save()
}

func (l *Ledger) merge(file engine.Spending, sum *engine.Imported) error {
	held := l.named(file.Fingerprint)
	a := held
	if a == nil {
		limit := engine.DefaultLimit()
		if file.Limit != nil {
			limit = *file.Limit
		}
		a = &Account{Fingerprint: file.Fingerprint, Browser: file.Browser, Limit: &limit,
			Frozen: file.Frozen}
		if file.Above {
			sum.Above++
		}
	}
	var fresh []engine.Entry
	other := a.toppedElsewhere(file.Entries)
	for _, e := range file.Entries {
		e.Fingerprint = a.Fingerprint
		if e.Loss.IsRest() && e.Replaces == "" && other {
			e.Replaces = engine.OtherCopy
		}
		of, here := l.holder(e.ID)
		switch {
		case here != nil && !same(here.Entry, e), of != nil && of != a:
			return contradicts(e.ID)
		case here != nil:
			sum.Known++
		default:
			sum.Added++
			fresh = append(fresh, e)
		}
	}
	if held != nil && held.Limit != nil && held.Limit.Slack != "" && len(fresh) > 0 {
		there := file
		there.Entries = fresh
		limit, err := engine.Joined{Here: l.Spending(held), File: there}.Kept()
		if err != nil {
			return err
		}
		if a.Limit = limit; limit == nil || limit.Slack == "" {
			sum.Ended++
		}
	}
	for _, id := range file.Lost {
		of, here := l.holder(id)
		if of != nil && of != a {
			return contradicts(id)
		}
		if of == nil && here == nil {
			a.Lost = append(a.Lost, id)
		}
	}
	for _, e := range fresh {
		a.Entries = append(a.Entries, &Entry{Entry: e, Drawn: map[int]*Drawn{}})
		a.Lost = slices.DeleteFunc(a.Lost, func(id string) bool { return id == e.ID })
	}
	a.sort()
	if a.Browser != l.Browser() {
		sum.Elsewhere++
	}
	if file.Looked != "" {
		if a.Looked == "" {
			a.Looked = file.Looked
		}
		a.Frozen = both(a.Frozen, file.Frozen)
	}
	a.Era++
	l.put(a)
	return nil
}

// toppedElsewhere reports whether the account holds a top-up that is not among these entries, so
// that both may have improved the same answer, in two copies of a ledger.
func (a *Account) toppedElsewhere(entries []engine.Entry) bool {
	return slices.ContainsFunc(a.Entries, func(here *Entry) bool {
		return here.Loss.IsRest() && !slices.ContainsFunc(entries,
			func(there engine.Entry) bool { return there.ID == here.ID })
	})
}

// holder finds the account that paid for an id, and its entry, unless that is lost.
func (l *Ledger) holder(id string) (*Account, *Entry) {
	for _, a := range l.book.Accounts {
		for _, e := range a.Entries {
			if e.ID == id {
				return a, e
			}
		}
		if slices.Contains(a.Lost, id) {
			return a, nil
		}
	}
	return nil, nil
}

// same reports whether two entries are the same release: a long e^ε may be missing in one.
func same(a, b engine.Entry) bool {
	x, known := a.Loss.Epsilon()
	y, also := b.Loss.Epsilon()
	return a.Task == b.Task && a.Time == b.Time && known == also &&
		(!known || x.Cmp(y) == 0) && a.Loss.Delta().Cmp(b.Loss.Delta()) == 0
}

func contradicts(id string) error {
	return fmt.Errorf("this ledger file contradicts the ledger here: the release %s is another "+
		"one here. Nothing was taken from it", id)
}
