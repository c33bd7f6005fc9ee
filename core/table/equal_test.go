package table

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// inFile says whether a cell can stand in a CSV file of one column without quotes, as it is.
func inFile(cell []byte) bool { return !bytes.ContainsAny(cell, ",\"\r\n") }

// personCells are identifiers: every cell, and such of about 15 bytes, up to which they stand for
// themselves, that differ in one byte, at either end or in the middle.
func personCells(f func(cell []byte)) {
	everyCell(f)
	for n := 6; n <= 33; n++ {
		for _, at := range []int{0, 1, 7, 8, n / 2, n - 2, n - 1} {
			for _, c := range []byte(revealing) {
				cell := bytes.Repeat([]byte("p"), n)
				cell[at%n] = c
				f(cell)
			}
		}
	}
}

// TestPersonsAlike: identifiers are one person exactly if they are one text without the spaces
// around it, whether they stand for themselves or not, and the rows of a batch are of the same
// persons as rows that come one by one.
func TestPersonsAlike(t *testing.T) {
	for _, own := range []bool{true, false} {
		p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, own)
		e := &Encode{persons: p}
		texts, ids := map[[2]uint64]string{}, map[string][2]uint64{}
		var waiting [][2]uint64
		numbers := map[[2]uint64]uint32{}
		flush := func() {
			copy(p.ids[:], waiting)
			p.reserve(len(waiting))
			p.ahead(len(waiting))
			for k, id := range waiting {
				ahead := p.at[k]
				who, isNew, err := p.find(id, p.place[k])
				if err != nil {
					t.Fatal(err)
				}
				if number, known := numbers[id]; known == isNew || known && number != who.at ||
					ahead != 0 && ahead != who.at {
					t.Fatalf("%q is person %d, before %d, ahead %d", texts[id], who.at, number,
						ahead)
				}
				numbers[id] = who.at
			}
			waiting = waiting[:0]
		}
		personCells(func(cell []byte) {
			id := p.known(personOf(cell))
			row := &Row{slow: [][]byte{cell}}
			if one := p.known(e.identifier(row, 1)); one != id {
				t.Fatalf("own %v: %q is another person in a batch", own, cell)
			}
			text := strings.Trim(string(readable(cell)), " \t")
			if other, known := texts[id]; known && other != text {
				t.Errorf("own %v: %q and %q are one person", own, text, other)
			}
			if other, known := ids[text]; known && other != id {
				t.Errorf("own %v: %q is another person than %q", own, cell, text)
			}
			texts[id], ids[text] = text, id
			if waiting = append(waiting, id); len(waiting) == aheadRows {
				flush()
			}
		})
		flush()
		if p.n != len(ids) {
			t.Errorf("own %v: %d persons of %d texts", own, p.n, len(ids))
		}
	}
}

// TestPersonsOfFile: a file has as many persons as its identifiers are texts, however it is cut and
// whether rows come in batches or one by one.
func TestPersonsOfFile(t *testing.T) {
	var plain, odd bytes.Buffer
	persons := map[string]bool{}
	plain.WriteString("who,age\n")
	odd.WriteString("who,age\n\"\",1,too many\n")
	personCells(func(cell []byte) {
		if inFile(cell) {
			fmt.Fprintf(&plain, "%s,1\n", cell)
			fmt.Fprintf(&odd, "\"%s\" ,1\n%s,\"1\"x\"\n", cell, cell)
			persons[strings.Trim(string(readable(cell)), " \t")] = true
		}
	})
	persons[""] = true
	for name, file := range map[string][]byte{"plain": plain.Bytes(), "odd": odd.Bytes()} {
		for _, size := range []int{len(file), 4096, 61} {
			e, err := NewEncode(EncodeParams{Options: plainCSV(2), Columns: []Wanted{{2, ages}},
				Person: 1, Source: coin.NewSeeded(5)})
			if err != nil {
				t.Fatal(err)
			}
			if err := inPieces(e, file, size); err != nil {
				t.Fatal(err)
			}
			if got := e.Result().N; got != int64(len(persons)) {
				t.Errorf("%s in pieces of %d: %d persons of %d texts", name, size, got,
					len(persons))
			}
		}
	}
}

