package table

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
)

// plainCSV are decided options for a comma-separated file with a header.
func plainCSV(columns int) Options {
	return Options{Encoding: UTF8, Delimiter: ",", Header: Yes, Columns: columns}
}

func encode(t testing.TB, p EncodeParams, pieces ...[]byte) *Encoded {
	t.Helper()
	e, err := NewEncode(p)
	if err != nil {
		t.Fatal(err)
	}
	push(t, e, pieces...)
	return e.Result()
}

// show writes a column with - for none.
func show(e *Encoded, k int) string {
	var b strings.Builder
	if c := e.Columns[k]; c != nil {
		for i := range c.Len() {
			if code, ok := c.Code(i); ok {
				fmt.Fprintf(&b, "%s ", c.Domain().Decode(code))
			} else {
				b.WriteString("- ")
			}
		}
	} else {
		c := e.Texts[k]
		for i := range c.Len() {
			if c.Has(i) {
				fmt.Fprintf(&b, "%s ", c.Domain().Decode(c.Code(i)))
			} else {
				b.WriteString("- ")
			}
		}
	}
	return strings.TrimSpace(b.String())
}

var (
	ages  = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}
	names = domain.Spec{Kind: domain.Text, Length: 20}
)

const visits = "id,age,name,n\na,31,Ann,2\nb,,Bob,1\n,40,Nobody,0\na,32,Ann again,x\n ,41,Nobody " +
	"too,\nshort\nc,200,,3\nd,12,\"D, \"\"the\"\" boy\",4,extra\n"

func TestEncode(t *testing.T) {
	e := encode(t, EncodeParams{Options: plainCSV(4), Columns: []Wanted{{2, ages}, {3, names}}},
		[]byte(visits))
	if e.N != 8 || e.Rows != 8 {
		t.Errorf("n = %d, %d rows", e.N, e.Rows)
	}
	if got, want := show(e, 0), "31 - 40 32 41 - - -"; got != want {
		t.Errorf("ages %s, want %s", got, want)
	}
	if got, want := show(e, 1), "Ann Bob Nobody Ann again Nobody too - - -"; got != want {
		t.Errorf("names %s, want %s", got, want)
	}
	keep := plainCSV(4)
	keep.Ragged = Keep
	e = encode(t, EncodeParams{Options: keep, Columns: []Wanted{{2, ages}, {3, names}}, Rows: 3},
		[]byte(visits))
	if got, want := show(e, 0)+" "+show(e, 1),
		`31 - 40 32 41 - - 12 Ann Bob Nobody Ann again Nobody too - - D, "the" boy`; got != want {
		t.Errorf("ragged rows kept: %s, want %s", got, want)
	}
}

func TestEncodeFilter(t *testing.T) {
	for _, c := range []struct {
		name   string
		filter []Condition
		want   string
	}{
		{"range", []Condition{{Column: 2, Spec: ages, From: "32", To: "40"}}, "- - 40 32 - - - -"},
		{"open range", []Condition{{Column: 2, Spec: ages, From: "40"}}, "- - 40 - 41 - - -"},
		{"not", []Condition{{Column: 2, Spec: ages, To: "31", Not: true}}, "- - 40 32 41 - - -"},
		{"list", []Condition{
			{Column: 1, Spec: domain.Spec{
				Kind: domain.Category, Categories: []string{"a", "b", "c"}},
				In: []string{"c", "a"}}}, "31 - - 32 - - - -"},
		{"not in the list",
			[]Condition{
				{Column: 1, Spec: domain.Spec{Kind: domain.Text, Length: 4}, In: []string{"a"},
					Not: true}}, "- - - - 41 - - -"},
		{"has a value", []Condition{{Column: 4, Spec: ages}}, "31 - 40 - - - - -"},
		{"has none", []Condition{{Column: 4, Spec: ages, Not: true}}, "- - - 32 41 - - -"},
		{"both", []Condition{{Column: 2, Spec: ages, From: "32"}, {Column: 4, Spec: ages}},
			"- - 40 - - - - -"},
	} {
		e := encode(
			t, EncodeParams{Options: plainCSV(4), Columns: []Wanted{{2, ages}}, Filter: c.filter},
			[]byte(visits))
		if got := show(e, 0); got != c.want || e.N != 8 {
			t.Errorf("%s: %s (n = %d), want %s", c.name, got, e.N, c.want)
		}
	}
}

