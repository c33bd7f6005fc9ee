package verify

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hush/core/message"
	"hush/core/privacy"
	"hush/core/publication"
	"hush/core/task"
)

// page checks a publication, from its JSON or from the JSON in an HTML page, which lies between two
// bytes of it.
func (v *verifier) page(from, to int, html bool) {
	say, whole := v.say, v.whole()
	v.sealed = true
	text, key, at := publication.Unsigned(v.text)
	end := ""
	if html {
		end, text = string(text[to:]), v.text[from:to]
	}
	page, err := publication.Read(text)
	anew := false
	if form := respelt(text); err != nil && !html && ofAProgram(text) {
		if page, anew = again(form); anew {
			text, err = form, nil
		}
	}
	switch {
	case err != nil:
		whole = whole.refused([]Fault{v.fault("checksum", v.tree.offset("sha256"),
			say.Format("It cannot be read as a publication: %s.", say.Error(err)),
			say.Text("A publication holds the checksum of all that is on it."),
			say.Text("It was changed after it was written. What does not fit is listed as well."))})
		var file struct {
			Page publication.Page `json:"page"`
		}
		if json.Unmarshal(text, &file) != nil || len(file.Page.Figures()) == 0 {
			v.add(whole)
			return
		}
		page = file.Page
	case !bytes.Equal(publication.Write(page), text):
		whole = whole.refused([]Fault{v.fault("", v.tree.offset(""),
			say.Text("It is not written as Hush writes it."),
			say.Text("There is nothing between two values, and fields have one order."),
			say.Text("The file was changed after it was written, and its checksum renewed."))})
	case html && end != publication.AppendixEnd+publication.HTMLEnd:
		whole = whole.refused([]Fault{v.fault("", to+len(publication.AppendixEnd),
			say.Text("The page does not end as Hush ends it."),
			say.Text("Behind its data there is nothing but a signature, if it is signed."),
			say.Text("The page or its signature was changed after it was written."))})
	case anew:
		whole.Detail = say.Text("Another program wrote it again. Written by Hush, its values " +
			"give the checksum that it states.")
	default:
		whole.Detail = say.Text("Its bytes give the checksum that it states.")
	}
	v.add(whole)
	if key != "" {
		v.signedBy(key, at)
	}
	v.report.Fingerprint = publication.Digest(page)
	v.total(page)
	v.figures(page)
	v.made(v.leafText("page.build"))
	v.words(page)
	if !html {
		return
	}
	if err != nil { // it is refused already, and what it shows follows from no page
		v.report.Shown = Cannot
		return
	}
	v.shows(page)
}

// again reads a publication that another program rewrote.
func again(form []byte) (publication.Page, bool) {
	page, err := publication.Read(form)
	return page, err == nil
}

// total computes the cost of all figures together.
func (v *verifier) total(page publication.Page) {
	say := v.say
	figures := page.Figures()
	v.report.About = say.Count(int64(len(figures)), "%d figure", "%d figures", len(figures))
	for _, text := range []string{page.Title, page.Publisher, page.Date} {
		if text != "" {
			v.report.About += ", " + text
		}
	}
	c := Check{Title: say.Text("The guarantee adds up"), Status: Holds, Class: Recomputed}
	total, err := page.Total()
	v.addsUp(c, total, err)
}

// addsUp checks a page's promise against its parts, independently of what computed it.
func (v *verifier) addsUp(c Check, total publication.Total, err error) {
	say := v.say
	if err != nil {
		v.add(c.refused([]Fault{v.fault("page", v.tree.offset("page"),
			say.Format("What it costs cannot be worked out: %s.", say.Error(err)),
			say.Text("The loss of a page is the loss of all its figures and plans together."),
			say.Text("No promise is known for the whole page."))}))
		return
	}
	v.report.Loss = say.Phrase(total.Loss)
	if impossible(total) {
		v.add(c.refused([]Fault{v.fault("page", v.tree.offset("page"),
			say.Format("All together are said to cost %s.", v.report.Loss),
			say.Text("A page costs no less than any part of it, and no more than their sum."),
			say.Text("No promise is known for the whole page."))}))
		v.report.Loss = ""
		return
	}
	var parts []string
	for _, p := range total.Parts {
		parts = append(parts, say.Phrase(p.Loss))
	}
	c.Detail = v.report.Loss + "."
	if len(parts) > 1 && len(parts) <= 12 {
		c.Detail = say.Format("%s together: %s.", v.report.Loss, strings.Join(parts, "; "))
	}
	v.add(c)
}

// impossible reports whether a total is 0, below one of its parts or above their sum, or whether
// the total of a plan is so for its questions.
func impossible(total publication.Total) bool {
	epsilon, known := total.Loss.Epsilon()
	if !known {
		return false
	}
	sum := new(big.Rat)
	for _, p := range total.Parts {
		one, has := p.Loss.Epsilon()
		if !has || one.Sign() == 0 && p.Loss.Delta().Sign() == 0 || epsilon.Cmp(one) < 0 ||
			len(p.Of) > 0 && privacy.Contradiction(p.Of, p.Loss) != nil {
			return true
		}
		sum.Add(sum, one)
	}
	return epsilon.Cmp(sum) > 0
}

// figures checks each release of a page. A check that applies to several figures appears once for
// all of them.
func (v *verifier) figures(page publication.Page) {
	say := v.say
	seen := map[*task.Release]bool{}
	var titles []string
	held := map[string][]Check{}
	number := 0
	for i, piece := range page.Pieces {
		if piece.Figure == nil {
			continue
		}
		number++
		r := piece.Figure.Release
		if r == nil || r.Answer.Result == nil || seen[r] {
			continue
		}
		seen[r] = true
		before := len(v.report.Checks)
		v.release(fmt.Sprintf("page.pieces[%d].figure.release", i), r)
		checks := slices.Clone(v.report.Checks[before:])
		v.report.Checks = v.report.Checks[:before]
		for _, c := range checks {
			if c.Status == Fails {
				c.Title = say.Format("Figure %d: %s", number, c.Title)
				v.add(c)
				continue
			}
			key := string(c.Status) + c.Title
			if held[key] == nil {
				titles = append(titles, key)
			}
			held[key] = append(held[key], c)
		}
	}
	for _, key := range titles {
		c := held[key][0]
		if n := len(held[key]); n > 1 {
			c.Detail = say.Format("Of %s figures.", message.Grouped(int64(n)))
		}
		v.add(c)
	}
}