// alikeSpecs are ways to read a cell, each with words for no value.
var alikeSpecs = []domain.Spec{
	{Kind: domain.Category, Categories: []string{"A", "a", "z0", "A\x00", "\x00", "ÿ", "\u00a0",
		"\u3000", "'A", "-", "é", "e\u0301", "A\u00a0"}, Missing: []string{"z", "0", "Aa"}},
	{Kind: domain.Category, Categories: []string{"A", "z0", "A\x00", "\x00", "ÿ", "'A", "-",
		"é", "e\u0301", "A a"}, Missing: []string{"z", "0", "Aa"}, Fold: true},
	{Kind: domain.Category, Categories: []string{"A", "rest"}, Other: "rest",
		Spellings: []domain.Spelling{{Cell: "Z", As: "A"}}, Missing: []string{"Aa"}, Fold: true},
	{Kind: domain.Text, Length: 3, Missing: []string{"A", " z0 ", "ÿ", "\u00a0"}},
	{Kind: domain.Text, Length: 2, Outside: domain.Clamp, Missing: []string{"A", "zz"}},
	{Kind: domain.Bytes, Length: 3, Missing: []string{"A", "z0"}},
	{Kind: domain.Integer, Lo: "-9", Hi: "99", Missing: []string{"7", "-"}},
	{Kind: domain.Integer, Lo: "1", Hi: "5", Outside: domain.Clamp, Missing: []string{"0"}},
	{Kind: domain.Decimal, Lo: "-1", Hi: "9", Step: "0.5", Missing: []string{"0."}},
}

// TestConditionsAlike: a condition on one value keeps exactly the cells that a question counts as
// that value; its opposite keeps the other cells that have one; and having none is what is left. No
// value is none in one spelling and one in another.
func TestConditionsAlike(t *testing.T) {
	for _, spec := range alikeSpecs {
		d, err := domain.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		made := func(c Condition) test {
			c.Column, c.Spec = 1, spec
			x, err := newTest(c, 1)
			if err != nil {
				t.Fatalf("%v: %v", spec, err)
			}
			return x
		}
		with, without := made(Condition{}), made(Condition{Not: true})
		values := domainOf(t, spec)
		spelled, cells := map[uint64]string{}, [][]byte{}
		everyCell(func(cell []byte) {
			code, ok := codeOf(d, cell)
			cells = append(cells, cell)
			if with.met(cell) != ok || without.met(cell) == ok {
				t.Errorf("%v: %q has a value %v, for the condition %v", spec, cell, ok,
					with.met(cell))
			}
			// what a condition can name: text that is this value whatever the bounds
			if plain, in := values.Encode(cell); ok && in && plain == code && spelled[code] == "" {
				spelled[code] = string(cell)
			}
		})
		codes := slices.Sorted(maps.Keys(spelled))
		for i := 0; i < len(codes); i += max(1, len(codes)/40) {
			code := codes[i]
			text := spelled[code]
			in := made(Condition{In: []string{text}})
			not := made(Condition{In: []string{text}, Not: true})
			from := made(Condition{From: text, To: text})
			for _, cell := range cells {
				other, ok := codeOf(d, cell)
				if want := ok && other == code; in.met(cell) != want || from.met(cell) != want ||
					not.met(cell) != (ok && !want) {
					t.Fatalf("%v: the condition %q keeps %q: %v, from it to it %v, turned round "+
						"%v; the question reads %q, %v", spec, text, cell, in.met(cell),
						from.met(cell), not.met(cell), d.Decode(other), ok)
				}
			}
		}
		if len(spelled) == 0 {
			t.Errorf("%v reads no cell", spec)
		}
		if spec.Kind != domain.Text && spec.Kind != domain.Bytes {
			continue // words for none are texts, which numbers have many of
		}
		for _, word := range spec.Missing {
			code, ok := values.Encode([]byte(word))
			if text, known := spelled[code]; ok && known {
				t.Errorf("%v: %q is none and %q is it", spec, word, text)
			}
		}
	}
}

