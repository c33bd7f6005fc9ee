package audit

import (
	"fmt"
	"strconv"
	"strings"
)

// Record is a package's table of audits, as its tests wrote it to AUDIT.md: made of Rows under
// Headers.
type Record struct {
	Package string `json:"package"` // "mechanism"
	About   string `json:"about"`   // what the package is for
	Claims  []Line `json:"claims"`  // claims that hold
	Planted []Line `json:"planted"` // claims of broken twins, which are violated
	// Intervals is what INTERVALS.md has beside it, if there is one: see ReadIntervals.
	Intervals [][]string `json:"intervals,omitempty"`
}

// Line is one row. Numbers are as Number printed them.
type Line struct {
	Name     string  `json:"name"`
	DataSets int     `json:"dataSets"`
	Pairs    int     `json:"pairs"` // ordered pairs of neighbours
	Odds     string  `json:"odds"`  // e^ε claimed
	Delta    string  `json:"delta"` // δ claimed
	Found    string  `json:"found"` // e^ε needed at that δ
	Lost     string  `json:"lost"`  // δ needed at that e^ε
	Worst    string  `json:"worst"` // a pair that needs them
	Verdict  Verdict `json:"verdict"`
}

// ReadRecord reads such a file. Anything but tables of Rows with the right verdicts, one line for
// each name, is an error.
func ReadRecord(text string) (r Record, err error) {
	heads := 0
	seen := map[string]bool{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		switch {
		case !strings.HasPrefix(line, "|"):
			continue
		case strings.HasPrefix(Header, line):
			heads++
			continue
		case strings.HasPrefix(line, "|---"):
			continue
		}
		l, err := readLine(line)
		if err != nil {
			return Record{}, fmt.Errorf("audit: line %d: %w", number, err)
		}
		want, list := Holds, &r.Claims
		if heads > 1 {
			want, list = Violated, &r.Planted
		}
		if l.Verdict != want || seen[l.Name] {
			return Record{},
				fmt.Errorf("audit: line %d: %q is %s, want %s, once", number, l.Name, l.Verdict,
					want)
		}
		seen[l.Name] = true
		*list = append(*list, l)
	}
	if heads != 2 || len(r.Claims) == 0 {
		return Record{},
			fmt.Errorf("audit: %d tables with %d claims, want a table of claims and one of "+
				"planted mistakes", heads, len(r.Claims))
	}
	return r, nil
}

// intervalCells matches a row's question, people, ε, stated and true error, the fraction of the
// proven bound that the stated error is, and how often it held in 100.
const intervalCells = 7

// ReadIntervals reads the rows of the table, written by a test, that shows how often intervals
// hold. Anything but one table with rows of that many cells is an error.
func ReadIntervals(text string) (rows [][]string, err error) {
	heads := 0
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "|--"):
			heads++
			rows = nil // what came before was the header
			continue
		case !strings.HasPrefix(line, "|"):
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) != intervalCells {
			return nil, fmt.Errorf("audit: %d cells in %q, want %d", len(cells), line,
				intervalCells)
		}
		rows = append(rows, cells)
	}
	if heads != 1 || len(rows) == 0 {
		return nil, fmt.Errorf("audit: %d tables with %d rows, want one of intervals", heads,
			len(rows))
	}
	return rows, nil
}

func readLine(line string) (l Line, err error) {
	cells := strings.Split(strings.TrimSpace(line), " | ")
	if len(cells) != 8 {
		return l, fmt.Errorf("%d cells, want 8", len(cells))
	}
	cells[0], cells[7] = strings.TrimPrefix(cells[0], "| "), strings.TrimSuffix(cells[7], " |")
	sets, pairs, _ := strings.Cut(cells[1], ", ")
	if l.DataSets, err = strconv.Atoi(sets); err != nil {
		return l, err
	}
	if l.Pairs, err = strconv.Atoi(pairs); err != nil {
		return l, err
	}
	l.Name, l.Odds, l.Delta, l.Found, l.Lost, l.Worst, l.Verdict = cells[0], cells[2], cells[3],
		cells[4], cells[5], cells[6], Verdict(cells[7])
	return l, nil
}
