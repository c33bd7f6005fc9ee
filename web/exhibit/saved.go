package exhibit

import (
	"slices"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/task"
)

// SavedCombinations returns the file of a release of combinations, as if it had been drawn with the
// system's coins, in English.
func SavedCombinations() string { return Saved(nil, "conjunctions") }

// Saved returns, like SavedCombinations, the file of a release, of a question's example and in the
// given language.
func Saved(say *message.Language, id string) string {
	tasks := task.Catalogue()
	i := slices.IndexFunc(tasks, func(t ask.Task) bool { return t.ID == id })
	recipe := tasks[i].Example.Recipe
	recipe.Version, recipe.Task, recipe.Epsilon = ask.RecipeVersion, tasks[i].ID, "1"
	taught, err := task.Teach(say, ask.Lesson{Sample: tasks[i].Example.Sample, Recipe: recipe,
		Rows: 1000, Draws: 1, Seed: 1}, nil)
	if err != nil {
		panic("exhibit: internal error: " + err.Error())
	}
	r := taught.Draws[0]
	r.Origin = coin.Crypto
	return r.JSON("")
}
