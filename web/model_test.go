package web

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fakeEngine answers with core directly, on the spot.
type fakeEngine struct {
	session *task.Session
	file    []byte
	later   []func() // answers held back, when hold is true
	address string
	last    Request
	dead    map[Request]bool
	spent   int

	ledger []engine.Spending // the file's own first
}

func newFake(file []byte) *fakeEngine {
	return &fakeEngine{session: task.NewSession(coin.NewSeeded(7)), file: file, dead: map[Request]bool{}, ledger: emptyLedgerOf(file)}
}

func (f *fakeEngine) answer(reply Reply, result func() (any, error)) Request {
	f.last++
	r := f.last
	// The model must know the request's number before it hears the answer, as in the browser.
	f.later = append(f.later, func() {
		if f.dead[r] {
			reply(r, ReplyFailed, []byte(`{"code":"cancelled","message":"cancelled"}`))
			return
		}
		v, err := result()
		if err != nil {
			fault := map[string]string{"code": "refused", "message": err.Error()}
			if p, ok := err.(interface{ Unwrap() error }); ok {
				err = p.Unwrap()
			}
			text, _ := json.Marshal(err)
			var fields struct{ Field, Value, Want string }
			_ = json.Unmarshal(text, &fields)
			fault["field"], fault["value"], fault["want"] = fields.Field, fields.Value, fields.Want
			body, _ := json.Marshal(fault)
			reply(r, ReplyFailed, body)
			return
		}
		body, _ := json.Marshal(v)
		reply(r, ReplyDone, body)
	})
	return r
}

// settle delivers answers until none is left.
func (f *fakeEngine) settle() {
	for len(f.later) > 0 {
		next := f.later[0]
		f.later = f.later[1:]
		next()
	}
}

func (f *fakeEngine) read(pass table.Pass, err error) error {
	if err != nil || pass == nil {
		return err
	}
	if err := pass.Write(f.file); err != nil {
		return err
	}
	return pass.Close()
}

func (f *fakeEngine) open(options string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var o table.Options
		if err := json.Unmarshal([]byte(options), &o); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Survey(o)); err != nil {
			return nil, err
		}
		opened, err := f.session.Opened()
		if err != nil {
			return nil, err
		}
		return f.opening(opened)
	})
}

func (f *fakeEngine) Catalogue(reply Reply) Request {
	return f.answer(reply, func() (any, error) { return task.Catalogue(), nil })
}
func (f *fakeEngine) Open(_ File, options string, reply Reply) Request { return f.open(options, reply) }
func (f *fakeEngine) OpenSample(_, options string, reply Reply) Request {
	return f.open(options, reply)
}
func (f *fakeEngine) Reopen(options string, reply Reply) Request { return f.open(options, reply) }

func (f *fakeEngine) Plan(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r task.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		return f.session.Plan(r)
	})
}

func (f *fakeEngine) Curve(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r task.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		return f.session.Curve(r)
	})
}

func (f *fakeEngine) EpsilonFor(recipe string, wish float64, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		w := task.Wish{Error: wish}
		if err := json.Unmarshal([]byte(recipe), &w.Recipe); err != nil {
			return nil, err
		}
		return f.session.EpsilonFor(w)
	})
}

func (f *fakeEngine) Read(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r task.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Encode(r)); err != nil {
			return nil, err
		}
		return f.session.Problems(), nil
	})
}

func (f *fakeEngine) Run(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r task.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Encode(r)); err != nil {
			return nil, err
		}
		if err := f.charge(r); err != nil {
			return nil, err
		}
		f.spent++
		return f.session.Run(r, nil)
	})
}

func (f *fakeEngine) Cancel(r Request) { f.dead[r] = true }
func (f *fakeEngine) Reveal(string)    {}
func (f *fakeEngine) Address(p string) { f.address = p }
func (f *fakeEngine) OpenText(text, options string, reply Reply) Request {
	f.file = []byte(text)
	return f.open(options, reply)
}

type fakeFile string

func (f fakeFile) Name() string { return string(f) }
func (f fakeFile) Size() int64  { return 1 }

// started is a model connected to an engine that holds a file of the clinic sample.
func started(t *testing.T) (*Model, *fakeEngine) {
	t.Helper()
	f := newFake(sample.Sets()[0].CSV())
	m := NewModel()
	m.Start(f, func() {})
	f.settle()
	if m.Engine != EngineReady {
		t.Fatal("the engine is not ready")
	}
	return m, f
}

// asked is a model with a complete question about ages.
func asked(t *testing.T) (*Model, *fakeEngine) {
	t.Helper()
	m, f := started(t)
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	return m, f
}

