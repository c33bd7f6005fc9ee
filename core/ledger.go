package core

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"sync"

	"hush/core/privacy"
)

// ErrLimit says that a release would cost more than its ledger has left. Nothing was spent.
var ErrLimit = errors.New("core: the release costs more than the ledger has left")

// Ledger holds what all releases about some people have cost, and the limit of all. Two files about
// the same people share one.
//
// # Guarantee
//
// All releases together are (ε, δ)-DP with the ε and δ of the limit, whatever their questions were
// and however they were chosen: the plain sum of ε, and that of δ, stay within it. Proof:
// privacy/filter.md.
//
// A Ledger is safe for use by several goroutines.
type Ledger struct {
	// Save writes the ledger to a place that survives a crash. It is called before each draw with
	// all that the ledger holds, as JSON for [ReadLedger]; where it fails nothing is drawn, and the
	// debit stays. Without it the ledger ends with the program.
	Save func(ledger []byte) error

	mu    sync.Mutex
	limit privacy.Loss
	spent privacy.Loss
	list  []Entry
}

// Entry is one debit of a ledger.
type Entry struct {
	Task  string `json:"task"`  // the question's, or "plan"
	Label string `json:"label"` // what it was about, as published
	Loss  Loss   `json:"loss"`
}

// NewLedger returns a ledger with nothing spent. epsilon and delta are decimal numbers, exact; a δ
// of "0" admits pure releases alone.
func NewLedger(epsilon, delta string) (*Ledger, error) {
	e, err := privacy.ParseEpsilon(epsilon)
	if err != nil {
		return nil, err
	}
	d, err := privacy.ParseDelta(delta)
	if err != nil {
		return nil, err
	}
	return &Ledger{limit: privacy.ApproximateLoss(e, d)}, nil
}

// Limit returns the limit on the cost of all releases together.
func (l *Ledger) Limit() Loss { return lossOf(l.limit) }

// Spent returns the sum of all debits.
func (l *Ledger) Spent() Loss {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lossOf(l.spent)
}

// Entries returns the debits, oldest first.
func (l *Ledger) Entries() []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]Entry(nil), l.list...)
}

// debit adds a loss, or refuses it, and saves.
func (l *Ledger) debit(e Entry, loss privacy.Loss) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	epsilon, known := loss.Epsilon()
	if !known || epsilon.Sign() == 0 && loss.Delta().Sign() == 0 {
		return fmt.Errorf("core: a loss of %s cannot be debited", loss)
	}
	sum := l.spent.Plus(loss)
	if spent, _ := sum.Epsilon(); !within(spent, l.limit) || sum.Delta().Cmp(l.limit.Delta()) > 0 {
		return fmt.Errorf("%w: %s, after %s of %s", ErrLimit, loss, l.spent, l.limit)
	}
	e.Loss = lossOf(loss)
	l.spent, l.list = sum, append(l.list, e)
	if l.Save == nil {
		return nil
	}
	text, err := json.Marshal(l.file())
	if err == nil {
		err = l.Save(text)
	}
	return err
}

func within(epsilon *big.Rat, limit privacy.Loss) bool {
	most, _ := limit.Epsilon()
	return epsilon.Cmp(most) <= 0
}

// ledgerFile is a ledger as it is saved.
type ledgerFile struct {
	Version int     `json:"version"`
	Limit   Loss    `json:"limit"`
	Entries []Entry `json:"entries"`
}

func (l *Ledger) file() ledgerFile {
	return ledgerFile{Version: 1, Limit: lossOf(l.limit), Entries: l.list}
}

// ReadLedger reads what [Ledger.Save] was given. One that is cut off or was changed into something
// that is no ledger is refused: it never opens with less spent.
func ReadLedger(from io.Reader) (*Ledger, error) {
	var f ledgerFile
	decoder := json.NewDecoder(from)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&f); err != nil {
		return nil, fmt.Errorf("core: the ledger cannot be read: %w", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("core: the ledger goes on behind its end")
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("core: the ledger has version %d, want 1", f.Version)
	}
	limit, err := f.Limit.loss()
	if err != nil {
		return nil, err
	}
	l := &Ledger{limit: limit, list: f.Entries}
	for _, e := range f.Entries {
		loss, err := e.Loss.loss()
		if err != nil {
			return nil, err
		}
		l.spent = l.spent.Plus(loss)
	}
	return l, nil
}

// Loss is a privacy loss: ε and δ as exact fractions, such as "1/2" and "0".
type Loss struct {
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta"`
}

// String writes the loss for people: "ε = 0.5".
func (l Loss) String() string {
	loss, err := l.loss()
	if err != nil {
		return "ε = " + l.Epsilon + ", δ = " + l.Delta
	}
	return loss.String()
}

func lossOf(l privacy.Loss) Loss {
	epsilon, known := l.Epsilon()
	if !known {
		return Loss{"∞", l.Delta().RatString()}
	}
	return Loss{epsilon.RatString(), l.Delta().RatString()}
}

func (l Loss) loss() (privacy.Loss, error) {
	epsilon, ok := new(big.Rat).SetString(l.Epsilon)
	delta, fine := new(big.Rat).SetString(l.Delta)
	if !ok || !fine {
		return privacy.Loss{}, fmt.Errorf("core: a loss of ε = %q, δ = %q, want fractions",
			l.Epsilon, l.Delta)
	}
	return privacy.NewLoss(epsilon, delta)
}
