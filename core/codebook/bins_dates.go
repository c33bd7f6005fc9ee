package codebook

import (
	"fmt"
	"math"
	"strconv"

	"hush/core/domain"
)

// cut is a width of bins of dates and times.
type cut struct {
	unit    Span
	n       int
	seconds float64 // length of one bin; for months and years, the mean
}

const (
	daySeconds  = 86400
	yearSeconds = 365.2425 * daySeconds
)

// cuts returns the widths that are round on a calendar or a clock, the narrowest first.
func cuts() (list []cut) {
	for _, u := range []struct {
		unit    Span
		seconds float64
		ns      []int
	}{
		{Seconds, 1, []int{1, 2, 5, 10, 15, 30}},
		{Minutes, 60, []int{1, 2, 5, 10, 15, 30}},
		{Hours, 3600, []int{1, 2, 3, 6, 12}},
		{Days, daySeconds, []int{1}},
		{Weeks, 7 * daySeconds, []int{1, 2}},
		{Months, yearSeconds / 12, []int{1, 3, 6}},
		{Years, yearSeconds, []int{1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000}},
	} {
		for _, n := range u.ns {
			list = append(list, cut{u.unit, n, u.seconds * float64(n)})
		}
	}
	return list
}

// stepSeconds is the length of a step of time.
func stepSeconds(v Values) float64 {
	if v.Kind == domain.Date {
		return daySeconds
	}
	switch v.Step {
	case "day":
		return daySeconds
	case "hour":
		return 3600
	case "minute":
		return 60
	case "millisecond":
		return 1e-3
	case "microsecond":
		return 1e-6
	case "nanosecond":
		return 1e-9
	}
	return 1
}

// dates divides a range where days, weeks, months or years begin, on the clock of its zone.
func (b *Bins) dates(v Values, d domain.Domain) {
	step := stepSeconds(v)
	span := (float64(b.last) + 1) * step
	best, off := cut{}, math.Inf(1)
	for _, c := range cuts() {
		if c.seconds < step {
			continue
		}
		if c.unit == Days && span <= ownBins*daySeconds && span >= 2*daySeconds {
			best = c
			break
		}
		if o := math.Abs(math.Log(span / c.seconds / wantedBins)); o <= off {
			best, off = c, o
		}
	}
	b.Unit, b.Width, b.Starts = best.unit, strconv.Itoa(best.n), []uint64{0}
	first := d.Decode(0) // 2024-12-31, and T23:59:59 where steps are shorter than a day
	for _, edge := range best.edges(first, d.Decode(b.last)) {
		if code, ok := d.Encode([]byte(edge)); ok && code > 0 {
			b.Starts = append(b.Starts, code)
		}
	}
}

// edges returns the beginnings of bins, from the bin that holds first to the one that holds last,
// and perhaps some beyond: these are outside the domain, where Encode finds none.
func (c cut) edges(first, last string) (list []string) {
	year, month := number4(first), number2(first, 5)
	lastYear := number4(last)
	switch c.unit {
	case Years:
		for y := year - year%c.n; y <= lastYear; y += c.n {
			list = append(list, fmt.Sprintf("%04d-01-01", y))
		}
	case Months:
		end := lastYear*12 + number2(last, 5) - 1
		for m := year*12 + (month-1)/c.n*c.n; m <= end; m += c.n {
			list = append(list, fmt.Sprintf("%04d-%02d-01", m/12, m%12+1))
		}
	case Weeks, Days:
		days := wholeCalendar()
		from, _ := days.Encode([]byte(first[:10]))
		to, _ := days.Encode([]byte(last[:10]))
		n := uint64(c.n)
		if c.unit == Weeks { // day 0, 0001-01-01, was a Monday
			n *= 7
		}
		for day := from - from%n; day <= to; day += n {
			list = append(list, days.Decode(day))
		}
	default:
		return c.clockEdges(first, last)
	}
	return list
}

// clockEdges returns the beginnings of hours, minutes or seconds, on every day from first to last.
func (c cut) clockEdges(first, last string) (list []string) {
	days := wholeCalendar()
	from, _ := days.Encode([]byte(first[:10]))
	to, _ := days.Encode([]byte(last[:10]))
	width := int(c.seconds)
	for day := from; day <= to; day++ {
		date := days.Decode(day)
		for s := 0; s < daySeconds; s += width {
			text := fmt.Sprintf("%sT%02d:%02d:%02d", date, s/3600, s/60%60, s%60)
			if text[:19] > first[:19] && text[:19] <= last[:19] {
				list = append(list, text)
			}
		}
	}
	return list
}

// wholeCalendar is the domain of all days from 0001-01-01 on.
func wholeCalendar() domain.Domain {
	d, err := domain.New(domain.Spec{Kind: domain.Date})
	if err != nil {
		panic("codebook: internal error: " + err.Error()) // unreachable: it needs no parameter
	}
	return d
}

// number4 and number2 read the year at the start of a date, and a part with two digits.
func number4(date string) int { return digits(date[:4]) }

func number2(date string, at int) int { return digits(date[at : at+2]) }

func digits(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}
