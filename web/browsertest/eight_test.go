//go:build browser

package browsertest

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hush/core/ask"
	"hush/core/publication"
)

// unseen is a file of a kind that no example and no convention of the page is made for, drawn from
// a seed.
type unseen struct {
	name, text, title string
	person            string            // how its owner says who a person is
	lists             map[string]string // of columns whose values its owner types
	ranges            map[string]string // by a chip, or typed
	epsilon           string            // by importance; empty: every figure can be good
}

// admissions are stays in a hospital: German numbers, several rows of most persons, gaps.
func admissions(seed uint64) unseen {
	r := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("Fallakte;Abteilung;Alter;Geschl.;Verweildauer;Erlös;Aufnahme\r\n")
	for i := range 2600 {
		akte, alter := 100000+37*i, min(99, max(0, int(58+22*r.NormFloat64())))
		sex := []string{"w", "m", "m", "w", "w", "d"}[r.IntN(6)]
		for range 1 + r.IntN(3)*r.IntN(2) {
			dauer := fmt.Sprintf("%d,%d", 1+int(5*r.ExpFloat64()), r.IntN(10))
			erloes := int(1500 * math.Exp(1+.8*r.NormFloat64()))
			cost := fmt.Sprintf("%d,%02d", erloes%1000, r.IntN(100))
			if erloes >= 1000 {
				cost = fmt.Sprintf("%d.%03d,%02d", erloes/1000, erloes%1000, r.IntN(100))
			}
			ward := []string{"Innere", "Chirurgie", "Innere", "Geriatrie", "Gyn.", "HNO"}[r.IntN(6)]
			cells := []string{fmt.Sprint(akte), ward, fmt.Sprint(alter), sex, dauer, cost,
				fmt.Sprintf("%02d.%02d.%d", 1+r.IntN(28), 1+r.IntN(12), 2019+r.IntN(6))}
			if at := 2 + r.IntN(24); i > 40 && at < len(cells) {
				cells[at] = ""
			}
			b.WriteString(strings.Join(cells, ";") + "\r\n")
		}
	}
	return unseen{"aufnahmen.csv", b.String(), "Aufnahmen 2019 bis 2024", "persons-yes",
		map[string]string{"Abteilung": "Innere, Chirurgie, Geriatrie, Gyn., HNO",
			"Geschl.": "w, m, d"},
		map[string]string{"Alter": "0–120", "Verweildauer": "0–100"}, ""}
}

// surveyed are people asked by codes, a 9 for no answer, and towns as people spell them.
func surveyed(seed uint64) unseen {
	r := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	b.WriteString("nr,ort,q1,q2,q3,q4,zufr,hh_groesse\n")
	towns := []string{"Aachen", "aachen", "AACHEN", " Aachen", "Jülich", "Juelich", "Düren",
		"Stolberg (Rhld.)", "Stolberg"}
	for i := range 1400 {
		code := func(yes float64) string {
			switch x := r.Float64(); {
			case x < .07:
				return "9"
			case x < .07+.93*yes:
				return "1"
			}
			return "0"
		}
		fmt.Fprintf(&b, "%d,%s,%s,%s,%s,%s,%d,%d\n", i+1, towns[r.IntN(len(towns))], code(.7),
			code(.35), code(.5), code(.04), min(10, max(0, int(7+2*r.NormFloat64()))), 1+r.IntN(5))
	}
	return unseen{"umfrage_w2.csv", b.String(), "Umfrage, zweite Welle", "persons-no",
		map[string]string{"ort": "Aachen, Jülich, Düren, Stolberg"},
		map[string]string{"q1": "0, 1", "q2": "0, 1", "q3": "0, 1", "zufr": "0–10"}, "3"}
}

