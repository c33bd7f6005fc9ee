package table

import (
	"strconv"

	"hush/core/domain"
)

// Use says which rows of each person are used, where a column names the persons
// ([EncodeParams].Person): at most k of them, at most k in each of at most g groups, or all of them
// for one value. It is public and part of the recipe. Without one, a row of each person is drawn
// from all of them before the conditions are looked at.
//
// # Guarantee
//
// Every person has the same number of entries, [Use].Entries, some of which may be none; n times
// that is public. What stands in a person's entries depends on that
// person's rows and on keys that are drawn before the first row is read, and on nothing else in the
// file. So data sets that differ in all rows of one person become columns that differ in the
// entries of that person at most, for every key. Proof: use.md, Theorems 1 and 2. Identifiers are
// told apart by hashes, of which no two are equal but for a chance below n²/2^121 (H: use.md
// no-collision). In a file of counts each person has that many entries already (H: use.md e-each).
// That the number of persons is treated as public is left to the caller (H: use.md public-number).
//
// # Input and output
//
// Only rows that meet all conditions are used; a person without any stays one of n, with none in
// every entry. The columns of [Encoded] are in the order of persons, with Entries consecutive
// entries for each.
//
// # Errors
//
// [*param.Error] (use.rows, use.groups, use.column, use.usual, use.values, use.of, use.by) from the
// parameters alone; [*MemoryError] when the entries of all persons need more memory than there is.
//
// # Cost and accuracy
//
// Constant time for each row, with g steps for g groups. Of each person: 32 to 48 bytes, the
// entries, 12 bytes for each group, and up to 24 for each value. Measured in PERSONS.md.
//
// # Reference
//
// Vitter, "Random sampling with a reservoir", 1985, Algorithm R, for the rows; the groups are those
// of the smallest keyed hashes. Differs: the draws are a keyed hash of the person and of the number
// of that person's earlier rows, so that no draw depends on how many rows another person has.
// Bounding by groups follows Wilson, Zhang, Lam, Desfontaines, Simmons-Marengo, Gipson,
// "Differentially private SQL with bounded user contribution", 2020.
type Use struct {
	// Rows is k, the most rows of each person, or of each person in one group: 1 to 1000, drawn
	// without replacement. 0 with Values.
	Rows int `json:"rows,omitempty"`
	// Groups is g, the most groups of each person, drawn without replacement; 0: rows are not
	// bounded by group. Rows times Groups is at most 1000.
	Groups int `json:"groups,omitempty"`
	// Column holds the group of a row, from 1, as written except for spaces around it and zero
	// bytes at its end; texts of this column are read the same way. A row whose cell is then empty
	// is in no group and not used.
	Column int `json:"column,omitempty"`
	// Usual is about how many rows a person has that count, a number above 0, if that is known
	// publicly; empty: it is not. It changes no answer and no loss: only statements before a
	// release about the quality of the answer use it.
	Usual string `json:"usual,omitempty"`
	// Values are the columns that hold one value made from all rows of a person. Other columns take
	// theirs from one row of that person, drawn at random.
	Values []Value `json:"values,omitempty"`
}

// Value says how a column's one value for each person is made from that person's rows. The column's
// domain is the domain of the value.
type Value struct {
	Column int `json:"column"` // from 1
	Of     Of  `json:"of"`
	// By is the column of times that decides which rows are the latest, and how it is read.
	By *Wanted `json:"by,omitempty"`
}

// Of says what is taken from a person's rows.
type Of string

// Number, Sum and Mean are exact and then clipped to the bounds of the domain, to the nearest step.
// A cell without a value is left out, whole numbers are read up to ±2^63 and others to a millionth
// or to the domain's digits, if it has more. Smallest, Largest and Latest take one of the rows'
// values. A person without any value has none, but the numbers 0. Groups is counted in 64 bits: on
// average it is off by 0.4 of 5, by 2 of 20 and by 5 of 50, and it is at most 255.
const (
	Number   Of = "number"   // of rows that meet the conditions, whatever the cell
	Groups   Of = "groups"   // about how many different groups, as those of Use.Column
	Sum      Of = "sum"      // of the rows' values
	Mean     Of = "mean"     // of the rows' values
	Smallest Of = "smallest" // of the rows' values in the domain
	Largest  Of = "largest"  // of the rows' values that the domain has
	Latest   Of = "latest"   // the value of the row of the latest time; of equal times one is drawn
)

