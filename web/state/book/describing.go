package book

import (
	"errors"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/table"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/stage"
	"slices"
	"strconv"
	"strings"
)

// Describing is the column whose description is open, as it is typed.
type Describing struct {
	Column int // from 1; 0: none
	Form   form.ColumnForm
	// Outside holds the first rows outside the range typed, for the owner's screen only, and Ladder
	// wider ranges. They block the description until a choice is made.
	Outside []string
	Ladder  []codebook.Values

	typed    bool // something was changed and not accepted
	fault    error
	returnTo stage.Stage // where the description was requested; 0: in the codebook
}

// firstField is the ID of the element with which a description begins.
func (d *Describing) firstField() string {
	switch f := d.Form; {
	case f.Kind == domain.Category:
		return "categories"
	case !f.Bounded():
		return "length"
	case f.NoBounds:
		return "kind"
	}
	return "lo"
}

// Fault returns what is wrong with a field of the description, or "".
func (d *Describing) Fault(field string) string { return faultAt(d.fault, field) }

// OtherFault returns what is wrong with the description outside any field, or "".
func (d *Describing) OtherFault() string {
	var at *param.Error
	if d.fault == nil || errors.As(d.fault, &at) {
		return ""
	}
	return task.Capital(say.Error(d.fault)) + "."
}

func faultAt(err error, field string) string {
	var at *param.Error
	if !errors.As(err, &at) || at.Field != field {
		return ""
	}
	return say.Format("Wanted: %s.", at.Want)
}

// Describe opens the description of a column, from 1.
func (k *Codebook) Describe(column int) {
	c, ok := k.Column(column)
	if !ok {
		return
	}
	from := k.behind()
	k.putAside()
	k.Describing = Describing{Column: column, Form: form.ColumnFormOf(c), returnTo: from}
	if f, ok := k.drafts[column]; ok {
		k.Describing.Form, k.Describing.typed = f, true
		delete(k.drafts, column)
	}
	k.Way.GoTo(stage.Columns)
	k.Update()
	k.Way.Reveal(k.Describing.firstField())
}

// EditColumn changes the typed description of the open column.
func (k *Codebook) EditColumn(change func(*form.ColumnForm)) {
	if k.Describing.Column == 0 {
		return
	}
	change(&k.Describing.Form)
	k.Describing.typed = true
	k.Describing.fault, k.Describing.Outside = nil, nil
	k.Update()
}

// KeepTyped accepts what was typed into the open description, as Done would, and reports whether
// nothing is left there that could get lost.
func (k *Codebook) KeepTyped() bool {
	if k.Describing.Column > 0 && k.Describing.typed {
		k.Describing.returnTo = 0 // something else was pressed, and leads elsewhere
		k.DescribeAs(codebook.Unanswered)
	}
	return k.Describing.Column == 0 || !k.Describing.typed
}

// putAside closes the open description. Typed text that cannot be accepted waits until the column
// is opened again.
func (k *Codebook) putAside() {
	if d := &k.Describing; !k.KeepTyped() {
		if k.drafts == nil {
			k.drafts = map[int]form.ColumnForm{}
		}
		k.drafts[d.Column] = d.Form
	}
	k.Describing = Describing{}
}

// CloseColumn closes the description without accepting what was typed.
func (k *Codebook) CloseColumn() {
	back, column := k.Describing.returnTo, k.Describing.Column
	k.Describing = Describing{}
	if back > 0 {
		k.Way.GoTo(back)
	}
	k.Update()
	if back == 0 && column > 0 {
		k.Way.Reveal(RowID(column))
	}
}

// Suggestions are the public ranges and lists of these kinds that a column's name stands for by
// convention, or else those that numbers most often have. Without kinds, any will do.
func Suggestions(c codebook.Column, kinds ...domain.Kind) []codebook.Suggestion {
	of := func(list []codebook.Suggestion) []codebook.Suggestion {
		return slices.DeleteFunc(list, func(s codebook.Suggestion) bool {
			return len(kinds) > 0 && !slices.Contains(kinds, s.Values.Kind)
		})
	}
	if list := of(codebook.Suggest(c.Header, c.Guess.Kind)); len(list) > 0 {
		return list[:min(len(list), maxSuggestions)]
	}
	return of(codebook.Usual(c.Guess.Kind))
}

const maxSuggestions = 3

// Take describes a column by a suggestion, if no first row lies outside it; otherwise its
// description opens and asks.
func (k *Codebook) Take(column int, s codebook.Suggestion) {
	c, ok := k.Column(column)
	if !ok {
		return
	}
	k.putAside()
	k.Describing = Describing{Column: column, Form: form.ColumnFormOf(c), returnTo: k.behind()}
	f := &k.Describing.Form
	f.Set(s.On(f.Values()))
	if s.Unit != "" {
		f.Unit = s.Unit
	}
	if k.DescribeAs(codebook.Unanswered); k.Describing.Column > 0 {
		k.Way.GoTo(stage.Columns)
		k.Way.Reveal(k.Describing.firstField())
	}
}

