package engine

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/say"
)

// host plays static/engine.js: it owns the bytes and asks the dispatcher in JSON.
type host struct {
	t    *testing.T
	d    *Dispatcher
	file []byte
}

func newHost(t *testing.T, file []byte) *host {
	return &host{t: t, d: NewDispatcher(coin.NewSeeded(7), say.Language(), nil), file: file}
}

// read decodes a reply: its value into value, or its fault.
func (h *host) read(reply []byte, value any) *Fault {
	h.t.Helper()
	envelope := struct {
		OK    any    `json:"ok"`
		Fault *Fault `json:"fault"`
	}{OK: value}
	if err := json.Unmarshal(reply, &envelope); err != nil {
		h.t.Fatalf("reply %s: %v", reply, err)
	}
	return envelope.Fault
}

func (h *host) ask(operation string, request, value any) *Fault {
	h.t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		h.t.Fatal(err)
	}
	return h.read(h.d.Call(operation, text, nil), value)
}

// must is ask where no fault is expected.
func (h *host) must(operation string, request, value any) {
	h.t.Helper()
	if f := h.ask(operation, request, value); f != nil {
		h.t.Fatalf("%s: %+v", operation, *f)
	}
}

// stream feeds a part of the file in chunks of an awkward size, all through one buffer as the
// worker does.
func (h *host) stream(file []byte) {
	h.t.Helper()
	buffer := make([]byte, 37)
	for chunk := range slices.Chunk(file, len(buffer)) {
		n := copy(buffer, chunk)
		if f := h.read(h.d.Write(buffer[:n]), nil); f != nil {
			h.t.Fatalf("write: %+v", *f)
		}
	}
}

func (h *host) open() (opened ask.Opened) {
	h.t.Helper()
	h.must("survey", Reading{}, nil)
	h.stream(h.file)
	h.must("opened", nil, &opened)
	return opened
}

func question(o ask.Opened) ask.Recipe {
	return ask.Recipe{
		Version: ask.RecipeVersion, Task: "histogram", Table: o.Options, Column: 1,
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}, Epsilon: "0.1",
	}
}

// ages is a small file whose last row ends without a line end, so that a cut-off one can look
// complete.
func ages() []byte {
	var b strings.Builder
	b.WriteString("age")
	for i := range 200 {
		fmt.Fprintf(&b, "\n%d", 10+i%80)
	}
	return []byte(b.String())
}

func TestFromFileToRelease(t *testing.T) {
	h := newHost(t, ages())
	var tasks []ask.Task
	h.must("catalogue", nil, &tasks)
	if len(tasks) != len(task.Catalogue()) {
		t.Errorf("%d tasks in the catalogue, want %d", len(tasks), len(task.Catalogue()))
	}

	opened := h.open()
	if opened.Rows != 200 || opened.Options.Columns != 1 {
		t.Fatalf("opened %d people and %d columns, want 200 and 1", opened.Rows,
			opened.Options.Columns)
	}
	r := question(opened)
	var plan ask.Plan
	h.must("plan", r, &plan)
	if plan.Loss.String() != "ε = 0.1" || plan.People != 200 {
		t.Errorf("plan costs %s for %d people, want ε = 0.1 for 200", plan.Loss,
			plan.People)
	}

	var help []ask.Help
	if h.must("help", r, &help); plan.Verdict.Grade == ask.Good || len(help) == 0 ||
		help[0].Grade != ask.Good || !help[0].Exact {
		t.Errorf("a verdict of %s, and help %+v", plan.Verdict.Grade, help)
	}

	var needed bool
	if h.must("encode", r, &needed); !needed {
		t.Fatal("the column was held before it was read")
	}
	h.stream(h.file)
	h.must("encoded", nil, nil)
	var debit Debit
	h.must("charge", Charge{RunOf: RunOf{Recipe: r}}, &debit)
	if debit.Task != "histogram" || debit.Loss.String() != "ε = 0.1" {
		t.Errorf("charged %+v, want a histogram for ε = 0.1", debit)
	}
	var release task.Release
	h.must("run", RunOf{Recipe: r}, &release)
	if release.Origin != coin.Seeded || len(release.Answer.Result.(*task.Histogram).Bins) != 10 {
		t.Errorf("released %+v", release)
	}

	// The column is held now: another question about it reads nothing.
	r.Task = "median"
	if h.must("encode", r, &needed); needed {
		t.Error("the column is read again though it is held")
	}
	h.must("run", RunOf{Recipe: r}, &release)
	r.Domain.Hi = "100"
	if h.must("encode", r, &needed); !needed {
		t.Error("another domain is not read again")
	}
}