// contracts are of people with a heavy-tailed pay and the days on which they began.
func contracts(seed uint64) unseen {
	r := rand.New(rand.NewPCG(seed, 3))
	var b strings.Builder
	b.WriteString("emp\tdept\tgrade\tgross_pay\thours\thired\tcontract\n")
	for i := range 900 {
		pay := 2100 * math.Exp(.35*r.NormFloat64())
		if r.IntN(40) == 0 {
			pay *= 8
		}
		fmt.Fprintf(&b, "E%04d\t%s\t%d\t%.2f\t%s\t%d-%02d-%02d\t%s\n", i+1,
			[]string{"Ops", "Ops", "Ops", "Sales", "Sales", "R&D", "Legal"}[r.IntN(7)],
			1+r.IntN(6), pay, []string{"20", "30", "37.5", "40", "40"}[r.IntN(5)],
			1996+r.IntN(29), 1+r.IntN(12), 1+r.IntN(28),
			[]string{"permanent", "fixed term", "permanent"}[r.IntN(3)])
	}
	return unseen{"payroll-2026.tsv", b.String(), "Who works here", "persons-no",
		map[string]string{"dept": "Ops, Sales, R&D, Legal", "contract": "permanent, fixed term"},
		map[string]string{"grade": "1, 2, 3, 4, 5, 6", "gross_pay": "0–20000"}, "3"}
}

// TestPagesOfUnseenFiles: of three kinds of file that nothing was made for, a stranger makes a page
// of eight figures: the first that are proposed, at what is proposed, in one release. No headline
// and no large number is noise; the page is one that a check confirms; on paper no sheet is blank
// and no figure is cut.
func TestPagesOfUnseenFiles(t *testing.T) {
	site := serveBundle(t)
	for _, f := range []unseen{admissions(57), surveyed(57), contracts(57)} {
		t.Run(f.name, func(t *testing.T) {
			s := &stranger{webPage: open(t, site.url)}
			s.drop("#content", textFile(t, f.name, f.text))
			s.until("whether a person can have several rows",
				`document.getElementById("persons-no")`)
			if f.person == "persons-yes" && s.there("persons-1") {
				f.person = "persons-1"
			}
			s.clickSelector("#" + f.person)
			if f.person == "persons-yes" {
				s.until("the columns to choose from", `document.getElementById("whose")`)
				s.eval(`(() => {
					const select = document.getElementById("whose");
					select.value = "1";
					select.dispatchEvent(new Event("change", { bubbles: true }));
				})()`, nil)
				s.clickSelector("#confirm")
			}
			s.until("the columns", `document.getElementById("step-columns")`)
			s.pictures("eight-columns-" + f.name)
			s.describesAll(f)
			s.pictures("eight-described-" + f.name)
			s.actions = 0
			s.makePage(f.title, f.epsilon, 8)
			text := s.download(func() { s.clickSelector("#save-report") }).data
			s.readsWell(f.name, text)
			s.printsWell(f.name, text)
		})
	}
}

// describesAll says which values are possible, by a chip where one fits. Where first rows lie
// outside, they are called errors, as a code for no answer is one.
func (s *stranger) describesAll(f unseen) {
	s.t.Helper()
	for _, columns := range []map[string]string{f.ranges, f.lists} {
		for _, name := range slices.Sorted(maps.Keys(columns)) {
			s.says(name, columns[name])
			s.until(name+" to be described", fmt.Sprintf(`document.getElementById("outside") ||
				[...document.querySelectorAll(".book tr.done th")].some((e) =>
					e.textContent.trim() === %q)`, name))
			var spelt bool
			s.eval(`document.body.innerText.includes("Count them so")`, &spelt)
			if spelt {
				s.click("button", "Count them so")
				s.waitGone("Count them so")
			}
			if s.there("outside") {
				s.click("button", "These are errors")
				s.until("the end of the description",
					`!document.getElementById("describe")`)
			}
		}
	}
}

// unclear are beginnings and ends of headlines of what noise may have made.
var unclear = regexp.MustCompile(`too few people to tell|no clear|no value|may be|None |` +
	`cannot be told`)

