package form

import (
	"strconv"
	"strings"

	"hush/core/codebook"
	"hush/core/table"
)

// How says which rows of a person are used.
type How string

const (
	OneRow   How = "one"    // one, drawn at random from all of them (the default)
	SomeRows How = "rows"   // at most a number of them
	ByGroup  How = "groups" // at most a number of them in each of at most a number of groups
	OneValue How = "value"  // all of them, for one value
)

// UseForm holds the statements about a person's rows, as they are typed.
type UseForm struct {
	How          How
	Rows, Groups string
	Usual        string // rows of a person, if that is public
	GroupColumn  int    // from 1; 0: none yet
	ValueColumn  int
	Of           table.Of
	By           int
}

// useFormOf returns the form that yields a use. For a codebook that takes several columns' values
// from all rows it shows the first.
func useFormOf(u *table.Use) (f UseForm) {
	switch {
	case u == nil:
		return f
	case len(u.Values) > 0:
		v := u.Values[0]
		f = UseForm{How: OneValue, ValueColumn: v.Column, Of: v.Of}
		if v.By != nil {
			f.By = v.By.Column
		}
		return f
	case u.Groups > 0:
		f.How, f.Groups, f.GroupColumn = ByGroup, strconv.Itoa(u.Groups), u.Column
	default:
		f.How = SomeRows
	}
	f.Rows, f.Usual = strconv.Itoa(u.Rows), u.Usual
	return f
}

// lacks reports whether something is still to be typed or chosen.
func (f UseForm) lacks() bool {
	blank := func(text string) bool { return strings.TrimSpace(text) == "" }
	switch f.How {
	case SomeRows:
		return blank(f.Rows)
	case ByGroup:
		return blank(f.Rows) || blank(f.Groups) || f.GroupColumn == 0
	case OneValue:
		return f.ValueColumn == 0 || f.Of == "" || f.Of == table.Latest && f.By == 0
	}
	return false
}

// use returns what the form says; nil if it is the default or not complete yet. Values other than
// the first stay unchanged.
func (f UseForm) use(b codebook.Codebook) *table.Use {
	if f.lacks() {
		return nil
	}
	number := func(text string) int { // a text that is no number is refused as 0
		n, _ := strconv.Atoi(strings.TrimSpace(text))
		return n
	}
	switch f.How {
	case SomeRows:
		return &table.Use{Rows: number(f.Rows), Usual: strings.TrimSpace(f.Usual)}
	case ByGroup:
		groups := number(f.Groups)
		if groups == 0 {
			groups = -1 // refused: 0 would mean no bound by group
		}
		return &table.Use{Rows: number(f.Rows), Groups: groups, Column: f.GroupColumn,
			Usual: strings.TrimSpace(f.Usual)}
	case OneValue:
		v := table.Value{Column: f.ValueColumn, Of: f.Of}
		if v.Of == table.Latest {
			v.By = &table.Wanted{Column: f.By}
		}
		return &table.Use{Values: append([]table.Value{v}, f.others(b.Rows.Use)...)}
	}
	return nil
}

// others returns the values of further columns in a codebook.
func (f UseForm) others(u *table.Use) (list []table.Value) {
	if u == nil || len(u.Values) < 2 {
		return nil
	}
	for _, v := range u.Values[1:] {
		if v.Column != f.ValueColumn {
			list = append(list, v)
		}
	}
	return list
}
