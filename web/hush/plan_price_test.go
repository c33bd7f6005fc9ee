package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/table"
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

// TestPlanNamesWhatIsNeverGood: a question that no ε makes good is named at its place, and both
// have a price.
func TestPlanNamesWhatIsNeverGood(t *testing.T) {
	var b strings.Builder
	b.WriteString("age\n")
	for i := range 50 {
		fmt.Fprintln(&b, 18+i)
	}
	file := save(t, "few.csv", b.String())
	several := ask.Several{Division: ask.LeastTotal, Delta: "0", Parts: []ask.Part{
		{Recipe: ages(t, file, "mean", "")}, {Recipe: ages(t, file, "quantiles", "")}}}
	_, out, said := hush(t, "plan", "-ledger", filepath.Join(t.TempDir(), "ledger"),
		saveJSON(t, "report.json", several), file)
	_, ofQuantiles, both := strings.Cut(out, "Quantiles of ")
	const never = "No ε makes it good to publish"
	if !both || !strings.Contains(ofQuantiles, never) || strings.Count(out, never) != 1 ||
		!strings.Contains(out, "It costs ε = ") {
		t.Errorf("%s %s", out, said)
	}
}

// TestPlanByMoves: the price of questions by group together follows from the most that one person
// can move. Within ε = 6 each of twenty shares gets half of ε = 1 and more, where the sum of their
// own losses leaves .3; within 8.71 so do ten sums over a range as long on both sides of 0 and ten
// counts, where two shifts by the whole range leave .436.
func TestPlanByMoves(t *testing.T) {
	var b strings.Builder
	b.WriteString("balance,town\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "%d,%c\n", i*7919%21-10, "ABC"[i%3])
	}
	file := save(t, "balances.csv", b.String())
	question := func(id, lo string) ask.Part {
		r := ages(t, file, id, "")
		r.Label, r.Domain = "balance", domain.Spec{Kind: domain.Integer, Lo: lo, Hi: "10"}
		r.Group = &ask.Group{Column: 2, Label: "town", Names: []string{"A", "B", "C"}}
		return ask.Part{Recipe: r}
	}
	for total, parts := range map[string][]ask.Part{
		"6":    slices.Repeat([]ask.Part{question("share", "1"), question("share", "2")}, 10),
		"8.71": slices.Repeat([]ask.Part{question("sum", "-10"), question("count", "1")}, 10),
	} {
		report := saveJSON(t, "report.json", ask.Several{Parts: parts, Division: ask.Evenly,
			Total: total, Delta: "0.000001"})
		dir := filepath.Join(t.TempDir(), "ledger")
		code, out, said := hush(t, "plan", "-ledger", dir, report, file)
		each := regexp.MustCompile(`people, ε = ([0-9.]+)\n`).FindAllStringSubmatch(out, -1)
		price := regexp.MustCompile(`It costs ε [=≤] ([0-9.]+), δ = 0.000001\.`).
			FindStringSubmatch(out)
		if code != exitRefused || len(each) != 20 || price == nil { // beyond the limit
			t.Fatalf("%s: code %d, %s %s", total, code, out, said)
		}
		for _, e := range each {
			if x, err := strconv.ParseFloat(e[1], 64); err != nil || x < .499 {
				t.Errorf("%s: a question gets ε = %s, want half of 1", total, e[1])
			}
		}
		most, _ := strconv.ParseFloat(total, 64)
		if x, err := strconv.ParseFloat(price[1], 64); err != nil || x > most {
			t.Errorf("within %s it costs %s", total, price[1])
		}
	}
}

// TestMeasuredErrorIsPriced: an answer about persons with three rows, whose error is measured,
// costs the δ that was asked for, in the price, at the draw and in the ledger. Where the losses of
// both were grouped together it was 5 times that at ε = 10.
func TestMeasuredErrorIsPriced(t *testing.T) {
	var b strings.Builder
	b.WriteString("who,age\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "p%d,%d\n", i%1000, 18+i*7919%70)
	}
	file, dir := save(t, "visits.csv", b.String()), filepath.Join(t.TempDir(), "ledger")
	for _, epsilon := range []string{"10", "2"} {
		r := ages(t, file, "median", epsilon)
		r.Column, r.Person, r.Use = 2, 1, &table.Use{Rows: 3}
		r.Params = ask.Params{"algorithm": "treelog", "stated": "measured",
			"delta": "0.000000001"}
		recipe, loss := saveJSON(t, "median.json", r), "ε = "+epsilon+", δ = 1e-9"
		_, out, said := hush(t, "ask", "-agree", "-ledger", dir, recipe, file)
		if !strings.Contains(out, "It costs "+loss+".") {
			t.Errorf("it costs another loss than %s: %s %s", loss, out, said)
		}
		if epsilon == "10" {
			continue // beyond the limit
		}
		code, _, said := hush(t, "ask", "-spend", "-agree", "-ledger", dir, recipe, file)
		_, list, _ := hush(t, "ledger", "-ledger", dir)
		if code != exitDone || !strings.Contains(said, "Debited "+loss+" (") ||
			!strings.Contains(list, "median of age, "+loss+"\n") {
			t.Errorf("code %d, %s; the ledger lists %s", code, said, list)
		}
	}
}
