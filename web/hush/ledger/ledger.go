package ledger

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"hush/core/ask"
	"hush/core/coin"
	"hush/web/engine"
)

// Errors that a caller acts on.
var (
	// ErrBusy says that another run is writing.
	ErrBusy = errors.New("another run of hush holds the ledger")
	// ErrDamaged says that the total spent is not known.
	ErrDamaged = errors.New("the ledger has lost entries of this data set, so what was spent is " +
		"not known: import a ledger file that has them")
)

const (
	bookName, lockName, answersName = "ledger.json", "lock", "answers"

	bookFormat  = "hush-ledger-store"
	bookVersion = 1
	entrySchema = 3 // as in static/ledger.js
)

// book is the content of the file.
type book struct {
	Format   string     `json:"format"`
	Version  int        `json:"version"`
	Key      string     `json:"key"` // 64 hexadecimal digits; secret
	Accounts []*Account `json:"accounts"`
}

// Ledger is an open ledger. It is not safe for concurrent use.
type Ledger struct {
	dir     string
	key     []byte
	book    book
	release func() // releases the lock; nil: nothing can be written
}

// Read opens the ledger of a directory for reading. Nothing can be written; a ledger that does not
// exist yet is empty.
func Read(dir string) (*Ledger, error) {
	l := &Ledger{dir: dir}
	return l, l.load()
}

// Open opens the ledger of a directory, which it creates if necessary, and holds its lock until
// Close. It waits some time for a run that holds the lock, and then returns ErrBusy.
func Open(ctx context.Context, dir string, patience time.Duration) (*Ledger, error) {
	if err := os.MkdirAll(filepath.Join(dir, answersName), 0o700); err != nil {
		return nil, err
	}
	late := time.After(patience)
	for {
		release, err := lock(dir)
		switch {
		case err == nil:
			l := &Ledger{dir: dir, release: release}
			if err := l.begin(); err != nil {
				release()
				return nil, err
			}
			return l, nil
		case !errors.Is(err, ErrBusy):
			return nil, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-late:
			return nil, fmt.Errorf("%w (%s)", ErrBusy, filepath.Join(dir, lockName))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Exists reports whether a directory holds a ledger.
func Exists(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, bookName))
	return err == nil
}

// begin reads the book, and writes one if there is none, which shows that it can be written.
func (l *Ledger) begin() error {
	if err := l.load(); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(l.dir, bookName)); errors.Is(err, fs.ErrNotExist) {
		return l.save()
	}
	return nil
}

// Close releases the lock.
func (l *Ledger) Close() {
	if l.release != nil {
		l.release()
		l.release = nil
	}
}

func (l *Ledger) load() error {
	name := filepath.Join(l.dir, bookName)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		l.key = randomBytes(sha256.Size)
		l.book = book{Format: bookFormat, Version: bookVersion, Key: hex.EncodeToString(l.key)}
		return nil
	}
	if err != nil {
		return err
	}
	_, stated, found := ask.Checksum(string(text))
	if stated == "" || stated != found {
		return fmt.Errorf("%s is not as it was written: bring it back from a copy. Without it "+
			"nobody knows what was spent", name)
	}
	if err := json.Unmarshal(text, &l.book); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if l.book.Format != bookFormat || l.book.Version != bookVersion {
		return fmt.Errorf("%s has the format %q of version %d, and this program reads %q of "+
			"version %d: use the program that wrote it, or a newer one", name, l.book.Format,
			l.book.Version, bookFormat, bookVersion)
	}
	for _, a := range l.book.Accounts {
		for _, e := range a.Entries {
			if e.Drawn == nil {
				e.Drawn = map[int]*Drawn{}
			}
		}
	}
	l.key, err = hex.DecodeString(l.book.Key)
	if err != nil || len(l.key) != sha256.Size {
		return fmt.Errorf("%s: its key is not 64 hexadecimal digits", name)
	}
	return nil
}

// save replaces the book on the disk.
func (l *Ledger) save() error {
	text, err := json.MarshalIndent(l.book, "", "  ")
	if err != nil {
		return err
	}
	return l.replace(bookName, ask.WithChecksum(string(text)+"\n"))
}

// replace writes a file beside the one with its name, and then renames it: whatever ends the
// program, there is a complete file, the old one or the new one.
func (l *Ledger) replace(name, text string) error {
	if l.release == nil {
		panic("ledger: internal error: it was opened to look at")
	}
	path := filepath.Join(l.dir, name)
	f, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err == nil {
		err = syncDirectory(filepath.Dir(path))
	}
	return err
}