// readsWell: the page's headlines and large numbers are no noise, and a check confirms it.
func (s *stranger) readsWell(name string, text []byte) {
	s.t.Helper()
	made, err := publication.FromHTML(text)
	if err != nil {
		s.t.Fatal(err)
	}
	figures := made.Figures()
	if len(figures) != 8 {
		s.t.Errorf("%d figures, want 8", len(figures))
	}
	for i, f := range figures {
		r := f.Release
		grade := ask.Noise
		if r.Verdict != nil {
			grade = r.Verdict.Grade
		}
		s.t.Logf("%d (%s): %s", i+1, grade, r.Statement)
		if grade == ask.Noise && !unclear.MatchString(r.Statement) {
			s.t.Errorf("figure %d is noise, and says %q", i+1, r.Statement)
		}
	}
	for _, number := range made.Keys() {
		if v := figures[number-1].Release.Verdict; v == nil || v.Grade != ask.Good {
			s.t.Errorf("figure %d is a large number, and is not good", number)
		}
	}
	other := open(s.t, "file://"+textFile(s.t, name+".html", string(text)))
	other.waitText("What is promised")
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			other.screenshot(fmt.Sprintf("eight-%s-%s-%d", name, theme, width), width, 4500, theme)
			other.until("no sideways scrolling",
				`document.documentElement.scrollWidth <= innerWidth`)
		}
	}
}

// printsWell prints the page on A4.
func (s *stranger) printsWell(name string, text []byte) {
	s.t.Helper()
	other := open(s.t, "file://"+textFile(s.t, name+".html", string(text)))
	other.waitText("What is promised")
	var printed []byte
	other.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		printed, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).WithPrintBackground(true).
			Do(ctx)
		return err
	}))
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		for ending, data := range map[string][]byte{".pdf": printed, ".html": text} {
			if err := os.WriteFile(filepath.Join(dir, "eight-"+name+ending), data,
				0o644); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	sheets := textsOf(printed)
	s.t.Logf("pieces of text on each sheet: %d", sheets)
	if len(sheets) < 2 || len(sheets) > 5 {
		s.t.Errorf("eight figures take %d sheets", len(sheets))
	}
	for i, pieces := range sheets {
		if pieces < 10 {
			s.t.Errorf("sheet %d of %d has %d pieces of text", i+1, len(sheets), pieces)
		}
	}
	// what may not be cut fits on a sheet
	const width, height = 688, 1016 // A4 without its margins, in points of CSS
	other.size(width, height)
	other.do(emulation.SetEmulatedMedia().WithMedia("print"))
	var tall []string
	other.eval(fmt.Sprintf(`[...document.querySelectorAll("figure, .keys, .verdict")]
		.filter((e) => e.offsetHeight > %d || e.scrollWidth > e.clientWidth + 1)
		.map((e) => e.className + " " + e.innerText.slice(0, 60))`, height), &tall)
	if len(tall) > 0 {
		s.t.Errorf("these are cut on paper: %q", tall)
	}
}

// textsOf counts the pieces of text on each sheet of a PDF file.
func textsOf(file []byte) (list []int) {
	objects := map[string][]byte{}
	for _, found := range regexp.MustCompile(`(?s)\n(\d+) 0 obj\n(.*?)\nendobj`).
		FindAllSubmatch(file, -1) {
		objects[string(found[1])] = found[2]
	}
	var sheets []string
	for number, object := range objects {
		if regexp.MustCompile(`/Type\s*/Page\b`).Match(object) {
			sheets = append(sheets, number)
		}
	}
	slices.Sort(sheets)
	for _, number := range sheets {
		pieces := 0
		at := regexp.MustCompile(`/Contents\s+(\d+) 0 R`).FindSubmatch(objects[number])
		if at != nil {
			_, stream, _ := bytes.Cut(objects[string(at[1])], []byte("stream\n"))
			if plain, err := zlib.NewReader(bytes.NewReader(stream)); err == nil {
				drawn, _ := io.ReadAll(plain)
				pieces = len(regexp.MustCompile(`\bT[jJ]\b`).FindAll(drawn, -1))
			}
		}
		list = append(list, pieces)
	}
	return list
}
