//go:build browser

package browsertest

import (
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/task"
)

// The way from a file to a question, as a person goes it. Columns and kinds of question are named;
// where on the page they are asked for is known here only.

// histogramSays is in the sentence of a histogram that is released, and in no other sentence of the
// way to it; or levelSays is, where no bin is clearly above another.
const (
	histogramSays = " in 95 of 100 releases)."
	levelSays     = ": no clear difference."
)

// shows reports whether a page has a text, or another that stands for it.
func shows(page, text string) bool {
	return strings.Contains(page, text) ||
		text == strings.TrimSpace(histogramSays) && strings.Contains(page, levelSays)
}

// confirm says that the file is read as it should be and that each row is another person, which
// leads to its columns. Where that was said before, as by a question that waits, it stands.
func (p *webPage) confirm() {
	p.t.Helper()
	p.confirmAs("persons-no")
}

// confirmAs is confirm with another answer to whether a person can have several rows.
func (p *webPage) confirmAs(answer string) {
	p.t.Helper()
	p.until("whether a person can have several rows", `document.getElementById("persons-no")`)
	if p.there("confirm") { // it was answered before
		answer = "confirm"
	}
	p.clickSelector("#" + answer)
	p.until("the columns", `document.getElementById("step-columns")`)
}

// columns opens the codebook.
func (p *webPage) columns() {
	p.t.Helper()
	p.until("a stage with columns", `document.getElementById("step-columns") ||
		document.getElementById("edit-step-columns")`)
	if !p.there("step-columns") {
		p.clickSelector("#edit-step-columns")
		p.until("the columns", `document.getElementById("step-columns")`)
	}
}

// question opens the question.
func (p *webPage) question() {
	p.t.Helper()
	p.until("a stage with a question", `document.getElementById("step-question") ||
		document.getElementById("ask") || document.getElementById("edit-step-question")`)
	if !p.there("step-question") {
		to := "#ask"
		if !p.there("ask") { // the answer is open
			to = "#edit-step-question"
		}
		p.clickSelector(to)
		p.until("the question", `document.getElementById("sentence")`)
	}
}

// there reports whether an element is on the page now.
func (p *webPage) there(id string) (is bool) {
	p.t.Helper()
	p.eval(`Boolean(document.getElementById("`+id+`"))`, &is)
	return is
}

// describing opens the description of a column, and takes what fill has typed. Where first rows lie
// outside, they are called errors.
func (p *webPage) describing(column string, fill func()) {
	p.t.Helper()
	p.columns()
	var row string
	find := `[...document.querySelectorAll(".book th")].find((head) =>
		head.textContent.trim() === ` + strconv.Quote(column) + `)?.closest("tr").id`
	p.until("the column "+column, find)
	p.eval(find, &row)
	p.clickSelector("#" + strings.Replace(row, "column", "describe", 1))
	p.until("the fields of "+column, `document.getElementById("describe")`)
	fill()
	p.click("button", "Done")
	p.until("the end of the description of "+column,
		`!document.getElementById("describe") || document.getElementById("outside")`)
	if p.there("outside") {
		p.click("button", "These are errors")
		p.until("the end of the description of "+column, `!document.getElementById("describe")`)
	}
}

// describe says which numbers a column can hold; how they are written is as guessed.
func (p *webPage) describe(column, lo, hi string) {
	p.t.Helper()
	p.describing(column, func() {
		p.fill("textbox", "Smallest possible value", lo)
		p.fill("textbox", "Largest possible value", hi)
	})
}

// describeList says which categories a column has.
func (p *webPage) describeList(column string, categories ...string) {
	p.t.Helper()
	p.describing(column, func() {
		p.holds(column, "categories")
		p.fill("textbox", "Categories, one a line", strings.Join(categories, "\n"))
	})
}

// holds chooses the type of the column that is being described.
func (p *webPage) holds(column, kind string) {
	p.t.Helper()
	p.choose(column+" holds", kind)
}

// kind chooses the kind of question by task.Task.ID: by its button, or by the search.
func (p *webPage) kind(id string) {
	p.t.Helper()
	p.question()
	if !p.there("task-" + id) {
		tasks := task.Catalogue()
		i := slices.IndexFunc(tasks, func(t ask.Task) bool { return t.ID == id })
		p.click("button", "More…")
		p.fill("combobox", "Search all questions", strings.Trim(string(tasks[i].Title), "…"))
		p.until("it to be found", `document.getElementById("found-`+id+`")`)
		p.clickSelector("#found-" + id)
	} else {
		p.clickSelector("#task-" + id)
	}
	p.until("the sentence of "+id, `document.getElementById("sentence").dataset.task === "`+id+`"`)
}

// askAbout asks a kind of question of a described column.
func (p *webPage) askAbout(id, column string) {
	p.t.Helper()
	p.kind(id)
	p.choose("Column", column)
}

// waitBudget waits until the question shows the given text about the budget spent on the file and
// the budget left. It keeps opening the part of the page with that text, which every new price
// redraws.
func (p *webPage) waitBudget(text string) {
	p.t.Helper()
	p.question()
	p.wait("the budget to say "+text, func() bool {
		var opened bool
		err := p.tryEval(`(() => {
			const spent = document.getElementById("spent"), part = spent?.closest("details");
			if (part) part.open = true; // it stands open where the limit is passed
			return Boolean(spent);
		})()`, &opened)
		return err == nil && opened && strings.Contains(p.visible(), text)
	})
}

// options opens what most questions leave as it is.
func (p *webPage) options() {
	p.t.Helper()
	p.question()
	p.eval(`document.getElementById("options").open = true`, nil)
}
