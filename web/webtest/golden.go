// Package webtest holds what the tests of web share: golden files, an engine that answers on the
// spot, a language of brackets.
package webtest

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Update is set where the golden files are to be rewritten.
var Update = flag.Bool("update", false, "write the golden files anew")

// Indent formats JSON for reading: a value that fits in a line stands in one.
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

// Golden compares with testdata/name, or writes it with -update; the diff is the review.
func Golden(t *testing.T, name, got string) {
	t.Helper()
	path, text := filepath.Join("testdata", name), abridged(got)
	if *Update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text != string(want) {
		t.Errorf("%s has changed; look at the difference and run with -update", path)
	}
}
