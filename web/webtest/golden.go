// Package webtest is what the tests of web share: golden files, an engine that answers on the spot,
// a language of brackets.
package webtest

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Update is set where the golden files are to be written anew.
var Update = flag.Bool("update", false, "write the golden files anew")

// Indent writes JSON for reading: what has room in a line stands in one.
func Indent(t *testing.T, body json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return fold(string(text), " ")
}

// InOrder sorts each tag's attributes, which go-app keeps in a map.
func InOrder(html string) string {
	return tag.ReplaceAllStringFunc(html, func(t string) string {
		list := attribute.FindAllString(t, -1)
		if len(list) < 2 {
			return t
		}
		start, end := attribute.FindStringIndex(t)[0],
			strings.LastIndex(t, list[len(list)-1])+len(list[len(list)-1])
		slices.Sort(list)
		return t[:start] + strings.Join(list, "") + t[end:]
	})
}

var (
	tag       = regexp.MustCompile(`<[a-z][^<>]*>`)
	attribute = regexp.MustCompile(` [a-zA-Z0-9-]+(="[^"]*")?`)
)

// Most is how many bytes a golden file has at most, so that a reviewer opens and reads it. What has
// more stands in several: name.html, name.2.html and so on.
const Most = 50_000

// Golden compares with testdata/name, or writes it with -update; the diff is the review.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	all := pieces(abridged(got))
	if *Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i, piece := range all {
		path := numbered(path, i+1)
		if *Update {
			if err := os.WriteFile(path, []byte(piece), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if piece != string(want) {
			t.Errorf("%s has changed; look at the difference and run with -update", path)
		}
	}
	for n := len(all) + 1; ; n++ {
		path := numbered(path, n)
		if _, err := os.Stat(path); err != nil {
			return
		}
		if !*Update {
			t.Errorf("%s is no part of it any more; run with -update", path)
			continue
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// Whole is the name of the golden that a file is a part of: both without directory or ending.
func Whole(file string) string { return part.ReplaceAllString(file, "") }

var part = regexp.MustCompile(`\.[0-9]+$`)

// numbered is the path of a golden's part, from 1.
func numbered(path string, n int) string {
	if n == 1 {
		return path
	}
	ending := filepath.Ext(path)
	return fmt.Sprintf("%s.%d%s", strings.TrimSuffix(path, ending), n, ending)
}

// pieces cuts a text where a line begins that is indented least, so that none has more than Most
// bytes, and each but the last more than half of them.
func pieces(text string) (all []string) {
	for len(text) > Most {
		cut, least := Most, math.MaxInt
		for at := Most / 2; at < Most; {
			next := at + strings.IndexByte(text[at:], '\n') + 1
			if next <= at || next > Most {
				break
			}
			line, _, _ := strings.Cut(text[next:], "\n")
			if in := indentOf(line); in <= least {
				cut, least = next, in
			}
			at = next
		}
		all, text = append(all, text[:cut]), text[cut:]
	}
	return append(all, text)
}
