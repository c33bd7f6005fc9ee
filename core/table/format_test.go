package table

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"hush/core/param"
)

// TestMadeTables: a table that a reader made is read as it wrote it, whatever its cells hold; a
// packed text is read like any text.
func TestMadeTables(t *testing.T) {
	text := "name,note\nAda,\"of\n" + strings.Repeat("many\n", 1000) + "lines\"\nBob,\";;;\"\n"
	for _, format := range Formats() {
		s, err := NewSurvey(Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(s.Write([]byte(text)), s.Close())
		if err != nil {
			t.Fatal(err)
		}
		found := s.Result()
		made := Options{Format: format}.Made()
		if made != (len(found.Problems) == 0) || made != (found.Rows == 2) {
			t.Errorf("%s: %d rows, problems %+v", format, found.Rows, found.Problems)
		}
		if found.Options.Format != format || found.Options.Part != 1 {
			t.Errorf("%s: the options are %+v", format, found.Options)
		}
		if format == JSON {
			found.Options.Keys = `["name","note"]`
		}
		decided, err := found.Options.Decided()
		if err != nil || decided != found.Options {
			t.Errorf("%s: %+v decided are %+v, %v", format, found.Options, decided, err)
		}
		if FormatName(format) == "" {
			t.Errorf("%s has no name", format)
		}
	}
}

// TestFormatsAreRefused: what no reader writes cannot be asked for.
func TestFormatsAreRefused(t *testing.T) {
	for _, o := range []Options{
		{Format: "exe"}, {Part: 1}, {Format: JSON, Part: -1}, {Format: JSON, Delimiter: ";"},
		{Format: XLSX, Encoding: Windows1252}, {Format: Parquet, Quote: "'"},
		{Format: JSON, Quotes: Backslash}, {Format: XLSX, Compression: Gzip},
		{Format: XLSX, Newline: Any},
	} {
		var refused *param.Error
		if _, err := NewSurvey(o); !errors.As(err, &refused) {
			t.Errorf("%+v: error %v, want a refusal", o, err)
		}
	}
}

// TestUnreadErrors: each key has words of its own, and a place is reported.
func TestUnreadErrors(t *testing.T) {
	seen := map[string]bool{}
	for key := range unreadWhy {
		e := &UnreadError{Format: Zip, Key: key, Where: UnreadAt{Part: 2, Row: 3, Byte: 40}}
		text := e.Error()
		if seen[text] || !strings.Contains(text, "ZIP archive") ||
			!strings.Contains(text, "(part 2, row 3, byte 40)") {
			t.Errorf("%s: %q", key, text)
		}
		seen[text] = true
	}
	if got := (&UnreadError{Key: "else"}).Error(); !strings.Contains(got, "damaged") {
		t.Errorf("an unknown key is told as %q", got)
	}
}

// TestAliens: files of other programs are known by their first bytes, also when packed, and the
// refusal says how to get a table from each; text that only resembles one a little is read.
func TestAliens(t *testing.T) {
	for _, c := range []struct{ head, what, how string }{
		{"$FL2@(#) SPSS DATA FILE", "an SPSS file", "Export"},
		{"$FL3@(#) SPSS DATA FILE", "an SPSS file", "Export"},
		{"<stata_dta><header><release>118</release>", "a Stata file", "export delimited"},
		{"\x72\x02\x01\x00\x05\x00data", "a Stata file", "export delimited"},
		{strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92", "a SAS file",
			"proc export"},
		{"HEADER RECORD*******LIBRARY HEADER", "a SAS transport file", "proc export"},
		{"RDX3\nX\n", "an R file", "write.csv"},
		{"X\n\x00\x00\x00\x03\x00\x04\x03\x01", "an R file", "write.csv"},
		{"\x89HDF\r\n\x1a\n", "an HDF5 file", "to_csv"},
		{"ARROW1\x00\x00", "an Arrow file", "to_csv"},
		{"FEA1\x00\x00", "a Feather file", "to_csv"},
		{"SQLite format 3\x00\x10", "an SQLite database", "sqlite3 -header -csv"},
		{"\x00\x01\x00\x00Standard Jet DB\x00", "an Access database", "Export"},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "(.xls)", "password"},
		{"PK\x03\x04" + strings.Repeat("\x00", 26) + "mimetypeapplication/vnd.oasis.opendocument" +
			".spreadsheetPK", "OpenDocument", "LibreOffice"},
		{"PK\x03\x04" + strings.Repeat("\x00", 26) + "Index/Document.iwa", "Apple Numbers",
			"Export To"},
		{"PK\x03\x04" + strings.Repeat("\x00", 26) + "word/document.xml", "a Word document",
			"ask for"},
		{"%PDF-1.7\n", "a PDF document", "ask for"}, {"\xff\xd8\xff\xe0", "a picture", "ask for"},
		{"GIF89a", "a picture", "ask for"}, {"PAR1\x15\x04", "cut off", "fetch"},
	} {
		for _, packed := range []bool{false, true} {
			file := []byte(c.head + strings.Repeat("\x00 more", 20))
			if packed {
				file = gzipped(t, string(file))
			}
			found := survey(t, Options{}, file)
			k := slices.IndexFunc(found.Problems, func(p Problem) bool { return p.Kind == NotText })
			if k < 0 || !strings.Contains(found.Problems[k].Text.String(), c.what) ||
				!strings.Contains(found.Problems[k].Advice.String(), c.how) {
				t.Errorf("%.20q, packed %v: %+v, want %q and %q", c.head, packed, found.Problems,
					c.what, c.how)
			}
		}
	}
	for _, text := range []string{"PARIS,LYON\n1,2\n", "X\n1\n2\n", "$FL,a\n1,2\n", "rdx,b\n1,2\n",
		"i,j\n1,2\n", "Index/Document,b\n1,2\n", "II,b\n1,2\n", "{a},b\n1,2\n"} {
		for _, p := range survey(t, Options{}, []byte(text)).Problems {
			if p.Kind == NotText {
				t.Errorf("%q is taken for what it is not: %v", text, p.Text)
			}
		}
	}
}

