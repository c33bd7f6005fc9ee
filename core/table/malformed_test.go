package table

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"hush/core/internal/audittest"
)

// malformed is one case of testdata/malformed.txt:
//
//	== name
//	options: {"trim": true}            as JSON, if any
//	file: "a,b\n" 3*"1,2\n"            Go strings, joined
//	pack: gzip | utf-16le | utf-16be   if any
//	cut: 7                             bytes left out at the end, if any
//	encode: [{"column": 1, …}]         the columns to encode, as JSON, if any
//	> what the survey and the encoding say, line by line
type malformed struct {
	name  string
	input []string // the lines in front of the result
	want  []string
}

func readMalformed(t *testing.T) (head []string, cases []malformed) {
	t.Helper()
	text, err := os.ReadFile("testdata/malformed.txt")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "== "):
			cases = append(cases, malformed{name: line[3:]})
		case len(cases) == 0:
			head = append(head, line)
		case strings.HasPrefix(line, "> "):
			cases[len(cases)-1].want = append(cases[len(cases)-1].want, line[2:])
		case line != "":
			if len(cases[len(cases)-1].want) > 0 {
				t.Fatalf("line %d: input after the result", i+1)
			}
			cases[len(cases)-1].input = append(cases[len(cases)-1].input, line)
		}
	}
	return head, cases
}

func TestMalformed(t *testing.T) {
	head, cases := readMalformed(t)
	if len(cases) < 100 {
		t.Errorf("%d cases, want at least 100", len(cases))
	}
	seen := map[string]bool{}
	for i := range cases {
		c := &cases[i]
		if seen[c.name] {
			t.Errorf("two cases have the name %q", c.name)
		}
		seen[c.name] = true
		t.Run(c.name, func(t *testing.T) {
			got := c.run(t, 1<<30)
			if *audittest.Update {
				c.want = got
				return
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			for _, size := range []int{1, 2, 3, 7, 64, 1000} { // the same in other chunks
				if again := c.run(t, size); strings.Join(again, "\n") != strings.Join(got, "\n") {
					t.Fatalf("in chunks of %d bytes\n%s\nwant\n%s", size, strings.Join(again, "\n"),
						strings.Join(got, "\n"))
				}
			}
		})
	}
	if !*audittest.Update {
		return
	}
	out := strings.Join(head, "\n")
	for _, c := range cases {
		out += "\n== " + c.name + "\n" + strings.Join(c.input, "\n") + "\n> " +
			strings.Join(c.want, "\n> ") + "\n"
	}
	if err := os.WriteFile("testdata/malformed.txt", []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// run reads the case's file in chunks of the size and says what was found. Small files in single
// bytes are enough: long ones in tiny chunks are skipped.
func (c *malformed) run(t *testing.T, size int) []string {
	t.Helper()
	var o Options
	var file []byte
	var wanted []Wanted
	cut := 0
	pack := ""
	for _, line := range c.input {
		key, value, _ := strings.Cut(line, ": ")
		var err error
		switch key {
		case "options":
			err = json.Unmarshal([]byte(value), &o)
		case "encode":
			err = json.Unmarshal([]byte(value), &wanted)
		case "cut":
			cut, err = strconv.Atoi(value)
		case "pack":
			pack = value
		case "file":
			file, err = joined(value)
		default:
			err = fmt.Errorf("unknown key")
		}
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	file = packed(t, file, pack)
	file = file[:len(file)-cut]
	if len(file)/size > 5000 {
		size = len(file) / 50
	}
	s, err := NewSurvey(o)
	if err != nil {
		return []string{"refused: " + err.Error()}
	}
	out := []string{}
	if err := inPieces(s, file, size); err != nil {
		out = append(out, "error: "+err.Error())
	}
	sum := s.Result()
	out = append(out, shape(sum))
	out = append(out, told(sum.Problems)...)
	if len(wanted) == 0 || s.failed != nil {
		return out
	}
	e, err := NewEncode(EncodeParams{Options: sum.Options, Columns: wanted, Rows: sum.Rows})
	if err != nil {
		return append(out, "refused: "+err.Error())
	}
	if err := inPieces(e, file, size); err != nil {
		return append(out, "error: "+err.Error())
	}
	if e.Result().N != sum.Rows {
		t.Fatalf("%d rows encoded of %d", e.Result().N, sum.Rows)
	}
	for k, w := range wanted {
		out = append(out, fmt.Sprintf("column %d: %s", w.Column, show(e.Result(), k)))
	}
	return append(out, told(e.Result().Problems)...)
}

func inPieces(p Pass, file []byte, size int) (err error) {
	for i := 0; i < len(file) && err == nil; i += size {
		err = p.Write(file[i:min(i+size, len(file))])
	}
	if e := p.Close(); err == nil {
		err = e
	}
	return err
}

// joined evaluates "abc" 3*"def".
func joined(list string) ([]byte, error) {
	var out []byte
	for list = strings.TrimSpace(list); list != ""; list = strings.TrimSpace(list) {
		times := 1
		if count, rest, ok := strings.Cut(list, "*"); ok && !strings.Contains(count, `"`) {
			n, err := strconv.Atoi(count)
			if err != nil {
				return nil, err
			}
			times, list = n, rest
		}
		quoted, err := strconv.QuotedPrefix(list)
		if err != nil {
			return nil, err
		}
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		out = append(out, bytes.Repeat([]byte(text), times)...)
		list = list[len(quoted):]
	}
	return out, nil
}

func packed(t *testing.T, file []byte, how string) []byte {
	t.Helper()
	switch how {
	case "":
		return file
	case "gzip":
		return gzippedAt(t, gzip.NoCompression, string(file))
	case "utf-16le", "utf-16be":
		var out []byte
		for _, u := range utf16.Encode([]rune(string(file))) {
			if how == "utf-16le" {
				out = append(out, byte(u), byte(u>>8))
			} else {
				out = append(out, byte(u>>8), byte(u))
			}
		}
		return out
	}
	t.Fatalf("unknown packing %q", how)
	return nil
}

// shape says in one line how the file was read.
func shape(s *Summary) string {
	names := []string{}
	for _, f := range s.Fields {
		names = append(names, f.Name)
	}
	o := s.Options
	out := fmt.Sprintf("%d rows of %d columns by %q, %s, header %s %q", s.Rows, o.Columns,
		o.Delimiter, o.Encoding, o.Header, names)
	if len(names) > 9 {
		out = fmt.Sprintf("%d rows of %d columns by %q, %s, header %s", s.Rows, o.Columns,
			o.Delimiter, o.Encoding, o.Header)
	}
	if o.Compression == Gzip {
		out += ", gzip"
	}
	if o.Newline == Any {
		out += ", newline any"
	}
	return out
}

// told writes problems as lines.
func told(list []Problem) []string {
	out := []string{}
	for _, p := range list {
		places := []string{}
		for _, at := range p.Places[:min(3, len(p.Places))] {
			place := fmt.Sprintf("%d/%d/%d/%d", at.Row, at.Line, at.Column, at.Byte)
			if at.Cell != "" {
				place += fmt.Sprintf(" %q", at.Cell[:min(40, len(at.Cell))])
			}
			places = append(places, place)
		}
		out = append(out,
			fmt.Sprintf("%s ×%d at %s: %s", p.Kind, p.Count, strings.Join(places, ", "),
				p.Text), "  "+p.Advice.String())
		if r := p.Repair; r != nil {
			out = append(out, fmt.Sprintf("  %s: %s = %q", r.Label, r.Field, r.Value))
		}
	}
	return out
}
