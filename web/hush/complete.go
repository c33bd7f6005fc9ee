package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hush/core/phrase"
	"hush/core/table"
	"hush/core/task"
	"hush/core/warehouse"
)

// Shells ask for completions while a command line is typed: hush complete NUMBER WORD… lists what
// the word with that number, from 0, may become, one per line. It fails silently, since a shell
// shows whatever it writes. It reads a file's header row, and no byte beyond it.

// complete answers a shell.
func complete(ctx context.Context, args []string, out io.Writer) int {
	if len(args) == 0 {
		return exitUsage
	}
	at, err := strconv.Atoi(args[0])
	if err != nil || at < 1 || len(args) < 2 {
		return exitDone
	}
	words := args[1:]
	for len(words) <= at {
		words = append(words, "")
	}
	for _, c := range commands {
		if c.name == words[0] {
			for _, word := range c.completions(ctx, words[1:], at-1) {
				fmt.Fprintln(out, word)
			}
		}
	}
	return exitDone
}

// completions lists what the word at a position may become; if there are none, the shell completes
// on its own.
func (c *command) completions(ctx context.Context, words []string, at int) (list []string) {
	flags, known := map[string]*flag.Flag{}, unquoted(words[at])
	for _, f := range c.options() {
		flags[f.Name] = f
	}
	var plain []string // the other words that belong to no flag
	of, place := "", 0 // the flag whose value it is, or else its position among the plain words
	for i := 0; i < len(words); i++ {
		f := flags[strings.TrimLeft(words[i], "-")]
		switch {
		case i == at:
			place = len(plain)
		case !strings.HasPrefix(words[i], "-"):
			plain = append(plain, words[i])
		case f != nil && !isSwitch(f):
			if i++; i < len(words) && words[i] == "=" { // bash splits -by=sex
				i++
			}
			if i == at {
				of = f.Name
			}
		}
	}
	before := "" // the part of the word that stays
	if name, value, ok := strings.Cut(known, "="); ok && strings.HasPrefix(known, "-") {
		of, before, known = strings.TrimLeft(name, "-"), name+"=", value
	}
	end := ""
	switch {
	case flags[of] == nil && of != "", strings.Contains(known, "="):
		return nil
	case of == "dialect":
		for _, d := range warehouse.Dialects {
			list = append(list, string(d))
		}
		return begun(list, before, known, "")
	case of == "where", of == "with":
		if role, rest, ok := strings.Cut(known, ":"); ok {
			before, known = before+role+":", rest
		}
		end = "="
	case of == "by", of == "person", of == "fold":
	case c == describeCommand && of == "" && place > 0:
		end = "="
	case c == askCommand && of == "" && place == 1 && len(taskNamed(plain[0]).Domains) > 0:
	default:
		return nil
	}
	for _, word := range slices.Backward(plain) {
		if names := columnNames(ctx, word); names != nil {
			return begun(names, before, known, end)
		}
	}
	return nil
}

// isSwitch reports whether a flag takes no value.
func isSwitch(f *flag.Flag) bool {
	of, is := f.Value.(interface{ IsBoolFlag() bool })
	return is && of.IsBoolFlag()
}

// begun returns the words that continue a beginning.
func begun(words []string, before, known, end string) (list []string) {
	for _, word := range words {
		if strings.HasPrefix(word, known) {
			list = append(list, before+word+end)
		}
	}
	return list
}

// unquoted returns a word as the shell would pass it to a program, as far as it is typed.
func unquoted(word string) string {
	var b strings.Builder
	quote := rune(0)
	for escaped, rest := false, []rune(word); len(rest) > 0; rest = rest[1:] {
		c := rest[0]
		switch {
		case escaped:
			b.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped = true
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// columnNames returns the names in the header of a file named by a word, each that belongs to a
// single column, or nil if it is not a text file with a header.
func columnNames(ctx context.Context, word string) (names []string) {
	raw, err := os.Open(word)
	if err != nil {
		word = unquoted(word)
		if rest, home := strings.CutPrefix(word, "~/"); home {
			own, _ := os.UserHomeDir()
			word = filepath.Join(own, rest)
		}
		raw, err = os.Open(word)
	}
	if err != nil || task.Known(word) {
		return nil
	}
	defer raw.Close()
	if info, err := raw.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil // reading a pipe would consume its contents
	}
	row, err := headerRow(raw)
	if err != nil {
		return nil
	}
	h := newHost(&call{ctx: ctx, err: io.Discard})
	h.file = &file{held: row, size: int64(len(row)), options: table.Options{Header: table.Yes}}
	if err := h.survey(""); err != nil {
		return nil
	}
	seen := map[string]int{}
	for _, f := range h.opened.Fields {
		if strings.ContainsFunc(f.Name, unicode.IsDigit) &&
			!strings.ContainsFunc(f.Name, unicode.IsLetter) {
			return nil // a number or a day: the row is not a header
		}
		seen[f.Name]++
	}
	for _, f := range h.opened.Fields {
		if f.Name != "" && seen[f.Name] == 1 && f.Name[0] != '-' &&
			phrase.Visible(f.Name) == f.Name {
			names = append(names, f.Name)
		}
	}
	return names
}

// mostHeader is the largest length of a header, in bytes.
const mostHeader = 64 << 10

var errNoHeader = errors.New("it begins with no header row")

// headerRow reads the first row of a text file, byte by byte, and nothing beyond it. It refuses
// other kinds of file, and a name that continues on the next line: more would have to be read.
func headerRow(r io.Reader) (row []byte, err error) {
	width, start := 1, 0 // bytes in a character, and where the line begins
	for piece := make([]byte, 2); len(row) < mostHeader; {
		n, err := io.ReadFull(r, piece[:width])
		row = append(row, piece[:n]...)
		if err == io.EOF && len(row) > 0 {
			return row, nil
		} else if err != nil {
			return nil, err
		}
		if mark := string(row); mark == "\xff\xfe" || mark == "\xfe\xff" { // UTF-16
			width = 2
			continue
		}
		for _, magic := range []string{"PK\x03\x04", "PAR1", "\x1f\x8b", "\x28\xb5\x2f\xfd", "{",
			"["} {
			if string(row) == magic {
				return nil, errNoHeader
			}
		}
		if width == 1 && piece[0] == 0 {
			return nil, errNoHeader
		}
		if end := string(bytes.Trim(piece[:width], "\x00")); end != "\n" && end != "\r" {
			continue
		}
		line := bytes.TrimSpace(bytes.ReplaceAll(row[start:], []byte("\x00"), nil))
		switch {
		case opensQuote(line):
			return nil, errNoHeader
		case len(line) > 0 && !bytes.HasPrefix(line, []byte("sep=")):
			return row, nil
		}
		start = len(row)
	}
	return nil, errNoHeader
}

// opensQuote reports whether a quoted name has not ended yet.
func opensQuote(row []byte) (open bool) {
	before := byte(',')
	for _, c := range row {
		if c == '"' && (open || strings.IndexByte(",;\t|\n", before) >= 0) {
			open = !open
		} else if c == '"' && before == '"' {
			open = true // a quote in a quoted name
		}
		before = c
	}
	return open
}
