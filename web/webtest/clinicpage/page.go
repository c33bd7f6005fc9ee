// Package clinicpage has a publication for tests.
package clinicpage

import (
	"bytes"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/publication"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
)

// Make makes one of eight figures about made-up patients, of which the last two were planned
// together. Its numbers are drawn from a seed, and say that they are of the system's coins, so that
// the page looks as one does.
func Make(t *testing.T) publication.Page {
	t.Helper()
	clinic, ok := sample.Named("clinic")
	if !ok {
		t.Fatal("no made-up patients")
	}
	file := clinic.CSV()
	category := func(names ...string) domain.Spec {
		return domain.Spec{Kind: domain.Category, Categories: names}
	}
	age := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}
	wait := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}
	districts := category("Harbour", "Hill", "Market", "Mill", "Old Town", "Park")
	departments := category("children", "eyes", "general", "heart", "injuries")
	question := func(id, epsilon string, column int, label, unit string, d domain.Spec,
		params ask.Params) ask.Recipe {
		return ask.Recipe{Version: ask.RecipeVersion, Task: id, Column: column, Label: label,
			Unit: unit, Domain: d, Params: params, Epsilon: epsilon, Data: "Clinic visits 2025",
			Noun: codebook.Noun{One: "patient", Many: "patients"}}
	}
	cells := question("table", "0.4", 0, "", "", domain.Spec{}, nil)
	cells.Others = []ask.Field{
		{Role: "by", Column: 3, Label: "district", Domain: districts},
		{Role: "by", Column: 4, Label: "department", Domain: departments}}
	waits := question("mean", "0.5", 2, "wait", "min", wait, nil)
	waits.Group = ask.GroupsOf(4, departments)
	waits.Group.Label = "department"
	byDistrict := question("count", "0.2", 1, "age", "years", age, nil)
	byDistrict.Group = ask.GroupsOf(3, districts)
	byDistrict.Group.Label = "district"
	recipes := []ask.Recipe{
		question("histogram", "0.2", 1, "age", "years", age, ask.Params{"width": "10"}),
		question("share", "0.1", 1, "age", "years",
			domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}, nil),
		cells,
		byDistrict,
		question("mode", "0.2", 4, "department", "", departments, nil),
		question("median", "0.2", 2, "wait", "min", wait, nil),
		waits,
		question("distribution", "0.3", 2, "wait", "min", wait, nil),
	}
	p := publication.Page{
		Title: "Clinic visits in 2025: who comes, from where, and how long they wait",
		Lead: "One patient in five is a child under ten. Most waits are short, and a few last " +
			"for hours. The figures carry a little noise, so that none gives away a patient.",
		Publisher: "Health Office, Harbour District", Source: "Clinic visits 2025, made-up data.",
		Date: "2026-11-25", Build: "da88341e",
	}
	p.Pieces = []publication.Piece{{Heading: "Who comes"}, {Text: "Two groups fill the waiting " +
		"room: small children and people around seventy."}}
	planned := publication.Plan{Delta: "0.000001"}
	for i := range recipes {
		switch i {
		case 2:
			p.Pieces = append(p.Pieces, publication.Piece{Heading: "From where, and for what"})
		case 5:
			p.Pieces = append(p.Pieces, publication.Piece{Heading: "How long they wait"},
				publication.Piece{Text: "Half of all patients see a doctor within half an hour."})
		}
		s := task.NewSession(coin.NewSeeded(coin.Seed(i + 1)))
		recipe := recipes[i]
		pass, err := s.Survey(table.Options{})
		if err == nil {
			err = ask.ReadAll(pass, file)
		}
		if opened, lost := s.Opened(); err == nil && lost == nil {
			recipe.Table = opened.Options
			err = s.Load(bytes.NewReader(file), recipe)
		}
		if err != nil {
			t.Fatalf("%s: %v", recipe.Task, err)
		}
		release, err := s.Run(recipe, nil)
		if err != nil {
			t.Fatalf("%s: %v", recipe.Task, err)
		}
		release.Origin = coin.Crypto
		figure := &publication.Figure{Release: release}
		if i == 0 {
			figure.Sentence = "Children under ten are the largest group."
		}
		if i >= 6 {
			figure.Plan = 1
			planned.Questions = append(planned.Questions, recipe)
		}
		p.Pieces = append(p.Pieces, publication.Piece{Figure: figure})
	}
	p.Plans = []publication.Plan{planned}
	return p
}
