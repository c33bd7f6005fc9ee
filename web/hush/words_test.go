package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/task"
)

// clinic is a file with what people have in theirs: a day, a code, a town with a comma, gaps.
func clinic(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("id,age,seen,town,ill\n")
	for i := range 3000 {
		b.WriteString(strings.Join([]string{"p" + string(rune('a'+i%20)) + strings.Repeat("x", i%7),
			[]string{"31", "47", "62", ""}[i%4], []string{"2025-03-01", "2025-07-15"}[i%2],
			[]string{"Mill", `"Park, North"`}[i/1500], []string{"0", "1"}[i%3/2]}, ",") + "\n")
	}
	return save(t, "clinic.csv", b.String())
}

// TestOneErrorIsForetold: a price states one error and the verdict on it, of each question that has
// several; all that is known of it with -details.
func TestOneErrorIsForetold(t *testing.T) {
	file, several := clinic(t), 0
	for _, words := range [][]string{{"mean", "age"}, {"median", "age"}, {"quantiles", "age"},
		{"distribution", "age"}, {"histogram", "age"}, {"table", "-with", "by:town=Mill,x"}} {
		args := append([]string{"ask"}, words...)
		if len(words) == 2 {
			args = append(args, "-range", "0..110")
		}
		args = append(args, "-epsilon", "0.5", "-ledger", t.TempDir(), file)
		lines := func(args ...string) (list []string) {
			code, out, said := hush(t, args...)
			if code != exitDone {
				t.Fatalf("%q: code %d, %s%s", args, code, out, said)
			}
			for line := range strings.Lines(out) {
				if strings.HasPrefix(line, "  ") {
					list = append(list, line)
				}
			}
			return list
		}
		one, all := lines(args...), lines(append([]string{"ask", "-details"}, args[1:]...)...)
		if len(one) != 2 || len(all) < 2 || one[0] != all[0] || one[1] != all[len(all)-1] {
			t.Errorf("%q: foretells %q of %q", words, one, all)
		}
		if len(all) > 3 {
			several++
		}
	}
	if several < 3 {
		t.Errorf("%d questions have several errors to tell", several)
	}
}

// TestWords: a question in words is priced, drawn with -spend, and debited; the recipe that it
// writes asks the same.
func TestWords(t *testing.T) {
	file, dir := clinic(t), t.TempDir()
	recipe := filepath.Join(dir, "age.json")
	flags := []string{"-range", "0..110", "--epsilon", "0.5", "-where", "ill=0,1", "-where",
		"seen=2025-01-01..2025-12-31", "-by", `town=Mill,"Park, North"`, "-ledger", dir}
	ask1 := append([]string{"ask", "mean", "age", file, "-save", recipe}, flags...)
	code, out, said := hush(t, ask1...)
	if code != exitDone || !strings.Contains(out, "It costs ε = 0.5.") ||
		!strings.Contains(said, "Nothing is drawn") {
		t.Fatalf("code %d, %s%s", code, out, said)
	}
	code, out, said = hush(t, append(ask1, "-spend", "-json")...)
	var r task.Release
	if err := json.Unmarshal([]byte(out), &r); code != exitDone || err != nil {
		t.Fatalf("code %d, %v, %s", code, err, said)
	}
	if len(r.Table(nil)) != 3 || r.Recipe.Label != "age" ||
		r.Recipe.Group.Names[1] != "Park, North" || len(r.Recipe.Filter) != 2 {
		t.Errorf("table %q of %+v", r.Table(nil), r.Recipe)
	}
	if list := entries(t, dir); len(list) != 1 || list[0].Loss.String() != "ε = 0.5" {
		t.Errorf("debits %+v", list)
	}
	text, err := os.ReadFile(recipe)
	if err != nil {
		t.Fatal(err)
	}
	var written ask.Recipe
	if err := strictly(text, &written); err != nil || ask.KeyOf(written) != ask.KeyOf(r.Recipe) {
		t.Errorf("the recipe that is written: %s, %v", text, err)
	}
	if code, out, said = hush(t, "ask", recipe, file, "-ledger", dir); code != exitDone ||
		!strings.Contains(out, "It costs ε = 0.5.") {
		t.Errorf("the recipe asked: code %d, %s%s", code, out, said)
	}
}

