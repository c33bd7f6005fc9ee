package codebook

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/table"
)

// TestFile compares what is written with a file that was read by a person.
func TestFile(t *testing.T) {
	b := books(t)
	text, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/books.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != string(want) {
		t.Errorf("got\n%s", text)
	}
	read, err := Decode(want)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range b.Columns() {
		c.Guess = Guess{} // is not written
		if got := read.Columns()[i]; !reflect.DeepEqual(got, c) {
			t.Errorf("column %d: %+v, want %+v", c.Number, got, c)
		}
	}
	if read.Name != b.Name || read.Noun != b.Noun || read.Table != b.Table || read.Rows != b.Rows {
		t.Errorf("%+v", read)
	}
	var message struct{ Book Codebook }
	if err := json.Unmarshal([]byte(`{"Book":`+string(want)+`}`), &message); err != nil ||
		!reflect.DeepEqual(message.Book, read) {
		t.Errorf("inside other JSON: %+v %v", message.Book, err)
	}
}

// TestFoldedFile: labels, spellings and that case and spaces do not count come back as written.
func TestFoldedFile(t *testing.T) {
	const file = `{"version":1,"columns":[{"number":1,"values":{"kind":"category",` +
		`"categories":["married","single"],"spellings":[{"cell":"1","as":"married"}],"fold":true}}]}`
	b, err := Decode([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := b.MarshalJSON(); err != nil || string(text) != file {
		t.Errorf("%s, %v", text, err)
	}
	c, _ := b.Column(1)
	if spec := c.Unspelled().Values().Spec; spec.Spelled() {
		t.Errorf("without spellings it is %+v", spec)
	}
	twice := strings.Replace(file, "single", "Married", 1)
	number := strings.Replace(file, `"fold":true`, `"fold":1`, 1)
	const of = `{"version":1,"columns":[{"number":1,"values":{`
	for text, want := range map[string]string{
		twice: "another category than", number: "true or false", of + `"fold":true}}]}`: "fold",
		of + `"kind":"text","length":9,"fold":true}}]}`: "values of this kind have none",
	} {
		if _, err := Decode([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	column := func(rest string) string {
		return `{"version":1,"columns":[{"number":1},{"number":7,` + rest + `}]}`
	}
	values := func(rest string) string { return column(`"values":{` + rest + `}`) }
	for _, c := range []struct{ text, want string }{
		{``,
			`codebook: file is no JSON at byte 0, want JSON as Hush writes it`},
		{`{"version":1`,
			`file is no JSON at byte 12`},
		{`[]`,
			`file is a JSON array, want fields in curly brackets`},
		{`null`,
			`version is missing, want 1: is this file a codebook?`},
		{`{}`,
			`version is missing, want 1`},
		{`{"version":"1"}`,
			`version is "1", want 1`},
		{`{"version":2,"x":1}`,
			`version is 2, want 1: open it with a newer Hush`},
		{`{"version":1,"data":[]}`,
			`data is there, want no field of this name`},
		{`{"version":1} {}`,
			`file is no JSON at byte 15`},
		{`{"version":1,"name":5}`,
			`name is a JSON number, want a text in quotes`},
		{`{"version":1,"name":"` + strings.Repeat("a", 201) + `"}`,
			`want one line of at most 200`},
		{`{"version":1,"source":"a\nb"}`,
			`source is "a\nb", want one line`},
		{`{"version":1,"noun":{"one":"book"}}`,
			`noun is "book", want both forms`},
		{`{"version":1,"noun":{"One":"a","many":"b","few":"c"}}`,
			`few is there`},
		{`{"version":1,"rows":{"each":"many"}}`,
			`rows.each is "many", want "one", "several"`},
		{`{"version":1,"rows":{"each":"one","use":{"rows":2}}}`,
			`rows.use is "one", want nothing`},
		{`{"version":1,"rows":{"each":"several","column":1,"use":{"rows":0}}}`,
			`rows.use.rows is 0, want 1 to 1000 rows of each person`},
		{`{"version":1,"rows":{"each":"several"}}`,
			`rows.column is 0, want a column's number`},
		{`{"version":1,"rows":{"column":3}}`,
			`rows.column is 3, want nothing`},
		{`{"version":1,"table":{"delimiter":"ab"}}`,
			`table.delimiter is "ab", want one ASCII`},
		{`{"version":1,"table":{"skip":-1}}`,
			`table.skip is -1, want 0 to 1000000`},
		{`{"version":1,"columns":{}}`,
			`columns is a JSON object, want a list`},
		{`{"version":1,"columns":[5]}`,
			`column 1: file is a JSON number`},
		{`{"version":1,"columns":[{"number":1},{}]}`,
			`column 2: number is 0, want a column's`},
		{`{"version":1,"columns":[{"number":1e9}]}`,
			`column 1: number is`},
		{`{"version":1,"columns":[{"number":3},{"number":3}]}`,
			`column 3: number is 3, want each column once`},
		{column(`"state":"guessed"`),
			`column 7: state is there, want no field`},
		{column(`"guess":{"kind":"integer"}`),
			`column 7: guess is there`},
		{column(`"unit":["kg"]`),
			`column 7: unit is a JSON array, want a text in quotes`},
		{column(`"name":"\u202etxt"`),
			`column 7: name is "\u202etxt", want one line`},
		{column(`"values":{}`),
			`column 7: values is {}, want which values are possible`},
		{values(`"lo":"0"`),
			`column 7: lo is "0", want nothing`},
		{values(`"kind":"number"`),
			`column 7: kind is "number", want one of integer`},
		{values(`"kind":"integer"`),
			`column 7: lo is "", want the smallest possible value`},
		{values(`"kind":"integer","lo":"0"`),
			`column 7: hi is "", want the largest possible value`},
		{values(`"kind":"integer","lo":0`),
			`column 7: lo is a JSON number, want a text`},
		{values(`"kind":"integer","range":"0-5"`),
			`column 7: range is there`},
		{values(`"kind":"integer","lo":"9","hi":"1"`),
			`column 7: hi is "1", want at least the smallest value, 9`},
		{values(`"kind":"integer","lo":"0","hi":"1","whole":true`),
			`column 7: whole is true, want false`},
		{values(`"kind":"decimal","lo":"0","hi":"1"`),
			`column 7: step is ""`},
		{values(`"kind":"category","whole":true`),
			`column 7: whole is true, want nothing`},
		{values(`"kind":"category","categories":["a","a"]`),
			`column 7: categories is "a", want each`},
		{values(`"kind":"category"`),
			`column 7: categories is "0", want 1 to`},
		{values(`"kind":"text","length":5,"format":"iso"`),
			`column 7: format is "iso", want nothing`},
		{values(`"kind":"date","whole":true,"format":"DD"`),
			`column 7: format is "DD", want a form`},
		{values(`"kind":"date","whole":true,"mark":","`),
			`column 7: mark is ",", want nothing`},
		{values(`"kind":"category","categories":["a"],"outside":"clamp"`),
			`column 7: outside is "clamp"`},
		{values(`"kind":"text","length":5,"missing":["` + strings.Repeat("a", 1001) + `"]`),
			`column 7: missing is`},
	} {
		b, err := Decode([]byte(c.text))
		var fault *Fault
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.90s\n got %v\nwant %s", c.text, err, c.want)
		}
		if !reflect.DeepEqual(b, Codebook{}) {
			t.Errorf("%.90s: an error and %+v", c.text, b)
		}
	}
	if _, err := Decode(bytes.Repeat([]byte(" "), maxBytes+1)); err == nil ||
		!strings.Contains(err.Error(), "a codebook holds no data") {
		t.Errorf("a large file: %v", err)
	}
}

func TestDecodeTakes(t *testing.T) {
	for _, text := range []string{
		"\xef\xbb\xbf{\"version\":1}",
		`{"version":1,"columns":[]}`,
		`{"version":1,"columns":[{"number":7},{"number":2}]}`,
		`{"version":1,"columns":[{"number":7,"values":{"kind":"integer","whole":true}}]}`,
		`{"version":1,"columns":[{"number":7,"values":{"kind":"decimal","lo":"0","whole":true,` +
			`"step":"0.1","group":" ","mark":","}}]}`,
	} {
		if _, err := Decode([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What cannot be read is not written.
func TestEncodeRefuses(t *testing.T) {
	for _, b := range []Codebook{
		{Name: "a\nb"}, {Noun: Noun{One: "x"}}, {Rows: Rows{Each: Several}},
		{Table: table.Options{Encoding: "x"}},
		{columns: []Column{{Number: 1, values: Values{Spec: domain.Spec{Kind: "x"}}}}},
	} {
		if text, err := b.Encode(); err == nil || text != nil {
			t.Errorf("%+v is written", b)
		}
	}
}

// FuzzDecode: no text makes it panic; what is read is written, and reads as the same again; and
// every described column is a domain, whose bins cover it once.
func FuzzDecode(f *testing.F) {
	books, err := os.ReadFile("testdata/books.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(books)
	f.Add([]byte(`{"version":1,"rows":{"each":"counted","column":2}}`))
	f.Add([]byte(`{"version":1,"rows":{"each":"several","column":2,"use":{"values":[` +
		`{"column":3,"of":"latest","by":{"column":4,"spec":{"kind":"date"}}}]}}}`))
	f.Add([]byte(`{"version":1,"noun":{"one":"book","many":"books"}}`))
	for _, values := range []string{
		`"kind":"integer","whole":true`, `"kind":"float64","lo":"-1e300","hi":"1e300"`,
		`"kind":"decimal","lo":"0.05","hi":"9.95","step":"0.1","mark":",","missing":["-"]`,
		`"kind":"date","lo":"2020-02-29","hi":"2024-12-31","format":"DD.MM.YYYY"`,
		`"kind":"timestamp","whole":true,"step":"hour","zone":"+05:30"`,
		`"kind":"timestamp","whole":true,"step":"nanosecond"`, `"kind":"text","length":300`,
	} {
		column := `{"number":3,"header":"age","values":{` + values + `}}`
		f.Add([]byte(`{"version":1,"columns":[` + column + `]}`))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		b, err := Decode(text)
		if err != nil {
			if !reflect.DeepEqual(b, Codebook{}) || err.Error() == "" {
				t.Fatal("an error and a codebook")
			}
			return
		}
		once, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(once)
		if err != nil {
			t.Fatalf("%s: %v", once, err)
		}
		twice, err := again.Encode()
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s\n%s\n%v", once, twice, err)
		}
		for _, c := range b.Columns() {
			walk(t, c)
		}
	})
}

// walk uses whatever a column that was read offers.
func walk(t *testing.T, c Column) {
	UnitOf(c.Header)
	for _, s := range Suggest(c.Header, c.Values().Kind) {
		if err := s.On(Values{}).check(); err != nil {
			t.Fatalf("%q: %+v: %v", c.Header, s, err)
		}
	}
	if c.State() != Described {
		return
	}
	for _, v := range Ladder(c.Header, c.Values(), true, true) {
		if err := v.check(); err != nil {
			t.Fatal(err)
		}
	}
	cells := []string{"", "1", "-99999", "1e400", "2024-01-01", "x"}
	if _, err := Look(c.Values(), cells); err != nil {
		t.Fatal(err)
	}
	if bins, err := c.Values().Bins(FewValues); err == nil && c.Values().Kind != domain.Category {
		coverOnce(t, c.Values(), bins)
	}
}