// behind is the stage behind the codebook that is open, to which a description leads back; 0: none.
func (k *Codebook) behind() stage.Stage {
	if at := k.Way.Stage(); at > stage.Columns {
		return at
	}
	return 0
}

// Say describes a column by the text typed in its line, of these kinds or, without any, of every
// kind: a range, as "0–120", where it holds numbers or dates, or else categories with commas
// between them. Of nothing it does nothing.
func (k *Codebook) Say(column int, text string, kinds ...domain.Kind) {
	c, ok := k.Column(column)
	if !ok || strings.TrimSpace(text) == "" {
		return
	}
	may := func(kind domain.Kind) bool { return len(kinds) == 0 || slices.Contains(kinds, kind) }
	if spec, ok := form.Span(text, form.ColumnFormOf(c).DomainForm); ok && may(spec.Kind) {
		k.Take(column, codebook.Suggestion{Values: codebook.Values{Spec: spec}})
		return
	}
	if names := form.Split(text, ","); len(names) > 0 && may(domain.Category) {
		k.Take(column, codebook.Suggestion{Values: codebook.Values{
			Spec: domain.Spec{Kind: domain.Category, Categories: names}}})
		return
	}
	k.Describe(column) // which has a field for each bound
}

// Widen describes the open column by a wider range.
func (k *Codebook) Widen(v codebook.Values) {
	k.Describing.Form.Lo, k.Describing.Form.Hi = v.Lo, v.Hi
	k.DescribeAs(codebook.Unanswered)
}

// DescribeAs accepts what was typed into the codebook, and closes the description. As long as first
// rows lie outside it, the choice must say what that means.
func (k *Codebook) DescribeAs(choice codebook.Choice) {
	d := &k.Describing
	c, ok := k.Column(d.Column)
	if !ok {
		return
	}
	values := d.Form.Values()
	if values.Kind == domain.Category && choice == codebook.Unanswered {
		choice = codebook.Errors // cells without a place are found in the whole file
	}
	described, err := c.Describe(values, k.Data.First(c.Number), choice)
	next := k.Codebook
	if err == nil {
		described.Name, described.Unit = strings.TrimSpace(d.Form.Name),
			strings.TrimSpace(d.Form.Unit)
		if described.Name == described.Header {
			described.Name = ""
		}
		next, err = k.With(described)
	}
	d.fault, d.Outside, d.Ladder = nil, nil, nil
	switch {
	case errors.Is(err, codebook.ErrOutside):
		d.outside(c, values, k.Data.First(c.Number))
		k.Update()
		return
	case err != nil:
		d.fault = err
		k.Update()
		return
	}
	k.Asked.Remember("")
	k.Codebook = next
	back, column := d.returnTo, d.Column
	k.Describing = Describing{}
	k.Asked.Settle()
	switch {
	case back == 0:
		k.Way.Reveal(RowID(column))
	case back == k.Way.Stage(): // what was pressed is gone
		k.Way.Reveal(back.ID())
	default:
		k.Way.GoTo(back)
	}
}

// outside shows the first rows outside the values, and offers wider ranges.
func (d *Describing) outside(c codebook.Column, v codebook.Values, cells []string) {
	seen, err := codebook.Look(v, cells)
	if err != nil {
		return // unreachable: they were looked at
	}
	for _, i := range seen.Outside {
		if !slices.Contains(d.Outside, cells[i]) {
			d.Outside = append(d.Outside, cells[i])
		}
	}
	if v.Kind != domain.Category {
		d.Ladder = codebook.Ladder(c.Header, v, seen.Below, seen.Above)
	}
}

// Undescribe forgets the description of a column.
func (k *Codebook) Undescribe(column int) {
	c, ok := k.Column(column)
	if !ok {
		return
	}
	k.Asked.Remember("")
	if next, err := k.With(c.Undescribe()); err == nil {
		k.Codebook = next
	}
	k.Describing = Describing{}
	k.Asked.Settle()
}

// Accept makes a proposed repair part of the recipe.
func (k *Codebook) Accept(r table.Repair) error {
	if r.Column == 0 {
		options, err := k.Data.Opened.Options.With(r.Field, r.Value)
		if err != nil {
			return err
		}
		k.Data.Reread(func(o *table.Options) { *o = options })
		return nil
	}
	c, ok := k.Column(r.Column)
	if !ok {
		return nil
	}
	f := form.ColumnFormOf(c)
	f.Repair(r)
	choice := codebook.Errors // as it was answered before
	if f.Clamp {
		choice = codebook.Bound
	}
	described, err := c.Describe(f.Values(), k.Data.First(r.Column), choice)
	if err != nil {
		return err
	}
	next, err := k.With(described)
	if err != nil {
		return err
	}
	k.Asked.Remember("")
	k.Codebook = next
	k.Asked.Settle()
	return nil
}

// RowID is the ID of the element of a column's row in the codebook.
func RowID(column int) string { return "column-" + strconv.Itoa(column) }
