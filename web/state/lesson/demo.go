package lesson

import (
	"errors"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state/form"
)

// Demo is a question about a bundled data set, to be shown in a page of another site. It is written
// into the attributes of <hush-demo>, and behind the # of the embed document's address.
type Demo struct {
	Task string // task.Task.ID
	Data string // sample.Set.Name; empty: the one with which the task is taught
	// the complete recipe as in the page's address; empty: the one with which the task is taught
	Question string
	Epsilon  string // empty: 1
	// Table is a living table in place of a demo: the address of a file on the bundle's site, or a
	// link that contains the table.
	Table string
	// Course is the number of a lesson of the course, in place of a demo.
	Course string
	Theme  string // "light", "dark"; empty: the reader's system decides
	// of the words that an author copies with it: a tag; empty if the bundle has only English
	Language string
}

// ReadDemo reads what Fragment writes.
func ReadDemo(fragment string) (Demo, error) {
	v, err := url.ParseQuery(fragment)
	if err != nil {
		return Demo{}, errors.New(say.Text("the address is cut off or changed"))
	}
	return Demo{Task: v.Get("task"), Data: v.Get("data"), Question: v.Get("question"),
		Epsilon: v.Get("epsilon"), Theme: v.Get("theme"), Table: v.Get("table"),
		Course: v.Get("lesson")}, nil
}

// attributes returns the non-empty ones, with their names.
func (d Demo) attributes() [][2]string {
	all := [][2]string{{"task", d.Task}, {"data", d.Data}, {"epsilon", d.Epsilon},
		{"theme", d.Theme}, {"question", d.Question}, {"table", d.Table},
		{"lesson", d.Course}}
	return slices.DeleteFunc(all, func(a [2]string) bool { return a[1] == "" })
}

// Fragment is the part behind the # of the embed document's address.
func (d Demo) Fragment() string {
	var parts []string
	for _, a := range d.attributes() {
		parts = append(parts, a[0]+"="+url.QueryEscape(a[1]))
	}
	return strings.Join(parts, "&")
}

// Lesson returns what the demo begins with, or an error in words.
func (d Demo) Lesson() (Lesson, error) {
	l := Lesson{Epsilon: d.Epsilon, Part: 100, Draws: ShownDraws, Params: ask.Params{}, Seed: 1}
	if l.Epsilon == "" {
		l.Epsilon = "1"
	}
	tasks := task.Catalogue()
	i := slices.IndexFunc(tasks, func(t ask.Task) bool { return t.ID == d.Task })
	switch {
	case d.Task == "":
		return l, phrase.Errorf("no task is named: want one of %s", taught(tasks))
	case i < 0 || tasks[i].Example == nil:
		return l, phrase.Errorf("there is no task %q: want one of %s", d.Task, taught(tasks))
	}
	l.Task = &tasks[i] // a copy of our own
	if d.Question == "" {
		if d.Data != "" && d.Data != l.Task.Example.Sample {
			return l, phrase.Errorf("the task %q is shown with the data %q: for other data give "+
				"the question too, as “Embed this” on the workbench writes it",
				d.Task, l.Task.Example.Sample)
		}
		return l, nil
	}
	r, err := form.DecodeRecipe(d.Question)
	switch {
	case err != nil:
		return l, err
	case r.Task != d.Task:
		return l, phrase.Errorf("the question is of the task %q, not %q", r.Task, d.Task)
	case !slices.ContainsFunc(sample.Sets(), func(s sample.Set) bool { return s.Name == d.Data }):
		return l, phrase.Errorf(
			"there are no data %q: a demo is about one of the data sets that come with Hush",
			d.Data)
	}
	l.Task.Example = &ask.Example{Sample: d.Data, Recipe: r}
	return l, nil
}

// ShowDemo begins the lesson of a demo, or returns what is wrong with it.
func (l *Learn) ShowDemo(d Demo) (err error) {
	l.Halt()
	if l.Lesson, err = d.Lesson(); err != nil {
		l.Lesson = Lesson{}
	} else {
		l.teach()
	}
	l.Update()
	return err
}

// LeaveDemo ends the lesson shown.
func (l *Learn) LeaveDemo() {
	l.Halt()
	l.Lesson = Lesson{}
	l.Update()
}

// taught lists the tasks that can be shown.
func taught(tasks []ask.Task) string {
	var names []string
	for _, t := range tasks {
		if t.Example != nil {
			names = append(names, t.ID)
		}
	}
	return strings.Join(names, ", ")
}

// Demo returns the lesson in its present state as a demo.
func (l *Learn) Demo() Demo {
	d := Demo{Task: l.Task.ID, Data: l.Task.Example.Sample, Epsilon: l.Epsilon}
	if len(l.Params) > 0 || l.Wider > 0 {
		d.Question = form.EncodeRecipe(l.Whole().Recipe)
	}
	return d
}

// Element returns the demo as an element, with the script that defines it. base is the bundle's
// address; words is what a reader sees before the demo runs, or where it cannot. The words are
// marked with their language; the demo uses the language of the page around it.
func (d Demo) Element(base, start, words string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<script src=\"%sembed.js\" async></script>\n<hush-demo", base)
	for _, a := range append(d.attributes(), [2]string{"start", start}) {
		fmt.Fprintf(&b, " %s=\"%s\"", a[0], html.EscapeString(a[1]))
	}
	language := ""
	if d.Language != "" {
		language = ` lang="` + html.EscapeString(d.Language) + `"`
	}
	fmt.Fprintf(&b, ">\n  <p%s>%s</p>\n</hush-demo>\n", language, html.EscapeString(words))
	return b.String()
}

// Name is what the demo is of, for the title of its frame.
func (d Demo) Name() string {
	if d.Course != "" {
		return "lesson " + d.Course
	}
	return d.Task
}

// Frame returns the demo as a plain frame, for hosts that let no script or no unknown element
// through. It cannot see the page around it, so its address names the language.
func (d Demo) Frame(base, title string) string {
	fragment := d.Fragment()
	if d.Language != "" {
		fragment += "&lang=" + url.QueryEscape(d.Language)
	}
	return fmt.Sprintf("<iframe src=\"%s%s#%s\" title=\"%s\" width=\"100%%\" height=\"760\" "+
		"loading=\"lazy\"></iframe>\n",
		base, strings.TrimPrefix(EmbedDocument, "/"), html.EscapeString(fragment),
		html.EscapeString(title))
}

// EmbedDocument is the entry document that other sites may frame.
const EmbedDocument = "/embed.html"
