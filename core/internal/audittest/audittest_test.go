package audittest

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
)

func coinAudit(name string, num uint64) audit.Audit[bool] {
	return audit.Audit[bool]{
		Name:  name,
		Space: audit.Space{Persons: 1, Values: 2, NoNone: true},
		Claim: audit.Pure(3, 1),
		Law: func(rows []int) (*coin.Law[bool], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (bool, error) {
				return src.Bernoulli(coin.Ratio(num, 4)) == (rows[0] == 1), nil
			})
		},
	}
}

// TestTable writes lines as -update does, then compares them, then changes a figure.
func TestTable(t *testing.T) {
	t.Chdir(t.TempDir())
	set := func(update bool) { *Update = update }
	before := *Update
	t.Cleanup(func() { set(before) })
	set(true)
	Holds(t, coinAudit("b", 3))
	Caught(t, coinAudit("a, but always true", 4))
	Holds(t, coinAudit("a", 2))
	text, err := os.ReadFile(File)
	if err != nil {
		t.Fatal(err)
	}
	want := preface + claims + audit.Header +
		"| a | 2, 2 | 3 | 0 | 1 | 0 | 0 → 1 | holds |\n| b | 2, 2 | 3 | 0 | 3 | 0 | 0 → 1 | " +
		"holds |\n" +
		planted + audit.Header +
		"| a, but always true | 2, 2 | 3 | 0 | none | 1 | 0 → 1 | violated |\n"
	if string(text) != want {
		t.Errorf("have\n%s\nwant\n%s", text, want)
	}
	set(false)
	Holds(t, coinAudit("b", 3)) // the line is there
	if changed := insert(want, strings.Replace(line(t, "b"), "| 3 |", "| 2 |", 1),
		true); changed == want {
		t.Error("another figure goes unnoticed")
	}
}

// TestStaleLine has a line that no test made.
func TestStaleLine(t *testing.T) {
	t.Chdir(t.TempDir())
	before := *Update
	t.Cleanup(func() { *Update = before })
	*Update = true
	Holds(t, coinAudit("kept", 3))
	text, err := os.ReadFile(File)
	if err != nil {
		t.Fatal(err)
	}
	with := insert(string(text), line(t, "old"), true)
	if err := os.WriteFile(File, []byte(with), 0o600); err != nil {
		t.Fatal(err)
	}
	*Update = false
	if err := checkStale(); err == nil || !strings.Contains(err.Error(), `"old"`) {
		t.Errorf("have %v", err)
	}
	*Update = true
	if err := checkStale(); err != nil {
		t.Error(err)
	}
	if now, err := os.ReadFile(File); err != nil || string(now) != string(text) {
		t.Errorf("have\n%s, %v, want\n%s", now, err, text)
	}
}

func line(t *testing.T, of string) string {
	report, err := audit.Run(coinAudit(of, 3), nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Claim.Odds.Cmp(big.NewRat(3, 1)) != 0 {
		t.Fatal("another claim")
	}
	return report.Row()
}
