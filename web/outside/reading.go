package outside

import (
	"cmp"

	"hush/core/phrase"
	"hush/core/table"
	"hush/web/say"
)

// Words says in words how a table is read.
func Words(o table.Options) string {
	name := say.Text(
		map[string]phrase.Key{",": "commas", ";": "semicolons", "\t": "tabs",
			"|": "bars", "\x01": "control characters U+0001", "~": "tildes", "^": "carets",
			":": "colons", " ": "spaces"}[o.Delimiter])
	if name == "" {
		name = "“" + o.Delimiter + "”"
	}
	header := say.Text("no row of names")
	if o.Header == table.Yes {
		header = say.Text("names in the first row")
	}
	if o.Made() {
		return say.Count(int64(o.Columns), "%d column, %s", "%d columns, %s", o.Columns, header)
	}
	return say.Count(int64(o.Columns), "%d column, separated by %s, %s, %s text",
		"%d columns separated by %s, %s, %s text",
		o.Columns, name, header, o.Encoding)
}

// filled returns options with their defaults, and with the file's where they are left open.
func (f File) filled(o table.Options) table.Options {
	o = o.Filled()
	for _, open := range []struct {
		of  *string
		own string
	}{{&o.Encoding, f.Own.Encoding}, {&o.Delimiter, f.Own.Delimiter}, {&o.Header, f.Own.Header},
		{&o.Compression, f.Own.Compression}, {&o.Newline, f.Own.Newline},
		{&o.Blank, f.Own.Blank}} {
		*open.of = cmp.Or(*open.of, open.own)
	}
	o.Columns = cmp.Or(o.Columns, f.Own.Columns)
	return o
}

// readingLine sets how the file is to be read beside how it looks.
func (f File) readingLine(o table.Options) string {
	came, own := Words(o), Words(f.Own)
	switch {
	case f.Own.Header == table.Yes && o.Header == table.No:
		return say.Format("The first row: in your file it looks like names, the description says "+
			"that it is a person: %s.", came)
	case f.Own.Header == table.No && o.Header == table.Yes:
		return say.Format("The first row: in your file it looks like a person, the description "+
			"says that it holds names: %s.", came)
	case came == own:
		return say.Format("How the file is read: not as it looks, in a detail that may change "+
			"how many rows it has: %s.", text(o))
	}
	return say.Format("How the file is read: your file looks like %s, the description says "+
		"%s.", own,
		came)
}

// useLine says which rows of a person count.
func useLine(u table.Use) string {
	switch {
	case len(u.Values) > 0:
		return say.Text("Of each person, all rows make one value in the columns that say so.")
	case u.Groups > 0:
		return say.Format("Of each person, at most %d rows count in each of at most %d groups of "+
			"column %d.", u.Rows, u.Groups, u.Column)
	}
	return say.Format("Of each person, at most %d rows count.", u.Rows)
}
