package task

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/phrase"
)

// Sentences about a released number, or the numbers of groups. They state nothing as a fact that
// noise could have caused, and name the people by their noun and the values that count.

// State is the headline.
func (e *estimate) State(result ask.Result) string {
	out := result.(*Estimates)
	switch rows := out.Rows; {
	case e.group == nil:
		return e.alone(rows[0], e.query.Many())
	case e.finding != nil && len(rows) == 1:
		return e.query.Say.Text("No group was large enough to be found.") + " " + e.alone(rows[0],
			e.query.Say.Format("%s in some group", e.query.Many()))
	case e.finding == nil && len(rows) == 1 && e.query.Recipe.Group != nil:
		return e.alone(rows[0], e.query.Say.Format("%s with %s", e.query.Many(),
			groupTitle(e.query)+" "+rows[0].Group))
	default:
		return e.withFound(out, e.compared(out))
	}
}

// withFound adds to a text how many groups were found.
func (e *estimate) withFound(out *Estimates, text string) string {
	if e.finding == nil {
		return text
	}
	found := len(out.Rows) - 1
	if len(out.Axes) > 0 {
		found = len(out.Axes[0].Places) - 1
	}
	return text + " " + e.query.Say.Count(int64(found), "One group was found.",
		"%d groups were found.", found)
}

// StatedBefore is the former sentence where no two groups were compared.
func (e *estimate) StatedBefore(r ask.Result) string {
	out, say, q := r.(*Estimates), e.query.Say, e.query
	rows := out.groups()
	if e.group == nil || len(out.Rows) < 2 {
		return ""
	}
	by, text := e.cells.named(), ""
	if by == "" {
		by = groupTitle(q)
	}
	switch _, _, told := e.told(rows); {
	case e.counts() && (!leads(rows) || e.drowned(rows[largest(rows)])):
		text = say.Format("No %s clearly leads in the number of %s.", by, q.Many())
	case e.counts() || told:
		return ""
	case e.shares():
		text = say.Format("No %s clearly has a higher share of %s who %s than another.", by,
			q.Many(), e.trait())
	case e.short:
		text = say.Format("No %s clearly has a higher %s than another.", by,
			say.Format("mean %s", q.Label))
	default:
		text = say.Format("No %s clearly has a higher %s than another.", by,
			say.Format("%s of %s", e.named(), q.Label))
	}
	return e.withFound(out, text)
}

// groupTitle is the name of the column of groups.
func groupTitle(q *ask.Query) string {
	if g := q.Recipe.Group; g.Label == "" {
		return q.Say.Format("column %d", g.Column)
	}
	return q.Recipe.Group.Label
}

// counts reports whether the number counts the people with one of the values named, and shares
// whether it is their part of all.
func (e *estimate) counts() bool { return e.query.Task.Counts && e.of == ask.OfPeople }
func (e *estimate) shares() bool { return e.query.Task.Counts && e.of == ask.OfShare }

// alone states one number; many is the noun for the people it is about.
func (e *estimate) alone(row Estimate, many string) string {
	say := e.query.Say
	value, low, high := e.spoken(row)
	sure := say.Format("(%s to %s in 95 of 100 releases)", low, high)
	switch {
	case e.counts():
		return say.Format("About %s %s %s %s.", value, many, e.trait(), sure)
	case e.shares(): // those without a value among them
		return say.Format("About %s of all %s %s %s.", value, many, e.trait(), sure)
	case e.short && many == e.query.Many():
		return say.Format("Mean %s of those with a value is about %s %s.", e.query.Label, value,
			sure)
	case e.short:
		return say.Format("Mean %s of %s, of those with a value, is about %s %s.", e.query.Label,
			many, value, sure)
	case many == e.query.Many():
		return say.Format("The %s of %s of those with a value is about %s %s.", e.named(),
			e.query.Label, value, sure)
	}
	return say.Format("The %s of %s of %s, of those with a value, is about %s %s.", e.named(),
		e.query.Label, many, value, sure)
}