func TestEncodeCount(t *testing.T) {
	e := encode(t, EncodeParams{Options: plainCSV(4), Columns: []Wanted{{2, ages}}, Count: 4},
		[]byte(visits))
	// x, an empty cell, and what ragged rows may have stand for nobody.
	if want := []uint64{2, 1, 0, 0, 0, 0, 3, 0}; e.N != 6 || !slices.Equal(e.Counts, want) {
		t.Errorf("n = %d, counts %v, want %v", e.N, e.Counts, want)
	}
	if len(e.Problems) != 1 || e.Problems[0].Kind != "badCount" || e.Problems[0].Count != 2 {
		t.Errorf("problems %+v", e.Problems)
	}
	counts, none, err := e.Histogram(0)
	if err != nil || counts[31] != 2 || none != 4 || len(counts) != 121 {
		t.Errorf("histogram: 31 stands for %d, none for %d, %v", counts[31], none, err)
	}
	codes, persons, none, err := e.Counted(0, nil)
	if err != nil || !slices.Equal(codes, []uint64{31}) || !slices.Equal(persons, []int64{2}) ||
		none != 4 {
		t.Errorf("counted: %v %v, none %d, %v", codes, persons, none, err)
	}
	many := "n\n" + strings.Repeat("9007199254740992\n", 513)
	p, err := NewEncode(EncodeParams{Options: plainCSV(1), Columns: []Wanted{{1, ages}}, Count: 1})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Write([]byte(many)); err != ErrTooMany {
		t.Errorf("more than 2^62 persons: %v", err)
	}
	if err := p.Write([]byte(many)); err != ErrAfterEnd {
		t.Errorf("after the error: %v", err)
	}
	if err := p.Close(); err != ErrTooMany {
		t.Errorf("at the end: %v", err)
	}
}

func TestCounted(t *testing.T) {
	file := []byte("v,n\n5,2\n3,1\n5,4\n,7\n3,0\n9,0\n")
	for _, c := range []struct {
		count  int
		codes  []uint64
		counts []int64
		none   int64
	}{
		{0, []uint64{3, 5, 9}, []int64{2, 2, 1}, 1},
		{2, []uint64{3, 5}, []int64{1, 6}, 7},
	} {
		e := encode(
			t, EncodeParams{Options: plainCSV(2), Columns: []Wanted{{1, ages}, {1, names}},
				Count: c.count}, file)
		codes, counts, none, err := e.Counted(0, nil)
		if err != nil || !slices.Equal(codes, c.codes) || !slices.Equal(counts, c.counts) ||
			none != c.none {
			t.Errorf("counted: %v %v, none %d, %v", codes, counts, none, err)
		}
		all, none, err := e.Histogram(0)
		if err != nil || none != c.none {
			t.Errorf("histogram: none %d, %v", none, err)
		}
		for i, code := range c.codes {
			if all[code] != c.counts[i] {
				t.Errorf("histogram: %d stands for %d, want %d", code, all[code], c.counts[i])
			}
		}
		var refused *param.Error
		if _, _, _, err := e.Counted(1, nil); !errors.As(err, &refused) {
			t.Errorf("counted texts: %v", err)
		}
		if _, _, err := e.Histogram(1); !errors.As(err, &refused) {
			t.Errorf("a histogram of texts: %v", err)
		}
		sorted, err := e.Sorted(0, nil)
		if (c.count == 0) != (err == nil) || err == nil &&
			!slices.Equal(sorted, []uint64{3, 3, 5, 5, 9}) {
			t.Errorf("sorted: %v, %v", sorted, err)
		}
	}
	large := encode(
		t, EncodeParams{
			Options: plainCSV(2), Columns: []Wanted{{1, domain.Spec{Kind: domain.Integer}}}}, file)
	var refused *param.Error
	if _, _, err := large.Histogram(0); !errors.As(err, &refused) {
		t.Errorf("a histogram of every int64: %v", err)
	}
}

func TestEncodePerson(t *testing.T) {
	p := EncodeParams{Options: plainCSV(4), Columns: []Wanted{{2, ages}, {3, names}}, Person: 1,
		Source: coin.NewSeeded(1)}
	e := encode(t, p, []byte(visits))
	// a, b, the empty ones (with the two ragged rows), c
	if e.N != 4 || e.Rows != 8 || e.Columns[0].Len() != 4 || e.Texts[1].Len() != 4 {
		t.Fatalf("n = %d of %d rows, %d kept", e.N, e.Rows, e.Columns[0].Len())
	}
	ragged := plainCSV(4)
	ragged.Ragged = Keep
	p.Options, p.Source = ragged, coin.NewSeeded(2)
	if e := encode(t, p, []byte(visits)); e.N != 6 { // short and d are persons too
		t.Fatalf("n = %d", e.N)
	}
}

