package webtest

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/web/state"
	"hush/web/state/form"
)

// WithRoles returns a model that has a made-up task of several columns beside the catalogue's.
func WithRoles(t *testing.T) (*state.Model, *Fake) {
	m, f := Asked(t)
	m.Question.Tasks = append(m.Question.Tasks,
		ask.Task{ID: "made-up", Title: "Made up", Others: []ask.Role{
			{Name: "outcome", Label: "the outcome", Help: "Yes or no.",
				Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2},
			{Name: "feature", Label: "features", Help: "What may tell them apart.",
				Domains: []domain.Kind{domain.Integer, domain.Category}, Min: 1, Max: 3,
				Cuts: true},
		}, Params: []ask.Param{
			{Name: "algorithm", Label: "Algorithm", Kind: ask.Chosen, Default: "auto",
				Choices: []ask.Choice{{Value: "auto", Label: "the best"},
					{Value: "tree", Label: "a tree"}}},
			{Name: "depth", Label: "Depth", Kind: ask.Integer, Default: "3", Min: 1, Max: 9}}})
	m.Question.Edit("", func(q *form.Question) { q.Task = "made-up" })
	f.Settle()
	return m, f
}

// Several makes a release of each kind of question, at ε = 0.5 each.
func Several(t *testing.T, kinds ...string) (*state.Model, *Fake) {
	t.Helper()
	m, f := Asked(t)
	DescribeList(m, 3, "Hill", "Mill")
	for _, id := range kinds {
		m.Question.Edit("", func(q *form.Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group = 3
			}
		})
		f.Settle()
		m.Answer.Run()
		f.Settle()
	}
	return m, f
}
