package table

import (
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/phrase"
)

// The words of every problem. Text describes it, Advice says how it was read and what to do about
// it.

// flawProblem returns the problem for a flaw in the form of the text.
func flawProblem(kind FlawKind, o Options) Problem {
	var p Problem
	switch kind {
	case UnclosedQuote:
		p.Text = phrase.Of("a quote opens a field, and none closes it within %d lines, %d bytes "+
			"and the rest of the file", o.MaxFieldLines, o.MaxFieldBytes)
		p.Advice = phrase.Of("the quote is read as a character and its row ends with its line; " +
			"allow longer fields if there are any")
		p.Repair = &Repair{Label: phrase.Of("Read every quote as a character"), Field: "quotes",
			Value: NoneValue}
	case QuoteInQuoted:
		p.Text = phrase.Of("a quote inside a quoted field is not doubled")
		p.Advice = phrase.Of("it is read as a character, or as the end of the field if no other " +
			"follows on the same line; check that the field is as it should be")
	case BackslashQuote:
		p.Text = phrase.Of(
			"a backslash in front of a quote inside a quoted field, where a quote should be " +
				"doubled")
		p.Advice = phrase.Of("the two are read like any other characters, so that the field may " +
			"end too early or too late")
		p.Repair = &Repair{Label: phrase.Of(`Read \" as a quote`), Field: "quotes",
			Value: Backslash}
	case QuoteInUnquoted:
		p.Text = phrase.Of("a quote inside a field that does not start with one")
		p.Advice = phrase.Of("it is read as a character")
	case SpaceBeforeQuote:
		p.Text = phrase.Of("spaces in front of the quote that opens a field")
		p.Advice = phrase.Of("the spaces and the quotes are read as characters, and delimiters " +
			"between them end the field")
		p.Repair = &Repair{Label: phrase.Of("Leave out spaces around fields"), Field: "trim",
			Value: "true"}
	case SpaceAfterQuote:
		p.Text = phrase.Of("spaces behind the quote that closes a field")
		p.Advice = phrase.Of("they are left out")
		p.Repair = &Repair{Label: phrase.Of("Leave out spaces around fields"), Field: "trim",
			Value: "true"}
	case BareCR:
		p.Text = phrase.Of("a carriage return (CR) that no line feed follows")
		p.Advice = phrase.Of("it is read as a character; it may be meant as the end of a line")
		p.Repair = &Repair{Label: phrase.Of("End lines at CR too"), Field: "newline", Value: Any}
	case BlankLine:
		p.Text = phrase.Of("an empty line")
		p.Advice = phrase.Of("it is no row; in a file of one column it may be an empty value")
		if o.Columns == 1 {
			p.Repair = &Repair{Label: phrase.Of("Count empty lines as rows"), Field: "blank",
				Value: RowBlank}
		}
		if o.Blank == RowBlank {
			p.Advice = phrase.Of("it is a row without a value; at the end of a file it may be none")
			p.Repair = &Repair{Label: phrase.Of("Leave out empty lines"), Field: "blank",
				Value: SkipBlank}
		}
	case LongRow:
		p.Text = phrase.Of("a row of more than %d bytes", o.MaxRowBytes)
		p.Advice = phrase.Of("it counts as one row without values; look for a forgotten quote or " +
			"another kind of line end")
		if o.MaxRowBytes <= 1<<26 {
			p.Repair = &Repair{Label: phrase.Of("Allow rows of 8 times that length"),
				Field: "maxRowBytes", Value: strconv.Itoa(8 * o.MaxRowBytes)}
		}
	case ManyFields:
		p.Text = phrase.Of("a row of more than %d fields", maxColumns)
		p.Advice = phrase.Of("the fields behind are left out; look whether the delimiter is right")
	}
	return p
}

func severalLines() Problem {
	return Problem{Text: phrase.Of("a quoted field of several lines"),
		Advice: phrase.Of("they are part of one row; where a quote is there by mistake, they " +
			"should be rows of their own")}
}

// CountsRows says whether how many rows there are depends on such places: on an unconfirmed reading
// of them what one cell holds could change the published number.
func (p Problem) CountsRows() bool {
	switch p.Kind {
	case "severalLines", "shortRow", string(UnclosedQuote), string(QuoteInQuoted),
		string(BackslashQuote), string(BlankLine), string(BareCR), string(LongRow):
		return true
	}
	return false
}

// raggedKind names the problem of a row with another number of fields.
func raggedKind(fields int, lastEmpty bool, o Options) string {
	switch {
	case fields < o.Columns:
		return "shortRow"
	case fields == o.Columns+1 && lastEmpty:
		return "trailingDelimiter"
	}
	return "longerRow"
}