// TestWordsStart: a question in words states what a new question in the page's form states, unless
// -set says otherwise: without it a recipe is read as one of an earlier version.
func TestWordsStart(t *testing.T) {
	file, dir := clinic(t), t.TempDir()
	asked := map[string][]string{
		"histogram":    {"-range", "0..110", "histogram", "age"},
		"median":       {"-range", "0..110", "median", "age"},
		"quantiles":    {"-range", "0..110", "quantiles", "age"},
		"distribution": {"-range", "0..110", "distribution", "age"},
		"density":      {"-range", "0..110", "density", "age"},
		"madeup":       {"-with", "age=0..110", "-with", "ill=0,1", "madeup"},
		"joint":        {"-with", "age=0..110", "-with", "ill=0,1", "joint"},
	}
	for _, question := range task.Catalogue() {
		starts := question.Starts(domain.Integer)
		words, known := asked[question.ID]
		if known != (len(starts) > 0) {
			t.Errorf("%s starts with %v: is it asked here? %v", question.ID, starts, known)
		}
		if !known {
			continue
		}
		recipe := filepath.Join(dir, question.ID+".json")
		written := func(set ...string) ask.Params {
			flags := append([]string{"ask", "-epsilon", "0.5", "-ledger", dir, "-agree", "-save",
				recipe}, append(append(set, words...), file)...)
			if code, _, said := hush(t, flags...); code != exitDone {
				t.Fatalf("%s: code %d, %s", question.ID, code, said)
			}
			text, err := os.ReadFile(recipe)
			if err != nil {
				t.Fatal(err)
			}
			var r ask.Recipe
			if err := strictly(text, &r); err != nil {
				t.Fatal(err)
			}
			return r.Params
		}
		if got := written(); !maps.Equal(got, starts) {
			t.Errorf("%s: %v, want %v", question.ID, got, starts)
		}
		for _, p := range question.Params {
			if _, there := starts[p.Name]; !there {
				continue
			}
			if got := written("-set", p.Name+"="+p.Default)[p.Name]; got != p.Default {
				t.Errorf("%s: %s is %q, want %q", question.ID, p.Name, got, p.Default)
			}
		}
	}
}

// TestWordsOfColumns: further columns, persons, parameters, found groups and columns by number.
func TestWordsOfColumns(t *testing.T) {
	file, dir := clinic(t), t.TempDir()
	for name, c := range map[string]struct {
		args []string
		out  string
	}{
		"by number": {[]string{"mean", "2", file, "-range", "0..110"}, "mean of column 2"},
		"decimals":  {[]string{"mean", "age", file, "-range", "0..110.5"}, "mean of age"},
		"found": {[]string{"mean", "age", file, "-range", "0..110", "-by", "town",
			"-delta", "0.0000005"},
			"δ"},
		"parameter": {[]string{"histogram", "age", file, "-range", "0..110", "-set", "width=20"},
			"of age"},
		"persons": {[]string{"count", "age", file, "-range", "0..40", "-person", "id", "-agree"},
			"140 people"},
		"columns": {[]string{"table", file, "-with", "town=Mill,\"Park, North\"",
			"-with", "ill=0,1"},
			"of town, ill"},
		"a list": {[]string{"count", "ill", file, "-range", "1"}, "of ill"},
		"days": {[]string{"histogram", "seen", file, "-range", "2025-01-01..2025-12-31"},
			"of seen"},
		"any number": {[]string{"median", "age", file, "-range", "float"}, "of age"},
	} {
		args := append([]string{"ask"}, c.args...)
		code, out, said := hush(t, append(args, "-epsilon", "0.5", "-ledger", dir)...)
		if code != exitDone || !strings.Contains(strings.ToLower(out), c.out) {
			t.Errorf("%s: code %d, %s%s", name, code, out, said)
		}
	}
}

