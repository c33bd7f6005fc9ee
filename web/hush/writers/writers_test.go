package writers

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"hush/web/hush/readers"
)

// made is a table of every kind of cell, names that are no names of Go or out of order, and two of
// the same name.
func made() Table {
	return Table{
		Names: []string{"zeta", "Größe, in \"cm\"", "born", "seen", "Ort", "zeta", "id", "share"},
		Kinds: []Kind{Whole, Number, Day, Moment, Text, Text, Whole, Number},
		Rows: [][]string{
			{"-7", "1.50", "2026-11-29", "2026-11-29T13:15:00Z", "'=1+1", "'-", "123456789012345",
				"0.125"},
			{"0", "-0.05", "1900-03-01", "1969-12-31T23:59:59.25Z", "Bad \"Tölz\"", "a\nb", "7",
				"1.0"},
			{"", "", "", "", "", "", "", ""},
			{"42", "180.00", "1899-12-31", "0001-01-01T00:00:00Z", " _x0041_x0042_ <&>'", "日本",
				"-1", "0.5"},
			{"1", "2.00", "9999-12-31", "2026-01-01T00:00:00.000001Z", "007", "12", "", "0.0"},
		},
	}
}

// shortened is a table whose numbers have no zeros at their end: a type of numbers has none.
func (t Table) shortened() Table {
	for _, row := range t.Rows {
		for i, k := range t.Kinds {
			if k == Number && strings.Contains(row[i], ".") {
				row[i] = strings.TrimSuffix(strings.TrimRight(row[i], "0"), ".")
			}
		}
	}
	return t
}