func raggedProblem(kind string, o Options) Problem {
	p := Problem{
		Repair: &Repair{Label: phrase.Of("Use the fields that such rows have"), Field: "ragged",
			Value: Keep}}
	reading := phrase.Of("such a row counts as one without values")
	if o.Ragged == Keep {
		reading, p.Repair = phrase.Of("the fields that such a row has are used"), nil
	}
	switch kind {
	case "shortRow":
		p.Text = phrase.Of("a row has fewer fields than %d", o.Columns)
		p.Advice = phrase.Of(
			"%s; if only empty fields at the end were left out, use the fields there are", reading)
	case "trailingDelimiter":
		p.Text = phrase.Of(
			"a row has a delimiter behind its last field, which makes %d fields and not %d",
			o.Columns+1, o.Columns)
		p.Advice = phrase.Of(
			"%s; an empty field at the end does no harm, so use the fields there are", reading)
	default:
		p.Text = phrase.Of("a row has more fields than %d", o.Columns)
		p.Advice = phrase.Of(
			"%s; a delimiter inside a field that should be quoted shifts the fields behind it",
			reading)
	}
	return p
}

func badUTF8() Problem {
	return Problem{Text: phrase.Of("bytes that are no UTF-8"),
		Advice: phrase.Of("each is read as a Windows-1252 character; if accents look wrong, the " +
			"file has another encoding"),
		Repair: &Repair{Label: phrase.Of("Read the file as Windows-1252"), Field: "encoding",
			Value: Windows1252}}
}

func badText(o Options) Problem {
	return Problem{Text: phrase.Of("bytes that are no character in %s", o.Encoding),
		Advice: phrase.Of("they are read as the replacement character; the file may be damaged " +
			"or have another encoding")}
}

func badUTF16(likely string) Problem {
	p := Problem{Text: phrase.Of("half a character where UTF-16 has pairs"),
		Advice: phrase.Of("it is read as the replacement character; the file may be cut off or " +
			"have another encoding")}
	if likely == UTF8 {
		p.Repair = &Repair{Label: phrase.Of("Read the file as UTF-8"), Field: "encoding",
			Value: UTF8}
	}
	return p
}

func zeroBytes(o Options, likely string) Problem {
	p := Problem{Text: phrase.Of("a character NUL (a byte 0) in the text"),
		Advice: phrase.Of("it is kept, and a number with it is unreadable; if there is one " +
			"beside every letter, the file is UTF-16")}
	if o.Encoding == UTF8 || o.Encoding == Windows1252 {
		switch likely {
		case UTF16LE:
			p.Repair = &Repair{Label: phrase.Of("Read the file as UTF-16 (little-endian)"),
				Field: "encoding", Value: UTF16LE}
		case UTF16BE:
			p.Repair = &Repair{Label: phrase.Of("Read the file as UTF-16 (big-endian)"),
				Field: "encoding", Value: UTF16BE}
		}
	}
	return p
}

func emptyName() Problem {
	return Problem{Text: phrase.Of("a column without a name in the header"),
		Advice: phrase.Of("it goes by its number; give it a name of your own")}
}

func sameName() Problem {
	return Problem{Text: phrase.Of("a column has the name of another one"),
		Advice: phrase.Of(
			"columns go by their number, so nothing is mixed up; give it a name of your own")}
}

func otherHeader(fields int, o Options, titled bool) Problem {
	p := Problem{
		Text: phrase.Of("the header has %s, and rows have %d",
			phrase.Count(int64(fields), "%d field", "%d fields", fields), o.Columns),
		Advice: phrase.Of("columns without a name go by their number; if this row is a title " +
			"above the table, skip it"),
	}
	if titled {
		p.Repair = &Repair{Label: phrase.Of("Skip this row"), Field: "skip",
			Value: strconv.Itoa(o.Skip + 1)}
	}
	return p
}

// unsureDelimiter is the problem of a delimiter that may be part of the fields, or of two that cut
// the rows alike.
func unsureDelimiter() Problem {
	return Problem{
		Text: phrase.Of("it is not sure what separates the fields"),
		Advice: phrase.Of("look at the first rows; where they are not as they should be, choose " +
			"another separator")}
}

// titleSkipped is the problem of a title that the proposal leaves out.
func titleSkipped(rows int) Problem {
	return Problem{
		Text: phrase.Count(int64(rows), "the first row is a title above the table",
			"the first %d rows are a title above the table", rows),
		Advice: phrase.Of("it is no part of the table; look whether the columns have their names")}
}

// titleRows is the problem of rows above the others; titled says that the row below holds names.
func titleRows(skip, rows, columns int, titled bool) Problem {
	what, label := phrase.Of("the first %d rows have", rows), phrase.Of("Skip %d rows", rows)
	if rows == 1 {
		what, label = phrase.Of("the first row has"), phrase.Of("Skip one row")
	}
	p := Problem{
		Text: phrase.Of("%s other numbers of fields than %d, as the rows below have", what,
			columns),
		Advice: phrase.Of("if that is a title above the table, skip it")}
	if titled {
		p.Repair = &Repair{Label: label, Field: "skip", Value: strconv.Itoa(skip + rows)}
	}
	return p
}

