package table

import "bytes"

// AppendRow appends a row of CSV to out, with a CRLF as RFC 4180 requires. Fields are quoted where
// they must be: with a delimiter, quote or line end inside, with spaces around them, or when a
// single field is empty. A [Scanner] for that delimiter reads them back unchanged.
func AppendRow(out []byte, fields [][]byte, delimiter byte) []byte {
	for i, f := range fields {
		if i > 0 {
			out = append(out, delimiter)
		}
		if !mustQuote(f, delimiter) && !(len(fields) == 1 && len(f) == 0) {
			out = append(out, f...)
			continue
		}
		out = append(out, '"')
		for {
			k := bytes.IndexByte(f, '"')
			if k < 0 {
				break
			}
			out = append(out, f[:k+1]...)
			out = append(out, '"')
			f = f[k+1:]
		}
		out = append(append(out, f...), '"')
	}
	return append(out, '\r', '\n')
}

func mustQuote(f []byte, delimiter byte) bool {
	for _, c := range f {
		if c == delimiter || c == '"' || c == '\n' || c == '\r' {
			return true
		}
	}
	n := len(f)
	return n > 0 && (f[0] == ' ' || f[0] == '\t' || f[n-1] == ' ' || f[n-1] == '\t')
}