func TestFaults(t *testing.T) {
	h := newHost(t, ages())
	if f := h.ask("plan", question(ask.Opened{}), nil); f == nil || f.Code != NoFile {
		t.Errorf("a plan before any file: %+v, want %s", f, NoFile)
	}
	r := question(h.open())

	wrong := r
	wrong.Epsilon = "-1"
	f := h.ask("plan", wrong, nil)
	if f == nil || f.Code != Refused || f.Field != "epsilon" || f.Package != "privacy" ||
		f.Value == "" || f.Want == "" {
		t.Errorf("ε = -1: %+v, want refused at epsilon", f)
	}
	charge := Charge{RunOf: RunOf{Recipe: wrong}}
	if f := h.ask("charge", charge, nil); f == nil || f.Code != Refused {
		t.Errorf("a charge for ε = -1: %+v, want refused", f)
	}
	for name, reply := range map[string][]byte{
		"no such operation": h.d.Call("dance", nil, nil),
		"no JSON":           h.d.Call("plan", []byte("{"), nil),
		"unknown field":     h.d.Call("plan", []byte(`{"epsilom":"1"}`), nil),
		"no pass to feed":   h.d.Write([]byte("age\n1\n")),
		"no pass to end":    h.d.Call("encoded", []byte("null"), nil),
	} {
		if f := h.read(reply, nil); f == nil || f.Code != Failed {
			t.Errorf("%s: %+v, want failed", name, f)
		}
	}
	early := h.d.Call("run", encodeJSON(t, RunOf{Recipe: r}), nil)
	if f := h.read(early, nil); f == nil || f.Code != NotRead {
		t.Errorf("not read yet: %+v, want not-read", f)
	}
}

// The charge is where a limit is held: what does not fit below it is no debit.
func TestChargeHoldsTheLimit(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open()) // of 0.1
	for _, c := range []struct {
		name  string
		spent Spending
		code  Code // empty: charged
	}{
		{"no limit", spending(t, "", "1", "1"), ""},
		{"exactly what is left", spending(t, "0.5", "0.4"), ""},
		{"more than is left", spending(t, "0.5", "0.4", "1/1000000"), OverLimit},
		{"more than all", spending(t, "0.09"), OverLimit},
		{"by ρ, where a δ is set aside", setAside(t, million, repeated("0.1", 3)...), ""},
		{"neither by ρ nor by ε", setAside(t, million, "0.95"), OverLimit},
	} {
		var thaw Thaw
		f := h.ask("charge", Charge{Spending: c.spent, RunOf: RunOf{Recipe: r}}, &thaw)
		switch {
		case c.code == "" && f != nil:
			t.Errorf("%s: %+v", c.name, *f)
		case c.code == "":
			want := c.spent.Spent().Plus(loss(t, "0.1"))
			if thaw.Loss.String() != "ε = 0.1" || thaw.Total.String() != want.String() {
				t.Errorf("%s: charged %s, in all %s, want %s", c.name, thaw.Loss, thaw.Total, want)
			}
		case f == nil || f.Code != c.code:
			t.Errorf("%s: %+v, want %s", c.name, f, c.code)
		}
	}
}

func encodeJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAbandonedSurveyLeavesNoFile(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	h.must("survey", Reading{}, nil)
	h.stream(h.file[:100])
	h.must("abandon", nil, nil)
	if f := h.ask("plan", r, nil); f == nil || f.Code != NoFile {
		t.Errorf("a plan after half a survey: %+v, want %s", f, NoFile)
	}
	if opened := h.open(); opened.Rows != 200 {
		t.Errorf("%d people when opened again, want 200", opened.Rows)
	}
}

// What is read ahead for one question is what another reads, too, where it is about the same
// column.
func TestReads(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	reads := func(r ask.Recipe) (is bool) {
		h.must("reads", r, &is)
		return is
	}
	if reads(r) {
		t.Error("it is read before a reading began")
	}
	other := r
	other.Domain.Hi = "100"
	h.must("encode", r, nil)
	median := r
	median.Task, median.Params = "median", nil
	if !reads(r) || !reads(median) || reads(other) {
		t.Errorf("read for the question: %v, for another of its column: %v, with another domain: "+
			"%v", reads(r), reads(median), reads(other))
	}
	h.stream(h.file)
	h.must("encoded", nil, nil)
	if reads(r) {
		t.Error("it is read after the reading ended")
	}
	h.must("run", RunOf{Recipe: r}, nil)
	h.must("survey", Reading{}, nil)
	if reads(r) {
		t.Error("a survey reads a column")
	}
}

// What is expected is read ahead of another question, unless somebody waits for that.
func TestExpectedIsReadAhead(t *testing.T) {
	for _, waits := range []bool{false, true} {
		h := newHost(t, []byte("age,visits\n1,old\n2,3\n3,4\n"))
		r := question(h.open())
		visits := r
		visits.Column = 2
		h.must(Expect.Name, []table.Wanted{{Column: 2, Spec: visits.Domain}}, nil)
		var needed bool
		if h.must("ahead", r, &needed); !needed {
			t.Fatal("nothing is read ahead")
		}
		if waits {
			h.must("narrow", nil, nil)
		}
		h.stream(h.file)
		h.must("encoded", nil, nil)
		if h.must("encode", visits, &needed); needed != waits {
			t.Errorf("somebody waits: %v; the file is read again: %v", waits, needed)
		}
	}
	newHost(t, nil).must("narrow", nil, nil) // nothing is read
}

