package report

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strings"
	"testing"

	"hush/core/publication"
	"hush/web/webtest"
)

// TestEdition: the name of this edition is the digest of pages with all that pages may have. A page
// that reads otherwise is of another edition, and says so.
func TestEdition(t *testing.T) {
	sum := sha256.New()
	for _, r := range []Report{clinicReport(t), hostilePage(t), {},
		{Page: publication.Page{Build: "b", Source: "Source: c",
			Pieces: []publication.Piece{{Text: "a"}}}}} {
		sum.Write([]byte(r.html("")))
	}
	now := hex.EncodeToString(sum.Sum(nil)[:8])
	if now == edition {
		return
	}
	if !*webtest.Update {
		t.Fatalf("pages read otherwise: their edition is %s; run with -update", now)
	}
	text, err := os.ReadFile("edition.go")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("edition.go", []byte(strings.Replace(string(text), edition, now, 1)),
		0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRewriteIsTheSame: a page is written again byte for byte, with its pictures, whatever its
// texts hold; where a page of no picture is written, its figures are named.
func TestRewriteIsTheSame(t *testing.T) {
	r := hostilePage(t)
	r.Page.Date = "2026-01-31"
	r.Page.Pieces[2].Figure.Release.Origin = "crypto"
	for name, r := range map[string]Report{"clinic": clinicReport(t), "hostile": r} {
		text := r.HTML()
		again := Rewrite([]byte(text), r.Page)
		if again.HTML != text || again.Earlier || len(again.Bare) > 0 {
			t.Errorf("%s: %v, %v, %q", name, again.Earlier, again.Bare, again.Why)
		}
		if len(again.Strange) == 0 { // their picture is of nothing that they say
			t.Errorf("%s: no text of another picture is strange", name)
		}
		r.Pictures = nil
		if again := Rewrite([]byte(r.HTML()), r.Page); len(again.Bare) != len(r.Page.Figures()) ||
			len(again.Strange) > 0 {
			t.Errorf("%s: without pictures: %+v", name, again.Bare)
		}
	}
}
