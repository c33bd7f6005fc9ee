package ask

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

// TestColumnsAreKept: a question about columns already read for other questions reads nothing, in
// any combination, and gets the same values as from a fresh read.
func TestColumnsAreKept(t *testing.T) {
	file := []byte("age,sick,n\n3,yes,2\nfour,no,5\n5,maybe,1\n")
	for _, count := range []int{0, 3} {
		s := open(t, file)
		age := question(s, ageDomain)
		age.Count = count
		dataOf(t, s, age, file)
		both := clone(age)
		both.Others = []Field{{Role: "outcome", Column: 2, Domain: yesNo},
			{Role: "feature", Column: 1, Domain: ageDomain}}
		reads, ok := pass(t, s, both).(*encodePass[one])
		if !ok || len(reads.columns) != 1 || reads.columns[0].Column != 2 {
			t.Fatalf("reads %+v, want the second column alone", reads)
		}
		if err := ReadAll(reads, file); err != nil {
			t.Fatal(err)
		}
		kept, problems := dataOf(t, s, both, file), s.Problems()
		fresh := open(t, file)
		want := dataOf(t, fresh, both, file)
		same := func(a, b *Column) bool {
			for i := range 3 {
				x, ok := a.Codes.Code(i)
				y, is := b.Codes.Code(i)
				if x != y || ok != is {
					return false
				}
			}
			return slices.Equal(a.Counts, b.Counts)
		}
		if !same(kept.Main, want.Main) || !same(kept.Others[0], want.Others[0]) ||
			!same(kept.Others[1], want.Others[1]) {
			t.Error("what is kept differs from what is read")
		}
		if len(problems) != 1 || KeyOf(problems) != KeyOf(fresh.Problems()) {
			t.Errorf("problems %+v, want %+v", problems, fresh.Problems())
		}
		swapped := clone(both)
		swapped.Others = swapped.Others[:1]
		for _, r := range []Recipe{age, both, swapped, age} {
			if pass(t, s, r) != nil {
				t.Errorf("reads again for %+v", r)
			}
		}
		for _, other := range []func(*Recipe){
			func(r *Recipe) { r.Domain.Hi = "90" },
			func(r *Recipe) { r.Filter = []table.Condition{{Column: 2, Spec: yesNo}} },
			func(r *Recipe) { r.Count = 3 - r.Count },
		} {
			r := clone(age)
			other(&r)
			if pass(t, s, r) == nil {
				t.Errorf("does not read for %+v", r)
			}
		}
	}
}

// TestPersonsAreKeptTogether: one row of each person is drawn in a reading, so columns of two
// readings do not belong together.
func TestPersonsAreKeptTogether(t *testing.T) {
	file := []byte("id,age,sick\na,1,yes\na,2,no\nb,3,no\n")
	s := open(t, file)
	age := question(s, ageDomain)
	age.Person, age.Column = 1, 2
	dataOf(t, s, age, file)
	both := clone(age)
	both.Others = []Field{{Role: "outcome", Column: 3, Domain: yesNo}}
	if reads := pass(t, s, both).(*encodePass[one]); len(reads.columns) != 2 {
		t.Errorf("reads %+v, want both columns", reads.columns)
	}
	dataOf(t, s, both, file)
	if pass(t, s, age) != nil {
		t.Error("reads again what it has read")
	}
}

// TestShelfIsTrimmed: what was not used for longest is forgotten first, and never what is asked
// about.
func TestShelfIsTrimmed(t *testing.T) {
	file := []byte("age,sick\n" + strings.Repeat("3,yes\n", 1000))
	s := open(t, file)
	var recipes []Recipe
	for _, hi := range []string{"90", "80", "70"} {
		r := question(s, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: hi})
		dataOf(t, s, r, file)
		recipes = append(recipes, r)
	}
	dataOf(t, s, recipes[0], file) // used again
	one := s.held.Bytes()
	s.shelf.trim(2*one, recipes[2])
	for i, want := range []int{0, 1, 0} {
		if missing := s.shelf.missing(recipes[i]); len(missing) != want {
			t.Errorf("recipe %d: %d columns are missing, want %d", i, len(missing), want)
		}
	}
	s.shelf.trim(0, recipes[2])
	if len(s.shelf.kept) != 1 || len(s.shelf.missing(recipes[2])) != 0 {
		t.Errorf("%d are kept, want the one that is asked about", len(s.shelf.kept))
	}
	other := s.With(coin.NewSeeded(2))
	dataOf(t, other, recipes[1], file)
	if len(s.shelf.missing(recipes[1])) != 1 {
		t.Error("another session's column is kept in this one")
	}
}

