package exhibit

import (
	"fmt"
	"slices"
	"sync"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/joint"
	"hush/core/query"
	"hush/core/task"
	"hush/web/say"
)

// axisOf returns a column of a table with these places.
func axisOf(column string, places ...string) task.Axis {
	a := task.Axis{Column: column}
	for _, p := range places {
		a.Places = append(a.Places, task.Place{Label: p})
	}
	return a
}

// decades returns a column of ages in this many bins of ten years.
func decades(n int) task.Axis {
	a := task.Axis{Column: "age", Unit: "years"}
	for i := range n {
		a.Places = append(a.Places, task.Place{Label: fmt.Sprintf("%d–%d", 10*i, 10*i+9),
			From: fmt.Sprint(10 * i), To: fmt.Sprint(10*i + 10)})
	}
	return a
}

// tableOf returns a table whose counts fall from cell to cell, a few of them below their error.
func tableOf(axes []task.Axis, impossible ...int) *task.ContingencyTable {
	t := &task.ContingencyTable{Axes: axes, Impossible: impossible, AllError: 13, People: 3200}
	cells := 1
	for _, a := range axes {
		cells *= len(a.Places)
	}
	for i := range cells {
		count := int64((i*37+11)%97)*3200/int64(48*cells) - 4
		if slices.Contains(impossible, i) {
			count = 0
		}
		t.Counts = append(t.Counts, count)
	}
	for set := range 1 << len(axes) {
		m, of := task.Margin{Of: []int{}, Error: 6, Sure: 8}, 0
		for i := range axes {
			if set>>i&1 == 1 {
				m.Of, of = append(m.Of, i), of+1
			}
		}
		m.Error, m.Sure = m.Error*int64(1+len(axes)-of), m.Sure*int64(1+len(axes)-of)
		t.Margins = append(t.Margins, m)
	}
	return t
}

// tableSet returns all tables of this many of three columns.
func tableSet(together int) *task.TableSet {
	t := &task.TableSet{Together: together, Axes: []task.Axis{
		axisOf("district", "Harbour", "Hill", "Market", say.Text("no value")),
		axisOf("department", "children", "eyes", "general", say.Text("no value")),
		axisOf("sex", "female", "male", say.Text("no value"))}}
	t.Release = &query.Release{Format: 1, Method: query.ByTables, Kind: query.Conjunctions,
		Size: 8, Persons: 3200, Width: together, Noise: 3}
	from := 0
	for _, a := range t.Axes {
		var column query.Column
		for range a.Places[1:] {
			column, from = append(column, query.Set{}.With(from)), from+1
		}
		t.Release.Columns = append(t.Release.Columns, column)
	}
	for i, axis := range t.Axes { // people without a value are few, and come first
		if together == 1 {
			for place := range axis.Places {
				t.Release.Counts = append(t.Release.Counts, int64(place*(431+97*i)))
			}
			continue
		}
		for _, other := range t.Axes[i+1:] {
			for cell := range len(axis.Places) * len(other.Places) {
				x, y := cell/len(other.Places), cell%len(other.Places)
				t.Release.Counts = append(t.Release.Counts, int64(x*y*(61+13*i))-4)
			}
		}
	}
	return t
}

// joined returns made-up rows of three columns.
func joined() *task.Joint { return &task.Joint{Axes: tableSet(2).Axes, Model: fitted()} }

