package form

import (
	"slices"
	"strings"

	"hush/core/ask"
)

// Tried returns the values of a parameter that are to be tried, in the form of a recipe.
func (q Question) Tried(p ask.Param) []string {
	var list []string
	for value := range strings.SplitSeq(q.Params[ask.TryName(p.Name)], ",") {
		if value = strings.TrimSpace(value); value != "" {
			list = append(list, value)
		}
	}
	return list
}

// Triable returns the choices of a parameter that can be tried.
func Triable(p ask.Param) (list []ask.Choice) {
	for _, c := range p.Choices {
		if slices.Contains(strings.Split(p.Tries, ", "), c.Value) {
			list = append(list, c)
		}
	}
	return list
}

// Try selects one of the choices of a parameter to be tried, or deselects it. They travel in the
// order of the form.
func (q *Question) Try(p ask.Param, value string, on bool) {
	var list []string
	for _, c := range Triable(p) {
		if c.Value == value && on || c.Value != value && slices.Contains(q.Tried(p), c.Value) {
			list = append(list, c.Value)
		}
	}
	q.Params[ask.TryName(p.Name)] = strings.Join(list, ", ")
}

// ParamTry is the parameter with the number of combinations that are tried.
const ParamTry = "try"
