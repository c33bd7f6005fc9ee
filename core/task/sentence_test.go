package task

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestSentences: each question has a sentence with a blank for each of its columns, and no other.
func TestSentences(t *testing.T) {
	blank := regexp.MustCompile(`\{([a-z]+)\}`)
	for _, k := range Catalogue() {
		var want, got []string
		if len(k.Domains) > 0 {
			want = append(want, "column")
		}
		for _, r := range k.Others {
			want = append(want, r.Name)
		}
		if k.ByGroup {
			want = append(want, "group")
		}
		for _, m := range blank.FindAllStringSubmatch(string(k.Sentence), -1) {
			if m[1] == "values" && k.Counts {
				continue
			}
			if m[1] != "many" {
				got = append(got, m[1])
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || !strings.HasSuffix(string(k.Sentence), "?") {
			t.Errorf("%s: %q has the blanks %q, want %q", k.ID, k.Sentence, got, want)
		}
		for _, m := range blank.FindAllString(string(k.Heading), -1) {
			if m != "{many}" && !strings.Contains(string(k.Sentence), m) {
				t.Errorf("%s: the name %q has another blank: %s", k.ID, k.Heading, m)
			}
		}
		if k.Heading == "" || strings.HasSuffix(string(k.Heading), ".") {
			t.Errorf("%s has the name %q", k.ID, k.Heading)
		}
		if k.Synonyms == "" {
			t.Errorf("%s is found by no other word", k.ID)
		}
	}
}