func TestNothingGuessedIsUsedUnconfirmed(t *testing.T) {
	m, f := started(t)
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	if m.Data.Phase != DataOpened || m.Data.Confirmed {
		t.Fatalf("phase %v, confirmed %v", m.Data.Phase, m.Data.Confirmed)
	}
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	if m.Recipe().Table != (table.Options{}) || m.Forecast.Plan != nil {
		t.Error("an unconfirmed reading is in the recipe or was priced")
	}
	m.Confirm()
	m.Edit("", func(*Question) {})
	f.settle()
	if m.Forecast.Plan == nil {
		t.Errorf("no plan after confirming: %+v", m.Forecast.Failure)
	}
	if text := encode(m.Recipe()); strings.Contains(text, "clinic") || strings.Contains(text, `"age"`) {
		t.Errorf("the recipe holds a file or header name: %s", text)
	}
}

func TestSampleNeedsNoConfirmation(t *testing.T) {
	m, f := started(t)
	m.OpenSample(sample.Sets()[0])
	f.settle()
	if !m.Data.Confirmed {
		t.Error("a bundled data set asks how it is to be read")
	}
}

func TestFaultStandsAtItsField(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Epsilon = "much" })
	f.settle()
	if m.Fault("epsilon") == "" || m.Forecast.Plan != nil {
		t.Errorf("fault %q, plan %v", m.Fault("epsilon"), m.Forecast.Plan)
	}
	if m.Question.Epsilon != "much" {
		t.Errorf("the input was changed to %q", m.Question.Epsilon)
	}
	m.Edit("", func(q *Question) { q.Epsilon = "0.5" })
	f.settle()
	if m.Fault("epsilon") != "" || m.Forecast.Plan == nil {
		t.Errorf("the corrected question: %+v", m.Forecast.Failure)
	}
}

func TestGuessesAndRepairsAreTakenByHand(t *testing.T) {
	m, f := started(t)
	f.file = []byte("salary\n\"1.200,50\"\n\"980,00\"\n\"n/a\"\n\"2.000,25\"\n")
	m.Open(fakeFile("pay.csv"))
	f.settle()
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column = 1 })
	guess := m.Field(1).Guess
	if guess.Kind != domain.Decimal || guess.Mark != "," {
		t.Fatalf("the guess is %+v", guess)
	}
	if m.Recipe().Domain.Mark != "" {
		t.Error("a guess is in the recipe before it was taken")
	}
	m.Edit("", func(q *Question) { q.Domain.take(guess) })
	m.Edit("lo", func(q *Question) { q.Domain.Lo = "0" })
	m.Edit("hi", func(q *Question) { q.Domain.Hi = "9000" })
	m.Edit("", func(q *Question) { q.Domain.Missing = "" })
	m.ReadCells()
	f.settle()
	if !m.Cells.Read || len(m.Cells.Problems) != 1 || m.Cells.Problems[0].Repair == nil {
		t.Fatalf("cells %+v", m.Cells)
	}
	if err := m.Accept(*m.Cells.Problems[0].Repair); err != nil {
		t.Fatal(err)
	}
	if got := m.Recipe().Domain.Missing; !slices.Equal(got, []string{"n/a"}) {
		t.Errorf("after the repair %q count as missing", got)
	}
	m.ReadCells()
	f.settle()
	if len(m.Cells.Problems) != 0 {
		t.Errorf("still %+v", m.Cells.Problems)
	}
}

func TestUndoTakesBackOneFieldAtATime(t *testing.T) {
	m, f := asked(t)
	before := encode(m.Recipe())
	for _, text := range []string{"1", "12", "120"} {
		m.Edit("hi", func(q *Question) { q.Domain.Hi = text })
	}
	m.Edit("", func(q *Question) { q.Params["width"] = "5" })
	m.Edit("", func(q *Question) {
		q.Filter = append(q.Filter, ConditionForm{Column: 3, Test: TestOneOf, List: "Hill"})
	})
	m.Undo()
	m.Undo()
	if got := m.Recipe(); got.Domain.Hi != "120" || got.Params["width"] != "" || got.Filter != nil {
		t.Errorf("after two steps back: %s", encode(got))
	}
	m.Undo()
	f.settle()
	if got := encode(m.Recipe()); got != before {
		t.Errorf("after three steps back:\n%s\nwant\n%s", got, before)
	}
	if m.Forecast.Plan == nil {
		t.Error("the question taken back to is not priced")
	}
}

func TestPersonsAndConditionsReachTheRecipe(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Who = Counts })
	if m.Missing() == "" {
		t.Error("no column of counts is missed")
	}
	m.Edit("", func(q *Question) {
		q.WhoColumn = 5
		q.Filter = []ConditionForm{{Column: 3, Test: TestNoneOf, List: "Hill\n Mill "}, {Column: 2, Test: TestNumbers, From: "10"}, {Column: 4, Test: TestOneOf}}
	})
	f.settle()
	r := m.Recipe()
	if r.Count != 5 || r.Person != 0 || len(r.Filter) != 2 {
		t.Fatalf("recipe %s", encode(r))
	}
	if c := r.Filter[0]; !c.Not || !slices.Equal(c.Spec.Categories, []string{"Hill", "Mill"}) {
		t.Errorf("the first condition is %+v", c)
	}
}