// TestKeys: the keys of JSON are a list of different names in a recipe, one for each column.
func TestKeys(t *testing.T) {
	o := Options{Encoding: UTF8, Delimiter: ",", Header: Yes, Columns: 2, Format: JSON,
		Keys: `["a","<b"]`}
	decided, err := o.Decided()
	if err != nil || decided.Keys != o.Keys {
		t.Fatalf("%+v, %v", decided, err)
	}
	for _, bad := range []string{"", `["a","a"]`, `"a"`, `[1,2]`, `{"a":1}`, `["a"]`,
		`["a","` + strings.Repeat("b", mostKeys) + `"]`} {
		o.Keys = bad
		if _, err := o.Decided(); err == nil {
			t.Errorf("keys %.20s are taken", bad)
		}
	}
	for _, format := range []string{Zip, Zstd} { // a packed file of JSON is read as JSON is
		o := Options{Format: format, Keys: decided.Keys}
		if !o.Made() || (Options{Format: format}).Made() {
			t.Errorf("%s: whether it is made does not hang on keys", format)
		}
		s := survey(t, o, []byte("a,<b\n1,\"2\n3\"\n"))
		if len(s.Problems) != 0 || s.Rows != 1 || s.Options.Delimiter != "," {
			t.Errorf("%s: %+v", format, s)
		}
		if again, err := s.Options.Decided(); err != nil || again.Keys != decided.Keys {
			t.Errorf("%s: %+v, %v", format, again, err)
		}
	}
	for _, format := range []string{"", XLSX} {
		if _, err := NewSurvey(Options{Format: format, Keys: decided.Keys}); err == nil {
			t.Errorf("format %q has keys of JSON", format)
		}
	}
}