// StatesConditions reports that the statement words the conditions itself where everybody is
// counted at once, or where groups do not differ clearly.
func (e *estimate) StatesConditions(r ask.Result) bool {
	return e.countsAll() || e.same(r.(*Estimates))
}

// countsAll reports whether people are counted at once, not by group.
func (e *estimate) countsAll() bool { return e.group == nil && e.query.Task.Counts }

// trait words what the counted people have or are; for everybody at once, with the conditions.
func (e *estimate) trait() string {
	q := e.query
	text := q.Say.Format("have %s", q.Values())
	if list := q.Recipe.Domain.Categories; len(list) > 0 {
		text = q.Say.Format("are %s (%s)", ask.OneOf(q.Say, list), q.Label)
	} else if !q.Bounded() {
		text = q.Say.Format("have a value of %s", q.Label)
	}
	if having := q.Recipe.Having(q.Say); having != "" && e.countsAll() {
		text += " " + q.Say.Format("and have %s", having)
	}
	return text
}

// groups returns the rows of groups, without all others.
func (out *Estimates) groups() []Estimate {
	if out.Found && len(out.Axes) == 0 {
		return out.Rows[:len(out.Rows)-1]
	}
	return out.Rows
}

// level reports whether no number is certainly above another, with all intervals holding at once.
func level(rows []Estimate) bool {
	least, most := furthest(rows)
	return !rows[least].below(rows[most])
}

// furthest returns the row whose interval has the lowest upper end, and the row whose interval has
// the highest lower end.
func furthest(rows []Estimate) (least, most int) {
	for i, row := range rows {
		if row.together.high < rows[least].together.high {
			least = i
		}
		if row.together.low > rows[most].together.low {
			most = i
		}
	}
	return least, most
}

// same reports whether the groups are said not to differ clearly: no number is certainly above
// another, or all counts may be noise.
func (e *estimate) same(out *Estimates) bool {
	rows := out.groups()
	return e.group != nil && len(rows) > 1 &&
		(level(rows) || e.counts() && e.drowned(rows[largest(rows)]))
}

// largest is the row with the largest number.
func largest(rows []Estimate) (most int) {
	for i, row := range rows {
		if row.number.value > rows[most].number.value {
			most = i
		}
	}
	return most
}

// noDifference is the sentence where no group is certainly above another.
func noDifference(q *ask.Query) string {
	return q.Say.Format("%s: no clear difference.", q.Named())
}

// compared states what the numbers of groups show in comparison.
func (e *estimate) compared(out *Estimates) string {
	say, q := e.query.Say, e.query
	rows := out.groups()
	switch {
	case e.same(out):
		return noDifference(q)
	case len(rows) == 1 && (!e.counts() || e.drowned(rows[0])): // one was found, beside all others
		return e.alone(rows[0], say.Format("%s with %s", q.Many(),
			groupTitle(q)+" "+rows[0].Group))
	case e.counts():
		return e.leading(out, rows)
	}
	least, most, whole := e.extremes(rows)
	name := func(at int) string { return e.placeOf(out, at) }
	switch {
	case e.shares() && whole:
		return say.Format("From %s (%s) to %s (%s) of all %s %s.", e.around(rows[least]),
			name(least), e.around(rows[most]), name(most), q.Many(), e.trait())
	case e.shares():
		return say.Format("The part of all %s who %s is larger for %s (%s) than for %s (%s).",
			q.Many(), e.trait(), name(most), e.around(rows[most]), name(least),
			e.around(rows[least]))
	}
	what := say.Format("%s of %s", e.named(), q.Label)
	if e.short {
		what = say.Format("mean %s", q.Label)
	}
	if !whole {
		return say.Format("%s of those with a value is higher for %s (%s) than for %s (%s).",
			Capital(what), name(most), e.around(rows[most]), name(least), e.around(rows[least]))
	}
	return say.Format("%s of those with a value runs from %s (%s) to %s (%s).", Capital(what),
		e.around(rows[least]), name(least), e.around(rows[most]), name(most))
}

