package domain

import (
	"strings"

	"hush/core/phrase"
)

// moment is a point in time as written: local time, and how far it is ahead of UTC.
type moment struct {
	days   int64 // from 1970-01-01
	second int   // of the day
	nano   int
	offset int // seconds ahead of UTC
	zoned  bool
}

// dateFormat reads dates and times of one form. Forms are public and written with these parts; any
// other character stands for itself:
//
//	YYYY year of four digits         hh hour, 00 to 23 (or 1 to 12 with AP)
//	YY   year of two: 1969 to 2068   mm minute
//	MM   month, one or two digits    ss second
//	MMM  month by its English name   f  fraction of a second, with its point or comma; may be absent
//	DD   day, one or two digits      AP am or pm         Z  "Z" or +hh:mm
type dateFormat struct{ parts []string }

// The forms with a name of their own.
const (
	formatISO       = "iso"     // YYYY-MM-DD, then perhaps T or a space and hh:mm, :ss, f, Z
	formatUnix      = "unix"    // seconds from 1970-01-01 UTC, a whole number
	formatUnixMilli = "unix-ms" // milliseconds
)

var formatParts = []string{"YYYY", "YY", "MMM", "MM", "DD", "hh", "mm", "ss", "AP", "f", "Z"}

// newDateFormat cuts a form into its parts. A date needs year, month and day; a time needs at least
// the hour.
func newDateFormat(form string, withTime bool) (dateFormat, error) {
	var f dateFormat
	count := map[string]int{}
	for rest := form; rest != ""; {
		part := rest[:1]
		for _, p := range formatParts {
			if strings.HasPrefix(rest, p) {
				part = p
				break
			}
		}
		count[part]++
		f.parts = append(f.parts, part)
		rest = rest[len(part):]
	}
	var want phrase.Key
	switch {
	case len(form) > 100:
		want = "at most 100 characters"
	case count["YYYY"]+count["YY"] != 1 || count["MM"]+count["MMM"] != 1 || count["DD"] != 1:
		want = `a form with year, month and day, such as "DD.MM.YYYY", "YYYYMMDD" or "iso"`
	case !withTime && count["hh"]+count["mm"]+count["ss"]+count["f"]+count["AP"]+count["Z"] > 0:
		want = `a form without hours, or the kind "timestamp"`
	case count["mm"] > 0 && count["hh"] == 0 || count["ss"] > 0 && count["mm"] == 0 ||
		count["f"] > 0 && count["ss"] == 0 || count["AP"] > 0 && count["hh"] == 0:
		want = "no smaller unit without the larger ones"
	}
	for part, n := range count {
		if n > 1 && len(part) > 1 {
			want = "each part once"
		}
	}
	if want != "" {
		return f, refuse("format", form, want)
	}
	return f, nil
}

// number reads one to most digits, or exactly most if exact.
func number(cell []byte, most int, exact bool) (v, n int) {
	for n < len(cell) && n < most && isDigit(cell[n]) {
		v = v*10 + int(cell[n]-'0')
		n++
	}
	if exact && n < most {
		return 0, 0
	}
	return v, n
}

var monthNames = []string{"january", "february", "march", "april", "may", "june", "july", "august",
	"september", "october", "november", "december"}

// monthName reads an English month in full or its first three letters, in any case, with or without
// a point.
func monthName(cell []byte) (month, n int) {
	letters := 0
	for letters < len(cell) && letters < 9 && cell[letters]|0x20 >= 'a' &&
		cell[letters]|0x20 <= 'z' {
		letters++
	}
	if letters < 3 {
		return 0, 0
	}
	for i, name := range monthNames {
		if letters != 3 && letters != len(name) {
			continue
		}
		same := true
		for j := range letters {
			same = same && cell[j]|0x20 == name[j]
		}
		if same {
			if letters < len(cell) && cell[letters] == '.' && letters == 3 {
				letters++
			}
			return i + 1, letters
		}
	}
	return 0, 0
}

