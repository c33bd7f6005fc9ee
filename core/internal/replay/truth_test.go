package replay

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/table"
	"hush/core/task"
)

// person is what a row says of so many people: codes of the main column and of the others, −1 for
// none, and values of the main one as numbers.
type person struct {
	times  int64
	main   int64
	value  float64
	others []int64
	group  string
}

// people reads a file cell by cell, with nothing of how questions read it but the domains.
func (f *file) people(r ask.Recipe) (list []person) {
	main, _ := domain.New(r.Domain)
	for _, row := range f.rows {
		p := person{times: 1, main: -1}
		if f.count > 0 {
			p.times = int64(f.counted(row))
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
				p.main = int64(code)
				if line, is := main.(domain.Numeric); is {
					first, step := line.Linear()
					value := new(big.Rat).SetUint64(code)
					p.value, _ = value.Add(value.Mul(value, step), first).Float64()
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
			p.others = append(p.others, code)
		}
		if r.Group != nil {
			p.group = string(cell(r.Group.Column))
		}
		list = append(list, p)
	}
	return list
}

// sums are how many people have a value, and what their values and squares sum to.
func sums(all []person, group string) (n, sum, squares float64) {
	for _, p := range all {
		if p.main >= 0 && (group == "" || p.group == group) {
			t := float64(p.times)
			n, sum, squares = n+t, sum+t*p.value, squares+t*p.value*p.value
		}
	}
	return n, sum, squares
}

// everybody is how many people there are, of a group or at all.
func everybody(all []person, group string) (n float64) {
	for _, p := range all {
		if group == "" || p.group == group {
			n += float64(p.times)
		}
	}
	return n
}

// truth says what is wrong with an answer at so much ε that noise hardly matters; empty: nothing.
type truth func(r *task.Release, all []person) string

// estimate is the truth of a single number, by group or not.
func estimate(exact func(all []person, group string) float64) truth {
	return func(r *task.Release, all []person) string {
		for _, row := range r.Answer.Result.(*task.Estimates).Rows {
			value, err1 := strconv.ParseFloat(row.Value, 64)
			low, err2 := strconv.ParseFloat(row.Low, 64)
			high, err3 := strconv.ParseFloat(row.High, 64)
			want := exact(all, row.Group)
			slack := 2*(high-low) + 1e-6*math.Abs(want)
			if err1 != nil || err2 != nil || err3 != nil || !math.IsNaN(want) &&
				(want < low-slack || want > high+slack || math.Abs(value-want) > slack+1) {
				return fmt.Sprintf("%q: %s in [%s, %s], and is %g", row.Group, row.Value, row.Low,
					row.High, want)
			}
		}
		return ""
	}
}

// misplaced is how many people too many lie on one side of a value that should have a part of all
// below it.
func misplaced(all []person, code int64, part float64) float64 {
	var below, above, n float64
	for _, p := range all {
		if p.main < 0 {
			continue
		}
		t := float64(p.times)
		n += t
		if p.main < code {
			below += t
		} else if p.main > code {
			above += t
		}
	}
	return max(below-part*n, above-(1-part)*n)
}

func codeOf(r *task.Release, value string) int64 {
	d, err := domain.New(r.Recipe.Domain.Plain())
	if err != nil {
		return -1
	}
	code, _ := d.Encode([]byte(value))
	return int64(code)
}

// wrongMedian holds the medians of groups, and their sizes, against the people of each.
func wrongMedian(r *task.Release, m *task.Medians, all []person) string {
	for _, row := range m.Rows {
		var group []person
		size := int64(0)
		for _, p := range all {
			if p.group == row.Group {
				group = append(group, p)
				if p.main >= 0 {
					size += p.times
				}
			}
		}
		if off := misplaced(group, codeOf(r, row.Value), 0.5); off > float64(m.RankError)+1 {
			return fmt.Sprintf("%s of %s is %g people off, want %d", row.Value, row.Group, off,
				m.RankError)
		}
		if off := row.Size - size; max(off, -off) > m.Error+1 {
			return fmt.Sprintf("%s has %d people, and are %d", row.Group, row.Size, size)
		}
	}
	return ""
}

// placeOf is the place of a code on an axis: its category, or the last bin that begins below it; −1
// for none.
func placeOf(a task.Axis, spec domain.Spec, code int64) (place int) {
	if code < 0 || !a.Bins() {
		return int(code)
	}
	d, err := domain.New(spec.Plain())
	if err != nil {
		return -1
	}
	for i, p := range a.Places {
		if from, ok := d.Encode([]byte(p.From)); ok && int64(from) <= code {
			place = i
		}
	}
	return place
}

// cellsOf are the exact counts of a table's cells.
func cellsOf(r *task.Release, t *task.ContingencyTable, all []person) []int64 {
	counts := make([]int64, len(t.Counts))
	for _, p := range all {
		cell := 0
		for i, a := range t.Axes {
			place := placeOf(a, r.Recipe.Others[i].Domain, p.others[i])
			if place < 0 {
				cell = -1
				break
			}
			cell = cell*len(a.Places) + place
		}
		if cell >= 0 {
			counts[cell] += p.times
		}
	}
	return counts
}

// cellsAmong are how many people are in each cell of one of several tables; those without a value
// are in the last place of a column.
func cellsAmong(r *task.Release, t *task.TableSet, one *task.ContingencyTable,
	all []person) []int64 {
	counts := make([]int64, len(one.Counts))
	for _, p := range all {
		cell := 0
		for _, a := range one.Axes {
			axis := slices.IndexFunc(t.Axes, func(b task.Axis) bool { return b.Column == a.Column })
			place := placeOf(a, r.Recipe.Others[axis].Domain, p.others[axis])
			if place < 0 {
				place = len(a.Places) - 1
			}
			cell = cell*len(a.Places) + place
		}
		counts[cell] += p.times
	}
	return counts
}

// truths are how the answers of questions are held against the data.
var truths = map[string]truth{
	"count": estimate(func(all []person, g string) float64 { n, _, _ := sums(all, g); return n }),
	"share": estimate(func(all []person, g string) float64 {
		n, _, _ := sums(all, g)
		return n / everybody(all, g)
	}),
	"sum": estimate(func(all []person, g string) float64 { _, sum, _ := sums(all, g); return sum }),
	"mean": estimate(func(all []person, g string) float64 {
		n, sum, _ := sums(all, g)
		return sum / n
	}),
	"directions": wrongDirection,
	"variance": estimate(func(all []person, g string) float64 {
		n, sum, squares := sums(all, g)
		return squares/n - sum/n*sum/n
	}),
	"histogram": func(r *task.Release, all []person) string {
		h := r.Answer.Result.(*task.Histogram)
		counts, last := make([]int64, len(h.Bins)), codeOf(r, r.Recipe.Domain.Hi)
		for _, p := range all {
			for i, b := range h.Bins {
				from, to := codeOf(r, b.From), codeOf(r, b.To)
				if i == len(h.Bins)-1 {
					to = last + 1
				}
				if p.main >= from && p.main < to {
					counts[i] += p.times
				}
			}
		}
		for i, b := range h.Bins {
			if off := b.Count - counts[i]; max(off, -off) > h.AllError+1 {
				return fmt.Sprintf("bin %s: %d, and are %d", b.Label, b.Count, counts[i])
			}
		}
		return ""
	},
	"median": func(r *task.Release, all []person) string {
		if groups, is := r.Answer.Result.(*task.Medians); is {
			return wrongMedian(r, groups, all)
		}
		m := r.Answer.Result.(*task.Median)
		if off := misplaced(all, codeOf(r, m.Value), 0.5); off > float64(m.RankError)+1 {
			return fmt.Sprintf("%s is %g people off, want %d", m.Value, off, m.RankError)
		}
		return ""
	},
	"quantiles": func(r *task.Release, all []person) string {
		for i, row := range r.Answer.Result.(*task.Quantiles).Rows {
			part := float64(i+1) / 4
			if off := misplaced(all, codeOf(r, row.Value), part); off > float64(row.RankError)+1 {
				return fmt.Sprintf("%s %s is %g people off, want %d", row.Part, row.Value, off,
					row.RankError)
			}
		}
		return ""
	},
	"distribution": func(r *task.Release, all []person) string {
		d := r.Answer.Result.(*task.Distribution)
		for _, at := range d.Points {
			code, _ := strconv.ParseInt(at.Code, 10, 64)
			below, n := 0.0, 0.0
			for _, p := range all {
				if p.main >= 0 && p.main < code {
					below += float64(p.times)
				}
				n += float64(p.times)
			}
			if math.Abs(at.Below-below) > float64(d.Error)+1 {
				return fmt.Sprintf("below %s: %g, and are %g", at.Value, at.Below, below)
			}
		}
		return ""
	},
	"mode": func(r *task.Release, all []person) string {
		counts := map[int64]int64{}
		for _, p := range all {
			if p.main >= 0 {
				counts[p.main] += p.times
			}
		}
		best := int64(0)
		for _, n := range counts {
			best = max(best, n)
		}
		w := r.Answer.Result.(*task.Winner)
		behind, _ := strconv.ParseInt(w.Behind, 10, 64)
		if w.Value == "" {
			return ""
		}
		code := int64(slices.Index(r.Recipe.Domain.Categories, w.Value))
		if have := counts[code]; have < best-behind-1 {
			return fmt.Sprintf("%s has %d people, and the best %d", w.Value, have, best)
		}
		return ""
	},
	"cutoff": func(r *task.Release, all []person) string {
		c := r.Answer.Result.(*task.Cutoff)
		right := func(at int64, above bool) (n int64) {
			for _, p := range all {
				if p.main >= 0 && p.others[0] >= 0 &&
					(p.main >= at) == above == (p.others[0] == 0) {
					n += p.times
				}
			}
			return n
		}
		best := int64(0)
		for _, p := range all {
			best = max(best, right(p.main, true), right(p.main+1, true))
		}
		at, err := strconv.ParseInt(c.At, 10, 64)
		if err != nil {
			at = math.MaxInt64
		}
		if have := right(at, c.Above); have < best-c.Extra-1 {
			return fmt.Sprintf("the rule has %d right, and the best %d", have, best)
		}
		return ""
	},
	"table": func(r *task.Release, all []person) string {
		t := r.Answer.Result.(*task.ContingencyTable)
		counts := cellsOf(r, t, all)
		for cell, count := range t.Counts {
			if off := count - counts[cell]; max(off, -off) > t.AllError+1 {
				return fmt.Sprintf("%s: %d, and are %d", t.CellName(cell), count, counts[cell])
			}
		}
		return ""
	},
	"conjunctions": func(r *task.Release, all []person) string {
		c := r.Answer.Result.(*task.Conjunctions)
		for i, a := range c.Attributes {
			if a.Side != "" {
				continue
			}
			nth := 0
			for _, b := range c.Attributes[:i] {
				if b.Of == a.Of {
					nth++
				}
			}
			n := 0.0
			for _, p := range all {
				if p.others[a.Of] == int64(nth) {
					n += float64(p.times)
				}
			}
			found, err := c.Ask([]int{i}, false)
			if err != nil || math.Abs(found.People-n) > 3*found.Error+2 {
				return fmt.Sprintf("%s: %g ± %g, and are %g (%v)", a.Name, found.People,
					found.Error, n, err)
			}
		}
		return ""
	},
	"tables": func(r *task.Release, all []person) string {
		t := r.Answer.Result.(*task.TableSet)
		for _, one := range t.Tables() {
			for cell, n := range cellsAmong(r, t, one, all) {
				if off := max(n-one.Counts[cell], one.Counts[cell]-n); off > one.AllError+1 {
					return fmt.Sprintf("%s: %d ± %d, and are %d", one.CellName(cell),
						one.Counts[cell], one.AllError, n)
				}
			}
		}
		return ""
	},
	"contacts": func(r *task.Release, all []person) string {
		c := r.Answer.Result.(*task.Contacts)
		for x := range c.Vertices {
			n := 0.0
			for _, p := range all {
				from, to := p.others[0], p.others[1]
				if from >= 0 && to >= 0 && (from == int64(x)) != (to == int64(x)) {
					n += float64(p.times)
				}
			}
			found, err := c.Ask([]int{x})
			if err != nil || math.Abs(found.People-n) > 3*found.Error+2 {
				return fmt.Sprintf("%s: %g ± %g, and are %g (%v)", c.Vertices[x], found.People,
					found.Error, n, err)
			}
		}
		return ""
	},
}

// wrongDirection holds the spread along each released mixture against that of the people along it,
// and the first one against the spread of each column, which none exceeds.
func wrongDirection(r *task.Release, all []person) string {
	var places [][]float64 // of those with all values, in parts of each range
	d := len(r.Recipe.Others)
	middle := make([]float64, d)
	for _, p := range all {
		at := make([]float64, d)
		for i, o := range r.Recipe.Others {
			values, _ := domain.New(o.Domain)
			size, _ := new(big.Float).SetInt(values.Size()).Float64()
			if at[i] = float64(p.others[i]) / size; p.others[i] < 0 {
				at = nil
				break
			}
		}
		for range p.times {
			if at == nil {
				break
			}
			places = append(places, at)
			for i, x := range at {
				middle[i] += x
			}
		}
	}
	if len(places) < 100 {
		return ""
	}
	spread := func(weights []float64) float64 { // around the middle, no further than half a range
		sum := 0.0
		for _, at := range places {
			along := 0.0
			for i, x := range at {
				along += weights[i] * min(max(x-middle[i]/float64(len(places)), -0.5), 0.5)
			}
			sum += along * along
		}
		return 100 * math.Sqrt(sum/float64(len(places)))
	}
	for k, row := range r.Answer.Result.(*task.Estimates).Rows {
		weights, sign := make([]float64, d), 1.0
		parts := strings.Fields(row.Group)
		for i := 0; i < len(parts); i++ {
			switch parts[i] {
			case "−":
				sign = -1
			case "+":
				sign = 1
			default:
				of := slices.IndexFunc(r.Recipe.Others, func(o ask.Field) bool {
					return i+1 < len(parts) && o.Label == parts[i+1]
				})
				weight, err := strconv.ParseFloat(parts[i], 64)
				if of < 0 || err != nil {
					return "" // a name of several words
				}
				weights[of] = sign * weight
				i++
			}
		}
		value, low := number(row.Value), number(row.Low)
		off := 2*(value-low) + 1 // weights have two digits
		if want := spread(weights); math.Abs(value-want) > off {
			return fmt.Sprintf("%s: %g, and is %g", row.Group, value, want)
		}
		for i := range d {
			one := make([]float64, d)
			if one[i] = 1; k == 0 && spread(one) > value+off {
				return fmt.Sprintf("%s: %g, and column %d has %g", row.Group, value, i, spread(one))
			}
		}
	}
	return ""
}

func number(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// untold are questions whose answers no simple sum over the data gives exactly, and why.
var untold = map[string]string{
	"density":   "smoothed: a shape is fitted, and its points are no counts",
	"madeup":    "made-up rows are drawn anew, each column for itself",
	"strongest": "a winner by a scaled distance of groups",
	"rule":      "a greedy rule, which need not be the best",
	"classify":  "a learned rule, or votes of learners of parts",
	"clusters":  "groups depend on random starting places",
}

// TestTruth: at ε = 100 the answer is the exact one but for what it says of its error, with people
// in rows of their own and with counts, and for groups.
func TestTruth(t *testing.T) {
	session := ask.NewSession(task.All{}, coin.NewSeeded(0))
	for _, q := range task.Catalogue() {
		exact := truths[q.ID]
		if exact == nil {
			if untold[q.ID] == "" {
				t.Errorf("%s: how is its answer held against the data, or why not?", q.ID)
			}
			continue
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
			if wrong := exact(release, f.people(o.recipe)); wrong != "" {
				t.Errorf("%s, seed %d: %s\n%s\n%s", q.ID, seed, wrong, f.show(), text(o.recipe))
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
