package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/codebook"
)

// TestDescribe: a codebook describes columns once, for the page and for every question in words;
// what is asked with it is what is asked with all of it in words. It holds nothing of the rows.
func TestDescribe(t *testing.T) {
	file := save(t, "people.csv", "who;age;town\n"+strings.Repeat("ada;41;Mill\nbo;52;Park\n", 300))
	t.Setenv("HUSH_LEDGER", filepath.Join(t.TempDir(), "ledger"))
	code, out, said := hush(t, "describe", "-person", "who", file, "age=0..100", "town=Mill,Park")
	if code != exitDone || strings.Contains(out, "ada") || strings.Contains(out, "41") {
		t.Fatalf("code %d, %s %s", code, out, said)
	}
	if _, err := codebook.Decode([]byte(out)); err != nil {
		t.Fatal(err)
	}
	book := save(t, "people.json", out)
	recipe := func(words ...string) string {
		t.Helper()
		saved := filepath.Join(t.TempDir(), "recipe.json")
		args := append([]string{"ask", "-agree", "-epsilon", "0.5", "-save", saved}, words...)
		code, _, said := hush(t, append(args, file)...)
		text, err := os.ReadFile(saved)
		if code != exitDone || err != nil {
			t.Fatalf("%v: code %d, %v, %s", words, code, err, said)
		}
		return string(text)
	}
	if have, want := recipe("-codebook", book, "-by", "town", "mean", "age"), recipe("-range",
		"0..100", "-by", "town=Mill,Park", "-person", "who", "mean", "age"); have != want {
		t.Errorf("with the codebook the recipe is %s, in words %s", have, want)
	}
	if have, want := recipe("-codebook", book, "-with", "town", "-with", "age", "joint"),
		recipe("-with", "town=Mill,Park", "-with", "age=0..100", "-person", "who",
			"joint"); have != want {
		t.Errorf("with the codebook the recipe is %s, in words %s", have, want)
	}
	// names, units and the noun are the codebook's
	var named map[string]any
	if err := json.Unmarshal([]byte(out), &named); err != nil {
		t.Fatal(err)
	}
	named["noun"] = map[string]string{"one": "reader", "many": "readers"}
	age := named["columns"].([]any)[1].(map[string]any)
	age["name"], age["unit"] = "age at entry", "years"
	text, err := json.Marshal(named)
	if err != nil {
		t.Fatal(err)
	}
	asked := recipe("-codebook", save(t, "named.json", string(text)), "mean", "age")
	for _, want := range []string{`"label": "age at entry"`, `"unit": "years"`, `"readers"`} {
		if !strings.Contains(asked, want) {
			t.Errorf("the recipe has no %s: %s", want, asked)
		}
	}
	other := save(t, "other.csv", "who;pay;town\nada;41;Mill\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"ask", "-epsilon", "1", "-codebook", book, "share", "town", file}, exitUsage,
			"values of town that are counted"},
		{[]string{"ask", "-epsilon", "1", "-codebook", book, "mode", "who", file}, exitUsage,
			"-range is missing"},
		{[]string{"ask", "-epsilon", "1", "-codebook", book, "mean", "pay", other}, exitUnread,
			"column 2 has another name"},
		{[]string{"ask", "-epsilon", "1", "-codebook", file, "mean", "age", file}, exitUnread,
			"people.csv"},
		{[]string{"describe", file, "age"}, exitUsage, "COLUMN=VALUES"},
		{[]string{"describe", file, "pay=0..1"}, exitUnread, `no column "pay"`},
		{[]string{"describe", file, "age=9..1"}, exitUsage, "age=9..1"},
	} {
		if code, out, said := hush(t, c.args...); code != c.code || !strings.Contains(said,
			c.want) {
			t.Errorf("%v: code %d, %s %s", c.args, code, out, said)
		}
	}
}
