package kept_test

import (
	"testing"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/release"
	"hush/web/state/stage"
	"hush/web/webtest"
)

// again loads the page anew: the model is fresh, the browser's stores are as they were.
func again(f *webtest.Fake) (*state.Model, *webtest.Fake) {
	f = f.Reloaded()
	m := state.NewModel()
	m.Start(f, f, func() {})
	f.Settle()
	return m, f
}

// TestReloadLosesNoAnswer: list and report come back, in their order, and an answer is the same
// numbers as before.
func TestReloadLosesNoAnswer(t *testing.T) {
	m, f := webtest.Several(t, "histogram", "median", "mean")
	want := m.History.Past[0].Release.CSV()
	for _, i := range []int{2, 0} {
		r := m.History.Past[i].Release
		r.Verdict = exhibit.Judged(ask.Good)
		m.Figures.Collect(r)
	}
	f.Settle()
	if got := m.Lost(); got != "the file" {
		t.Errorf("a reload would lose %q", got)
	}
	m, f = again(f)
	if len(m.History.Past) != 3 || m.Lost() != "" || !m.Way.Landed() {
		t.Fatalf("%d answers are back; a reload would lose %q", len(m.History.Past), m.Lost())
	}
	if got := m.History.Past[0].Release.CSV(); got != want {
		t.Errorf("the answer is\n%s\nand was\n%s", got, want)
	}
	if list := m.Page.Releases(); len(list) != 2 || list[0] != m.History.Past[2].Release ||
		list[1] != m.History.Past[0].Release {
		t.Errorf("the page has %d answers, or others", len(list))
	}
	m.Kept.Show(f.Spendings[0].Entries[1].ID, func() {})
	f.Settle()
	if m.Answer.Phase != release.Done || m.Way.Stage() != stage.Answer ||
		m.Answer.Result != m.History.Past[1].Release || m.Answer.Result.Unverified {
		t.Error("a kept answer is not shown as one that was released here")
	}
	if m.Figures.TakeOff(m.Page.Pieces[0].ID); len(m.Page.Releases()) != 1 {
		t.Error("the report is as it was")
	}
	m.Answer.ClearHistory()
	f.Settle()
	m, f = again(f)
	if len(m.History.Past) != 0 || len(m.Page.Releases()) != 1 || len(m.Kept.Answers) != 3 {
		t.Errorf("the list was cleared: %d are in it, %d in the report, %d kept",
			len(m.History.Past), len(m.Page.Releases()), len(m.Kept.Answers))
	}
	m.Kept.Collect(f.Spendings[0].Entries[1].ID)
	f.Settle()
	if len(m.History.Past) != 1 {
		t.Error("an answer of the ledger does not come into the list")
	}
}

// TestDeletedAnswers: what is deleted is gone with the page, which says so, and the ledger stays.
func TestDeletedAnswers(t *testing.T) {
	m, f := webtest.Several(t, "histogram", "median")
	first := m.History.Past[0].Release
	m.Kept.Delete(m.Kept.Entry(first))
	f.Settle()
	if m.Kept.NotKept(first) == "" || len(m.Kept.Answers) != 1 || !m.Unsaved() ||
		m.Lost() != "the file and answers that are not kept" {
		t.Errorf("%d are kept; the page would lose %q", len(m.Kept.Answers), m.Lost())
	}
	if again, _ := again(f); len(again.History.Past) != 1 {
		t.Errorf("%d are back", len(again.History.Past))
	}
	m.Kept.DeleteAll()
	f.Settle()
	if again, _ := again(f); len(again.History.Past) != 0 || len(f.Spendings[0].Entries) != 2 {
		t.Error("the ledger lost a debit, or an answer is still there")
	}
}

// TestNotKept: without room, or against its owner's will, an answer is shown all the same, and the
// page says that it is nowhere else.
func TestNotKept(t *testing.T) {
	for name, c := range map[string]struct {
		set func(*webtest.Fake)
		why string
	}{
		"off":  {func(f *webtest.Fake) { f.Shelf.Off = true }, engine.KeepsNone},
		"full": {func(f *webtest.Fake) { f.Shelf.Refused = "no room" }, "no room"},
	} {
		m, f := webtest.Asked(t)
		c.set(f)
		m.Answer.Run()
		f.Settle()
		if m.Answer.Phase != release.Done || m.Kept.NotKept(m.Answer.Result) != c.why ||
			!m.Unsaved() {
			t.Errorf("%s: phase %d, not kept: %q, unsaved: %t", name, m.Answer.Phase,
				m.Kept.NotKept(m.Answer.Result), m.Unsaved())
		}
		if again, _ := again(f); len(again.History.Past) != 0 {
			t.Errorf("%s: it is kept", name)
		}
	}
}

// TestDamagedAnswer: a kept text that cannot be read is named, and takes no other answer with it.
func TestDamagedAnswer(t *testing.T) {
	_, f := webtest.Several(t, "histogram", "median")
	f.Texts[f.Spendings[0].Entries[0].ID] = `{"answer": {"histogram": null}}`
	m, _ := again(f)
	if len(m.History.Past) != 1 || m.Kept.Failed == "" || len(m.Kept.Answers) != 2 {
		t.Errorf("%d answers are back, and the page says %q", len(m.History.Past), m.Kept.Failed)
	}
}
