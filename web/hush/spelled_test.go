package main

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/task"
)

// spelledPeople is a file of 1000 people: 610 women in five spellings, 340 men in three,
// the others in none of them; and codes for being married.
func spelledPeople(t *testing.T) string {
	t.Helper()
	rows := strings.Repeat("w,1\n", 200) + strings.Repeat(" W ,1\n", 100) +
		strings.Repeat("weiblich,2\n", 150) + strings.Repeat("Weiblich\u00a0,2\n", 60) +
		strings.Repeat("FEMALE,1\n", 100) + strings.Repeat("m,2\n", 200) +
		strings.Repeat("M,1\n", 100) + strings.Repeat("Male,2\n", 40) +
		strings.Repeat("divers,1\n", 30) + strings.Repeat("N/A,2\n", 20)
	return save(t, "people.csv", "sex,married\n"+rows)
}

// TestSpelledInWords: a list of values may say which cells count as each, and that case and spaces
// do not; answers show the values' names, and the recipe keeps the cells.
func TestSpelledInWords(t *testing.T) {
	file := spelledPeople(t)
	code, out, said := hush(t, "describe", "-fold", "sex", file, "sex=female=w|weiblich,male = m",
		"married=yes=1,no=2")
	if code != exitDone {
		t.Fatalf("code %d, %s", code, said)
	}
	book, err := codebook.Decode([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	sex, _ := book.Column(1)
	want := domain.Spec{Kind: domain.Category, Categories: []string{"female", "male"}, Fold: true,
		Spellings: []domain.Spelling{{Cell: "w", As: "female"}, {Cell: "weiblich", As: "female"},
			{Cell: "m", As: "male"}}}
	if got := sex.Values().Spec; !reflect.DeepEqual(got, want) {
		t.Errorf("described as %+v", got)
	}
	written := save(t, "people.json", out)
	asked := func(words ...string) (ask.Recipe, map[string]int64) {
		t.Helper()
		saved := filepath.Join(t.TempDir(), "recipe.json")
		args := append([]string{"ask", "-agree", "-json", "-spend", "-epsilon", "3",
			"-ledger", t.TempDir(), "-save", saved, "-codebook", written}, words...)
		code, out, said := hush(t, append(args, file)...)
		if code != exitDone {
			t.Fatalf("%v: code %d, %s", words, code, said)
		}
		counts := map[string]int64{}
		var release task.Release
		if err := json.Unmarshal([]byte(out), &release); err != nil {
			t.Fatalf("%v: %v, %s", words, err, out)
		}
		if h, is := release.Answer.Result.(*task.Histogram); is {
			for _, bin := range h.Bins {
				counts[bin.Label] = bin.Count
			}
		}
		return recipeIn(t, saved), counts
	}
	near := func(got, want int64) bool { return got > want-15 && got < want+15 }
	r, counts := asked("histogram", "sex")
	if len(counts) != 2 || !near(counts["female"], 610) || !near(counts["male"], 340) {
		t.Errorf("counted %v", counts)
	}
	if !reflect.DeepEqual(r.Domain, want) {
		t.Errorf("the recipe reads %+v", r.Domain)
	}
	// what is named of a column is read with its spellings
	r, counts = asked("histogram", "married", "-where", "sex=FEMALE")
	if len(counts) != 2 || !near(counts["yes"], 400) || !near(counts["no"], 210) {
		t.Errorf("of women counted %v", counts)
	}
	if c := r.Filter[0]; !reflect.DeepEqual(c.In, []string{"female"}) || !c.Spec.Fold ||
		len(c.Spec.Spellings) != 2 {
		t.Errorf("the condition is %+v", c)
	}
	r, _ = asked("share", "married", "-range", "yes", "-by", "sex=male,female")
	if !reflect.DeepEqual(r.Domain.Spellings, []domain.Spelling{{Cell: "1", As: "yes"}}) ||
		!reflect.DeepEqual(r.Group.Names, []string{"male", "female"}) || !r.Group.Fold ||
		len(r.Group.Spellings) != 3 {
		t.Errorf("the recipe is %+v, by %+v", r, r.Group)
	}
	code, out, said = hush(t, "ask", "-agree", "-spend", "-epsilon", "3", "-ledger", t.TempDir(),
		"-codebook", written, "share", "sex", file, "-range", "WEIBLICH")
	if code != exitDone || !strings.Contains(out, "are female") || strings.Contains(out, "WEIB") {
		t.Errorf("code %d, %s%s", code, out, said)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"describe", "-fold", "sex", file, "sex=female=w,male=W"}, "a cell of"},
		{[]string{"describe", "-fold", "sex", file, "sex=f,F"}, "another category than"},
		{[]string{"describe", "-fold", "sex", file}, "-fold sex takes a list"},
		{[]string{"describe", "-fold", "married", file, "married=1..2"}, "-fold married takes"},
		{[]string{"describe", "-fold", "age", file, "sex=f"}, `no column "age"`},
		{[]string{"describe", file, "sex=female=w,male=w"}, "each cell once"},
		{[]string{"describe", file, `sex="""""=w"`}, "without a name"},
	} {
		if code, out, said := hush(t, c.args...); code == exitDone ||
			!strings.Contains(said, c.want) {
			t.Errorf("%v: code %d, %s %s, want %q", c.args, code, out, said, c.want)
		}
	}
}
