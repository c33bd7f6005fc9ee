package table

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/param"
)

func TestGuess(t *testing.T) {
	for _, c := range []struct{ cells, want string }{
		{"31 12 -7 0", `{"kind":"integer"} whole numbers`},
		{"31 12.5 1e3", `{"kind":"decimal"} decimal numbers`},
		{"31.0 12.0", `{"kind":"integer"} whole numbers`},
		{"31 NA 12 n/a NA -", `{"kind":"integer"} whole numbers`},
		{"00412 01234 99999", `{"kind":"category"} few different texts`},
		{"0 1 1 0", `{"kind":"integer"} whole numbers`},
		{"0.5 0.25", `{"kind":"decimal"} decimal numbers`},
		{"1,5 2,25 3", `{"kind":"decimal","mark":","} decimal numbers with a decimal comma`},
		{"1,234 22,345 999", `{"kind":"integer","group":","} whole numbers and thousands marks`},
		{"1,234.5 22,345 999",
			`{"kind":"decimal","group":","} decimal numbers and thousands marks`},
		{"1.234,5 22.345 999",
			`{"kind":"decimal","mark":",","group":"."} decimal numbers with a decimal comma and thousands marks`},
		{"1.234.567 22.345",
			`{"kind":"integer","mark":",","group":"."} whole numbers with a decimal comma and thousands marks`},
		{"0,123 0,456", `{"kind":"decimal","mark":","} decimal numbers with a decimal comma`},
		{"1'234.5 9", `{"kind":"decimal","group":"'"} decimal numbers and thousands marks`},
		{"2024-01-31 2024-02-29", `{"kind":"date"} dates`},
		{"2024-01-31T10:00 2024-02-29T23:59:59.5Z", `{"kind":"timestamp"} dates with a time`},
		{"31.1.2024 29.02.2024", `{"kind":"date","format":"DD.MM.YYYY"} dates`},
		{"1/31/2024 02/29/2024", `{"kind":"date","format":"MM/DD/YYYY"} dates`},
		{"31/1/2024 29/02/2024", `{"kind":"date","format":"DD/MM/YYYY"} dates`},
		{"1/2/2024 3/4/2024",
			`{"kind":"date","format":"MM/DD/YYYY"} dates; day and month could be the other way round`},
		{"20240131 20231231", `{"kind":"date","format":"YYYYMMDD"} dates`},
		{"20240131 20231231 99999999", `{"kind":"integer"} whole numbers`},
		{"31-Jan-2024 1-feb-2024", `{"kind":"date","format":"DD-MMM-YYYY"} dates`},
		{"f m f f", `{"kind":"category"} few different texts`},
		{"", `{"kind":"text"} no cell that was looked at has a value`},
		{"NA ? NULL", `{"kind":"text"} no cell that was looked at has a value`},
		{"12 x3 15 16", `{"kind":"category"} few different texts`},
		{strings.Repeat("12 ", 39) + "x", `{"kind":"integer"} whole numbers`},
	} {
		var s sample
		for _, cell := range strings.Fields(c.cells) {
			s.add([]byte(cell))
		}
		spec, why := s.guess()
		if got, _ := json.Marshal(spec); string(got)+" "+why.String() != c.want {
			t.Errorf("%s\n got %s %s\nwant %s", c.cells, got, why, c.want)
		}
	}
	var s sample
	for i := range 100 {
		s.add(fmt.Appendf(nil, "text %d", i))
	}
	if spec, _ := s.guess(); spec.Kind != domain.Text {
		t.Errorf("a hundred texts are a %s", spec.Kind)
	}
}

// A guess never holds what must not come from the data.
func TestGuessHoldsNoData(t *testing.T) {
	sum := survey(t, Options{}, []byte("a,b,c,d\n1,2.5,x,2024-01-01\n7,3.25,y,2024-05-05\n"))
	for _, f := range sum.Fields {
		g := f.Guess
		if g.Lo+g.Hi+g.Step != "" || g.Categories != nil || g.Missing != nil || g.Length != 0 {
			t.Errorf("column %d: %+v", f.Column, g)
		}
	}
}

