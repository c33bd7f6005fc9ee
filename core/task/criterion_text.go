package task

import (
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/domain"
	"hush/core/joint"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// CriterionKind is a comparison that a criterion can make.
type CriterionKind struct {
	Name    string // the first word of its line
	Label   phrase.Key
	Columns int // how many columns of numbers or dates it takes
	// At says that the line also gives a part of all, and Share that its tolerance is one: both in
	// percent
	At, Share bool

	of    joint.Statistic
	usual float64 // usual tolerance; for a mean, as a part of its range
	unit  float64 // how many n-th parts of that unit one person moves it by, roughly
}

var criterionKinds = []CriterionKind{
	{Name: "pairs", Label: "Every table of two columns", Share: true, of: joint.AllPairs,
		usual: .01, unit: 1},
	{Name: "columns", Label: "Every single column", Share: true, of: joint.Singles,
		usual: .005, unit: 1},
	{Name: "mean", Label: "Mean", Columns: 1, of: joint.Mean, usual: .01, unit: 1},
	{Name: "median", Label: "Median", Columns: 1, Share: true, of: joint.Quantile, usual: .01,
		unit: 1},
	{Name: "quantile", Label: "Quantile", Columns: 1, At: true, Share: true,
		of: joint.Quantile, usual: .01, unit: 1},
	{Name: "correlation", Label: "Correlation", Columns: 2, of: joint.Correlation, usual: .05,
		unit: 6},
}

// CriterionKinds lists the kinds for which a question has the columns.
func CriterionKinds(say *message.Language, r ask.Recipe) (list []CriterionKind) {
	for _, k := range criterionKinds {
		if len(CriterionColumns(say, r, k.Name)) >= k.Columns {
			list = append(list, k)
		}
	}
	return list
}

// CriterionKindOf finds a kind by its name, in any case.
func CriterionKindOf(name string) (k CriterionKind, known bool) {
	for _, k := range criterionKinds {
		if strings.EqualFold(k.Name, name) {
			return k, true
		}
	}
	return k, false
}

// words is the number of words behind the kind, the tolerance included.
func (k CriterionKind) words() int {
	if k.At {
		return k.Columns + 2
	}
	return k.Columns + 1
}

// CriterionText is a criterion as its line states it.
type CriterionText struct {
	Kind       string
	Columns    []string // by their names
	At, Within string   // numbers, without the sign for percent
}

// wordsOf splits a line into words at its commas.
func wordsOf(line string) ([]string, error) {
	r := csv.NewReader(strings.NewReader(line))
	r.TrimLeadingSpace = true
	words, err := r.Read()
	for i := range words {
		words[i] = strings.TrimSpace(words[i])
	}
	return words, err
}

// ReadCriterion splits a line, whatever its numbers and names are; ok is false for a line that is
// not built like a criterion.
func ReadCriterion(line string) (c CriterionText, ok bool) {
	words, err := wordsOf(line)
	if err != nil {
		return c, false
	}
	k, known := CriterionKindOf(words[0])
	if !known || len(words) != 1+k.words() {
		return c, false
	}
	number := func(word string, share bool) string {
		word, percent := strings.CutSuffix(word, "%")
		ok = ok && percent == share
		return strings.TrimSpace(word)
	}
	ok = true
	c = CriterionText{Kind: k.Name, Columns: words[1 : 1+k.Columns],
		Within: number(words[len(words)-1], k.Share)}
	if k.At {
		c.At = number(words[len(words)-2], true)
	}
	return c, ok
}

// Line writes a criterion as a line.
func (c CriterionText) Line() string {
	k, _ := CriterionKindOf(c.Kind)
	words := append([]string{k.Name}, c.Columns...)
	if k.At {
		words = append(words, c.At+" %")
	}
	if k.Share {
		words = append(words, c.Within+" %")
	} else {
		words = append(words, c.Within)
	}
	for i, word := range words {
		if strings.ContainsAny(word, ",\"\n") {
			words[i] = `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
		}
	}
	return strings.Join(words, ", ")
}

// CriterionLines returns the criteria of a recipe, one line each; of is the line that a refusal is
// about, or below 0.
func CriterionLines(text string, refused string) (lines []string, of int) {
	lines = criteriaLines(text)
	return lines, slices.IndexFunc(lines, func(line string) bool {
		return quotedLine(line) == refused
	})
}

// Limits of a suggested tolerance.
const (
	mostSuggested = .5
	mostWays      = 4 // joint.EveryWay
)

// Suggest returns a tolerance for a criterion that leaves about three times the room that the noise
// of its check takes, and at least the usual one. It depends on public facts alone.
func (c CriterionText) Suggest(say *message.Language, r ask.Recipe, people int64) string {
	k, _ := CriterionKindOf(c.Kind)
	within := k.usual
	if e, err := privacy.ParseEpsilon(r.Epsilon); err == nil && people > 0 {
		// a quarter of the loss of a run; at most 8 runs are expected for each way
		noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: e.Part(1, 8),
			L1Sensitivity: 1})
		if err == nil {
			aside := float64(noise.ErrorBound(2*basic.Beta/(8*mostWays)) + 1)
			within = max(within, min(3*aside*k.unit/float64(people), mostSuggested))
		}
	}
	switch {
	case k.Share:
		within *= 100
	case k.of == joint.Mean:
		within *= breadthOf(say, r, c.Columns)
	}
	unit := math.Pow(10, math.Floor(math.Log10(within)))
	for _, step := range []float64{1, 2, 5, 10} {
		if step*unit >= within {
			within = step * unit
			break
		}
	}
	return strconv.FormatFloat(within, 'f', -1, 64)
}

// breadthOf returns the length of the range of the first of some columns; 1 where that is unknown.
func breadthOf(say *message.Language, r ask.Recipe, columns []string) float64 {
	for _, f := range r.Others {
		if len(columns) > 0 && f.Name(say) == columns[0] {
			if low, high, ok := rangeOf(f.Domain); ok {
				return high - low
			}
		}
	}
	return 1
}

// CriterionColumns lists the columns of a question that a criterion of a kind can be about.
func CriterionColumns(say *message.Language, r ask.Recipe, kind string) (names []string) {
	k, _ := CriterionKindOf(kind)
	for _, f := range r.Others {
		switch f.Domain.Kind {
		case domain.Integer, domain.Decimal, domain.Float64:
			names = append(names, f.Name(say))
		case domain.Date, domain.Timestamp:
			if k.of != joint.Mean {
				names = append(names, f.Name(say))
			}
		}
	}
	return names
}

// criteriaLines returns the lines of a text that are not empty.
func criteriaLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// quotedLine writes a line as a refusal quotes it.
func quotedLine(line string) string { return fmt.Sprintf("%.100q", line) }
