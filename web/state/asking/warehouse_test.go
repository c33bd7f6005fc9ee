package asking_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"hush/core/table"
	"hush/web/webtest"
)

// TestCountsOfEntriesStay: a question about counts of several rows of each person keeps how many
// they are, on its way through the form: without that, a person would be taken for one row.
func TestCountsOfEntriesStay(t *testing.T) {
	m, _ := webtest.Asked(t)
	r := m.Question.Recipe()
	r.Person, r.Count, r.Use = 0, 3, &table.Use{Rows: 2}
	r.Filter = nil
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	m.Saved.AdoptText(string(text))
	if m.Saved.Fault != "" {
		t.Fatal(m.Saved.Fault)
	}
	got := m.Question.Recipe()
	if got.Count != 3 || !reflect.DeepEqual(got.Use, r.Use) {
		t.Errorf("the count is %d and the use %+v, want 3 and %+v", got.Count, got.Use, r.Use)
	}
}
