package ask

import (
	"slices"
	"strings"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
)

// RecipeVersion is the schema version written into new recipes.
const RecipeVersion = 1

// Recipe is a complete question: public, free of data and file names, and sufficient to ask it
// again. Columns count from 1.
type Recipe struct {
	Version int           `json:"version"`
	Task    string        `json:"task"`  // Task.ID
	Table   table.Options `json:"table"` // how the file is read, as far as the user confirmed it

	// Data, Source and Noun are the codebook's: the data set's name, the line below its charts, and
	// whom its rows are about. They are published with the answer and decide nothing in it.
	Data   string        `json:"data,omitempty"`
	Source string        `json:"source,omitempty"`
	Noun   codebook.Noun `json:"noun,omitzero"`

	// Person is the column of identifiers: all rows of one person count as one, kept at random.
	// Count is the column that says how many persons a row stands for. 0: neither, each row is a
	// person.
	Person int `json:"person,omitempty"`
	// Use says which rows of each person are used, in place of one drawn at random.
	Use   *table.Use `json:"use,omitempty"`
	Count int        `json:"count,omitempty"`
	// Filter holds public conditions. A person who does not meet all of them has no value, and
	// still counts in n.
	Filter []table.Condition `json:"filter,omitempty"`

	// Group asks for one answer for each of a public list of groups; nil: for everybody at once.
	Group *Group `json:"group,omitempty"`

	// Column is the main column; 0 for a task that has none (Task.Domains).
	Column int `json:"column"`
	// the column's published name; empty: its number serves
	Label  string      `json:"label,omitempty"`
	Unit   string      `json:"unit,omitempty"` // of its values, as published: "kg"
	Domain domain.Spec `json:"domain"`         // public: which values are possible
	// Others are further columns, in the order of the task's roles.
	Others []Field `json:"others,omitempty"`

	Params  Params `json:"params,omitempty"`
	Epsilon string `json:"epsilon"` // decimal text, exact
}

// Group is a column together with the values that are groups: a public list, or the values that
// many people have.
type Group struct {
	Column int      `json:"column"`          // from 1
	Label  string   `json:"label,omitempty"` // the column's published name; empty: it has none
	Names  []string `json:"names,omitempty"`
	// Spellings, Other and Fold are those of a domain's categories, and Missing are the cells that
	// Other leaves out.
	Spellings []domain.Spelling `json:"spellings,omitempty"`
	Other     string            `json:"other,omitempty"`
	Fold      bool              `json:"fold,omitempty"`
	Missing   []string          `json:"missing,omitempty"`
	Find      *Find             `json:"find,omitempty"` // in place of Names
}

// GroupsOf returns the categories of a column as groups.
func GroupsOf(column int, spec domain.Spec) *Group {
	g := &Group{Column: column, Names: spec.Categories, Spellings: spec.Spellings,
		Other: spec.Other, Fold: spec.Fold}
	if g.Other != "" {
		g.Missing = spec.Missing
	}
	return g
}

// Find asks for the groups too, where nobody can list them: those with many people are found
// privately.
type Find struct {
	Share int    `json:"share"` // part of ε, in percent, that is spent on finding them: 1 to 99
	Delta string `json:"delta"` // δ: a group of one person is found with about this chance
}

// groupBytes is the largest length of a group's name that is found; a cell with a longer one is in
// no group.
const groupBytes = 100

// Spec is the domain by which the groups' column is read.
func (g *Group) Spec() domain.Spec {
	if g.Find != nil {
		return domain.Spec{Kind: domain.Text, Length: groupBytes}
	}
	return domain.Spec{Kind: domain.Category, Categories: g.Names, Spellings: g.Spellings,
		Other: g.Other, Fold: g.Fold, Missing: g.Missing}
}

// Bare is the recipe without the words that are published with its answer and decide nothing in it:
// two recipes with the same Bare are the same question. A column's name stays where a parameter
// names columns by it, as the weights of tables do, since it matters there.
func (r Recipe) Bare() Recipe {
	r.Data, r.Source, r.Noun, r.Unit = "", "", codebook.Noun{}, ""
	r.Label = r.deciding(r.Label)
	r.Filter, r.Others = unlabelled(r.Filter), slices.Clone(r.Others)
	for i, f := range r.Others {
		r.Others[i].Label, r.Others[i].Unit = r.deciding(f.Label), ""
	}
	if r.Group != nil {
		group := *r.Group
		group.Label, r.Group = r.deciding(group.Label), &group
	}
	return r
}

// deciding returns a label if it occurs in the text of a parameter, and otherwise an empty text.
func (r Recipe) deciding(label string) string {
	folded := strings.ToLower(strings.TrimSpace(label))
	for _, text := range r.Params {
		if folded != "" && strings.Contains(strings.ToLower(text), folded) {
			return label
		}
	}
	return ""
}

// unlabelled returns conditions without the names of their columns.
func unlabelled(filter []table.Condition) []table.Condition {
	filter = slices.Clone(filter)
	for i := range filter {
		filter[i].Label = ""
	}
	return filter
}

// Reads says what to read from the file.
func (r Recipe) Reads(o Opened) table.EncodeParams {
	return table.EncodeParams{
		Options: r.Table,
		Columns: r.wanted(),
		Filter:  r.Filter,
		Person:  r.Person,
		Use:     r.Use,
		Count:   r.Count,
		Rows:    o.Rows,
		Bytes:   o.Text,
		Memory:  memoryLimit,
		Paired: r.Column > 0 &&
			slices.ContainsFunc(r.Others, func(f Field) bool { return f.Role == RoleOutcome }),
	}
}

// memoryLimit is the most memory that a column may take, in bytes: a program in a browser has at
// most 4 GiB, of which the page and the runtime need some.
const memoryLimit = 3 << 30

// Params holds a task's own parameters by Param.Name, as text. A missing one has its default.
type Params map[string]string
