package report

import (
	"bytes"
	"regexp"
	"strings"

	"hush/core/publication"
	"hush/core/verify"
	"hush/web/chart/svg"
	"hush/web/say"
)

var _ verify.Rewrite = Rewrite

// Rewrite writes a saved page again from its data, with the pictures in it. It takes over pictures
// that consist of shapes and texts only, as Hush writes them; any other is missing from the result,
// which therefore differs.
func Rewrite(file []byte, page publication.Page) (again verify.Rewritten) {
	defer func() {
		if recover() != nil { // no chart can be drawn of the answer
			again = verify.Rewritten{Why: say.Text("its answers cannot be drawn.")}
		}
	}()
	shown, _, _ := bytes.Cut(file, []byte(publication.AppendixStart))
	text := string(shown)
	write := func() { again = rewritten(text, page) }
	tag, _ := say.Spoken()
	switch stated := first(languageOf, text); stated {
	case "en":
		say.InEnglish(write)
	case tag:
		write()
	default:
		again.Why = say.Text("it is in another language than this program speaks.")
	}
	return again
}

var (
	languageOf = regexp.MustCompile(`^<!doctype html>\n<html lang="([A-Za-z0-9-]*)"`)
	editionOf  = regexp.MustCompile(regexp.QuoteMeta(generator) + `([0-9a-f]{16})` +
		regexp.QuoteMeta(generatorEnd))
)

// first returns what the first group of a pattern matches, or an empty text if nothing does.
func first(pattern *regexp.Regexp, text string) string {
	if found := pattern.FindStringSubmatch(text); found != nil {
		return found[1]
	}
	return ""
}

func rewritten(text string, page publication.Page) (again verify.Rewritten) {
	r := Report{Page: page}
	head, _, _ := strings.Cut(text, "</head>")
	written := first(editionOf, head)
	again.Earlier = written != edition
	at := 0
	for i, f := range page.Figures() {
		begin := strings.Index(text[at:], "<figure ")
		if begin < 0 {
			break
		}
		at += begin + 1
		end := strings.Index(text[at:], "</figure>")
		if end < 0 {
			break
		}
		p := Picture{Wide: pictureIn(text, at, at+end, "wide", "only"),
			Narrow: pictureIn(text, at, at+end, "narrow")}
		r.Pictures = append(r.Pictures, p)
		if p.Wide == nil && p.Narrow == nil {
			again.Bare = append(again.Bare, i+1)
		}
		known := saidBy(f.Release)
		for _, picture := range []*svg.Picture{p.Wide, p.Narrow} {
			for _, strange := range known.strange(picture) {
				place := strings.Index(text[at:at+end], ">"+escaped(strange)+"<")
				again.Strange = append(again.Strange, verify.Place{Text: strange,
					At: at + max(0, place)})
			}
		}
	}
	again.HTML = r.html(written)
	return again
}

// pictureIn returns the picture with a class in a part of a page, or nil if there is none or it
// contains something that no picture of Hush has.
func pictureIn(text string, from, to int, classes ...string) *svg.Picture {
	part := text[from:to]
	for _, class := range classes {
		_, after, found := strings.Cut(part, `<div class="picture `+class)
		if !found {
			continue
		}
		_, inline, _ := strings.Cut(after, ">")
		inline, _, ends := strings.Cut(inline, "</svg></div>")
		_, rest, labelled := strings.Cut(inline, ` aria-label="`)
		_, rest, closed := strings.Cut(rest, `"`)
		if !ends || !labelled || !closed {
			return nil
		}
		picture, err := svg.New("<svg" + rest + "</svg>")
		if err != nil {
			return nil
		}
		return picture
	}
	return nil
}
