package replay

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// option is one thing that can be changed in the way in which a question is asked.
type option struct {
	name  string
	apply func(d dice, r *ask.Recipe)
	// many runs are made of it, so that what makes one slow, such as one column more, is left out
	many bool
}

// optionsOf lists what the catalogue's entry offers, so that a new question, parameter, choice,
// role or kind of column is walked over by being there. What only lessons offer is left out: it is
// no release.
func optionsOf(t ask.Task) (list []option) {
	add := func(name string, apply func(d dice, r *ask.Recipe)) {
		list = append(list, option{name: name, apply: apply})
	}
	addMany := func(name string, apply func(d dice, r *ask.Recipe)) {
		list = append(list, option{name, apply, true})
	}
	for _, p := range t.Params {
		for _, value := range valuesOf(p) {
			add(p.Name+" = "+value, func(_ dice, r *ask.Recipe) {
				r.Params[p.Name] = value
				if value != p.Default {
					suit(t, p, r)
				}
			})
		}
		if p.Tries != "" {
			addMany(p.Name+" tuned", func(d dice, r *ask.Recipe) {
				r.Params[ask.TryName(p.Name)] = triedOf(p)
				suit(t, p, r)
				r.Params["try"] = pick(d, "all", "2", "3")
			})
			addMany(p.Name+" tuned, one of the best", func(d dice, r *ask.Recipe) {
				r.Params[ask.TryName(p.Name)] = triedOf(p)
				suit(t, p, r)
				r.Params["try"] = "2"
				r.Params[ask.ParamBest] = pick(d, "20", "50")
			})
			if t.Halves {
				addMany(p.Name+" tuned in halves", func(d dice, r *ask.Recipe) {
					r.Params[ask.TryName(p.Name)] = triedOf(p)
					suit(t, p, r)
					r.Params["try"] = "3"
					r.Params[ask.ParamHalves] = "true"
					r.Person, r.Use, r.Count = 0, nil, 0
				})
			}
			if t.Aims && strings.Count(p.Tries, ",") > 1 { // two values are run once each
				addMany(p.Name+" until good", func(d dice, r *ask.Recipe) {
					r.Params[ask.TryName(p.Name)] = triedOf(p)
					suit(t, p, r)
					r.Params["try"] = "3"
					r.Params[ask.ParamGood] = pick(d, "0", "3", "20")
				})
				if t.ID == "distribution" { // thousands of runs: elsewhere they take long
					addMany(p.Name+" until good, as is sought", func(_ dice, r *ask.Recipe) {
						r.Params[ask.TryName(p.Name)] = "hierarchy, sparse, each"
						r.Params["try"], r.Params[ask.ParamGood] = "3", "search 4000"
						r.Epsilon = "100"
					})
				}
			}
		}
	}
	if slices.ContainsFunc(t.Params, func(p ask.Param) bool { return p.Name == ask.ParamEdges }) {
		add("cut at edges", func(d dice, r *ask.Recipe) {
			spec := r.Domain.Plain() // bounds are written so
			values, err := domain.New(spec)
			if err != nil || spec.Kind == domain.Category || !values.Size().IsUint64() ||
				values.Size().Uint64() < 4 {
				return
			}
			at := values.Decode(1 + d.code(values.Size())/2)
			r.Params[ask.ParamEdges] = pick(d, at, at+", "+values.Decode(values.Size().Uint64()-1))
			if t.ID == "density" && d.percent(50) { // task.densityTask
				r.Params[ask.ParamEdges] = pick(d, "falls", "rises", "peaks at "+at)
			}
		})
	}
	if t.ID == "quantiles" { // task.RowsBound
		add("100 percent", func(_ dice, r *ask.Recipe) {
			r.Params["targets"] = "100"
			delete(r.Params, "algorithm")
		})
	}
	for _, kind := range t.Domains {
		add("of "+string(kind), func(d dice, r *ask.Recipe) {
			r.Domain = specOf(d, kind, 0, t.LongTexts)
		})
	}
	for _, kind := range kindsOf(t.Others) {
		add("with "+string(kind), func(d dice, r *ask.Recipe) { giveKind(d, r, t.Others, kind) })
	}
	for _, role := range t.Others {
		if role.Min < role.Max {
			add("more of "+role.Name, func(d dice, r *ask.Recipe) { oneMore(r, role) })
		}
		if role.Cuts {
			add("cuts of "+role.Name, func(d dice, r *ask.Recipe) { cut(d, r, role) })
		}
	}
	if t.FindsGroups() {
		add(byUse+"rows by the groups found", func(d dice, r *ask.Recipe) {
			byPerson(r)
			r.Group = &ask.Group{Column: next(r),
				Find: &ask.Find{Share: pick(d, 50, 20), Delta: pick(d, "0.0001", "0.01")}}
			r.Use = &table.Use{Rows: pick(d, 1, 1, 2), Groups: pick(d, 2, 3),
				Column: r.Group.Column}
		})
	}
	if t.ByGroup {
		add(byUse+"rows by the groups listed", func(d dice, r *ask.Recipe) {
			byPerson(r)
			r.Group = &ask.Group{Column: next(r), Names: slices.Clone(groupSpec.Categories),
				Fold: d.percent(40)}
			r.Use = &table.Use{Rows: pick(d, 1, 2, 3), Groups: pick(d, 1, 2),
				Column: r.Group.Column}
		})
		add("by group", func(d dice, r *ask.Recipe) {
			r.Group = &ask.Group{Column: next(r), Names: slices.Clone(groupSpec.Categories)}
		})
	}
	if t.FindsGroups() {
		add("by groups found", func(d dice, r *ask.Recipe) {
			r.Group = &ask.Group{Column: next(r),
				Find: &ask.Find{Share: pick(d, 50, 20), Delta: pick(d, "0.0001", "0.01")}}
		})
		further := slices.IndexFunc(t.Others, func(role ask.Role) bool {
			return role.Name == ask.FurtherGroups
		})
		if further >= 0 {
			add("by groups found and a column", func(d dice, r *ask.Recipe) {
				oneMore(r, t.Others[further])
				r.Group = &ask.Group{Column: next(r), Find: &ask.Find{Share: 50, Delta: "0.01"}}
			})
		}
	}
	add("persons", func(_ dice, r *ask.Recipe) { byPerson(r) })
	for _, use := range uses {
		add(byUse+use.name, func(d dice, r *ask.Recipe) {
			byPerson(r)
			use.apply(d, r)
		})
	}
	add("counts", func(_ dice, r *ask.Recipe) {
		r.Count, r.Person, r.Use = next(r), 0, nil
	})
	add("filter", func(d dice, r *ask.Recipe) { r.Filter = filter(d, *r) })
	// what most can go wrong with is asked first: a short run comes to the first of each question
	slices.SortStableFunc(list, func(a, b option) int { return a.rank() - b.rank() })
	return list
}

