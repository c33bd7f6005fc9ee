package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/meter"
	"hush/core/param"
)

// toppable are questions that can be topped up, of the file of ages.
func toppable(s *Session) map[string]ask.Recipe {
	city := domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Graz", "Ulm"}}
	adults := domain.Spec{Kind: domain.Integer, Lo: "18", Hi: "64"}
	byCity := func(r ask.Recipe) ask.Recipe {
		r.Group = ask.GroupsOf(2, city)
		return r
	}
	list := map[string]ask.Recipe{
		"count":             recipe(s, "count", 0, adults, nil),
		"count by group":    byCity(recipe(s, "count", 0, adults, nil)),
		"share":             recipe(s, "share", 0, adults, nil),
		"share by group":    byCity(recipe(s, "share", 0, adults, nil)),
		"sum":               recipe(s, "sum", 0, ageDomain, nil),
		"mean":              recipe(s, "mean", 0, ageDomain, nil),
		"mean by group":     byCity(recipe(s, "mean", 0, ageDomain, nil)),
		"variance":          recipe(s, "variance", 0, ageDomain, nil),
		"histogram":         recipe(s, "histogram", 0, ageDomain, nil),
		"histogram, no < 0": recipe(s, "histogram", 0, ageDomain, ask.Params{"negative": "true"}),
	}
	cells := recipe(s, "table", -1, domain.Spec{}, ask.Params{"missing": "true"})
	cells.Others = []ask.Field{{Role: "by", Column: 2, Domain: city},
		{Role: "by", Column: 1, Domain: adults}}
	list["table"] = cells
	return list
}

// TestGoodTopUp: a rough answer is good with the ε found, and forecast to be no longer with less;
// for a good one there is none.
func TestGoodTopUp(t *testing.T) {
	file := ages(2000)
	for _, name := range []string{"count", "mean", "histogram", "table"} {
		r := toppable(open(t, file))[name]
		r.Epsilon = map[string]string{"count": "0.005", "mean": "0.01"}[name]
		if r.Epsilon == "" {
			r.Epsilon = "0.05"
		}
		s := loaded(t, coin.NewSeeded(5), r, file)
		first := must(s.Run(r, nil))
		if first.Verdict.Grade == ask.Good {
			t.Fatalf("%s is good with ε = %s", name, r.Epsilon)
		}
		text := must(json.Marshal(first)) // as it comes back from where it was kept
		var kept Release
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		epsilon := must(s.GoodTopUp(&kept))
		next := must(s.TopUp(&kept, epsilon, nil))
		if next.Verdict.Grade != ask.Good {
			t.Errorf("%s with ε = %s is %s", name, epsilon, next.Verdict.Grade)
		}
		if _, err := s.GoodTopUp(next); err == nil {
			t.Errorf("%s is good, and is to be made good", name)
		}
	}
}

