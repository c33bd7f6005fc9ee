package task

import (
	"strconv"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/table"
)

// MostRows is the largest bound on the rows or groups of each person that is chosen: the grid is
// every whole number from 1 to it, public.
const MostRows = 100

// RowsBound is the question that chooses k, the most rows of each person that count (table.Use),
// privately: a small number of rows that hardly anybody exceeds. base says how the file is read and
// who the persons are, and its ε is the price of the choice. Its answer is a release like any
// other; [ChosenRows] reads k from it.
//
// Its guarantee is that of [basic.UpperBound] for one value of each person: the number of that
// person's rows, as a number of the grid. Proof: upperbound.md of core/basic. Once released, k is a
// public number, so what follows from it costs nothing more.
//
// # Cost and accuracy
//
// [RowsAbove], and a table of how good the choice is in upperbound.md.
func RowsBound(base ask.Recipe) ask.Recipe {
	return boundOf(base, base.Person, table.Number)
}

// GroupsBound is RowsBound for g, the most groups of each person that count: a small number that
// hardly anybody exceeds, of the groups in a column. A person's number of groups is estimated
// ([table.Groups]) from that person's rows alone, so the guarantee is the same.
func GroupsBound(base ask.Recipe, column int) ask.Recipe {
	return boundOf(base, column, table.Groups)
}

// boundOf returns the question that chooses a bound on a number of each person.
func boundOf(base ask.Recipe, column int, of table.Of) ask.Recipe {
	return ask.Recipe{
		Version: base.Version, Task: quantilesTask.ID, Table: base.Table, Epsilon: base.Epsilon,
		Person: base.Person, Column: column, Label: base.Label, Unit: base.Unit,
		Data: base.Data, Source: base.Source, Noun: base.Noun,
		Domain: domain.Spec{Kind: domain.Integer, Lo: "1", Hi: strconv.Itoa(MostRows)},
		Use:    &table.Use{Values: []table.Value{{Column: column, Of: of}}},
		Params: ask.Params{paramTargets: "100"},
	}
}

// RowsAbove states how many persons have more rows or groups than the chosen bound: about how many
// and, in 95 of 100 choices, at most how many. Both depend on the price alone, and are 0 where the
// price is not valid.
func RowsAbove(epsilon string) (about, most int64) {
	e, err := privacy.ParseEpsilon(epsilon)
	if err != nil {
		return 0, 0 // the question is refused for its ε
	}
	b, err := basic.NewUpperBound(basic.UpperBoundParams{Epsilon: e, Size: MostRows})
	if err != nil {
		return 0, 0
	}
	return int64(b.TypicalError()), b.ErrorBound(basic.Beta)
}

// ChosenRows returns the bound that a release of such a question chose, and how many persons have
// more at most, in 95 of 100 choices; false for other releases.
func ChosenRows(r *Release) (k int, above int64, ok bool) {
	q, is := r.Answer.Result.(*Quantiles)
	if !is || len(q.Rows) != 1 {
		return 0, 0, false
	}
	k, err := strconv.Atoi(q.Rows[0].Value)
	return k, q.Rows[0].RankError, err == nil
}