// fitted is their model, fitted once: all else here is made in no time, again for each picture.
var fitted = sync.OnceValue(func() *joint.Model {
	set := tableSet(2)
	m := &joint.Measured{Persons: 3200}
	for _, a := range set.Axes {
		m.Sizes = append(m.Sizes, len(a.Places))
	}
	for i := range set.Axes {
		for k := i + 1; k < len(set.Axes); k++ {
			one := joint.Table{Columns: [2]int{i, k}, StdDev: 9}
			for cell := range m.Sizes[i] * m.Sizes[k] {
				x, y := cell/m.Sizes[k], cell%m.Sizes[k]
				if x, y = x+1, y+1; x == m.Sizes[i] || y == m.Sizes[k] {
					x, y = 0, 0 // people without a value are few
				}
				one.Counts = append(one.Counts, int64(x*y*(61+13*i))-4)
			}
			m.Tables = append(m.Tables, one)
		}
	}
	model, err := joint.Fit(coin.NewSeeded(1), m, nil)
	if err != nil {
		panic(err)
	}
	return model
})

// judged gives a table the grades of its cells.
func judged(r *task.Release) {
	t := r.Answer.Result.(*task.ContingencyTable)
	r.Plan.People = t.People
	r.Recipe.Domain, r.Plan.Domain, r.Recipe.Column = domain.Spec{}, "", 0
	v := ask.Verdict{Grade: ask.Good, Error: 6, About: 160,
		Text: "Off by up to 6 people, judged against 160 people: the count that most are in."}
	for cell := range t.Counts {
		grade := ask.Good
		if !t.CannotBe(cell) {
			grade = ask.Judge(6, t.Count(cell).Value)
		}
		v.Cells = append(v.Cells, grade)
	}
	r.Verdict = &v
}

// tables returns releases of tables of one to three columns.
func tables() []Answer {
	districts := axisOf("district", "Harbour", "Hill", "Market", "Mill", "Old Town", "Park")
	departments := axisOf("department", "children", "eyes", "general", "heart", "injuries")
	var streets []string
	for i := range 120 {
		streets = append(streets, fmt.Sprintf("street %d", i+1))
	}
	return []Answer{
		{"table", Release("table", "Table", "People by district, department: the largest group is "+
			"Old Town · general, about 130 of 3 200 people (± 13, in 95 of 100 releases).",
			tableOf([]task.Axis{districts, departments}, 7), judged)},
		{"table of one column", Release("table", "Table", "People by district: the largest group "+
			"is Park, about 1 040 of 3 200 people (± 13, in 95 of 100 releases).",
			tableOf([]task.Axis{districts}), judged)},
		{"table of ages by department", Release("table", "Table", "People by age and department: "+
			"no clear difference.", tableOf([]task.Axis{decades(10), departments}), judged)},
		{"table of three columns", Release("table", "Table", "People by street, department and "+
			"sex: no clear difference.", tableOf([]task.Axis{axisOf("street", streets...),
			departments, axisOf("sex", "female", "male")}), judged)},
		{"several tables", Release("tables", "Several tables", "People by district, department, "+
			"sex: 3 tables that agree, each of 2 of these columns. Each count is within 7 people "+
			"of the true one in 95 of 100 releases.", tableSet(2))},
		{"tables of one column", Release("tables", "Several tables", "People by district, "+
			"department, sex: 3 tables that agree, each of 1 of these columns. Each count is "+
			"within 7 people of the true one in 95 of 100 releases.", tableSet(1))},
		{"made-up data together", Release("joint", "Made-up data that keeps what goes together",
			"Made-up rows of district, department, sex keep what goes together. "+
				say.Text(task.OnlyPairs), joined())},
		{"medians", Release("median", "Median", "The median of age by district: 3 groups, each "+
			"with how many people are in it.", &task.Medians{
			Axes: []task.Axis{axisOf("district", "Harbour", "Hill", "Market")},
			Rows: []task.GroupMedian{{Group: "Harbour", Value: "44", Size: 1204},
				{Group: "Hill", Value: "38", Size: 911}, {Group: "Market", Value: "71", Size: 12}},
			RankError: 17, Error: 15, People: 3000}, func(r *task.Release) {
			r.Verdict = &ask.Verdict{Grade: ask.Good, Error: 17, About: 230,
				Cells: []ask.Grade{ask.Good, ask.Good, ask.Noise}}
		})},
	}
}
