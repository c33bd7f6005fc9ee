package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/message"
)

// countBand returns the range of a count with its error, limited to 0 to n; n = 0: not known. A
// count that noise pushed beyond these limits stays as it is, so that sums over counts stay right,
// and its range extends to it: no number lies outside its own range.
func countBand(count, off, n int64) (low, high int64) {
	low, high = peopleBand(count, off, n)
	return min(low, count), max(high, count)
}

// peopleBand returns the range of a count with its error, limited to 0 to n; n = 0: not known.
func peopleBand(count, off, n int64) (low, high int64) {
	low, high = max(count-off, 0), max(count+off, 0)
	if n > 0 {
		low, high = min(low, n), min(high, n)
	}
	return low, high
}

// ofAll writes a noisy count for a sentence, limited to 0 to n: “of all people”, unless there are
// conditions on who counts, since nobody knows how many meet them.
func ofAll(q *ask.Query, count int64) string {
	count = min(max(count, 0), q.People)
	if len(q.Recipe.Filter) > 0 {
		return q.Count(count)
	}
	return q.Say.Format("%s of %s", message.Grouped(count), q.Count(q.People))
}

// countsForecast is the forecast of counts each of which is off by at most one, and all of which
// are off by at most all, with the label together.
func countsForecast(q *ask.Query, one, all int64, together string) []ask.Forecast {
	say, n := q.Say, q.People
	return []ask.Forecast{
		{Label: say.Text("Each count is off by at most"), Value: q.Count(one),
			Detail: say.Format("in 95 of 100 releases; %s of all %s", percentOf(say, one, n),
				q.Count(n))},
		{Label: together, Value: "± " + q.Count(all), Detail: say.Text("in 95 of 100 releases")},
		{Label: say.Text("Smallest group that stands out"), Value: q.Count(2 * one),
			Detail: say.Text("smaller ones drown in the noise")},
	}
}

// leader returns the bin with the highest count, and whether it certainly holds the most people.
func leader(counts []int64, allError int64) (at int, certain bool) {
	at = slices.Index(counts, slices.Max(counts))
	for i, c := range counts {
		if i != at && counts[at]-c <= 2*allError {
			return at, false
		}
	}
	return at, true
}

// levelCounts reports whether no count is certainly above another.
func levelCounts(counts []int64, allError int64) bool {
	return len(counts) > 1 && slices.Max(counts)-slices.Min(counts) <= 2*allError
}

// offAtOnce states the error of a count that was chosen by looking at all of them: the one that
// holds for all at once, which is said where it differs from the one that the table states for
// each.
func offAtOnce(say *message.Language, each, all int64) string {
	if each == all {
		return "± " + message.Grouped(all)
	}
	return say.Format("± %s in all counts at once,", message.Grouped(all))
}
