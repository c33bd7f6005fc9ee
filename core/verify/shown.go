package verify

import (
	"slices"
	"strconv"
	"strings"

	"hush/core/publication"
)

// Rewrite writes a page again from its data, with the pictures of its figures taken from a file. A
// program that writes pages has such a function; a program without it does not check what a page
// shows.
type Rewrite func(file []byte, page publication.Page) Rewritten

// Rewritten is a page as this program writes it.
type Rewritten struct {
	HTML    string  // with the pictures of the file; empty: Why
	Why     string  // it cannot be written again
	Earlier bool    // the file says that another version wrote it
	Strange []Place // texts in its pictures that are in no chart of the answers
	Bare    []int   // the numbers of figures without a picture
}

// Place is a text of a file and the byte where it begins.
type Place struct {
	Text string
	At   int
}

// shows checks what a reader of an HTML page sees: it refuses every byte that differs from the page
// as this program writes it from the page's data; about the shapes in pictures it knows nothing.
func (v *verifier) shows(page publication.Page) {
	say := v.say
	c := Check{Title: say.Text("What the page shows"), Status: Cannot, Class: Unknowable}
	defer func() {
		v.report.Shown = c.Status
		v.add(c)
	}()
	if v.rewrite == nil {
		c.Detail = say.Text("Only the data in the HTML file were checked. This program does not " +
			"write pages, so it did not check sentences, tables or pictures.")
		return
	}
	file, _, _ := publication.Unsigned(v.text)
	again := v.rewrite(file, page)
	if again.HTML == "" {
		c.Detail = say.Format("Only the data in the HTML file were checked. Its sentences, tables "+
			"and pictures were not compared with them: %s", again.Why)
		return
	}
	means := say.Text("A reader of the page sees something other than its data. Read the data, " +
		"not the display.")
	var faults []Fault
	for _, d := range differences(string(file), again.HTML) {
		law := say.Text("Hush writes nothing there.")
		if d.law != "" {
			law = say.Format("Hush writes “%s” there.", cut(d.law))
		}
		says := say.Text("Something is missing here.")
		if d.says != "" {
			says = say.Format("The page shows “%s”.", cut(d.says))
		}
		faults = append(faults, v.fault("", d.at, says, law, means))
	}
	for _, p := range again.Strange {
		faults = append(faults, v.fault("", p.At, say.Format("A picture says “%s”.", cut(p.Text)),
			say.Text("No chart of its answer says that."), means))
	}
	switch {
	case len(faults) == 0 && len(again.Bare) == len(page.Figures()):
		c.Status, c.Class = Holds, Recomputed
		c.Detail = say.Text("Its sentences and tables follow from its data, byte by byte. It has " +
			"no picture and no script, and refers to nothing outside.")
	case len(faults) == 0:
		c.Status, c.Class = Holds, Recomputed
		c.Detail = say.Text("Its sentences, its tables and the texts in its pictures follow from " +
			"its data, byte by byte. It has no script and refers to nothing outside.")
		v.shapes(again.Bare)
	case again.Earlier:
		c.Detail = say.Text("It was written by an earlier version, so its text was not compared. " +
			"Only the data in the HTML file were checked: read those.")
	default:
		c.Title, c.Class = say.Text("The page shows something other than its data"), Recomputed
		c = c.refused(faults)
	}
}

// shapes says what cannot be known about pictures.
func (v *verifier) shapes(bare []int) {
	say := v.say
	c := Check{Title: say.Text("The shapes in its pictures"), Status: Cannot, Class: Unknowable,
		Detail: say.Text("Bars, points, lines and the positions of texts were not compared with " +
			"the numbers: read these in the table below each picture.")}
	if len(bare) > 0 {
		var numbers []string
		for _, n := range bare {
			numbers = append(numbers, strconv.Itoa(n))
		}
		c.Detail = say.Format("There is no picture of these figures: %s.",
			strings.Join(numbers, ", ")) + " " + c.Detail
	}
	v.add(c)
}

// mostWords is the largest number of an author's texts that a report quotes.
const mostWords = 12

// words lists what the author wrote: no number backs it.
func (v *verifier) words(page publication.Page) {
	say := v.say
	var list []string
	add := func(text string) {
		if text != "" {
			list = append(list, "“"+cut(text)+"”")
		}
	}
	add(page.Title)
	add(page.Lead)
	add(page.Publisher)
	add(page.Source)
	for _, p := range page.Pieces {
		add(p.Heading)
		add(p.Text)
		if p.Figure != nil {
			add(p.Figure.Sentence)
		}
	}
	if len(list) == 0 {
		return
	}
	quoted := strings.Join(list[:min(len(list), mostWords)], " ")
	if more := len(list) - mostWords; more > 0 {
		quoted += " " + say.Count(int64(more), "and %d more text.", "and %d more texts.", more)
	}
	v.add(Check{Title: say.Text("Its author's own words"), Status: Cannot, Class: Unknowable,
		Detail: say.Format("These were written by hand, and follow from no data: %s", quoted)})
}

// difference is a line of a file that another text lacks, or the reverse.
type difference struct {
	at        int
	says, law string // empty: there is none
}

// differences lists the lines of a text that differ from another's: of the part between their
// common beginning and end, the lines that occur nowhere in the other, and at least the first.
func differences(text, law string) (list []difference) {
	if text == law {
		return nil
	}
	a, b := strings.SplitAfter(text, "\n"), strings.SplitAfter(law, "\n")
	at := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		at += len(a[0])
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	known, had := map[string]bool{}, map[string]bool{}
	for _, line := range b {
		known[line] = true
	}
	for _, line := range a {
		had[line] = true
	}
	lost := slices.DeleteFunc(slices.Clone(b), func(line string) bool { return had[line] })
	for _, line := range a {
		if !known[line] {
			of := ""
			if len(lost) > 0 {
				of, lost = lost[0], lost[1:]
			}
			list = append(list, apart(line, of, at))
		}
		at += len(line)
	}
	if len(list) == 0 { // lines are missing, or in another order
		whole := strings.Join(a, "")
		list = append(list, apart(whole, strings.Join(b, ""), at-len(whole)))
	}
	return list
}

// before is the number of bytes of a line that are shown before the place where it differs.
const before = 40

// apart finds where a line, which begins at a byte, differs from another.
func apart(line, law string, at int) difference {
	same := 0
	for same < len(line) && same < len(law) && line[same] == law[same] {
		same++
	}
	from := max(0, same-before)
	text := func(line string) string {
		return strings.TrimSpace(strings.ToValidUTF8(line[min(from, len(line)):], ""))
	}
	return difference{at + same, text(line), text(law)}
}
