package judge

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A walk is a random use of one ledger.
type walk struct {
	*desk
	rng   *rand.Rand
	files []*data
	steps []string // what was done, for who reads a failure
}

// data is a file and what is known of it.
type data struct {
	name     string
	column   int // of the ages
	group    int
	looks    []string             // files that read the same, of other bytes
	releases map[string][]release // by the ID of the entry that paid
	latest   map[string]string    // where the releases that can be topped up are kept
}

// all are the releases of a file, of a chain of top-ups the last: the ones before are made of it.
func (f *data) all() (list []release) {
	for _, r := range f.releases {
		list = append(list, r...)
	}
	return list
}

func (w *walk) oneOf(of ...string) string { return of[w.rng.IntN(len(of))] }

// fails reports an invariant that does not hold.
func (w *walk) fails(invariant, format string, args ...any) {
	w.t.Helper()
	w.t.Errorf("%s: %s\n  after %s", invariant, fmt.Sprintf(format, args...),
		strings.Join(w.steps, "\n        "))
}

// file makes one of a random form: its kind, quotes, line ends and compression.
func (w *walk) file() *data {
	name := fmt.Sprintf("people%d", len(w.files))
	n, first := 40+w.rng.IntN(400), w.rng.IntN(2)
	ages, groups := make([]string, n), make([]string, n)
	for i := range n {
		ages[i], groups[i] = fmt.Sprint(60+w.rng.IntN(40)), w.oneOf("a", "b", "c")
		if w.rng.IntN(20) == 0 {
			ages[i] = ""
		}
	}
	ages[0], groups[0] = "71", "a"
	kind, end := w.oneOf("csv", "csv", "tsv", "jsonl"), w.oneOf("\n", "\n", "\r\n")
	write := func(quote func(i int) bool) string {
		var b strings.Builder
		cell := func(i int, text string) string {
			if quote(i) {
				return `"` + text + `"`
			}
			return text
		}
		if kind == "jsonl" {
			for i := range n {
				age := ages[i]
				if age == "" {
					age = "null"
				} else if quote(i) {
					age += "e0"
				}
				fmt.Fprintf(&b, "{\"age\": %s, \"group\": %q}\n", age, groups[i])
			}
			return b.String()
		}
		between := map[string]string{"csv": ",", "tsv": "\t"}[kind]
		row := func(age, group string) {
			line := []string{age, group}
			if first == 1 {
				slices.Reverse(line)
			}
			b.WriteString(strings.Join(line, between) + end)
		}
		row("age", "group")
		for i := range n {
			row(cell(i, ages[i]), cell(i+n, groups[i]))
		}
		return b.String()
	}
	odd := w.rng.IntN(2) == 0
	plain := func(i int) bool { return odd && kind != "jsonl" && i%7 == 3 }
	text := write(plain)
	f := &data{column: 1 + first, group: 2 - first, releases: map[string][]release{},
		latest: map[string]string{}}
	if kind == "jsonl" {
		f.column, f.group = 1, 2
	}
	f.looks = []string{
		w.save(name+"like."+kind, write(func(i int) bool { return i == 0 || plain(i) })),
		w.save(name+"longer."+kind, text+text[strings.Index(text, "\n")+1:])}
	if w.rng.IntN(4) == 0 {
		var zipped bytes.Buffer
		z := gzip.NewWriter(&zipped)
		z.Write([]byte(text))
		z.Close()
		kind, text = kind+".gz", zipped.String()
	}
	f.name = w.save(name+"."+kind, text)
	w.files = append(w.files, f)
	return f
}

// recipe is a question of a file; with columns where the file has them.
func (w *walk) recipe(f *data, task, epsilon string, by bool) object {
	r := object{"version": 1, "task": task, "column": f.column, "label": "age",
		"domain":  object{"kind": "integer", "lo": "0", "hi": "100"},
		"epsilon": epsilon, "table": w.look(f.name)}
	if by {
		r["group"] = object{"column": f.group, "names": []string{"a", "b", "c"}}
	}
	return r
}

