package review

import (
	"encoding/json"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/task"
)

// variable is a column that was read.
type variable struct {
	column int
	name   string
	unit   string
	role   string
	spec   domain.Spec
}

// variables lists the columns that the page's questions read, each once for each way of reading it.
func (r *reviewed) variables() (list []variable) {
	seen := map[string]bool{}
	add := func(v variable) {
		if v.name == "" {
			v.name = "column " + strconv.Itoa(v.column)
		}
		if key := ask.KeyOf(v.column, v.name, v.role, v.spec); !seen[key] {
			seen[key] = true
			list = append(list, v)
		}
	}
	for _, a := range r.releases() {
		q := a.Recipe
		if q.Column > 0 {
			add(variable{q.Column, q.Label, q.Unit, "answered", q.Domain})
		}
		if q.Group != nil {
			add(variable{q.Group.Column, q.Group.Label, "", "group", q.Group.Spec()})
		}
		for _, o := range q.Others {
			add(variable{o.Column, o.Label, o.Unit, o.Role, o.Domain})
		}
		for _, c := range q.Filter {
			add(variable{c.Column, c.Label, "", "condition", c.Spec})
		}
		if q.Person > 0 {
			add(variable{column: q.Person, role: "identifier of a person, never published"})
		}
		if q.Count > 0 {
			add(variable{column: q.Count, role: "how many people a row stands for"})
		}
	}
	return list
}

// codebookCSV lists the columns, one row for each.
func (r *reviewed) codebookCSV() string {
	rows := [][]string{{"name", "role", "kind", "unit", "lowest", "highest", "step", "categories",
		"missing", "outside"}}
	for _, v := range r.variables() {
		rows = append(rows, []string{v.name, v.role, string(v.spec.Kind), v.unit, v.spec.Lo,
			v.spec.Hi, v.spec.Step, strings.Join(v.spec.Categories, "; "),
			strings.Join(v.spec.Missing, "; "), v.spec.Outside})
	}
	return ask.CSV(rows)
}

// The parts of a codebook of the Data Documentation Initiative, as JSON with the names of its XML.
type (
	ddiBook struct {
		CodeBook ddiCodeBook `json:"codeBook"`
	}
	ddiCodeBook struct {
		Study ddiStudy `json:"stdyDscr"`
		Data  ddiData  `json:"dataDscr"`
	}
	ddiStudy struct {
		Title    string   `json:"titl"`
		Producer string   `json:"producer"`
		Date     string   `json:"prodDate"`
		Source   string   `json:"sources"`
		Universe string   `json:"universe"`
		Access   string   `json:"dataAccs"`
		Notes    []string `json:"notes"`
	}
	ddiData struct {
		Variables []ddiVariable `json:"var"`
	}
	ddiVariable struct {
		ID         string        `json:"@ID"`
		Name       string        `json:"@name"`
		Label      string        `json:"labl"`
		Interval   string        `json:"@intrvl"`
		Unit       string        `json:"@measUnit,omitempty"`
		Format     ddiFormat     `json:"varFormat"`
		Range      *ddiRange     `json:"valrng,omitempty"`
		Missing    []string      `json:"invalrng,omitempty"`
		Categories []ddiCategory `json:"catgry,omitempty"`
	}
	ddiFormat struct {
		Type string `json:"@type"`
	}
	ddiRange struct {
		Min string `json:"@min"`
		Max string `json:"@max"`
	}
	ddiCategory struct {
		Value string `json:"catValu"`
	}
)

// codebookDDI writes the same for archives.
func (r *reviewed) codebookDDI() string {
	list := r.releases()
	book := ddiBook{ddiCodeBook{Study: ddiStudy{Title: r.title(),
		Producer: orBlank(r.page.Publisher), Date: orBlank(r.page.Date),
		Source: orBlank(r.source()),
		Universe: strings.Join(each(list, func(a *task.Release) string {
			return strconv.FormatInt(a.Plan.People, 10) + " " + a.Voice(nil).Many()
		}), ", "),
		Access: Blank,
		Notes: append([]string{"Released with " + r.total.Loss.String() + "."}, each(list,
			func(a *task.Release) string { return a.Plan.Guarantee.Plain })...)}}}
	for i, v := range r.variables() {
		d := ddiVariable{ID: "V" + strconv.Itoa(i+1), Name: v.name, Label: v.name + ", " + v.role,
			Interval: "discrete", Unit: v.unit, Format: ddiFormat{"character"},
			Missing: v.spec.Missing}
		switch v.spec.Kind {
		case domain.Integer, domain.Decimal, domain.Float64:
			d.Format.Type = "numeric"
			if v.spec.Kind != domain.Integer {
				d.Interval = "contin"
			}
		}
		if v.spec.Lo+v.spec.Hi != "" {
			d.Range = &ddiRange{v.spec.Lo, v.spec.Hi}
		}
		for _, c := range v.spec.Categories {
			d.Categories = append(d.Categories, ddiCategory{c})
		}
		book.CodeBook.Data.Variables = append(book.CodeBook.Data.Variables, d)
	}
	text, err := json.MarshalIndent(book, "", "  ")
	if err != nil {
		panic("review: internal error: " + err.Error())
	}
	return string(text) + "\n"
}
