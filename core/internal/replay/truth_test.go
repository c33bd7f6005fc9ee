package replay

import (
	"encoding/json"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/table"
	"hush/core/task"
)

// people reads a file cell by cell, with nothing of how questions read it but the domains.
func (f *file) people(r ask.Recipe) (list []ask.Person) {
	main, _ := domain.New(r.Domain)
	for _, row := range f.rows {
		p := ask.Person{Times: 1, Main: -1}
		if f.count > 0 {
			p.Times = int64(f.counted(row))
		}
		cell := func(column int) []byte {
			if column < 1 || column > len(row.cells) ||
				len(row.cells) != f.Columns && f.Ragged != table.Keep {
				return nil
			}
			return []byte(row.cells[column-1])
		}
		if main != nil {
			if code, ok := main.Encode(cell(r.Column)); ok {
				p.Main = int64(code)
				if line, is := main.(domain.Numeric); is {
					first, step := line.Linear()
					value := new(big.Rat).SetUint64(code)
					p.Value, _ = value.Add(value.Mul(value, step), first).Float64()
				}
			}
		}
		for _, o := range r.Others {
			code := int64(-1)
			if d, err := domain.New(o.Domain); err == nil {
				if c, ok := d.Encode(cell(o.Column)); ok {
					code = int64(c)
				}
			}
			p.Others = append(p.Others, code)
		}
		if r.Group != nil {
			p.Group = string(cell(r.Group.Column))
			if listed, err := domain.New(domain.Spec{Kind: domain.Category,
				Categories: r.Group.Names}); err == nil {
				p.Group = "in no group"
				if code, ok := listed.Encode(cell(r.Group.Column)); ok {
					p.Group = listed.Decode(code)
				}
			}
		}
		list = append(list, p)
	}
	return list
}

// TestTruth: at ε = 100 the answer differs from the exact one by at most its stated error, with one
// row per person, with counts, and for groups.
func TestTruth(t *testing.T) {
	session := ask.NewSession(task.All{}, coin.NewSeeded(0))
	for _, q := range task.Catalogue() {
		if q.Exact == nil {
			continue // for the reason in Inexact
		}
		asked := 0
		for seed := range uint64(12) {
			d := newDice(seed, "truth "+q.ID)
			r := recipeOf(d, q, option{apply: func(d dice, r *ask.Recipe) {
				r.Epsilon = "100"
				if seed%3 == 1 {
					r.Count = next(r)
				}
				if q.ByGroup && seed%2 == 1 {
					r.Group = &ask.Group{Column: next(r), Names: groupSpec.Categories}
				}
			}})
			f := newFile(d, r, 200, false)
			o, err := open(session, f, r, seed)
			if err != nil {
				t.Errorf("%s: %v", q.ID, err)
				continue
			}
			release, err := o.session.With(coin.NewSeeded(coin.Seed(seed))).Run(o.recipe, nil)
			if err != nil {
				t.Errorf("%s: %v", q.ID, err)
				continue
			}
			asked++
			for _, m := range q.Exact(release.Recipe, release.Answer.Result, f.people(o.recipe)) {
				if !(m.Off <= m.Most) {
					t.Errorf("%s, seed %d: %q is %g off, and %g at most\n%s\n%s", q.ID, seed, m.Of,
						m.Off, m.Most, f.show(), text(o.recipe))
				}
			}
		}
		if asked == 0 {
			t.Errorf("%s was never answered", q.ID)
		}
	}
}

// TestCountsAreRows: a file with counts asks every mechanism the same as its rows written out do.
func TestCountsAreRows(t *testing.T) {
	session := ask.NewSession(task.All{}, coin.NewSeeded(0))
	w := NewWalk(task.All{}, 24)
	for i, way := range w.ways {
		if i%16 != 0 && testing.Short() {
			continue
		}
		seed := uint64(i)
		d := newDice(seed, "counts")
		r := recipeOf(d, way.task, option{apply: func(_ dice, r *ask.Recipe) {
			r.Count, r.Person, r.Use = next(r), 0, nil
		}}, way.with)
		f := newFile(d, r, 12, false)
		a, err := open(session, f, r, seed)
		if err != nil {
			continue
		}
		r.Count = 0
		b, err := open(session, f.spread(), r, seed)
		if err != nil {
			t.Errorf("%s: with counts it is answered, and of rows %v", way.name(), err)
			continue
		}
		recording := meter.Record(coin.Seed(seed))
		_, err = a.run(recording, nil) // that a search found nothing is an answer, too
		replay := recording.Replay()
		_, ofRows := b.run(replay, nil)
		if wrong := differ("the error", say(err), say(ofRows)); wrong != "" {
			t.Errorf("%s: with counts or rows, %s", way.name(), wrong)
			continue
		}
		was := recording.Inputs()
		for k, is := range replay.Inputs() {
			if !slices.Equal(was[k].Input.Values, is.Input.Values) {
				t.Errorf("%s: draw %d, %s, looks at %v with counts, and at %v with rows\n%s",
					way.name(), k, is.Spend.Name, was[k].Input.Values, is.Input.Values, f.show())
				break
			}
		}
		for _, v := range replay.Violations() {
			t.Errorf("%s: %s\n%s\n%s", way.name(), v, f.show(), text(r))
			break
		}
	}
}

// TestRecipesComeBack: a recipe of every way is the same after JSON, which links hold too, and a
// release read from its JSON is exported as before.
func TestRecipesComeBack(t *testing.T) {
	w := NewWalk(task.All{}, 24)
	for i, way := range w.ways {
		if i%4 != 0 && testing.Short() {
			continue
		}
		d := newDice(uint64(i), "round trip")
		r, _, o, err := w.ask(d, way, uint64(i))
		var back ask.Recipe
		if err := json.Unmarshal([]byte(text(r)), &back); err != nil || text(back) != text(r) ||
			!reflect.DeepEqual(back.Bare(), r.Bare()) && text(back.Bare()) != text(r.Bare()) {
			t.Errorf("%s: %s comes back as %s (%v)", way.name(), text(r), text(back), err)
		}
		if err != nil {
			continue
		}
		release, err := o.session.With(coin.NewSeeded(1)).Run(o.recipe, nil)
		if err != nil {
			continue
		}
		var read task.Release
		if err := json.Unmarshal([]byte(release.JSON("")), &read); err != nil {
			t.Errorf("%s: %v", way.name(), err)
			continue
		}
		for k, p := range forms(&read) {
			if was := forms(release)[k]; p.text != was.text {
				t.Errorf("%s: %s", way.name(),
					differ(p.name+" of a release that was read", was.text,
						p.text))
			}
		}
	}
}
