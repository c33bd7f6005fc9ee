package form

import (
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/message"
	"hush/web/say"
)

// ReadWish reads the error typed, in the unit of the plan; why is not empty where the text is not
// an error. A percentage refers to a public number: all n people, or the 100 points of a share.
// Only the release finds the size of a mean or of a sum, so no percentage of it can be promised in
// advance.
func ReadWish(text string, plan *ask.Plan) (wish float64, why string) {
	text = strings.TrimSpace(
		strings.Replace(strings.TrimPrefix(strings.TrimSpace(text), "±"), ",", ".", 1))
	text, percent := strings.CutSuffix(text, "%")
	wish, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || !(wish > 0) || math.IsInf(wish, 0):
		return 0, say.Text("Wanted: a number above 0.")
	case percent && plan.ErrorOf == "":
		return 0, say.Format("Wanted: a number above 0 without %%, in this unit: %s.",
			plan.ErrorUnit)
	case percent && plan.ErrorOf == ask.OfPeople:
		wish *= float64(plan.People) / 100
	case percent && plan.ErrorOf == ask.OfShare:
		wish /= 100
	}
	return wish, ""
}

// WishHelp says what the number stands for, and what a percentage refers to.
func WishHelp(plan *ask.Plan) string {
	help := say.Text("In 95 of 100 releases.") + " "
	switch plan.ErrorOf {
	case ask.OfPeople:
		return help + say.Format("A number of people, or a percentage of all %s, such as 2 %%.",
			message.Grouped(plan.People))
	case ask.OfShare:
		return help + say.Text("A number between 0 and 1, or percentage points, such as 2 %.")
	case ask.OfPercent:
		return help + say.Text("In percent: 2 and 2 % are the same.")
	}
	return help +
		say.Text("No percentage: it would be one of the answer, which nobody knows before the "+
			"release.")
}
