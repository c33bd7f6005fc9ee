package ask

import "hush/core/table"

// Places returns the pass that finds the cells of the open file that are missing from the lists of
// columns, for its owner's screen. It asks no question, and columns held for questions stay.
func (s *Session[C]) Places(columns []table.Wanted) (*table.Places, error) {
	if s.opened == nil {
		return nil, ErrNotOpened
	}
	return table.NewPlaces(s.opened.Options, columns, s.Decoders)
}