func (o option) rank() int {
	if strings.HasPrefix(o.name, byUse+"rows by the groups") {
		return 0
	}
	return 1
}

// suit makes another parameter one that goes with p's value; by chance few recipes would have both.
func suit(t ask.Task, p ask.Param, r *ask.Recipe) {
	maps.Copy(r.Params, p.With)
	switch t.ID + " " + p.Name {
	case "conjunctions rounds":
		if _, tried := r.Params[ask.TryName(p.Name)]; tried {
			r.Params[ask.TryName(p.Name)] = "1, 2, 3" // hundreds of runs are made
		}
	case "directions fewest":
		r.Params["most"] = r.Params["fewest"]
		for range 4 - len(r.Others) { // each is along columns of its own
			oneMore(r, t.Others[0])
		}
	}
}

// byUse begins the names of the options with a use of persons' rows.
const byUse = "persons, "

// byPerson makes a column name the persons.
func byPerson(r *ask.Recipe) { r.Person, r.Count, r.Use = next(r), 0, nil }

// uses are the ways in which rows of a person are used, of recipes that name the persons.
var uses = []option{
	{name: "one row that meets the conditions", apply: func(_ dice, r *ask.Recipe) {
		r.Use = &table.Use{Rows: 1}
	}},
	{name: "several rows", apply: func(d dice, r *ask.Recipe) {
		r.Use = &table.Use{Rows: pick(d, 2, 3)}
	}},
	{name: "rows by group", apply: func(d dice, r *ask.Recipe) {
		r.Use = &table.Use{Rows: pick(d, 1, 2), Groups: pick(d, 1, 2), Column: next(r)}
		if r.Group != nil {
			r.Use.Column = r.Group.Column
		}
	}},
	{name: "one value", apply: func(d dice, r *ask.Recipe) {
		columns := []int{r.Column}
		for _, f := range r.Others {
			columns = append(columns, f.Column)
		}
		r.Use = &table.Use{}
		time := next(r)
		for _, column := range slices.Compact(slices.Sorted(slices.Values(columns))) {
			if column > 0 && d.percent(80) {
				r.Use.Values = append(r.Use.Values, valueFor(d, r, column, time))
			}
		}
		if len(r.Use.Values) == 0 {
			r.Use.Values = append(r.Use.Values, valueFor(d, r, max(r.Column, r.Person), time))
		}
	}},
}

