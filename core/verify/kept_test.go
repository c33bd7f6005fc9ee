package verify

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"hush/core/ask"
	"hush/core/publication"
	"hush/core/task"
)

// kept are releases of a version of 26 November 2026, the first that wrote checksums.
func kept(t *testing.T) (list []string) {
	t.Helper()
	if list = keptIn(t, "kept.json"); len(list) < 5 {
		t.Fatalf("%d releases", len(list))
	}
	return list
}

// keptIn are the releases in a file.
func keptIn(t *testing.T, name string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestKept: nothing of an honest release of an earlier version is called false, where it words
// texts otherwise; texts that were not compared are never called good, and a number that was
// changed in one is found.
func TestKept(t *testing.T) {
	for _, text := range kept(t) {
		report := File(nil, []byte(text), "")
		for _, c := range report.Checks {
			if c.Status == Fails {
				t.Errorf("%s: %s: %+v", report.About, c.Title, c.Faults[0])
			}
		}
		if report.Shown != Cannot {
			t.Errorf("%s: its texts are called %q", report.About, report.Shown)
		}
		if !fails(File(nil, []byte(text), "0123")) { // the program that it names
			t.Errorf("%s: words that its own program does not write hold", report.About)
		}
		if changed := strings.Replace(text, "more than 2.72 times", "more than 1.01 times",
			1); changed != text && !fails(File(nil, []byte(changed), "")) {
			t.Errorf("%s: a factor of 1.01 holds", report.About)
		}
	}
}

// TestKeptLoose: releases of 28 November 2026 that state the larger losses of then are not called
// false: the δ of an answer with a measured error for persons with two rows, and the ρ of a mean in
// groups that were found. Any other loss is.
func TestKeptLoose(t *testing.T) {
	for i, text := range keptIn(t, "loose.json") {
		if report := File(nil, []byte(text), ""); fails(report) {
			t.Errorf("release %d: %+v", i, report.Checks)
		}
		field := []string{"delta", "rho"}[i]
		for _, value := range []string{"1/100000", "1/29099", "1/1000", "4.9", "6.8"} {
			var r map[string]any
			if err := json.Unmarshal([]byte(text), &r); err != nil {
				t.Fatal(err)
			}
			r["plan"].(map[string]any)["loss"].(map[string]any)[field] = value
			delete(r, "checksum")
			other, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if !fails(File(nil, other, "")) {
				t.Errorf("release %d: a %s of %s is not called false", i, field, value)
			}
		}
	}
}

// TestKeptCriteria: rows that met criteria by a search of 28 November 2026, with a δ, hold with the
// noise of then, and with no other.
func TestKeptCriteria(t *testing.T) {
	for i, text := range keptIn(t, "criteria.json") {
		if report := File(nil, []byte(text), ""); fails(report) {
			t.Errorf("release %d: %+v", i, report.Checks)
		}
		changed := strings.Replace(text, `"stdDev": 18.0`, `"stdDev": 9.4`, 1)
		if changed == text || !fails(File(nil, []byte(changed), "")) {
			t.Errorf("release %d: a table with less noise holds", i)
		}
	}
}

// TestKeptDivided: made-up rows of 28 November 2026, whose loss was divided otherwise between pairs
// and columns, hold with the noise of then, and with no other.
func TestKeptDivided(t *testing.T) {
	noise := regexp.MustCompile(`"stdDev": \d`)
	for i, text := range keptIn(t, "divided.json") {
		if report := File(nil, []byte(text), ""); fails(report) {
			t.Errorf("release %d: %+v", i, report.Checks)
		}
		changed := noise.ReplaceAllString(text, `"stdDev": `)
		if changed == text || !fails(File(nil, []byte(changed), "")) {
			t.Errorf("release %d: tables with less noise hold", i)
		}
	}
}

// TestKeptTypical: made-up data and contacts of 29 November 2026 state smaller typical errors, and
// hold with those, and with no smaller ones.
func TestKeptTypical(t *testing.T) {
	stated := regexp.MustCompile(`("typical": )\d+`)
	for i, text := range keptIn(t, "typical.json") {
		if report := File(nil, []byte(text), ""); fails(report) {
			t.Errorf("release %d: %+v", i, report.Checks)
		}
		changed := stated.ReplaceAllString(text, "${1}0")
		if changed == text || !fails(File(nil, []byte(changed), "")) {
			t.Errorf("release %d: one with a smaller error holds", i)
		}
	}
}

// TestKeptWide: variances of 29 November 2026 that state the wider intervals of then are not called
// false, for everybody, by group, of persons with several rows, and in groups that were found. What
// was drawn gives narrower ones today, and no others are taken.
func TestKeptWide(t *testing.T) {
	for i, text := range keptIn(t, "wide.json") {
		if report := File(nil, []byte(text), ""); fails(report) {
			t.Errorf("release %d: %+v", i, report.Checks)
		}
		if strings.Contains(text, `"find"`) {
			continue // its numbers are not worked out again
		}
		r := new(task.Release)
		if err := json.Unmarshal([]byte(text), r); err != nil {
			t.Fatal(err)
		}
		rows := r.Answer.Result.(*task.Estimates).Rows
		was := slices.Clone(rows)
		narrower := *r
		narrower.Answer.Result = &task.Estimates{}
		again, err := ask.Redo(nil, task.All{}, &narrower)
		if err != nil || !again.Drawn {
			t.Fatal(err, again.Drawn)
		}
		for j, now := range again.Release.Answer.Result.(*task.Estimates).Rows {
			width := func(e task.Estimate) float64 {
				low, _ := strconv.ParseFloat(e.Low, 64)
				high, _ := strconv.ParseFloat(e.High, 64)
				return high - low
			}
			if part := width(now) / width(was[j]); part > .7 {
				t.Errorf("release %d, row %d: %.2f as wide as before", i, j, part)
			}
			for _, forged := range []task.Estimate{
				{Group: now.Group, Value: was[j].Value, Low: was[j].Low, High: now.High},
				{Group: now.Group, Value: was[j].Value, Low: now.Low, High: was[j].High},
			} {
				rows[j] = forged
				if !fails(File(nil, []byte(r.JSON("")), "")) {
					t.Errorf("release %d: an interval of two versions is not called false", i)
				}
				rows[j] = was[j]
			}
		}
		if fails(File(nil, []byte(r.JSON("")), "")) {
			t.Errorf("release %d as it was is called false", i)
		}
	}
}

// TestKeptWorded: sentences of 28 November 2026 are not called false where those of today have
// other numbers: of answers of noise, and of counts and groups that do not clearly differ. With a
// number that the answer does not have, they are.
func TestKeptWorded(t *testing.T) {
	number := regexp.MustCompile(`[1-9][0-9]`)
	for i, text := range keptIn(t, "worded.json") {
		if report := File(nil, []byte(text), ""); fails(report) {
			t.Errorf("release %d: %+v", i, report.Checks)
		}
		var r map[string]any
		if err := json.Unmarshal([]byte(text), &r); err != nil {
			t.Fatal(err)
		}
		statement := r["statement"].(string)
		at := number.FindStringIndex(statement)
		if at == nil {
			continue
		}
		r["statement"] = statement[:at[0]] + "77" + statement[at[1]:]
		delete(r, "checksum")
		other, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if !fails(File(nil, other, "")) {
			t.Errorf("release %d: the sentence %q holds", i, r["statement"])
		}
	}
}

// inASCII is JSON on one line with letters beyond ASCII as escapes, as other programs write it.
func inASCII(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

// TestAnew: a release and a page that another program wrote anew with the same values hold; with
// one value changed they do not.
func TestAnew(t *testing.T) {
	var texts []string
	for _, r := range released()[:3] {
		texts = append(texts, r.JSON("0123"))
	}
	p := published()
	p.Pieces = p.Pieces[:4]
	texts = append(texts, string(publication.Write(p)))
	for _, text := range texts {
		anew := inASCII(text)
		if anew == text {
			t.Fatal("it has no letter beyond ASCII")
		}
		if report := File(nil, []byte(anew), "0123"); fails(report) {
			t.Errorf("%s: %s: %+v", report.About, report.Checks[0].Title,
				report.Checks[0].Faults[0])
		}
		changed := strings.Replace(anew, `\u03b5 = `, `\u03b5 = 9`, 1)
		if changed == anew || !fails(File(nil, []byte(changed), "0123")) {
			t.Errorf("another ε holds in %.200s", anew)
		}
	}
}
