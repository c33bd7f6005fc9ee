package state

import (
	"slices"
	"strings"

	"hush/core/task"
)

// Tunable lists the parameters of the question that can be tuned.
func (m *Publish) Tunable() (list []task.Param) {
	for _, p := range m.Task().Params {
		if p.Tries != "" && p.AsksFor(m.Question.Domain.Kind) {
			list = append(list, p)
		}
	}
	return list
}

// Tried are the values of a parameter that are to be tried, as they travel.
func (q Question) Tried(p task.Param) []string {
	var list []string
	for value := range strings.SplitSeq(q.Params[task.TryName(p.Name)], ",") {
		if value = strings.TrimSpace(value); value != "" {
			list = append(list, value)
		}
	}
	return list
}

// Triable are the choices of a parameter that can be tried.
func Triable(p task.Param) (list []task.Choice) {
	for _, c := range p.Choices {
		if slices.Contains(strings.Split(p.Tries, ", "), c.Value) {
			list = append(list, c)
		}
	}
	return list
}

// Try marks one of the choices of a parameter to be tried, or not. They travel in the order in which the form has them.
func (q *Question) Try(p task.Param, value string, on bool) {
	var list []string
	for _, c := range Triable(p) {
		if c.Value == value && on || c.Value != value && slices.Contains(q.Tried(p), c.Value) {
			list = append(list, c.Value)
		}
	}
	q.Params[task.TryName(p.Name)] = strings.Join(list, ", ")
}

// tries are the parameters of the recipe that say what is to be tried.
func (m *Publish) tries(params task.Params) {
	any := false
	for _, p := range m.Tunable() {
		if v := strings.TrimSpace(m.Question.Params[task.TryName(p.Name)]); v != "" {
			params[task.TryName(p.Name)], any = v, true
		}
	}
	if v := strings.TrimSpace(m.Question.Params[ParamTry]); any && v != "" {
		params[ParamTry] = v
	}
}

// ParamTry says how many combinations are tried.
const ParamTry = "try"