// read reads a trimmed cell that must have the form from end to end.
func (f dateFormat) read(cell []byte) (moment, bool) {
	var m moment
	year, month, day, hour, minute, second, half := 0, 0, 0, 0, 0, 0, 0
	for i, part := range f.parts {
		// A number directly followed by another has all its digits.
		exact := i+1 < len(f.parts) && len(f.parts[i+1]) > 1 && f.parts[i+1] != "AP" &&
			f.parts[i+1] != "MMM"
		n := 0
		switch part {
		case "YYYY":
			year, n = number(cell, 4, true)
		case "YY":
			if year, n = number(cell, 2, true); year < 69 {
				year += 100
			}
			year += 1900
		case "MM":
			month, n = number(cell, 2, exact)
		case "MMM":
			month, n = monthName(cell)
		case "DD":
			day, n = number(cell, 2, exact)
		case "hh":
			hour, n = number(cell, 2, exact)
		case "mm":
			minute, n = number(cell, 2, true)
		case "ss":
			second, n = number(cell, 2, true)
		case "AP":
			half, n = amPM(cell)
		case "f":
			var ok bool
			if m.nano, n, ok = fraction(cell); !ok {
				return m, false
			}
			if n == 0 {
				continue
			}
		case "Z":
			m.offset, n = offset(cell)
			m.zoned = true
		default:
			if len(cell) > 0 && cell[0] == part[0] {
				n = 1
			}
		}
		if n == 0 {
			return m, false
		}
		cell = cell[n:]
	}
	if half != 0 {
		if hour < 1 || hour > 12 {
			return m, false
		}
		hour = hour%12 + 12*(half-1)
	}
	return m.set(year, month, day, hour, minute, second, len(cell) == 0)
}

func (m moment) set(year, month, day, hour, minute, second int, ok bool) (moment, bool) {
	if !ok || !isDate(year, month, day) || hour > 23 || minute > 59 || second > 59 {
		return m, false
	}
	m.days = daysFromDate(year, month, day)
	m.second = hour*3600 + minute*60 + second
	return m, true
}

// amPM reads am or pm: 1 or 2.
func amPM(cell []byte) (half, n int) {
	if len(cell) >= 2 && cell[1]|0x20 == 'm' {
		switch cell[0] | 0x20 {
		case 'a':
			return 1, 2
		case 'p':
			return 2, 2
		}
	}
	return 0, 0
}

// fraction reads "" or "." or "," and digits; digits beyond the ninth are ignored.
func fraction(cell []byte) (nano, n int, ok bool) {
	if len(cell) == 0 || cell[0] != '.' && cell[0] != ',' {
		return 0, 0, true
	}
	unit := 100_000_000
	for n = 1; n < len(cell) && isDigit(cell[n]); n++ {
		nano += int(cell[n]-'0') * unit
		unit /= 10
	}
	return nano, n, n > 1
}

// offset reads Z, +hh, +hhmm or +hh:mm, also with −, in seconds.
func offset(cell []byte) (seconds, n int) {
	if len(cell) == 0 {
		return 0, 0
	}
	if cell[0]|0x20 == 'z' {
		return 0, 1
	}
	if cell[0] != '+' && cell[0] != '-' {
		return 0, 0
	}
	hours, n := number(cell[1:], 2, true)
	if n == 0 || hours > 23 {
		return 0, 0
	}
	n = 3
	minutes := 0
	rest := cell[n:]
	colon := 0
	if len(rest) > 0 && rest[0] == ':' {
		colon = 1
	}
	if m, k := number(rest[colon:], 2, true); k == 2 {
		minutes, n = m, n+colon+2
	}
	if minutes > 59 {
		return 0, 0
	}
	seconds = hours*3600 + minutes*60
	if cell[0] == '-' {
		seconds = -seconds
	}
	return seconds, n
}

// readISO reads the form "iso".
func readISO(cell []byte) (moment, bool) {
	var m moment
	if len(cell) < 10 || cell[4] != '-' || cell[7] != '-' {
		return m, false
	}
	year, n1 := number(cell[:4], 4, true)
	month, n2 := number(cell[5:7], 2, true)
	day, n3 := number(cell[8:10], 2, true)
	if n1+n2+n3 != 8 {
		return m, false
	}
	cell = cell[10:]
	if len(cell) == 0 {
		return m.set(year, month, day, 0, 0, 0, true)
	}
	if cell[0]|0x20 != 't' && cell[0] != ' ' || len(cell) < 6 || cell[3] != ':' {
		return m, false
	}
	hour, n1 := number(cell[1:3], 2, true)
	minute, n2 := number(cell[4:6], 2, true)
	if n1+n2 != 4 {
		return m, false
	}
	cell = cell[6:]
	second := 0
	if len(cell) > 0 && cell[0] == ':' {
		s, k := number(cell[1:], 2, true)
		if k == 0 {
			return m, false
		}
		second, cell = s, cell[3:]
		nano, k, ok := fraction(cell)
		if !ok {
			return m, false
		}
		m.nano, cell = nano, cell[k:]
	}
	if len(cell) > 0 {
		if cell[0] == ' ' {
			cell = cell[1:]
		}
		k := 0
		if m.offset, k = offset(cell); k == 0 {
			return m, false
		}
		m.zoned, cell = true, cell[k:]
	}
	return m.set(year, month, day, hour, minute, second, len(cell) == 0)
}
