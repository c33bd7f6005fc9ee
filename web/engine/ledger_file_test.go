package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
)

// ledgerText is a file as it was first written; it must stay readable.
const ledgerText = `{
  "format": "hush-ledger",
  "version": 1,
  "dataSets": [
    {
      "fingerprint": "3f2a91bc00000000000000000000000000000000000000000000000000000000",
      "browser": "00112233445566aa",
      "limit": {
        "epsilon": "3",
        "delta": "0.000001"
      },
      "lost": [
        "0a1b2c3d-0a1b-4c2d-8e3f-000000000009"
      ],
      "releases": [
        {
          "id": "0a1b2c3d-0a1b-4c2d-8e3f-000000000001",
          "task": "median",
          "loss": {
            "epsilon": "1/10",
            "delta": "0"
          },
          "time": "2026-01-02T03:04:05.678Z"
        },
        {
          "id": "0a1b2c3d-0a1b-4c2d-8e3f-000000000002",
          "task": "count",
          "loss": {
            "epsilon": "2/3",
            "delta": "1/100000000",
            "odds": "2",
            "rho": "1/9007199254740993"
          },
          "time": "2026-01-02T03:04:06.000Z"
        }
      ]
    },
    {
      "fingerprint": "e000000000000000000000000000000000000000000000000000000000000000",
      "browser": "ffffffffffffffff",
      "limit": null,
      "releases": []
    }
  ]
}
`

func TestLedgerFileComesBackAsItWas(t *testing.T) {
	all, err := ReadLedger(ledgerText)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || len(all[0].Entries) != 2 ||
		all[0].Entries[1].Fingerprint != all[0].Fingerprint || all[0].Entries[0].Schema != 1 ||
		len(all[0].Lost) != 1 {
		t.Fatalf("read %+v", all)
	}
	text, err := WriteLedger(all)
	if err != nil || text != ledgerText {
		t.Errorf("written again (%v):\n%s", err, text)
	}
	again, err := ReadLedger(text)
	if err != nil || !reflect.DeepEqual(again, all) {
		t.Errorf("read again: %v", err)
	}
}

// TestLedgerFileOfPlan: a plan stays one entry, and the questions themselves are in no file.
func TestLedgerFileOfPlan(t *testing.T) {
	all, err := ReadLedger(ledgerText)
	if err != nil {
		t.Fatal(err)
	}
	e := &all[0].Entries[0]
	e.Debit = Debit{Task: planTask, Loss: e.Loss, Questions: 7}
	e.Plan = &PlanOf{Fixed: ask.Fixed{Questions: []ask.Recipe{{Task: "secret"}}, Delta: "0"}}
	text, err := WriteLedger(all)
	if err != nil || strings.Contains(text, "secret") || !strings.Contains(text, `"version": 2`) {
		t.Errorf("written (%v):\n%s", err, text)
	}
	again, err := ReadLedger(text)
	if e.Plan = nil; err != nil || !reflect.DeepEqual(again, all) {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

func TestLedgerFileSaysWhereItIsWrong(t *testing.T) {
	for name, c := range map[string]struct{ old, fresh, want string }{
		"cut off":        {ledgerText[400:], "", "line 17, character 27"},
		"no comma":       {`"version": 1,`, `"version": 1`, "line 4, character 3"},
		"another format": {"hush-ledger", "hush-recipe", "it is no ledger"},
		"a later version": {`"version": 1`, `"version": 4`,
			"it is of version 4, and this page reads versions 1 to 3"},
		"several questions of no plan": {`"task": "median"`, `"task": "median", "questions": 3`,
			"data set 1, release 1: it is no plan"},
		"version as text":   {`"version": 1`, `"version": "1"`, "line 3"},
		"no data sets":      {`"dataSets"`, `"datasets2"`, "unknown field"},
		"fingerprint":       {"3f2a91bc", "3F2A91BC", "data set 1: its fingerprint"},
		"browser":           {"ffffffffffffffff", "ff", "data set 2: its browser"},
		"same fingerprint":  {"e0000000", "3f2a91bc", "data set 2: it has the name of data set 1"},
		"limit":             {`"epsilon": "3"`, `"epsilon": "-3"`, "data set 1: its limit"},
		"limit as a number": {`"epsilon": "3"`, `"epsilon": 3`, "data set 1: json"},
		"unknown field": {`"task": "median"`, `"task": "median", "rows": 17`,
			"data set 1, release 1: json: unknown field"},
		"task": {`"median"`, `"<b>"`, "data set 1, release 1: its task"},
		"no loss": {`"loss": {
            "epsilon": "1/10",
            "delta": "0"
          },`, "", "data set 1, release 1: its loss is missing"},
		"empty loss":    {`"epsilon": "1/10",`, "", "data set 1, release 1: "},
		"negative loss": {`"1/10"`, `"-1/10"`, "data set 1, release 1: "},
		"time": {"2026-01-02T03:04:06.000Z", "2026-02-30T03:04:06.000Z",
			"data set 1, release 2: its time is not in the calendar"},
		"id": {"8e3f-000000000002", "8e3f-2", "data set 1, release 2: its id"},
		"same id": {"8e3f-000000000002", "8e3f-000000000001",
			"data set 1, release 2: it has the name of data set 1, release 1"},
		"lost, yet there": {"8e3f-000000000009", "8e3f-000000000001",
			"data set 1, lost release 1: it has the name of data set 1, release 1"},
		"no list of releases": {`"releases": []`, `"lost": []`,
			"data set 2: its list of releases is missing"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(ledgerText, c.old) {
				t.Fatal("the case does not apply")
			}
			all, err := ReadLedger(strings.Replace(ledgerText, c.old, c.fresh, 1))
			var wrong *LedgerFileError
			if !errors.As(err, &wrong) || all != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("read %v, %v; want nothing and %q", all, err, c.want)
			}
			if f := fault(nil, err); f.Code != BadLedger {
				t.Errorf("the fault is %+v, want %s", f, BadLedger)
			}
		})
	}
}

