package ask

import (
	"errors"
	"fmt"
)

// Whole refuses an entry of the catalogue that lacks something, with the field's name and what to
// write there. It is for programmers, so that its text is in English.
func (t *Task) Whole() error {
	if t.ID == "" {
		return fmt.Errorf("a question titled %q: ID is missing: write what recipes call it, which "+
			"is its file's name too", string(t.Title))
	}
	for _, f := range []struct {
		name  string
		is    bool
		write string
	}{
		{"Title", t.Title != "", "what it is called in a list"},
		{"Question", t.Question != "", "the question in plain words"},
		{"Sentence", t.Sentence != "", "the question with blanks, as {column}"},
		{"Heading", t.Heading != "", "what is asked, with the same blanks and no full stop"},
		{"Synonyms", t.Synonyms != "", "further words by which it is searched"},
		{"Answer", t.Answer != "", "what is released"},
		{"Algorithm", t.Algorithm != "", "the mechanism's name in the field"},
		{"How", t.How != "", "the mechanism in plain words"},
		{"Simple", t.Simple != "", "which mechanism is the simple one, and when it is better"},
		{"Source", t.Source != "", "the paper or book"},
		{"Limits", t.Limits != "", "what the answer cannot say"},
		{"Judged", t.Judged != "", "what the error is judged against, before and after"},
		{"Domains", len(t.Domains)+len(t.Others) > 0,
			"the kinds of main column, or further columns in Others"},
		{"Films", len(t.Films) > 0, "which films show its algorithms, the main one first"},
		{"Example", t.Example != nil && t.Example.Sample != "",
			"a recipe about one of sample.Sets, for lessons and tests"},
		{"Costs", t.Costs[""] != "",
			`the type that says how time and memory grow, as {"": "basic.Count"}`},
		{"Exact", t.Exact != nil || t.Inexact != "",
			"the truth, counted one person after the other, or in Inexact why no sum gives it"},
		{"Prepare", t.Prepare != nil, "what can be priced and run"},
	} {
		if !f.is {
			return Lacks(t.ID, f.name, f.write)
		}
	}
	return nil
}

// Lacks is the error of a question whose declaration lacks a field.
func Lacks(id, field, write string) error {
	return errors.New(id + ": " + field + " is missing: write " + write)
}
