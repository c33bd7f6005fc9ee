package form

import (
	"reflect"
	"slices"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/say"
)

// Learned adds a description of the recipe's columns to a codebook. Where the two disagree the
// recipe counts, and other names the columns.
func Learned(before codebook.Codebook, r ask.Recipe, tasks []ask.Task) (b codebook.Codebook,
	other []string) {
	b = before
	told := func(c codebook.Column) {
		if title := say.Phrase(c.Title()); !slices.Contains(other, title) {
			other = append(other, title)
		}
	}
	main := ask.Task{}
	for _, t := range tasks {
		if t.ID == r.Task {
			main = t
		}
	}
	describe := func(number int, label, unit string, spec domain.Spec, role ask.Role) {
		have, _ := b.Column(number)
		if have.State() == codebook.Described && main.Counts && number == r.Column {
			if _, named := ValuesIn(have.Values().Spec, spec); named {
				return // its values are those that the question names
			}
		}
		c, err := codebook.FromSpec(number, label, spec)
		if number == 0 || err != nil {
			return // it says nothing about it
		}
		c.Header, c.Guess, c.Unit = have.Header, have.Guess, have.Unit
		if unit != "" {
			c.Unit = unit
		}
		if label == "" {
			c.Name = have.Name
		}
		if c.Name == c.Header {
			c.Name = ""
		}
		if have.State() == codebook.Described {
			of := have.Values()
			some := role.Values > 0 && among(spec.Categories, of.Categories)
			if same := reflect.DeepEqual(of.Spec, c.Values().Spec); !same && !some {
				told(c)
			} else if c.Name == have.Name && c.Unit == have.Unit || some {
				return
			}
		}
		if next, err := b.With(c); err == nil {
			b = next
		}
	}
	describe(r.Column, r.Label, r.Unit, r.Domain, ask.Role{})
	for _, f := range r.Others {
		role := ask.Role{}
		for _, t := range tasks {
			i := slices.IndexFunc(t.Others, func(o ask.Role) bool { return o.Name == f.Role })
			if t.ID == r.Task && i >= 0 {
				role = t.Others[i]
			}
		}
		describe(f.Column, f.Label, f.Unit, f.Domain, role)
	}
	if r.Group != nil && r.Group.Find == nil && !(main.OfAll && len(r.Group.Names) == 1) {
		describe(r.Group.Column, r.Group.Label, "",
			r.Group.Spec(), ask.Role{})
	}
	rows := codebook.Rows{Each: codebook.One}
	switch {
	case r.Person > 0:
		rows = codebook.Rows{Each: codebook.Several, Column: r.Person, Use: r.Use}
	case r.Count > 0:
		rows = codebook.Rows{Each: codebook.Counted, Column: r.Count, Use: r.Use}
	}
	if was := b.Rows; was.Person() != rows.Person() || was.Count() != rows.Count() ||
		!reflect.DeepEqual(was.Use, rows.Use) {
		if before.Described() > 0 {
			other = append(other, say.Text("what one row is"))
		}
	}
	b.Rows = rows
	for _, word := range []struct{ mine, its *string }{
		{&b.Name, &r.Data}, {&b.Source, &r.Source},
		{&b.Noun.One, &r.Noun.One}, {&b.Noun.Many, &r.Noun.Many},
	} {
		if *word.its != "" {
			*word.mine = *word.its
		}
	}
	return b, other
}

// among reports whether a list contains all of some.
func among(some, list []string) bool {
	return len(some) > 0 && !slices.ContainsFunc(some, func(s string) bool {
		return !slices.Contains(list, s)
	})
}
