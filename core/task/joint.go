package task

import (
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/phrase"
)

var jointTask = ask.Task{
	ID:       "joint",
	Title:    jointTitle,
	Question: "What would such a file look like with nobody in it, and the same relations?",
	Sentence: "What would made-up {many} look like, by {kept} together?",
	Heading:  "Made-up {many}",
	Synonyms: "synthetic data, joint distribution, fake data, test data, correlation, AIM, MST, " +
		"private PGM, maximum entropy, greatest entropy",
	Answer: "made-up rows in which each two columns go together about as in the data, and the " +
		"tables of all pairs",
	Algorithm: "a table of each two columns with discrete Gaussian noise, and made-up rows of " +
		"the greatest entropy that fit them",
	How: "Each pair of columns, or each chosen pair, is counted in a table, with noise; tables " +
		"with more cells get more of the privacy loss. Each column can be counted on its own " +
		"too. Then rows are made up: their tables are as near to the noisy ones as real people's " +
		"would be, and beyond that the columns are as independent as possible. Where the tables " +
		"show nothing but noise, columns stay independent. Numbers and dates are spread evenly " +
		"within their bins.",
	Simple: "Tables of all pairs, with noise, are the simple mechanism, and are released too. " +
		"One table of all columns has far too many cells. Making up each column on its own has " +
		"less noise, but loses the relations between columns.",
	Source: "McKenna, Miklau, Sheldon 2021; McKenna, Sheldon, Miklau 2019",
	Limits: "What three columns have in common is not measured. Rare combinations drown in the " +
		"noise, and each further column adds to it.",
	Judged: "Before release: the error of a count against n divided by the cells of a table. " +
		"After: each count's error against that count, and all together against the count in " +
		"which most people are.",
	Others: []ask.Role{roleKept},
	Params: []ask.Param{pairsParam, aloneParam, criteriaParam, waysParam, ask.AllowedDeltaParam},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: roleKept.Name, Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"},
			Cuts:   []string{"18", "40", "65"}},
		{Role: roleKept.Name, Column: 3, Label: "district", Domain: districts},
		{Role: roleKept.Name, Column: 4, Label: "department", Domain: departments},
	}}},
	Films:   []string{"laplace"},
	Costs:   ask.Costs{"": "joint.Pairs"},
	Stages:  jointStages,
	Exact:   exactJoint,
	Prepare: prepareJoint,
}

// jointStages are counting and fitting; or tries, whose progress must not be shown.
func jointStages(r ask.Recipe) []ask.Stage {
	if strings.TrimSpace(r.Params[ParamCriteria]) != "" {
		return []ask.Stage{{Name: "Make rows up and test them, out of sight", Until: 1000,
			Hidden: "Which try it is, and which criteria it meets, stays hidden: both would say " +
				"something about the people."}}
	}
	return []ask.Stage{{Name: "Count the pairs, with noise", Until: ofCounting},
		{Name: "Fit made-up rows to the counts", Until: 1000, Rounds: joint.MostSweeps}}
}

func prepareJoint(q *ask.Query) (ask.Prepared, error) {
	c, err := cellsOf(q, roleKept.Name)
	if err != nil {
		return nil, err
	}
	c.withNone(q)
	if len(q.Recipe.Filter) > 0 {
		for i := range c.dimensions {
			places := c.dimensions[i].Places
			places[len(places)-1].Label = q.Say.Text("no value, or not counted")
		}
	}
	sizes := make([]int, len(c.dimensions))
	for i, d := range c.dimensions {
		if sizes[i] = len(d.Places); sizes[i] > joint.MostPlaces {
			return nil, ask.Refuse(ask.OtherField(c.first+i, "categories"),
				phrase.Of("%d of them", sizes[i]-1),
				phrase.Of("at most %d categories or bins", joint.MostPlaces-1))
		}
	}
	j := &joined{query: q, cells: c}
	if j.of, err = chosenPairs(c.axes(), q.Param(paramPairs)); err != nil {
		return nil, err
	}
	for _, pair := range j.of {
		j.size += sizes[pair[0]] * sizes[pair[1]]
	}
	if j.size > joint.MostCells {
		return nil, ask.Refuse("others", phrase.Of("%s cells", message.Grouped(int64(j.size))),
			phrase.Of("at most %d cells in all tables: fewer categories, or wider bins",
				joint.MostCells))
	}
	if q.Recipe.Count == 0 { // otherwise a row is looked at once, for any number of people
		if err := q.CheckPersons(mostJoined / int64(len(sizes))); err != nil {
			return nil, err
		}
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(q.Param(ParamCriteria)) != "" {
		if chosen := strings.TrimSpace(q.Param(paramPairs)); chosen != "" {
			return nil, ask.Refuse(paramPairs, fmt.Sprintf("%.100q", chosen),
				phrase.Of("none where there are criteria: the ways that are tried choose them"))
		}
		return newAccepting(j, sizes, delta)
	}
	of := joint.PairsParams{Epsilon: q.Epsilon, Delta: delta, Sizes: sizes, Of: j.of}
	if q.Param(paramAlone) == alone {
		if of.Alone, err = joint.PartAlone(of, int(max(q.People, 1))); err != nil {
			return nil, err
		}
	}
	return j.by(of)
}
