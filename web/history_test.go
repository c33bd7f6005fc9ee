package web

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// several makes a release of each kind of question, at ε = 0.5 each.
func several(t *testing.T, kinds ...string) (*Model, *fakeEngine) {
	t.Helper()
	m, f := asked(t)
	for _, id := range kinds {
		m.Edit("", func(q *Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group, q.Groups = 3, "Hill\nMill"
			}
		})
		f.settle()
		m.Run()
		f.settle()
	}
	return m, f
}

func TestHistoryKeepsEveryRelease(t *testing.T) {
	m, f := several(t, "histogram", "median", "mean")
	if len(m.History.Past) != 3 || m.History.Past[2].Release != m.Release.Result {
		t.Fatalf("%d releases are kept", len(m.History.Past))
	}
	if sum := m.History.Together().String(); sum != "ε = 1.5" {
		t.Errorf("together they cost %s", sum)
	}
	m.LookAgain(1)
	if m.Release.Result.Answer.Kind() != "histogram" || m.Release.Phase != ReleaseDone {
		t.Error("the first is not shown")
	}
	m.LookAgain(9)
	m.Compare(9, true)
	if m.Release.Result.Answer.Kind() != "histogram" || len(m.History.Compared()) != 0 {
		t.Error("a number that was never given does something")
	}
	m.Run()
	m.LookAgain(1)
	if m.Release.Phase != ReleaseRunning {
		t.Error("a run was pushed aside")
	}
	f.settle()
	m.Forget()
	if len(m.History.Past) != 4 || m.Release.Phase != ReleaseIdle {
		t.Error("closing the file takes the releases away")
	}
	m.LookAgain(2)
	if m.Release.Result.Answer.Kind() != "median" {
		t.Error("without a file a release cannot be looked at")
	}
	m.ClearHistory()
	if len(m.History.Past) != 0 || m.Release.Result == nil {
		t.Error("the list is not empty, or the shown release is gone")
	}
}

func TestComparison(t *testing.T) {
	for _, c := range []struct {
		chart string // empty: they have none in common
		kinds []string
	}{
		{"bars", []string{"histogram", "histogram"}},
		{"groups", []string{"mean by group", "mean by group"}},
		{"intervals", []string{"mean", "mean", "mean"}},
		{"lines", []string{"quantiles", "quantiles"}},
		{"", []string{"histogram", "median"}},
		{"", []string{"mean", "mean by group"}},
		{"", []string{"median", "median"}},
	} {
		m, _ := several(t, c.kinds...)
		for i := range c.kinds {
			m.Compare(i+1, true)
		}
		chosen := m.History.Compared()
		header, rows := comparison(chosen)
		if len(header) != len(c.kinds) || len(rows) < 6 {
			t.Fatalf("%q: %d columns, %d rows", c.kinds, len(header), len(rows))
		}
		for _, row := range rows {
			if len(row.cells) != len(c.kinds) {
				t.Errorf("%q: %s has %d cells", c.kinds, row.name, len(row.cells))
			}
		}
		option, _ := comparedOption(chosen)
		switch {
		case c.chart != "":
			golden(t, "chart-compared-"+c.chart+".json", indent(t, option))
		case option != nil:
			t.Errorf("%q: there is a picture of what has none in common", c.kinds)
		}
	}
}

func TestComparedPage(t *testing.T) {
	m, _ := several(t, "histogram", "median")
	m.Compare(1, true)
	m.Compare(2, true)
	golden(t, "page-compared.html", inOrder(app.HTMLString(&Page{model: m})))
}
