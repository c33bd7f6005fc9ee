//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// heard is a node of a browser's accessibility tree, with the words of ARIA for its role.
type heard struct {
	Role, Name, Value, Description string
	States                         []string // as heardStates orders them
	Level                          int      // of a heading
	Kids                           []*heard
}

// heardStates are the states that a screen reader says, in the order in which they are written.
var heardStates = []string{"checked", "not checked", "pressed", "expanded", "collapsed",
	"disabled", "required", "invalid"}

// aloud is a page as a screen reader reads it from its beginning to its end: a line for each thing
// that the reader stops at.
type aloud struct{ lines []string }

// The words for each role. Any other role is silent: a reader reads its parts alone.
var (
	saidWhole = map[string]string{"heading": "heading", "link": "link", "button": "button",
		"checkbox": "check box", "radio": "radio button", "textbox": "edit", "searchbox": "search",
		"combobox": "combo box", "slider": "slider", "spinbutton": "spin button",
		"progressbar": "progress", "meter": "meter", "image": "image", "summary": "summary",
		"option": "option", "switch": "switch", "separator": "separator"}
	saidBefore = map[string]string{"banner": "banner", "navigation": "navigation", "main": "main",
		"contentinfo": "footer", "region": "region", "complementary": "aside", "search": "search",
		"form": "form", "group": "group", "radiogroup": "group", "dialog": "dialog",
		"alertdialog": "dialog", "status": "status", "alert": "alert", "log": "log",
		"table": "table", "list": "list",
		"note": "note", "document": "page"}
	oneLine = map[string]bool{"paragraph": true, "listitem": true, "term": true,
		"definition": true, "figcaption": true, "row": true, "status": true, "alert": true}
)

// say writes a node.
func (a *aloud) say(h *heard) {
	switch {
	case h.Role == "label" || h.Role == "caption" && h.simple(): // read with its control
		for _, k := range h.Kids {
			a.within(k)
		}
	case h.Role == "text":
		a.line(h.Name)
	case saidWhole[h.Role] != "":
		a.line(h.whole())
		if h.Role == "heading" {
			for _, k := range h.Kids {
				a.within(k)
			}
		}
	case oneLine[h.Role] && h.simple():
		if text := strings.TrimSpace(h.inline()); text != "" {
			a.line(h.mark() + text)
		}
	default:
		if (h.Role == "status" || h.Role == "alert") && len(h.Kids) == 0 {
			return // nothing is said
		}
		if said := saidBefore[h.Role]; said != "" && (h.Name != "" || landmark[h.Role]) {
			a.line(said + named(h.Name) + h.rest())
		} else if h.Role == "row" {
			a.line("row")
		}
		for _, k := range h.Kids {
			a.say(k)
		}
	}
}

var landmark = map[string]bool{"banner": true, "main": true, "contentinfo": true, "dialog": true,
	"table": true, "status": true, "alert": true}

// within says what can be reached in a node whose text was said.
func (a *aloud) within(h *heard) {
	if saidWhole[h.Role] != "" {
		a.line(h.whole())
		return
	}
	for _, k := range h.Kids {
		a.within(k)
	}
}

func (a *aloud) line(text string) {
	if text = strings.Join(strings.Fields(text), " "); text != "" {
		a.lines = append(a.lines, text)
	}
}

// whole is a thing that is read at once: role, name, value, state and description.
func (h *heard) whole() string {
	role := saidWhole[h.Role]
	if h.Level > 0 {
		role += fmt.Sprintf(" %d", h.Level)
	}
	name := h.Name
	if name == "" && h.Role == "summary" {
		name = h.inline()
	}
	return role + named(name) + h.rest()
}

func named(name string) string {
	if name == "" {
		return ""
	}
	return ": " + name
}

func (h *heard) rest() (said string) {
	if h.Value != "" {
		said += " = " + h.Value
	}
	for _, state := range h.States {
		said += ", " + state
	}
	if h.Description != "" && h.Description != h.Name {
		said += " (" + h.Description + ")"
	}
	return said
}

// simple reports whether a node holds only text and links.
func (h *heard) simple() bool {
	for _, k := range h.Kids {
		inline := k.Role == "text" || k.Role == "link" ||
			saidWhole[k.Role] == "" && saidBefore[k.Role] == ""
		if !inline || k.Role != "link" && !k.simple() || k.Role == "paragraph" ||
			k.Role == "listitem" {
			return false
		}
	}
	return true
}

