package domain

import (
	"fmt"
	"math/big"
	"strings"

	"hush/core/phrase"
)

// times is the domain of the steps of time from lo to hi: days of the calendar, or ticks of a clock
// in a stated zone. A moment between two steps belongs to the earlier one.
type times struct {
	spec    Spec
	missing missing
	read    func(cell []byte) (moment, bool)
	zone    int // seconds ahead of UTC, for cells without an offset
	unit    timeUnit
	lo, hi  int64 // in units from 1970-01-01T00:00:00 of the stated zone
	clamp   bool
	whole   bool // a moment between two steps is none
}

// timeUnit is a step: several seconds, or a part of one.
type timeUnit struct {
	name    string
	seconds int64 // 0 for a part of a second
	nanos   int64
}

var timeUnits = []timeUnit{
	{"day", 86400, 0}, {"hour", 3600, 0}, {"minute", 60, 0}, {"second", 1, 0},
	{"millisecond", 0, 1_000_000}, {"microsecond", 0, 1000}, {"nanosecond", 0, 1},
}

func newTimes(spec Spec) (*times, error) {
	t := &times{spec: spec, clamp: spec.Outside == Clamp, whole: spec.Between == None}
	if spec.Between == Nearest {
		return nil, refuse("between", spec.Between, `nothing (the earlier step) or "none"`)
	}
	if spec.Step == "" {
		spec.Step = "second"
		if spec.Kind == Date {
			spec.Step = "day"
		}
	}
	known := ""
	for _, u := range timeUnits {
		known += ", " + u.name
		if u.name == spec.Step {
			t.unit = u
		}
	}
	if t.unit.name == "" || spec.Kind == Date && t.unit.name != "day" {
		return nil, refuse("step", spec.Step, "one of %s; day for a date", known[2:])
	}
	var err error
	if t.missing, err = newMissing(spec); err != nil {
		return nil, err
	}
	if t.zone, err = readZone(spec); err != nil {
		return nil, err
	}
	if t.read, err = timeReader(spec); err != nil {
		return nil, err
	}
	if t.lo, err = t.bound("lo", spec.Lo, "0001-01-01"); err != nil {
		return nil, err
	}
	if t.hi, err = t.bound("hi", spec.Hi, "9999-12-31T23:59:59.999999"); err != nil {
		return nil, err
	}
	if t.hi < t.lo {
		return nil, refuse("hi", spec.Hi, "at least the smallest value, %s", spec.Lo)
	}
	return t, nil
}

// readZone reads "", "UTC" or a fixed offset. Names of places are not accepted: their rules change.
func readZone(spec Spec) (int, error) {
	if spec.Zone == "" || spec.Zone == "UTC" {
		return 0, nil
	}
	seconds, n := offset([]byte(spec.Zone))
	if spec.Kind == Date || n != len(spec.Zone) {
		return 0, refuse("zone", spec.Zone, `"UTC" or an offset such as "+02:00"; none for a date`)
	}
	return seconds, nil
}

func timeReader(spec Spec) (func([]byte) (moment, bool), error) {
	perSecond := int64(1)
	switch spec.Format {
	case "", formatISO:
		if spec.Kind == Date {
			return func(cell []byte) (moment, bool) {
				if len(cell) != 10 {
					return moment{}, false
				}
				return readISO(cell)
			}, nil
		}
		return readISO, nil
	case formatUnixMilli:
		perSecond = 1000
		fallthrough
	case formatUnix:
		if spec.Kind == Date {
			return nil, refuse("format", spec.Format,
				`a form of dates, or the kind "timestamp" with the step "day"`)
		}
		whole := notation{mark: '.'}
		return func(cell []byte) (moment, bool) {
			v, r, what := whole.read(cell)
			seconds := floorDiv(v, perSecond)
			m := moment{days: floorDiv(seconds, 86400), zoned: true,
				nano: int((v - seconds*perSecond) * (1_000_000_000 / perSecond))}
			m.second = int(seconds - m.days*86400)
			return m, what == isNumber && r == onUnit
		}, nil
	}
	f, err := newDateFormat(spec.Format, spec.Kind == Timestamp)
	return f.read, err
}

