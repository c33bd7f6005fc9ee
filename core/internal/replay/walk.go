package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/meter"
	"hush/core/privacy"
)

// A Walk asks every question of a catalogue in every one of its ways.
type Walk[C ask.Catalogue] struct {
	// People is how many a file has at most.
	People int
	// Ran counts, by question and option, the pairs of which both files were answered.
	Ran map[string]int
	// Why is why a way was refused last.
	Why map[string]string
	// Pairs and Refused count all pairs, and those of them of which the question was refused.
	Pairs, Refused int
	// Draws are those of primitives and of coins outside of them, of all first files.
	Draws int

	session *ask.Session[C] // remembers what is slow to work out
	ways    []way
}

// way is a question and one option of it.
type way struct {
	task ask.Task
	with option
	// of the question, with which the option is combined: each but the uses of persons' rows, which
	// would crowd out what an option needs
	others []option
}

func (w way) name() string { return w.task.ID + ", " + w.with.name }

// NewWalk lists the ways of a catalogue.
func NewWalk[C ask.Catalogue](catalogue C, people int) *Walk[C] {
	w := &Walk[C]{People: people, Ran: map[string]int{}, Why: map[string]string{},
		session: ask.NewSession(catalogue, coin.NewSeeded(0))}
	var lists [][]way
	longest := 0
	for _, t := range catalogue.Tasks() {
		all := optionsOf(t)
		others := slices.DeleteFunc(slices.Clone(all), func(o option) bool {
			return strings.HasPrefix(o.name, byUse)
		})
		var list []way
		for _, o := range all {
			list = append(list, way{t, o, others})
			w.Ran[way{t, o, others}.name()] = 0
		}
		lists = append(lists, list)
		longest = max(longest, len(list))
	}
	for i := range longest { // of each question one in turn
		for _, list := range lists {
			if i < len(list) {
				w.ways = append(w.ways, list[i])
			}
		}
	}
	return w
}

// Ways is the number of pairs that it takes to ask everything once.
func (w *Walk[C]) Ways() int { return len(w.ways) }

// add takes over what another walk over the same catalogue has seen.
func (w *Walk[C]) add(other *Walk[C]) {
	w.Pairs, w.Refused, w.Draws = w.Pairs+other.Pairs, w.Refused+other.Refused, w.Draws+other.Draws
	for name, times := range other.Ran {
		w.Ran[name] += times
	}
	maps.Copy(w.Why, other.Why)
}

// Around asks a question of one file, made from a seed, and of the given number of its neighbours,
// and returns the failure in words, or nothing. A neighbour costs a tenth of the first file, for
// which a question must be found that is not refused. After the first file it ends once more, if
// given, returns false.
func (w *Walk[C]) Around(seed uint64, neighbours int, more func() bool) string {
	way := w.ways[seed%uint64(len(w.ways))]
	d := newDice(seed, "pair")
	r, one, a, refused := w.ask(d, way, seed)
	first := w.first(way, seed, a, refused)
	for k := range neighbours {
		if k > 0 && more != nil && !more() {
			break
		}
		w.Pairs++
		two, how := one.neighbour(d)
		if wrong := w.compare(first, two); wrong != "" {
			return fmt.Sprintf("%s, seed %d: %s\n%s: files of\n%s\n%s\nread as %+v\nrecipe %s",
				way.name(), seed, wrong, how, one.show(), two.show(), one.Options, text(r))
		}
	}
	return ""
}

// ask draws a recipe and a file that are not refused, if it finds some: the option, and a few
// others. Where few people cannot be asked so, many are, by a column of counts, at much ε.
func (w *Walk[C]) ask(d dice, way way, seed uint64) (r ask.Recipe, f *file, a opened[C],
	err error) {
	const tries = 30
	for i := range 2 * tries {
		var others []option
		for range d.below(2 + i%4) {
			if other := pick(d, way.others...); !way.with.many ||
				!strings.HasPrefix(other.name, "more of ") && !other.many {
				others = append(others, other)
			}
		}
		r = recipeOf(d, way.task, way.with, others...)
		many := i >= tries
		if many {
			r.Epsilon = "100"
			if r.Count == 0 {
				r.Count, r.Person, r.Use = next(&r), 0, nil
			}
		}
		f = newFile(d, r, pick(d, w.People, w.People/2, w.People/3+1), many)
		if a, err = open(w.session, f, r, seed); err == nil {
			break
		}
		w.Why[way.name()] = err.Error()
	}
	return r, f, a, err
}

