package ask

import (
	"fmt"
	"maps"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/sample"
	"hush/core/table"
)

// Example is a question about one of the made-up data sets, from which teaching starts.
type Example struct {
	Sample string `json:"sample"` // sample.Set.Name
	Recipe Recipe `json:"recipe"` // without Table, which the data set tells
}

// Lesson is a question asked many times of made-up data, to see what the noise does. Nothing in it
// is private, and nothing that comes of it is a release.
type Lesson struct {
	Sample string `json:"sample"` // sample.Set.Name
	// of the set, from its start; 0: all; more than it has are made up in the same way
	Rows   int       `json:"rows,omitempty"`
	Recipe Recipe    `json:"recipe"` // without Table
	Draws  int       `json:"draws"`  // 1 to MaxDraws
	Seed   coin.Seed `json:"seed"`   // the same seed draws the same again

	// Aside is how many further people take the place of the recipe's cases, for a question that
	// labels cases. Only made-up people may: the cases of a question to a person's own file are
	// public, and these people are in it.
	Aside int `json:"aside,omitempty"`
}

// MaxDraws is how often a lesson's question is asked at most.
const MaxDraws = 100

// Taught is a lesson's outcome.
type Taught[C Catalogue] struct {
	// Quiet is the same question with the privacy loss QuietEpsilon, at which there is no noise to
	// speak of: what the data say, through the same algorithm.
	Quiet *Release[C]   `json:"quiet"`
	Draws []*Release[C] `json:"draws"`
	// Aside says how many of those set aside are labelled rightly; nil: nobody was.
	Aside *Aside `json:"aside,omitempty"`
}

// QuietEpsilon is far beyond what protects anybody.
const QuietEpsilon = "100"

// Teach asks a lesson's question. Its coins are seeded, and its data are the bundle's own, never a
// person's file. step learns how many draws are done, and ends the lesson by its error.
func Teach[C Catalogue](say *message.Language, catalogue C, l Lesson,
	step coin.Step) (*Taught[C], error) {
	var answers []string
	if l.Aside != 0 {
		t, err := find(catalogue, l.Recipe.Task)
		if err != nil {
			return nil, err
		}
		cases, told, err := l.aside(t)
		if err != nil {
			return nil, err
		}
		answers, l.Recipe.Params = told, maps.Clone(l.Recipe.Params)
		if l.Recipe.Params == nil {
			l.Recipe.Params = Params{}
		}
		l.Recipe.Params[t.Cases] = cases
	}
	s, r, err := OpenLesson(say, catalogue, l)
	if err != nil {
		return nil, err
	}
	out, err := s.draw(r, l.Draws, step)
	if err != nil || answers == nil {
		return out, err
	}
	out.Aside = &Aside{People: len(answers), Quiet: rightly(out.Quiet.Answer.Result, answers)}
	for _, r := range out.Draws {
		out.Aside.Draws = append(out.Aside.Draws, rightly(r.Answer.Result, answers))
	}
	return out, nil
}

// Look asks a question of the opened file many times with seeded coins, and without noise. It
// protects nobody: the caller has noted before, for good, that the owner has seen what the file
// says. The question's columns must be held (Encode); of the lesson, Sample, Rows and Aside are not
// read.
func (s *Session[C]) Look(l Lesson, step coin.Step) (*Taught[C], error) {
	// nothing that a release rests on is drawn with these coins
	seeded := s.With(coin.NewSeeded(l.Seed))
	seeded.taught = true
	return seeded.draw(l.Recipe, l.Draws, step)
}

// draw asks without noise, and then as often as told.
func (s *Session[C]) draw(r Recipe, draws int, step coin.Step) (*Taught[C], error) {
	if draws < 1 || draws > MaxDraws {
		return nil, Refuse("draws", fmt.Sprint(draws), phrase.Of("a number from 1 to %d", MaxDraws))
	}
	done := 0
	within := func(int64, int64) error {
		if step == nil {
			return nil
		}
		return step(int64(done), int64(draws))
	}
	quiet := r
	quiet.Epsilon = QuietEpsilon
	out := &Taught[C]{}
	// A refusal names the ε that was asked for, not the quiet one.
	_, err := s.Plan(r)
	if err != nil {
		return nil, err
	}
	if out.Quiet, err = s.Run(quiet, within); err != nil {
		return nil, err
	}
	for ; done < draws; done++ {
		if err := within(0, 1); err != nil {
			return nil, err
		}
		release, err := s.Run(r, within)
		if err != nil {
			return nil, err
		}
		out.Draws = append(out.Draws, release)
	}
	return out, nil
}

// OpenLesson reads what the question asks about, and returns the session and the whole recipe.
func OpenLesson[C Catalogue](say *message.Language, catalogue C,
	l Lesson) (*Session[C], Recipe, error) {
	r := l.Recipe
	file, err := l.File()
	if err != nil {
		return nil, r, err
	}
	s := NewSession(catalogue, coin.NewSeeded(l.Seed))
	s.Say, s.taught = say, true
	survey, err := s.Survey(table.Options{})
	if err != nil {
		return nil, r, err
	}
	if err := ReadAll(survey, file); err != nil {
		return nil, r, err
	}
	opened, err := s.Opened()
	if err != nil {
		return nil, r, err
	}
	r.Table = opened.Options
	pass, err := s.Encode(r)
	if err == nil && pass != nil {
		err = ReadAll(pass, file)
	}
	return s, r, err
}

// set is the made-up data set.
func (l Lesson) set() (sample.Set, error) {
	set, ok := sample.Named(l.Sample)
	if !ok {
		return sample.Set{},
			Refuse("sample", fmt.Sprintf("%q", l.Sample), phrase.Of("one of the made-up data sets"))
	}
	return set, nil
}

// File is the data set's header and its first rows.
func (l Lesson) File() ([]byte, error) {
	set, err := l.set()
	if err != nil {
		return nil, err
	}
	if l.Rows < 0 || l.Rows > mostTaughtRows+4*mostAside {
		return nil, Refuse("rows", fmt.Sprint(l.Rows),
			phrase.Of("a number from 1 to %d, or 0 for all", mostTaughtRows))
	}
	if l.Rows > 0 {
		set.Rows = l.Rows
	}
	return set.CSV(), nil
}
