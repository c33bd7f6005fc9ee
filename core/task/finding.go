package task

import (
	"errors"
	"fmt"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// finding finds groups that nobody listed, before a question is asked by them. Everything in it is
// public.
type finding struct {
	groups  *basic.OpenGroups[string]
	several bool // its loss is for a person with a row in each of several groups
}

// newFinding takes its share of ε and returns the rest for the question; nil where no groups are to
// be found. Each group has this many cells.
func newFinding(q *ask.Query, cells int) (*finding, privacy.Epsilon, error) {
	epsilon, people := q.Epsilon, q.People
	if q.Recipe.Group == nil || q.Recipe.Group.Find == nil {
		return nil, epsilon, nil
	}
	f := q.Recipe.Group.Find
	if f.Share < 1 || f.Share > 99 {
		return nil, epsilon,
			ask.Refuse("findShare", fmt.Sprint(f.Share),
				phrase.Of("a whole number from 1 to 99, in percent of ε"))
	}
	delta, err := privacy.ParseDelta(f.Delta)
	if err == nil {
		err = delta.Check(uint64(q.Persons()))
	}
	whole, each := q.Epsilon, uint64(0) // several groups of each person, with a row in each
	if g, k, ok := q.InGroups(); ok && k == 1 {
		whole, each = q.Whole, g
	} else if err == nil {
		delta, err = q.EachDelta(delta)
	}
	if err != nil {
		return nil, epsilon, findFault(err)
	}
	if cells > basic.MaxGroups/2 {
		return nil, epsilon, ask.Refuse("groups", phrase.Of("%d cells of each group", cells),
			phrase.Of("at most %d", basic.MaxGroups/2))
	}
	share := int64(f.Share)
	groups, err := basic.NewOpenGroups[string](basic.OpenGroupsParams{
		Epsilon: whole.Part(share, 100), Delta: delta, People: people, Groups: each,
		Most: uint64(basic.MaxGroups/cells - 1),
	})
	if err != nil {
		return nil, epsilon, findFault(err)
	}
	return &finding{groups, each > 0}, epsilon.Part(100-share, 100), nil
}

// ofPerson returns the loss of a person with several entries, if the answers cost answers for each
// entry.
func (f *finding) ofPerson(q *ask.Query, answers privacy.Loss) (privacy.Loss, bool, error) {
	if !f.several {
		return privacy.Loss{}, false, nil
	}
	found, err := f.groups.Loss(1)
	if err != nil {
		return found, false, err
	}
	all, err := answers.Group(privacy.Distance(q.Recipe.Use.Entries()))
	return found.Plus(all), true, err
}

// findFault marks the field of the form.
func findFault(err error) error {
	var refused *param.Error
	if errors.As(err, &refused) && refused.Field == "delta" {
		return ask.Refuse("findDelta", refused.Value, refused.Want)
	}
	return err
}

// forecast states which groups are found.
func (f *finding) forecast(q *ask.Query) ask.Forecast {
	say := q.Say
	size := f.groups.NeededSize(basic.Beta)
	if size > q.People {
		return ask.Forecast{Label: say.Text("Groups found"), Value: say.Text("none for certain"),
			Detail: say.Format(
				"a group would need %s: accept more privacy loss, or list the groups",
				q.Count(size))}
	}
	return ask.Forecast{Label: say.Text("A group is found from"), Value: q.Count(size),
		Detail: say.Text("on, in 95 of 100 releases; smaller ones may count among all others")}
}

// allOthers names the row of everybody outside the groups found.
const allOthers phrase.Key = "all others"

// names returns the names under which the groups found are published, followed by that of all
// others. As places of an axis they are in the reader's language.
func (f *finding) names(q *ask.Query, found *basic.Found[string], places bool) (names []string) {
	for _, label := range found.Labels {
		names = append(names, q.Say.Phrase(domain.Shown([]byte(label))))
	}
	if places {
		return append(names, q.Say.Text(allOthers))
	}
	return append(names, string(allOthers))
}

// groupName names the group of a row; where groups were found, the last row is all others.
func groupName(say *message.Language, name string, others bool) string {
	if others {
		return say.Text(allOthers)
	}
	return name
}

// half is a step for the first (0) or the second (1) half of the work.
func half(step coin.Step, which int64) coin.Step {
	if step == nil {
		return nil
	}
	return func(done, total int64) error { return step(which*total+done, 2*total) }
}