// TestWordsRefused: each mistake is named, with what to write instead, and costs nothing.
func TestWordsRefused(t *testing.T) {
	file, dir := clinic(t), t.TempDir()
	for _, c := range []struct {
		args []string
		said string
	}{
		{[]string{"mean", "age", file, "-range", "0..110"}, "-epsilon is missing"},
		{[]string{"mean", "age", file, "-epsilon", "1"}, "-range is missing"},
		{[]string{"mean", "agee", file, "-range", "0..110", "-epsilon", "1"},
			"no column \"agee\": it has id, age, seen, town, ill"},
		{[]string{"mean", "9", file, "-range", "0..110", "-epsilon", "1"}, "no column \"9\""},
		{[]string{"mean", file, "-range", "0..110", "-epsilon", "1"}, "takes a COLUMN and a FILE"},
		{[]string{"mean", "age", file, "-range", "young..old", "-epsilon", "1"},
			"two numbers or two days"},
		{[]string{"mean", "age", file, "-range", "a,,b", "-epsilon", "1"}, "empty item"},
		{[]string{"mean", "age", file, "-range", "0..9", "-by", "town", "-epsilon", "1"},
			"names no groups"},
		{[]string{"mean", "age", file, "-range", "0..9", "-where", "ill", "-epsilon", "1"},
			"-where is"},
		{[]string{"mean", "age", file, "-range", "0..9", "-set", "ill", "-epsilon", "1"},
			"NAME=VALUE"},
		{[]string{"mean", "age", file, "-range", "9..0", "-epsilon", "1"}, ""},
		{[]string{"meen", "age", file}, "hush questions lists"},
		{[]string{"mean", "age", file, "-on", "duckdb:x"}, "a database takes a RECIPE"},
	} {
		args := append([]string{"ask"}, c.args...)
		code, out, said := hush(t, append(args, "-spend", "-ledger", dir)...)
		if code == exitDone || out != "" || !strings.Contains(said, c.said) {
			t.Errorf("%q: code %d, %s%s, want %q", c.args, code, out, said, c.said)
		}
	}
	if list := entries(t, dir); len(list) != 0 {
		t.Errorf("debits %+v", list)
	}
}

