package question

import (
	"testing"

	"hush/core/task"
)

// TestFindsByMeaning: words about the data do not keep a question from being found.
func TestFindsByMeaning(t *testing.T) {
	for sought, want := range map[string]string{"share of women": "share",
		"mean income of women": "mean", "count of patients in Mitte": "count",
		"share": "share", "percentage of patients": "share"} {
		if found := find(task.Catalogue(), sought); len(found) == 0 || found[0].ID != want {
			t.Errorf("%q finds %v, want %s first", sought, len(found), want)
			for _, k := range found {
				t.Log(k.ID)
			}
		}
	}
	if found := find(task.Catalogue(), "zzz qqq"); len(found) > 0 {
		t.Error("words that mean nothing find a question")
	}
}
