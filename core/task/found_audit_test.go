package task

import (
	"cmp"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
	"hush/core/table"
)

// foundCells are the cells of groups by a letter. All but B are one label, A, or none.
var foundCells = map[byte]string{'a': "A", 'z': "A\x00", 's': " A", 'e': "A \x00", 'b': "B",
	'-': " \x00"}

// foundAudit is a question by groups that are found, of persons with several rows, from the bytes
// of the file to the answer. A person's rows are written as a letter of foundCells and a value:
// "a1 z0".
type foundAudit struct {
	name      string
	task      string
	epsilon   string
	share     int64     // of ε for finding, in percent; 0: 50
	use       table.Use // of column 2, the groups
	lists     []string
	backwards bool
	seed      uint64
	persons   int64    // 0: 2
	tail      *big.Rat // what is cut from each draw; nil: noiseTail
	// mistakes: the bound looks at the cells' letters, rows are counted in place of persons, and a
	// person is claimed to cost what one row does
	raw, each, row bool
	kept           int // a mistake: how many rows of a person are kept in each group; 0: as priced
}

func (a foundAudit) recipe() ask.Recipe {
	use := a.use
	use.Column = 2
	return ask.Recipe{Version: ask.RecipeVersion, Task: a.task, Person: 1, Column: 4, Use: &use,
		Epsilon: a.epsilon, Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"},
		Group: &ask.Group{Column: 2,
			Find: &ask.Find{Share: int(cmp.Or(a.share, 50)), Delta: "0.1"}},
		Table: must(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: 4, Compression: "none", Newline: table.LF,
			Blank: table.SkipBlank}.Decided())}
}

// file gives a person with the same rows in two data sets the same identifier.
func (a foundAudit) file(values []int) string {
	var rows []string
	times := map[int]int{}
	for _, v := range values {
		times[v]++
		for _, row := range strings.Fields(a.lists[v]) {
			line := fmt.Sprintf("p%d of %d,%s,%c,%s\n", times[v], v, foundCells[row[0]], row[0],
				strings.Trim(row[1:], "-"))
			if a.backwards {
				rows = append([]string{line}, rows...)
			} else {
				rows = append(rows, line)
			}
		}
	}
	return "person,group,letter,value\n" + strings.Join(rows, "")
}

// audit is the law of the answer with the loss of its plan; a claim is allowed what is cut.
func (a foundAudit) audit() audit.Audit[string] {
	r, persons := a.recipe(), cmp.Or(a.persons, 2)
	plan := must(ask.Price(nil, All{}, r, persons))
	_, prepared, err := ask.Prepare(All{}, r, persons)
	if err != nil {
		panic(err)
	}
	if a.each { // the same noise and threshold, without persons
		g := int64(a.use.Groups)
		finding := must(privacy.ParseEpsilon(a.epsilon)).Part(cmp.Or(a.share, 50), 100)
		found := must(basic.NewOpenGroups[string](
			basic.OpenGroupsParams{Epsilon: finding.Part(1, g),
				Delta:  must(privacy.NewDelta(big.NewRat(1, 10*g))),
				People: persons * g}))
		switch p := prepared.(type) {
		case *estimate:
			p.finding.groups = found
		case *medians:
			p.finding.groups = found
		}
	}
	claim := must(audit.ClaimOf(plan.Loss))
	if a.row {
		claim = must(audit.ClaimOf(must(prepared.Loss())))
	}
	tail := cmp.Or(a.tail, noiseTail)
	claim.Delta = new(big.Rat).Add(claim.Delta, new(big.Rat).Mul(tail, big.NewRat(16, 1)))
	read, use := r, *r.Use
	use.Rows = cmp.Or(a.kept, use.Rows)
	if a.raw {
		use.Column = 3
	}
	read.Use = &use
	return audit.Audit[string]{Name: a.name, Claim: claim,
		Space: audit.Space{Persons: int(persons), Values: len(a.lists), NoNone: true},
		Law: func(values []int) (*coin.Law[string], error) {
			s := ask.NewSession(All{}, keyed{nil, coin.NewSeeded(coin.Seed(a.seed))})
			if err := s.Load(strings.NewReader(a.file(values)), read); err != nil {
				return nil, err
			}
			data, err := s.Data(read)
			if err != nil {
				return nil, err
			}
			return coin.Enumerate(coin.Limits{Tail: tail},
				func(src coin.Source) (string, error) {
					result, err := prepared.Run(src, data, nil)
					if err != nil {
						return "", err
					}
					return fmt.Sprint(result.Table(ask.Voice{}, "")), nil
				})
		}}
}

