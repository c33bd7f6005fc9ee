package edit

import (
	"strconv"

	"hush/web/say"
)

// The elements of the whole page, and of the bar that stays below it.
const (
	PageID = "page"
	BarID  = "page-bar"
)

// GripID is the ID of the element by which a piece is moved.
func (p *Piece) GripID() string { return "grip-" + strconv.Itoa(p.ID) }

// WordsID is the ID of the element into which the text of a piece is typed.
func (p *Piece) WordsID() string { return "words-" + strconv.Itoa(p.ID) }

func movedText(at, of int) string { return say.Format("Now in place %d of %d.", at, of) }
