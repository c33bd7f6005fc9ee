package web

import (
	"encoding/base64"
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
)

// Demo is a question about a bundled data set, to be shown in a page of another site. It stands in the attributes of
// <hush-demo>, and behind the # of the embed document's address.
type Demo struct {
	Task     string // task.Task.ID
	Data     string // sample.Set.Name; empty: the one with which the task is taught
	Question string // the whole recipe as in the page's address; empty: the one with which the task is taught
	Epsilon  string // empty: 1
	Theme    string // "light", "dark"; empty: as the reader's system
	Language string // of the words that an author copies with it: a tag; empty where the bundle has only English
}

// readDemo reads what fragment writes.
func readDemo(fragment string) (Demo, error) {
	v, err := url.ParseQuery(fragment)
	if err != nil {
		return Demo{}, errors.New(say.Text("the address is cut off or changed"))
	}
	return Demo{Task: v.Get("task"), Data: v.Get("data"), Question: v.Get("question"), Epsilon: v.Get("epsilon"), Theme: v.Get("theme")}, nil
}

// attributes are those that say something, by their names.
func (d Demo) attributes() [][2]string {
	all := [][2]string{{"task", d.Task}, {"data", d.Data}, {"epsilon", d.Epsilon}, {"theme", d.Theme}, {"question", d.Question}}
	return slices.DeleteFunc(all, func(a [2]string) bool { return a[1] == "" })
}

// fragment is what stands behind the # of the embed document's address.
func (d Demo) fragment() string {
	var parts []string
	for _, a := range d.attributes() {
		parts = append(parts, a[0]+"="+url.QueryEscape(a[1]))
	}
	return strings.Join(parts, "&")
}

// lesson is what the demo begins with, or what is wrong with it, in words.
func (d Demo) lesson() (Learn, error) {
	l := Learn{Epsilon: d.Epsilon, Part: 100, Draws: shownDraws, Params: ask.Params{}, Seed: 1}
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
			return l, phrase.Errorf("the task %q is shown with the data %q: for other data the question must be given too, as “Embed this” on the workbench writes it",
				d.Task, l.Task.Example.Sample)
		}
		return l, nil
	}
	r, err := decodeRecipe(d.Question)
	switch {
	case err != nil:
		return l, err
	case r.Task != d.Task:
		return l, phrase.Errorf("the question is of the task %q, not %q", r.Task, d.Task)
	case !slices.ContainsFunc(sample.Sets(), func(s sample.Set) bool { return s.Name == d.Data }):
		return l, phrase.Errorf("there are no data %q: a demo is about one of the data sets that come with Hush", d.Data)
	}
	l.Task.Example = &ask.Example{Sample: d.Data, Recipe: r}
	return l, nil
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

// encodeRecipe writes a recipe as it stands in addresses.
func encodeRecipe(r ask.Recipe) string {
	return base64.RawURLEncoding.EncodeToString([]byte(encode(r)))
}

// decodeRecipe reads what encodeRecipe writes.
func decodeRecipe(text string) (ask.Recipe, error) {
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return ask.Recipe{}, phrase.Errorf("%w: the address is cut off or changed", errRecipe)
	}
	return ReadRecipe(string(body))
}

// demoOfLesson is the lesson as it stands.
func (m *Model) demoOfLesson() Demo {
	l := &m.Learn
	d := Demo{Task: l.Task.ID, Data: l.Task.Example.Sample, Epsilon: l.Epsilon}
	if len(l.Params) > 0 || l.Wider > 0 {
		d.Question = encodeRecipe(l.lesson().Recipe)
	}
	return d
}

// demoOfQuestion is the workbench's question; ok is false unless it is a whole one about a bundled data set.
func (m *Model) demoOfQuestion() (d Demo, ok bool) {
	sets := sample.Sets()
	i := slices.IndexFunc(sets, func(s sample.Set) bool { return m.Data.Sample && say.Text(s.Title) == m.Data.Name })
	if i < 0 || m.Data.Phase != DataOpened || !m.Asked() || m.Missing() != "" {
		return d, false
	}
	return Demo{Task: m.Question.Task, Data: sets[i].Name, Epsilon: m.Question.Epsilon, Question: encodeRecipe(m.Recipe())}, true
}

// element is the demo as an element, and the script that knows it. base is the bundle's address; words is what a reader sees before
// the demo runs, or where it cannot. The words are marked as in their language; the demo speaks that of the page around it.
func (d Demo) element(base, start, words string) string {
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

// frame is the demo as a plain frame, for hosts that let no script or no unknown element through. It cannot see the page around it, so its
// address names the language.
func (d Demo) frame(base, title string) string {
	fragment := d.fragment()
	if d.Language != "" {
		fragment += "&lang=" + url.QueryEscape(d.Language)
	}
	return fmt.Sprintf("<iframe src=\"%s%s#%s\" title=\"%s\" width=\"100%%\" height=\"760\" loading=\"lazy\"></iframe>\n",
		base, strings.TrimPrefix(EmbedDocument, "/"), html.EscapeString(fragment), html.EscapeString(title))
}
