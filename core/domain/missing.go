package domain

import "fmt"

// missing is the set of cells that mean "no value". Spaces around a cell do not count.
type missing struct {
	some  bool // the list is not empty
	texts map[string]bool
}

func newMissing(spec Spec) (missing, error) {
	const most = 1000
	if len(spec.Missing) > most {
		return missing{}, refuse("missing", fmt.Sprint(len(spec.Missing)), fmt.Sprintf("at most %d texts", most))
	}
	m := missing{some: len(spec.Missing) > 0, texts: make(map[string]bool, len(spec.Missing))}
	for _, text := range spec.Missing {
		m.texts[string(trim([]byte(text)))] = true
	}
	return m, nil
}

func (m missing) has(cell []byte) bool { return m.some && m.texts[string(trim(cell))] }