// The exact law of the rows kept: every row of a person with probability one over their number, and
// persons independently of each other.
func TestPersonDrawIsUniform(t *testing.T) {
	file := []byte("id,v\nx,0\ny,5\nx,1\nx,2\ny,6\nx,3\n")
	law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
		p := EncodeParams{Options: plainCSV(2), Columns: []Wanted{{2, ages}}, Person: 1,
			Source: coin.NewSeeded(1)}
		e, err := NewEncode(p)
		if err != nil {
			return "", err
		}
		e.persons.src = src // the key is not enumerated
		push(t, e, file)
		return show(e.Result(), 0), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []string{"0", "1", "2", "3"} {
		for _, y := range []string{"5", "6"} {
			if got := law.Mass(x + " " + y); got.Cmp(big.NewRat(1, 8)) != 0 {
				t.Errorf("rows %s and %s are kept with probability %s, want 1/8", x, y,
					got.RatString())
			}
		}
	}
}

func TestPersonsMany(t *testing.T) {
	p := newPersons(coin.NewSeeded(3), sipKey{1, 2}, false)
	r := rand.New(rand.NewPCG(1, 2))
	first := map[string]int{}
	for range 50000 {
		id := fmt.Sprint("person ", r.IntN(20000))
		p.reserve(1)
		at, isNew, _, err := p.take(p.key.hash([]byte(id)), 0)
		if err != nil {
			t.Fatal(err)
		}
		if old, known := first[id]; known == isNew || known && old != at {
			t.Fatalf("%s: at %d, new %v; before at %d, known %v", id, at, isNew, old, known)
		}
		first[id] = at
	}
	if p.n != len(first) {
		t.Errorf("%d persons, want %d", p.n, len(first))
	}
}

// The first two of vectors_sip128 in the authors' reference implementation
// (github.com/veorq/SipHash): key 00 01 … 0f, text 00 01 … (n−1).
func TestSipHash(t *testing.T) {
	key := sipKey{0x0706050403020100, 0x0f0e0d0c0b0a0908}
	text := make([]byte, 64)
	for i := range text {
		text[i] = byte(i)
	}
	for n, want := range map[int][2]uint64{
		0: {0xe6a825ba047f81a3, 0x930255c71472f66d},
		1: {0x44af996bd8c187da, 0x45fc229b11597634},
	} {
		if got := key.hash(text[:n]); got != want {
			t.Errorf("%d bytes: %016x, want %016x", n, got, want)
		}
	}
}

func TestEncodeProblems(t *testing.T) {
	file := "a,b\n1,2024-01-01\nx,\nN/A,1.2.2024\n\"1,5\",2024-01-02\n,2023-02-29\n"
	e := encode(
		t, EncodeParams{
			Options: plainCSV(2),
			Columns: []Wanted{{1, ages}, {2, domain.Spec{Kind: domain.Date}}}}, []byte(file))
	got := fmt.Sprintf("%+v", e.Problems)
	for _, p := range e.Problems {
		if p.Kind != "unreadable" {
			t.Errorf("a problem of kind %s", p.Kind)
		}
	}
	if len(e.Problems) != 2 || e.Problems[0].Count != 3 || e.Problems[1].Count != 2 {
		t.Fatalf("problems %s", got)
	}
	a := e.Problems[0]
	if a.Text.String() != "a cell of column 1 is not a whole number" ||
		a.Places[0] != (Place{Row: 3, Line: 3, Column: 1, Byte: 17, Cell: "x"}) ||
		a.Repair == nil || fmt.Sprint(*a.Repair) != "{Count the usual words for “no value” as "+
		"missing missing "+strings.Join(naTexts, ", ")+" 1}" {
		t.Errorf("column 1: %+v, repair %+v", a, a.Repair)
	}
	b := e.Problems[1]
	if b.Text.String() != `a cell of column 2 is not a date as "YYYY-MM-DD"` ||
		b.Places[1] != (Place{Row: 6, Line: 6, Column: 2, Byte: 51, Cell: "2023-02-29"}) {
		t.Errorf("column 2: %+v", b)
	}
}

