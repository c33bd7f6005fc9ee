package form

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
)

// EncodeRecipe writes a recipe for addresses.
func EncodeRecipe(r ask.Recipe) string {
	return base64.RawURLEncoding.EncodeToString([]byte(engine.Encode(r)))
}

// DecodeRecipe reads what EncodeRecipe writes.
func DecodeRecipe(text string) (ask.Recipe, error) {
	body, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		return ask.Recipe{}, phrase.Errorf("%w: the address is cut off or changed", errRecipe)
	}
	return ReadRecipe(string(body))
}

// A recipe restores a complete question: from a file, from pasted text, or from the address, where
// it follows "?q=" as base64. It holds neither data nor file names.

// errRecipe explains what is wrong with a text that should be a recipe.
var errRecipe error = phrase.Fault("this is no question saved by Hush")

// Bounds on the recipe in a link or a file: anybody can write one, and the page reads and draws it
// at once if it is within them. They far exceed any recipe that a person types.
const (
	maxRecipeBytes = 8 << 20 // 100 000 categories of 80 bytes
	maxConditions  = 50
)

// ReadRecipe reads a recipe as text: its JSON, or that of a release, which contains one.
func ReadRecipe(text string) (ask.Recipe, error) {
	var release struct {
		Recipe json.RawMessage `json:"recipe"`
	}
	body := []byte(strings.TrimSpace(text))
	if err := json.Unmarshal(body, &release); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return ask.Recipe{},
				phrase.Errorf("%w: it is not JSON, see character %d", errRecipe, syntax.Offset)
		}
		return ask.Recipe{}, errRecipe
	}
	if release.Recipe != nil {
		body = release.Recipe
	}
	if len(body) > maxRecipeBytes {
		return ask.Recipe{}, phrase.Errorf("%w: it has %d bytes, and at most %d are read",
			errRecipe, len(body), maxRecipeBytes)
	}
	var r ask.Recipe
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return ask.Recipe{}, fmt.Errorf("%w: %w", errRecipe, err)
	}
	if r.Version != ask.RecipeVersion {
		return ask.Recipe{},
			phrase.Errorf("%w: it has version %d, and this is version %d", errRecipe, r.Version,
				ask.RecipeVersion)
	}
	if filled, err := r.Table.Decided(); err == nil {
		// otherwise the file decides, and a person confirms it
		r.Table = filled
	}
	if !task.Known(r.Task) {
		return ask.Recipe{}, phrase.Errorf("%w: there is no task %q", errRecipe, r.Task)
	}
	if err := CheckFilter(r.Filter); err != nil {
		return ask.Recipe{}, err
	}
	return r, nil
}

// CheckFilter refuses conditions that a form cannot show exactly: no question may be asked with a
// condition that was not on the screen, or without one that should have been.
func CheckFilter(filter []table.Condition) error {
	if len(filter) > maxConditions {
		return phrase.Errorf("%w: its filter has %d conditions, and at most %d can be shown",
			errRecipe, len(filter), maxConditions)
	}
	for i, c := range filter {
		c.Label = "" // the codebook has its own
		if f := ConditionOf(c); !f.Complete() || engine.Encode(f.Condition()) != engine.Encode(c) {
			return phrase.Errorf("%w: condition %d of its filter cannot be shown here; use a "+
				"list of values, all values except a list, or a number or date from … to …",
				errRecipe, i+1)
		}
	}
	return nil
}

// ConditionOf returns the form that yields a condition.
func ConditionOf(c table.Condition) ConditionForm {
	f := ConditionForm{Column: c.Column, From: c.From, To: c.To,
		List: strings.Join(c.Spec.Categories, "\n"), Spellings: c.Spec.Spellings,
		Other: c.Spec.Other, Fold: c.Spec.Fold, Missing: c.Spec.Missing}
	switch {
	case c.Spec.Kind == domain.Float64:
		f.Test = TestNumbers
	case c.Spec.Kind == domain.Date:
		f.Test = TestDates
	case c.Not:
		f.Test = TestNoneOf
	default:
		f.Test = TestOneOf
	}
	return f
}

// QuestionOf returns the form that yields a recipe, once the codebook has learned its columns: spec
// is the codebook's description of the recipe's column.
func QuestionOf(r ask.Recipe, tasks []ask.Task, spec domain.Spec) Question {
	q := NewQuestion()
	q.Task, q.Table, q.Column, q.Epsilon = r.Task, r.Table, r.Column, r.Epsilon
	if r.Group != nil {
		q.Group = r.Group.Column
		if f := r.Group.Find; f != nil {
			q.Find, q.FindShare, q.FindDelta = true, strconv.Itoa(f.Share), f.Delta
		}
	}
	for _, c := range r.Filter {
		q.Filter = append(q.Filter, ConditionOf(c))
	}
	for _, f := range r.Others {
		q.Others = append(q.Others, FieldForm{Role: f.Role, Column: f.Column,
			Only: f.Domain.Categories, Cuts: strings.Join(f.Cuts, ", ")})
	}
	for i := range tasks {
		if tasks[i].ID == r.Task {
			for _, p := range tasks[i].Params {
				if p.AsksFor(r.Domain.Kind) {
					// A missing one has its default, not a form's initial value.
					delete(q.Params, p.Name)
				}
			}
			maps.Copy(q.Params, r.Params)
			if tasks[i].Counts {
				q.Values, _ = ValuesIn(spec, r.Domain)
				q.Values.Any = q.Values == Values{} // a recipe leaves nothing open
			}
			q.AskWhole(&tasks[i], r)
			q.Fit(&tasks[i])
		}
	}
	return q
}
