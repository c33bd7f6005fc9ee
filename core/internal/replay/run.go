package replay

import (
	"errors"
	"fmt"
	"math/big"
	"runtime/debug"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
)

// reading is the source from which the rows of persons are drawn while a file is read. Each draw
// belongs to one row of one person, so that nobody's depends on how many rows another has.
type reading struct {
	coin.Source // of the key
	seed        uint64
	draws       []keyed
	wrong       bool // a draw was not the expected one
}

// keyed is a draw that is to come: the row is the n-th of its owner.
type keyed struct {
	owner string
	n     uint64
}

func newReading(seed uint64, owners []string) *reading {
	r := &reading{Source: coin.NewSeeded(coin.Seed(seed)), seed: seed}
	seen := map[string]uint64{}
	for _, owner := range owners {
		if seen[owner]++; seen[owner] > 1 {
			r.draws = append(r.draws, keyed{owner, seen[owner]})
		}
	}
	return r
}

// Uniform draws whether a further row of a person is kept.
func (r *reading) Uniform(n uint64) uint64 {
	if len(r.draws) == 0 || r.draws[0].n != n {
		r.wrong = true
		return 0
	}
	next := r.draws[0]
	r.draws = r.draws[1:]
	return newDice(r.seed+n<<32, "row of "+next.owner).Uniform(n)
}

// UniformBig draws the key.
func (r *reading) UniformBig(n *big.Int) *big.Int { return r.Source.UniformBig(n) }

// part is one form of a release.
type part struct{ name, text string }

// opened is a file that was read for a recipe.
type opened[C ask.Catalogue] struct {
	session *ask.Session[C]
	recipe  ask.Recipe
	plan    ask.Plan
}

// open reads a file for a recipe and prices the question, in a session that remembers what is slow
// to work out and was worked out in s.
func open[C ask.Catalogue](s *ask.Session[C], f *file, r ask.Recipe,
	seed uint64) (opened[C], error) {
	owners := f.owners()
	if r.Use != nil {
		owners = nil // which rows are used is a matter of keys alone
	}
	src := newReading(seed, owners)
	o := opened[C]{session: s.With(src)}
	survey, err := o.session.Survey(f.Options)
	if err != nil {
		return o, err
	}
	text := f.bytes()
	if err := ask.ReadAll(survey, text); err != nil {
		return o, err
	}
	found, err := o.session.Opened()
	if err != nil {
		return o, err
	}
	o.recipe = r
	o.recipe.Table = found.Options
	pass, err := o.session.Encode(o.recipe)
	if err != nil {
		return o, err
	}
	if pass != nil {
		if err := ask.ReadAll(pass, text); err != nil {
			return o, err
		}
	}
	if src.wrong || len(src.draws) > 0 {
		return o, errors.New("replay: internal error: rows of persons were not drawn as expected")
	}
	o.plan, err = o.session.Plan(o.recipe)
	return o, err
}

// run releases with the coins of src, and asks what goes on for a further case.
func (o opened[C]) run(src coin.Source, later []string) (list []part, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("panic: %v\n%s", fault, debug.Stack())
		}
	}()
	s := o.session
	s.DrawFrom(src)
	release, err := s.Run(o.recipe, nil)
	if err != nil {
		return nil, err
	}
	list = forms(release)
	if later == nil {
		return list, nil
	}
	next, err := s.Label(later)
	if err != nil {
		return append(list, part{"later", err.Error()}), nil
	}
	return append(list, forms(next)...), nil
}

// forms are all the forms in which core gives a release.
func forms[C ask.Catalogue](r *ask.Release[C]) []part {
	var rows strings.Builder
	for _, row := range r.Table(nil) {
		rows.WriteString(strings.Join(row, " | ") + "\n")
	}
	return []part{{"JSON", r.JSON("")}, {"CSV", r.CSV()}, {"table", rows.String()},
		{"statement", r.Statement}}
}