func TestEncodeRefuses(t *testing.T) {
	ok := EncodeParams{Options: plainCSV(2), Columns: []Wanted{{1, ages}}}
	with := func(change func(*EncodeParams)) EncodeParams {
		p := ok
		change(&p)
		return p
	}
	for _, c := range []struct {
		p    EncodeParams
		want string
	}{
		{with(func(p *EncodeParams) { p.Columns = nil }),
			`table: columns is empty, want at least one column`},
		{with(func(p *EncodeParams) { p.Columns = []Wanted{{3, ages}} }),
			`table: column is 3, want 1 to 2`},
		{with(func(p *EncodeParams) { p.Columns = []Wanted{{0, ages}} }),
			`table: column is 0, want 1 to 2`},
		{with(func(p *EncodeParams) { p.Columns[0].Spec.Hi = "x" }),
			`domain: hi is "x", want a whole number such as "-12"`},
		{with(func(p *EncodeParams) { p.Person = 3 }),
			`table: person is 3, want 1 to 2, or 0 for none`},
		{with(func(p *EncodeParams) { p.Count = -1 }),
			`table: count is -1, want 1 to 2, or 0 for none`},
		{with(func(p *EncodeParams) { p.Person, p.Count = 1, 2 }),
			`table: count is 2, want 0, because there is a person column`},
		{with(func(p *EncodeParams) { p.Person = 1 }),
			`table: source is nil, want a source of coins, to draw one row of each person`},
		{with(func(p *EncodeParams) { p.Filter = []Condition{{Column: 9, Spec: ages}} }),
			`table: filter.column is 9, want 1 to 2`},
		{with(func(p *EncodeParams) {
			p.Filter = []Condition{{Column: 1, Spec: ages, From: "-1"}}
		}), `table: filter.from is "-1", want one of the whole numbers from 0 to 120`},
		{with(func(p *EncodeParams) {
			p.Filter = []Condition{{Column: 1, Spec: ages, From: "5", To: "4"}}
		}), `table: filter.to is "4", want at least 5`},
		{with(func(p *EncodeParams) {
			p.Filter = []Condition{{Column: 1, Spec: ages, From: "5", In: []string{"4"}}}
		}), `table: filter.in is ["4"], want nothing, because there are bounds`},
		{with(func(p *EncodeParams) { p.Filter = []Condition{{Column: 1, Spec: names}} }),
			`domain: length is "20", want at most 8: codes of longer texts are wide`},
		{with(func(p *EncodeParams) { p.Options.Encoding = "" }),
			`table: encoding is "", want one of ` + strings.Join(Encodings(), ", ")},
		{with(func(p *EncodeParams) { p.Options.Header = "" }),
			`table: header is "", want one of yes, no`},
		{with(func(p *EncodeParams) { p.Options.Columns = 0 }),
			`table: columns is 0, want 1 to 100000`},
		{with(func(p *EncodeParams) { p.Options.Delimiter = "" }),
			`table: delimiter is "", want one ASCII character other than a letter, digit, quote or line end, such as ","`},
		{with(func(p *EncodeParams) { p.Options.Delimiter = "a" }),
			`table: delimiter is "a", want one ASCII character other than a letter, digit, quote or line end, such as ","`},
		{with(func(p *EncodeParams) { p.Options.Compression = "zip" }),
			`table: compression is "zip", want one of none, gzip`},
		{with(func(p *EncodeParams) { p.Options.MaxRowBytes = -1 }),
			`table: maxRowBytes is -1, want 1 to 1073741824`},
	} {
		c.p.Columns = slices.Clone(c.p.Columns)
		e, err := NewEncode(c.p)
		var refused *param.Error
		if e != nil || !errors.As(err, &refused) || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		ok.Columns = []Wanted{{1, ages}}
	}
}

func TestMemory(t *testing.T) {
	whole := domain.Spec{Kind: domain.Integer}
	p := EncodeParams{Options: plainCSV(2), Columns: []Wanted{{1, ages}, {2, whole}}, Rows: 100e6,
		Memory: 1 << 30}
	var tooMuch *MemoryError
	if _, err := NewEncode(p); !errors.As(err, &tooMuch) ||
		tooMuch.Need != (9+8+8)*100e6+100e6/8+64<<20 {
		t.Errorf("got %v", err)
	} else if want := "table: these columns need about 2.6 GB of memory; the limit is 1.1 GB: " +
		"choose fewer columns or narrower domains, or count equal rows elsewhere with SQL and " +
		"open the file of values and counts"; err.Error() != want {
		t.Errorf("got  %s\nwant %s", err, want)
	}
	// Without a survey it shows on the way.
	p = EncodeParams{
		Options: plainCSV(1), Columns: []Wanted{{1, domain.Spec{Kind: domain.Text, Length: 1000}}},
		Memory: 70 << 20}
	e, err := NewEncode(p)
	if err != nil {
		t.Fatal(err)
	}
	chunk := []byte(strings.Repeat(strings.Repeat("x", 99)+"\n", 1000))
	for err == nil && e.Bytes() < 20<<20 {
		err = e.Write(chunk)
	}
	if !errors.As(err, &tooMuch) {
		t.Errorf("got %v after %d bytes", err, e.Bytes())
	}
	e.Close()
}

