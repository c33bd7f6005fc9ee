package doctest

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// widest is how many columns a line of Go has at most, a tab being four.
const widest = 100

// TestLines: lines of Go end at 100 columns. Raw strings may be longer, and what is set in a
// comment as it shall stay: tables, commands, and the output of an example.
func TestLines(t *testing.T) {
	for _, part := range []string{"core", "wasm", "web", "serve.go"} {
		err := filepath.WalkDir(filepath.Join("../../..", part),
			func(path string, _ fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, ".go") {
					return err
				}
				text, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				free := asTheyAre(text)
				for i, line := range strings.Split(string(text), "\n") {
					columns := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t")
					if columns > widest && !free[i+1] {
						t.Errorf("%s:%d has %d columns, want at most %d", path, i+1, columns,
							widest)
					}
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// asTheyAre are the lines, from 1, that nobody can break.
func asTheyAre(text []byte) map[int]bool {
	lines := map[int]bool{}
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, scanner.ScanComments)
	output := false
	for last := 0; ; {
		at, kind, word := s.Scan()
		if kind == token.EOF {
			return lines
		}
		line := file.Line(at)
		switch {
		case kind == token.STRING && word[0] == '`':
			for i := range strings.Count(word, "\n") + 1 {
				lines[line+i] = true
			}
		case kind == token.COMMENT:
			output = strings.HasPrefix(word, "// Output:") || output && line == last+1
			if output || strings.HasPrefix(word, "//\t") || strings.HasPrefix(word, "//go:") {
				lines[line] = true
			}
			last = line
		}
	}
}

// TestDocumentLines: lines that are written by hand in core end at 100 columns too, but for tables
// and code, and for ten more where the next word would begin a line as a list does.
func TestDocumentLines(t *testing.T) {
	for _, place := range documents(t) {
		text, err := os.ReadFile(place)
		if err != nil {
			t.Fatal(err)
		}
		if generated.Match(text[:min(len(text), 1500)]) {
			continue
		}
		code := false
		for i, line := range strings.Split(string(text), "\n") {
			code = code != strings.HasPrefix(strings.TrimSpace(line), "```")
			if n := utf8.RuneCountInString(line); n > widest+10 && !code &&
				!strings.HasPrefix(strings.TrimSpace(line), "|") &&
				!strings.HasPrefix(line, "    ") && strings.Contains(line[60:], " ") {
				t.Errorf("%s:%d has %d columns, want at most %d", place, i+1, n, widest+10)
			}
		}
	}
}

// generated is what a file says that a test or a benchmark writes.
var generated = regexp.MustCompile(`(?i)made by|do not edit|written by`)

// documents are the Markdown files of core.
func documents(t *testing.T) (list []string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, "core"),
		func(at string, _ fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(at, ".md") {
				list = append(list, at)
			}
			return err
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 50 {
		t.Fatalf("%d documents only", len(list))
	}
	return list
}
