package proof

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/prove"
	"hush/web/webtest"
)

// TestProofOfABrokenAddress shows what is usual, and says so.
func TestProofOfABrokenAddress(t *testing.T) {
	for address, want := range map[string]string{
		"/prove/no-such":                "id is",
		"/prove/count?bug=no-such":      "bug is",
		"/prove/count?persons=many":     "many",
		"/prove/count?persons=1000":     "persons is 1000",
		"/prove/count?from=x.1&to=1":    "to is",
		"/prove/count?from=9.9.9.9":     "to is",
		"/prove/count?base=%zz":         "%zz",
		"/prove/histogram?epsilon=1":    "epsilon is",
		"/prove/binary-search?base=3/2": "base is",
	} {
		m, _ := webtest.Proving(t, address)
		if !strings.Contains(m.Proof.Notice, want) || m.Proof.Request.Bug != "" ||
			m.Proof.Request.From != nil {
			t.Errorf("%s: %q, want %q in it", address, m.Proof.Notice, want)
		}
		app.HTMLString(&Page{Proof: &m.Proof})
	}
}

// TestReplayWithoutDraws: a replay that fails before anything was drawn has no table, which would
// be a head without a row.
func TestReplayWithoutDraws(t *testing.T) {
	for draws, table := range map[int]bool{0: false, 1: true} {
		r := &prove.Replay{Sentence: "Fails.", Draws: make([]prove.Draw, draws)}
		html := app.HTMLString(app.Div().Body(replayView(r)...))
		if strings.Contains(html, "<table") != table || !strings.Contains(html, "Fails.") {
			t.Errorf("%d draws: %s", draws, html)
		}
	}
}

// TestAdvisoriesOnThePage: the page lists every advisory by its day.
func TestAdvisoriesOnThePage(t *testing.T) {
	text, err := os.ReadFile("../../.github/ADVISORIES.md")
	if err != nil {
		t.Fatal(err)
	}
	var days []string
	for _, heading := range regexp.MustCompile(`(?m)^## (\d{4}-\d\d-\d\d): `).
		FindAllStringSubmatch(string(text), -1) {
		days = append(days, heading[1])
	}
	var shown []string
	for _, row := range broken() {
		shown = append(shown, row[0])
	}
	if len(days) == 0 || !slices.Equal(days, shown) {
		t.Errorf("the page lists %v, the advisories are of %v", shown, days)
	}
	if html := app.HTMLString(&ThreatModel{}); !strings.Contains(html, "ADVISORIES.md") {
		t.Error("the page does not say where the advisories are")
	}
}
