package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMistakes: what a stranger mistypes is refused in one line that says where it is, what was
// expected, and what to do; nothing is spent.
func TestMistakes(t *testing.T) {
	file, at := people(t), t.TempDir()
	t.Setenv("HUSH_LEDGER", filepath.Join(at, "ledger"))
	put := func(name, text string) string {
		path := filepath.Join(at, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	table, mistyped := put("patients.csv", "age\n1\n"), filepath.Join(at, "patinets.csv")
	empty, image := put("empty.csv", ""), put("image.csv", "\x89PNG\r\n\x1a\n\x00\x00"+
		strings.Repeat("pixels, more of them;", 40))
	ask := func(words ...string) []string {
		line := append([]string{"ask"}, words...)
		if !strings.Contains(strings.Join(words, " "), "-range") {
			line = append(line, "-range", "0..100")
		}
		if !strings.Contains(strings.Join(words, " "), "-epsilon") {
			line = append(line, "-epsilon", "0.5")
		}
		return line
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string // of its one line, {} for the name of the file
	}{
		{"a question for a command", []string{"mean", "age", "p.csv"}, exitUsage,
			"hush: mean is a question: hush ask mean age p.csv"},
		{"a command", []string{"asc"}, exitUsage,
			`hush: there is no command "asc": did you mean ask? hush help lists them`},
		{"a question", ask("meen", "age", file), exitUsage, `hush ask: there is no question ` +
			`"meen": did you mean mean? hush questions lists them`},
		{"a flag", ask("mean", "age", file, "-bye", "sex"), exitUsage,
			"hush ask: there is no flag -bye: did you mean -by? hush ask -h lists them"},
		{"a flag without its value", []string{"ask", "mean", "age", file, "-range"}, exitUsage,
			"hush ask: -range takes a value, which is missing; hush ask -h lists them"},
		{"a column", ask("mean", "agee", file), exitUnread,
			`hush ask: {} has no column "agee": it has age, sex: did you mean age?`},
		{"a column left out", ask("mean", file), exitUsage,
			"hush ask: mean takes a COLUMN and a FILE; got {} alone"},
		{"file and column swapped", ask("mean", file, "age"), exitUsage,
			"hush ask: the file stands last: hush ask mean age {}"},
		{"a range reversed", ask("mean", "age", file, "-range", "100..0"), exitUsage, "hush ask: " +
			"the values 100..0 end before they begin: write the smallest first, 0..100"},
		{"days reversed", ask("histogram", "age", file, "-range", "2026-01-01..2020-01-01"),
			exitUsage, "hush ask: the values 2026-01-01..2020-01-01 end before they begin: write " +
				"the smallest first, 2020-01-01..2026-01-01"},
		{"a dash for two dots", ask("mean", "age", file, "-range", "0-100"), exitUsage,
			"hush ask: mean takes a column of the kind integer or decimal, and the values of age " +
				"are a list of texts: between numbers write two dots, -range 0..100"},
		{"days for numbers", ask("mean", "age", file, "-range", "2020-01-01..2021-12-31"),
			exitUsage, "hush ask: mean takes a column of the kind integer or decimal, and the " +
				"values of age are days: hush questions lists what can be asked of them"},
		{"a decimal comma", ask("mean", "age", file, "-epsilon", "0,5"), exitUsage,
			`hush ask: -epsilon is "0,5", want a number from 0.000000001 to 100, such as 0.5 or ` +
				`1/3; write a point, 0.5`},
		{"a parameter", ask("quantiles", "age", file, "-set", "quantile=0.5"), exitUsage,
			`hush ask: quantiles has no parameter "quantile": it has `},
		{"no values", ask("mean", "age", file, "-where", "sex="), exitUsage,
			`hush ask: -where is "sex=", want COLUMN=VALUES, such as age=18..64`},
		{"a file", ask("mean", "age", mistyped), exitUnread,
			"hush ask: there is no file " + mistyped + ": did you mean patients.csv?"},
		{"an empty file", ask("mean", "age", empty), exitUnread, "hush ask: " + empty +
			" is empty: a table has a row of names, and one for each person"},
		{"a picture", ask("mean", "age", image), exitUnread, "hush ask: " + image +
			" is no table: byte 9 of it is zero, which no text holds. Save it as CSV"},
		{"a directory to check", []string{"check", at}, exitUnread,
			"hush check: " + at + " is a directory: name a file"},
		{"a directory to save to", ask("mean", "age", table, "-save", at), exitUsage,
			"hush ask: " + at + " cannot be written: it is a directory"},
		{"a verb", []string{"ledger", "exprot"}, exitUsage, `hush ledger: there is no verb ` +
			`"exprot": did you mean export? hush ledger -h lists them`},
		{"an argument too many", []string{"questions", "mean"}, exitUsage,
			"hush questions: it takes no arguments; got 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, said := hush(t, c.args...)
			want := strings.ReplaceAll(c.want, "{}", file)
			if code != c.code || out != "" || !strings.HasPrefix(said, want) ||
				strings.Count(said, "\n") != 1 {
				t.Errorf("code %d, %s%s\nwant code %d, %s", code, out, said, c.code, want)
			}
		})
	}
}

// TestMistypedLedger: beside a ledger no other with nearly its name begins, unless its directory is
// there, which somebody has made for it.
func TestMistypedLedger(t *testing.T) {
	file, at := people(t), t.TempDir()
	spend := func(dir string) (int, string) {
		code, _, said := hush(t, "ask", "mean", "age", file, "-range", "0..100", "-epsilon", "0.5",
			"-spend", "-ledger", filepath.Join(at, dir))
		return code, said
	}
	if code, said := spend("ledger"); code != exitDone {
		t.Fatal(said)
	}
	code, said := spend("legder")
	if code != exitRefused || !strings.Contains(said, "did you mean ledger?") ||
		!strings.Contains(said, "Nothing was spent") {
		t.Errorf("code %d, %s", code, said)
	}
	if _, err := os.Stat(filepath.Join(at, "legder")); err == nil {
		t.Error("it was made all the same")
	}
	if err := os.Mkdir(filepath.Join(at, "legder"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"legder", "other", "books-2025", "books-2026"} {
		if code, said := spend(dir); code != exitDone {
			t.Errorf("%s: code %d, %s", dir, code, said)
		}
	}
}
