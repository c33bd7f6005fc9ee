package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/hush/ledger"
)

// patience is how long a run waits for another that holds the ledger; tests use less.
var patience = 10 * time.Second

// desk is where something is paid for: it holds a file, the file's account in the ledger, and what
// the command line says about both.
type desk struct {
	*host
	call    *call
	ledger  *ledger.Ledger
	account *ledger.Account
	names   ledger.Names
}

// spending holds the flags of commands that draw.
type spending struct {
	spend, dry, agree, details bool
	ledger                     string
}

// draws declares the flags of commands that draw.
func draws(c *call) {
	c.flags.BoolVar(&c.spend, "spend", false,
		"draw: the privacy loss is then spent, for good")
	c.flags.BoolVar(&c.dry, "dry-run", false,
		"check all that -spend would, and draw nothing, also with -spend")
	c.flags.BoolVar(&c.agree, "agree", false,
		"agree to what the recipe says of the file, as a run without -spend lists it")
	c.flags.BoolVar(&c.details, "details", false,
		"without -spend: say all that is known of the error to come, and of the method")
	inLedger(c)
}

// inLedger declares the flag that names the ledger.
func inLedger(c *call) {
	c.flags.StringVar(&c.ledger, "ledger", "", "the directory of the ledger; empty: that of the "+
		"variable HUSH_LEDGER, or hush in XDG_DATA_HOME or ~/.local/share")
}

// ledgerDir returns the directory of the ledger.
func (c *call) ledgerDir() (string, error) {
	for _, dir := range []string{c.spending.ledger, os.Getenv("HUSH_LEDGER")} {
		if dir != "" {
			return dir, nil
		}
	}
	if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
		return filepath.Join(dir, "hush"), nil
	}
	own, err := os.UserHomeDir()
	if err != nil {
		return "", fail(exitUsage, "nothing says where the ledger is: name its directory with "+
			"-ledger, or in the variable HUSH_LEDGER")
	}
	return filepath.Join(own, ".local", "share", "hush"), nil
}

// drawing reports whether something is to be drawn.
func (c *call) drawing() bool { return c.spend && !c.dry }

// openLedger opens the ledger for writing, or for reading only.
func (c *call) openLedger(write bool) (l *ledger.Ledger, err error) {
	dir, err := c.ledgerDir()
	if err != nil {
		return nil, err
	}
	if write {
		if err := unmistaken(dir); err != nil {
			return nil, err
		}
		l, err = ledger.Open(c.ctx, dir, patience)
	} else {
		l, err = ledger.Read(dir)
	}
	switch {
	case errors.Is(err, ledger.ErrBusy):
		return nil, fail(exitBusy, "%w: wait until it has ended. Nothing was spent", err)
	case err != nil:
		return nil, fail(exitRefused, "the ledger cannot be relied on: %w. Nothing was spent",
			err)
	}
	return l, nil
}

// unmistaken refuses to begin a ledger that may be a mistyped one: beside a ledger with nearly the
// same name. A new ledger knows of no debit. A directory that exists is meant.
func unmistaken(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	dir = filepath.Clean(dir)
	beside, _ := os.ReadDir(filepath.Dir(dir)) // without a list nothing is near
	var others []string
	for _, entry := range beside {
		numbered := undigited(entry.Name()) == undigited(filepath.Base(dir)) // as by years
		if !numbered && ledger.Exists(filepath.Join(filepath.Dir(dir), entry.Name())) {
			others = append(others, entry.Name())
		}
	}
	if meant := near(filepath.Base(dir), others, ""); meant != "" {
		return fail(exitRefused, "there is no ledger %s%s A new one knows of no debit: "+
			"make its directory first, if you mean it. Nothing was spent", dir, meant)
	}
	return nil
}

// undigited returns a name without its digits.
func undigited(name string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return -1
		}
		return c
	}, name)
}

// openDesk opens a file that is read in this way, under the names by which the ledger knows it.
func openDesk(c *call, name string, reading table.Options) (*desk, error) {
	l, err := c.openLedger(c.drawing())
	if err != nil {
		return nil, err
	}
	l.Close() // reading takes long: others may write in the meantime
	d := &desk{host: newHost(c), call: c, ledger: l}
	if err := d.open(name, reading, l.RowsKey()); err != nil {
		return nil, err
	}
	d.names = l.Names(d.file.names(d.opened.Options), *d.opened.Marks)
	return d, nil
}

