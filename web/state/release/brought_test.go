package release_test

import (
	"strings"
	"testing"

	"hush/web/state/dataset"
	"hush/web/webtest"
)

// TestTableForARelease: a table that is opened as a release is offered as data, and becomes the
// data; a broken release is refused as one.
func TestTableForARelease(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		table bool
	}{
		"a CSV file":             {"age,city\n30,Hill\n", true},
		"a column":               {"30\n40\n", true},
		"a JSON list":            {`[{"age":30},{"age":40}]`, true},
		"half a release":         {"{\n  \"version\": 1,\n", false},
		"a release of no answer": {`{"version":1}`, false},
		"a page":                 {"<!doctype html>\n<html>\n</html>", false},
		"nothing":                {"", false},
	} {
		m, f := webtest.Started(t)
		m.Answer.Bring(webtest.FakeFile("clinic.csv"), m.Answer.Open)(c.text)
		table := m.Answer.Table != nil
		if asks := strings.HasSuffix(m.Answer.NotOpened, "Open it as data?"); table != c.table ||
			asks != c.table || m.Answer.NotOpened == "" {
			t.Errorf("%s: %q", name, m.Answer.NotOpened)
		}
		m.Answer.OpenBrought()
		f.Settle()
		if opened := m.Data.Phase == dataset.Opened; opened != c.table ||
			m.Answer.NotOpened != "" {
			t.Errorf("%s: opened: %v, %q", name, opened, m.Answer.NotOpened)
		}
	}
	m, _ := webtest.Started(t)
	m.Answer.RefuseBrought(webtest.FakeFile("Visits.CSV"))("It is too large.")
	if m.Answer.Table == nil {
		t.Error("a table that cannot be read as text is not offered as data")
	}
	m.Answer.RefuseBrought(webtest.FakeFile("x.json"))("It is too large.")
	if m.Answer.Table != nil || m.Answer.NotOpened != "It is too large." {
		t.Errorf("a file that is no table: %q", m.Answer.NotOpened)
	}
}
