package ask

import "hush/core/table"

// Places is the pass that finds which cells of the open file have no place in the lists of columns:
// for its owner's screen. It asks nothing, and what is held for questions stays.
func (s *Session[C]) Places(columns []table.Wanted) (*table.Places, error) {
	if s.opened == nil {
		return nil, ErrNotOpened
	}
	return table.NewPlaces(s.opened.Options, columns, s.Decoders)
}