// question is a random one that the accountant knows.
func (w *walk) question(f *data, epsilon string) object {
	task := w.oneOf("count", "share", "sum", "mean", "histogram")
	return w.recipe(f, task, epsilon, task != "histogram" && w.rng.IntN(3) == 0)
}

// other is a random question that is answered by a choice or a tree: its law is not worked out
// here, but it is paid for, kept and shown as any.
func (w *walk) other(f *data, epsilon string) object {
	return w.recipe(f, w.oneOf("median", "quantiles", "variance", "mode", "density",
		"distribution"), epsilon, false)
}

// holds checks what holds of every account at all times, and since the list before.
func (w *walk) holds(before []account) []account {
	w.t.Helper()
	now := w.accounts()
	for _, a := range now {
		if a.Limit != nil && (number(w.t, a.Spent).Cmp(number(w.t, a.Limit.Epsilon)) > 0 ||
			number(w.t, a.Delta).Cmp(number(w.t, a.Limit.Delta)) > 0) {
			w.fails("the limit is never exceeded", "spent ε = %s, δ = %s of ε = %s, δ = %s",
				a.Spent,
				a.Delta, a.Limit.Epsilon, a.Limit.Delta)
		}
		sum, most := number(w.t, "0"), number(w.t, "0")
		for _, e := range a.Entries {
			loss := number(w.t, e.Loss.Epsilon)
			sum.Add(sum, loss)
			if loss.Cmp(most) > 0 {
				most = loss
			}
			if loss.Sign() <= 0 && number(w.t, e.Loss.Delta).Sign() <= 0 {
				w.fails("what is drawn is never free", "%s of %s is debited ε = %s", e.ID, e.Task,
					e.Loss.Epsilon)
			}
		}
		spent, delta := number(w.t, a.Spent), number(w.t, a.Delta)
		if spent.Cmp(sum) > 0 {
			w.fails("all is at most the sum", "spent %s of %s", a.Spent, sum.FloatString(6))
		}
		if spent.Cmp(most) < 0 && delta.Sign() == 0 {
			w.fails("all is at least the largest part", "spent %s, and one debit is %s", a.Spent,
				most.FloatString(6))
		}
	}
	for _, a := range before {
		i := slices.IndexFunc(now, func(b account) bool { return b.Fingerprint == a.Fingerprint })
		if i < 0 || len(now[i].Entries) < len(a.Entries) {
			w.fails("nothing is refunded", "debits of %s went", a.Fingerprint)
			continue
		}
		for _, e := range a.Entries {
			if !slices.ContainsFunc(now[i].Entries, func(f entry) bool {
				return f.ID == e.ID && f.Loss == e.Loss
			}) {
				w.fails("nothing is refunded", "%s went, or costs another loss", e.ID)
			}
		}
	}
	return now
}

// fresh are the debits that came since.
func fresh(before, now []account) (list []entry) {
	known := map[string]bool{}
	for _, a := range before {
		for _, e := range a.Entries {
			known[e.ID] = true
		}
	}
	for _, a := range now {
		for _, e := range a.Entries {
			if !known[e.ID] {
				list = append(list, e)
			}
		}
	}
	return list
}

// paid holds a debit against what was drawn.
func (w *walk) paid(e entry, drawn ...release) {
	w.t.Helper()
	epsilon, delta := float(w.t, e.Loss.Epsilon), float(w.t, e.Loss.Delta)
	const digits = 1e-9
	shifts, pure := worst(w.t, drawn)
	if have := beyond(epsilon, shifts); have > delta+digits {
		w.fails("a debit is at least the loss",
			"ε = %.6g, δ = %.3g is debited for %s, where δ is at least %.3g at that ε (pure ε "+
				"%.6g)",
			epsilon, delta, e.Task, have, pure)
	}
}

// known are those whose laws the accountant knows.
func known(list []release) (some []release) {
	for _, r := range list {
		if r.Head != nil && len(r.Head.Bases) > 0 && r.Recipe.Task != "variance" {
			some = append(some, r)
		}
	}
	return some
}

