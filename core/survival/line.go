package survival

// Line lays the ends of people out as cells of one line, so that each number of which a survival
// curve is made is the difference of two sums of neighbouring cells. Each group has, in this order,
// its events by step, those without a time or an end, and its censored people by step, the last
// step first. Where there are several groups, the last cell is that of people without a group.
type Line struct {
	// Steps is how many steps each group has.
	Steps int
	// Groups is how many groups there are.
	Groups int
}

// Cells is the number of cells.
func (l Line) Cells() int {
	if l.Groups > 1 {
		return l.Groups*l.width() + 1
	}
	return l.width()
}

func (l Line) width() int { return 2*l.Steps + 1 }

// Outside is the cell of people of no group. Where there is one group, they are as those of it who
// have no time: never at risk.
func (l Line) Outside() int {
	if l.Groups > 1 {
		return l.Groups * l.width()
	}
	return l.None(0)
}

// Event is the cell of people of a group with the event in a step.
func (l Line) Event(group, step int) int { return group*l.width() + step }

// None is the cell of people of a group without a time or an end: they are never at risk.
func (l Line) None(group int) int { return group*l.width() + l.Steps }

// Censored is the cell of people of a group who were followed up to a step, and no longer.
func (l Line) Censored(group, step int) int { return group*l.width() + 2*l.Steps - step }
