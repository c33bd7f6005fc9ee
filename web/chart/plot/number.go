package plot

import (
	"math"
	"strconv"
	"strings"

	"hush/core/message"
	"hush/web/say"
)

// ShortName is the number of letters of a name that fit a crowded picture; its table has the whole
// name.
const ShortName = 22

// Shortened omits the middle of a long name: names of one kind often begin or end alike.
func Shortened(name string, most int) string {
	letters := []rune(name)
	if len(letters) <= most {
		return name
	}
	end := (most - 1) / 2
	return string(letters[:most-1-end]) + "…" + string(letters[len(letters)-end:])
}

// WithUnit adds the unit of its values to a column's name.
func WithUnit(name, unit string) string {
	if unit == "" || strings.Contains(strings.ToLower(name), strings.ToLower(unit)) {
		return name // "number of pages" contains it already
	}
	return say.Format("%s in %s", name, unit)
}

// flag converts a switch for a renderer.
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

// ErrorBars explains what most error bars mean.
func ErrorBars() string {
	return say.Text("Error bars show the range that holds in 95 of 100 releases.")
}

// Years reports whether a range may be one of years, whose numbers are not grouped.
func Years(lo, hi float64) bool { return lo >= 1000 && hi < 3000 }

// Number writes a number as all charts do: with thousands separated, from 1 000 on.
func Number(x float64) string {
	if x == 0 {
		x = 0 // not −0
	}
	return Written(strconv.FormatFloat(x, 'f', -1, 64))
}

// Written groups the digits of a number given as text, with whatever follows its point; other text
// stays.
func Written(text string) string {
	whole, _, _ := strings.Cut(text, ".")
	return message.GroupedText(whole) + text[len(whole):]
}

// Short writes a number with four significant digits.
func Short(x float64) string {
	return strings.Replace(strconv.FormatFloat(x, 'g', 4, 64), "-", "−", 1)
}

// EvenEnd returns the end of an axis that begins at 0 and holds x, and the distance of its marks:
// 1, 2 or 5 times a power of ten, of which the end is a whole multiple, at most most times.
func EvenEnd(x, most float64) (end, step float64) {
	x = math.Max(x, 1e-3)
	// x is 10 to 100 in units of 1/unit, so that the last distance always gives two marks
	unit := math.Pow10(1 - int(math.Floor(math.Log10(x))))
	marks := most + 1
	for _, m := range []float64{2, 5, 10, 20, 50} {
		if marks > most {
			step, marks = m, math.Ceil(x*unit/m-1e-9)
		}
	}
	return marks * step / unit, step / unit
}
