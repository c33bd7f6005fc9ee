package readers

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"hush/core/table"
)

// made is what a reader makes of a file.
type made struct {
	Format  string
	Options table.Options
	CSV     []byte
	Key     string
	Where   table.UnreadAt
}

// read is what the readers here make of a file.
func read(t *testing.T, name string) (m made) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if m.Format, err = Kind(f); err != nil {
		t.Fatal(err)
	}
	if m.Format == "" {
		return m
	}
	if m.Options, err = Options(f, m.Format); err == nil {
		err = Text(f, m.Format, m.Options, func(int64) {}, func(piece []byte) error {
			m.CSV = append(m.CSV, piece...)
			return nil
		})
	}
	m.Options.Format, m.Options.Part = "", 0
	var unread *table.UnreadError
	if errors.As(err, &unread) {
		return made{Format: m.Format, Key: unread.Key, Where: unread.Where}
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// packed with gzip, in two members, and with Zstandard.
func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	for _, part := range []string{text[:len(text)/2], text[len(text)/2:]} {
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	return b.String()
}

func zstandard(t *testing.T, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

// goParquet is a file that the library of the reader writes itself, with encodings of its own.
func goParquet(t *testing.T, name string) {
	t.Helper()
	type town struct {
		Name *string `parquet:"name,optional"`
		Area float64 `parquet:"area"`
	}
	type row struct {
		ID    int64     `parquet:"id,delta"`
		Sex   string    `parquet:"sex,dict"`
		Note  string    `parquet:"note,delta"`
		Paid  int64     `parquet:"paid,decimal(2:18)"`
		Since time.Time `parquet:"since,timestamp(microsecond)"`
		Born  int32     `parquet:"born,date"`
		Small int8      `parquet:"small"`
		Town  *town     `parquet:"town,optional"`
	}
	list := make([]row, 3000)
	for i := range list {
		place := fmt.Sprintf("town %d", i%7)
		list[i] = row{ID: int64(i*i) - 99, Sex: []string{"f", "m", "d, e"}[i%3],
			Note: strings.Repeat("n", i%5) + "\"", Paid: int64(i-1500) * 7,
			Since: time.UnixMicro(int64(i-9) * 1_234_567_891).UTC(), Born: int32(i*31 - 20_000),
			Small: int8(i)}
		if i%4 > 0 {
			list[i].Town = &town{Area: float64(i) / 3}
		}
		if i%4 > 1 {
			list[i].Town.Name = &place
		}
	}
	for _, codec := range []struct {
		name string
		with parquet.WriterOption
	}{
		{"zstd", parquet.Compression(&parquet.Zstd)},
		{"brotli", parquet.Compression(&parquet.Brotli)},
		{"gzip", parquet.Compression(&parquet.Gzip)},
		{"lz4", parquet.Compression(&parquet.Lz4Raw)},
	} {
		if err := parquet.WriteFile(name+"-"+codec.name+".parquet", list, codec.with); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAsThePage: the readers here and those of the page make the same bytes of the same files, and
// refuse the same.
func TestAsThePage(t *testing.T) {
	const home = "../../../static"
	if _, err := os.Stat(home + "/node_modules/hyparquet-writer"); err != nil {
		t.Skip("the packages of static/package.json are not installed")
	}
	lines := "{\"age\": 41, \"name\": \"a, \\\"b\\\"\"}\n{\"name\": null, \"age\": -1.50e+3}\n" +
		"{\"age\": true, \"name\": \"\\u00fc\\ud83d\\ude00\\ud800\", \"more\": 1}\n{}\n" +
		"{\"name\": \"x\", \"name\": \"y\"}\n{\"name\": null, \"name\": \"y\"}\n"
	many := strings.Repeat(`{"id": 12345, "text": "`+strings.Repeat("é", 50)+"\"}\n", 20_000)
	utf16 := "\xff\xfe"
	for _, c := range `[{"a": "ü"}]` {
		utf16 += string([]byte{byte(c), byte(c >> 8)})
	}
	files := map[string]string{
		"lines.json": lines, "array.json": " [" + `{"a": 1}, {"b": [1]}` + "]",
		"lines.json.gz": gzipped(t, lines), "lines.json.zst": zstandard(t, lines),
		"many.json": many, "many.json.zst": zstandard(t, many), "many.json.gz": gzipped(t, many),
		"list.json": `[{"a": 1}, {"a": "2"}, {"a": null}]`, "mark.json": "\ufeff" + `{"a": 1}`,
		"utf16.json": utf16, "nested.json": "{\"a\": 1}\n\n{\"a\": 1, \"b\": {}}",
		"cut.json": `{"a": 1}` + "\n" + `{"a": `, "junk.json": `{"a": 1} x`,
		"comma.json": `[{"a": 1},]`, "trail.json": `{"a": 1,}`, "zero.json": `{"a": 01}`,
		"word.json": `{"a": nul}`, "odd.json": `{"a": 1.}`, "control.json": "{\"a\": \"\x01\"}",
		"keys.json": `{"<a>&\u2028\u0001\t": 1}`, "empties.json": "{}\n{}",
		"behind.json": `[{"a": 1}] {}`,
		"bad.json":    "{\"a\": \"\xff\"}",
		"people.csv":  "age,sex\n1,f\n", "people.csv.zst": zstandard(t, "age,sex\n1,f\n"),
		"cut.zst": zstandard(t, many)[:300], "text.json": `"a"`,
	}
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	goParquet(t, filepath.Join(dir, "go"))
	node := exec.Command("node", "testdata/page.mjs", home, dir, "make")
	if text, err := node.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	list, err := filepath.Glob(filepath.Join(dir, "*.page"))
	if err != nil || len(list) < len(files)+6 {
		t.Fatalf("%d files are read, %v", len(list), err)
	}
	for _, of := range list {
		name := strings.TrimSuffix(filepath.Base(of), ".page")
		t.Run(name, func(t *testing.T) {
			var want made
			text, err := os.ReadFile(of)
			if err == nil {
				err = json.Unmarshal(text, &want)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := read(t, strings.TrimSuffix(of, ".page"))
			if strings.Contains(name, "lz4") {
				// The library reads zeros there, where the page reads what was written.
				if got.Key != "unsupported" || want.Key != "" {
					t.Errorf("it is refused with %q, by the page with %q", got.Key, want.Key)
				}
				return
			}
			if got.Format != want.Format || got.Options != want.Options || got.Key != want.Key {
				t.Errorf("it is %s with %+v, %q; the page has %s, %+v, %q", got.Format,
					got.Options, got.Key, want.Format, want.Options, want.Key)
			}
			if got.Where.Row != want.Where.Row || got.Where.Line != want.Where.Line ||
				got.Where.Column != want.Where.Column || got.Where.Name != want.Where.Name {
				t.Errorf("it is refused at %+v, the page at %+v", got.Where, want.Where)
			}
			if want.Key == "" && !bytes.Equal(got.CSV, want.CSV) {
				a, b := strings.Split(string(got.CSV), "\n"), strings.Split(string(want.CSV), "\n")
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						t.Fatalf("row %d:\n  here %q\n  page %q", i+1, a[i], b[i])
					}
				}
				t.Fatalf("%d rows, the page has %d", len(a), len(b))
			}
		})
	}
}

// TestExactValues are those of readers of the page that no writer here makes (parquet.test.mjs,
// "numbers that only their type makes exact").
func TestExactValues(t *testing.T) {
	nanos := format.TimeUnit{Value: &format.NanoSeconds{}}
	element := func(kind format.Type, logical format.LogicalTypeValue) (e format.SchemaElement) {
		e.Type.Set(kind)
		e.LogicalType.Value = logical
		return e
	}
	scaled := func(kind format.Type, scale int32) format.SchemaElement {
		e := element(kind, nil)
		e.ConvertedType.Set(deprecated.Decimal)
		e.Scale.Set(scale)
		return e
	}
	stamp := func(utc bool) format.SchemaElement {
		return element(format.Int64, &format.TimestampType{IsAdjustedToUTC: utc, Unit: nanos})
	}
	most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 127), big.NewInt(1))
	for _, c := range []struct {
		of   format.SchemaElement
		v    parquet.Value
		want string
	}{
		{scaled(format.Int32, 2), parquet.Int32Value(-5), "-0.05"},
		{scaled(format.Int64, 3), parquet.Int64Value(9_007_199_254_740_993), "9007199254740.993"},
		{scaled(format.FixedLenByteArray, 4),
			parquet.FixedLenByteArrayValue([]byte{0xff, 0xff, 0xff, 0xf6}), "-0.0010"},
		{scaled(format.ByteArray, 0), parquet.ByteArrayValue(most.Bytes()), most.String()},
		{stamp(false), parquet.Int64Value(1_700_000_000_123_456_789),
			"2023-11-14T22:13:20.123456789"},
		{stamp(true), parquet.Int64Value(-1), "1969-12-31T23:59:59.999999999Z"},
		{element(format.Int96, nil), parquet.Int96Value(deprecated.Int96{1_500_000_000, 0,
			2_440_589}), "1970-01-02T00:00:01.5"},
		{element(format.Int64, &format.TimeType{Unit: nanos}),
			parquet.Int64Value(86_399_000_000_001), "23:59:59.000000001"},
		{element(format.Int32, &format.DateType{}), parquet.Int32Value(-800_000), "-000221-09-04"},
		{element(format.Double, nil), parquet.DoubleValue(1e21), "1e+21"},
		{element(format.Double, nil), parquet.DoubleValue(-1.5e-7), "-1.5e-7"},
		{element(format.Float, nil), parquet.FloatValue(1.1754943508222875e-38), "1.1754944e-38"},
	} {
		if got := string(tellerOf(c.of)(nil, c.v)); got != c.want {
			t.Errorf("%v is %q, want %q", c.v, got, c.want)
		}
	}
	if tellerOf(element(format.ByteArray, &format.BsonType{})) != nil {
		t.Error("a document is taken for a text")
	}
}

// TestDamaged: a file that was cut or changed anywhere is read or refused, and nothing panics.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	goParquet(t, filepath.Join(dir, "go"))
	whole, err := os.ReadFile(filepath.Join(dir, "go-zstd.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for i := range 300 {
		text := bytes.Clone(whole)
		at := (i*7919 + 13) % len(text)
		if text[at] ^= byte(1 << (i % 8)); i%3 == 0 {
			at = len(text) - 1 - i*7%3000 // its list of contents
			text[at] ^= byte(1 + i%255)
		}
		if i%5 == 0 {
			text = text[:at]
		}
		name := filepath.Join(dir, "changed.parquet")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if read(t, name).Key != "" {
			refused++
		}
	}
	if refused < 50 {
		t.Errorf("%d of 300 damaged files are refused", refused)
	}
}
