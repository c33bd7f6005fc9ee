package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// cited is what a paper has that can be named: its sections and its numbered statements, figures
// and algorithms, as they stand in the version that source tells. Only what is proved, measured or
// drawn there is listed; a place that is not here does not exist, or has not been looked up.
type cited struct {
	key    string // by which comments and proofs name it
	source string
	has    map[string]string // "Theorem": "3.1 3.2"
}

// papers are the five, by the name that the table of systems has for each.
var papers = map[string]cited{
	thresholds: {key: "Kaplan, Ligett, Mansour, Naor, Stemmer", source: "arXiv 1911.10137",
		has: map[string]string{"Section": "1 1.1 2 2.1 3 3.1 3.2 4", "Algorithm": "1",
			"Theorem": "1.2 4.1 4.2", "Claim": "3.5", "Definition": "1.1 2.1 3.3",
			"Lemma": "2.2 2.4 3.6 3.7 3.8 4.3 4.4 4.5 4.6 4.7 4.8 4.9 4.10 4.11"}},
	conjunctions: {key: "Gupta, Hardt, Roth, Ullman", source: "arXiv 1011.1296",
		has: map[string]string{"Section": "1 1.1 1.2 2 3 3.1 3.2 4 4.1 5 5.1",
			"Algorithm": "1 2 3 4 5 6 7", "Proposition": "2.1", "Remark": "4.1 5.1",
			"Theorem": "1.1 1.2 1.3 3.11 3.12 3.14 5.1 5.5 5.6", "Corollary": "2.2 4.2 4.5 5.7",
			"Lemma": "2.1 3.1 3.7 4.1 4.3 4.4 5.2 5.3 5.4", "Definition": "2.1 2.2 2.3 2.4 5.1",
			"Claim": "3.2 3.3 3.4 3.5 3.6 3.8 3.9 3.10"}},
	classification: {key: "Nandi, Bassily", source: "arXiv 1907.13553",
		has: map[string]string{"Section": "1 2 2.1 3 3.1 3.2 4", "Algorithm": "1 2 3 4 5 6 7",
			"Appendix": "A B", "Definition": "2.1 2.2 B.1", "Theorem": "3.3 4.1",
			"Lemma": "2.3 2.4 3.1 3.2 3.4 3.5", "Claim": "3.6", "Remark": "1"}},
	distributions: {key: "Diakonikolas, Hardt, Schmidt", source: "NIPS 2015, long version",
		has: map[string]string{"Section": "1 2 3 4 5", "Theorem": "1 2 3 4 5", "Figure": "1 2 3",
			"Lemma": "1 2", "Proposition": "1 2", "Appendix": "A B C"}},
	selections: {key: "Liu, Talwar", source: "arXiv 1811.07971",
		has: map[string]string{
			"Section":   "1 1.1 1.2 2 3 3.1 3.2 4 4.1 4.2 4.3 5 5.1 5.2 5.3 5.4 6",
			"Algorithm": "1 2 3 4 5", "Appendix": "A B C D E", "Corollary": "4.2",
			"Theorem": "1.2 1.3 1.4 1.5 3.1 3.2 3.3 3.4 3.5 4.1 4.4 4.6 4.7 5.2 A.1 A.2 C.1 D.2",
			"Lemma":   "4.3 4.5 5.1 A.3 A.4 A.5 C.1 C.2 E.2 E.3", "Definition": "1.1 D.1 E.1"}},
}

// place reads "Theorem 3.1", "Algorithms 1, 2 and 4": a kind and its numbers.
var place = regexp.MustCompile(`\b(Section|Algorithm|Theorem|Lemma|Claim|Definition|Proposition|` +
	`Remark|Corollary|Figure|Appendix)(?:s|ta|x|ices)? ((?:\d+|[A-E])(?:\.\d+)*)` +
	`((?:(?:, | and | to )(?:\d+|[A-E])(?:\.\d+)*\b)*)`)

// missing lists the places that a text names and a paper does not have, and counts those it names.
func (c cited) missing(text string) (named int, none []string) {
	for _, found := range place.FindAllStringSubmatch(text, -1) {
		numbers := append([]string{found[2]}, regexp.MustCompile(`, | and | to `).
			Split(found[3], -1)...)
		for _, number := range numbers {
			if number == "" {
				continue
			}
			if named++; !slices.Contains(strings.Fields(c.has[found[1]]), number) {
				none = append(none, found[1]+" "+number)
			}
		}
	}
	return named, none
}

// TestCitedPlacesExist: what the table of systems and the comments, proofs and texts of core cite
// from the five papers is in them.
func TestCitedPlacesExist(t *testing.T) {
	for _, s := range systems {
		named, none := papers[s.paper].missing(s.where)
		if len(none) > 0 || named == 0 && s.where != "preliminaries" {
			t.Errorf("%s: %s (%s) has no %q", s.name, s.paper, papers[s.paper].source, s.where)
		}
	}
	named, comment := 0, regexp.MustCompile(`\s*\n\s*(?://)? ?`)
	err := fs.WalkDir(os.DirFS(filepath.Join(root, "core")), ".",
		func(at string, entry fs.DirEntry, err error) error {
			extension := filepath.Ext(at)
			if err != nil || entry.IsDir() || extension != ".go" && extension != ".md" {
				return err
			}
			text, err := os.ReadFile(filepath.Join(root, "core", at))
			if err != nil {
				return err
			}
			line := comment.ReplaceAllString(string(text), " ")
			for _, paper := range papers {
				for _, cites := range citing(line, paper.key) {
					count, none := paper.missing(cites)
					if named += count; len(none) > 0 {
						t.Errorf("%s: %s (%s) has no %q: %s", at, paper.key, paper.source, none,
							cites)
					}
				}
			}
			return nil
		})
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d places of the five papers are cited", named)
	if named < 40 {
		t.Errorf("only %d places are cited", named)
	}
}

// citing are the parts of a text, each up to where another work or another sentence begins, that
// start with the names of a paper's authors.
func citing(text, authors string) (all []string) {
	names := strings.ReplaceAll(regexp.QuoteMeta(authors), ", ", "(?:, | and )")
	for _, at := range regexp.MustCompile(names).FindAllStringIndex(text, -1) {
		rest := text[at[1]:min(len(text), at[1]+200)]
		if end := regexp.MustCompile(`;|\. [A-Z]|\| |\)[,.:]? [A-Za-z]|" ?\+|[A-Z][a-z]+, [A-Z][a-z]+,`).
			FindStringIndex(rest); end != nil {
			rest = rest[:end[0]+1]
		}
		all = append(all, rest)
	}
	return all
}

// TestCitedPlacesAreRead: places are told apart in each of the forms in which they are named.
func TestCitedPlacesAreRead(t *testing.T) {
	paper := cited{has: map[string]string{"Theorem": "3.4 3.5", "Algorithm": "1 2 4"}}
	for _, c := range []struct {
		text  string
		named int
		none  string
	}{
		{"Theorems 3.4 and 3.5", 2, ""}, {"Theorem 3.2, with a limit", 1, "Theorem 3.2"},
		{"Algorithms 1, 2 and 4", 3, ""}, {"Algorithms 1, 3 and 4", 3, "Algorithm 3"},
		{"Algorithm 1, Theorem 3.1", 2, "Theorem 3.1"}, {"Section 5", 1, "Section 5"},
		{"preliminaries", 0, ""},
	} {
		named, none := paper.missing(c.text)
		if named != c.named || strings.Join(none, " ") != c.none {
			t.Errorf("%s: %d places, of which there is no %q", c.text, named, none)
		}
	}
}