// mark is what stands before a line of this role.
func (h *heard) mark() string {
	switch h.Role {
	case "listitem":
		return "- "
	case "row":
		return "row: "
	case "status", "alert":
		return h.Role + named(h.Name) + ": "
	}
	return ""
}

// inline is the text of a node, with what can be followed in brackets.
func (h *heard) inline() string {
	var b strings.Builder
	for i, k := range h.Kids {
		text := k.Name
		switch {
		case k.Role == "link":
			text = "[" + k.whole() + "]"
		case k.Role != "text":
			text = k.inline()
		}
		if h.Role == "row" && i > 0 {
			b.WriteString(" | ")
		} else if last, _ := utf8.DecodeLastRuneInString(b.String()); text != "" {
			if first, _ := utf8.DecodeRuneInString(text); word(first) &&
				(word(last) || strings.ContainsRune(".?!", last)) {
				b.WriteString(" ")
			}
		}
		b.WriteString(text)
	}
	return b.String()
}

func word(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// reader is a browser in which a person who hears the page makes a release.
type reader interface {
	until(what, expression string)
	waitText(text string)
	eval(expression string, into any)
	clickSelector(selector string)
	give(selector, path string)
	typed(id, text string)
	goes(address string)
	keeps(name string, save func()) []byte
	tree() *heard
}

// Where noise is on the screen, numbers that another run draws otherwise are written as 0, and so
// are dates and fingerprints. The first pattern are those that stay.
var (
	fixed = regexp.MustCompile(`heading \d|95 of 100|95 %|[εδ] = [\d.]*\d|[Ff]igure \d|5 001` +
		`|of 3\b|up to 12|at most 12|± (12|25)|(3\.96|12|24) people|0\.24 %|All 25|0 own|1440|800-226` +
		`|\d+–\d+ \||from \d+ to \d+|bins of \d+|\d (kind|figure|released)|[\d.]+ times|e\^ε` +
		`|(19\d|20[01])\d\b`)
	drawnByChance = regexp.MustCompile(`[0-9a-f]{4}( [0-9a-f]{4})+|[0-9a-f]{8,}` +
		`|\d{4}-\d\d-\d\d( \d\d:\d\d)?|[−-]?\d+([.,]\d+| \d{3}\b)*( points?)?`)
)

// settled is a line without what another run draws otherwise.
func settled(line string) string {
	var b strings.Builder
	hide := func(text string) { b.WriteString(drawnByChance.ReplaceAllString(text, "0")) }
	from := 0
	for _, at := range fixed.FindAllStringIndex(line, -1) {
		hide(line[from:at[0]])
		b.WriteString(line[at[0]:at[1]])
		from = at[1]
	}
	hide(line[from:])
	return b.String()
}

// readAloud makes a release, from the file to the publication, and returns what a screen reader
// says on the way. Where noise is on the screen each number is written as 0.
func readAloud(t *testing.T, r reader, bundle string) string {
	t.Helper()
	var b strings.Builder
	var before []string
	drawn := false
	hear := func(title string) {
		t.Helper()
		lines := heardNow(t, r)
		if drawn {
			for i := range lines {
				lines[i] = settled(lines[i])
			}
		}
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		same := 0
		for same < min(len(before), len(lines)) && before[same] == lines[same] {
			same++
		}
		end := len(lines) // of the lines that have changed
		for gone := len(before); end > same && gone > same && lines[end-1] == before[gone-1]; {
			end, gone = end-1, gone-1
		}
		before = lines
		b.WriteString(strings.Join(fewRows(lines[same:end]), "\n") + "\n")
	}
	unfold := func() {
		r.eval(`document.querySelectorAll("main details").forEach((d) => { d.open = true; })`, nil)
	}

	r.until("the landing", pageStarted+` && document.getElementById("open-file")`)
	hear("The landing")
	unfold()
	hear("The landing, unfolded")
	r.give("#file", withLeader(t))
	r.until("whether a person can have several rows", `document.getElementById("persons-no")`)
	hear("A file was dropped")
	r.clickSelector("#persons-no")
	r.until("the columns", `document.getElementById("step-columns")`)
	hear("The columns")
	r.clickSelector("#describe-2")
	r.until("its fields", `document.getElementById("describe")`)
	r.typed("lo", "69")
	r.typed("hi", "20")
	r.clickSelector("#describe")
	r.until("a refusal", `document.querySelector("[aria-invalid=true]")`)
	hear("A column is described wrongly")
	r.typed("lo", "20")
	r.typed("hi", "69")
	r.clickSelector("#describe")
	r.until("the description", `!document.getElementById("describe")`)
	hear("A column is described")
	r.clickSelector("#ask")
	r.until("its price", `document.getElementById("forecast") &&
		!document.getElementById("run").disabled`)
	hear("The question and its price")
	unfold()
	hear("The question, unfolded")
	r.eval(holdMessages, nil)
	r.clickSelector("#run")
	r.until("the run", `document.querySelector("#bar progress")`)
	hear("The release runs")
	r.eval(`void passMessages()`, nil)
	r.until("the answer", `document.querySelector("#release-chart svg path")`)
	drawn = true
	hear("The answer")
	unfold()
	hear("The answer, unfolded")
	r.clickSelector("#collect")
	r.until("the way to the page", `document.getElementById("open-page")`)
	r.clickSelector("#open-page")
	r.until("the page of figures", `document.querySelector(".piece.drawn")`)
	hear("The page of figures")
	page := r.keeps("hush-report.html", func() { r.clickSelector("#save-report") })
	path := filepath.Join(t.TempDir(), "published.html")
	if err := os.WriteFile(path, page, 0o600); err != nil {
		t.Fatal(err)
	}
	r.goes(bundle + "#/ledger")
	r.until("the ledger", `document.querySelector(".account")`)
	hear("The ledger")
	r.goes(bundle + "#/check")
	r.until("where a release is dropped", `document.getElementById("check-file")`)
	hear("Check a release")
	r.give("#check-file", path)
	r.waitText("All that can be checked holds, in the data and in what the page shows.")
	hear("A release is checked")
	r.goes("file://" + path)
	hear("The published page")
	return strings.TrimPrefix(b.String(), "\n")
}

// fewRows leaves out all but the first rows of a table.
func fewRows(lines []string) (list []string) {
	const most = 4
	rows := 0
	for _, line := range lines {
		if rows++; !strings.HasPrefix(line, "row: ") {
			rows = 0
		}
		if rows < most {
			list = append(list, line)
		} else if rows == most {
			list = append(list, "row: …")
		}
	}
	return list
}

// withLeader is a file like visitors' in which one age is so frequent that no noise hides it.
func withLeader(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("name;age;town\n")
	for i := range 5000 {
		age := strconv.Itoa(20 + i%50)
		if i%100 < 45 {
			age = "30"
		} else if i%50 == 0 {
			age = ""
		}
		fmt.Fprintf(&b, "\"Person; no. %d\";%s;Köln\n", i, age)
	}
	b.WriteString("half a row\n")
	return textFile(t, "visitors.csv", b.String())
}

// holdMessages keeps what the page sends to the engine, until passMessages sends it.
const holdMessages = `void (() => {
	const held = [], { postMessage } = Worker.prototype;
	Worker.prototype.postMessage = function (...message) { held.push([this, message]); };
	globalThis.passMessages = () => {
		Worker.prototype.postMessage = postMessage;
		for (const [worker, message] of held) postMessage.apply(worker, message);
	};
})()`

// heardNow is what is said of the page once it stands still.
func heardNow(t *testing.T, r reader) (lines []string) {
	t.Helper()
	last := ""
	for range 100 {
		r.eval(`new Promise((done) => setTimeout(done, 150))`, nil)
		var a aloud
		a.say(r.tree())
		said := requestsMade.ReplaceAllString(strings.Join(a.lines, "\n"), "0 own")
		if said == last {
			return strings.Split(said, "\n")
		}
		last = said
	}
	t.Fatalf("the page does not stand still:\n%s", last)
	return nil
}

var requestsMade = regexp.MustCompile(`\d+ own`)

// TestAloud: what a screen reader says during a whole release is the text in testdata/aloud.txt,
// which people read; -update writes it anew.
func TestAloud(t *testing.T) {
	s := serveBundle(t)
	got := readAloud(t, open(t, s.url), s.url)
	const path = "testdata/aloud.txt"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	compareAloud(t, path, got)
}

// TestFirefoxAloud: Firefox says the same.
func TestFirefoxAloud(t *testing.T) {
	s := serveBundle(t)
	compareAloud(t, "testdata/aloud.txt", readAloud(t, openFirefox(t, s.url), s.url))
}

func compareAloud(t *testing.T, path, got string) {
	t.Helper()
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		os.WriteFile(filepath.Join(dir, t.Name()+".txt"), []byte(got), 0o644)
	}
	a, b := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d of %s is\n%s\nwant\n%s", i+1, path, b[i], a[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%d lines are said, want the %d of %s", len(b), len(a), path)
	}
}