// Codes of every width, none among them, come back from where they were put, in every order.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, hi := range []string{"254", "255", "65534", "65535", "4294967294", "4294967295",
		"9223372036854775807"} {
		d, err := domain.New(domain.Spec{Kind: domain.Integer, Lo: "0", Hi: hi})
		if err != nil {
			t.Fatal(err)
		}
		checkColumn(t, r, d)
	}
	whole, err := domain.New(domain.Spec{Kind: domain.Integer})
	if err != nil {
		t.Fatal(err)
	}
	checkColumn(t, r, whole)
	if w, full := columnWidth(whole); w != 8 || !full {
		t.Errorf("every int64 in %d bytes, %v", w, full)
	}
}

func checkColumn(t *testing.T, r *rand.Rand, d domain.Domain) {
	t.Helper()
	type cell struct {
		code uint64
		ok   bool
	}
	size := d.Size()
	last := size.Sub(size, d.Size().SetInt64(1)).Uint64()
	c := newColumn(d, 5)
	var want []cell
	for i := range 200 {
		x := cell{r.Uint64(), r.IntN(3) > 0}
		if last != math.MaxUint64 {
			x.code %= last + 1
		}
		if i%7 == 0 {
			x.code = last
		}
		if i > 10 && r.IntN(3) == 0 {
			at := r.IntN(len(want))
			want[at] = x
			c.store.set(at, x.code, x.ok)
			continue
		}
		want = append(want, x)
		c.store.append(x.code, x.ok)
	}
	var present []uint64
	for i, x := range want {
		code, ok := c.Code(i)
		if ok != x.ok || ok && code != x.code {
			t.Fatalf("%s: row %d is %d, %v, want %d, %v", d.Describe(), i, code, ok, x.code, x.ok)
		}
		if ok {
			present = append(present, code)
		}
	}
	for from := range want {
		codes, has := make([]uint64, len(want)-from), make([]bool, len(want)-from)
		c.Codes(from, codes, has)
		for i, x := range want[from:] {
			if has[i] != x.ok || x.ok && codes[i] != x.code {
				t.Fatalf("%s: row %d is read as %d, %v, want %d, %v", d.Describe(), from+i,
					codes[i], has[i], x.code, x.ok)
			}
		}
	}
	sorted, err := c.Sorted(nil)
	if err != nil || sorted.Len() != len(present) {
		t.Fatalf("%s: %d sorted, %v", d.Describe(), sorted.Len(), err)
	}
	for i, code := range slices.Sorted(slices.Values(present)) {
		if sorted.Number(i).Uint64() != code {
			t.Fatalf("%s: place %d holds %v, want %d", d.Describe(), i, sorted.Number(i), code)
		}
	}
	if c.Len() != len(want) || !slices.Equal(c.Present(), present) {
		t.Fatalf("%s: %d rows, want %d", d.Describe(), c.Len(), len(want))
	}
}

// Texts are written over many times, so that the column compacts itself.
func TestTextColumn(t *testing.T) {
	w, err := domain.NewWide(domain.Spec{Kind: domain.Bytes, Length: 1 << 17})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(4, 4))
	c := newTextColumn(w, 0)
	var want []string
	most := 0
	for i := range 3000 {
		text := strings.Repeat(string(rune('a'+r.IntN(26))), r.IntN(20000))
		ok := r.IntN(10) > 0
		if i < 100 {
			err = c.append([]byte(text), ok)
			want = append(want, "")
		} else {
			err = c.set(i%100, []byte(text), ok)
		}
		if err != nil {
			t.Fatal(err)
		}
		want[i%100] = text
		if !ok {
			want[i%100] = "none"
		}
		most = max(most, len(c.blocks))
	}
	for i, text := range want {
		if c.Has(i) != (text != "none") || c.Has(i) && string(c.Code(i)) != text {
			t.Fatalf("row %d holds %d bytes, want %d", i, len(c.Code(i)), len(text))
		}
	}
	if most > 8 {
		t.Errorf("%d blocks for about a million bytes", most)
	}
	sorted, rows, err := c.Sorted(nil)
	if err != nil || sorted.Len() != len(rows) || len(rows) != len(c.Rows()) {
		t.Fatal("sorted", err)
	}
	for i := 1; i < len(rows); i++ {
		if want[rows[i-1]] > want[rows[i]] {
			t.Fatal("not in order")
		}
	}
}