// domainOf reads as spec does where no word is for no value and nothing counts as a bound.
func domainOf(t *testing.T, spec domain.Spec) domain.Domain {
	t.Helper()
	d, err := domain.New(spec.Plain())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestListsAlike: a place of a list is known by its own name, and cells are it exactly if they are
// that name, as text, without the spaces around it; the same in the codebook's description, in a
// condition and in a question, one by one and in a batch.
func TestListsAlike(t *testing.T) {
	var names []string
	known := map[string]uint64{}
	everyCell(func(cell []byte) {
		name := strings.Trim(string(readable(cell)), " \t")
		if _, twice := known[name]; !twice && name != "" && len(names) < 5000 {
			known[name] = uint64(len(names))
			names = append(names, name)
		}
	})
	list, err := domain.New(domain.Spec{Kind: domain.Category, Categories: names})
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	file.WriteString("group\n")
	var want []string
	everyCell(func(cell []byte) {
		place, has := known[strings.Trim(string(readable(cell)), " \t")]
		if code, ok := codeOf(list, cell); ok != has || ok && code != place {
			t.Fatalf("%q has the place %d, %v; want %d, %v", cell, code, ok, place, has)
		}
		if inFile(cell) {
			fmt.Fprintf(&file, "%s\n", cell)
			want = append(want, fmt.Sprint(place, has))
		}
	})
	o := plainCSV(1)
	o.Blank = RowBlank
	got := encode(t, EncodeParams{Options: o, Columns: []Wanted{{1, list.Spec()}}}, file.Bytes())
	if got.N != int64(len(want)) {
		t.Fatalf("%d rows of %d cells", got.N, len(want))
	}
	for i := range want {
		code, ok := got.Columns[0].Code(i)
		if !ok {
			code = 0
		}
		if fmt.Sprint(code, ok) != want[i] {
			t.Fatalf("row %d has the place %d, %v; want %s", i+1, code, ok, want[i])
		}
	}
}

// TestMarksAlike: cells have one fingerprint exactly if they are one text but for the quotes in it.
// So cells that differ for a question of text, numbers, lists, groups or persons differ for the
// ledger. (Questions of bytes are finer than text: see multiset.)
func TestMarksAlike(t *testing.T) {
	m := newMultiset(secret)
	marks, texts := map[uint64]string{}, map[string]uint64{}
	p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, true)
	type readings struct {
		group, short, wide string
		place              uint64
		number             uint64
		person             [2]uint64
	}
	list, number := domainOf(t, alikeSpecs[0]), domainOf(t, alikeSpecs[4])
	short := domainOf(t, alikeSpecs[1])
	wide, err := domain.NewWide(domain.Spec{Kind: domain.Text, Length: 100})
	if err != nil {
		t.Fatal(err)
	}
	read := map[uint64]readings{}
	personCells(func(cell []byte) {
		if !inFile(cell) {
			return
		}
		before := m.last
		m.row(&Row{slow: [][]byte{cell, []byte("1")}})
		mark := m.last - before
		text := string(readable(cell))
		if other, known := marks[mark]; known && other != text {
			t.Errorf("%q and %q have one fingerprint", text, other)
		}
		if other, known := texts[text]; known && other != mark {
			t.Errorf("%q has another fingerprint than %q", cell, text)
		}
		marks[mark], texts[text] = text, mark
		r := readings{group: string(groupOf(cell)), person: p.known(personOf(cell))}
		code, _ := wideCodeOf(wide, cell)
		r.wide = string(code)
		shortCode, ok := codeOf(short, cell)
		r.short = fmt.Sprint(shortCode, ok)
		if r.place, ok = codeOf(list, cell); !ok {
			r.place = 1 << 63
		}
		if r.number, ok = codeOf(number, cell); !ok {
			r.number = 1 << 63
		}
		if other, known := read[mark]; known && other != r {
			t.Errorf("%q has the fingerprint of a cell that is read otherwise: %v, %v", cell, r,
				other)
		}
		read[mark] = r
	})
}