// ask asks one question.
func (w *walk) ask(f *data, recipe object) {
	before := w.accounts()
	name := w.save("recipe.json", recipe)
	w.steps = append(w.steps, fmt.Sprintf("ask %s of %s, ε = %s", recipe["task"], f.name,
		recipe["epsilon"]))
	code, out, said := w.hush("ask", "-spend", "-json", name, f.name)
	now := w.holds(before)
	new := fresh(before, now)
	switch {
	case code == 3 && len(new) == 0:
	case code != 0 || len(new) != 1:
		w.fails("a draw is one debit", "code %d, %d debits: %s", code, len(new), said)
	default:
		w.drew(f, new[0], out, readRelease(w.t, out))
	}
}

// drew notes what an entry paid for.
func (w *walk) drew(f *data, e entry, out string, r release) {
	w.paid(e, known([]release{r})...)
	f.releases[e.ID] = known([]release{r})
	if r.Head != nil && len(r.Head.Bases) > 0 {
		f.latest[e.ID] = w.save(e.ID+".json", out)
	}
	if code, kept, said := w.hush("ledger", "answer", "-json", e.ID); code != 0 || kept != out {
		w.fails("what is paid for is kept", "code %d: %s, %.80s", code, said, kept)
	}
	w.total(f)
}

// total holds what the account says of all against all that was drawn.
func (w *walk) total(f *data) {
	list := f.all()
	for _, a := range w.accounts() {
		if len(list) == 0 || !slices.ContainsFunc(a.Entries, func(e entry) bool {
			return f.releases[e.ID] != nil
		}) {
			continue
		}
		shifts, _ := worst(w.t, list)
		if have := beyond(float(w.t, a.Spent), shifts); have > float(w.t, a.Delta)+1e-9 {
			w.fails("an account is at least all losses",
				"spent ε = %s, δ = %s, where δ is at least "+
					"%.3g", a.Spent, a.Delta, have)
		}
	}
}

// plan draws several questions together.
func (w *walk) plan(f *data, report object) {
	before := w.accounts()
	name := w.save("report.json", report)
	w.steps = append(w.steps, fmt.Sprintf("plan %s of %d, total %v, δ %v, of %s",
		report["division"], len(report["parts"].([]object)), report["total"], report["delta"],
		f.name))
	code, out, said := w.hush("plan", "-spend", "-json", name, f.name)
	now := w.holds(before)
	new := fresh(before, now)
	if code == 3 || code == 4 || code == 1 && len(new) == 0 {
		if len(new) != 0 {
			w.fails("a refusal costs nothing", "code %d: %s", code, said)
		}
		return
	}
	if code != 0 || len(new) != 1 {
		w.fails("a plan is one debit", "code %d, %d debits: %s", code, len(new), said)
		return
	}
	drawn := figures(w.t, out)
	w.paid(new[0], known(drawn)...)
	sum := number(w.t, "0")
	for _, r := range drawn {
		sum.Add(sum, number(w.t, r.Plan.Loss.Epsilon))
	}
	if number(w.t, new[0].Loss.Epsilon).Cmp(sum) > 0 {
		w.fails("a plan is at most the sum", "ε = %s of %s", new[0].Loss.Epsilon,
			sum.FloatString(9))
	}
	if delta := float(w.t, new[0].Loss.Delta); len(drawn) > 0 &&
		delta*float64(drawn[0].Plan.People) >= 1 {
		w.fails("δ is below 1/n", "a plan of δ = %g is drawn of %d people", delta,
			drawn[0].Plan.People)
	}
	f.releases[new[0].ID] = known(drawn)
	for i := range drawn {
		if code, _, said := w.hush("ledger", "answer", "-json", new[0].ID,
			fmt.Sprint(i+1)); code != 0 {
			w.fails("what is paid for is kept", "figure %d: code %d, %s", i+1, code, said)
		}
	}
	w.total(f)
}