// TestRecipeComesBack: by address and by text a recipe restores every field, on a page that has seen nothing yet.
func TestRecipeComesBack(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) {
		q.Who, q.WhoColumn, q.Label, q.Epsilon = Counts, 5, "years", "0.25"
		q.Filter = []ConditionForm{{Column: 3, Test: TestNoneOf, List: "Hill\nMill"}, {Column: 2, Test: TestNumbers, From: "1"}}
		q.Domain.Missing, q.Domain.Clamp, q.Params["width"] = "NA, -", true, "20"
	})
	f.settle()
	want, text, address := encode(m.Recipe()), m.RecipeText(), f.address
	if !strings.Contains(address, "?q=") || strings.Contains(address, "clinic") {
		t.Fatalf("the address is %q", address)
	}
	for name, bring := range map[string]func(m *Model){
		"address": func(m *Model) { m.Go(address) },
		"text":    func(m *Model) { m.AdoptText(text) },
		"release": func(m *Model) { m.AdoptText(`{"version":1,"recipe":` + text + `}`) },
	} {
		t.Run(name, func(t *testing.T) {
			m, f := started(t)
			bring(m)
			if m.Waiting == nil {
				t.Fatalf("no recipe waits: %s", m.RecipeFault)
			}
			m.Open(fakeFile("clinic.csv"))
			f.settle()
			if got := encode(m.Recipe()); got != want {
				t.Errorf("it came back as\n%s\nwant\n%s", got, want)
			}
			if m.Forecast.Failure != nil && m.Forecast.Failure.Code != engine.Refused {
				t.Errorf("not priced: %+v", m.Forecast.Failure)
			}
		})
	}
}

func TestBrokenRecipesAreRefused(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":       "hello",
		"cut off":       `{"version":1,"task":"hist`,
		"other version": `{"version":7,"task":"histogram"}`,
		"unknown task":  `{"version":1,"task":"mode"}`,
		"unknown field": `{"version":1,"task":"median","secret":1}`,
		"a list":        `[1,2]`,
	} {
		m, _ := started(t)
		before := encode(m.Recipe())
		m.AdoptText(text)
		if m.RecipeFault == "" || m.Waiting != nil || encode(m.Recipe()) != before {
			t.Errorf("%s: fault %q", name, m.RecipeFault)
		}
	}
	m, _ := started(t)
	if m.Go("/?q=***"); m.RecipeFault == "" {
		t.Error("a broken address is not told")
	}
}

func FuzzReadRecipe(f *testing.F) {
	f.Add(`{"version":1,"task":"histogram","table":{},"column":1,"domain":{"kind":"integer"},"epsilon":"1"}`)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := ReadRecipe(text)
		if err != nil {
			return
		}
		again, err := ReadRecipe(encode(r))
		if err != nil || encode(again) != encode(r) {
			t.Errorf("%q is not stable: %v", text, err)
		}
		questionOf(r)
	})
}

func TestWishFindsEpsilon(t *testing.T) {
	m, f := asked(t)
	if len(m.Wish.Curve) < 5 {
		t.Fatalf("the curve has %d points", len(m.Wish.Curve))
	}
	m.SetWish("many")
	if m.GrantWish(); m.Wish.Fault == "" {
		t.Error("a wish that is no number is taken")
	}
	m.SetWish("5")
	m.GrantWish()
	f.settle()
	if m.Question.Epsilon == "0.5" || m.Wish.Fault != "" {
		t.Fatalf("ε is %s, fault %q", m.Question.Epsilon, m.Wish.Fault)
	}
	if got := m.Forecast.Plan.Forecast[0].Value; got != "5 people" {
		t.Errorf("the forecast is now %q, want 5 people", got)
	}
	golden(t, "chart-curve.json", indent(t, curveChart(m.Wish.Curve, "0.5", "people")))
}

func TestLateAnswersAreDropped(t *testing.T) {
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Epsilon = "nonsense" })
	m.Edit("", func(q *Question) { q.Epsilon = "2" })
	late := f.later[0]
	f.later = f.later[1:]
	f.settle()
	late()
	if m.Forecast.Plan == nil || m.Forecast.Failure != nil {
		t.Error("the answer to an older question won")
	}
}