func FuzzLedgerFile(f *testing.F) {
	f.Add(ledgerText)
	f.Add(`{"format":"hush-ledger","version":1,"dataSets":[]}`)
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		all, err := ReadLedger(text)
		if err != nil {
			if all != nil {
				t.Error("an error and a value")
			}
			return
		}
		printed, err := WriteLedger(all)
		if err != nil {
			t.Fatal(err)
		}
		again, err := ReadLedger(printed)
		if err != nil {
			t.Fatalf("%v in what was written", err)
		}
		if twice, err := WriteLedger(again); err != nil || twice != printed {
			t.Errorf("written twice: %s and %s (%v)", printed, twice, err)
		}
	})
}

func TestBudget(t *testing.T) {
	limit := DefaultLimit()
	if _, err := limit.bounds(); err != nil {
		t.Fatal(err)
	}
	s := spending(t, "1", "0.3", "0.3")
	b, err := s.Budget()
	if err != nil || privacy.Number(b.Epsilon) != "0.4" || b.Level != LevelHalf || b.Over ||
		privacy.Number(b.Used) != "0.6" {
		t.Errorf("0.6 of 1: %+v (%v)", b, err)
	}
	if after := b.After(loss(t, "0.4")); after.Over || after.Level != LevelFull ||
		after.Epsilon.Sign() != 0 {
		t.Errorf("with the last 0.4: %+v", after)
	}
	if after := b.After(loss(t, "0.400000001")); !after.Over || after.Epsilon.Sign() != 0 {
		t.Errorf("a little more: %+v, want over", after)
	}
	delta, _ := privacy.ParseDelta("1e-9")
	e, _ := privacy.ParseEpsilon("0.1")
	if after := b.After(privacy.ApproximateLoss(e, delta)); !after.Over ||
		after.Level != LevelFull {
		t.Errorf("a δ where the limit has none: %+v, want over", after)
	}
	rho, err := privacy.ParseRho("0.01")
	if err != nil {
		t.Fatal(err)
	}
	if after := b.After(privacy.ConcentratedLoss(rho)); !after.Over || after.Level != LevelFull {
		t.Errorf("a loss without an ε: %+v, want over", after)
	}
	if b, err := spending(t, "", "50").Budget(); err != nil || b.Over || b.Limit != nil ||
		b.Level != LevelLow {
		t.Errorf("without a limit: %+v (%v)", b, err)
	}
}

// The store hands over what the file held, in the store's own shape.
func TestImportedEntryHasTheShapeOfADebit(t *testing.T) {
	all, err := ReadLedger(ledgerText)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(all[0].Entries[0])
	const want = `{"id":"0a1b2c3d-0a1b-4c2d-8e3f-000000000001","fingerprint":"3f2a91bc00000000000000000000000000000000000000000000000000000000",` +
		`"task":"median","loss":{"epsilon":"1/10","delta":"0"},"time":"2026-01-02T03:04:05.678Z","schema":1}`
	if string(text) != want {
		t.Errorf("%s, want %s", text, want)
	}
}

