package table

// Flaw is one place where the text deviates from RFC 4180 and was read in some way nevertheless.
type Flaw struct {
	Kind   FlawKind
	Record int64
	Line   int64 // of the record's start
	Column int   // from 1; 0 for the whole row
	Byte   int64 // as in Row.Offset
	More   int64 // how many of the kind follow directly and are not reported one by one
}

// FlawKind names the kind of deviation.
type FlawKind string

const (
	// a quoted field does not end within its limits: its quote is taken literally
	UnclosedQuote FlawKind = "unclosedQuote"
	// a lone quote inside a quoted field: taken literally if the field closes on that line
	QuoteInQuoted  FlawKind = "quoteInQuoted"
	BackslashQuote FlawKind = "backslashQuote" // the same behind a backslash
	// a quote inside a field without quotes: taken literally
	QuoteInUnquoted FlawKind = "quoteInUnquoted"
	// spaces before the quote that opens a field: all taken literally
	SpaceBeforeQuote FlawKind = "spaceBeforeQuote"
	SpaceAfterQuote  FlawKind = "spaceAfterQuote" // spaces after a closing quote: left out
	BareCR           FlawKind = "bareCR"          // a CR that ends no line: taken literally
	BlankLine        FlawKind = "blankLine"       // an empty line: no row, or one by the options
	LongRow          FlawKind = "longRow"         // longer than MaxRowBytes: a row without fields
	// more than 100 000 fields: the others are left out
	ManyFields FlawKind = "manyFields"
)
