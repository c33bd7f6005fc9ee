package ask

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/table"
)

// spender is the catalogue of one whose question counts with noise of all of ε, some times over: at
// once, and again for each further case.
type spender struct{ one }

// What the question of a spender draws, and the error that it ends with.
var (
	atOnce, later int
	ends          error
)

func (spender) Tasks() []Task {
	tasks := one{}.Tasks()
	tasks[0].Prepare = func(q *Query) (Prepared, error) {
		return &spending{counting: counting{query: q, left: q.Integer("together")}}, nil
	}
	return tasks
}

type spending struct {
	counting
	src coin.Source
}

func (s *spending) spend(times int) error {
	noise, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: s.query.Epsilon, L1Sensitivity: 1})
	for range times {
		noise.AddTo(s.src, 3)
	}
	return err
}

func (s *spending) Run(src coin.Source, data Data, step coin.Step) (Result, error) {
	s.src = src
	if err := s.spend(atOnce); err != nil || ends != nil {
		return nil, cmp.Or(err, ends)
	}
	return s.counting.Run(src, data, step)
}

func (s *spending) More(r Result, cells []string) (Result, bool, error) {
	if err := s.spend(later); err != nil {
		return nil, false, err
	}
	return s.counting.More(r, cells)
}

// TestOverspent: a release that spends more than its plan says is a fault, and nothing of it is
// released, not even that it found nothing; nor is an answer given later, after which there are no
// more.
func TestOverspent(t *testing.T) {
	file := threeRows()
	ask := func(draws, more int) (*Session[spender], *Release[spender], error) {
		atOnce, later = draws, more
		s := NewSession(spender{}, coin.NewSeeded(1))
		survey, err := s.Survey(table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := ReadAll(survey, file); err != nil {
			t.Fatal(err)
		}
		r := question(open(t, file), ageDomain)
		r.Params = Params{"together": "3"}
		p, err := s.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := ReadAll(p, file); err != nil {
			t.Fatal(err)
		}
		release, err := s.Run(r, nil)
		return s, release, err
	}
	wantFault := func(what string, nothing bool, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "discrete Laplace noise") || !nothing {
			t.Errorf("%s: nothing is %v, %v", what, nothing, err)
		}
	}
	_, release, err := ask(2, 0)
	wantFault("at once", release == nil, err)

	ends = FoundNothing("the search ended")
	_, release, err = ask(2, 0)
	wantFault("what found nothing", release == nil, err)
	if _, _, err = ask(1, 0); !errors.Is(err, ends) {
		t.Errorf("what found nothing for its price: %v", err)
	}
	ends = nil

	s, release, err := ask(1, 0)
	if err != nil || release.Plan.Loss.AtMost(privacy.Loss{}) {
		t.Fatal(release, err)
	}
	if _, err := s.Label([]string{"4"}); err != nil {
		t.Fatal(err)
	}
	s, _, err = ask(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	release, err = s.Label([]string{"4"})
	wantFault("later", release == nil, err)
	if _, err := s.Label([]string{"4"}); err != ErrEnded {
		t.Errorf("after a fault: %v", err)
	}
}

// forgetful is the catalogue of one whose question says that all rows of a person cost what one
// does.
type forgetful struct{ spender }

func (forgetful) Tasks() []Task {
	tasks := spender{}.Tasks()
	prepare := tasks[0].Prepare
	tasks[0].Prepare = func(q *Query) (Prepared, error) {
		p, err := prepare(q)
		return &forgets{p.(*spending)}, err
	}
	return tasks
}

type forgets struct{ *spending }

func (f *forgets) OfPerson() (privacy.Loss, bool, error) {
	loss, err := f.Loss()
	return loss, true, err
}

// TestSeveralRowsAreMetered: what is drawn for each of a person's rows is debited to the person: a
// question that plans for one row is a fault, and nothing is released.
func TestSeveralRowsAreMetered(t *testing.T) {
	atOnce, later = 1, 0
	file := []byte("age,who\n3,a\n4,a\n5,b\n")
	for rows, fault := range map[int]bool{1: false, 2: true} {
		s := NewSession(forgetful{}, coin.NewSeeded(1))
		survey, err := s.Survey(table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := ReadAll(survey, file); err != nil {
			t.Fatal(err)
		}
		r := question(open(t, file), ageDomain)
		r.Params, r.Person, r.Use = Params{"together": "3"}, 2, &table.Use{Rows: rows}
		p, err := s.Encode(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := ReadAll(p, file); err != nil {
			t.Fatal(err)
		}
		release, err := s.Run(r, nil)
		if fault != (err != nil && strings.Contains(err.Error(), "discrete Laplace noise")) ||
			fault != (release == nil) {
			t.Errorf("%d rows: %v, %v", rows, release != nil, err)
		}
	}
}