func emptyFile() Problem {
	return Problem{Text: phrase.Of("the file is empty"), Advice: phrase.Of("open another file")}
}

// noRows is the problem of a file without rows; named says that the header looks like one.
func noRows(o Options, named bool) Problem {
	p := Problem{Text: phrase.Of("there is no row"), Advice: phrase.Of("open another file")}
	if o.Header == Yes {
		p = Problem{Text: phrase.Of("there is no row below the header"),
			Advice: phrase.Of("if the first row is data, say that there is no header")}
		if !named {
			p.Repair = &Repair{Label: phrase.Of("The first row is data"), Field: "header",
				Value: No}
		}
	}
	return p
}

// NotText is the kind of the problem of a file that is no text, so that no reading of it makes
// sense.
const NotText = "notText"

func wideText() Problem {
	return Problem{Text: phrase.Of("the file is text in UTF-32, which is not read"),
		Advice: phrase.Of("save it in UTF-8 and open that")}
}

func notText(a alien) Problem {
	return Problem{Text: phrase.Of("the file is %s, not CSV", a.what), Advice: phrase.Of(a.how)}
}

// unreadable is the problem of cells that are no value of the kind at all. cell is one of them, for
// a proposal.
func unreadable(column int, spec domain.Spec, cell []byte) Problem {
	what := phrase.Of(map[domain.Kind]phrase.Key{
		domain.Integer: "a whole number", domain.Decimal: "a number", domain.Float64: "a number",
		domain.Date: "a date", domain.Timestamp: "a date with a time", domain.Text: "valid UTF-8",
	}[spec.Kind])
	if spec.Kind == domain.Date || spec.Kind == domain.Timestamp {
		form := phrase.Plain(spec.Format)
		if form.IsZero() {
			form = phrase.Plain("YYYY-MM-DD")
			if spec.Kind == domain.Timestamp {
				form = phrase.Of("YYYY-MM-DD hh:mm:ss")
			}
		}
		what = phrase.Glue(what, " ", phrase.Of("as %q", form))
	}
	return Problem{Text: phrase.Of("a cell of column %d is not %s", column, what),
		Advice: phrase.Of("it counts as no value; correct the file, list the text as missing, or " +
			"choose another type"),
		Repair: cellRepair(column, spec, cell)}
}

// between is the problem of values between two steps, where those are none.
func between(column int, spec domain.Spec) Problem {
	p := Problem{Text: phrase.Of("a cell of column %d lies between two steps", column),
		Advice: phrase.Of("it counts as no value; take smaller steps")}
	if spec.Kind == domain.Integer {
		p.Text = phrase.Of("a cell of column %d is a number, but not a whole one", column)
	}
	if spec.Kind == domain.Integer || spec.Kind == domain.Decimal {
		p.Advice = phrase.Of("it counts as no value; take smaller steps, or the nearest one")
		p.Repair = &Repair{Label: phrase.Of("Take the nearest step"), Field: "between",
			Value: domain.Nearest, Column: column}
	}
	return p
}

func badCount() Problem {
	return Problem{Text: phrase.Of("a count is not a whole number from 0 to 2^53"),
		Advice: phrase.Of("its row stands for nobody; correct the file")}
}

// cellRepair proposes how a cell could be read.
func cellRepair(column int, spec domain.Spec, cell []byte) *Repair {
	// The whole list, so that what is published does not say which of the words a cell holds.
	if isNA(string(trimRight(cell[leadingSpaces(cell, 0):], 0))) {
		return &Repair{Label: phrase.Of("Count the usual words for “no value” as missing"),
			Field: "missing", Value: strings.Join(naTexts, ", "), Column: column}
	}
	if spec.Kind != domain.Integer && spec.Kind != domain.Decimal && spec.Kind != domain.Float64 {
		return nil
	}
	for _, wanted := range []domain.Reason{domain.Read, domain.Outside, domain.Between} {
		for _, n := range repairNotations {
			try := spec
			try.Mark, try.Group = n.mark, n.group
			d, err := domain.New(try)
			if err != nil || d.Why(cell) != wanted {
				continue
			}
			if n.mark != spec.Mark && !(n.mark == "." && spec.Mark == "") {
				return &Repair{Label: phrase.Of("Read %q as the decimal mark", n.mark),
					Field: "mark", Value: n.mark, Column: column}
			}
			return &Repair{Label: phrase.Of("Read %q as the thousands mark", n.group),
				Field: "group", Value: n.group, Column: column}
		}
	}
	return nil
}