func (t *times) bound(field, text, byDefault string) (int64, error) {
	if text == "" && t.unit.nanos != 1 {
		m, _ := readISO([]byte(byDefault))
		tick, _, _ := t.tick(m)
		return tick, nil
	}
	m, ok := readISO([]byte(text))
	if !ok || t.spec.Kind == Date && len(text) != 10 {
		return 0, refuse(field, text, "a date such as \"2024-12-31\"%s",
			map[bool]phrase.Key{
				true: ` or a time such as "2024-12-31T23:59:59Z"`}[t.spec.Kind == Timestamp])
	}
	tick, between, inside := t.tick(m)
	if !inside {
		return 0, refuse(field, text, "a bound from 1678 to 2261: nanoseconds do not reach further")
	}
	if between {
		return 0, refuse(field, text, "a whole %s", t.unit.name)
	}
	return tick, nil
}

// tick returns the step of a moment, whether the moment lies after its start, and whether int64
// holds it.
func (t *times) tick(m moment) (tick int64, between, inside bool) {
	if t.spec.Kind == Date {
		return m.days, m.second != 0 || m.nano != 0, true
	}
	ahead := t.zone
	if m.zoned {
		ahead = m.offset
	}
	// Steps are counted on the clock of the stated zone, so that its days and hours are whole.
	seconds := m.days*86400 + int64(m.second) - int64(ahead) + int64(t.zone)
	if t.unit.seconds > 0 {
		tick = floorDiv(seconds, t.unit.seconds)
		return tick, tick*t.unit.seconds != seconds || m.nano != 0, true
	}
	per := 1_000_000_000 / t.unit.nanos
	part := int64(m.nano) / t.unit.nanos
	between = part*t.unit.nanos != int64(m.nano)
	const most = 1<<63 - 1
	if seconds > most/per-1 || seconds < -most/per {
		return seconds, false, false // its sign is right, which suffices for a clamp
	}
	return seconds*per + part, between, true
}

func (t *times) Spec() Spec     { return t.spec }
func (t *times) Size() *big.Int { return sizeOf(t.last()) }
func (t *times) Bits() int      { return codeBits(t.last()) }
func (t *times) last() uint64   { return uint64(t.hi) - uint64(t.lo) }

func (t *times) Describe() phrase.Phrase {
	s := phrase.Of("%ss from %s to %s", t.unit.name, t.Decode(0), t.Decode(t.last()))
	if t.spec.Kind == Date {
		return s
	}
	return phrase.Of("%s, cells without a zone in %s", s, t.zoneName())
}

func (t *times) zoneName() string {
	if t.zone == 0 {
		return "UTC"
	}
	return "UTC" + zoneText(t.zone)
}

func (t *times) Encode(cell []byte) (uint64, bool) {
	code, why := t.place(cell)
	return code, why == Read
}

func (t *times) Why(cell []byte) Reason {
	_, why := t.place(cell)
	return why
}

func (t *times) place(cell []byte) (uint64, Reason) {
	cell = trim(cell)
	if len(cell) == 0 || t.missing.has(cell) {
		return 0, Missing
	}
	m, ok := t.read(cell)
	if !ok {
		return 0, Unreadable
	}
	tick, between, inside := t.tick(m)
	switch {
	case inside && tick >= t.lo && tick <= t.hi:
		if between && t.whole {
			return 0, Between
		}
		return uint64(tick) - uint64(t.lo), Read
	case !t.clamp:
		return 0, Outside
	case inside && tick < t.lo || !inside && tick < 0:
		return 0, Read
	}
	return t.last(), Read
}

// Decode writes dates as 2024-12-31 and times as 2024-12-31T23:59:59Z in the stated zone.
func (t *times) Decode(code uint64) string {
	tick := int64(uint64(t.lo) + min(code, t.last()))
	if t.spec.Kind == Date || t.unit.name == "day" {
		return dateText(tick)
	}
	seconds, fraction := tick, ""
	if t.unit.seconds > 0 {
		seconds *= t.unit.seconds
	} else {
		per := 1_000_000_000 / t.unit.nanos
		seconds = floorDiv(tick, per)
		fraction = fmt.Sprintf(".%0*d", len(fmt.Sprint(per))-1, tick-seconds*per)
	}
	days := floorDiv(seconds, 86400)
	s := seconds - days*86400
	return fmt.Sprintf("%sT%02d:%02d:%02d%s%s", dateText(days), s/3600, s/60%60, s%60, fraction,
		zoneText(t.zone))
}

// zoneText writes an offset as in ISO 8601.
func zoneText(seconds int) string {
	if seconds == 0 {
		return "Z"
	}
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	return strings.TrimSpace(fmt.Sprintf("%c%02d:%02d", sign, seconds/3600, seconds/60%60))
}
