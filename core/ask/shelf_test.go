package ask

import (
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

// TestColumnsAreKept: a question about columns that were read for others reads nothing, whatever
// they are combined with, and is told the same as if it had been read anew.
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
