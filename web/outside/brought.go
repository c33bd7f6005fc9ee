package outside

import (
	"slices"

	"hush/core/codebook"
)

// Brought holds the claims that came from outside to the open file, or to the one that is opened
// next. The zero value holds none.
type Brought struct {
	Left []Claim // columns of a codebook that the file does not have

	claims []Claim           // all that was claimed
	agreed []Claim           // what the owner agreed to, or has released
	own    codebook.Codebook // as it was before anything came
}

// Take records the claims that came: what the codebook says now and did not say before. None of
// them is agreed to.
func (o *Brought) Take(f File, before, now codebook.Codebook) {
	known := f.Claims(before)
	if len(o.open(f, known)) == 0 {
		o.own = before
	}
	for _, c := range f.Claims(now) {
		if !slices.Contains(known, c) && !slices.Contains(o.claims, c) {
			o.claims = append(o.claims, c)
		}
	}
}

// Any reports whether anything was ever claimed.
func (o *Brought) Any() bool { return len(o.claims) > 0 }

// Open lists the claims that came from outside, are in the codebook, and are not agreed to.
func (o *Brought) Open(f File, b codebook.Codebook) []Claim {
	if !o.Any() {
		return nil
	}
	return o.open(f, f.Claims(b))
}

// open lists those claims of a list that came from outside and are not agreed to. The claim that
// each row is another person counts only where the owner, or the name of a column, says otherwise.
func (o *Brought) open(f File, list []Claim) (open []Claim) {
	own := o.own.Rows.Each
	for _, c := range list {
		usual := c.About == Rows && c.Says == string(codebook.One) &&
			(own == "" || own == codebook.One) && len(codebook.Proposed(f.Fields)) == 0
		if !usual && slices.Contains(o.claims, c) && !slices.Contains(o.agreed, c) {
			open = append(open, c)
		}
	}
	return open
}

// Agree adopts all that a codebook says as the owner's own word.
func (o *Brought) Agree(f File, b codebook.Codebook) {
	o.agreed = append(o.agreed, f.Claims(b)...)
}

// Without returns the codebook without the claims that came from outside and are not agreed to.
// What was said before they came is back.
func (o *Brought) Without(f File, b codebook.Codebook) codebook.Codebook {
	for _, c := range o.Open(f, b) {
		switch c.About {
		case Rows:
			b.Rows = o.own.Rows
		case Use:
			b.Rows.Use = o.own.Rows.Use
		case Reading:
			b.Table = o.own.Table
		case Name:
			b.Name = o.own.Name
		case Source:
			b.Source = o.own.Source
		case Noun:
			b.Noun = o.own.Noun
		case Label, Unit, Spelled:
			column, _ := b.Column(c.Column)
			was, _ := o.own.Column(c.Column)
			switch c.About {
			case Label:
				column.Name = was.Name
			case Unit:
				column.Unit = was.Unit
			default:
				column = column.Unspelled()
			}
			if next, err := b.With(column); err == nil {
				b = next
			}
		}
	}
	return b
}