// valueFor is one value that a column can have; time is a column of times.
func valueFor(d dice, r *ask.Recipe, column, time int) table.Value {
	spec := r.Domain
	for _, f := range r.Others {
		if f.Column == column {
			spec = f.Domain
		}
	}
	list := []table.Of{table.Latest}
	if !spec.IsWide() {
		list = append(list, table.Smallest, table.Largest)
	}
	if spec.Kind == domain.Integer || spec.Kind == domain.Decimal {
		list = append(list, table.Number, table.Groups, table.Sum, table.Mean)
	}
	v := table.Value{Column: column, Of: pick(d, list...)}
	if v.Of == table.Latest {
		v.By = &table.Wanted{Column: time,
			Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "2"}}
	}
	return v
}

// triedOf are the values that are tried of a parameter: all choices, or the three first numbers, by
// which runs are told apart as well as by large ones, and a run of many rounds takes minutes.
func triedOf(p ask.Param) string {
	if len(p.Choices) > 0 {
		return p.Tries
	}
	list := strings.Split(p.Tries, ",")
	return strings.Join(list[:min(3, len(list))], ",")
}

// valuesOf are a parameter's values worth asking with.
func valuesOf(p ask.Param) []string {
	list := []string{p.Default}
	add := func(value string) {
		if value = strings.TrimSpace(value); value != "" && !slices.Contains(list, value) {
			list = append(list, value)
		}
	}
	add(p.Start)
	for _, c := range p.Choices {
		add(c.Value)
	}
	switch p.Kind {
	case ask.Flag:
		add("true")
		add("false")
	case ask.Integer:
		add(strconv.FormatInt(p.Min, 10))
		add(strconv.FormatInt(min(p.Max, p.Min+3), 10))
	case ask.Lines:
		if p.Name != "criteria" {
			return nil
		}
		add("pairs, 90 %\nmean, age, 90")
	}
	if p.Name == ask.ParamDelta {
		add("0.001")
	}
	if len(p.Choices) == 0 {
		for value := range strings.SplitSeq(p.Tries, ",") {
			add(value)
		}
	}
	return list
}

// kindsOf are the kinds of column that some role takes.
func kindsOf(roles []ask.Role) (list []domain.Kind) {
	for _, role := range roles {
		for _, kind := range role.Domains {
			if !slices.Contains(list, kind) {
				list = append(list, kind)
			}
		}
	}
	return list
}

// giveKind makes every further column one of that kind, where its role takes it. Columns of one
// role, and of roles that take the same kinds, have the same domain.
func giveKind(d dice, r *ask.Recipe, roles []ask.Role, kind domain.Kind) {
	specs := map[int]domain.Spec{}
	for i, f := range r.Others {
		role := roles[slices.IndexFunc(roles, func(o ask.Role) bool { return o.Name == f.Role })]
		if !slices.Contains(role.Domains, kind) {
			continue
		}
		spec, known := specs[role.Values]
		if !known {
			spec = specOf(d, kind, role.Values, false)
			specs[role.Values] = spec
		}
		r.Others[i].Domain, r.Others[i].Cuts = spec, nil
		if role.Cuts && d.percent(80) {
			cut(d, r, role)
		}
	}
}