// written is a file of a table.
func written(t *testing.T, name string, write func(io.Writer) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err == nil {
		err = write(f)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func rowsOf(t *testing.T, text []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func same(t *testing.T, got [][]string, want Table) {
	t.Helper()
	if len(got) != len(want.Rows)+1 {
		t.Fatalf("%d rows, want %d", len(got), len(want.Rows)+1)
	}
	for i, row := range append([][]string{want.Names}, want.Rows...) {
		if !reflect.DeepEqual(got[i], row) {
			t.Errorf("row %d is %q, want %q", i, got[i], row)
		}
	}
}

// TestParquet: the command's reader reads the same table from a file of Parquet, whose columns are
// of their own types.
func TestParquet(t *testing.T) {
	path := written(t, "made.parquet", func(w io.Writer) error { return Parquet(w, made()) })
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	kind, err := readers.Kind(f)
	if err != nil {
		t.Fatal(err)
	}
	options, err := readers.Options(f, kind)
	if err != nil {
		t.Fatal(err)
	}
	var text []byte
	if err := readers.Text(f, kind, options, func(int64) {}, func(piece []byte) error {
		text = append(text, piece...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	same(t, rowsOf(t, text), made().shortened())
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"INT(64,true)", "DOUBLE", "DATE", "TIMESTAMP", "STRING",
		"STRING", "INT(64,true)", "DOUBLE"} {
		of := file.Schema().Fields()[i].Type().String()
		if !strings.HasPrefix(of, want) && !(want == "INT(64,true)" && of == "INT64") {
			t.Errorf("column %d is %s, want %s", i+1, of, want)
		}
	}
}

// TestManyRows: rows beyond a batch are written, and the last ones too.
func TestManyRows(t *testing.T) {
	table := Table{Names: []string{"a"}, Kinds: []Kind{Whole}}
	for range 2*batch + 3 {
		table.Rows = append(table.Rows, []string{"5"})
	}
	path := written(t, "many.parquet", func(w io.Writer) error { return Parquet(w, table) })
	list, err := parquet.ReadFile[struct {
		A *int64 `parquet:"a,optional"`
	}](path)
	if err != nil || len(list) != 2*batch+3 || *list[2*batch+2].A != 5 {
		t.Errorf("%d rows, %v", len(list), err)
	}
}

// cell is one of a sheet, as the file has it.
type cell struct {
	Style  int     `xml:"s,attr"`
	Type   string  `xml:"t,attr"`
	Value  *string `xml:"v"`
	Text   string  `xml:"is>t"`
	Inside string  `xml:",innerxml"`
}

// TestWorkbook: numbers and days are numbers with their format, texts are texts, and nothing is a
// formula; all parts are XML and those that are named are there.
func TestWorkbook(t *testing.T) {
	var b bytes.Buffer
	if err := Workbook(&b, made(), "made up"); err != nil {
		t.Fatal(err)
	}
	book, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string][]byte{}
	for _, f := range book.File {
		in, err := f.Open()
		if err == nil {
			parts[f.Name], err = io.ReadAll(in)
		}
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(parts[f.Name])); ; {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", f.Name, err)
			}
		}
	}
	if len(parts) != 6 {
		t.Errorf("%d parts", len(parts))
	}
	var sheet struct {
		Rows []struct {
			Cells []cell `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.Unmarshal(parts["xl/worksheets/sheet1.xml"], &sheet); err != nil {
		t.Fatal(err)
	}
	if len(sheet.Rows) != 6 {
		t.Fatalf("%d rows", len(sheet.Rows))
	}
	for i, want := range []string{"-7", "1.50", "46355", "", "", "", "123456789012345", "0.125"} {
		c := sheet.Rows[1].Cells[i]
		if want == "" {
			if c.Type != "inlineStr" || c.Text != made().Rows[0][i] {
				t.Errorf("column %d is %+v, want a text", i+1, c)
			}
		} else if c.Type != "" || c.Value == nil || *c.Value != want {
			t.Errorf("column %d is %+v, want the number %s", i+1, c, want)
		}
	}
	if c := sheet.Rows[2].Cells[2]; c.Value == nil || *c.Value != "61" {
		t.Errorf("the first day that is a number: %+v", c)
	}
	if c := sheet.Rows[4].Cells[2]; c.Text != "1899-12-31" {
		t.Errorf("a day before it: %+v", c)
	}
	for i, row := range sheet.Rows {
		for _, c := range row.Cells {
			if strings.Contains(c.Inside, "<f") || strings.HasPrefix(c.Text, "=") {
				t.Errorf("row %d has a formula: %+v", i, c)
			}
		}
	}
}

// TestMisfits: a column that a cell does not fit is of texts, and a number of which a spreadsheet
// would forget digits is a text.
func TestMisfits(t *testing.T) {
	table := Table{Names: []string{"a", "b", "c", "d", "e"},
		Kinds: []Kind{Whole, Day, Number, Moment, Whole},
		Rows: [][]string{{"1", "2026-02-30", "0x1p4", "2026-01-01T00:00:00.0000001Z",
			"9007199254740993"}, {"x", "2026-02-03", "Inf", "", "3"}}}
	want := []Kind{Text, Text, Text, Text, Whole}
	if got := table.kinds(); !reflect.DeepEqual(got, want) {
		t.Errorf("they are %q, want %q", got, want)
	}
	var b bytes.Buffer
	if err := Workbook(&b, table, "s"); err != nil {
		t.Fatal(err)
	}
	path := written(t, "book.xlsx", func(w io.Writer) error { return Workbook(w, table, "s") })
	if got := readByPage(t, path); got != nil {
		same(t, got, table)
	}
}

// readByPage is a workbook as the reader of the page reads it; nil where that is not installed.
func readByPage(t *testing.T, path string) [][]string {
	t.Helper()
	const home = "../../../static"
	if _, err := os.Stat(home + "/node_modules/saxes"); err != nil {
		t.Log("the packages of static/package.json are not installed")
		return nil
	}
	node := exec.Command("node", "../readers/testdata/page.mjs", home, filepath.Dir(path))
	if text, err := node.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var page struct {
		Format, Key string
		CSV         []byte
	}
	text, err := os.ReadFile(path + ".page")
	if err == nil {
		err = json.Unmarshal(text, &page)
	}
	if err != nil || page.Key != "" {
		t.Fatalf("it is not read: %v, %+v", err, page)
	}
	return rowsOf(t, page.CSV)
}

// TestReadByThePage: the page's readers read the same table from both.
func TestReadByThePage(t *testing.T) {
	for name, write := range map[string]func(io.Writer, Table) error{
		"made.parquet": Parquet,
		"made.xlsx":    func(w io.Writer, t Table) error { return Workbook(w, t, "made up") },
	} {
		t.Run(name, func(t *testing.T) {
			table := made()
			path := written(t, name, func(w io.Writer) error { return write(w, table) })
			got := readByPage(t, path)
			if got == nil {
				t.Skip()
			}
			if name == "made.parquet" {
				table = table.shortened()
			}
			for _, row := range table.Rows { // a column has the decimals that its cells show
				if name == "made.xlsx" && row[7] != "" {
					row[7] = row[7] + strings.Repeat("0", 5-len(row[7]))
				}
			}
			same(t, got, table)
		})
	}
}
