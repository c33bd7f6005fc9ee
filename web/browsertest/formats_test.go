//go:build browser

package browsertest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/text/encoding/japanese"

	"hush/core/coin"
	tables "hush/core/table"
	"hush/core/task"
	"hush/web/engine"
)

// peopleCSV is a table of ages and towns, with cells that CSV has to quote.
func peopleCSV(rows int) string {
	var b strings.Builder
	b.WriteString("age,town\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%s\n", 20+i%60,
			[]string{"Bern", `"Graz, ""Lend"""`, "Łódź", "東京"}[i%4])
	}
	return b.String()
}

// zipped is an archive of files, by name and content in turn.
func zipped(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// kinds are a file of each kind, all of the same table, and what the page says they are.
func kinds(t *testing.T, table string) []struct{ name, says, content string } {
	var lines, array strings.Builder
	for i, row := range rowsOf(t, table) {
		object, err := json.Marshal(struct {
			Age  json.Number `json:"age"`
			Town string      `json:"town"`
		}{json.Number(row[0]), row[1]})
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(object, '\n'))
		array.WriteString(map[bool]string{true: "[\n  ", false: ",\n  "}[i == 0] + string(object))
	}
	return []struct{ name, says, content string }{
		{"people.zip", "ZIP archive, 3 files in it",
			string(zipped(t, "read me.md", "hello", "people.csv", table, "more/", "",
				"__MACOSX/._people.csv", "x", "other.csv", "a;b\n1;2\n"))},
		{"people.jsonl", "JSON", lines.String()},
		{"people.json", "JSON", array.String() + "\n]\n"},
		{"people in.zip", "ZIP archive, 2 files in it",
			string(zipped(t, "about.json", `{"list":[]}`, "people.jsonl", lines.String()))},
		{"people.jsonl.gz", "JSON", gzipped(t, lines.String())},
		{"people.jsonl.zst", "Zstandard file", zstd(lines.String())},
		{"people.utf16.json", "JSON", inUTF16(array.String() + "\n]\n")},
		{"people.csv.zst", "Zstandard file", zstd(table)},
		{"people.tsv", "columns separated by tabs", tabbed(t, table)},
		{"people.csv.gz", "columns separated by commas", gzipped(t, table)},
	}
}

// inUTF16 is a text in UTF-16 with its mark.
func inUTF16(text string) string {
	b := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

// rowsOf are the rows of a table below its header.
func rowsOf(t *testing.T, table string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

func tabbed(t *testing.T, table string) string {
	t.Helper()
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = '\t'
	err := w.Write([]string{"age", "town"})
	if err := errors.Join(err, w.WriteAll(rowsOf(t, table))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gzipped(t *testing.T, table string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(table))
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// zstd is a frame of Zstandard whose blocks are the text as it is: RFC 8878, 3.1.1.
func zstd(text string) string {
	out := []byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0}
	out = binary.LittleEndian.AppendUint32(out, uint32(len(text)))
	const most = 1 << 16
	for from := 0; from < len(text); from += most {
		block := text[from:min(from+most, len(text))]
		header := len(block) << 3
		if from+most >= len(text) {
			header |= 1
		}
		out = append(out, byte(header), byte(header>>8), byte(header>>16))
		out = append(out, block...)
	}
	return string(out)
}

// TestLettersAreChosen: a file in an encoding that nothing names is shown in several readings, and
// somebody chooses one before anything is asked.
func TestLettersAreChosen(t *testing.T) {
	table := "age,town\n" + strings.Repeat("34,東京都\n57,大阪府\n61,カナダ\n", 400)
	file, err := japanese.ShiftJIS.NewEncoder().String(table)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, serveBundle(t).url)
	p.upload("#file", path)
	p.waitText("Nothing in the file states its encoding")
	p.waitText("34,東京都")
	if p.there("persons-no") || p.there("confirm") {
		t.Error("the file can be taken with an encoding that is only guessed")
	}
	p.axe()
	p.screenshot("letters", 1280, 1300, "light")
	p.click("button", "Read it as shift_jis")
	p.waitText("shift_jis text")
	p.until("the first rows", `document.querySelector("td:nth-child(2)").textContent === "東京都"`)
	askAge(p)
	p.click("button", "Release, spending")
	p.waitText(histogramSays)
	p.until("the encoding in the recipe",
		`atob(location.hash.split("q=")[1].replaceAll("-", "+").replaceAll("_", "/")).includes("shift_jis")`)
}

// TestEveryKindOfFile opens a file of each kind on the page, as a person does, and gets a
// histogram of it; and the engine reads of each the same table as of the CSV.
func TestEveryKindOfFile(t *testing.T) {
	t.Parallel()
	table := peopleCSV(1000)
	site := serveBundle(t)
	for _, k := range kinds(t, table) {
		t.Run(k.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), k.name)
			if err := os.WriteFile(path, []byte(k.content), 0o600); err != nil {
				t.Fatal(err)
			}
			p := open(t, site.url)
			p.upload("#file", path)
			p.waitText(k.says)
			p.axe()
			shot := "kind-" + strings.NewReplacer(".", "-", " ", "-").Replace(k.name)
			p.screenshot(shot, 1280, 1100, "light")
			askAge(p)
			p.click("button", "Release, spending")
			p.waitText(histogramSays)
		})
	}

	b := openEngine(t)
	read := func(name, content string) (o engine.Opening, r task.Release) {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		b.upload("#file", path)
		var got struct {
			Opening engine.Opening
			Release task.Release
		}
		b.script(`globalThis.hush ?? start(); await hush.ready;
			const opening = await hush.open(picked());
			return { opening, release: await hush.run(question(opening)) };`, &got)
		return got.Opening, got.Release
	}
	want, _ := read("people.csv", table)
	for _, k := range kinds(t, table) {
		got, release := read(k.name, k.content)
		if got.Rows != want.Rows || fmt.Sprint(got.Preview, got.Fields) !=
			fmt.Sprint(want.Preview, want.Fields) || len(got.Problems) != 0 {
			t.Errorf("%s is read as %v %v %v, want %v", k.name, got.Rows, got.Preview, got.Problems,
				want.Preview)
		}
		if release.Origin != coin.Crypto {
			t.Errorf("%s: released %+v", k.name, release)
		}
	}
}