// A file with what no ledger holds is refused at once, or what it says is made short: an account of
// long numbers would hold up the page for seconds.
func TestLedgerFileIsBounded(t *testing.T) {
	digits := strings.Repeat("7", 1<<16)
	with := func(loss string) string {
		return strings.Replace(ledgerText, `"odds": "2"`, loss, 1)
	}
	var wrong *LedgerFileError
	for _, field := range []string{`"epsilon": "2/3"`, `"rho": "1/9007199254740993"`} {
		name, _, _ := strings.Cut(field, ":")
		long := strings.Replace(ledgerText, field, name+`: "1/`+digits+`"`, 1)
		if _, err := ReadLedger(long); !errors.As(err, &wrong) ||
			wrong.Where != "data set 1, release 2" {
			t.Errorf("%s of 65536 digits: %v", name, err)
		}
	}
	// An earlier version wrote a long e^ε.
	all, err := ReadLedger(with(`"odds": "` + digits + `/3"`))
	if err != nil {
		t.Fatal(err)
	}
	if _, has := all[0].Entries[1].Loss.Odds(); has {
		t.Error("a long e^ε is kept")
	}
	all, err = ReadLedger(strings.Replace(ledgerText, `"epsilon": "2/3"`,
		`"epsilon": "`+digits[:1000]+"/"+digits[:1000]+`8"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := json.Marshal(all[0].Entries[1].Loss); len(text) > 1000 {
		t.Errorf("a loss of %d bytes is kept", len(text))
	}
	if _, err = ReadLedger(longLedger(mostReleases)); !errors.As(err, &wrong) {
		t.Errorf("%d releases: %v", mostReleases, err)
	}
}

// longLedger is a ledger file of one data set with the given number of releases more.
func longLedger(releases int) string {
	var many strings.Builder
	for i := range releases {
		fmt.Fprintf(&many, `{"id":"0a1b2c3d-0a1b-4c2d-8e3f-%012d","task":"median",`+
			`"loss":{"epsilon":"1/10","delta":"0"},"time":"2026-01-02T03:04:05.678Z"},`, 1000+i)
	}
	start := strings.Index(ledgerText, `"releases": [`) + len(`"releases": [`)
	return ledgerText[:start] + many.String() + ledgerText[start:]
}

// A file that is too long is refused before its releases are read, so that the work for each of
// 100 000 is to skip it.
func TestLongLedgerFileIsRefusedUnread(t *testing.T) {
	var wrong *LedgerFileError
	for _, text := range []string{longLedger(30_000), longLedger(100_000)} {
		allocations := testing.AllocsPerRun(1, func() {
			if _, err := ReadLedger(text); !errors.As(err, &wrong) || wrong.Where != "" {
				t.Fatalf("read, or refused at a place: %v", err)
			}
		})
		if allocations > 200 {
			t.Errorf("%d bytes: %.0f allocations, want at most 200", len(text), allocations)
		}
	}
}

// What counts against the length is each data set and each member of its lists, and nothing else.
func TestItemsOfALedgerFile(t *testing.T) {
	for text, want := range map[string]int{
		ledgerText: 1 + strings.Count(ledgerText, `"task"`) +
			strings.Count(ledgerText, `"fingerprint"`), // 1: what is lost
		`{"dataSets": []}`: 0,
		`{"dataSets": [{"releases": []}, {"lost": [], "releases": [{"loss": {}}]}]}`:   3,
		`{"dataSets": [{"lost": ["{\"[", "\\"], "frozen": [null, {"a": [{}, "b"]}]}]}`: 5,
		`]]{"a": [1, {`: 1,
	} {
		if got := items(text); got != want {
			t.Errorf("%d in %s, want %d", got, text, want)
		}
	}
}

// TestLedgerFileRaisesNoLimit: a file does not raise a limit above the default; only the owner
// does, at the data set.
func TestLedgerFileRaisesNoLimit(t *testing.T) {
	usual := DefaultLimit()
	for text, above := range map[string]bool{
		`"epsilon": "3",`:    false,
		`"epsilon": "1/2",`:  false,
		`"epsilon": "3.01",`: true,
		`"epsilon": "100",`:  true,
	} {
		all, err := ReadLedger(strings.Replace(ledgerText, `"epsilon": "3",`, text, 1))
		if err != nil {
			t.Fatal(err)
		}
		if s := all[0]; s.Above != above || above && *s.Limit != usual {
			t.Errorf("%s gives the limit %+v, above: %t", text, s.Limit, s.Above)
		}
	}
	all, err := ReadLedger(strings.Replace(ledgerText, `"delta": "0.000001"`, `"delta": "0.01"`, 1))
	if err != nil || !all[0].Above || *all[0].Limit != usual {
		t.Errorf("δ of 0.01: %v, %v", all, err)
	}
}

// The total stands for the entries, and what a debit leaves is the total with it.
func TestTotalStandsForEntries(t *testing.T) {
	s := spending(t, "3", "1", "1/3")
	total := s.Spent()
	short := Spending{Limit: s.Limit, Total: &total}
	if short.Spent().Exact() != s.Spent().Exact() {
		t.Errorf("%s, want %s", short.Spent(), s.Spent())
	}
	var over *OverLimitError
	if err := short.Admit(loss(t, "5/3")); err != nil {
		t.Error(err)
	}
	if err := short.Admit(loss(t, "1.67")); !errors.As(err, &over) {
		t.Errorf("more than is left: %v", err)
	}
}
