//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stays is a file of this many stays: a day each, most of them in summer, and a length in minutes.
func stays(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("day,minutes\n")
	for i := range n {
		at := i*7919%365 + i*104_729%120
		if i%3 > 0 {
			at = 150 + i*7919%60 + i*104_729%40
		}
		fmt.Fprintf(&b, "%s,%d\n", time.Date(2025, 1, 1+at%365, 0, 0, 0, 0, time.UTC).
			Format("2006-01-02"), 1+i*i%5000)
	}
	path := filepath.Join(t.TempDir(), "stays.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestDensityOfDates releases how days are distributed without bounds, asks the release, and makes
// days up from it.
func TestDensityOfDates(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", stays(t, 20_000))
	p.confirm()
	p.describing("day", func() {
		p.holds("day", "dates")
		p.eval(`document.getElementById("notation").open = true`, nil)
		p.click("checkbox", "I don't know the bounds")
	})
	p.askAbout("density", "day")
	p.waitText("By quantile tree")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Release, spending ε = 1")
	p.waitText(" is about 2025-")
	p.until("a chart", `document.querySelectorAll("#release-chart svg path").length > 10`)

	p.fill("textbox", "How many are from … to …?", "2025-06-01 to 2025-08-31")
	p.waitText("people have a value from 2025-06-01 to 2025-08-31")
	p.fill("textbox", "How many are from … to …?", "June")
	p.waitText("two possible values in order")
	p.fill("textbox", "Which value has this percentage at or below it?", "50")
	p.waitText("About 50 % of the people with a value are at or below 2025-")
	file := p.download(func() {
		p.fill("textbox", "How many rows of made-up data?", "200")
		p.click("button", "Save them as CSV")
	})
	rows := strings.Split(strings.TrimSpace(string(file.data)), "\r\n")
	if len(rows) != 201 || rows[0] != "day" {
		t.Fatalf("%s: %d rows under %q", file.name, len(rows), rows[0])
	}
	summer := 0
	for _, row := range rows[1:] {
		if _, err := time.Parse("2006-01-02", row); err != nil {
			t.Fatal(err)
		}
		if row > "2025-05-15" && row < "2025-09-15" {
			summer++
		}
	}
	if summer < 80 {
		t.Errorf("%d of 200 made-up days are in summer", summer)
	}
	p.axe()
	p.eval(`document.getElementById("release-chart").scrollIntoView(), 0`, new(int))
	for _, theme := range []string{"light", "dark"} {
		p.screenshot("density-"+theme, 1280, 2600, theme)
	}
}

// TestDensityOfAMillion releases the distribution of a million whole numbers below 5000, and logs
// the time from the click to the chart.
func TestDensityOfAMillion(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", stays(t, 1_000_000))
	p.confirm()
	p.describe("minutes", "0", "4999")
	p.askAbout("density", "minutes")
	p.waitText("By hierarchical histogram")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	began := time.Now()
	p.click("button", "Release, spending ε = 1")
	p.until("a chart", `document.querySelectorAll("#release-chart svg path").length > 10`)
	t.Logf("a million values to their chart in %v", time.Since(began).Round(100*time.Millisecond))
	p.waitText("The median of ")
	p.waitText("These are the first 500 of ") // every value was counted
	p.eval(`document.getElementById("release-chart").scrollIntoView(), 0`, new(int))
	for _, theme := range []string{"light", "dark"} {
		p.screenshot("density-million-"+theme, 1280, 1600, theme)
	}
	p.screenshot("density-million-narrow", 360, 1600, "light")
}