// TestWordsAsWritten: numbers and days that are typed as the cells have them are read so, also from
// the cells; what could be written in two ways is refused.
func TestWordsAsWritten(t *testing.T) {
	type spec = domain.Spec
	for text, want := range map[string]spec{
		"0..100":     {Kind: domain.Integer, Lo: "0", Hi: "100"},
		"1.50..2.25": {Kind: domain.Decimal, Lo: "1.50", Hi: "2.25", Step: "0.01"},
		"1,50..2,25": {Kind: domain.Decimal, Lo: "1.50", Hi: "2.25", Step: "0.01", Mark: ","},
		"-0,5..2":    {Kind: domain.Decimal, Lo: "-0.5", Hi: "2", Step: "0.1", Mark: ","},
		"0..9:0,05":  {Kind: domain.Decimal, Lo: "0", Hi: "9", Step: "0.05", Mark: ","},
		"0,0..1.234,5": {Kind: domain.Decimal, Lo: "0.0", Hi: "1234.5", Step: "0.1", Mark: ",",
			Group: "."},
		"0.0..1,234.5": {Kind: domain.Decimal, Lo: "0.0", Hi: "1234.5", Step: "0.1", Group: ","},
		"03.02.2020..31.12.2026": {Kind: domain.Date, Lo: "2020-02-03", Hi: "2026-12-31",
			Format: "DD.MM.YYYY"},
		`<=5,"a, b=c",married = 1`: {Kind: domain.Category,
			Categories: []string{"<=5", "a, b", "married"},
			Spellings:  []domain.Spelling{{Cell: "c", As: "a, b"}, {Cell: "1", As: "married"}}},
		`"""a=b""=x|y"`: {Kind: domain.Category, Categories: []string{"a=b"},
			Spellings: []domain.Spelling{{Cell: "x", As: "a=b"}, {Cell: "y", As: "a=b"}}},
	} {
		if got, err := valuesOf(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"1,000..2,000", "0,00..12,345", "0.5..1,25", "1,2,3..4",
		"31.02.2020..31.12.2026", "02/03/2020..31/12/2026", "03.02.2020..7", "1.234,5..1,234.5"} {
		if got, err := valuesOf(text); codeOf(err) != exitUsage {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
	file := save(t, "visits.csv", "since;height\n"+
		strings.Repeat("03.02.2021;1,82\n28.12.2019;1.001,60\n", 50))
	for column, values := range map[string]string{"height": "0,00..1.100,00",
		"since": "01.01.2019..31.12.2022"} {
		code, out, said := hush(t, "ask", "median", column, file, "-range", values, "-epsilon", "1",
			"-ledger", t.TempDir())
		if code != exitDone || strings.Contains(out, "counts as no value") {
			t.Errorf("%s: code %d, %s%s", column, code, out, said)
		}
	}
}

// TestQuestions: every question is listed.
func TestQuestions(t *testing.T) {
	code, out, _ := hush(t, "questions")
	for _, q := range task.Catalogue() {
		if code != exitDone || !strings.Contains(out, "  "+q.ID+" ") {
			t.Errorf("code %d; %s is not listed", code, q.ID)
		}
	}
	if code, out, _ := hush(t, "--version"); code != exitDone ||
		!strings.HasPrefix(out, "hush, build ") {
		t.Errorf("code %d, version %q", code, out)
	}
}

// TestLongWords: a flag or an argument of 100 000 characters is refused with at most 300, whatever
// command it is given to.
func TestLongWords(t *testing.T) {
	t.Chdir(t.TempDir())
	file := save(t, "people.csv", "age,name\n41,a\n32,b\n")
	long := []string{strings.Repeat("x", 100_000), strings.Repeat("9", 100_000),
		"age=" + strings.Repeat("9", 99_996), strings.Repeat("y", 99_990) + "=0..100",
		"0.." + strings.Repeat("9", 99_997), strings.Repeat("a,", 50_000) + "b"}
	refused := 0
	say := func(args ...string) {
		code, _, said := hush(t, append(args, "-ledger", t.TempDir())...)
		if code == exitUsage && strings.Contains(said, "not defined") ||
			strings.Contains(said, "no flag -ledger") {
			code, _, said = hush(t, args...)
		}
		said, _, _ = strings.Cut(said, "\nUsage:")
		if code == exitDone {
			return
		}
		refused++
		if n := utf8.RuneCountInString(said); n > 300 {
			text := []rune(strings.Join(args, " "))
			t.Errorf("%.120s: %d characters: %.200s", string(text), n, said)
		}
	}
	for _, text := range long {
		say(text)
		say("look", text)
		for _, c := range commands {
			for _, f := range c.options() {
				if isSwitch(f) {
					continue
				}
				args := []string{c.name, "-" + f.Name, text}
				if c.name == "ask" {
					args = []string{"ask", "mean", "age", "-range", "0..100", "-epsilon", "1",
						"-" + f.Name, text, file}
				} else if strings.Contains(c.args, "FILE") {
					args = append(args, file)
				}
				say(args...)
			}
		}
		say("ask", "mean", text, "-range", "0..100", "-epsilon", "1", file)
		say("ask", text, "age", file)
		say("ask", text, file)
		say("describe", file, text)
		say("ledger", text)
		say("on", text)
	}
	if refused < 100 {
		t.Errorf("%d refusals", refused)
	}
}