// TestOptionsOfAnotherKind: options that were decided for a file of one kind, as a recipe has them,
// are nothing to a file of another, which is read as if nobody had said anything.
func TestOptionsOfAnotherKind(t *testing.T) {
	table := peopleCSV(200)
	b := openEngine(t)
	folder := t.TempDir()
	read := func(name string, options tables.Options) (o engine.Opening) {
		b.upload("#file", filepath.Join(folder, name))
		b.script(`globalThis.hush ?? start(); await hush.ready;
			return await hush.open(picked(), `+engine.Encode(options)+`);`, &o)
		return o
	}
	kinds := kinds(t, table)
	var decided []tables.Options
	for _, k := range kinds {
		path := filepath.Join(folder, k.name)
		if err := os.WriteFile(path, []byte(k.content), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := read(k.name, tables.Options{}).Options.Decided()
		if err != nil {
			t.Fatalf("%s: %v", k.name, err)
		}
		decided = append(decided, o)
	}
	met := 0
	for i, k := range kinds {
		for _, other := range decided {
			if other.Format == decided[i].Format {
				continue // it is taken at its word
			}
			met++
			o := read(k.name, other)
			if o.Rows != 200 || len(o.Fields) != 2 || len(o.Problems) != 0 ||
				o.Options.Format != decided[i].Format {
				t.Errorf("%s by the options %+v: %d rows, %v, %v", k.name, other, o.Rows, o.Fields,
					o.Problems)
			}
		}
	}
	if met < 30 {
		t.Errorf("only %d meetings", met)
	}
}

// TestReadersAreKept: what reads a kind of file is fetched when such a file is opened, and works
// without a network from then on; the other readers are not here then, and the page says so.
func TestReadersAreKept(t *testing.T) {
	table := peopleCSV(100)
	folder := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	archive := write("people.zip", string(zipped(t, "people.csv", table)))
	packed := write("people.csv.zst", zstd(table))
	s := serveBundle(t)
	p := open(t, s.url)
	p.installed()
	for _, a := range s.answers() {
		if strings.Contains(a.path, "/readers/") {
			t.Errorf("%s is fetched though nobody needs it", a.path)
		}
	}
	p.reload()
	p.upload("#file", archive)
	p.waitText("ZIP archive")
	p.expect("ERR_FAILED") // what is refused is an error in the console
	p.expect("the page is switched offline")
	p.menu("button", "Work offline")
	p.click("checkbox", "Go offline now")
	p.waitText("a test request made just now was refused.")
	p.click("button", "Close")
	p.reload()
	p.upload("#file", archive)
	p.waitText("ZIP archive")
	p.upload("#file", packed)
	p.waitText("what reads such files is not here yet")
}