// enter loads the account as it is now; if something is to be drawn, nobody else writes from here
// to the end.
func (d *desk) enter() (err error) {
	if d.ledger, err = d.call.openLedger(d.call.drawing()); err != nil {
		return err
	}
	d.account = d.ledger.Recognise(d.names)
	return nil
}

// spent returns what the account holds, in the engine's form.
func (d *desk) spent() engine.Spending { return d.ledger.Spending(d.account) }

// claims returns the claims of a recipe about the file: those to which its owner agrees, or all
// open ones if nothing is drawn yet.
func (d *desk) claims(recipes ...ask.Recipe) (open []engine.Asked, err error) {
	seen := map[string]bool{}
	for _, r := range recipes {
		list, err := perform[[]engine.Asked](d.host, "claims", r)
		if err != nil {
			return nil, err
		}
		for _, claim := range list {
			if !seen[claim.Line] {
				seen[claim.Line] = true
				open = append(open, claim)
			}
		}
	}
	return open, nil
}

// budget states in words what was spent, and the limit.
func (d *desk) budget() string {
	b, err := d.spent().Budget()
	if err != nil {
		return err.Error()
	}
	if b.Limit == nil {
		return fmt.Sprintf("Spent on this data set: %s, without a limit.", b.Spent)
	}
	return fmt.Sprintf("Spent on this data set: %s, of %s.", b.Spent, *b.Limit)
}

// offer is the output of a run without -spend, for programs.
type offer struct {
	Plans    []ask.Plan     `json:"plans"` // one for each question
	Epsilons []string       `json:"epsilons,omitempty"`
	Never    []int          `json:"never,omitempty"` // from 0: plans that no ε makes good
	Loss     privacy.Loss   `json:"loss"`            // the loss that is debited
	Spent    privacy.Loss   `json:"spent"`
	Limit    *engine.Limit  `json:"limit"`            // nil: none
	Claims   []engine.Asked `json:"claims,omitempty"` // claims to be agreed to
	// Paid is the id of an entry that paid for it before, whose answer nobody has seen.
	Paid    string `json:"paid,omitempty"`
	Query   string `json:"query,omitempty"`   // SHA-256 of the statement that a database ran
	Refused string `json:"refused,omitempty"` // why -spend would draw nothing
}

// show states what a run would cost, and draws nothing. paid is the entry that paid for it before,
// or nil if none did. refused is the reason why it would not be drawn.
func (d *desk) show(o offer, paid *ledger.Entry, refused error) error {
	o.Spent, o.Limit = d.spent().Spent(), d.account.Limit
	if paid != nil {
		o.Paid = paid.ID
	}
	if refused != nil {
		o.Refused = refused.Error()
	}
	if d.call.json {
		if err := writeJSON(d.call, o); err != nil {
			return err
		}
		return refused
	}
	w := d.call.out
	for i, p := range o.Plans {
		printf(w, "%s of %s, %d people", p.Task, p.Column, p.People)
		if len(o.Epsilons) > 0 {
			printf(w, ", ε = %s", o.Epsilons[i])
		}
		printf(w, "\n")
		if slices.Contains(o.Never, i) {
			printf(w, "  No ε makes it good to publish: leave it out, or ask it more coarsely.\n")
		}
		d.call.foretell(p)
	}
	if o.Paid == "" {
		printf(w, "It costs %s.\n", o.Loss)
	} else {
		printf(w, "It was paid for before (%s), and nobody has seen it: it costs "+
			"nothing.\n", o.Paid)
	}
	printf(w, "%s\n", d.budget())
	for _, claim := range o.Claims {
		printf(w, "The recipe says of the file: %s\n", claim.Line)
	}
	if len(o.Claims) > 0 && !d.call.agree {
		printf(w, "Add -agree if that is so.\n")
	}
	if refused == nil {
		fmt.Fprintln(d.call.err, "Nothing is drawn. Add -spend to spend that and draw, or "+
			"-details to read more of the error.")
	}
	return refused
}

// foretell states one error to expect, and the verdict on it; with -details all that is known.
func (c *call) foretell(p ask.Plan) {
	list := p.Ahead(nil)
	if !c.details {
		list = list[:min(len(list), 1)]
	}
	for _, f := range list {
		printf(c.out, "  %s: %s. %s.\n", f.Label, f.Value,
			strings.TrimSuffix(phrase.Capital(f.Detail), "."))
	}
	if p.Verdict != nil {
		printf(c.out, "  %s\n", p.Verdict.Text)
	}
}