// TestProblemsOfTheQuestion: the cells reported without a value belong to the question at hand, not
// to the columns read last.
func TestProblemsOfTheQuestion(t *testing.T) {
	h := newHost(t, []byte("age,visits\n1,old\n2,3\n3,4\n"))
	r := question(h.open())
	visits := r
	visits.Column = 2
	for _, c := range []struct {
		of   ask.Recipe
		want int
	}{{r, 0}, {visits, 1}, {r, 0}, {visits, 1}} {
		var needed bool
		if h.must("encode", c.of, &needed); needed {
			h.stream(h.file)
			h.must("encoded", nil, nil)
		}
		var problems []table.Problem
		if h.must("problems", nil, &problems); len(problems) != c.want {
			t.Errorf("column %d: %d kinds of cells without a value, want %d", c.of.Column,
				len(problems), c.want)
		}
	}
}

func TestAbandonedColumnIsNotHeld(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	h.must("encode", r, nil)
	h.stream(h.file[:len(h.file)-1]) // every row is there, the last with one digit less
	h.must("abandon", nil, nil)
	var needed bool
	if h.must("encode", r, &needed); !needed {
		t.Error("half a column is held")
	}
	h.stream(h.file)
	h.must("encoded", nil, nil)
	h.must("run", RunOf{Recipe: r}, nil)
}

func TestChangedFile(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	h.must("encode", r, nil)
	h.stream(append(bytes.Clone(h.file), "\n55"...))
	if f := h.ask("encoded", nil, nil); f == nil || f.Code != FileChanged {
		t.Errorf("a longer file: %+v, want %s", f, FileChanged)
	}
}

func TestCancelledRun(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	h.must("encode", r, nil)
	h.stream(h.file)
	h.must("encoded", nil, nil)
	steps := 0
	reply := h.d.Call("run", encodeJSON(t, RunOf{Recipe: r}), func(done, total int64) error {
		steps++
		return fmt.Errorf("in the midst of it: %w", ErrCancelled)
	})
	if f := h.read(reply, nil); f == nil || f.Code != Cancelled {
		t.Errorf("a run cancelled at its first step: %+v, want %s", f, Cancelled)
	}
	if steps != 1 {
		t.Errorf("the run took %d steps after the cancel, want none", steps-1)
	}
	h.must("run", RunOf{Recipe: r}, nil) // the file is still there
}

// broken is a session with a defect.
type broken struct{ *task.Session }

func (broken) Plan(ask.Recipe) (ask.Plan, error)        { panic("a secret of row 17") }
func (broken) Survey(table.Options) (table.Pass, error) { return brokenPass{}, nil }
func (broken) Run(ask.Recipe, coin.Step) (*task.Release, error) {
	var rows []int
	return nil, fmt.Errorf("never said: %d", rows[17])
}

type brokenPass struct{}

func (brokenPass) Write([]byte) error { panic(errors.New("a secret of row 17")) }
func (brokenPass) Close() error       { return nil }
func (brokenPass) Bytes() int64       { return 0 }

func TestPanicsTellNothing(t *testing.T) {
	h := newHost(t, nil)
	h.d.session = broken{}
	h.must("survey", Reading{}, nil)
	for name, reply := range map[string][]byte{
		"plan":  h.d.Call("plan", []byte("{}"), nil),
		"run":   h.d.Call("run", []byte("{}"), nil),
		"write": h.d.Write([]byte("x")),
	} {
		f := h.read(reply, nil)
		if f == nil || f.Code != Internal {
			t.Fatalf("%s: %s, want %s", name, reply, Internal)
		}
		if strings.Contains(string(reply), "17") {
			t.Errorf("%s: the panic's text got out: %s", name, reply)
		}
	}
}

// TestLabelWithoutVotes: a case finds no votes where none go on.
func TestLabelWithoutVotes(t *testing.T) {
	h := newHost(t, nil)
	if f := h.ask("label", []string{"1"}, nil); f == nil || f.Code != Ended {
		t.Errorf("fault %+v, want %s", f, Ended)
	}
}

func TestSamplesAreFiles(t *testing.T) {
	h := newHost(t, nil)
	for _, s := range sample.Sets() {
		var text string
		h.must("sample", s.Name, &text)
		h.file = []byte(text)
		if opened := h.open(); len(opened.Fields) != len(s.Columns) {
			t.Errorf("%s has %d columns, want %d", s.Name, len(opened.Fields), len(s.Columns))
		}
	}
	if f := h.ask("sample", "nobody", nil); f == nil || f.Code != Failed {
		t.Errorf("an unknown data set: %+v, want %q", f, Failed)
	}
}