// leading states which count of people is certainly above all other rows or, where there is no such
// count, two of which one is above the other.
func (e *estimate) leading(out *Estimates, rows []Estimate) string {
	say, many := e.query.Say, e.query.Many()
	if !leads(rows) {
		least, most := furthest(rows)
		return say.Format("More %s %s for %s (about %s) than for %s (about %s).", many, e.trait(),
			e.placeOf(out, most), e.around(rows[most]), e.placeOf(out, least),
			e.around(rows[least]))
	}
	most := largest(rows)
	top := rows[most]
	// The row was chosen by looking, so it gets the interval that holds for all of them at once.
	top.number = top.together
	value, low, high := e.spoken(top)
	name := Capital(e.placeOf(out, most))
	if len(rows) < len(out.Rows) && top.together.low <= out.Rows[len(rows)].together.high {
		// all others are not a group, and may include a larger one
		return say.Format("%s is most common of the groups found: about %s %s (%s to %s for all "+
			"groups at once, in 95 of 100 releases).", name, value, many, low, high)
	}
	return say.Format("%s is most common: about %s %s (%s to %s for all groups at once, in 95 of "+
		"100 releases).", name, value, many, low, high)
}

// drowned reports whether a number taken alone may be noise only.
func (e *estimate) drowned(row Estimate) bool {
	off := max(row.number.off(), e.least())
	return ask.Judge(off, e.after(e, row.number.value)) == ask.Noise
}

// leads reports whether the largest count is certainly above all others, with all intervals at
// once.
func leads(rows []Estimate) bool {
	most := largest(rows)
	for i, row := range rows {
		if i != most && !row.below(rows[most]) {
			return false
		}
	}
	return true
}

// below reports whether a number is certainly less than another, with all intervals at once.
func (row Estimate) below(other Estimate) bool { return row.together.high < other.together.low }

// told returns the least and the greatest of the numbers that stand out from noise, and reports
// whether one is certainly below the other.
func (e *estimate) told(rows []Estimate) (least, most int, certain bool) {
	var list []int // in ascending order of their numbers
	for i, row := range rows {
		if !e.drowned(row) {
			list = append(list, i)
		}
	}
	if len(list) < 2 {
		return 0, 0, false
	}
	sortDown(list, func(i int) float64 { return -rows[i].number.value })
	least, most = list[0], list[len(list)-1]
	return least, most, rows[least].below(rows[most])
}

// extremes returns the least and the greatest of numbers that are not level, as far as they are
// certain when all intervals hold at once: two numbers between which all others lie (whole), or
// just two of which one is above the other. Numbers that stand out from noise are preferred.
func (e *estimate) extremes(rows []Estimate) (least, most int, whole bool) {
	least, most, certain := e.told(rows)
	if !certain {
		least, most = furthest(rows)
		return least, most, false
	}
	for i, row := range rows {
		if i != least && !rows[least].below(row) || i != most && !row.below(rows[most]) {
			return least, most, false
		}
	}
	return least, most, true
}

// placeOf names a group in a sentence.
func (e *estimate) placeOf(out *Estimates, at int) string {
	if len(out.Axes) > 0 {
		return placeName(out.Axes, at)
	}
	return placed(groupTitle(e.query), out.Rows[at].Group)
}

// placed names a value of a column in a sentence, with the column for a number: a code alone means
// nothing.
func placed(column, value string) string {
	if _, err := strconv.ParseFloat(value, 64); err == nil {
		return column + " " + value
	}
	return value
}

// placeName names a cell of a table in a sentence: by its places, with the name of the column where
// a place is a bin or a code.
func placeName(axes []Axis, cell int) string {
	var parts []string
	for i, label := range labelsOf(axes, cell) {
		if axes[i].Bins() {
			label = axes[i].Column + " " + label
		} else {
			label = placed(axes[i].Column, label)
		}
		parts = append(parts, label)
	}
	return strings.Join(parts, ", ")
}