// names returns the digests of the chunks; for a further part of a file, followed by its number,
// since that is another data set.
func (f *file) names(o table.Options) []byte {
	if o.Part > 1 {
		return fmt.Append(f.digests[:len(f.digests):len(f.digests)], o.Part)
	}
	return f.digests
}

// build identifies this program: another one may read a file differently.
func build() (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(own)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// settle draws a question of an entry unless that is done, keeps the outcome, shows it, and records
// that it was seen, unless the display is written later.
func (d *desk) settle(e *ledger.Entry, number int, draw func() (*task.Release, error),
	show func(text string) error, seen bool) error {
	l := d.ledger
	if err := l.Adopt(e, number); err != nil {
		return err
	}
	if e.Drawn[number] == nil {
		release, err := draw()
		switch {
		case is(err, engine.Cancelled):
			return fail(exitInterrupted, "interrupted. %s was paid for and is not lost: the "+
				"same command draws it, and costs nothing", e.ID)
		case err != nil:
			return errors.Join(err, l.Fail(e, number, faultOf(err)), l.Told(e, number))
		}
		if err := d.keep(e, number, release); err != nil {
			return err
		}
	}
	if why := e.Drawn[number].Failure; why != nil {
		return errors.Join(&engineError{*why}, l.Told(e, number))
	}
	text, found, err := l.Answer(e, number)
	if err == nil && !found {
		err = fmt.Errorf("%s is missing", l.Path(e, number))
	}
	if err == nil {
		err = show(text)
	}
	if err != nil || !seen {
		return err
	}
	return l.Told(e, number)
}

// keep writes a release to the disk, and whether it can be topped up.
func (d *desk) keep(e *ledger.Entry, number int, r *task.Release) error {
	if err := d.ledger.Keep(e, number, r.JSON("")); err != nil {
		return err
	}
	printf(d.call.err, "Drawn, and kept in %s\n", d.ledger.Path(e, number))
	if e.Fixed != nil || e.Query != "" { // a table in a database changes
		return nil
	}
	made, err := build()
	if err != nil {
		return err
	}
	return d.ledger.MarkHead(e, r.Digest(), made)
}

// debit records an entry before the draw that it pays for.
func (d *desk) debit(e *ledger.Entry, frozen []ask.Recipe) error {
	if err := d.ledger.Debit(d.account, e, d.names.Fingerprint, frozen); err != nil {
		return fail(exitRefused, "the ledger cannot be written: %w. Nothing is drawn", err)
	}
	printf(d.call.err, "Debited %s (%s)\n", e.Loss, e.ID)
	return nil
}

func faultOf(err error) engine.Fault {
	var e *engineError
	if errors.As(err, &e) {
		return e.Fault
	}
	return engine.Fault{Code: engine.Failed, Message: err.Error()}
}

// tell writes a release: as JSON for programs, or what it says.
func (c *call) tell(text string) error {
	if c.json {
		_, err := fmt.Fprint(c.out, text)
		return err
	}
	r, err := releaseOf(text)
	if err == nil {
		err = c.say(r)
	}
	if err != nil {
		return err
	}
	return printf(c.out, "%s\n", r.Plan.Guarantee.Line())
}

// say writes what a release says, without its guarantee.
func (c *call) say(r *task.Release) error {
	if err := printf(c.out, "%s\n", r.Statement); err != nil {
		return err
	}
	if v := r.Verdict; v != nil && v.Grade == ask.Noise {
		printf(c.out, "%s\n", v.Text) // how far it is off
	}
	return showRows(c.out, r, "hush ledger -csv answer writes all")
}

// releaseOf reads a release that the ledger keeps.
func releaseOf(text string) (r *task.Release, err error) {
	err = json.Unmarshal([]byte(text), &r)
	return r, err
}

// readRelease reads a release from a file.
func readRelease(name string) (*task.Release, error) {
	text, err := readFile(name)
	if err != nil {
		return nil, err
	}
	r, err := releaseOf(string(text))
	if err != nil {
		return nil, fail(exitUnread, "%s%s: it is no release: %w", name, placeOf(text, err), err)
	}
	if r == nil || r.Answer.Result == nil {
		return nil, fail(exitUnread, "%s is no release: name one that hush ask -spend -json "+
			"wrote, or that hush ledger lists", name)
	}
	return r, nil
}
