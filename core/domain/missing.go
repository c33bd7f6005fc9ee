package domain

import (
	"fmt"
)

// missing is the set of cells that mean "no value". Spaces around a cell do not count, nor does
// case with Fold.
type missing struct {
	texts   map[string]bool // folded with Fold
	fold    bool
	starts  [256]bool // a text of the list starts with this byte, which settles most cells
	numbers bool      // a text of the list starts like a plain number
}

func newMissing(spec Spec) (missing, error) {
	const most = 1000
	if len(spec.Missing) > most {
		return missing{}, refuse("missing", fmt.Sprint(len(spec.Missing)), "at most %d texts", most)
	}
	m := missing{texts: make(map[string]bool, len(spec.Missing)), fold: spec.Fold}
	for _, text := range spec.Missing {
		cell := trim([]byte(text))
		if m.fold {
			cell = []byte(Folded(text))
		}
		m.texts[string(cell)] = true
		if len(cell) > 0 {
			m.starts[cell[0]] = true
			m.numbers = m.numbers || isDigit(cell[0]) || cell[0] == '-' && len(cell) > 1 &&
				isDigit(cell[1])
		}
	}
	return m, nil
}

func (m *missing) has(cell []byte) bool {
	if cell = trim(cell); m.fold {
		return m.texts[Folded(string(cell))]
	}
	return len(cell) > 0 && m.starts[cell[0]] && m.texts[string(cell)]
}
