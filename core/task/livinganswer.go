package task

import (
	"slices"

	"hush/core/joint"
	"hush/core/message"
)

// Answer answers a question. Refusals are for columns, part and where.
func (t *LivingTable) Answer(q LivingQuestion) (a *LivingAnswer, err error) {
	if err := t.check(q); err != nil {
		return nil, err
	}
	var where []joint.Within
	for _, w := range q.Where {
		where = append(where, t.within(w))
	}
	switch a = new(LivingAnswer); q.Kind {
	case LivingMean:
		err = t.means(a, q, where)
	case LivingQuantile:
		err = t.quantiles(a, q, where)
	case LivingLine:
		err = t.line(a, q, where)
	case LivingLogistic:
		err = t.logistic(a, q, where)
	default:
		t.count(a, q, where)
	}
	if err != nil {
		return nil, err
	}
	a.Known = joint.Certain
	for _, row := range a.Rows {
		for _, worse := range []joint.Known{joint.ByCounts, joint.ByBounds, joint.Unmeasured} {
			if row.Known == worse || a.Known == worse {
				a.Known = worse
			}
		}
	}
	if a.Note != "" {
		a.Note = " " + a.Note
	}
	a.Note = t.say.Text(KnownInWords(a.Known)) + a.Note
	return a, nil
}

// Table lists the numbers, one row for each, with a heading.
func (a *LivingAnswer) Table(say *message.Language) [][]string {
	rows := [][]string{append(slices.Clone(a.Names), a.Title, say.Text("from"), say.Text("to"),
		say.Text("how it is known"))}
	for _, row := range a.Rows {
		places := slices.Clone(row.Places)
		for len(places) < len(a.Names) {
			places = append(places, "")
		}
		rows = append(rows, append(places, row.Value, row.Low, row.High,
			say.Text(KnownInShort(row.Known))))
	}
	return rows
}
