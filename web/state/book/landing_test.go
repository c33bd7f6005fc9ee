package book_test

import (
	"testing"

	"hush/web/state/stage"
	"hush/web/webtest"
)

// TestExampleIsDescribed: behind the answer of the landing everything can be asked at once.
func TestExampleIsDescribed(t *testing.T) {
	m, f := webtest.Started(t)
	m.TryExample()
	f.Settle()
	if m.Way.Stage() != stage.Answer || m.Answer.Result == nil || f.Spent != 0 {
		t.Fatalf("stage %v, %d spent", m.Way.Stage(), f.Spent)
	}
	if n, all := m.Codebook.Described(), len(m.Codebook.Columns()); n != all || n < 2 {
		t.Errorf("%d of %d columns are described", n, all)
	}
	if m.Codebook.Note != "" || len(m.Codebook.Differing) > 0 {
		t.Errorf("the example differs from its own codebook: %s %q", m.Codebook.Note,
			m.Codebook.Differing)
	}
}
