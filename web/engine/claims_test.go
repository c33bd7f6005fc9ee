package engine

import (
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
)

// TestNotAgreed: the engine itself refuses, before a debit, whatever a question says of the file
// that the file does not say by itself, unless its owner agrees to that, word by word.
func TestNotAgreed(t *testing.T) {
	const file = "age,wait,weight\n30,5,7000\n40,6,10000\n50,7,610\n"
	survey := func(t *testing.T, o table.Options) (*host, ask.Recipe) {
		h := newHost(t, []byte(file))
		h.must("survey", Reading{Options: o}, nil)
		h.stream(h.file)
		var opened ask.Opened
		h.must("opened", nil, &opened)
		return h, ask.Recipe{Version: ask.RecipeVersion, Task: "median", Epsilon: "1",
			Table: opened.Options, Column: 2,
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}}
	}
	named := func(r *ask.Recipe) { r.Label = "wait" }
	for name, c := range map[string]struct {
		open   table.Options
		change func(*ask.Recipe)
		claims int
	}{
		"nothing":      {change: func(*ask.Recipe) {}},
		"its own name": {change: named},
		"label":        {change: func(r *ask.Recipe) { r.Label = "age" }, claims: 1},
		"unit":         {change: func(r *ask.Recipe) { r.Unit = "years" }, claims: 1},
		"source":       {change: func(r *ask.Recipe) { r.Source = "A court" }, claims: 1},
		"data":         {change: func(r *ask.Recipe) { r.Data = "Convicts" }, claims: 1},
		"noun": {change: func(r *ask.Recipe) {
			r.Noun = codebook.Noun{One: "convict", Many: "convicts"}
		}, claims: 1},
		"count":  {change: func(r *ask.Recipe) { r.Count = 3 }, claims: 1},
		"person": {change: func(r *ask.Recipe) { r.Person = 1 }, claims: 1},
		"use": {change: func(r *ask.Recipe) { r.Person, r.Use = 1, &table.Use{Rows: 2} },
			claims: 2},
		"filter": {change: func(r *ask.Recipe) {
			r.Filter = []table.Condition{{Column: 1, Label: "wait",
				Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}, From: "40"}}
		}, claims: 1},
		"the reading that it looks like": {open: table.Options{Header: table.Yes}, change: named},
		"header": {open: table.Options{Header: table.No}, change: func(*ask.Recipe) {},
			claims: 1},
		"separator": {open: table.Options{Delimiter: ";", Columns: 3},
			change: func(*ask.Recipe) {}, claims: 1},
		"columns skipped": {open: table.Options{Skip: 1}, change: func(*ask.Recipe) {}, claims: 1},
	} {
		t.Run(name, func(t *testing.T) {
			h, r := survey(t, c.open)
			c.change(&r)
			var asked []Asked
			h.must("claims", r, &asked)
			if len(asked) != c.claims {
				t.Fatalf("asked: %+v", asked)
			}
			of := RunOf{Recipe: r}
			charge := func() *Fault { return h.ask("charge", Charge{RunOf: of}, nil) }
			for _, a := range asked {
				if f := charge(); f == nil || f.Code != NotAgreed || a.Line == "" {
					t.Fatalf("%q is not agreed to: %+v", a.Line, f)
				}
				of.Agreed = append(of.Agreed, a.Claim)
			}
			if f := charge(); f != nil && f.Code == NotAgreed {
				t.Fatalf("agreed to, and refused: %+v", f)
			}
			if of.Agreed != nil {
				of.Agreed[0].Says += "x"
				if f := charge(); f == nil || f.Code != NotAgreed {
					t.Fatalf("agreed to something else: %+v", f)
				}
			}
		})
	}
	h, r := survey(t, table.Options{})
	of := RunOf{Recipe: r}
	counted := r
	counted.Count = 3
	var asked []Asked
	h.must("claims", counted, &asked)
	of.Agreed = append(of.Agreed, asked[0].Claim)
	if f := h.ask("charge", Charge{RunOf: of}, nil); f == nil || f.Code != NotAgreed {
		t.Errorf("a row is a person after all: %+v", f)
	}
}
