package domain

import "fmt"

// The calendar is the Gregorian one, also before it was introduced, with years 1 to 9999.

// daysFromDate counts days from 1970-01-01. (Howard Hinnant, "chrono-compatible low-level date
// algorithms", days_from_civil: years begin in March, so that the leap day is their last.)
func daysFromDate(year, month, day int) int64 {
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(int64(year), 400)
	yearOfEra := int64(year) - era*400
	dayOfYear := int64((153*(month-3)+2)/5 + day - 1)
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// dateFromDays is the inverse.
func dateFromDays(days int64) (year, month, day int) {
	days += 719468
	era := floorDiv(days, 146097)
	d := days - era*146097
	yearOfEra := (d - d/1460 + d/36524 - d/146096) / 365
	dayOfYear := d - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	m := (5*dayOfYear + 2) / 153
	day = int(dayOfYear-(153*m+2)/5) + 1
	month = int(m) + 3
	year = int(yearOfEra + era*400)
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// isDate reports whether such a day exists.
func isDate(year, month, day int) bool {
	if year < 1 || year > 9999 || month < 1 || month > 12 || day < 1 {
		return false
	}
	switch month {
	case 4, 6, 9, 11:
		return day <= 30
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return day <= 29
		}
		return day <= 28
	}
	return day <= 31
}

func dateText(days int64) string {
	y, m, d := dateFromDays(days)
	return fmt.Sprintf("%04d-%02d-%02d", y, m, d)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