// oneMore repeats the role's first column under another number.
func oneMore(r *ask.Recipe, role ask.Role) {
	at := -1
	for i, f := range r.Others {
		if f.Role == role.Name {
			at = i
		}
	}
	if at < 0 {
		return
	}
	more := r.Others[at]
	more.Column = next(r)
	more.Label = fmt.Sprint("column ", more.Column)
	r.Others = slices.Insert(r.Others, at+1, more)
}

// cut draws cuts for the role's columns.
func cut(d dice, r *ask.Recipe, role ask.Role) {
	for i, f := range r.Others {
		if f.Role != role.Name || f.Domain.Kind == domain.Category {
			continue
		}
		values, err := domain.New(f.Domain)
		if err != nil {
			continue
		}
		var codes []uint64
		for range 1 + d.below(2) {
			code := d.code(values.Size())
			if f.Domain.Kind == domain.Text || f.Domain.Kind == domain.Bytes {
				code, _ = values.Encode([]byte(pick(d, "b", "m", "x")))
			}
			codes = append(codes, code)
		}
		slices.Sort(codes)
		r.Others[i].Cuts = nil
		for _, code := range slices.Compact(codes) {
			text := strings.TrimSpace(values.Decode(code))
			if back, ok := values.Encode([]byte(text)); ok && back == code && code > 0 {
				r.Others[i].Cuts = append(r.Others[i].Cuts, text)
			}
		}
	}
}

// filter is a condition on a column that the recipe reads, or on another.
func filter(d dice, r ask.Recipe) []table.Condition {
	own := table.Condition{Column: next(&r), From: "3", Not: d.percent(30),
		Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}}
	if d.percent(50) {
		return []table.Condition{own}
	}
	valued := table.Condition{Column: r.Column, Spec: r.Domain, Not: d.percent(30)}
	if len(r.Others) > 0 {
		f := pick(d, r.Others...)
		valued.Column, valued.Spec = f.Column, f.Domain
	}
	if valued.Spec.IsWide() {
		return []table.Condition{own}
	}
	return []table.Condition{valued, own}
}

// next is the number of a column that the recipe does not read yet.
func next(r *ask.Recipe) int {
	last := max(r.Column, r.Person, r.Count)
	if r.Use != nil {
		last = max(last, r.Use.Column)
		for _, v := range r.Use.Values {
			if v.By != nil {
				last = max(last, v.By.Column)
			}
		}
	}
	if r.Group != nil {
		last = max(last, r.Group.Column)
	}
	for _, f := range r.Others {
		last = max(last, f.Column)
	}
	for _, c := range r.Filter {
		last = max(last, c.Column)
	}
	return last + 1
}

// recipeOf is a question of the catalogue, asked in one of its ways.
func recipeOf(d dice, t ask.Task, with option, others ...option) ask.Recipe {
	r := t.Example.Recipe
	r.Version, r.Task, r.Params = ask.RecipeVersion, t.ID, maps.Clone(r.Params)
	if r.Params == nil {
		r.Params = ask.Params{}
	}
	r.Others = slices.Clone(r.Others)
	r.Epsilon = pick(d, "0.1", "1", "1", "3", "20")
	for _, o := range others {
		o.apply(d, &r)
	}
	with.apply(d, &r)
	if t.Cases != "" {
		r.Params[t.Cases] = cases(d, r.Others[1:])
	}
	return r
}

// cases are a few, as many values as there are columns.
func cases(d dice, columns []ask.Field) string {
	var b strings.Builder
	for range 2 + d.below(3) {
		for i, f := range columns {
			if i > 0 {
				b.WriteByte(',')
			}
			value := valueOf(d, f.Domain)
			if strings.ContainsAny(value, "\",\n\r") {
				value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
			}
			b.WriteString(value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
