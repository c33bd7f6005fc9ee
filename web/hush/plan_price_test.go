package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/privacy"
)

// districts is a file of 3 000 people in 200 groups.
func districts(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("age,district\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%d,d%03d\n", 18+i*7919%70, i%200)
	}
	return save(t, "districts.csv", b.String())
}

// meansBy is a plan of means by group, the ith over a range of its own.
func meansBy(t *testing.T, file string, n int, division ask.Division, total string) ask.Several {
	s := ask.Several{Division: division, Total: total, Delta: "0.000001"}
	var names []string
	for i := range 200 {
		names = append(names, fmt.Sprintf("d%03d", i))
	}
	for i := range n {
		r := ages(t, file, "mean", "")
		r.Domain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: fmt.Sprint(100 + i)}
		r.Group = &ask.Group{Column: 2, Label: "district", Names: names}
		s.Parts = append(s.Parts, ask.Part{Recipe: r})
	}
	return s
}

// TestPlanIsPriced: what a plan of large losses costs is at least what its dearest question costs,
// and almost the sum of all where that is large; the ledger is debited that, or the limit refuses
// it. The first, third and fourth cost ε = 0 where weights that round to 0 were left out, and the
// second had 90 for each question within a total of 1.
func TestPlanIsPriced(t *testing.T) {
	file := districts(t)
	for _, c := range []struct {
		n        int
		division ask.Division
		total    string
		code     int
	}{
		{20, ask.LeastTotal, "", exitRefused},
		{20, ask.ByImportance, "1", exitUnread},
		{12, ask.Evenly, "100", exitRefused},
		{6, ask.Evenly, "1", exitDone},
	} {
		t.Run(fmt.Sprintf("%d %s %s", c.n, c.division, c.total), func(t *testing.T) {
			report := saveJSON(t, "report.json", meansBy(t, file, c.n, c.division, c.total))
			dir := filepath.Join(t.TempDir(), "ledger")
			code, out, said := hush(t, "plan", "-json", "-ledger", dir, report, file)
			if c.code == exitUnread {
				if code != c.code || !strings.Contains(said, "total is 1, want more for 20") {
					t.Errorf("code %d: %s", code, said)
				}
				return
			}
			var o struct {
				Epsilons []string     `json:"epsilons"`
				Loss     privacy.Loss `json:"loss"`
			}
			if err := json.Unmarshal([]byte(out), &o); err != nil || code != c.code {
				t.Fatalf("code %d, %v: %s", code, err, said)
			}
			largest, sum := new(big.Rat), new(big.Rat)
			for _, text := range o.Epsilons {
				e, err := privacy.ParseEpsilon(text)
				if err != nil {
					t.Fatal(err)
				}
				if sum.Add(sum, e.Rat()); e.Rat().Cmp(largest) > 0 {
					largest = e.Rat()
				}
			}
			if most := new(big.Rat).Mul(sum, big.NewRat(99, 100)); most.Cmp(big.NewRat(50, 1)) > 0 {
				largest = most
			}
			epsilon, known := o.Loss.Epsilon()
			if !known || epsilon.Cmp(largest) < 0 || epsilon.Cmp(sum) > 0 {
				t.Errorf("the price is %v for %v: want %s to %s", o.Loss, o.Epsilons,
					largest.FloatString(9), sum.FloatString(9))
			}
			code, _, said = hush(t, "plan", "-spend", "-ledger", dir, report, file)
			list := entries(t, dir)
			switch c.code {
			case exitRefused:
				if code != exitRefused || len(list) > 0 ||
					!strings.Contains(said, "the limit is") ||
					!strings.Contains(said, "it costs "+o.Loss.String()) {
					t.Errorf("code %d, %d debits: %s", code, len(list), said)
				}
			default:
				if code != exitDone || len(list) != 1 || list[0].Loss.String() != o.Loss.String() {
					t.Errorf("code %d, %d debits: %s", code, len(list), said)
				}
			}
		})
	}
}

// TestPlanRefuses: a δ of 1/n or more is refused before anything is drawn, and a part that cannot
// be asked is named, with the reason, however ε are divided.
func TestPlanRefuses(t *testing.T) {
	file := people(t) // 2 000
	wrong := ages(t, file, "mean", "")
	wrong.Domain.Lo = "200"
	for _, c := range []struct {
		name, delta string
		second      ask.Recipe
		said        []string
	}{
		{"δ of .3", "0.3", ages(t, file, "mean", ""), []string{"delta is 0.3", "1/2000"}},
		{"a domain of nothing", "0", wrong, []string{"in question 2", "hi is"}},
	} {
		for _, division := range []ask.Division{ask.LeastTotal, ask.Evenly, ask.ByImportance} {
			several := ask.Several{Division: division, Total: "1", Delta: c.delta,
				Parts: []ask.Part{{Recipe: ages(t, file, "count", "")}, {Recipe: c.second}}}
			dir := filepath.Join(t.TempDir(), "ledger")
			code, _, said := hush(t, "plan", "-spend", "-ledger", dir,
				saveJSON(t, "report.json", several), file)
			for _, text := range c.said {
				if code == exitDone || !strings.Contains(said, text) || len(entries(t, dir)) > 0 {
					t.Errorf("%s, %s: code %d, want %q: %s", c.name, division, code, text, said)
				}
			}
		}
	}
}