// TestExpectedColumnsAreReadAhead: expected columns are read together with those asked for, and the
// copies kept equal a fresh read, also where cells have no value, rows are short or stand for
// several persons, and under a condition.
func TestExpectedColumnsAreReadAhead(t *testing.T) {
	file := []byte("age,sick,n,day,size\n3,yes,2,2026-01-02,1.5\nfour,no,5,x,\n5,maybe,-1\n" +
		"\"6\",\" yes \",1,2026-02-30,9e9\n7,no,many,2026-03-01,0.5\n,,,,\n")
	day := domain.Spec{Kind: domain.Date, Lo: "2026-01-01", Hi: "2026-12-31"}
	expected := []table.Wanted{
		{Column: 1, Spec: domain.Spec{Kind: domain.Integer, Lo: "4", Hi: "5"}}, // asked otherwise
		{Column: 2, Spec: yesNo}, {Column: 4, Spec: day}, {Column: 4, Spec: ageDomain},
		{Column: 5, Spec: domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "10", Step: "0.5",
			Outside: domain.Clamp}},
		{Column: 3, Spec: ageDomain}, {Column: 99, Spec: yesNo}, {Column: 0, Spec: yesNo}, {},
		{Column: 5, Spec: domain.Spec{Kind: domain.Text, Length: 50}},
	}
	for _, count := range []int{0, 3} {
		for _, filter := range [][]table.Condition{nil, {{Column: 2, Spec: yesNo}}} {
			s := open(t, file)
			s.Expect(expected)
			age := question(s, ageDomain)
			age.Count, age.Filter = count, filter
			reading, err := s.Ahead(age)
			if err != nil {
				t.Fatal(err)
			}
			if err := ReadAll(reading, file); err != nil {
				t.Fatal(err)
			}
			asked := []table.Wanted{{Column: 1, Spec: ageDomain}, expected[1], expected[2],
				expected[4]}
			if count == 0 {
				asked = append(asked, expected[5])
			}
			for _, w := range asked {
				params := age.Reads(*s.opened)
				params.Columns = []table.Wanted{w}
				anew, err := table.NewEncode(params)
				if err != nil {
					t.Fatal(err)
				}
				if err := ReadAll(anew, file); err != nil {
					t.Fatal(err)
				}
				kept := s.shelf.kept[KeyOf(peopleKey(age), filter, w)]
				if got, want := told(kept), told(anew.Result()); got != want {
					t.Errorf("count %d, %d conditions, column %d:\n%s\nis kept, and read is\n%s",
						count, len(filter), w.Column, got, want)
				}
			}
			if len(s.shelf.kept) != len(asked) {
				t.Errorf("%d columns are kept, want %d", len(s.shelf.kept), len(asked))
			}
		}
	}
}

// told is all that there is to tell of a column that was read.
func told(e *table.Encoded) string {
	if e == nil {
		return "nothing"
	}
	text := fmt.Sprint(e.N, e.Rows, e.Counts, KeyOf(append([]table.Problem{}, e.Problems...)))
	for i := range e.Columns[0].Len() {
		code, ok := e.Columns[0].Code(i)
		text += fmt.Sprint(" ", code, ok)
	}
	return text
}

// TestWhatIsExpectedNeverRefuses: it takes a bounded memory, is nothing where a column names the
// persons, and is left out when somebody waits, until half of the file is read.
func TestWhatIsExpectedNeverRefuses(t *testing.T) {
	file := []byte("age,sick\n" + strings.Repeat("3,yes\n", 1000))
	s := open(t, file)
	s.Expect([]table.Wanted{{Column: 2, Spec: yesNo}})
	r := question(s, ageDomain)
	ahead := func(r Recipe) *encodePass[one] {
		p, err := s.Ahead(r)
		if err != nil {
			t.Fatal(err)
		}
		return p.(*encodePass[one])
	}
	missing := []table.Wanted{{Column: 1, Spec: ageDomain}}
	for free, want := range map[int64]int{999: 1, 1000: 2, 1 << 40: 2, -1: 1} {
		got := s.shelf.with(s.expected, missing, r, *s.opened, free)
		if len(got) != want {
			t.Errorf("with %d bytes free %d columns are read, want %d", free, len(got), want)
		}
	}
	large := *s.opened
	large.Rows = aheadBytes + 1
	if got := s.shelf.with(s.expected, missing, r, large, 1<<40); len(got) != 1 {
		t.Errorf("%d columns are read of a large file, want 1", len(got))
	}
	persons := clone(r)
	persons.Person = 1
	if p := ahead(persons); len(p.columns) != 1 {
		t.Errorf("%d columns are read of persons, want 1", len(p.columns))
	}
	for _, c := range []struct{ read, want int }{{0, 1}, {len(file) / 3, 1}, {len(file) - 1, 2}} {
		s.shelf = newShelf()
		p := ahead(r)
		if err := p.Write(file[:c.read]); err != nil {
			t.Fatal(err)
		}
		p.Narrow()
		if err := p.Write(file[c.read:]); err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if len(s.shelf.kept) != c.want {
			t.Errorf("narrowed after %d bytes: %d columns are kept, want %d", c.read,
				len(s.shelf.kept), c.want)
		}
		if d, err := s.Data(r); err != nil || d.Main.Codes.Len() != 1000 {
			t.Errorf("narrowed after %d bytes: error %v", c.read, err)
		}
		s.held = nil
	}
}
