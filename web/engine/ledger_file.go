package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/say"
)

// The ledger as a file. It holds fingerprints, task names, exact losses as text and times: no data
// and no file names.
//
//	{"format": "hush-ledger", "version": 1, "dataSets": [
//	  {"fingerprint": …, "browser": …, "limit": {"epsilon": "3", "delta": "0.000001"} or null, "lost": [id, …],
//	   "releases": [{"id": …, "task": "median", "loss": {"epsilon": "1/10", "delta": "0"}, "time": …}]}]}
//
// A limit that sets a δ aside has "slack" and "rho" as well, and so has a loss "rho" that states
// it; those of earlier versions do not.
//
// A loss with "rest" is of an answer that was made more exact, for the difference; "replaces" is
// the id of its release. Such a file is of version 3, and of version 2 without "replaces".
//
// A release of several questions at once has task "plan" and "questions", how many: only such a
// file is of version 2. The questions themselves are in no file, so where one is imported nothing
// more of the plan is drawn.
//
// A fingerprint is made with a key that never leaves a browser; "browser" is that key's public
// name. "lost" names releases that were paid for and whose entries are missing. "looked" is when
// the owner chose to see what the data set really says, and "frozen" the questions fixed before;
// both are missing where there are none.
const (
	ledgerFormat  = "hush-ledger"
	ledgerVersion = 3 // 2: plans and top-ups; 3: what a top-up was made of
	entrySchema   = 1
)

// Limits of a ledger file: more than a person writes in a life, and too little to stall a page.
const (
	mostReleases = 20_000
	longestLoss  = 4096 // characters in a number of a loss
)

type ledgerFile struct {
	Format   string            `json:"format"`
	Version  int               `json:"version"`
	DataSets []json.RawMessage `json:"dataSets"`
}

type ledgerSet struct {
	Fingerprint string            `json:"fingerprint"`
	Browser     string            `json:"browser"`
	Limit       *Limit            `json:"limit"`
	Lost        []string          `json:"lost,omitempty"`
	Looked      string            `json:"looked,omitempty"` // ISO 8601
	Frozen      []ask.Recipe      `json:"frozen,omitempty"`
	Releases    []json.RawMessage `json:"releases"`
}

type ledgerRelease struct {
	ID   string          `json:"id"`
	Task string          `json:"task"`
	Loss json.RawMessage `json:"loss"`
	Time string          `json:"time"` // ISO 8601
	// Questions is the number of questions paid for together; 0: it is one.
	Questions int `json:"questions,omitempty"`
	// Replaces is the release that this one improves, for the difference of their losses.
	Replaces string `json:"replaces,omitempty"`
}

// LedgerFileError says what is wrong with a ledger file, and where.
type LedgerFileError struct {
	Where string // "data set 2, release 3", "line 4, character 7", or empty: the whole file
	What  string
}

func (e *LedgerFileError) Error() string {
	if e.Where == "" {
		return say.Format("this ledger file cannot be read: %s", e.What)
	}
	return say.Format("this ledger file cannot be read: %s: %s", e.Where, e.What)
}

// WriteLedger writes the contents of the store as a file.
func WriteLedger(all []Spending) (string, error) {
	file := ledgerFile{Format: ledgerFormat, Version: 1, DataSets: []json.RawMessage{}}
	for _, s := range all {
		set := ledgerSet{Fingerprint: s.Fingerprint, Browser: s.Browser, Limit: s.Limit,
			Lost: s.Lost, Looked: s.Looked, Frozen: s.Frozen, Releases: []json.RawMessage{}}
		for _, e := range s.Entries {
			set.Releases = append(set.Releases,
				raw(ledgerRelease{e.ID, e.Task, raw(e.Loss.Short()), e.Time, e.Questions,
					e.Replaces}))
			switch {
			case e.Replaces != "":
				file.Version = ledgerVersion
			case e.Questions > 0 || e.Loss.IsRest():
				file.Version = max(file.Version, 2)
			}
		}
		file.DataSets = append(file.DataSets, raw(set))
	}
	text, err := json.MarshalIndent(file, "", "  ")
	return string(text) + "\n", err
}

func raw(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("engine: internal error: " + err.Error())
	}
	return text
}

