package plot

import (
	"math"
	"strconv"
	"strings"

	"hush/core/message"
	"hush/web/say"
)

// ShortName is how many letters of a name a crowded picture has room for; its table has it whole.
const ShortName = 22

// Shortened leaves the middle of a long name out: names of one kind often begin or end alike.
func Shortened(name string, most int) string {
	letters := []rune(name)
	if len(letters) <= most {
		return name
	}
	end := (most - 1) / 2
	return string(letters[:most-1-end]) + "…" + string(letters[len(letters)-end:])
}

// WithUnit is a column's name with the unit of its values.
func WithUnit(name, unit string) string {
	if unit == "" || strings.Contains(strings.ToLower(name), strings.ToLower(unit)) {
		return name // "number of pages" says it already
	}
	return say.Format("%s in %s", name, unit)
}

// flag is how a renderer gets a switch.
func flag(is bool) int {
	if is {
		return 1
	}
	return 0
}

// Said returns the text of a tooltip: a name, a value, and its range.
func Said(name, value, low, high string) string {
	if low == "" {
		return name + "\n" + value
	}
	return say.Format("%s\n%s, from %s to %s in 95 of 100 releases", name, value, low, high)
}

// ErrorBars is what most error bars mean.
func ErrorBars() string {
	return say.Text("Error bars show the range that holds in 95 of 100 releases.")
}

// Years tells a range that may be of years, whose numbers are not grouped.
func Years(lo, hi float64) bool { return lo >= 1000 && hi < 3000 }

// Number writes a number as all charts do: thousands apart, from 1 000 on.
func Number(x float64) string {
	if x == 0 {
		x = 0 // and not −0
	}
	return Written(strconv.FormatFloat(x, 'f', -1, 64))
}

// Written groups a number that is text, with whatever follows its point; other text stays.
func Written(text string) string {
	whole, _, _ := strings.Cut(text, ".")
	return message.GroupedText(whole) + text[len(whole):]
}

// Short writes a number with four significant digits.
func Short(x float64) string {
	return strings.Replace(strconv.FormatFloat(x, 'g', 4, 64), "-", "−", 1)
}

// EvenEnd is where an axis ends that begins at 0 and holds x, and the distance of its marks: 1, 2
// or 5 times a power of ten, which the end is a whole number of times, and at most that many.
func EvenEnd(x, most float64) (end, step float64) {
	x = math.Max(x, 1e-3)
	// x is 10 to 100 of 1/unit, so that the last distance is always enough for two marks
	unit := math.Pow10(1 - int(math.Floor(math.Log10(x))))
	marks := most + 1
	for _, m := range []float64{2, 5, 10, 20, 50} {
		if marks > most {
			step, marks = m, math.Ceil(x*unit/m-1e-9)
		}
	}
	return marks * step / unit, step / unit
}
