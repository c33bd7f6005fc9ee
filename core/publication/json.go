package publication

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/task"
)

// Version is the version of the format that Write writes.
const Version = 1

// file is a page as a file, or as the appendix of an HTML page.
type file struct {
	Publication int    `json:"publication"` // the version of the format
	SHA256      string `json:"sha256"`      // of page, without the white space between its parts
	Page        any    `json:"page"`
}

// Write returns the page as JSON, which Read reads. The same page gives the same bytes; they
// contain no "<", ">" or "&", so they can be put into HTML.
func Write(p Page) []byte {
	text, err := json.Marshal(file{Version, Digest(p), p})
	if err != nil {
		panic("publication: internal error: " + err.Error())
	}
	return text
}

// Digest returns the SHA-256 of a page as hexadecimal digits. It has no key: it shows that a copy
// is the same page, and nothing about who wrote it.
func Digest(p Page) string {
	text, err := json.Marshal(p)
	if err != nil {
		panic("publication: internal error: " + err.Error())
	}
	return digest(text)
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Fingerprint returns the start of a page's digest in the form that people read: "5be2 c410 9a7e
// 03d1".
func Fingerprint(p Page) string {
	d := Digest(p)
	return d[:4] + " " + d[4:8] + " " + d[8:12] + " " + d[12:16]
}

// Read reads what Write writes. *param.Error (file, version, sha256, page) refuses everything else:
// a page with another digest, with anything that Hush does not know, or that cannot be a page of
// figures. Whether its numbers were released, and what they promise, is not checked here: see
// Page.Total.
func Read(text []byte) (Page, error) {
	var body json.RawMessage
	f := file{Page: &body}
	if err := strictly(text, &f); err != nil {
		return Page{}, ask.Refuse("file", err.Error(), phrase.Of("a publication of Hush"))
	}
	if f.Publication != Version {
		return Page{}, ask.Refuse("version", strconv.Itoa(f.Publication), phrase.Of("%d", Version))
	}
	var plain bytes.Buffer
	if err := json.Compact(&plain, body); err != nil {
		return Page{}, ask.Refuse("page", err.Error(), phrase.Of("JSON"))
	}
	if sum := digest(plain.Bytes()); sum != f.SHA256 {
		return Page{}, ask.Refuse("sha256", f.SHA256, phrase.Of("%s: the page was changed", sum))
	}
	var p Page
	if err := json.Unmarshal(body, &p); err != nil {
		return Page{}, ask.Refuse("page", err.Error(), phrase.Of("a page of figures"))
	}
	if name := p.unread(body); name != "" {
		return Page{}, ask.Refuse("page", strconv.Quote(name),
			phrase.Of("only fields that this version of Hush knows"))
	}
	if err := p.check(); err != nil {
		return Page{}, err
	}
	return p, nil
}

// strictly reads an object that has only the fields of into, and nothing after it.
func strictly(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return phrase.Errorf("text after its end")
	}
	return nil
}

// unread returns the name of a field of a page's JSON that was not read; empty if all of it was.
// Answers have decoders of their own, so the page is written again and searched for each field.
func (p Page) unread(text []byte) string {
	var was, is any
	again, err := json.Marshal(p)
	if err != nil || json.Unmarshal(again, &is) != nil || json.Unmarshal(text, &was) != nil {
		return "page"
	}
	return missing(was, is, "page")
}

// missing returns the name of a field of one value that another value lacks, or of a list that has
// another length there. A field that is empty need not be there.
func missing(was, is any, name string) string {
	switch was := was.(type) {
	case map[string]any:
		fields, _ := is.(map[string]any)
		for key, value := range was {
			kept, known := fields[key]
			if !known && !empty(value) {
				return name + "." + key
			}
			if inside := missing(value, kept, name+"."+key); inside != "" {
				return inside
			}
		}
	case []any:
		list, _ := is.([]any)
		if len(list) != len(was) {
			return name
		}
		for i := range was {
			if inside := missing(was[i], list[i], fmt.Sprintf("%s[%d]", name, i)); inside != "" {
				return inside
			}
		}
	}
	return ""
}

// empty reports whether a missing field stands for this value.
func empty(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	case string:
		return v == ""
	case float64:
		return v == 0
	case bool:
		return !v
	}
	return true
}

// The appendix of an HTML page: a data block, which no browser runs.
const (
	AppendixStart = `<script type="application/json" id="hush-publication">`
	AppendixEnd   = `</script>`
)

// FromHTML reads the appendix of an HTML page that Hush wrote. *param.Error (file) where there is
// none or more than one, and the errors of Read.
func FromHTML(page []byte) (Page, error) {
	_, after, found := bytes.Cut(page, []byte(AppendixStart))
	text, rest, ends := bytes.Cut(after, []byte(AppendixEnd))
	if !found || !ends || bytes.Contains(rest, []byte(AppendixStart)) {
		return Page{}, ask.Refuse("file", phrase.Of("without the appendix of a publication"),
			phrase.Of("an HTML page that Hush wrote"))
	}
	return Read(text)
}

// plainPage and plainFigure are a page and a figure that travel field by field.
type plainPage Page

type plainFigure Figure

// MarshalJSON writes a release once, with its first figure; later figures refer to that one.
func (p Page) MarshalJSON() ([]byte, error) {
	plain, number := plainPage(p), 0
	first := map[*task.Release]int{}
	plain.Pieces = make([]Piece, len(p.Pieces))
	for i, piece := range p.Pieces {
		if piece.Figure != nil {
			number++
			figure := *piece.Figure
			figure.again = first[figure.Release]
			if figure.again == 0 && figure.Release != nil {
				first[figure.Release] = number
			}
			piece.Figure = &figure
		}
		plain.Pieces[i] = piece
	}
	return json.Marshal(plain)
}

// UnmarshalJSON reads it.
func (p *Page) UnmarshalJSON(text []byte) error {
	var plain plainPage
	if err := strictly(text, &plain); err != nil {
		return err
	}
	read := Page(plain)
	figures := read.Figures()
	for i, figure := range figures {
		if again := figure.again; again < 0 || again > i ||
			again > 0 && (figure.Release != nil || figures[again-1].again > 0) {
			return phrase.Errorf("publication: figure %d shows figure %d again", i+1, again)
		} else if again > 0 {
			figure.Release = figures[again-1].Release
		}
	}
	for _, figure := range figures {
		figure.again = 0
	}
	*p = read
	return nil
}

// figureJSON is a figure in its JSON form.
type figureJSON struct {
	plainFigure
	Again int `json:"again,omitempty"`
}

// MarshalJSON writes a figure of a page.
func (f Figure) MarshalJSON() ([]byte, error) {
	if f.again > 0 {
		f.Release = nil
	}
	return json.Marshal(figureJSON{plainFigure(f), f.again})
}

// UnmarshalJSON reads it.
func (f *Figure) UnmarshalJSON(text []byte) error {
	var read figureJSON
	if err := strictly(text, &read); err != nil {
		return err
	}
	*f = Figure(read.plainFigure)
	f.again = read.Again
	return nil
}