// ReadLedger reads a file that WriteLedger wrote, completely or not at all. Any error in it is a
// *LedgerFileError.
func ReadLedger(text string) ([]Spending, error) {
	if items(text) > mostReleases {
		return nil, &LedgerFileError{"", say.Format("it has more than %d data sets, releases and "+
			"frozen questions: a ledger of that length is not read", mostReleases)}
	}
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return nil, &LedgerFileError{
			place(text, err), say.Text("it is damaged, or no ledger at all")}
	}
	if head.Format != ledgerFormat {
		return nil, &LedgerFileError{
			"", say.Text(`it is no ledger: its format is not "hush-ledger"`)}
	}
	if head.Version < 1 || head.Version > ledgerVersion {
		return nil, &LedgerFileError{
			"", say.Format("it is of version %d, and this page reads versions 1 to %d",
				head.Version, ledgerVersion)}
	}
	var file ledgerFile
	if err := strictly([]byte(text), &file); err != nil {
		return nil, &LedgerFileError{"", say.Error(err)}
	}
	if file.DataSets == nil {
		return nil, &LedgerFileError{"", say.Text("the list of data sets is missing")}
	}
	all, seen := []Spending{}, map[string]string{}
	for i, text := range file.DataSets {
		where := say.Format("data set %d", i+1)
		s, err := importSet(where, text, seen)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// items counts the data sets of a ledger file and the members of their lists, up to one more than
// are read: it looks at each byte once, before any slower reading begins.
func items(text string) (n int) {
	var open []byte // the open brackets around a position
	for i := 0; i < len(text) && n <= mostReleases; i++ {
		c := text[i]
		if c == '{' || c == '"' || c == 'n' { // null, as a question
			if depth := len(open); (depth == 2 || depth == 4) && open[depth-1] == '[' {
				n++
			}
		}
		switch c {
		case '{', '[':
			open = append(open, c)
		case '}', ']':
			open = open[:max(0, len(open)-1)]
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return n
}

// importSet reads one data set. seen maps the fingerprints and ids so far to where they occurred.
func importSet(where string, text []byte, seen map[string]string) (Spending, error) {
	wrong := func(what string) (Spending, error) {
		return Spending{}, &LedgerFileError{where, what}
	}
	var set ledgerSet
	if err := strictly(text, &set); err != nil {
		return wrong(say.Error(err))
	}
	once := func(name, where string) error {
		if before, again := seen[name]; again {
			return &LedgerFileError{where, say.Format("it has the name of %s", before)}
		}
		seen[name] = where
		return nil
	}
	switch {
	case !fingerprintForm.matches(set.Fingerprint):
		return wrong(say.Text("its fingerprint is not 64 hexadecimal digits"))
	case !browserForm.matches(set.Browser):
		return wrong(say.Text("its browser is not 16 hexadecimal digits"))
	case set.Releases == nil:
		return wrong(say.Text("its list of releases is missing"))
	}
	if err := once(set.Fingerprint, where); err != nil {
		return Spending{}, err
	}
	above := false
	if set.Limit != nil {
		limit, err := set.Limit.bounds()
		if err != nil {
			return wrong(say.Format("its limit: %s", err))
		}
		least := DefaultLimit()
		usual, err := least.bounds()
		above = err != nil || !limit.loss.AtMost(usual.loss)
		switch {
		case above:
			set.Limit = &least
		case limit.filter == nil:
			if set.Limit.Rho = ""; set.Limit.Raised == nil {
				set.Limit.Slack = ""
			}
		default:
			set.Limit.Rho = limit.filter.Params().Rho.String()
		}
	}
	if set.Looked != "" && !timeForm.matches(set.Looked) {
		return wrong(
			say.Text("the time when it was looked at is not one such as 2026-01-31T12:00:00.000Z"))
	}
	s := Spending{Fingerprint: set.Fingerprint, Browser: set.Browser, Limit: set.Limit,
		Entries: []Entry{}, Lost: set.Lost, Looked: set.Looked, Frozen: set.Frozen,
		Above: above}
	for i, text := range set.Releases {
		where := say.Format("%s, release %d", where, i+1)
		entry, err := importRelease(text)
		if err != nil {
			return Spending{}, &LedgerFileError{where, say.Error(err)}
		}
		if err := once(entry.ID, where); err != nil {
			return Spending{}, err
		}
		entry.Fingerprint = set.Fingerprint
		s.Entries = append(s.Entries, entry)
	}
	for i, id := range set.Lost {
		where := say.Format("%s, lost release %d", where, i+1)
		if !idForm.matches(id) {
			return Spending{}, &LedgerFileError{where, wantID}
		}
		if err := once(id, where); err != nil {
			return Spending{}, err
		}
	}
	return s, nil
}

func importRelease(text []byte) (Entry, error) {
	var r ledgerRelease
	if err := strictly(text, &r); err != nil {
		return Entry{}, err
	}
	switch {
	case !idForm.matches(r.ID):
		return Entry{}, errors.New(wantID)
	case !isTask(r.Task):
		return Entry{}, errors.New(say.Text("its task is not the name of a task"))
	case r.Questions < 0 || r.Questions > 0 && r.Task != planTask:
		return Entry{}, errors.New(say.Text("it is no plan, and has several questions"))
	case r.Loss == nil:
		return Entry{}, errors.New(say.Text("its loss is missing"))
	case !timeForm.matches(r.Time):
		return Entry{}, errors.New(say.Text("its time is not one such as 2026-01-31T12:00:00.000Z"))
	}
	if r.Replaces != "" && r.Replaces != OtherCopy && !idForm.matches(r.Replaces) {
		return Entry{}, errors.New(wantID)
	}
	if _, err := time.Parse(time.RFC3339, r.Time); err != nil {
		return Entry{}, errors.New(say.Text("its time is not in the calendar"))
	}
	loss, err := importLoss(r.Loss)
	if err != nil {
		return Entry{}, err
	}
	debit := Debit{Task: r.Task, Loss: loss, Questions: r.Questions}
	return Entry{ID: r.ID, Debit: debit, Time: r.Time, Schema: entrySchema,
		Replaces: r.Replaces}, nil
}

// importLoss reads a loss. A long e^ε, which repeats what ε says, is skipped unread.
func importLoss(text []byte) (loss privacy.Loss, err error) {
	var parts map[string]any
	if err := json.Unmarshal(text, &parts); err != nil {
		return loss, err
	}
	for name, part := range parts {
		number, _ := part.(string)
		switch {
		case len(number) <= longestLoss:
		case name == "odds":
			delete(parts, name)
		default:
			return loss, errors.New(say.Format("a number of its loss is longer than %d characters",
				longestLoss))
		}
	}
	err = strictly(raw(parts), &loss)
	return loss.Short(), err
}

const wantID = "its id is not one such as 0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f"

// form is a text in which x stands for a hexadecimal digit and 0 for a decimal one.
type form string

var (
	fingerprintForm = form(strings.Repeat("x", 64))
	browserForm     = form(strings.Repeat("x", 16))
	idForm          = form("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
	timeForm        = form("0000-00-00T00:00:00.000Z") // so that text order is the order of time
)

func (f form) matches(text string) bool {
	if len(text) != len(f) {
		return false
	}
	for i, c := range []byte(text) {
		digit := '0' <= c && c <= '9'
		switch f[i] {
		case 'x':
			if !digit && (c < 'a' || c > 'f') {
				return false
			}
		case '0':
			if !digit {
				return false
			}
		default:
			if c != f[i] {
				return false
			}
		}
	}
	return true
}

// isTask reports whether text can be the ID of a task: small letters, digits and hyphens, a letter
// first.
func isTask(text string) bool {
	outside := func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' }
	return 0 < len(text) && len(text) <= 64 && 'a' <= text[0] && text[0] <= 'z' &&
		strings.IndexFunc(text, outside) < 0
}

// strictly decodes one value and refuses unknown fields.
func strictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// place says where in the text the decoder failed, counted as editors do.
func place(text string, err error) string {
	offset := int64(len(text))
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	case !errors.Is(err, io.ErrUnexpectedEOF):
		return ""
	}
	before := text[:min(int(offset), len(text))]
	line := 1 + bytes.Count([]byte(before), []byte("\n"))
	column := len([]rune(before[bytes.LastIndexByte([]byte(before), '\n')+1:]))
	return say.Format("line %d, character %d", line, column)
}
