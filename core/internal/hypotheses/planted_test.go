package hypotheses

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// whole is a tree in which each hypothesis is at its places.
var whole = map[string]string{
	"core/coins/toss.md": "# Tosses\n\n**Theorem.** Fair. ∎\n\n**Assumptions.**\n\n" +
		"- **odds** (run time): 0 ≤ p ≤ 1.\n" +
		"- **whole-counts** (types): counts are\n  whole.\n" +
		"- **own-coin** (caller): nobody else sees the coin.\n",
	"core/coins/none.md": "**Claim.** True.\n\n**Assumptions.** None.\n",
	"core/coins/toss.go": "package coins\n\n" +
		"// Toss tosses a coin that nobody else sees (H: toss.md own-coin).\n" +
		"func Toss(p float64) bool {\n\treturn p > 1 // H: toss.md odds\n}\n\n" +
		"type counts []int // H: toss.md whole-counts\n",
	"core/coins/toss_test.go": "package coins\n\n" +
		"func TestToss() {\n\tToss(2) // H: toss.md odds, whole-counts\n}\n",
	"web/page/page_test.go": "package page\n\n" +
		"func TestPage() {\n\t// H: coins/toss.md odds; coins/toss.md own-coin\n\tprintln()\n}\n",
}

// TestPlanted: each fault is found, with its file and its name.
func TestPlanted(t *testing.T) {
	for _, c := range []struct {
		name, file, old, new string
		want                 string // "": none
	}{
		{name: "nothing"},
		{"code with a name that no proof has", "core/coins/toss.go", "toss.md odds",
			"toss.md odd", "core/coins/toss.go:5: no proof has the hypothesis coins/toss.md odd"},
		{"a test with a proof that is not there", "web/page/page_test.go", "H: coins/toss.md odds",
			"H: toss.md odds", "web/page/page_test.go:4: no proof has the hypothesis " +
				"web/page/toss.md odds"},
		{"run time without a line", "core/coins/toss.go", " // H: toss.md odds", "",
			"coins/toss.md odds (run time) has no line that ensures it"},
		{"types without a line", "core/coins/toss.go", " // H: toss.md whole-counts", "",
			"coins/toss.md whole-counts (types) has no line that ensures it"},
		{"types without a test", "core/coins/toss_test.go", ", whole-counts", "",
			"coins/toss.md whole-counts (types) has no test that breaks it"},
		{"run time in a doc comment alone", "core/coins/toss.go",
			"own-coin).\nfunc Toss(p float64) bool {\n\treturn p > 1 // H: toss.md odds",
			"own-coin, odds).\nfunc Toss(p float64) bool {\n\treturn p > 1",
			"coins/toss.md odds (run time) has no line that ensures it"},
		{"the caller who is told nothing", "core/coins/toss.go", " (H: toss.md own-coin)", "",
			"coins/toss.md own-coin is left to the caller, and no doc comment"},
		{"the caller who cannot call", "core/coins/toss.go", "func Toss(", "func toss(",
			"coins/toss.md own-coin is left to the caller, and no doc comment"},
		{"a mark that cannot be read", "core/coins/toss_test.go", "H: toss.md odds", "H: odds",
			`core/coins/toss_test.go:4: "H: odds, whole-counts" is no mark`},
		{"a mark beside the code", "core/coins/toss.go", "package coins\n",
			"package coins\n\n// H: toss.md odds\n",
			"core/coins/toss.go:3: coins/toss.md odds marks no line"},
		{"a kind that is none", "core/coins/toss.md", "(run time)", "(checked)",
			`coins/toss.md odds is of kind "checked"`},
		{"a name twice", "core/coins/toss.md", "**whole-counts**", "**odds**",
			"coins/toss.md odds is there twice"},
		{"one left in prose", "core/coins/toss.md", "**Theorem.**",
			"*Left to the caller:* all. **Theorem.**", `"*Left to the caller:*" stands beside`},
		{"a list of what", "core/coins/toss.md", "**Assumptions.**", "",
			"coins/toss.md: a list of hypotheses without **Assumptions.**"},
		{"a proof without names", "core/coins/none.md", "**Assumptions.** None.", "",
			"coins/none.md: its hypotheses have no names"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tree := fstest.MapFS{}
			for name, text := range whole {
				if name == c.file {
					if !strings.Contains(text, c.old) {
						t.Fatalf("%s has no %q", name, c.old)
					}
					text = strings.Replace(text, c.old, c.new, 1)
				}
				tree[name] = &fstest.MapFile{Data: []byte(text)}
			}
			r, err := read(tree)
			if err != nil {
				t.Fatal(err)
			}
			if c.want == "" && len(r.problems) > 0 || c.want != "" &&
				!slices.ContainsFunc(r.problems, func(p string) bool {
					return strings.Contains(p, c.want)
				}) {
				t.Errorf("found %q, want %q", r.problems, c.want)
			}
		})
	}
}