// Nothing that a survey proposes depends on one cell of forty, whatever that cell holds.
func TestNoProposalFromOneCell(t *testing.T) {
	proposed := func(cell string) string {
		file := "age,height,code,note\n"
		for i := range 39 {
			file += fmt.Sprintf("%d,%d.5,9%04d,text %d\n", 20+i, 150+i, i, i)
		}
		file += strings.Repeat(cell+",", 3) + cell + "\n"
		sum := survey(t, Options{}, []byte(file))
		o := sum.Options
		text := fmt.Sprintf("%+v", o)
		for _, f := range sum.Fields {
			spec, _ := json.Marshal(f.Guess)
			text += " " + string(spec)
		}
		return text
	}
	want := proposed("41")
	for _, cell := range []string{"", "unknown", "NA", "-", "12.5", "00412", "1,5", `"1,5"`,
		"M\xfcller", "\xff", "é", "2024-01-31", "x", "-99999999999999999999", "1e300", "\x00"} {
		if cell == "1,5" {
			cell = "1 5" // a bare delimiter makes the row ragged, which is another matter
		}
		if got := proposed(cell); got != want {
			t.Errorf("a cell %q:\n got %s\nwant %s", cell, got, want)
		}
	}
}

// Each byte that is no UTF-8 is the character of Windows-1252, in its own cell only.
func TestOddBytes(t *testing.T) {
	file := []byte("name,city\nM\xfcller,K\xf6ln\nM\xc3\xbcller,Köln\n\x80,x\n")
	sum := survey(t, Options{}, file)
	if sum.Options.Encoding != UTF8 || sum.Preview[0][0] != "Müller" {
		t.Errorf("read as %s: %q", sum.Options.Encoding, sum.Preview)
	}
	got := encode(t, EncodeParams{Options: sum.Options, Columns: []Wanted{
		{1, domain.Spec{Kind: domain.Text, Length: 20}},
		{2, domain.Spec{Kind: domain.Category, Categories: []string{"Köln", "x"}}},
		{1, domain.Spec{Kind: domain.Bytes, Length: 20}},
	}, Filter: []Condition{{Column: 2, In: []string{"Köln"},
		Spec: domain.Spec{Kind: domain.Category, Categories: []string{"Köln", "x"}}}}}, file)
	for k, want := range []string{"Müller Müller -", "Köln Köln -", `"M\xfcller" Müller -`} {
		if text := show(got, k); text != want {
			t.Errorf("wanted column %d: %s, want %s", k, text, want)
		}
	}
}

func TestOptionsWith(t *testing.T) {
	o := plainCSV(3)
	for field, value := range map[string]string{"encoding": UTF16LE, "delimiter": ";", "header": No,
		"compression": Gzip, "newline": Any,
		"quotes": Backslash, "ragged": Keep, "blank": RowBlank, "columns": "4", "skip": "2",
		"maxFieldLines": "9", "maxFieldBytes": "8",
		"maxRowBytes": "7", "trim": "true"} {
		changed, err := o.With(field, value)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(changed)
		if !strings.Contains(string(text), fmt.Sprintf("%q:%q", field, value)) &&
			!strings.Contains(string(text), fmt.Sprintf("%q:%s", field, value)) {
			t.Errorf("%s = %s gives %s", field, value, text)
		}
	}
	for _, c := range [][2]string{{"nothing", "x"}, {"header", "maybe"}, {"skip", "x"},
		{"columns", "-1"}, {"trim", "yes"}, {"delimiter", ""}} {
		var refused *param.Error
		if _, err := o.With(c[0], c[1]); !errors.As(err, &refused) && c[0] != "delimiter" {
			t.Errorf("%s = %s: %v", c[0], c[1], err)
		}
	}
}

// Every repair of a survey is one that Options.With takes.
func TestRepairsAreOptions(t *testing.T) {
	_, cases := readMalformed(t)
	repairs := 0
	for _, c := range cases {
		for _, line := range c.want {
			if !strings.HasPrefix(line, "  ") || !strings.Contains(line, ` = "`) {
				continue
			}
			label, value, _ := strings.Cut(line, ` = "`)
			field := label[strings.LastIndex(label, " ")+1:]
			if field == "missing" || field == "mark" || field == "group" || field == "between" {
				continue // of a column's Spec
			}
			if _, err := plainCSV(2).With(field, strings.TrimSuffix(value, `"`)); err != nil {
				t.Errorf("%s: %s: %v", c.name, line, err)
			}
			repairs++
		}
	}
	if repairs < 50 {
		t.Errorf("only %d repairs", repairs)
	}
}
