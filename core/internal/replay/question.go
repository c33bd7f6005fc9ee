package replay

import (
	"slices"
	"strings"

	"hush/core/ask"
)

// Question is a question and a table that it can be asked of, for a reader that is not this
// project's: rows as long as one another, of texts without zero bytes.
type Question struct {
	Name   string // of the question, and of the option that it is asked with
	Recipe ask.Recipe
	Cells  [][]string // by row
}

// Question draws the question of a seed, whose way is the seed's, or else says why all tries were
// refused.
func (w *Walk[C]) Question(seed uint64) (q Question, err error) {
	way := w.ways[seed%uint64(len(w.ways))]
	q.Name = way.name()
	r, f, _, err := w.ask(newDice(seed, "question"), way, seed)
	q.Recipe = r
	q.Recipe.Table = f.Options
	for _, row := range f.rows {
		cells := slices.Clone(row.cells)
		for len(cells) < len(f.columns) {
			cells = append(cells, "")
		}
		for i := range cells {
			cells[i] = strings.ToValidUTF8(strings.ReplaceAll(cells[i], "\x00", "?"), "?")
		}
		q.Cells = append(q.Cells, cells[:len(f.columns)])
	}
	return q, err
}