// maxEntries bounds the entries of each person: larger tables are to be counted elsewhere.
const maxEntries = 1000

// Entries is the number of entries of each person.
func (u *Use) Entries() int64 {
	if u == nil {
		return 1
	}
	return int64(max(u.Rows, 1)) * int64(max(u.Groups, 1))
}

// Filled estimates how many of a person's entries have a row, and reports whether that is known.
func (u *Use) Filled() (entries float64, known bool) {
	most := float64(u.Entries())
	if u == nil || u.Usual == "" {
		return most, most == 1
	}
	usual, err := strconv.ParseFloat(u.Usual, 64)
	if err != nil || !(usual > 0) {
		return most, false // refused by Check
	}
	return min(usual, most), true
}

// of returns how the value of a column is made; an empty text means that it comes from a row.
func (u *Use) of(column int) (v Value) {
	for _, v := range u.Values {
		if v.Column == column {
			return v
		}
	}
	return v
}

// Check refuses, with *param.Error, a use that no file with this many columns allows.
func (u *Use) Check(columns int) error {
	if len(u.Values) == 0 {
		return u.checkRows(columns)
	}
	if u.Usual != "" {
		return refuse("use.usual", strconv.Quote(u.Usual), "nothing: a person has one value")
	}
	if u.Rows != 0 || u.Groups != 0 || u.Column != 0 {
		return refuse("use.rows", strconv.Itoa(u.Rows),
			"nothing: all rows of a person make one value")
	}
	known := map[int]bool{}
	for _, v := range u.Values {
		if v.Column < 1 || v.Column > columns || known[v.Column] { // H: use.md columns
			return refuse("use.values", strconv.Itoa(v.Column),
				"columns from 1 to %d, each once", columns)
		}
		known[v.Column] = true
		switch v.Of {
		case Number, Groups, Sum, Mean, Smallest, Largest, Latest:
		default:
			return refuse("use.of", strconv.Quote(string(v.Of)),
				`"number", "groups", "sum", "mean", "smallest", "largest" or "latest"`)
		}
		if (v.By != nil) != (v.Of == Latest) {
			return refuse("use.by", strconv.Quote(string(v.Of)),
				"a column of times for the latest row, and for nothing else")
		}
		if v.By != nil && (v.By.Column < 1 || v.By.Column > columns) {
			return refuse("use.by", strconv.Itoa(v.By.Column), "1 to %d", columns)
		}
	}
	return nil
}

func (u *Use) checkRows(columns int) error {
	switch {
	case u.Rows < 1 || u.Rows > maxEntries: // H: use.md bounds
		return refuse("use.rows", strconv.Itoa(u.Rows), "1 to %d rows of each person", maxEntries)
	case u.Groups < 0 || u.Entries() > maxEntries: // H: use.md bounds
		return refuse("use.groups", strconv.Itoa(u.Groups),
			"at most %d groups with %d rows each", maxEntries/u.Rows, u.Rows)
	case u.Groups == 0 && u.Column != 0:
		return refuse("use.column", strconv.Itoa(u.Column),
			"nothing: rows are not bounded by group")
	case u.Groups > 0 && (u.Column < 1 || u.Column > columns): // H: use.md columns
		return refuse("use.column", strconv.Itoa(u.Column), "the groups' column, 1 to %d", columns)
	case u.Usual != "":
		if _, known := u.Filled(); !known || len(u.Usual) > 20 {
			return refuse("use.usual", strconv.Quote(u.Usual), "a number above 0, or nothing")
		}
	}
	return nil
}

// numeric refuses a domain without numbers at equal distances.
func (v Value) numeric(spec domain.Spec) error {
	if spec.Kind == domain.Integer || spec.Kind == domain.Decimal {
		return nil
	}
	return refuse("use.of", strconv.Quote(string(v.Of)),
		"a column of whole numbers or decimals: values of the kind %q have no steps", spec.Kind)
}