// loaded is a session in which a recipe's columns are held.
func loaded(t *testing.T, src coin.Source, r ask.Recipe, file []byte) *Session {
	t.Helper()
	s := NewSession(src)
	if err := s.Load(bytes.NewReader(file), r); err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTopUp: each of these questions is topped up twice, for the difference, and the answer is one
// of the larger ε.
func TestTopUp(t *testing.T) {
	file := ages(2000)
	for name, r := range toppable(open(t, file)) {
		t.Run(name, func(t *testing.T) {
			r.Epsilon = "0.1"
			s := loaded(t, coin.NewSeeded(3), r, file)
			first := must(s.Run(r, nil))
			if first.Head == nil || len(first.Head.Before) > 0 || len(first.Digest()) != 64 {
				t.Fatalf("the head is %v", first.Head)
			}
			latest, paid := first, big.NewRat(1, 10)
			for i, step := range []struct {
				epsilon string
				debit   *big.Rat
			}{{"0.4", big.NewRat(3, 10)}, {"50", big.NewRat(248, 5)}} {
				plan := must(s.PlanTopUp(latest, step.epsilon))
				debit, _ := plan.Debit.Epsilon()
				if debit.Cmp(step.debit) != 0 || !plan.Debit.IsRest() {
					t.Errorf("the debit is %v, want %v", debit, step.debit)
				}
				next := must(s.TopUp(latest, step.epsilon, nil))
				paid.Add(paid, debit)
				if whole, _ := next.Plan.Loss.Epsilon(); whole.Cmp(paid) != 0 {
					t.Errorf("the chain costs %v, paid is %v", whole, paid)
				}
				if len(next.Head.Before) != i+1 || next.Head.Before[i].Digest != latest.Digest() ||
					next.Head.Before[i].Epsilon != latest.Recipe.Epsilon {
					t.Errorf("the chain is %v", next.Head.Before)
				}
				if next.Recipe.Epsilon != step.epsilon || next.Plan.Off == nil {
					t.Errorf("the release is of ε = %s", next.Recipe.Epsilon)
				}
				fresh := must(s.Plan(next.Recipe))
				if a, b := ask.KeyOf(fresh), ask.KeyOf(next.Plan); a != b {
					t.Errorf("the plan is not that of a first release:\n%s\n%s", a, b)
				}
				latest = next
			}
			// with ε = 50 counts have no noise nearly always, and other sums little
			r.Epsilon = "50"
			want := must(loaded(t, coin.NewSeeded(9), r, file).Run(r, nil))
			rows, ranges := want.Table(nil), latest.Table(nil)
			if len(rows) != len(ranges) {
				t.Fatalf("%d rows, want %d", len(ranges), len(rows))
			}
			for i, row := range rows[1:] {
				at := len(row) - 3 // value, low and high
				if name == "histogram" || name == "histogram, no < 0" {
					at = len(row) - 1
				}
				value := parsed(row[at])
				for _, cell := range ranges[i+1][at:] {
					if off := parsed(cell) - value; math.Abs(off) > 0.001*math.Abs(value)+0.5 {
						t.Errorf("row %v, want about %v", ranges[i+1], row)
					}
				}
			}
		})
	}
}

// TestTopUpOnce: an answer has one successor, in all sessions made of one, also where another file
// was opened since; what was cancelled may be drawn once more.
func TestTopUpOnce(t *testing.T) {
	file := ages(500)
	r := toppable(open(t, file))["histogram"]
	s := loaded(t, coin.NewSeeded(3), r, file)
	first := must(s.Run(r, nil))
	cancel := errors.New("cancelled")
	if _, err := s.TopUp(first, "2", func(int64, int64) error { return cancel }); !errors.Is(err,
		cancel) {
		t.Fatalf("cancelled: %v", err)
	}
	second := must(s.TopUp(first, "2", nil))
	for name, session := range map[string]*Session{
		"again": s, "in a copy": s.With(coin.NewSeeded(4)),
	} {
		_, err := session.TopUp(first, "3", nil)
		refused(t, name, "release", err)
		_, err = session.PlanTopUp(first, "3")
		refused(t, name+", planned", "release", err)
	}
	must(s.PlanTopUp(second, "3"))
	if err := s.Load(bytes.NewReader(file), r); err != nil {
		t.Fatal(err)
	}
	_, err := s.TopUp(first, "3", nil)
	refused(t, "after the file was opened again", "release", err)
	must(s.TopUp(second, "3", nil))
}

func refused(t *testing.T, name, field string, err error) {
	t.Helper()
	var refusal *param.Error
	if !errors.As(err, &refusal) || refusal.Field != field {
		t.Errorf("%s: %v, want %s refused", name, err, field)
	}
}

func TestTopUpRefuses(t *testing.T) {
	file := ages(500)
	base := toppable(open(t, file))
	r := base["count"]
	s := loaded(t, coin.NewSeeded(3), r, file)
	first := must(s.Run(r, nil))
	changed := func(change func(r *Release)) *Release {
		of, head := *first, *first.Head
		of.Head = &head
		change(&of)
		return &of
	}
	for name, c := range map[string]struct {
		field   string
		of      *Release
		epsilon string
	}{
		"as much":      {"base", first, "1"},
		"less":         {"base", first, "0.5"},
		"no ε":         {"epsilon", first, "much"},
		"no head":      {"release", changed(func(r *Release) { r.Head = nil }), "2"},
		"from a file":  {"release", changed(func(r *Release) { r.Unverified = true }), "2"},
		"other coins":  {"release", changed(func(r *Release) { r.Origin = coin.Crypto }), "2"},
		"other people": {"release", changed(func(r *Release) { r.Plan.People++ }), "2"},
		"another loss": {"release", changed(func(r *Release) { r.Recipe.Epsilon = "1.5" }), "2"},
		"a base of another ε": {"topUp",
			changed(func(r *Release) { r.Head.Bases = []string{"3/2"} }), "2"},
		"persons": {"release", changed(func(r *Release) { r.Recipe.Person = 2 }), "2"},
		"another question": {"release",
			changed(func(r *Release) { r.Recipe.Task = "median" }), "2"},
	} {
		_, err := s.TopUp(c.of, c.epsilon, nil)
		refused(t, name, c.field, err)
	}
	if _, err := loadedOther(t).TopUp(first, "2", nil); err == nil {
		t.Error("a file of other rows was taken")
	}
	if _, err := s.TopUp(changed(func(r *Release) { r.Head.Sums = append(r.Head.Sums, 3) }), "2",
		nil); err == nil {
		t.Error("a number too many was taken")
	}
	// nothing of that has closed the head
	must(s.TopUp(first, "2", nil))
	other := base["mean"]
	_, err := s.TopUp(must(loaded(t, coin.NewSeeded(4), other, file).Run(other, nil)), "2", nil)
	if err != ask.ErrNotRead {
		t.Errorf("another column: %v", err)
	}
}

// loadedOther is a session of another file.
func loadedOther(t *testing.T) *Session {
	t.Helper()
	file := ages(501)
	other := open(t, file)
	r := toppable(other)["count"]
	askFor(t, other, r, file)
	return other
}

// TestNoHead: answers that cannot be topped up keep nothing for it.
func TestNoHead(t *testing.T) {
	file := ages(3000)
	s := open(t, file)
	list := toppable(s)
	persons, found, gaussian := list["count"], list["mean"], list["mean by group"]
	persons.Person = 2
	found.Group = &ask.Group{Column: 2, Find: &ask.Find{Share: 50, Delta: "0.00001"}}
	gaussian.Params = ask.Params{"delta": "0.0001"}
	gaussian.Epsilon = "0.5"
	for name, r := range map[string]ask.Recipe{
		"rows drawn of persons": persons, "groups that are found": found,
		"median": recipe(s, "median", 0, ageDomain, nil),
	} {
		if release := askFor(t, s, r, file); release.Head != nil || release.Digest() != "" {
			t.Errorf("%s: %v", name, release.Head)
		}
	}
	release := askFor(t, s, gaussian, file)
	if pure := release.Plan.Loss.Delta().Sign() == 0; pure == (release.Head == nil) {
		t.Errorf("by δ %v: a head is %v", release.Plan.Loss.Delta(), release.Head)
	}
}

// TestHeadJSON: a release with a head comes back as it was, in numbers of 64 bits; one of earlier
// versions has none; and what is no list of numbers is refused.
func TestHeadJSON(t *testing.T) {
	file := ages(500)
	r := toppable(open(t, file))["mean"]
	s := loaded(t, coin.NewSeeded(3), r, file)
	first := must(s.Run(r, nil))
	second := must(s.TopUp(first, "2", nil))
	second.Head.Sums = append(second.Head.Sums, 1<<62+1, -1<<63)
	text := must(json.Marshal(second))
	var back Release
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(back.Head.Sums, second.Head.Sums) || back.Digest() != second.Digest() ||
		!slices.Equal(back.Head.Before, second.Head.Before) {
		t.Errorf("%v came back as %v", second.Head, back.Head)
	}
	if first.Digest() == second.Digest() {
		t.Error("two answers of a chain have one digest")
	}
	old := *second
	old.Head = nil
	text = must(json.Marshal(&old))
	if err := json.Unmarshal(text, &old); err != nil || bytes.Contains(text, []byte(`"head"`)) {
		t.Errorf("a release of an earlier version: %v, %s", err, text)
	}
	for _, sums := range []string{"1 x", "1  2", " 1", "1 ", "9223372036854775808", "+1", "01"} {
		var head ask.Head
		if json.Unmarshal(fmt.Appendf(nil, `{"sums":%q,"bases":["3/2"]}`, sums), &head) == nil {
			t.Errorf("%q was read as %v", sums, head.Sums)
		}
	}
}

// TestTopUpReplayed: on neighbours all that is public of a release and of its top-up is equal, and
// the sums move no further than was claimed; for files that differ in more they do.
func TestTopUpReplayed(t *testing.T) {
	file := ages(60)
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	replaced := func(rows ...int) []byte {
		other := slices.Clone(lines)
		for _, row := range rows {
			other[row] = "30,Ulm"
		}
		return []byte(strings.Join(other, "\n") + "\n")
	}
	both := func(src coin.Source, r ask.Recipe, file []byte) (text string) {
		s := loaded(t, src, r, file)
		first := must(s.Run(r, nil))
		return ask.KeyOf(first, must(s.TopUp(first, "3", nil)))
	}
	for name, r := range toppable(open(t, file)) {
		if r.Table != must(open(t, replaced(1)).Opened()).Options {
			t.Fatal("neighbours are read otherwise")
		}
		tape := meter.Record(7)
		want := both(tape, r, file)
		if names := tape.Inputs(); len(names) != 2 ||
			names[1].Spend.Name != "top-up of discrete Laplace noise" {
			t.Fatalf("%s: drew %v", name, names)
		}
		for row := 1; row <= 60; row += 13 {
			again := tape.Replay()
			if have := both(again, r, replaced(row)); have != want {
				t.Errorf("%s, row %d replaced: published\n%s, want\n%s", name, row, have, want)
			}
			if list := again.Violations(); len(list) > 0 {
				t.Errorf("%s, row %d replaced: %v", name, row, list)
			}
		}
		again := tape.Replay()
		both(again, r, replaced(1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 14, 15))
		if len(again.Violations()) == 0 {
			t.Errorf("%s: twelve replaced rows were not seen", name)
		}
	}
}

// TestTopUpMeter: a top-up that draws more than the difference is not shown.
func TestTopUpMeter(t *testing.T) {
	file := ages(60)
	r := toppable(open(t, file))["count"]
	s := loaded(t, coin.NewSeeded(3), r, file)
	first := must(s.Run(r, nil))
	plan := must(s.PlanTopUp(first, "3"))
	spent := meter.New(coin.NewSeeded(1))
	_, question, err := ask.Prepare(All{}, r, 60)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := question.Run(spent, must(s.Data(r)), nil); err != nil {
		t.Fatal(err)
	}
	if err := spent.Over(plan.Debit); err != nil {
		t.Errorf("ε = 1 is less than the difference of 2: %v", err)
	}
	if _, err := question.Run(spent, must(s.Data(r)), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := question.Run(spent, must(s.Data(r)), nil); err != nil {
		t.Fatal(err)
	}
	if spent.Over(plan.Debit) == nil {
		t.Error("three times ε = 1 was paid by a difference of 2")
	}
}
