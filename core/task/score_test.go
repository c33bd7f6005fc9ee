package task

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

// scoreAudit goes through all pairs of neighbours of a few persons, each with one of the lines of a
// small file, and through results that were drawn for some of them.
type scoreAudit struct {
	name    string
	recipe  ask.Recipe
	lines   []string // what a person can be
	header  string
	results int
}

var sixDomain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "5"}

func scoreAudits() []scoreAudit {
	yesNo := ask.Field{Role: ask.RoleOutcome, Column: 2,
		Domain: domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}}
	places := domain.Spec{Kind: domain.Category, Categories: []string{"a", "b", "c"}}
	main := func(task string, others []ask.Field, params ask.Params) ask.Recipe {
		return ask.Recipe{Version: ask.RecipeVersion, Task: task, Column: 1, Domain: sixDomain,
			Others: others, Params: params, Epsilon: "1"}
	}
	noMain := func(task string, others []ask.Field, params ask.Params) ask.Recipe {
		r := main(task, others, params)
		r.Column, r.Domain = 0, domain.Spec{}
		return r
	}
	value := []string{"0,0", "1,0", "3,0", "5,0", ",0"}
	answered := []string{"0,yes", "0,no", "3,yes", "3,no", "5,yes", "5,no", ",yes", "3,"}
	contact := []string{"a,a", "a,b", "b,c", "c,", ","}
	attribute := func(column int, spec domain.Spec, cuts ...string) ask.Field {
		return ask.Field{Role: roleAttribute.Name, Column: column, Domain: spec, Cuts: cuts}
	}
	feature := ask.Field{Role: roleFeature, Column: 1, Domain: sixDomain}
	return []scoreAudit{
		{"histogram", main("histogram", nil, ask.Params{"width": "2"}), value, "x,y", 5},
		{"density, function", main("density", nil, nil), value, "x,y", 5},
		{"density, density", main("density", nil, ask.Params{"goal": "density"}), value, "x,y", 5},
		{"density, merr", main("density", nil, ask.Params{"method": "merr"}), value, "x,y", 3},
		{"distribution", main("distribution", nil, nil), value, "x,y", 5},
		{"distribution, tree", main("distribution", nil, ask.Params{"method": "tree"}), value,
			"x,y", 3},
		{"median", main("median", nil, nil), value, "x,y", 6},
		{"quantiles", main("quantiles", nil, ask.Params{"targets": "20, 50, 70"}), value, "x,y", 6},
		{"cutoff", main("cutoff", []ask.Field{yesNo},
			ask.Params{"curve": "false", "direction": "either"}), answered, "x,y", 6},
		{"rule", noMain("rule", []ask.Field{yesNo, attribute(1, sixDomain, "2", "4")}, nil),
			answered, "x,y", 6},
		{"classify",
			noMain("classify", []ask.Field{yesNo, feature},
				ask.Params{"cases": "0\n2\n4\n", "rules": "boxes"}), answered, "x,y", 6},
		{"conjunctions",
			noMain("conjunctions",
				[]ask.Field{attribute(1, sixDomain, "2", "4"), attribute(2, yesNo.Domain)}, nil),
			answered, "x,y", 3},
		{"contacts",
			noMain("contacts",
				[]ask.Field{{Role: roleFrom, Column: 1, Domain: places},
					{Role: roleTo, Column: 2, Domain: places}}, nil), contact, "x,y", 4},
	}
}

// dataOf reads a file of these lines.
func (a scoreAudit) dataOf(t *testing.T, options table.Options, lines []string) ask.Data {
	t.Helper()
	s, file := NewSession(coin.NewSeeded(1)), []byte(a.header+"\n"+strings.Join(lines, "\n")+"\n")
	survey, err := s.Survey(options)
	if err != nil {
		t.Fatal(err)
	}
	feed(t, survey, file)
	return dataOf(t, s, a.recipe, file)
}

// TestScoresMoveLittle: no person moves a score by more than is paid for, and of every kind of
// score some result is moved by exactly that: whatever pays for a point less, or has points twice
// as large, is caught.
func TestScoresMoveLittle(t *testing.T) {
	persons := 3
	if testing.Short() {
		persons = 2
	}
	for _, a := range scoreAudits() {
		t.Run(a.name, func(t *testing.T) {
			master := open(t, []byte(a.header+"\n"+strings.Join(a.lines, "\n")+"\n"))
			options := must(master.Opened()).Options
			a.recipe.Table = options
			q, p, err := ask.Prepare(All{}, a.recipe, int64(persons))
			if err != nil {
				t.Fatal(err)
			}
			inner := p.(tunable)
			q.Trial = true
			var all []ask.Data
			total := 1
			for range persons {
				total *= len(a.lines)
			}
			for i := range total {
				var lines []string
				for at := i; len(lines) < persons; at /= len(a.lines) {
					lines = append(lines, a.lines[at%len(a.lines)])
				}
				all = append(all, a.dataOf(t, options, lines))
			}
			tight := false
			for seed := range a.results {
				result, err := inner.Run(coin.NewSeeded(coin.Seed(seed)), all[seed*7%total], nil)
				if err != nil {
					t.Fatal(err)
				}
				scores, moves := make([]int64, total), uint64(0)
				for i, d := range all {
					if scores[i], moves, err = inner.score(result, d, nil); err != nil {
						t.Fatal(err)
					}
				}
				largest := int64(0)
				for i := range all { // the first person is replaced
					from := i - i%len(a.lines)
					for j := from; j < from+len(a.lines); j++ {
						largest = max(largest, scores[i]-scores[j])
					}
				}
				if largest > int64(moves) {
					t.Errorf("%+v: a person moves the score by %d, paid for are %d", result,
						largest, moves)
				}
				tight = tight || largest == int64(moves)
			}
			if !tight {
				t.Error("the bound is never reached: a mistake would not be seen")
			}
		})
	}
}
