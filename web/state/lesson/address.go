package lesson

import (
	"net/url"
	"slices"
	"strconv"

	"hush/core/ask"
	"hush/core/coin"
	"hush/web/state/form"
	"hush/web/state/place"
)

// Address is what is shown, with its settings and its seed, behind the #, so that a link shows
// the same. What is about a file of one's own has no settings there.
func (l *Learn) Address() string {
	path, q := place.ViewLearn.Path(), url.Values{}
	set := func(key, value, usual string) {
		if value != usual {
			q.Set(key, value)
		}
	}
	number := func(key string, value, usual int) {
		set(key, strconv.Itoa(value), strconv.Itoa(usual))
	}
	seed := func(s coin.Seed) { set("seed", strconv.FormatUint(uint64(s), 10), "1") }
	switch {
	case l.Rows.Shown:
		path += "/" + RowsLesson
		set("epsilon", l.Rows.Epsilon, usualRows)
		seed(l.Rows.Seed)
	case l.Difference.Shown:
		path += "/" + DifferenceLesson
		set("first", l.Difference.First, usualFirst)
		set("then", l.Difference.Then, usualThen)
		seed(l.Difference.Seed)
	case l.Study != nil:
		path += "/" + l.Study.ID
		number("axis", l.Axis, 0)
		seed(l.Seed)
	case l.Own != nil:
		return path + "/" + OwnLesson
	case l.Task != nil:
		path += "/" + l.Task.ID
		set("epsilon", l.Epsilon, "1")
		number("people", l.Part, 100)
		number("wider", l.Wider, 0)
		number("draws", l.Draws, 10)
		number("aside", l.Aside, 0)
		seed(l.Seed)
		for name, value := range l.Params {
			q.Set("p."+name, value)
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// write writes what is shown to the address.
func (l *Learn) write() {
	if l.WriteAddress != nil {
		l.WriteAddress(l.Address())
	}
}

// settings are those that an address has; what no control could have set stays as it was.
type settings url.Values

// settingsOf reads what stands behind the question mark; nothing, where it is broken.
func settingsOf(query string) settings {
	q, err := url.ParseQuery(query)
	if err != nil {
		return nil
	}
	return settings(q)
}

func (s settings) text(key string, of []string, into *string) {
	if v := url.Values(s).Get(key); slices.Contains(of, v) {
		*into = v
	}
}

func (s settings) number(key string, of []int, into *int) {
	n, err := strconv.Atoi(url.Values(s).Get(key))
	if err == nil && slices.Contains(of, n) {
		*into = n
	}
}

func (s settings) seed(into *coin.Seed) {
	if n, err := strconv.ParseUint(url.Values(s).Get("seed"), 10, 32); err == nil {
		*into = coin.Seed(n)
	}
}

// lesson sets a lesson's controls.
func (s settings) lesson(l *Lesson) {
	s.text("epsilon", form.Epsilons, &l.Epsilon)
	s.number("people", l.Parts(), &l.Part)
	stops, _ := l.Widers()
	s.number("wider", stops, &l.Wider)
	s.number("draws", DrawCounts, &l.Draws)
	if l.Labels() {
		s.number("aside", Asides, &l.Aside)
	}
	s.seed(&l.Seed)
	for _, p := range l.Task.Params {
		v := url.Values(s).Get("p." + p.Name)
		known := func(c ask.Choice) bool { return c.Value == v }
		if p.Kind == ask.Chosen && slices.ContainsFunc(p.AllChoices(), known) {
			l.Params[p.Name] = v
		}
	}
}
