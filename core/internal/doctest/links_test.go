package doctest

import (
	"go/doc/comment"
	"regexp"
	"strings"
	"testing"
)

// bracketed is what a reader would take for a link, left over where go doc makes none of it.
var bracketed = regexp.MustCompile(`(?:^|[^\pL\pN)\]])\[(\*?(?:[a-z]+\.)?[A-Z]\w*(?:\.\w+)?)\]`)

// TestLinks finds [Name] in the doc comments of core where no such name is.
func TestLinks(t *testing.T) {
	all, symbols, links := sources(t), map[string]map[string]bool{}, 0
	for _, s := range all {
		symbols[s.doc.ImportPath] = s.symbols()
	}
	for _, s := range all {
		for _, d := range s.exported() {
			for _, block := range s.doc.Parser().Parse(d.text).Content {
				paragraph, ok := block.(*comment.Paragraph)
				if !ok {
					continue
				}
				for _, part := range paragraph.Text {
					link, ok := part.(*comment.DocLink)
					if !ok {
						continue
					}
					links++
					name := strings.TrimPrefix(link.Recv+"."+link.Name, ".")
					from := link.ImportPath
					if from == "" {
						from = s.doc.ImportPath
					}
					if names, ours := symbols[from]; ours && name != "" && !names[name] {
						t.Errorf("%s: %s links to %s of %s, which does not exist", s.dir, d.name,
							name, from)
					}
				}
				for _, match := range bracketed.FindAllStringSubmatch(plain(paragraph.Text), -1) {
					t.Errorf("%s: %s has [%s], which go doc makes no link of", s.dir, d.name,
						match[1])
				}
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links found", links)
	}
}
