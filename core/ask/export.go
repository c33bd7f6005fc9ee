package ask

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
)

// CSV returns the answer's table as RFC 4180 text. A cell that a spreadsheet could take for a
// formula gets an apostrophe in front (numbers do not). It is read by programs, so its header is
// English in every language.
// Its last column is the verdict on each row, or on all of them where rows have none of their own.
func (r *Release[C]) CSV() string { return CSV(r.marked()) }

// marked is the answer's table with its verdict.
func (r *Release[C]) marked() [][]string {
	rows := r.Table(nil)
	if r.Verdict == nil {
		return rows
	}
	marked := make([][]string, len(rows))
	for i, row := range rows {
		mark := string(r.Verdict.Grade)
		if i == 0 {
			mark = "verdict"
		} else if len(r.Verdict.Cells) == len(rows)-1 {
			mark = string(r.Verdict.Cells[i-1])
		}
		marked[i] = append(slices.Clone(row), mark)
	}
	return marked
}

// CSV writes rows as Release.CSV does.
func CSV(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	for _, row := range rows {
		safe := make([]string, len(row))
		for i, cell := range row {
			safe[i] = Defuse(cell)
		}
		_ = w.Write(safe) // a strings.Builder takes everything
	}
	w.Flush()
	return b.String()
}

// Defuse makes a cell harmless to spreadsheets.
func Defuse(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r", rune(cell[0])) || isNumber(cell) {
		return cell
	}
	return "'" + cell
}

// isNumber reports whether a cell is a plain decimal number.
func isNumber(cell string) bool {
	digits := strings.TrimPrefix(cell, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	return allDigits(whole) && (!point || allDigits(fraction))
}

func allDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// JSON returns the release with its recipe and guarantee, and build: which program made it (empty:
// it does not say).
func (r *Release[C]) JSON(build string) string {
	text, err := json.MarshalIndent(struct {
		*Release[C]
		Build string `json:"build,omitempty"`
	}{r, build}, "", "  ")
	if err != nil {
		panic("ask: internal error: " + err.Error())
	}
	return string(text) + "\n"
}
