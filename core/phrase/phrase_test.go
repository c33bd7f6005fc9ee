package phrase_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"hush/core/phrase"
)

// marked puts every text in brackets, and counts in pairs.
type marked struct{}

func (marked) Text(k phrase.Key) string { return "⟦" + string(k) + "⟧" }

func (marked) Form(n int64, one, other phrase.Key) string {
	if n == 2 {
		return "⟦both⟧"
	}
	return "⟦" + string(other) + "⟧"
}

type loss struct{}

func (loss) String() string        { return "no guarantee" }
func (loss) Phrase() phrase.Phrase { return phrase.Of("no guarantee") }

var errClosed error = phrase.Fault("closed")

func TestPhrase(t *testing.T) {
	list := []phrase.Phrase{phrase.Of("yes"), phrase.Plain("A")}
	for _, c := range []struct {
		p               phrase.Phrase
		english, marked string
	}{
		{phrase.Phrase{}, "", ""},
		{phrase.Plain("50 %d"), "50 %d", "50 %d"},
		{phrase.Of("50 % of all"), "50 % of all", "⟦50 % of all⟧"},
		{phrase.Key("yes").Phrase(), "yes", "⟦yes⟧"},
		{phrase.Of("%s of %d", "a", 3), "a of 3", "⟦a of 3⟧"},
		{phrase.Of("%q of %v", phrase.Key("a"), phrase.Of("%d b", 2)), `"a" of 2 b`,
			`⟦"⟦a⟧" of ⟦2 b⟧⟧`},
		{phrase.Of("loss: %s", loss{}), "loss: no guarantee", "⟦loss: ⟦no guarantee⟧⟧"},
		{phrase.Of("failed: %s", fmt.Errorf("in row 3: %w", errClosed)), "failed: in row 3: closed",
			"⟦failed: in row 3: ⟦closed⟧⟧"},
		{phrase.Count(1, "one file", "%d files", 1), "one file", "⟦1 files⟧"},
		{phrase.Count(2, "one file", "%d files", 2), "2 files", "⟦both⟧"},
		{phrase.Glue(phrase.Key("a"), " ≥ ", 3), "a ≥ 3", "⟦a⟧ ≥ 3"},
		{phrase.Join(list, phrase.Key(" or ")), "yes or A", "⟦yes⟧⟦ or ⟧A"},
		{phrase.From(loss{}), "no guarantee", "⟦no guarantee⟧"},
		{phrase.From(7), "7", "7"},
	} {
		if got := c.p.String(); got != c.english {
			t.Errorf("%q, want %q", got, c.english)
		}
		if got := c.p.In(marked{}); got != c.marked {
			t.Errorf("marked: %q, want %q", got, c.marked)
		}
		text, err := json.Marshal(map[string]phrase.Phrase{"p": c.p})
		var read map[string]phrase.Phrase
		if err != nil || json.Unmarshal(text, &read) != nil || read["p"].In(marked{}) != c.english {
			t.Errorf("%s is read as %q, %v", text, read["p"], err)
		}
	}
}

func TestErrors(t *testing.T) {
	inner := phrase.Errorf("row %d: %w", 3, errClosed)
	joined := errors.Join(inner, errors.New("else"))
	for _, c := range []struct {
		err             error
		english, marked string
	}{
		{errClosed, "closed", "⟦closed⟧"},
		{inner, "row 3: closed", "⟦row 3: ⟦closed⟧⟧"},
		{phrase.Errorf("the %s failed: %w", phrase.Key("file"), inner),
			"the file failed: row 3: closed", "⟦the ⟦file⟧ failed: ⟦row 3: ⟦closed⟧⟧⟧"},
		{fmt.Errorf("web: %w", inner), "web: row 3: closed", "web: ⟦row 3: ⟦closed⟧⟧"},
		{joined, "row 3: closed\nelse", "⟦row 3: ⟦closed⟧⟧\nelse"},
		{errors.New("plain"), "plain", "plain"},
	} {
		if got := c.err.Error(); got != c.english {
			t.Errorf("%q, want %q", got, c.english)
		}
		if got := phrase.ErrorIn(marked{}, c.err); got != c.marked {
			t.Errorf("marked: %q, want %q", got, c.marked)
		}
		if strings.Contains(c.english, "closed") && !errors.Is(c.err, errClosed) {
			t.Errorf("%q wraps nothing", c.english)
		}
	}
}
