package core

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/sample"
)

// clinic is the made-up patients of a clinic.
func clinic(t *testing.T, src coin.Source) *File {
	t.Helper()
	set, ok := sample.Named("clinic")
	if !ok {
		t.Fatal("no made-up clinic")
	}
	f, err := open(bytes.NewReader(set.CSV()), Reading{}, src)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func meanAge(f *File, epsilon string) Recipe {
	return Recipe{Task: "mean", Column: f.Column("age"), Label: "age", Epsilon: epsilon,
		Domain: Domain{Kind: Integer, Lo: "0", Hi: "100"}}
}

func ledger(t *testing.T, epsilon, delta string) *Ledger {
	t.Helper()
	l, err := NewLedger(epsilon, delta)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestRelease: what a price says is debited, before the draw, and the release holds when checked.
func TestRelease(t *testing.T) {
	f, l := clinic(t, coin.NewCrypto()), ledger(t, "1", "0")
	price, err := f.Price(meanAge(f, "0.5"))
	if err != nil || price.Loss != (Loss{"1/2", "0"}) || price.People != f.Rows() ||
		price.Verdict.From == "" || len(price.Forecast) == 0 {
		t.Fatalf("price %+v, %v", price, err)
	}
	if l.Spent() != (Loss{"0", "0"}) {
		t.Errorf("a price has cost %s", l.Spent())
	}
	var saved []byte
	l.Save = func(text []byte) error { saved = bytes.Clone(text); return nil }
	r, err := f.Release(l, meanAge(f, "0.5"))
	if err != nil || !strings.HasPrefix(r.Statement, "Mean age of those with a value is about 4") ||
		r.Loss != price.Loss {
		t.Fatalf("release %+v, %v", r, err)
	}
	if report := Check([]byte(r.JSON())); report.Count("fails") > 0 || report.Count("holds") < 5 {
		t.Errorf("its check: %+v", report.Checks)
	}
	if len(r.Table()) < 2 || !strings.HasPrefix(r.CSV(), "mean,") {
		t.Errorf("its table %q, its CSV %q", r.Table(), r.CSV())
	}
	again, err := ReadLedger(bytes.NewReader(saved))
	if err != nil || again.Spent() != (Loss{"1/2", "0"}) || len(again.Entries()) != 1 ||
		again.Limit() != l.Limit() {
		t.Fatalf("the ledger that was saved: %+v, %v", again, err)
	}
	if _, err := f.Release(again, meanAge(f, "0.6")); !errors.Is(err, ErrLimit) {
		t.Errorf("a release beyond the limit: %v", err)
	}
	if again.Spent() != (Loss{"1/2", "0"}) {
		t.Errorf("a refusal has cost %s", again.Spent())
	}
}

// TestNothingDrawnUnsaved: where the ledger cannot be saved nothing is drawn, and the debit stays.
func TestNothingDrawnUnsaved(t *testing.T) {
	src := &counting{Source: coin.NewSeeded(1)}
	f, l := clinic(t, src), ledger(t, "1", "0")
	full := errors.New("the disk is full")
	l.Save = func([]byte) error {
		if src.drawn {
			t.Error("drawn before the debit")
		}
		return full
	}
	if _, err := f.Release(l, meanAge(f, "0.5")); !errors.Is(err, full) || src.drawn {
		t.Errorf("%v, drawn: %v", err, src.drawn)
	}
	if l.Spent().Epsilon != "1/2" {
		t.Errorf("spent %s", l.Spent())
	}
}

// counting notes whether coins were thrown.
type counting struct {
	coin.Source
	drawn bool
}

func (c *counting) Bernoulli(p coin.Chance) bool { c.drawn = true; return c.Source.Bernoulli(p) }
func (c *counting) Geometric(b coin.Base) uint64 { c.drawn = true; return c.Source.Geometric(b) }

// TestTopUp: a more exact answer costs the difference alone.
func TestTopUp(t *testing.T) {
	f, l := clinic(t, coin.NewCrypto()), ledger(t, "1", "0")
	first, err := f.Release(l, meanAge(f, "0.25"))
	if err != nil {
		t.Fatal(err)
	}
	second, err := f.TopUp(l, first, "0.75")
	if err != nil || l.Spent().Epsilon != "3/4" || second.Loss.Epsilon != "3/4" {
		t.Fatalf("%+v, %v, spent %s", second, err, l.Spent())
	}
	if _, err := f.TopUp(l, first, "1"); err == nil || l.Spent().Epsilon != "3/4" {
		t.Errorf("topped up twice: %v, spent %s", err, l.Spent())
	}
	if _, err := f.TopUp(l, &Release{Recipe: first.Recipe}, "1"); err == nil {
		t.Error("a release from elsewhere is topped up")
	}
}

// TestPlan: several questions cost one debit, the plan's total.
func TestPlan(t *testing.T) {
	f, l := clinic(t, coin.NewCrypto()), ledger(t, "1", "0")
	count := meanAge(f, "")
	count.Task = "count"
	p, err := f.Plan(Several{Division: Evenly, Total: "1", Delta: "0",
		Parts: []Part{{Recipe: meanAge(f, "")}, {Recipe: count}}})
	if err != nil || len(p.Prices) != 2 || p.Epsilons[0] != "0.5" || p.Total.Epsilon != "1" {
		t.Fatalf("%+v, %v", p, err)
	}
	all, err := f.ReleasePlan(l, p)
	if err != nil || len(all) != 2 || l.Spent() != p.Total || len(l.Entries()) != 1 {
		t.Fatalf("%d releases, %v, spent %s", len(all), err, l.Spent())
	}
	if _, err := f.ReleasePlan(l, p); !errors.Is(err, ErrLimit) {
		t.Errorf("a plan beyond the limit: %v", err)
	}
}

// TestRefusals: what is wrong is named, and costs nothing.
func TestRefusals(t *testing.T) {
	f, l := clinic(t, coin.NewCrypto()), ledger(t, "1", "0")
	if f.Column("nothing") != 0 || f.Column("age") == 0 || len(f.Columns()) < 3 ||
		f.Reading().Delimiter != "," {
		t.Errorf("columns %q, read by %+v", f.Columns(), f.Reading())
	}
	for _, r := range []Recipe{{}, {Task: "unheard-of"}, meanAge(f, "x"), meanAge(f, "0"),
		{Task: "mean", Epsilon: "1", Domain: Domain{Kind: Integer, Lo: "0", Hi: "9"}}} {
		if _, err := f.Price(r); err == nil {
			t.Errorf("%+v has a price", r)
		}
		if _, err := f.Release(l, r); err == nil || l.Spent().Epsilon != "0" {
			t.Errorf("%+v: %v, spent %s", r, err, l.Spent())
		}
	}
	for _, text := range []string{"", "{", "{}", `{"version":2}`, `{"version":1,"limit":{}}`,
		`{"version":1,"limit":{"epsilon":"1","delta":"0"},"entries":[]} {}`,
		`{"version":1,"limit":{"epsilon":"1","delta":"0"},"entries":[{"task":"","label":"",` +
			`"loss":{"epsilon":"-1","delta":"0"}}]}`} {
		if _, err := ReadLedger(strings.NewReader(text)); err == nil {
			t.Errorf("%s is a ledger", text)
		}
	}
	if _, err := Open(strings.NewReader("\x1f\x8b\x08cut off")); err == nil {
		t.Error("a damaged file is opened")
	}
	if len(Tasks()) < 20 {
		t.Errorf("%d tasks", len(Tasks()))
	}
}