func TestRunReleases(t *testing.T) {
	m, f := asked(t)
	m.Run()
	if m.Release.Phase != ReleaseRunning {
		t.Fatal("not running")
	}
	m.Run() // a second click
	f.settle()
	if m.Release.Phase != ReleaseDone || m.Release.Result == nil {
		t.Fatalf("phase %v: %+v", m.Release.Phase, m.Release.Failure)
	}
	if f.spent != 1 {
		t.Errorf("%d runs, want one for two clicks", f.spent)
	}
	if m.Ledger.Count != 1 {
		t.Errorf("the ledger shows %d releases", m.Ledger.Count)
	}
}

func TestCancelledRunKeepsTheQuestion(t *testing.T) {
	m, f := asked(t)
	m.Run()
	m.CancelRun()
	f.settle()
	if m.Release.Phase != ReleaseFailed || m.Release.Failure.Code != engine.Cancelled {
		t.Errorf("phase %v", m.Release.Phase)
	}
	if m.Missing() != "" || m.Forecast.Plan == nil {
		t.Error("the question is lost")
	}
}

func TestOpeningAnotherFileForgetsTheQuestion(t *testing.T) {
	m, f := asked(t)
	m.Run()
	m.Open(fakeFile("other.csv"))
	f.settle()
	if m.Question.Column != 0 || m.Forecast.Plan != nil || m.Release.Phase != ReleaseIdle {
		t.Error("something of the last file is left")
	}
}

func TestReadingAnotherWay(t *testing.T) {
	m, f := started(t)
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	rows := m.Data.Opened.Rows
	m.Reread(func(o *table.Options) { o.Header = table.No })
	f.settle()
	if m.Data.Opened.Rows != rows+1 || m.HeaderName(1) != "" {
		t.Errorf("%d people and a name %q, want %d and none", m.Data.Opened.Rows, m.HeaderName(1), rows+1)
	}
}

func TestEngineDeathIsTold(t *testing.T) {
	m, _ := asked(t)
	m.News("died", []byte(`{"reason":"out-of-memory"}`))
	if m.Engine != EngineDied {
		t.Error("not told")
	}
	m.News("restarted", []byte("null"))
	if m.Engine != EngineReady {
		t.Error("not back")
	}
}

func TestChartOptions(t *testing.T) {
	m, f := asked(t)
	for _, id := range []string{"histogram", "median", "mean", "mean by group", "quantiles"} {
		m.Edit("", func(q *Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group, q.Groups = 3, "Hill\nMill"
			}
		})
		f.settle()
		m.Run()
		f.settle()
		option, _ := chartOption(m.Release.Result)
		golden(t, "chart-"+strings.ReplaceAll(id, " ", "-")+".json", indent(t, option))
	}
}

func TestGroupedAndBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1\u202f000", -1234567: "−1\u202f234\u202f567"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q, want %q", n, got, want)
		}
	}
	for n, want := range map[int64]string{5: "5 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB", 3_000_000_000: "3.00 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("bytesText(%d) = %q, want %q", n, got, want)
		}
	}
}

// TestPageInEveryPhase draws the page natively in each phase; the golden files are what a reviewer reads.
func TestPageInEveryPhase(t *testing.T) {
	draw := func(name string, m *Model) {
		golden(t, "page-"+name+".html", inOrder(app.HTMLString(&Page{model: m})))
	}
	m, f := started(t)
	draw("empty", m)
	m.Open(fakeFile("clinic.csv"))
	m.openReply(m.Data.request, ReplyProgress, []byte(`{"phase":"opening","done":30,"total":100}`))
	draw("opening", m)
	f.settle()
	draw("opened", m)
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column = 1 })
	f.settle()
	draw("column", m)
	m.Edit("", func(q *Question) { q.Domain.Lo, q.Domain.Hi = "0", "100" })
	f.settle()
	draw("priced", m)
	m.Edit("", func(q *Question) { q.Domain.Lo = "x" })
	f.settle()
	draw("fault", m)
	m.Edit("", func(q *Question) { q.Domain.Lo = "0" })
	f.settle()
	m.Run()
	draw("running", m)
	f.settle()
	draw("released", m)
}

func indent(t *testing.T, body json.RawMessage) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// inOrder sorts each tag's attributes, which go-app keeps in a map.
func inOrder(html string) string {
	return tag.ReplaceAllStringFunc(html, func(t string) string {
		list := attribute.FindAllString(t, -1)
		if len(list) < 2 {
			return t
		}
		start, end := attribute.FindStringIndex(t)[0], strings.LastIndex(t, list[len(list)-1])+len(list[len(list)-1])
		slices.Sort(list)
		return t[:start] + strings.Join(list, "") + t[end:]
	})
}

var (
	tag       = regexp.MustCompile(`<[a-z][^<>]*>`)
	attribute = regexp.MustCompile(` [a-z-]+(="[^"]*")?`)
)

// golden compares with testdata/name, or writes it with -update; the diff is the review.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s has changed; look at the difference and run with -update", path)
	}
}