// spoken writes the numbers of a row for a sentence: rounded to a hundredth of the interval, its
// ends outwards, in groups and with their unit; shares in percent.
func (e *estimate) spoken(row Estimate) (value, low, high string) { return e.said(row, 0.1) }

// around writes a number beside others: rounded to a tenth of its interval.
func (e *estimate) around(row Estimate) string {
	value, _, _ := e.said(row, 1)
	return value
}

// resolved returns how many digits behind the point a number between two ends is written with: its
// step is part times the power of ten of their distance; a negative result stands for zeros before
// the point. Whole numbers stay whole, and a number whose ends are equal keeps all of its digits.
func resolved(from, to, part float64, digits int, whole bool) int {
	if to <= from+1e-9 {
		digits = min(digits, decimals(from))
	} else {
		digits = int(math.Round(-math.Log10(part * math.Pow(10, math.Floor(math.Log10(to-from))))))
	}
	if whole {
		digits = min(digits, 0)
	}
	return digits
}

// decimals counts the digits behind the point of a number without zeros at its end, at most 12.
func decimals(x float64) int {
	_, behind, _ := strings.Cut(strconv.FormatFloat(x, 'f', 12, 64), ".")
	return len(strings.TrimRight(behind, "0"))
}

// Alone returns the only number of an answer as its sentence writes it, in percent if it is a
// share, and how far this written number may be off, rounded up to the same digits. ok is false
// where there are several numbers, or none that can be read.
func (out *Estimates) Alone() (value, off string, ok bool) {
	if len(out.Rows) != 1 {
		return "", "", false
	}
	row := out.Rows[0]
	var read [3]*big.Rat // the number, and its range
	for i, text := range []string{row.Shown(), row.Low, row.High} {
		if len(text) > 400 || !ask.IsNumber(text) {
			return "", "", false // it comes from a file
		}
		read[i], _ = new(big.Rat).SetString(text)
	}
	_, behind, _ := strings.Cut(row.Low, ".")
	digits := len(behind)
	whole := out.Counts() || out.Of == "" && digits == 0
	if out.Of == ask.OfShare {
		for _, x := range read {
			x.Mul(x, hundred)
		}
		digits = max(digits-2, 0)
	}
	digits = resolved(float(read[1]), float(read[2]), 0.1, digits, whole)
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(digits,
		-digits))), nil))
	if digits < 0 {
		unit.Inv(unit)
	}
	at := nearest(read[0], unit)
	wide := new(big.Rat).Sub(read[2], at)
	if below := new(big.Rat).Sub(at, read[1]); below.Cmp(wide) > 0 {
		wide = below
	}
	value = at.FloatString(max(digits, 0))
	_, off = phrase.ExactEndsTo(digits, new(big.Rat), wide)
	return message.GroupedText(value), message.GroupedText(off), true
}

// said writes the numbers of a row, in steps of part times the power of ten of its interval's
// length.
func (e *estimate) said(row Estimate, part float64) (value, low, high string) {
	at, from, to := row.number.value, row.number.low, row.number.high
	least, most, digits := phrase.Decimal(from), phrase.Decimal(to), row.number.digits
	if e.of == ask.OfShare {
		at, from, to, digits = 100*at, 100*from, 100*to, max(digits-2, 0)
		least.Mul(least, hundred)
		most.Mul(most, hundred)
	}
	whole := e.of == ask.OfPeople || e.of == "" && row.number.digits == 0
	digits = resolved(from, to, part, digits, whole)
	at = min(max(at, from), to) // never more people than exist
	unit := math.Pow10(-digits)
	value = message.GroupedText(strconv.FormatFloat(math.Round(at/unit)*unit, 'f', max(digits, 0),
		64))
	low, high = phrase.ExactEndsTo(digits, least, most)
	low, high = message.GroupedText(low), message.GroupedText(high)
	switch {
	case e.of == ask.OfShare:
		return value + "\u00a0%", low, high + "\u00a0%"
	case e.plain():
		return value, low, high
	}
	return e.query.WithUnit(value), low, e.query.WithUnit(high)
}