// report is a plan of n random questions.
func (w *walk) report(f *data, n int, division, total, delta string) object {
	parts := []object{}
	table := w.look(f.name)
	for range n {
		r := w.question(f, "")
		r["table"] = table
		parts = append(parts, object{"recipe": r})
	}
	return object{"parts": parts, "division": division, "total": total, "delta": delta}
}

// topUp tops up a release of a file, by that file or by one that looks like it.
func (w *walk) topUp(f *data, like bool) {
	ids := []string{}
	for id := range f.latest {
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return
	}
	slices.Sort(ids) // the IDs are random: the walk is not the same again here
	id := ids[w.rng.IntN(len(ids))]
	was := f.releases[id]
	if len(was) == 0 {
		return
	}
	of := f.name
	if like {
		of = w.oneOf(f.looks...)
	}
	larger := fmt.Sprintf("%.3f", float(w.t, was[0].Recipe.Epsilon)*(1.1+w.rng.Float64()))
	before := w.accounts()
	w.steps = append(w.steps, fmt.Sprintf("topup %s of %s to ε = %s", was[0].Recipe.Task, of,
		larger))
	code, out, said := w.hush("topup", "-spend", "-json", "-epsilon", larger, f.latest[id], of)
	now := w.holds(before)
	new := fresh(before, now)
	if code != 0 {
		if len(new) != 0 {
			w.fails("a refusal costs nothing", "code %d, %s", code, said)
		}
		if !like && code != 3 {
			w.fails("a top-up of the same bytes is drawn", "code %d, %s", code, said)
		}
		return
	}
	if like {
		w.fails("a top-up is of the same bytes", "%s was drawn of %s for ε = %s", larger, of,
			new[0].Loss.Epsilon)
		return
	}
	if len(new) != 1 || new[0].Replaces != id {
		w.fails("a top-up is one debit", "%d debits", len(new))
		return
	}
	r := readRelease(w.t, out)
	delete(f.releases, id)
	delete(f.latest, id)
	f.releases[new[0].ID], f.latest[new[0].ID] = []release{r}, w.save(new[0].ID+".json", out)
	w.total(f)
}

// kill ends a question at a random moment, and asks again.
func (w *walk) kill(f *data) {
	recipe := w.save("recipe.json", w.question(f, "0.05"))
	before := w.accounts()
	after := time.Duration(w.rng.IntN(90)) * time.Millisecond
	w.steps = append(w.steps, fmt.Sprintf("kill a question of %s after %v", f.name, after))
	c := w.command("ask", "-spend", "-json", recipe, f.name)
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	<-time.After(after)
	c.Process.Kill()
	c.Wait()
	killed := w.holds(before)
	paid := fresh(before, killed)
	seen := "" // the answer, if it was drawn
	if len(paid) == 1 {
		_, seen, _ = w.hush("ledger", "answer", "-json", paid[0].ID)
	}
	if len(paid) == 1 && c.ProcessState.ExitCode() == 0 { // it had ended
		w.drew(f, paid[0], seen, readRelease(w.t, seen))
		return
	}
	code, out, said := w.hush("ask", "-spend", "-json", recipe, f.name)
	now := w.holds(killed)
	switch new := fresh(before, now); {
	case code == 3 && len(paid) == 0 && len(new) == 0:
	case code == 3 && len(new) == 1 && seen != "": // shown before it died; the limit has no other
		w.drew(f, new[0], seen, readRelease(w.t, seen))
	case code != 0 || len(new) != 1 && !(len(new) == 2 && seen != ""):
		w.fails("what is paid for is drawn once", "code %d, %d debits before and %d behind: %s",
			code,
			len(paid), len(new), said)
	case len(new) == 2: // it was shown, and died then: the second is one of its own
		for _, e := range new {
			_, text, _ := w.hush("ledger", "answer", "-json", e.ID)
			w.drew(f, e, text, readRelease(w.t, text))
		}
	case seen != "" && seen != out:
		w.fails("what was drawn is what is shown", "another answer was drawn for %s", new[0].ID)
	default:
		w.drew(f, new[0], out, readRelease(w.t, out))
	}
}

