package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"hush/core/privacy"
	"hush/core/publication"
)

// published is a page of all answers that were released.
func published() publication.Page {
	p := publication.Page{Title: "Visits", Publisher: "Health Office", Date: "2026-11-25",
		Build: "0123", Pieces: []publication.Piece{{Heading: "All"}, {Text: "A paragraph."}}}
	for _, r := range released() {
		if r.Plan.Loss.Protects() {
			p.Pieces = append(p.Pieces, publication.Piece{
				Figure: &publication.Figure{Release: r, Sentence: "A finding."}})
		}
	}
	return p
}

// TestPage: all that can be checked of a page holds, as JSON and in HTML.
func TestPage(t *testing.T) {
	text := publication.Write(published())
	html := "<!doctype html><p>x</p>\n" + publication.AppendixStart + string(text) +
		publication.AppendixEnd + publication.HTMLEnd
	for name, file := range map[string][]byte{"JSON": text, "HTML": []byte(html)} {
		report := File(nil, file, "0123")
		for _, c := range report.Checks {
			if c.Status == Fails {
				t.Errorf("%s: %s: %+v", name, c.Title, c.Faults[0])
			}
		}
		if report.Count(Holds) < 6 || !strings.Contains(report.About, "Health Office") ||
			report.Loss == "" || len(report.Unknowable) != 4 {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

// resealed is a page's file with a part of its page replaced, and the checksum of that.
func resealed(text []byte, old, now string) []byte {
	at := bytes.Index(text, []byte(`"page":`)) + len(`"page":`)
	body := bytes.Replace(text[at:len(text)-1], []byte(old), []byte(now), 1)
	sum := sha256.Sum256(body)
	head := `{"publication":1,"sha256":"` + hex.EncodeToString(sum[:]) + `","page":`
	return append(append([]byte(head), body...), '}')
}

// TestPageRefused: bytes of a page changed at random are refused, 100 of 100, and so is a loss that
// was changed and its checksum renewed, with the figure and a place in the file.
func TestPageRefused(t *testing.T) {
	p := published()
	p.Pieces = p.Pieces[:6]
	text := publication.Write(p)
	random := rand.New(rand.NewSource(3))
	for range 100 {
		changed := bytes.Clone(text)
		at := random.Intn(len(changed))
		for changed[at] == text[at] {
			changed[at] = byte(random.Intn(256))
		}
		if !fails(File(nil, changed, "")) {
			t.Errorf("byte %d, %q for %q, is not refused", at, changed[at], text[at])
		}
	}
	if fails(File(nil, resealed(text, "", ""), "")) {
		t.Fatal("a page that was sealed again is refused")
	}
	report := File(nil, resealed(text, `"loss":{"epsilon":"1"`, `"loss":{"epsilon":"1/2"`), "")
	first := report.Checks[0]
	if !fails(report) || !strings.HasPrefix(first.Title, "Figure ") ||
		first.Faults[0].Column < 2 || !strings.Contains(first.Faults[0].Lines[0].Text, "1/2") {
		t.Errorf("a smaller loss: %+v", first)
	}
	spaced := bytes.Replace(text, []byte(`","page":`), []byte(`", "page":`), 1)
	if !fails(File(nil, spaced, "")) {
		t.Error("a space is not refused")
	}
}

// TestSignedPage: the signature of a page, as JSON and as HTML, holds, fails with its place, or was
// not looked at, and the report says what it proves; bytes of it changed at random are refused,
// 100 of 100, even where a program takes what is left for no signature.
func TestSignedPage(t *testing.T) {
	p := published()
	p.Pieces = p.Pieces[:4]
	text := string(publication.Write(p))
	html := "<!doctype html><p>x</p>\n" + publication.AppendixStart + text +
		publication.AppendixEnd + publication.HTMLEnd
	key, value := strings.Repeat("0a", 65), strings.Repeat("0b", 64)
	random := rand.New(rand.NewSource(4))
	for name, file := range map[string]string{"JSON": text, "HTML": html} {
		signed := publication.WithSignature(file, key, value)
		body, of, at := publication.Unsigned([]byte(signed))
		if string(body) != file || of != key || signed[:at] != file[:at] {
			t.Errorf("%s: signed by %q at %d was\n%s", name, of, at, body)
		}
		if body, of, _ := publication.Unsigned([]byte(file)); of != "" || string(body) != file {
			t.Errorf("%s: a page that nobody signed is signed by %s", name, of)
		}
		for status, s := range map[Status]*Signature{Holds: {Key: key, Holds: true}, Cannot: nil,
			Fails: {Key: key}} {
			report := Signed(nil, []byte(signed), "0123", s, nil)
			at := slices.IndexFunc(report.Checks, func(c Check) bool {
				return c.Title == "It is signed"
			})
			if at < 0 || report.Checks[at].Status != status || fails(report) != (status == Fails) {
				t.Errorf("%s, %s: %+v", name, status, report.Checks)
			}
		}
		other := &Signature{Key: strings.Repeat("0c", 65), Holds: true}
		if !fails(Signed(nil, []byte(signed), "0123", other, nil)) {
			t.Errorf("%s: a signature by another key is taken", name)
		}
		twice := publication.WithSignature(signed, key, value)
		if !fails(Signed(nil, []byte(twice), "0123", &Signature{Key: key, Holds: true}, nil)) {
			t.Errorf("%s: two signatures are taken", name)
		}
		end := len(signed) - len(file) + at
		for range 100 {
			changed := []byte(signed)
			at := at + random.Intn(end-at)
			for changed[at] == signed[at] {
				changed[at] = byte(random.Intn(256))
			}
			_, of, _ := publication.Unsigned(changed)
			var s *Signature // as a program with the curve finds it
			if of != "" {
				s = &Signature{Key: of}
			}
			if !fails(Signed(nil, changed, "", s, nil)) {
				t.Errorf("%s: byte %d, %q for %q, is not refused", name, at, changed[at],
					signed[at])
			}
		}
	}
}

// TestGuaranteeCannotBe: a total below one of its parts, above their sum or of nothing does not
// hold, nor one of a plan that is below a question of it. The page's own does.
func TestGuaranteeCannotBe(t *testing.T) {
	page := published()
	loss := func(epsilon *big.Rat) privacy.Loss {
		l, err := privacy.NewLoss(epsilon, big.NewRat(1, 1_000_000))
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	honest, err := page.Total()
	if err != nil {
		t.Fatal(err)
	}
	sum, _ := honest.Loss.Epsilon()
	of := []privacy.Planned{{Loss: loss(big.NewRat(100, 1))}, {Loss: loss(big.NewRat(1, 1))}}
	plan := func(epsilon *big.Rat) publication.Total {
		return publication.Total{Loss: loss(epsilon),
			Parts: []publication.Part{{Loss: loss(epsilon), Of: of}}}
	}
	of[0].Loss, _ = privacy.NewLoss(big.NewRat(100, 1), nil)
	of[1].Loss, _ = privacy.NewLoss(big.NewRat(1, 1), nil)
	planted := func(epsilon *big.Rat) publication.Total {
		changed := honest
		changed.Loss = loss(epsilon)
		return changed
	}
	for name, c := range map[string]struct {
		total publication.Total
		holds bool
	}{
		"as it is":               {honest, true},
		"nothing":                {planted(new(big.Rat)), false},
		"below a part":           {planted(big.NewRat(1, 1000)), false},
		"above the sum":          {planted(new(big.Rat).Add(sum, big.NewRat(1, 10))), false},
		"a plan":                 {plan(big.NewRat(101, 1)), true},
		"a plan of nothing":      {plan(new(big.Rat)), false},
		"a plan below one of it": {plan(big.NewRat(99, 1)), false},
		"a plan above its sum":   {plan(big.NewRat(102, 1)), false},
	} {
		v := &verifier{text: []byte(`{"page":{}}`)}
		v.tree, _ = scanAt(v.text, 0, len(v.text))
		v.addsUp(Check{Title: "The guarantee adds up", Status: Holds}, c.total, nil)
		if last := v.report.Checks[0]; (last.Status == Holds) != c.holds ||
			(v.report.Loss != "") != c.holds {
			t.Errorf("%s: %+v", name, last)
		}
	}
}
