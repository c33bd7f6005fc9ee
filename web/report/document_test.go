package report

import (
	"encoding/xml"
	"html"
	"io"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"hush/core/publication"
	"hush/web/webtest/clinicpage"
)

// clinicPages are a page of eight figures below headings, of one without any, and of hostile texts.
func clinicPages(t *testing.T) map[string]Report {
	all := clinicpage.Make(t)
	one := publication.Page{Title: "One", Pieces: []publication.Piece{{Figure: all.Figures()[0]}}}
	headed := all
	headed.Publisher = "Office & Sons"
	headed.Pieces = append([]publication.Piece{{Text: "first"}, {Heading: "Ages"}}, all.Pieces...)
	hostileRow := "=1+1\x00\x0b\ufffe]]>" + hostile
	nasty := hostilePage(t)
	nasty.Pictures = nil
	nasty.Page.Pieces[2].Figure.Release.Statement = hostileRow
	return map[string]Report{"eight": {Page: all}, "one": {Page: one}, "headed": {Page: headed},
		"hostile": nasty}
}

// TestDocumentAsThePage: the document of the command has the bytes of the page's without pictures.
func TestDocumentAsThePage(t *testing.T) {
	for name, r := range clinicPages(t) {
		want := madeBy(t, "docx", r)
		if got := r.Content(true).Document(); !reflect.DeepEqual(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i].Text != want[i].Text && got[i].Name == want[i].Name {
					at := 0
					for at < min(len(got[i].Text), len(want[i].Text)) &&
						got[i].Text[at] == want[i].Text[at] {
						at++
					}
					t.Errorf("%s: %s differs:\n%.90q\n%.90q", name, got[i].Name,
						got[i].Text[max(0, at-20):], want[i].Text[max(0, at-20):])
				}
			}
			t.Errorf("%s: %d parts, want %d", name, len(got), len(want))
		}
	}
}

// textOf is what a part says, paragraph by paragraph.
func textOf(t *testing.T, part string) (paragraphs []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(part))
	text := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			return paragraphs
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			text += strings.ReplaceAll(string(token), "\n", " ")
		case xml.EndElement:
			if token.Name.Local == "p" {
				paragraphs, text = append(paragraphs, strings.TrimSpace(text)), ""
			}
		}
	}
}

var (
	element = regexp.MustCompile(`(?s)<(h1|h2|h3|p|td|th|dt|dd|li|figcaption)\b[^>]*>(.*?)</`)
	inline  = regexp.MustCompile(`</?(b|span)\b[^>]*>`)
)

// TestDocumentSaysAll: each sentence and each cell that the page of HTML shows stands in the
// document, but for how that page is checked; headers of tables and the title are marked.
func TestDocumentSaysAll(t *testing.T) {
	for name, r := range clinicPages(t) {
		if name == "hostile" {
			continue // what XML has not is told apart in another way than by HTML
		}
		parts := r.Content(false).Document()
		said := textOf(t, named(t, parts, "word/document.xml").Text)
		all := "\n" + strings.Join(said, "\n") + "\n"
		page, _, _ := strings.Cut(r.HTML(), publication.AppendixStart)
		_, page, _ = strings.Cut(inline.ReplaceAllString(page, ""), "<body>")
		count := 0
		for _, found := range element.FindAllStringSubmatch(page, -1) {
			text := strings.TrimSpace(html.UnescapeString(found[2]))
			if strings.HasPrefix(text, "Open this file in Hush") || text == "Check and use" {
				continue
			}
			count++
			if !strings.Contains(all, text) {
				t.Errorf("%s: the document does not say %q (%s)", name, text, found[1])
			}
		}
		if count < 30 {
			t.Errorf("%s: %d texts", name, count)
		}
		body := named(t, parts, "word/document.xml").Text
		heads := strings.Count(body, "<w:tblHeader/>")
		if heads != strings.Count(page, "<thead>") || heads == 0 ||
			strings.Count(body, `<w:tblLook w:firstRow="1"`) != heads {
			t.Errorf("%s: %d of %d tables have a header", name, heads,
				strings.Count(page, "<thead>"))
		}
		if strings.Index(body, `"Heading2"`) < strings.Index(body, `"Heading1"`) {
			t.Errorf("%s: a heading of the second level stands before any of the first", name)
		}
		for _, part := range []struct{ name, text string }{
			{"docProps/core.xml", "<dc:title>" + xmlText(r.Title()) + "</dc:title>"},
			{"docProps/core.xml", "<dc:language>en</dc:language>"},
			{"word/styles.xml", `<w:lang w:val="en"/>`},
		} {
			if !strings.Contains(named(t, parts, part.name).Text, part.text) {
				t.Errorf("%s: %s has no %s", name, part.name, part.text)
			}
		}
	}
}