// race asks several questions at once.
func (w *walk) race(f *data) {
	const runs = 3
	before := w.accounts()
	w.steps = append(w.steps, fmt.Sprintf("%d questions of %s at once", runs, f.name))
	var (
		all   sync.WaitGroup
		codes [runs]int
	)
	for i := range runs {
		recipe := w.save(fmt.Sprintf("race%d.json", i),
			w.recipe(f, "count", fmt.Sprintf("0.6%d", i), false))
		all.Go(func() { codes[i], _, _ = w.hush("ask", "-spend", "-json", recipe, f.name) })
	}
	all.Wait()
	now := w.holds(before)
	done := 0
	for _, code := range codes {
		if code == 0 {
			done++
		} else if code != 3 && code != 5 {
			w.fails("a race is drawn or refused", "code %d", code)
		}
	}
	new := fresh(before, now)
	if len(new) != done {
		w.fails("a draw is one debit", "%d of %d draws have a debit", len(new), done)
	}
	for _, e := range new {
		code, text, said := w.hush("ledger", "answer", "-json", e.ID)
		if code != 0 {
			w.fails("what is paid for is kept", "code %d, %s", code, said)
			continue
		}
		w.drew(f, e, text, readRelease(w.t, text))
	}
}

// raise sets a larger limit for all accounts.
func (w *walk) raise() {
	w.steps = append(w.steps, "raise all limits")
	for _, a := range w.accounts() {
		if a.Limit == nil {
			continue
		}
		more := number(w.t, a.Limit.Epsilon)
		more.Add(more, number(w.t, "1.5"))
		if code, _, said := w.hush("ledger", "limit", a.Fingerprint, more.FloatString(3),
			"0.000001"); code != 0 {
			w.fails("a limit can be raised", "code %d, %s", code, said)
		}
	}
}

// TestWalk walks at random.
func TestWalk(t *testing.T) {
	n, steps := *walks, 14
	if n == 0 {
		n = 8
		if testing.Short() {
			n = 3
		}
	}
	for i := range n {
		s := *seed + uint64(i)
		t.Run(fmt.Sprintf("seed %d", s), func(t *testing.T) {
			t.Parallel()
			w := &walk{desk: newDesk(t), rng: rand.New(rand.NewPCG(s, 0))}
			w.file()
			w.file()
			for range steps {
				f := w.files[w.rng.IntN(len(w.files))]
				switch w.rng.IntN(10) {
				case 0, 1:
					w.ask(f, w.question(f, w.oneOf("0.05", "0.1", "0.4", "1")))
				case 2:
					w.ask(f, w.other(f, w.oneOf("0.1", "0.4")))
				case 3:
					w.plan(f, w.report(f, 2+w.rng.IntN(5), w.oneOf("evenly", "importance", "least"),
						w.oneOf("0.2", "0.5", "1", "400"), w.oneOf("0", "0.0000001")))
				case 4, 5:
					w.topUp(f, false)
				case 6:
					w.topUp(f, true)
				case 7:
					w.kill(f)
				case 8:
					w.race(f)
				case 9:
					w.raise()
				}
				if t.Failed() {
					return
				}
			}
		})
	}
}

// prepared is a walk with a plain file of n people, in as many groups.
func prepared(t *testing.T, n, groups int) (*walk, *data) {
	w := &walk{desk: newDesk(t), rng: rand.New(rand.NewPCG(*seed, 1))}
	var b strings.Builder
	b.WriteString("age,group\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,g%d\n", 60+i*7919%40, i%groups)
	}
	f := &data{name: w.save("people.csv", b.String()), column: 1, group: 2,
		releases: map[string][]release{}, latest: map[string]string{}}
	f.looks = []string{w.save("quoted.csv", strings.Replace(b.String(), "60,", `"60",`, 1))}
	return w, f
}

