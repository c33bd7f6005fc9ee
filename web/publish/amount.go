package publish

import (
	"math"
	"strconv"

	"hush/core/message"
)

// amount writes a number in three significant figures, grouped: "12", "1 230", "0.0214".
func amount(x float64) string {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	places := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	if places > 0 {
		rounded, err := strconv.ParseFloat(strconv.FormatFloat(x, 'f', places, 64), 64)
		if err == nil {
			return strconv.FormatFloat(rounded, 'f', -1, 64)
		}
	}
	unit := math.Pow(10, float64(-places))
	if whole := math.Round(x/unit) * unit; math.Abs(whole) < 1e18 {
		return message.Grouped(int64(whole))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}
