package asking

import (
	"strings"

	"hush/core/ask"
	"hush/web/state/form"
)

// Tunable lists the parameters of the question that can be tuned.
func (q *Question) Tunable() (list []ask.Param) {
	for _, p := range q.Task().Params {
		if p.Tries != "" && p.AsksFor(q.Kind()) {
			list = append(list, p)
		}
	}
	return list
}

// tries adds the parameters of the recipe that say what is to be tried.
func (q *Question) tries(params ask.Params) {
	any := false
	for _, p := range q.Tunable() {
		if v := strings.TrimSpace(q.Form.Params[ask.TryName(p.Name)]); v != "" {
			params[ask.TryName(p.Name)], any = v, true
		}
	}
	if v := strings.TrimSpace(q.Form.Params[form.ParamTry]); any && v != "" {
		params[form.ParamTry] = v
	}
	if v := strings.TrimSpace(q.Form.Params[ask.ParamBest]); any && v != "" {
		params[ask.ParamBest] = v
	}
	if any && q.Task().Halves && q.Form.Params[ask.ParamHalves] == "true" {
		params[ask.ParamHalves] = "true"
	}
	if v := strings.TrimSpace(q.Form.Params[ask.ParamGood]); any && q.Task().Aims && v != "" {
		params[ask.ParamGood] = v
	}
}
