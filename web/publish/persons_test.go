package publish

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/state/form"
	"hush/web/state/stage"
	"hush/web/webtest"
)

// visitsOf is a file of persons with this many rows each, all of the same value.
func visitsOf(rows []int) string {
	var file strings.Builder
	file.WriteString("patient,cost,ward\n")
	line := 0
	for p, n := range rows {
		for range n {
			fmt.Fprintf(&file, "p%04d,20,%s\n", p, []string{"Hill", "Park"}[line%2])
			line++
		}
	}
	return file.String()
}

// TestSharesAreNotTold: nobody learns how many rows a bound leaves out. Publish shows the same for
// a file that loses no row as for one that loses hundreds, except for the digits of the release;
// and none of these is a number or a share of rows left out or kept.
func TestSharesAreNotTold(t *testing.T) {
	const persons = 613
	even, uneven := make([]int, persons), make([]int, persons)
	for p := range persons {
		even[p], uneven[p] = 2, 1+3*(p%2)
	}
	for name, use := range map[string]form.UseForm{
		"one row of each": {},
		"two rows each":   {How: form.SomeRows, Rows: "2"},
		"two groups with one row each": {How: form.ByGroup, Rows: "1", Groups: "2",
			GroupColumn: 3},
	} {
		limit := 2 // rows of a person that count
		if use.How == "" {
			limit = 1
		}
		t.Run(name, func(t *testing.T) {
			calm, wild := publishing(t, visitsOf(even), use), publishing(t, visitsOf(uneven), use)
			for stage := range calm {
				a, b := masked(calm[stage]), masked(wild[stage])
				if a != b {
					t.Errorf("stage %d says different things of two files:\n%s", stage, apart(a, b))
				}
				if told := toldOf(wild[stage], uneven, limit); told != "" {
					t.Errorf("stage %d tells %s", stage, told)
				}
				planted := wild[stage] + "<p>The bound leaves out a share of 40.0 %.</p>"
				if stage > 0 && limit == 2 && toldOf(planted, uneven, limit) == "" {
					t.Errorf("stage %d: a share that is told is not found", stage)
				}
			}
		})
	}
}

// publishing is all that Publish shows of a file and a question about its values: the columns, the
// question with its price, the answer.
func publishing(t *testing.T, file string, use form.UseForm) (shown []string) {
	t.Helper()
	m, f := webtest.Started(t)
	f.File = []byte(file)
	m.Data.Open(webtest.FakeFile("visits.csv"))
	f.Settle()
	webtest.Confirm(m)
	webtest.DescribeAs(m, 2, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"})
	webtest.DescribeList(m, 3, "Hill", "Park")
	m.Codebook.Edit("", func(b *form.BookForm) {
		b.Each, b.Column, b.Use = codebook.Several, 1, use
	})
	f.Settle()
	page := func() {
		t.Helper()
		r := m.Revision
		shown = append(shown, webtest.InOrder(
			app.HTMLString(&Workbench{Model: m, Drawn: Revisions{r, r, r, r}})))
	}
	page()
	m.Question.Ask()
	m.Question.ChooseTask("mean")
	f.Settle()
	if !m.Forecast.Priced() {
		t.Fatalf("no price: %s", m.Question.Missing())
	}
	page()
	m.Answer.Run()
	f.Settle()
	if m.Way.Stage() != stage.Answer {
		t.Fatalf("no answer: %+v", m.Answer.Shown)
	}
	page()
	return shown
}

var digits = regexp.MustCompile(`class="n when"[^<]*|[-−]?[0-9][0-9.,  ]*`)

// masked is a page without its digits, and without the name of a release, which is drawn.
func masked(page string) string { return digits.ReplaceAllString(page, "#") }

// apart is where two texts part.
func apart(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	around := func(s string) string { return s[max(0, i-80):min(len(s), i+120)] }
	return around(a) + "\n" + around(b)
}

// toldOf is which number of rows that a bound keeps or leaves out, or share of them, a page shows.
func toldOf(page string, rows []int, limit int) string {
	all, kept := 0, 0
	for _, n := range rows {
		all, kept = all+n, kept+min(n, limit)
	}
	for _, n := range []int{kept, all - kept} {
		if n == len(rows) { // that of persons is public
			continue
		}
		share := 100 * float64(n) / float64(all)
		for _, told := range []string{fmt.Sprint(n), fmt.Sprintf("%d,%03d", n/1000, n%1000),
			fmt.Sprintf("%d %03d", n/1000, n%1000), fmt.Sprintf("%.1f %%", share),
			fmt.Sprintf("%.0f %%", share)} {
			found := regexp.MustCompile(`(^|[^0-9.,])` + regexp.QuoteMeta(told) + `($|[^0-9])`)
			if found.MatchString(page) {
				return told
			}
		}
	}
	return ""
}
