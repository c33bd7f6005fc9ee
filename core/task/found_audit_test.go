package task

import (
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
	use       table.Use // of column 2, the groups
	lists     []string
	backwards bool
	seed      uint64
	// mistakes: the bound looks at the cells' letters, and rows are counted in place of persons
	raw, each bool
}

func (a foundAudit) recipe() ask.Recipe {
	use := a.use
	use.Column = 2
	return ask.Recipe{Version: ask.RecipeVersion, Task: a.task, Person: 1, Column: 4, Use: &use,
		Epsilon: a.epsilon, Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"},
		Group: &ask.Group{Column: 2, Find: &ask.Find{Share: 50, Delta: "0.1"}},
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

const foundPersons = 2

// audit is the law of the answer with the loss of its plan; a claim is allowed what is cut.
func (a foundAudit) audit() audit.Audit[string] {
	r := a.recipe()
	plan := must(ask.Price(nil, All{}, r, foundPersons))
	_, prepared, err := ask.Prepare(All{}, r, foundPersons)
	if err != nil {
		panic(err)
	}
	if a.each { // the same noise and threshold, without persons
		g := int64(a.use.Groups)
		half := must(privacy.ParseEpsilon(a.epsilon)).Part(1, 2)
		prepared.(*estimate).finding.groups = must(basic.NewOpenGroups[string](
			basic.OpenGroupsParams{Epsilon: half.Part(1, g),
				Delta:  must(privacy.NewDelta(big.NewRat(1, 10*g))),
				People: foundPersons * g}))
	}
	claim := must(audit.ClaimOf(plan.Loss))
	claim.Delta = new(big.Rat).Add(claim.Delta, new(big.Rat).Mul(noiseTail, big.NewRat(16, 1)))
	read := r
	if a.raw {
		use := *r.Use
		use.Column = 3
		read.Use = &use
	}
	return audit.Audit[string]{Name: a.name, Claim: claim,
		Space: audit.Space{Persons: foundPersons, Values: len(a.lists), NoNone: true},
		Law: func(values []int) (*coin.Law[string], error) {
			s := ask.NewSession(All{}, keyed{nil, coin.NewSeeded(coin.Seed(a.seed))})
			if err := s.Load(strings.NewReader(a.file(values)), read); err != nil {
				return nil, err
			}
			data, err := s.Data(read)
			if err != nil {
				return nil, err
			}
			return coin.Enumerate(coin.Limits{Tail: noiseTail},
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
	sameCell = []string{"--", "a1", "a1 z1", "a0 s1 e1", "z1 --"}
)

// TestAuditFound: by groups that are found, persons with a row in each of two groups have the
// loss of the plan, whatever the cells are that are read as one label.
func TestAuditFound(t *testing.T) {
	for _, a := range []foundAudit{
		{name: "count by groups found, 2 groups each", task: "count", epsilon: "24",
			use: oneInTwo, lists: sameCell},
		{name: "sum by groups found, 2 groups each, the last first", task: "sum", epsilon: "24",
			use: oneInTwo, lists: sameCell, backwards: true, seed: 3},
	} {
		audittest.Holds(t, a.audit())
	}
}

// TestPlantedFound: mistakes that several rows in groups found invite do not hold.
func TestPlantedFound(t *testing.T) {
	for _, a := range []foundAudit{
		{name: "count by groups found, planted: untrimmed cells are groups, and each is counted",
			task: "count", epsilon: "24", use: oneInTwo, raw: true, each: true,
			lists: []string{"--", "a1 z1"}},
	} {
		report := must(audit.Run(a.audit(), nil))
		if report.Verdict() == audit.Holds { // what is cut, times e^ε, leaves it undecided
			t.Errorf("a mistake holds:\n%s", report.Row())
		}
	}
}