// syncDirectory writes the names in a directory to the disk, if the system can do that.
func syncDirectory(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) &&
		!errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}

// Names identify a data set, as in static/ledger.js: the name derived from its bytes, and those
// derived from its rows.
type Names struct {
	Fingerprint string
	Rows        string
	Sketch      []string
	Alike       string
	AlikeSketch []string
}

// Names names a data set by the digests of its chunks and by marks of its rows, which were made
// with RowsKey.
func (l *Ledger) Names(digests []byte, m Marks) Names {
	named := func(kind, text string) string {
		if text == "" {
			return ""
		}
		return l.mac([]byte(kind + " " + text))
	}
	return Names{l.mac(digests), named("rows", m.Rows), m.Sketch, named("alike", m.Alike),
		m.AlikeSketch}
}

// TableNames names a table in a database by its identity, and by its owner's name for it unless
// that is empty.
func (l *Ledger) TableNames(identity, called string) Names {
	n := Names{Fingerprint: l.mac([]byte("table " + identity))}
	if called != "" {
		n.Alike = l.mac([]byte("table called " + called))
	}
	return n
}

// Browser is the public name of the key, as in a ledger file.
func (l *Ledger) Browser() string { return l.mac([]byte("the browser of this ledger"))[:16] }

// RowsKey is the key of the marks of rows: 32 hexadecimal digits.
func (l *Ledger) RowsKey() string {
	return l.mac([]byte("the key of the rows of data sets"))[:32]
}

func (l *Ledger) headName(digest string) string { return l.mac([]byte("head " + digest)) }

func (l *Ledger) mac(text []byte) string {
	h := hmac.New(sha256.New, l.key)
	h.Write(text)
	return hex.EncodeToString(h.Sum(nil))
}

// NewID returns a random id, like crypto.randomUUID.
func NewID() string {
	b := randomBytes(16)
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// randomBytes returns bytes from the system's generator.
func randomBytes(n int) []byte {
	number := coin.NewCrypto().UniformBig(new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	return number.FillBytes(make([]byte, n))
}

// now is the current time, as entries state it.
func now() string { return time.Now().UTC().Format("2006-01-02T15:04:05.000Z") }

// Accounts returns the accounts of all data sets, by fingerprint.
func (l *Ledger) Accounts() []*Account { return l.book.Accounts }

// Entry finds a debit by its id, or by a beginning of it that no other id shares.
func (l *Ledger) Entry(id string) (*Account, *Entry, error) {
	var account *Account
	var entry *Entry
	for _, a := range l.book.Accounts {
		for _, e := range a.Entries {
			if len(id) > 0 && len(e.ID) >= len(id) && e.ID[:len(id)] == id {
				if entry != nil && e.ID != id {
					return nil, nil, fmt.Errorf("several releases have an id that begins "+
						"with %q: give more of it", id)
				}
				account, entry = a, e
			}
		}
	}
	if entry == nil {
		return nil, nil, fmt.Errorf("the ledger has no release %q", id)
	}
	return account, entry, nil
}

// spendings returns all accounts, for a ledger file.
func (l *Ledger) spendings() (all []engine.Spending) {
	for _, a := range l.book.Accounts {
		all = append(all, l.Spending(a))
	}
	return all
}

// Export returns the ledger file that the page imports.
func (l *Ledger) Export() (string, error) { return engine.WriteLedger(l.spendings()) }

// SetLimit sets the most that may be spent on a data set; nil removes the limit.
func (l *Ledger) SetLimit(a *Account, to *engine.Limit) error {
	limit, err := engine.LimitChange{Spending: l.Spending(a), To: to}.Set()
	if err != nil {
		return err
	}
	if a.Limit != nil && a.Limit.Slack != "" {
		a.Era++
	}
	a.Limit = limit
	l.put(a)
	return l.save()
}

// put adds an account to the book.
func (l *Ledger) put(a *Account) {
	for _, b := range l.book.Accounts {
		if a == b {
			return
		}
	}
	l.book.Accounts = append(l.book.Accounts, a)
	for i := len(l.book.Accounts) - 1; i > 0; i-- {
		b := l.book.Accounts
		if cmp.Compare(b[i-1].Fingerprint, b[i].Fingerprint) <= 0 {
			break
		}
		b[i-1], b[i] = b[i], b[i-1]
	}
}
