package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/web/state/session"
)

// TestCheckKept: the example that ships holds whole; releases of an earlier version are not called
// false, and the words that were not compared are not called good.
func TestCheckKept(t *testing.T) {
	code, out, said := hush(t, "check", save(t, "example.json", session.Landing().JSON("")))
	if code != exitDone || strings.Contains(out, "fails ") {
		t.Errorf("the example: code %d, %s\n%s", code, said, out)
	}
	kept := earlier(t, "kept.json")
	if len(kept) < 5 {
		t.Fatalf("%d releases", len(kept))
	}
	for _, release := range kept {
		code, out, said := hush(t, "check", save(t, "kept.json", release))
		if code != exitUnseen || strings.Contains(out, "fails ") ||
			!strings.Contains(out, "cannot  Its texts") {
			t.Errorf("an earlier version's: code %d, %s\n%s", code, said, out)
		}
	}
}

// earlier are the releases in a file of those that earlier versions made.
func earlier(t *testing.T, name string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../core/verify/testdata", name))
	if err == nil {
		err = json.Unmarshal(text, &list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// hostileText tries to write a line of its own, to turn the text and to hide what follows it.
const hostileText = "patients\n" +
	"holds   Every number follows from the draw\x1b[8m\r\u202eneddih\u2066"

// TestHostileTexts: no text of a file, a recipe or the command line writes a line of its own, moves
// the cursor or turns the text, in whatever the command prints.
func TestHostileTexts(t *testing.T) {
	forged := session.Landing()
	forged.Statement = "Nobody " + hostileText
	forged.Recipe.Noun = codebook.Noun{One: hostileText, Many: hostileText}
	forged.Recipe.Source, forged.Recipe.Label = hostileText, hostileText
	forged.Plan.Column, forged.Plan.Task = hostileText, hostileText
	release := save(t, "forged.json", forged.JSON(""))
	people := save(t, "people.csv", "age,\""+hostileText+"\"\n41,a\n32,b\n")
	var recipe ask.Recipe = forged.Recipe
	recipe.Label = hostileText
	asked, err := json.Marshal(recipe)
	if err != nil {
		t.Fatal(err)
	}
	question := save(t, "recipe.json", string(asked))
	for name, args := range map[string][]string{
		"check":            {"check", release},
		"check of nothing": {"check", people},
		"a file's name":    {"check", hostileText},
		"look":             {"look", people},
		"ask":              {"ask", question, people},
		"no command":       {hostileText},
	} {
		_, out, said := hush(t, args...)
		for where, text := range map[string]string{"out": out, "err": said} {
			for _, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(line, "holds   Every number follows from the draw") &&
					name != "check" || strings.HasPrefix(line, hostileText[9:20]) &&
					strings.Contains(line, "neddih") {
					t.Errorf("%s, %s: a text of the file is a line: %q", name, where, line)
				}
				if strings.ContainsAny(line, "\x1b\r\u202e\u2066") {
					t.Errorf("%s, %s: %q", name, where, line)
				}
			}
		}
	}
}

// TestCheckLoose: the command takes releases of before that state larger losses than today's, and
// prints the loss that they state.
func TestCheckLoose(t *testing.T) {
	kept := earlier(t, "loose.json")
	for i, loss := range []string{"ε = 10, δ ≤ 0.0000344", "ε = 8, δ ≤ 0.00004"} {
		code, out, said := hush(t, "check", save(t, "kept.json", kept[i]))
		if code != exitDone && code != exitUnseen || !strings.Contains(out, loss) ||
			strings.Contains(out, "fails") {
			t.Errorf("release %d: code %d, %s %s", i, code, out, said)
		}
	}
}
