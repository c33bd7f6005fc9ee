package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// messy is a file as many offices have it.
const messy = "Personen-Nr.;\"Alter, in Jahren\";Größe;\"Ort \"\"neu\"\"\";名前;Größe;-x;\r\n" +
	"1;41;1,82;Köln;犬;;;\r\n"

// TestComplete: words become the columns of the file on the line, dialects, or nothing, and
// then the shell completes as it would without.
func TestComplete(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	utf16 := "\xff\xfe"
	for _, c := range "größe,b\n1,2\n" {
		utf16 += string([]byte{byte(c), byte(c >> 8)})
	}
	for name, text := range map[string]string{"people.csv": "age,sex\n41,f\n", "a b.csv": messy,
		"none.csv": "41;f\n42;m\n", "sep.csv": "sep=;\r\nage;sex\r\n1;f\r\n", "wide.csv": utf16,
		"lines.json": `{"age": 41}`, "zip.csv": "PK\x03\x04\n", "open.csv": "a,\"b\nc\",d\n",
		"latin.csv": "Gr\xf6\xdfe;b\n1;2\n", "empty.csv": "", "one.csv": "age",
		"long.csv": strings.Repeat("a,", mostHeader)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", dir)
	own := []string{"Personen-Nr.", "Alter, in Jahren", `Ort "neu"`, "名前"}
	both := []string{"age", "sex"}
	for _, c := range []struct {
		words []string // the one marked with a | at its end is typed
		want  []string
	}{
		{[]string{"ask", "mean", "|", "people.csv"}, both},
		{[]string{"ask", "mean", "s|", "people.csv"}, []string{"sex"}},
		{[]string{"ask", "-epsilon", "1", "mean", "|", "people.csv"}, both},
		{[]string{"ask", "-spend", "mean", "a|", "-range", "0..9", "people.csv"}, both[:1]},
		{[]string{"ask", "mean", "|", "a b.csv"}, own},
		{[]string{"ask", "mean", "|", `a\ b.csv`}, own},
		{[]string{"ask", "mean", "|", `"a b.csv"`}, own},
		{[]string{"ask", "mean", "|", "~/people.csv"}, both},
		{[]string{"ask", "mean", `Alter\,\ |`, "a b.csv"}, own[1:2]},
		{[]string{"ask", "mean", `"Ort \"|`, "a b.csv"}, own[2:3]},
		{[]string{"ask", "mean", "|", "sep.csv"}, both},
		{[]string{"ask", "mean", "|", "wide.csv"}, []string{"größe", "b"}},
		{[]string{"ask", "mean", "|", "latin.csv"}, []string{"Größe", "b"}},
		{[]string{"ask", "mean", "|", "one.csv"}, both[:1]},
		{[]string{"ask", "mean", "age", "people.csv", "-by", "|"}, both},
		{[]string{"ask", "mean", "age", "-by", "|", "people.csv"}, both},
		{[]string{"ask", "mean", "age", "people.csv", "--by=s|"}, []string{"--by=sex"}},
		{[]string{"ask", "mean", "age", "people.csv", "-by", "=", "s|"}, both[1:]},
		{[]string{"ask", "mean", "age", "people.csv", "-person", "|"}, both},
		{[]string{"ask", "mean", "age", "people.csv", "-where", "a|"}, []string{"age="}},
		{[]string{"ask", "joint", "people.csv", "-with", "kept:s|"}, []string{"kept:sex="}},
		{[]string{"describe", "people.csv", "|"}, []string{"age=", "sex="}},
		{[]string{"describe", "-person", "|", "people.csv"}, both},
		{[]string{"sql", "recipe.json", "people.csv", "-dialect", "s|"},
			[]string{"spark", "snowflake"}},

		{[]string{"ask", "|", "people.csv"}, nil},
		{[]string{"ask", "joint", "|", "people.csv"}, nil}, // it takes no column
		{[]string{"ask", "mean", "age", "|"}, nil},
		{[]string{"ask", "mean", "age", "people.csv", "-where", "age=1|"}, nil},
		{[]string{"ask", "mean", "age", "people.csv", "-range", "|"}, nil},
		{[]string{"describe", "|"}, nil},
		{[]string{"ask", "mean", "|", "none.csv"}, nil},
		{[]string{"ask", "mean", "|", "lines.json"}, nil},
		{[]string{"ask", "mean", "|", "zip.csv"}, nil},
		{[]string{"ask", "mean", "|", "open.csv"}, nil},
		{[]string{"ask", "mean", "|", "empty.csv"}, nil},
		{[]string{"ask", "mean", "|", "long.csv"}, nil},
		{[]string{"ask", "mean", "|", "nowhere.csv"}, nil},
		{[]string{"ask", "mean", "|", dir}, nil},
		{[]string{"nothing", "|"}, nil},
	} {
		at := slices.IndexFunc(c.words, func(w string) bool { return strings.HasSuffix(w, "|") })
		words := slices.Clone(c.words)
		words[at] = strings.TrimSuffix(words[at], "|")
		code, out, said := hush(t, append([]string{"complete", strconv.Itoa(at)}, words...)...)
		if code != exitDone || said != "" {
			t.Errorf("%q: code %d, %s", c.words, code, said)
		}
		if got := strings.Fields(strings.ReplaceAll(out, " ", "\u00a0")); !slices.Equal(got,
			strings.Fields(strings.ReplaceAll(strings.Join(c.want, "\n"), " ", "\u00a0"))) {
			t.Errorf("%q: %q, want %q", c.words, got, c.want)
		}
	}
	for _, args := range [][]string{nil, {"x"}, {"-1"}, {"0", "a"}, {"7", "ask", "mean"},
		{"99999999999999999999", "ask"}} {
		if _, out, said := hush(t, append([]string{"complete"}, args...)...); out+said != "" {
			t.Errorf("%q: %q, %q", args, out, said)
		}
	}
}

// TestHeaderRow: nothing behind the header row of a file is read.
func TestHeaderRow(t *testing.T) {
	for text, want := range map[string]string{"a,b\n1,2\n": "a,b\n", "a,b\r\n1": "a,b\r",
		"\n\nsep=;\na;b\n1;2": "\n\nsep=;\na;b\n", "a": "a", "\"a,\"\"b\",c\n1": "\"a,\"\"b\",c\n",
		"5\" wide,b\n1,2\n": "5\" wide,b\n", "\xff\xfea\x00\n\x001\x00": "\xff\xfea\x00\n\x00",
		"\xfe\xff\x00a\x00\n\x001": "\xfe\xff\x00a\x00\n"} {
		r := strings.NewReader(text)
		row, err := headerRow(r)
		if read := len(text) - r.Len(); err != nil || string(row) != want || read != len(want) {
			t.Errorf("%q: %q, %v, %d bytes are read", text, row, err, read)
		}
	}
	for text, most := range map[string]int{"{\"a\": 1}\n": 1, "[[1]]": 1, "PK\x03\x04\n": 4,
		"\x1f\x8bxxx\n": 2, "PAR1x\n": 4, "a\x00b\n": 2, "a,\"b\nc\",d\n": 5, "": 0} {
		r := strings.NewReader(text)
		row, err := headerRow(r)
		if read := len(text) - r.Len(); err == nil || row != nil || read > most {
			t.Errorf("%q: %q, %v, %d bytes are read", text, row, err, read)
		}
	}
	if _, err := headerRow(io.LimitReader(zeros{}, 1<<30)); err == nil {
		t.Error("a file without an end has a header")
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'a'
	}
	return len(b), nil
}

// TestShells: each shell that is there takes its script, and bash and fish complete with the
// columns of a file whose name and columns need quotes.
func TestShells(t *testing.T) {
	dir := t.TempDir()
	program := binary(t)
	if err := os.WriteFile(filepath.Join(dir, "a b.csv"), []byte(messy), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(dir, "hush")); err != nil {
		t.Fatal(err)
	}
	for shell := range shells {
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("there is no %s", shell)
			continue
		}
		_, out, _ := hush(t, "completion", shell)
		script := filepath.Join(dir, "script."+shell)
		if err := os.WriteFile(script, []byte(out), 0o600); err != nil {
			t.Fatal(err)
		}
		if text, err := exec.Command(shell, "-n", script).CombinedOutput(); err != nil ||
			len(text) > 0 {
			t.Errorf("%s does not take its script: %v, %s", shell, err, text)
		}
		var test, want string
		switch shell {
		case "bash":
			test, want = `source script.bash
COMP_WORDS=(hush ask mean '' 'a\ b.csv'); COMP_CWORD=3; _hush; echo "${COMPREPLY[1]}"
COMP_WORDS=(hush sql -dialect po); COMP_CWORD=3; _hush; echo "${COMPREPLY[*]}"
COMP_WORDS=(hush look a); COMP_CWORD=2; _hush; echo "${COMPREPLY[*]}"`,
				"Alter, in Jahren\npostgresql\na b.csv\n"
		case "fish":
			test, want = `source script.fish
complete -C "hush ask mean a\\ b.csv -where Al" | string split -f1 \t
complete -C "hush sql -dialect po" | string split -f1 \t
complete -C "hush look a" | string split -f1 \t
true`,
				"Alter, in Jahren=\npostgresql\na b.csv\n"
		default:
			continue
		}
		command := exec.Command(shell, "-c", test)
		command.Dir = dir
		command.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
		if text, err := command.CombinedOutput(); err != nil || string(text) != want {
			t.Errorf("%s completes %q, %v, want %q", shell, text, err, want)
		}
	}
}
