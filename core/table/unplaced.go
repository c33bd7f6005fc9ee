package table

import (
	"strconv"

	"hush/core/domain"
)

// Unplaced lists the cells of a column that fit no category of its list, in the order of the file:
// each spelling once, only the first few. Like problems they are for the owner's screen alone; rows
// with them are not counted.
type Unplaced struct {
	Column int      `json:"column"` // from 1
	Cells  []string `json:"cells"`  // without the spaces around them
	More   bool     `json:"more,omitempty"`
}

// mostUnplaced is the number of spellings listed, and unplacedBytes the length of the longest: a
// longer text is hardly a category.
const mostUnplaced, unplacedBytes = 40, 200

// Places is the pass that finds cells without a place in the lists of columns.
type Places struct {
	feed    *feed
	columns []placing
	fields  int
	keep    bool
}

type placing struct {
	field  int
	domain domain.Domain
	seen   map[string]bool
	found  Unplaced
}

// NewPlaces checks the columns, which are categories. It refuses with *param.Error.
func NewPlaces(options Options, columns []Wanted, decoders Decoders) (*Places, error) {
	o, err := options.check(true)
	if err != nil {
		return nil, err
	}
	p := &Places{fields: o.Columns, keep: o.Ragged == Keep}
	for _, w := range columns {
		if w.Column < 1 || w.Column > o.Columns {
			return nil, refuse("column", strconv.Itoa(w.Column), "1 to %d", o.Columns)
		}
		if w.Spec.Kind != domain.Category {
			return nil, refuse("kind", string(w.Spec.Kind), "a list of categories")
		}
		d, err := domain.New(w.Spec)
		if err != nil {
			return nil, err
		}
		p.columns = append(p.columns, placing{field: w.Column - 1, domain: d,
			seen: map[string]bool{}, found: Unplaced{Column: w.Column}})
	}
	p.feed, err = newFeed(o, decoders, nil, p.row, nil)
	return p, err
}

func (p *Places) row(r *Row) error {
	fields := r.Len()
	if fields != p.fields && !p.keep {
		return nil // nothing in it is used
	}
	for i := range p.columns {
		c := &p.columns[i]
		if c.field >= fields || c.found.More {
			continue
		}
		cell := r.Field(c.field)
		if _, ok := codeOf(c.domain, cell); ok {
			continue
		}
		text := readable(trimmed(cell))
		spelled := string(text)
		if c.domain.Spec().Fold {
			spelled = domain.Folded(spelled)
		}
		if c.domain.Why(text) != domain.Outside || c.seen[spelled] {
			continue
		}
		if len(c.seen) == mostUnplaced || len(text) > unplacedBytes {
			c.found.More = true
			continue
		}
		c.seen[spelled] = true
		c.found.Cells = append(c.found.Cells, string(text))
	}
	return nil
}

// Write takes the next chunk of the file.
func (p *Places) Write(chunk []byte) error { return p.feed.Write(chunk) }

// Close takes the end of the file.
func (p *Places) Close() error { return p.feed.end() }

// Bytes is the number of bytes taken.
func (p *Places) Bytes() int64 { return p.feed.Bytes() }

// Result lists the cells found in each column that has any, after Close without error.
func (p *Places) Result() (list []Unplaced) {
	for _, c := range p.columns {
		if len(c.found.Cells) > 0 || c.found.More {
			list = append(list, c.found)
		}
	}
	return list
}

var _ Pass = (*Places)(nil)