var (
	oneInTwo = table.Use{Rows: 1, Groups: 2}
	twoInOne = table.Use{Rows: 2, Groups: 1}
	sameCell = []string{"--", "a1", "a1 z1", "a0 s1 e1", "z1 --"}
	two      = []string{"--", "a1 z1"}
)

// TestAuditFound: by groups that are found, persons with a row in each of two groups, or with two
// rows in one, have the loss of the plan, whatever the cells are that are read as one label.
// Medians have 1 % of ε: more would cut the domain into more parts than a law can be listed for.
func TestAuditFound(t *testing.T) {
	for _, a := range []foundAudit{
		{name: "count by groups found, 2 groups each", task: "count", epsilon: "24",
			use: oneInTwo, lists: sameCell},
		{name: "count by groups found, 2 rows each", task: "count", epsilon: "24",
			use: twoInOne, lists: sameCell, seed: 2},
		{name: "sum by groups found, 2 groups each, the last first", task: "sum", epsilon: "24",
			use: oneInTwo, lists: sameCell, backwards: true, seed: 3},
		{name: "sum by groups found, 2 rows each", task: "sum", epsilon: "24",
			use: twoInOne, lists: []string{"--", "a1", "a1 z1"}},
		{name: "mean by groups found, 2 groups each", task: "mean", epsilon: "96",
			use: oneInTwo, lists: []string{"--", "a1", "a0 z1"}},
		{name: "mean by groups found, 2 rows each", task: "mean", epsilon: "96",
			use: twoInOne, lists: []string{"--", "a1", "a0 z1"}},
		{name: "median by groups found, 2 groups each", task: "median", epsilon: "24", share: 99,
			use: oneInTwo, lists: sameCell},
		{name: "median by groups found, a row in each of 2 groups", task: "median", epsilon: "24",
			share: 99, use: oneInTwo, lists: []string{"--", "a1 b1", "b0"}},
		{name: "median by groups found, 2 rows each", task: "median", epsilon: "24", share: 99,
			use: twoInOne, lists: sameCell},
	} {
		if testing.Short() && a.task == "mean" {
			continue // some seconds of big fractions
		}
		audittest.Holds(t, a.audit())
	}
}

// TestPlantedFound: mistakes that several rows in groups found invite do not hold. What is cut of a
// draw, times the e^ε claimed, is little.
func TestPlantedFound(t *testing.T) {
	for _, a := range []foundAudit{
		{name: "count by groups found, planted: untrimmed cells are groups, and each is counted",
			task: "count", epsilon: "24", use: oneInTwo, raw: true, each: true, lists: two,
			persons: 1, tail: oneIn(44)},
		{name: "median by groups found, planted: untrimmed cells are groups, and each is counted",
			task: "median", epsilon: "24", share: 99, use: oneInTwo, raw: true, each: true,
			lists: two, tail: oneIn(60)},
		{name: "median by groups found, planted: 2 groups for the price of one", task: "median",
			epsilon: "24", share: 99, use: oneInTwo, row: true, lists: []string{"--", "a1 b1"},
			tail: oneIn(60)},
		{name: "median by groups found, planted: 2 rows for the price of one", task: "median",
			epsilon: "24", share: 99, use: twoInOne, row: true, lists: two, tail: oneIn(60)},
		{name: "median by groups found, planted: 4 rows for the price of two", task: "median",
			epsilon: "24", share: 99, use: twoInOne, kept: 4,
			lists: []string{"--", "a1 z1 a1 z1"}, tail: oneIn(60)},
		{name: "sum by groups found, planted: 2 rows for the price of one", task: "sum",
			epsilon: "24", use: twoInOne, row: true, lists: two, persons: 1, tail: oneIn(34)},
	} {
		if testing.Short() && a.task == "count" {
			continue // half a minute of big fractions
		}
		audittest.Caught(t, a.audit())
	}
}

// oneIn is one in 2 to the power of bits.
func oneIn(bits uint) *big.Rat {
	return new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), bits))
}
