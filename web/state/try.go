package state

import (
	"strings"

	"hush/core/ask"
	"hush/web/state/form"
)

// Tunable lists the parameters of the question that can be tuned.
func (m *Publish) Tunable() (list []ask.Param) {
	for _, p := range m.Task().Params {
		if p.Tries != "" && p.AsksFor(m.Kind()) {
			list = append(list, p)
		}
	}
	return list
}

// tries are the parameters of the recipe that say what is to be tried.
func (m *Publish) tries(params ask.Params) {
	any := false
	for _, p := range m.Tunable() {
		if v := strings.TrimSpace(m.Question.Params[ask.TryName(p.Name)]); v != "" {
			params[ask.TryName(p.Name)], any = v, true
		}
	}
	if v := strings.TrimSpace(m.Question.Params[form.ParamTry]); any && v != "" {
		params[form.ParamTry] = v
	}
	if v := strings.TrimSpace(m.Question.Params[ask.ParamBest]); any && v != "" {
		params[ask.ParamBest] = v
	}
	if any && m.Task().Halves && m.Question.Params[ask.ParamHalves] == "true" {
		params[ask.ParamHalves] = "true"
	}
	if v := strings.TrimSpace(m.Question.Params[ask.ParamGood]); any && m.Task().Aims && v != "" {
		params[ask.ParamGood] = v
	}
}
