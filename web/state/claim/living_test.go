package claim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hush/core/task"
	"hush/web/exhibit"
	"hush/web/say"
	"hush/web/state/claim"
)

// TestLivingFromALink: a link opens its table once, and leaves the question alone when the page
// comes back to it; one that was cut says so, and a file that was changed opens nothing.
func TestLivingFromALink(t *testing.T) {
	saved := exhibit.Saved(say.Language(), "joint")
	var r task.Release
	if err := json.Unmarshal([]byte(saved), &r); err != nil {
		t.Fatal(err)
	}
	link := "/table/" + task.LivingLink(&r, "")
	var l claim.Living
	l.Show("/table")
	if l.Table != nil || l.Report != nil || l.Fault != "" {
		t.Errorf("%+v", l)
	}
	l.Show(link)
	if l.Table == nil || l.Answer == nil || len(l.Answer.Names) != 1 {
		t.Fatalf("%+v", l)
	}
	l.Ask(func(q *task.LivingQuestion) { q.Columns = []int{1, 2} })
	l.Show(link)
	if len(l.Answer.Names) != 2 {
		t.Errorf("the question is gone: %+v", l.Question)
	}
	l.Ask(func(q *task.LivingQuestion) { q.Columns = []int{7} })
	if l.Answer != nil || l.Refused == nil {
		t.Errorf("%+v, %v", l.Answer, l.Refused)
	}
	l.Show(link[:len(link)-30])
	if l.Table != nil || !strings.Contains(l.Fault, "Copy the link") {
		t.Errorf("%+v", l)
	}
	l.Open("changed.json", strings.Replace(saved, `"stdDev": `, `"stdDev": 1`, 1))
	if l.Table != nil || l.Report == nil || l.Fault != "" {
		t.Errorf("%+v", l)
	}
}
