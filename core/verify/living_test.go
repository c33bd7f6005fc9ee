package verify

import (
	"encoding/json"
	"math/rand"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// livingText is a release of the example of made-up data that keeps what goes together.
func livingText(t *testing.T) string {
	t.Helper()
	for _, r := range released() {
		if _, is := r.Answer.Result.(*task.Joint); is {
			return r.JSON("0123")
		}
	}
	t.Fatal("no such release")
	return ""
}

// TestLiving: a release opens as a living table and answers; another release, a page and no release
// do not, each with the reason and a way on.
func TestLiving(t *testing.T) {
	living, report := Living(nil, []byte(livingText(t)), "0123")
	if living == nil || fails(report) {
		t.Fatalf("%+v", report.Checks)
	}
	a, err := living.Answer(task.LivingQuestion{Kind: task.LivingCount, Columns: []int{1}})
	if err != nil || len(a.Rows) != len(living.Axes[1].Places) {
		t.Errorf("%+v, %v", a, err)
	}
	const wholeFile = "A release is a file as Hush writes it"
	for text, want := range map[string]string{
		released()[0].JSON("0123"):      "made of made-up data",
		"<p>no release</p>":             wholeFile,
		"":                              wholeFile,
		strings.Repeat(" ", MaxBytes+1): wholeFile,
		strings.Replace(livingText(t), `"checksum"`, `"checksUm"`, 1): "no “checksUm” in",
	} {
		living, report := Living(nil, []byte(text), "")
		if living != nil || !fails(report) {
			t.Fatalf("%.40q is opened", text)
		}
		if f := report.Checks[0].Faults[0]; !strings.Contains(f.Law, want) || f.Line < 1 ||
			f.Means == "" || f.Says == "" {
			t.Errorf("%.40q: %+v", text, f)
		}
	}
}

// TestLivingCorrupted: of 200 files with a byte changed, a part cut out or put in twice, none
// opens; nor do those of which a number that follows from the question was changed and the checksum
// made anew, and the report has its line.
func TestLivingCorrupted(t *testing.T) {
	random, text := rand.New(rand.NewSource(3)), livingText(t)
	for range 200 {
		at := random.Intn(len(text))
		end := min(at+1+random.Intn(40), len(text))
		other := [...]string{
			text[:at] + string(text[at]^byte(1+random.Intn(255))) + text[at+1:],
			text[:at] + text[end:],
			text[:end] + text[at:],
		}[random.Intn(3)]
		living, report := Living(nil, []byte(other), "0123")
		if living != nil || !fails(report) || report.Checks[0].Faults[0].Line < 1 {
			t.Fatalf("opened, with another text from byte %d of %d on", at, len(text))
		}
	}
	body, _, _ := ask.Checksum(text)
	tree, wrong := scan([]byte(body))
	if wrong != nil {
		t.Fatal(wrong)
	}
	tried := map[string]bool{}
	for _, path := range tree.order {
		name := plainPath(path)
		if !strings.HasPrefix(path, "answer.") || ClassOf(path) != Recomputed || tried[name] {
			continue
		}
		tried[name] = true
		leaf := tree.leaves[path]
		other := changed(random, leaf.text)
		changedText := ask.WithChecksum(body[:leaf.at] + other + body[leaf.at+len(leaf.text):])
		living, report := Living(nil, []byte(changedText), "0123")
		line, _ := position([]byte(body), leaf.at)
		if living != nil || !fails(report) {
			t.Errorf("%s: %s for %s is opened", path, other, leaf.text)
		}
		if strings.HasSuffix(path, "stdDev") && !at(report, line) {
			t.Errorf("%s: line %d is not in the report: %+v", path, line, report.Checks[0])
		}
	}
	if len(tried) < 6 {
		t.Errorf("%d fields: %v", len(tried), tried)
	}
}

// TestLivingSize: a table of people like those of Adult, in its ten columns, has at most 500 kB.
func TestLivingSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it fits rows of ten columns")
	}
	places, persons := []int{10, 8, 16, 7, 14, 6, 2, 4, 4, 2}, 36000
	names := []string{"age", "workclass", "education", "marital.status", "occupation",
		"relationship", "sex", "capital", "hours.per.week", "income"}
	src := coin.NewSeeded(4)
	var file strings.Builder
	file.WriteString(strings.Join(names, ",") + "\n")
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "joint", Epsilon: "1",
		Params: ask.Params{"delta": "0.0000001"}}
	for i, n := range places {
		f := ask.Field{Role: "kept", Column: i + 1, Label: names[i],
			Domain: domain.Spec{Kind: domain.Category}}
		for place := range n {
			f.Domain.Categories = append(f.Domain.Categories, label(i, place))
		}
		r.Others = append(r.Others, f)
	}
	for range persons {
		follows := src.Uniform(1 << 20)
		for i, n := range places {
			if src.Uniform(3) == 0 {
				follows = src.Uniform(1 << 20)
			}
			if i > 0 {
				file.WriteByte(',')
			}
			file.WriteString(label(i, int(follows%uint64(n))))
		}
		file.WriteByte('\n')
	}
	s := task.NewSession(cryptic{coin.NewSeeded(7)})
	survey, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ask.ReadAll(survey, []byte(file.String())); err != nil {
		t.Fatal(err)
	}
	opened, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	r.Table = opened.Options
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := ask.ReadAll(pass, []byte(file.String())); err != nil {
		t.Fatal(err)
	}
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := release.JSON(strings.Repeat("0", 40))
	t.Logf("%d bytes", len(text))
	if len(text) > 500_000 {
		t.Errorf("%d bytes", len(text))
	}
	living, report := Living(nil, []byte(text), "")
	if living == nil {
		t.Fatalf("%+v", report.Checks[0])
	}
	var saved task.Release
	if err := json.Unmarshal([]byte(text), &saved); err != nil {
		t.Fatal(err)
	}
	a, err := living.Answer(task.LivingQuestion{Kind: task.LivingCount, Columns: []int{0, 2, 4}})
	if err != nil || len(a.Rows) != 11*17*15 {
		t.Errorf("%d rows, %v", len(a.Rows), err)
	}
}

// label is as long as those of Adult are.
func label(column, place int) string {
	return "Some-value-" + string(rune('a'+column)) + strconv.Itoa(place)
}