// few rows that stand for some times as many people are enough for every question.
const few, times = 20, 1000

// asked is the result of asking a first file: refused, or answered with these coins in these forms.
type asked[C ask.Catalogue] struct {
	way       way
	seed      uint64
	opened    opened[C]
	refused   error
	plan      string
	later     []string
	recording *meter.Meter
	parts     []part
	err       error // of the answer
}

// first asks the file that was opened.
func (w *Walk[C]) first(way way, seed uint64, o opened[C], refused error) *asked[C] {
	a := &asked[C]{way: way, seed: seed, opened: o, refused: refused, plan: text(o.plan)}
	if refused != nil {
		return a
	}
	if l, ok := o.recipe.Params[way.task.Cases]; ok && way.task.Cases != "" {
		first, _, _ := strings.Cut(l, "\n")
		a.later = strings.Split(first, ",")
	}
	a.recording = meter.Record(coin.Seed(seed))
	a.parts, a.err = o.run(a.recording, a.later)
	w.Draws += a.recording.Events()
	return a
}

// compare asks of a second file what was asked of a first one, and returns what is wrong.
func (w *Walk[C]) compare(a *asked[C], two *file) string {
	b, refused := open(w.session, two, a.opened.recipe, a.seed)
	if wrong := differ("the refusal", say(a.refused), say(refused)); wrong != "" {
		return wrong
	}
	if wrong := differ("the plan", a.plan, text(b.plan)); wrong != "" || refused != nil {
		w.Refused++
		return wrong
	}
	if wrong := overstated(a.opened); wrong != "" {
		return wrong
	}
	replay := a.recording.Replay()
	parts, err := b.run(replay, a.later)
	for _, of := range []error{a.err, err} { // more was spent than debited: that is one, too
		if strings.HasPrefix(say(of), "panic") || strings.Contains(say(of), "internal error") {
			return say(a.err) + say(err)
		}
	}
	if list := replay.Violations(); len(list) > 0 {
		return list[0].String()
	}
	if replay.Ended() {
		return ""
	}
	if wrong := differ("the error", say(a.err), say(err)); wrong != "" {
		return wrong
	}
	if nothing := new(ask.NothingError); errors.As(err, &nothing) {
		w.Ran[a.way.name()]++ // that a search found nothing is an answer
		return ""
	}
	if err != nil {
		w.Refused++
		return ""
	}
	if len(a.parts) != len(parts) {
		return "the number of forms of the answer depends on the data"
	}
	for i, p := range a.parts {
		if wrong := differ(p.name, p.text, parts[i].text); wrong != "" {
			return wrong
		}
	}
	w.Ran[a.way.name()]++
	return ""
}

// overstated says that a plan costs a person more than was asked: what is spent is compared with
// the plan, so that neither is more or less than it should be.
func overstated[C ask.Catalogue](o opened[C]) string {
	asked, err := privacy.ParseEpsilon(o.recipe.Epsilon)
	if err != nil {
		return "" // unreachable: the question was priced
	}
	stated, known := o.plan.Loss.Epsilon()
	if known && stated.Cmp(asked.Rat()) > 0 {
		return fmt.Sprintf("the plan states ε = %v, asked was %v", stated, asked)
	}
	return ""
}

// differ says where two texts differ, or nothing if they are equal.
func differ(what, a, b string) string {
	if a == b {
		return ""
	}
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	around := func(text string) string {
		return text[max(0, at-60):min(len(text), at+60)]
	}
	return fmt.Sprintf("%s depends on the data:\n…%s…\n…%s…", what, around(a), around(b))
}

func say(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func text(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// show is the text of a file before it is encoded.
func (f *file) show() string {
	plain := *f
	plain.Encoding, plain.Compression, plain.mark = "", "none", false
	plain.Encoding = "utf-8"
	return fmt.Sprintf("%q", plain.bytes())
}
