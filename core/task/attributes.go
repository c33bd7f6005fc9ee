package task

import (
	"fmt"
	"slices"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/phrase"
	queries "hush/core/query"
)

// roleAttribute is the role of columns in which each category, and each side of a cut point, is a
// yes/no attribute.
var roleAttribute = ask.Role{
	Name: "attribute", Label: "attributes",
	Help: "Each category of a column becomes a yes or no, and so does each side of a cut point: " +
		"“city = Hill”, “age ≥ 18”, “age < 18”. Lists and cut points are public.",
	Domains: append(slices.Clone(orderedKinds), domain.Category), Min: 1, Max: 64, Cuts: true,
}

// Attribute is a public yes-or-no property of a person.
type Attribute struct {
	Name   string `json:"name"`           // "age ≥ 18"
	Column string `json:"column"`         // the published name of the column it is about
	Of     int    `json:"of"`             // which of the attributes' columns, from 0
	Side   Side   `json:"side,omitempty"` // of a cut point; empty: it is a category
	Cut    int    `json:"cut,omitempty"`  // which cut point, or category that it is not, from 0
}

// Side is the side of a cut point on which an attribute lies.
type Side string

const (
	FromCut  Side = "from"
	BelowCut Side = "below"
	NotIt    Side = "not" // of a category
)

// clinicAttributes and districts are columns of the made-up data sets.
var (
	clinicAttributes = []ask.Field{
		{Role: roleAttribute.Name, Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"},
			Cuts:   []string{"18", "65"}},
		{Role: roleAttribute.Name, Column: 3, Label: "district", Domain: districts},
		{Role: roleAttribute.Name, Column: 4, Label: "department", Domain: departments},
	}
	districts = domain.Spec{
		Kind:       domain.Category,
		Categories: []string{"Harbour", "Hill", "Market", "Mill", "Old Town", "Park"}}
	departments = domain.Spec{
		Kind:       domain.Category,
		Categories: []string{"children", "eyes", "general", "heart", "injuries"}}
)

// attributes are the attributes in a recipe's columns, with functions to read them.
type attributes struct {
	list    []Attribute
	columns []queries.Column // by column, the sets of them that a person can have
	first   int              // of the columns, among data.others
	reads   []func(code uint64, yes func(attribute int))
}

const (
	mostAttributes = 256
	mostWords      = 1 << 26 // of 64 attributes of one person each: half a gigabyte
)

// attributesOf makes the attributes of a recipe's columns, and refuses columns without any.
//
// With negations, each category of a column with more than two also has its “not”: the people with
// another category.
//
// With negations, and where there are more than two categories, each has its “not” too: those who
// have another one.
func attributesOf(q *ask.Query, negations bool) (*attributes, error) {
	fields, first := q.Role(roleAttribute.Name)
	a := &attributes{first: first}
	for i, f := range fields {
		from, column := len(a.list), queries.Column{}
		if f.Field.Domain.Kind == domain.Category {
			if len(f.CutCodes) > 0 {
				return nil, ask.Refuse(ask.OtherField(first+i, "cuts"), fmt.Sprintf("%q", f.Cuts),
					phrase.Of("none: each category is an attribute"))
			}
			size := int(f.Values.Size().Uint64())
			negated := negations && size > 2
			add := func(is string, side Side) {
				for code := range size {
					one := Attribute{f.Name(q.Say) + is + f.Values.Decode(uint64(code)),
						f.Name(q.Say), i, side, 0}
					if side == NotIt {
						one.Cut = code
					}
					a.list = append(a.list, one)
				}
			}
			if add(" = ", ""); negated {
				add(" ≠ ", NotIt)
			}
			read := func(code uint64, yes func(int)) {
				yes(from + int(code))
				for other := range size {
					if negated && other != int(code) {
						yes(from + size + other)
					}
				}
			}
			for code := range size {
				column = append(column, setOf(read, uint64(code)))
			}
			a.reads = append(a.reads, read)
		} else {
			if len(f.CutCodes) == 0 {
				return nil, ask.Refuse(ask.OtherField(first+i, "cuts"), "none",
					phrase.Of("at least one cut point, such as 18: the values from there on are "+
						"one attribute, those below another"))
			}
			for j, cut := range f.CutCodes {
				value := f.Values.Decode(cut)
				a.list = append(a.list,
					Attribute{f.Name(q.Say) + " ≥ " + value, f.Name(q.Say), i, FromCut, j},
					Attribute{f.Name(q.Say) + " < " + value, f.Name(q.Say), i, BelowCut, j})
			}
			read := func(code uint64, yes func(int)) {
				for j, cut := range f.CutCodes {
					if code >= cut {
						yes(from + 2*j)
					} else {
						yes(from + 2*j + 1)
					}
				}
			}
			for _, first := range append([]uint64{0}, f.CutCodes...) { // of each bin
				column = append(column, setOf(read, first))
			}
			a.reads = append(a.reads, read)
		}
		a.columns = append(a.columns, column)
		if len(a.list) > mostAttributes {
			return nil, ask.Refuse(ask.OtherField(first+i, "column"),
				phrase.Of("%d attributes up to this column", len(a.list)),
				phrase.Of("at most %d", mostAttributes))
		}
	}
	return a, q.CheckPersons(mostWords / int64((len(a.list)+63)/64))
}

// setOf returns the attributes of a value.
func setOf(read func(code uint64, yes func(attribute int)), code uint64) (cell queries.Set) {
	read(code, func(attribute int) { cell = cell.With(attribute) })
	return cell
}

// records reads everybody's attributes into n records; records of people without values, and of
// rows that count for nobody, are empty. each, if it is not nil, is called with every row and its
// person.
func (a *attributes) records(data ask.Data, people int64,
	each func(row, person int)) (*queries.Records, error) {
	records, err := queries.NewRecords(int(max(people, 1)), len(a.list))
	if err != nil {
		return nil, err
	}
	columns := valuesOf(data.Others[a.first : a.first+len(a.reads)])
	forEachPerson(columns[0], people, func(row, person int) {
		for i, column := range columns {
			if code, ok := column.Code(row); ok {
				a.reads[i](code, func(attribute int) { records.Yes(person, attribute) })
			}
		}
		if each != nil {
			each(row, person)
		}
	})
	return records, nil
}

// forEachPerson numbers the people of a column's rows, up to n of them.
func forEachPerson(column basic.Values, people int64, f func(row, person int)) {
	person, persons := 0, personsIn(column)
	for row := range column.Len() {
		for times := persons(row); times > 0 && person < int(people); times-- {
			f(row, person)
			person++
		}
	}
}

// personsIn returns a function for the number of persons that a row of a column stands for: 1 where
// persons are not counted.
func personsIn(column basic.Values) func(row int) uint64 {
	if counted, ok := column.(basic.Counted); ok {
		return counted.Persons
	}
	return func(int) uint64 { return 1 }
}
