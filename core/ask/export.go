package ask

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Filed is a Result whose table in a file differs from the one on a page.
type Filed interface {
	Result
	// File returns the result as rows of text under a header row, for programs: numbers are plain,
	// and each cell holds one number.
	File(column string) [][]string
}

// Wide is a Result that can be laid out as people print it, with one column for each place on one
// of its axes.
type Wide interface {
	Result
	// Wide returns the result as rows of text under a header row.
	Wide(column string) [][]string
}

// WideCSV returns the answer in the wide layout as CSV, each row with the verdict on the whole
// answer; ok is false where it has no such layout.
func (r *Release[C]) WideCSV() (text string, ok bool) {
	wide, ok := r.Answer.Result.(Wide)
	if !ok {
		return "", false
	}
	return CSV(r.marked(wide.Wide(r.Plan.Column), nil)), true
}

// marked gives rows a header of names for programs, a column “only” with the conditions on who
// counts, if there are any and, where the answer was judged or opened from a file, a last column
// that says so: the grade of each row, if there is a grade for each.
func (r *Release[C]) marked(rows [][]string, grades []Grade) [][]string {
	rows = slices.Clone(rows)
	rows[0] = machineNames(rows[0])
	if only := r.Recipe.Having(nil); only != "" {
		rows[0] = append(rows[0], "only")
		for i, row := range rows[1:] {
			rows[i+1] = append(slices.Clone(row), only)
		}
	}
	if r.Verdict == nil && !r.Unverified {
		return rows
	}
	rows[0] = append(rows[0], "verdict")
	for i, row := range rows[1:] {
		verdict := "unverified"
		switch {
		case r.Unverified:
		case len(grades) == len(rows)-1:
			verdict = string(grades[i])
		default:
			verdict = string(r.Verdict.Grade)
		}
		rows[i+1] = append(slices.Clone(row), verdict)
	}
	return rows
}

// CSV returns the answer's table as RFC 4180 text. Programs read it: its header is in small ASCII
// letters, digits and underscores (age_from, age_to, count, low, high), the columns of a 95 %
// interval are low and high, and its numbers are plain. Conditions on who counts fill a column
// named only. Where the answer was judged, the last column is its verdict: good, rough or noise,
// for each row if rows were judged one by one. A release opened from a file has “unverified” there.
// A cell that a spreadsheet could take for a formula gets an apostrophe in front (numbers do not).
func (r *Release[C]) CSV() string {
	rows, _ := r.Rows()
	return CSV(rows)
}

// Rows returns the table that CSV writes, and the headers from which its names for programs are
// made; the columns that CSV adds to the answer have no header there.
func (r *Release[C]) Rows() (rows [][]string, headers []string) {
	if filed, ok := r.Answer.Result.(Filed); ok {
		rows = filed.File(r.Plan.Column)
	} else {
		rows = r.Answer.Table(Voice{}, r.Plan.Column) // programs know no noun
	}
	var grades []Grade
	if r.Verdict != nil {
		grades = r.Verdict.Cells
	}
	return r.marked(rows, grades), rows[0]
}

// machineNames turns the headers of a table into distinct names that every program accepts, without
// text in brackets and without characters beyond ASCII.
func machineNames(header []string) []string {
	var names []string
	for _, text := range header {
		short, _, _ := strings.Cut(text, " (")
		var b strings.Builder
		for _, c := range strings.ToLower(short) {
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
				b.WriteRune(c)
			case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
				b.WriteByte('_')
			}
		}
		name := strings.TrimSuffix(b.String(), "_")
		if name == "" || name[0] >= '0' && name[0] <= '9' {
			name = strings.TrimSuffix("column_"+name, "_")
		}
		for number := 2; slices.Contains(names, name); number++ {
			name = fmt.Sprintf("%s_%d", strings.TrimSuffix(name, fmt.Sprintf("_%d", number-1)),
				number)
		}
		names = append(names, name)
	}
	return names
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

// Defuse makes a cell harmless to spreadsheets: a cell that they could take for a formula gets an
// apostrophe in front. Such cells begin with a sign of formulas, full-width and small forms
// included, after any invisible characters that may be dropped (white space, marks, controls, bytes
// that are no text), or with a character that separates cells. Plain numbers stay.
func Defuse(cell string) string {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(cell, unseen))
	if IsNumber(cell) || !strings.ContainsRune(formulaSigns, first) &&
		strings.IndexAny(cell, "\t\r\n") != 0 {
		return cell
	}
	return "'" + cell
}

// formulaSigns begin a formula; a spreadsheet may take the full-width and small forms for the
// others.
const formulaSigns = "=+-@＝＋－＠﹦﹢﹣﹫"

// unseen reports whether a character is invisible: anything but letters, numbers, punctuation and
// symbols, and the letters that are blank.
func unseen(c rune) bool {
	return c == utf8.RuneError || strings.ContainsRune("\u115f\u1160\u3164\uffa0\u2800", c) ||
		!unicode.IsLetter(c) && !unicode.IsNumber(c) && !unicode.IsPunct(c) && !unicode.IsSymbol(c)
}

// IsNumber reports whether a cell is a plain decimal number.
func IsNumber(cell string) bool {
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

// JSON returns the release with its recipe, its guarantee, the build of the program that made it
// (empty: not stated) and its checksum ([WithChecksum]).
func (r *Release[C]) JSON(build string) string {
	text, err := json.MarshalIndent(struct {
		*Release[C]
		Build string `json:"build,omitempty"`
	}{r, build}, "", "  ")
	if err != nil {
		panic("ask: internal error: " + err.Error())
	}
	return WithChecksum(string(text) + "\n")
}
