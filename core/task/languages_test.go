package task_test

import (
	"maps"
	"strings"
	"sync"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
)

// spoken holds the texts that a reader sees from opening a file to the released answer.
type spoken struct {
	why, forecast, statement, header, refused string
}

// tell opens a file and asks for a histogram of it, with seeded coins.
func tell(say *message.Language) (spoken, error) {
	var heard spoken
	s := task.NewSession(coin.NewSeeded(11))
	s.Say = say
	set := sample.Sets()[0]
	set.Rows = 300
	survey, err := s.Survey(table.Options{})
	if err != nil {
		return heard, err
	}
	if err := ask.ReadAll(survey, set.CSV()); err != nil {
		return heard, err
	}
	opened, err := s.Opened()
	if err != nil {
		return heard, err
	}
	heard.why = say.Phrase(opened.Fields[0].Why)
	var r ask.Recipe
	for _, q := range task.Catalogue() {
		if q.ID == "histogram" {
			r = q.Example.Recipe
		}
	}
	r.Version, r.Task, r.Epsilon, r.Table = ask.RecipeVersion, "histogram", "0", opened.Options
	if _, err := s.Plan(r); err != nil {
		heard.refused = say.Error(err)
	}
	r.Epsilon = "1"
	plan, err := s.Plan(r)
	if err != nil {
		return heard, err
	}
	heard.forecast = plan.Forecast[0].Label
	pass, err := s.Encode(r)
	if err == nil && pass != nil {
		err = ask.ReadAll(pass, set.CSV())
	}
	if err != nil {
		return heard, err
	}
	release, err := s.Run(r, nil)
	if err != nil {
		return heard, err
	}
	heard.statement, heard.header = release.Statement, release.Table(say)[0][1]
	return heard, nil
}

// TestTwoLanguagesAtOnce: two goroutines ask in two languages, and each is answered in its own.
// With -race it shows that core shares no language between them.
func TestTwoLanguagesAtOnce(t *testing.T) {
	brackets := marked(t)
	shouted := &message.Language{Tag: "x", Name: "X", Messages: maps.Clone(brackets.Messages)}
	for k, m := range shouted.Messages {
		if m.Plural == nil {
			m.Text = "¡" + strings.Trim(m.Text, "⟦⟧") + "!"
		}
		m.Plural = maps.Clone(m.Plural)
		for category, text := range m.Plural {
			m.Plural[category] = "¡" + strings.Trim(text, "⟦⟧") + "!"
		}
		shouted.Messages[k] = m
	}
	const times = 5
	readers := []struct {
		say         *message.Language
		first, last string
	}{{brackets, "⟦", "⟧"}, {shouted, "¡", "!"}}
	heard := make([][times]spoken, len(readers))
	failed := make([]error, len(readers))
	var wait sync.WaitGroup
	for i, r := range readers {
		wait.Go(func() {
			for n := range times {
				if heard[i][n], failed[i] = tell(r.say); failed[i] != nil {
					return
				}
			}
		})
	}
	wait.Wait()
	english, err := tell(nil)
	if err != nil {
		t.Fatal(err)
	}
	bare := strings.NewReplacer("⟦", "", "⟧", "", "¡", "", "!", "")
	for i, r := range readers {
		if failed[i] != nil {
			t.Fatal(failed[i])
		}
		for _, got := range heard[i] {
			for _, c := range []struct{ got, want string }{
				{got.why, english.why}, {got.forecast, english.forecast},
				{got.statement, english.statement}, {got.header, english.header},
				{got.refused, english.refused},
			} {
				if c.want == "" || bare.Replace(c.got) != c.want ||
					!strings.Contains(c.got, r.first) ||
					strings.Count(c.got, r.first) != strings.Count(c.got, r.last) {
					t.Errorf("%q, want %q with %s%s", c.got, c.want, r.first, r.last)
				}
			}
		}
	}
}
