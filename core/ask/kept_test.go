package ask

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
	"hush/core/table"
)

// TestNothingIsKeptOfAFile: once another file is opened, nothing that was read, counted or released
// of the one before is at hand, and no further case can be asked.
func TestNothingIsKeptOfAFile(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	r.Params = Params{"together": "3"}
	r.Person = 2
	dataOf(t, s, r, file)
	if _, err := s.Run(r, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Label([]string{"a"}); err != nil {
		t.Fatal(err)
	}
	survey, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Label([]string{"a"}); err != ErrEnded {
		t.Errorf("a further case while another file is opened: %v", err)
	}
	other := []byte(strings.Replace(string(file), "5,maybe,1", "5,maybe,9", 1))
	if err := ReadAll(survey, other); err != nil {
		t.Fatal(err)
	}
	if s.held != nil || s.key != "" || len(s.people) > 0 || s.going != nil || s.ready != nil ||
		s.last != nil {
		t.Errorf("kept: %v, %q, %v, %v, %v, %v", s.held, s.key, s.people, s.going, s.ready, s.last)
	}
	if _, err := s.Data(r); err != ErrNotRead {
		t.Errorf("columns of the file before: %v", err)
	}
	if _, err := s.Plan(r); !errors.Is(err, ErrNotRead) {
		t.Errorf("people of the file before: %v", err)
	}
	if _, err := s.Run(r, nil); err == nil {
		t.Error("a question about the file before is answered")
	}
	if pass(t, s, r) == nil {
		t.Error("columns of the file before are on the shelf")
	}
}

// TestFurtherCasesEnd: they end with the next release, with what refuses them for good, and are not
// those of a copy of the session; and nothing that a copy reads is on the first one's shelf.
func TestFurtherCasesEnd(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	r.Params = Params{"together": "4"}
	dataOf(t, s, r, file)
	if _, err := s.Run(r, nil); err != nil {
		t.Fatal(err)
	}
	with := s.With(coin.NewSeeded(2))
	if _, err := with.Label([]string{"a"}); err != ErrEnded {
		t.Errorf("a copy goes on with the cases of the first: %v", err)
	}
	if with.shelf == s.shelf {
		t.Error("a copy reads onto the first one's shelf")
	}
	once := clone(r)
	once.Params = Params{"together": "1"}
	if _, err := s.Run(once, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Label([]string{"a"}); err != ErrEnded {
		t.Errorf("cases go on beside another release: %v", err)
	}
	if _, err := s.Run(r, nil); err != nil {
		t.Fatal(err)
	}
	s.going.question = ended{s.going.question}
	if _, err := s.Label([]string{"a"}); !errors.Is(err, ErrEnded) || s.going != nil {
		t.Errorf("cases that have ended: %v, going on %v", err, s.going != nil)
	}
}

// ended is a question whose cases have ended.
type ended struct{ Lasting }

func (ended) More(Result, []string) (Result, bool, error) { return nil, false, ErrEnded }

// TestKeysTellReadingsApart: what is read for one recipe is asked by another only if both read the
// same rows, persons and columns; and a question asks its own reading.
func TestKeysTellReadingsApart(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	r.Person = 2
	dataOf(t, s, r, file)
	for name, change := range map[string]func(r *Recipe){
		"person": func(r *Recipe) { r.Person = 3 },
		"count":  func(r *Recipe) { r.Person, r.Count = 0, 3 },
		"use":    func(r *Recipe) { r.Use = &table.Use{Rows: 2} },
		"condition": func(r *Recipe) {
			r.Filter = []table.Condition{{Column: 2, Spec: yesNo}}
		},
		"column": func(r *Recipe) { r.Column = 3 },
		"domain": func(r *Recipe) { r.Domain.Hi = "99" },
	} {
		other := clone(r)
		change(&other)
		if ColumnKey(other) == ColumnKey(r) {
			t.Errorf("%s: another reading has the same key", name)
		}
		if _, err := s.Data(other); err != ErrNotRead {
			t.Errorf("%s: data are those of another reading, %v", name, err)
		}
		if _, err := s.Run(other, nil); err == nil {
			t.Errorf("%s: a question is asked of what was read for another", name)
		}
	}
	for name, change := range map[string]func(r *Recipe){
		"person": func(r *Recipe) { r.Person = 3 },
		"count":  func(r *Recipe) { r.Person, r.Count = 0, 3 },
		"table":  func(r *Recipe) { r.Table.Columns++ },
	} {
		other := clone(r)
		change(&other)
		if peopleKey(other) == peopleKey(r) {
			t.Errorf("%s: other persons have the same key", name)
		}
		if _, err := s.Plan(other); err == nil {
			t.Errorf("%s: people are counted for another recipe", name)
		}
	}
}

// TestChangedFileIsRefused: a file with as many rows and other bytes, or the other way round, is
// not the one that was opened.
func TestChangedFileIsRefused(t *testing.T) {
	file := threeRows()
	for name, other := range map[string]string{
		"as many rows":  "age,sick,n\n3,yes,2\n4,no,5\n5,maybe,11\n",
		"as many bytes": "age,sick,n\n3,yes,2\n4,no,5\n5,ma\n,,1\n",
	} {
		s := open(t, file)
		r := question(s, ageDomain)
		if err := ReadAll(pass(t, s, r), []byte(other)); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOriginIsTheSource: a release says where its coins came from.
func TestOriginIsTheSource(t *testing.T) {
	file := threeRows()
	s := open(t, file)
	r := question(s, ageDomain)
	dataOf(t, s, r, file)
	release, err := s.Run(r, nil)
	if err != nil || release.Origin != coin.Seeded {
		t.Errorf("seeded coins are %q, %v", release.Origin, err)
	}
	if src := coin.NewCrypto(); NewSession(one{}, src).src != src {
		t.Error("a session draws from another source than it was given")
	}
}

// TestEntriesShareDelta: where a person has several entries, δ of each is what makes the person's
// together, of a δ that is asked for, allowed or its own; and its own is a tenth of 1/n at most.
func TestEntriesShareDelta(t *testing.T) {
	task := &Task{Params: []Param{AllowedDeltaParam}}
	for _, text := range []string{"0.0001", autoDelta} {
		epsilon, err := privacy.ParseEpsilon("1")
		if err != nil {
			t.Fatal(err)
		}
		q := &Query{Task: task, Epsilon: epsilon, People: 99,
			Recipe: Recipe{Params: Params{ParamDelta: text}, Use: &table.Use{Rows: 3}}}
		whole, err := q.personDelta()
		if err != nil {
			t.Fatal(err)
		}
		asked := []func() (privacy.Delta, error){q.AllowedDelta}
		if text != autoDelta {
			asked = append(asked, q.Delta)
		}
		for i, of := range asked {
			each, err := of()
			if err != nil {
				t.Fatal(err)
			}
			all, err := privacy.ApproximateLoss(epsilon, each).Group(3)
			off, _ := new(big.Rat).Quo(all.Delta(), whole.Rat()).Float64()
			if err != nil || off > 1 || off < .99 {
				t.Errorf("δ = %s, %d: three entries have %g of the person's, %v", text, i, off, err)
			}
		}
	}
	for _, people := range []int64{1, 99, 1_000_000, 10_000_000, 123_456_789} {
		q := &Query{Task: task, People: people}
		own, err := q.ownDelta()
		most := new(big.Rat).SetFrac64(1, 10*people)
		if err != nil || own.Rat().Cmp(most) > 0 || own.Check(uint64(people)) != nil {
			t.Errorf("%d people: δ = %v, %v, want at most %v", people, own, err, most)
		}
	}
}

// TestGuaranteeSaysItsKind: one with a δ is called approximate, whether it is large or small.
func TestGuaranteeSaysItsKind(t *testing.T) {
	epsilon, err := privacy.ParseEpsilon("1")
	if err != nil {
		t.Fatal(err)
	}
	delta, err := privacy.ParseDelta("1e-9")
	if err != nil {
		t.Fatal(err)
	}
	for want, loss := range map[string]privacy.Loss{"pure": privacy.PureLoss(epsilon),
		"approximate": privacy.ApproximateLoss(epsilon, delta)} {
		if g := GuaranteeOf(nil, loss, Recipe{}); !strings.Contains(g.Exact, want) {
			t.Errorf("%v: %s, want %s", loss, g.Exact, want)
		}
	}
}

// TestNeighboursNameTheRows: whose rows count, and how many of them, is said.
func TestNeighboursNameTheRows(t *testing.T) {
	for want, r := range map[string]Recipe{
		"One row is one person":                   {},
		"the number of people given by its count": {Count: 2},
		"one of them, drawn":                      {Person: 1},
		"at most 3 of these rows":                 {Person: 1, Use: &table.Use{Rows: 3}},
		"at most 2 rows in each of at most 4": {Person: 1,
			Use: &table.Use{Rows: 2, Groups: 4, Column: 2}},
	} {
		if text := Neighbours(r).String(); !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