// TestLargePlans: many questions, and small and huge totals, cost at least what they lose.
func TestLargePlans(t *testing.T) {
	for _, c := range []struct {
		questions, groups      int
		task                   string
		division, total, delta string
	}{
		{20, 200, "mean", "least", "", "0"},
		{20, 200, "mean", "importance", "1", "0"},
		{12, 2, "count", "evenly", "100", "0"},
		{12, 2, "count", "evenly", "460", "0"},
		{30, 2, "count", "evenly", "1", "0.0000001"},
	} {
		t.Run(fmt.Sprint(c.questions, " ", c.task, " ", c.division, " ", c.total),
			func(t *testing.T) {
				t.Parallel()
				w, f := prepared(t, 3000, c.groups)
				names := []string{}
				for g := range c.groups {
					names = append(names, fmt.Sprintf("g%d", g))
				}
				parts, table := []object{}, w.look(f.name)
				for range c.questions {
					r := w.recipe(f, c.task, "", false)
					if r["table"] = table; c.task == "mean" {
						r["group"] = object{"column": f.group, "names": names}
					}
					parts = append(parts, object{"recipe": r})
				}
				report := object{"parts": parts, "division": c.division, "delta": c.delta}
				if c.total != "" {
					report["total"] = c.total
				}
				w.plan(f, report)
			})
	}
}

// TestDeltaOfPlans: a plan whose δ would name somebody is not drawn.
func TestDeltaOfPlans(t *testing.T) {
	w, f := prepared(t, 2000, 2)
	w.ask(f, w.recipe(f, "count", "0.1", false))
	if code, _, said := w.hush("ledger", "limit", w.accounts()[0].Fingerprint, "5",
		"0.5"); code != 0 {
		t.Logf("a limit of δ = .5 is refused: %s", said)
	}
	parts := []object{}
	for range 12 {
		parts = append(parts, object{"recipe": w.recipe(f, "count", "", false)})
	}
	w.plan(f, object{"parts": parts, "division": "evenly", "total": "1", "delta": "0.3"})
}

// TestTopUpOfAnother: a file that reads the same, of other bytes, tops nothing up.
func TestTopUpOfAnother(t *testing.T) {
	w, f := prepared(t, 200, 2)
	for _, task := range []string{"count", "sum"} {
		w.ask(f, w.recipe(f, task, "1", false))
	}
	for range 2 {
		w.topUp(f, true)
	}
}

// TestCopies: one answer that is topped up in a ledger and in a copy of it costs, where both are
// merged, what both answers tell together. Of the first with base q, and the others with base p,
// the law is P(y)·P(z|y)·P(z'|y) = DL_p(z)·B(y−z)·DL_p(z')·B(y−z')/DL_q(y): its loss reaches 2·ln p
// + ln q, since B does not look at the data.
func TestCopies(t *testing.T) {
	w, f := prepared(t, 200, 2)
	w.ask(f, w.recipe(f, "count", "1", false))
	first := w.entries()[0]
	copied := w.ledger + "-copy"
	if err := os.CopyFS(copied, os.DirFS(w.ledger)); err != nil {
		t.Fatal(err)
	}
	mine := w.ledger
	done, larger := 0, "1.2"
	for _, dir := range []string{mine, copied} {
		w.ledger = dir
		if code, _, _ := w.hush("topup", "-spend", "-json", "-epsilon", larger,
			f.latest[first.ID], f.name); code == 0 {
			done++
		}
	}
	_, exported, _ := w.hush("ledger", "export")
	w.ledger = mine
	code, _, said := w.hush("ledger", "import", w.save("export.json", exported))
	w.steps = append(w.steps, fmt.Sprintf("%d copies top up to %s; merged with code %d %s", done,
		larger, code, said))
	if done < 2 || code != 0 {
		t.Logf("noticed: %s", w.steps[len(w.steps)-1])
		return
	}
	spent := number(t, w.accounts()[0].Spent)
	t.Logf("merged: spent ε = %s", spent.FloatString(3))
	if want := number(t, "3.4"); spent.Cmp(want) < 0 {
		w.fails("copies cost what both tell", "spent ε = %s, want at least %s",
			spent.FloatString(3),
			want.FloatString(3))
	}
}