// TestMarksOfFile: the fingerprint of revealing cells is the same in any wrapping, and changes with
// each of them.
func TestMarksOfFile(t *testing.T) {
	rows := [][]string{{"who", "group"}}
	cells := []string{"A", "A\x00", "A\x00\x00", " A", "A ", "\x00A", "\u00a0A", "\u00a0", "\x00",
		"a", "\u3000", "\t", "é", "e\u0301", "\ufeff", "\u200b", "'A"}
	for range 8 { // not by one cell in a sample
		for i, cell := range cells {
			rows = append(rows, []string{fmt.Sprint("p", i), cell})
		}
	}
	of := func(file []byte, delimiter string) string {
		o := plainCSV(2)
		o.Delimiter = delimiter
		s, err := NewSurvey(o)
		if err != nil {
			t.Fatal(err)
		}
		s.Mark(secret)
		push(t, s, file)
		marks, _ := s.Marks()
		return marks.Rows
	}
	turned := slices.Clone(rows)
	slices.Reverse(turned[1:])
	want := of([]byte(written(rows, ",", "\n", false)), ",")
	for name, got := range map[string]string{
		"CRLF":  of([]byte(written(rows, ",", "\r\n", false)), ","),
		"BOM":   of([]byte("\ufeff"+written(rows, ",", "\n", false)), ","),
		"tidy":  of([]byte(written(rows, ";", "\n", true)), ";"),
		"gzip":  of(gzippedAt(t, gzip.BestSpeed, written(rows, ",", "\r\n", true)), ","),
		"order": of([]byte(written(turned, ",", "\n", false)), ","),
	} {
		if got != want {
			t.Errorf("%s: the rows are others", name)
		}
	}
	seen := map[string]string{}
	for _, cell := range cells {
		changed := append(rows[:0:0], rows...)
		changed[1] = []string{"p0", cell}
		mark := of([]byte(written(changed, ",", "\n", false)), ",")
		if other, known := seen[mark]; known {
			t.Errorf("%q in place of %q has the same fingerprint", cell, other)
		}
		seen[mark] = cell
	}
}

// TestCellsOfReaders: of the bytes that static/readers make of JSON, Parquet and Excel (its
// alike.test.mjs, which compares them) every cell comes back as it was, in batches or one by one.
// So it is in the group, and has the fingerprint, that it has in a CSV of somebody else's.
func TestCellsOfReaders(t *testing.T) {
	file, err := os.ReadFile("testdata/readers/alike.csv")
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile("testdata/readers/alike.json")
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	if err := json.Unmarshal(list, &cells); err != nil {
		t.Fatal(err)
	}
	rows := [][]string{{"group", "n"}}
	for i, cell := range cells {
		rows = append(rows, []string{cell, fmt.Sprint(i)})
	}
	o := plainCSV(2)
	o.Format = Parquet
	spec := domain.Spec{Kind: domain.Text, Length: 100}
	wide, err := domain.NewWide(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{len(file), 1 << 12, 13} {
		e, err := NewEncode(EncodeParams{Options: o, Columns: []Wanted{{1, spec}}})
		if err != nil {
			t.Fatal(err)
		}
		persons, err := NewEncode(EncodeParams{Options: o, Columns: []Wanted{{1, spec}}, Person: 1,
			Use: &Use{Rows: 1, Groups: 2, Column: 1}, Source: coin.NewSeeded(5)})
		if err != nil {
			t.Fatal(err)
		}
		for _, pass := range []Pass{e, persons} {
			if err := inPieces(pass, file, size); err != nil {
				t.Fatal(err)
			}
		}
		got := e.Result()
		if got.N != int64(len(cells)) {
			t.Fatalf("%d rows of %d cells", got.N, len(cells))
		}
		who, groups := map[string]bool{}, map[string]bool{}
		for i, cell := range cells {
			code, ok := wideCodeOf(wide, []byte(cell))
			if got.Texts[0].Has(i) != ok || !bytes.Equal(got.Texts[0].Code(i), code) {
				t.Fatalf("%q came as %q", cell, got.Texts[0].Code(i))
			}
			who[string(personOf([]byte(cell)))] = true
			if group := groupOf([]byte(cell)); len(group) > 0 {
				groups[string(group)] = true
			}
		}
		labels := map[string]bool{}
		all := persons.Result()
		for i := range all.Texts[0].Len() {
			if all.Texts[0].Has(i) {
				labels[string(all.Texts[0].Code(i))] = true
			}
		}
		if all.N != int64(len(who)) || !maps.Equal(labels, groups) {
			t.Errorf("%d persons of %d, %d groups of %d", all.N, len(who), len(labels), len(groups))
		}
	}
	want := marksOf(t, secret, file).Rows
	for name, other := range map[string]string{
		"quoted":     written(rows, ",", "\n", true),
		"semicolons": written(rows, ";", "\n", true),
		"CRLF":       written(rows, ",", "\r\n", true),
	} {
		if marksOf(t, secret, []byte(other)).Rows != want {
			t.Errorf("%s: the rows are others", name)
		}
	}
}
