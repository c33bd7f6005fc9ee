package exhibit

import (
	"fmt"
	"math"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/query"
	"hush/core/task"
	"hush/web/say"
)

// Answer is a made-up release.
type Answer struct {
	State   string
	Release *task.Release
}

// Answers returns releases with every kind of answer, some of awkward sizes.
func Answers() []Answer {
	bins := func(n int) *task.Histogram {
		h := &task.Histogram{Error: 12, AllError: 23, Width: "10"}
		for i := range n {
			h.Bins = append(h.Bins,
				task.Bin{Label: fmt.Sprintf("%d–%d", 10*i, 10*i+9),
					From: fmt.Sprint(10 * i), To: fmt.Sprint(10*i + 10),
					Count: int64(600 - 90*(i-3)*(i-3)/2%500)})
		}
		return h
	}
	few := bins(9)
	few.Bins[8].Count = -7
	return append([]Answer{
		{"histogram", Release("histogram", "Histogram", "Age is between 20 and 49 for more than "+
			"half of the people: about 1 710 of 3 000 (± 40, in 95 of 100 releases).", few)},
		{"histogram of described books", Release("histogram", "Histogram", "More than half of the "+
			"books have 150 to 350 pages: about 5 980 of 11 127.", books(), described)},
		{"histogram of months", Release("histogram", "Histogram", "Day of the visit is between "+
			"2025-01-15 and 2025-06-30 for more than half of the people.", months(),
			func(r *task.Release) {
				r.Plan.Column, r.Plan.People = "day of the visit", 1200
				r.Recipe.Domain = domain.Spec{Kind: domain.Date, Lo: "2025-01-15",
					Hi: "2025-12-31"}
			})},
		{"histogram of long categories", Release("histogram", "Histogram",
			"People by schooling: too few people to tell.", schools(),
			func(r *task.Release) {
				r.Plan.Column, r.Plan.People = "schooling", 1948
				r.Recipe.Domain = domain.Spec{Kind: domain.Category}
				for _, b := range r.Answer.Result.(*task.Histogram).Bins {
					r.Recipe.Domain.Categories = append(r.Recipe.Domain.Categories, b.Label)
				}
				r.Verdict = &ask.Verdict{Grade: ask.Noise, Error: 300, About: 243,
					Text: "The error is larger than most of the counts."}
			})},
		{"histogram of many bins",
			Release("histogram", "Histogram",
				"Age may be most often 30–39: about 600 of 3 000 people (± 23 in all counts at "+
					"once, in 95 of 100 releases).", bins(160))},
		{"histogram of huge counts and long names",
			Release("histogram", "Histogram", LongName+" is most often one of two.",
				&task.Histogram{
					Bins: []task.Bin{{Label: LongName, Count: 9_007_199_254_740_992},
						{Label: "<script>alert(1)</script>", Count: -9_007_199_254_740_992}},
					Error: 1 << 52, AllError: 1 << 53}, func(r *task.Release) {
					r.Plan.Column = LongName
				})},
		{"median", Release("median", "Median", "The median of age is about 41: at least half of "+
			"the people who have a value, less 17, are at or below it, and as many at or above "+
			"it (in 95 of 100 releases).",
			&task.Median{Value: "41", RankError: 17})},
		{"median with its interval", Release("median", "Median", "Half of the people with a value "+
			"of age have 41 or less (95 %: 39 to 43).",
			&task.Median{Value: "41", RankError: 31, Measured: true, Around: 90,
				Span: &task.Span{Low: "39", High: "43"}})},
		{"one number",
			Release("mean", "Mean",
				"The mean of age is about 41.2 (between 40.8 and 41.6 in 95 of 100 releases).",
				&task.Estimates{
					Name: "mean",
					Rows: []task.Estimate{{Value: "41.2", Low: "40.8", High: "41.6"}}})},
		{"one huge number",
			Release("sum", "Sum", "The sum of age is about 123456789012345678901234567890.",
				&task.Estimates{
					Name: "sum",
					Rows: []task.Estimate{
						{Value: "123456789012345678901234567890",
							Low:  "-99999999999999999999999999999999",
							High: "333333333333333333333333333333333"}}})},
		{"a number for each group",
			Release("mean", "Mean",
				"The mean of age for each of 3 groups, each with its 95 % interval.",
				&task.Estimates{
					Name: "mean",
					Rows: []task.Estimate{{Group: "Hill", Value: "41.2", Low: "40.1", High: "42.3"},
						{Group: "Mill", Value: "38.0", Low: "36.7", High: "39.3"},
						{Group: LongName, Value: "55.5", Low: "20.0", High: "91.0"}}})},
		{"a number for each group found",
			Release("mean", "Mean", "The mean of age for 2 groups found and for all others, each "+
				"with its 95 % interval.",
				&task.Estimates{Name: "mean", Found: true, Rows: []task.Estimate{
					{Group: "Hill", Value: "41.2", Low: "40.1", High: "42.3",
						Size: &task.Estimate{Value: "1210", Low: "1180", High: "1240"}},
					{Group: LongName, Value: "38.0", Low: "36.7", High: "39.3",
						Size: &task.Estimate{Value: "902", Low: "872", High: "932"}},
					{Group: "all others", Value: "50.5", Low: "20.0", High: "81.0",
						Size: &task.Estimate{Value: "888", Low: "810", High: "966"}}}})},
		{"quantiles",
			Release("quantiles", "Quantiles", "Of the people with a value of age, about 25 % "+
				"below 23, 50 % below 41, 75 % below 62.",
				&task.Quantiles{
					Rows: []task.Quantile{{Part: "25 %", Value: "23", RankError: 31},
						{Part: "50 %", Value: "41", RankError: 31},
						{Part: "75 %", Value: "62", RankError: 31}}})},
		{"quantiles with intervals",
			Release("quantiles", "Quantiles", "Of the people with a value of age, about 25 % "+
				"below 23 (21 to 25), 50 % below 41 (39 to 43), 75 % below 62 (59 to 66): in 95 "+
				"of 100 releases all intervals hold.",
				&task.Quantiles{Measured: true, Around: 120,
					Rows: []task.Quantile{
						{Part: "25 %", Value: "23", RankError: 51,
							Span: &task.Span{Low: "21", High: "25"}},
						{Part: "50 %", Value: "41", RankError: 51,
							Span: &task.Span{Low: "39", High: "43"}},
						{Part: "75 %", Value: "62", RankError: 51,
							Span: &task.Span{Low: "59", High: "66"}}}})},
		{"quantiles of texts", Release("quantiles", "Quantiles", "Of the people with a value of "+
			"name, about 25 % below Chris 4…, 50 % below F, 75 % below H….",
			&task.Quantiles{
				Rows: []task.Quantile{
					{Part: "25 %", Value: "Chris 4…", Exact: "43ff*200", RankError: 31},
					{Part: "50 %", Value: "F", RankError: 31},
					{Part: "75 %", Value: "H…", Exact: "48ff*255", RankError: 31}}},
			func(r *task.Release) {
				r.Recipe.Domain = domain.Spec{Kind: domain.Text, Length: 256}
			})},
		{"all percentiles", Release("distribution", "All percentiles", "Of the people with a "+
			"value of age, about half are at or below 41, and nine in ten at or below 70.",
			distribution(9))},
		{"all percentiles of many values",
			Release("distribution", "All percentiles",
				"Of the people with a value of age, about half are at or below 41.",
				distribution(120))},
		{"density", Release("density", "Distribution", "Of the people with a value of age, about "+
			"half are at or below 41, and nine in ten at or below 70.", density())},
		{"most frequent value", Release("mode", "Most frequent value", "Most frequent of "+
			"district: Market, at most 14 people behind the most frequent one (in 95 of 100 "+
			"releases).",
			&task.Winner{Value: "Market", Behind: "14", Score: say.Text("people"), Count: "861",
				Error: "12"})},
		{"most frequent value, alone",
			Release("mode", "Most frequent value",
				"Most frequent of name: "+LongName+
					", at most 14 people behind the most frequent one (in 95 of 100 releases).",
				&task.Winner{Value: LongName, Behind: "14", Score: say.Text("people")})},
		{"no value frequent enough",
			Release("mode", "Most frequent value",
				"No value of name is frequent enough to be named.",
				&task.Winner{Behind: "14", Score: say.Text("people")})},
		{"strongest relation",
			Release("strongest", "Strongest relation",
				"Of the columns compared, age goes most with department.",
				&task.Winner{Value: "age", Behind: "1.2 %", Score: say.Text("strength, %"),
					Count: "27",
					Error: "1.1"})},
		{"clusters", Release("clusters", "Clusters", "By age, wait_minutes there are 3 groups: "+
			"about 1404 people near 71, 31; about 850 people near 9, 18; about 310 people near "+
			"34, 95 (sizes ± 70 in 95 of 100 runs, of which the best is shown).", clusters(),
			twoCoordinates)},
		{"no clusters",
			Release("clusters", "Clusters",
				"No group of at least 90 people was found by age, wait_minutes.",
				&task.Clusters{Columns: []string{"age", "wait_minutes"}, Centres: []task.Cluster{},
					Error: 70, Least: 90}, twoCoordinates)},
		{"made-up data", Release("madeup", "Made-up data", "Rows of age, district can be "+
			"made up that hold nobody's data. "+say.Text(task.Lost), madeUp(2),
			func(r *task.Release) {
				r.Recipe.Others = madeUpFields(2)
			})},
		{"made-up data of many columns",
			Release("madeup", "Made-up data", "Rows of six columns can "+
				"be made up that hold nobody's data. "+
				say.Text(task.Lost), madeUp(6), func(r *task.Release) {
				r.Recipe.Others = madeUpFields(6)
			})},
		{"combinations", Release("conjunctions", "How many have all of…", "How many people have "+
			"any combination of up to 2 of 5 attributes of age, city: typically within 12 people.",
			combinations(2))},
		{"single attributes",
			Release("conjunctions", "How many have all of…",
				"How many people have each of 5 attributes of age, city.", combinations(1))},
		{"contacts",
			Release("contacts", "Contacts between groups",
				"Contacts between any of 4 places and all others: typically within 6.",
				Contacts())},
		{"contacts of many places",
			Release("contacts", "Contacts between groups",
				"Contacts between any of 48 places and all others: typically within 60.",
				ManyContacts(query.ByPairs))},
		{"contacts in pieces",
			Release("contacts", "Contacts between groups",
				"Contacts between any of 48 places and all others: typically within 60.",
				ManyContacts(query.ByPieces))},
		{"rule", Release("rule", "Learn a rule", "Ill if age ≥ 50 and smoker = yes, else well. "+
			"It classifies about 1830 of 2000 people correctly (± 12, in 95 of 100 releases).",
			&task.LearnedRule{
				Yes: "sick", No: "fit", Conditions: []string{"age ≥ 50", "smoker = yes"},
				Right: 1830, Error: 12, People: 2000, Extra: 34})},
		{"survival curve", Release("survival", "Survival curve", "Half of the people are still "+
			"without “relapse” at about 45 (between 35 and 60, in 95 of 100 releases).",
			relapses())},
		{"survival curves of groups", Release("survival", "Survival curve", "With “new”, 6.6 to "+
			"22.6 percentage points more are still without “relapse” at 30 than with “usual” (in "+
			"95 of 100 releases): about 63 % and 48 %.", relapses("new", "usual"))},
		{"cut-off", Release("cutoff", "Find a cut-off", "Cut-off of age: yes from 60 on. It "+
			"misclassifies at most 34 people more than the best one (in 95 of 100 "+
			"releases).", cutoff())},
		{"cut-off without accuracies",
			Release("cutoff", "Find a cut-off", "Cut-off of age: yes from 60 on.",
				&task.Cutoff{Rule: "yes from 60 on", Value: "60", At: "60", Above: true,
					Extra: 34})},
		{"labels and a rule", Release("classify", "Label new cases", "Of 60 new cases 25 are "+
			"labelled yes and 35 no. The rule: yes for age from 60 on, else no.", Labels(true),
			Features)},
		{"labels without a rule",
			Release("classify", "Label new cases",
				"Of 60 new cases 25 are labelled yes and 20 no; for 15 the votes were too close.",
				Labels(false), Features)},
	}, tables()...)
}

// books counts books by their pages, in bins that are described.
func books() *task.Histogram {
	h := &task.Histogram{Error: 30, AllError: 55, Width: "50"}
	for i, count := range []int64{210, 370, 745, 1210, 1630, 1700, 1440, 1045, 765, 560, 400, 301,
		212, 150, 121, 89, 66, 48, 37, 28} {
		h.Bins = append(h.Bins, task.Bin{Label: fmt.Sprintf("%d–%d", 50*i, 50*i+49), Count: count,
			From: fmt.Sprint(50 * i), To: fmt.Sprint(50*i + 50)})
	}
	return h
}

// described adds to a release what a codebook says.
func described(r *task.Release) {
	r.Plan.Column, r.Plan.People = "number of pages", 11_127
	r.Recipe.Unit, r.Recipe.Source = "pages", "Books on a reading site"
	r.Recipe.Noun = codebook.Noun{One: "book", Many: "books"}
	r.Recipe.Domain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "999"}
	r.Verdict = &ask.Verdict{Grade: ask.Good, Error: 30, About: 556,
		Text: "The error is a twentieth of the count of a bin."}
}

// months has bins of unequal width on an axis of time.
func months() *task.Histogram {
	h := &task.Histogram{Error: 14, AllError: 25, Width: "1 month"}
	for i := range 12 {
		from, to := fmt.Sprintf("2025-%02d-01", i+1), fmt.Sprintf("2025-%02d-01", i+2)
		if i == 0 {
			from = "2025-01-15"
		}
		if i == 11 {
			to = "2026-01-01"
		}
		h.Bins = append(h.Bins, task.Bin{Label: from, Count: int64(60 + i*(11-i)*4), From: from,
			To: to})
	}
	return h
}

// schools has long names, and too few people in most of them.
func schools() *task.Histogram {
	h := &task.Histogram{Error: 150, AllError: 300}
	for i, name := range []string{"No schooling", "Nursery school", "Grades 5 to 6",
		"Grade 12, no diploma", "High school diploma or an equivalent certificate",
		"Some college", "Bachelor’s degree", "Doctorate"} {
		h.Bins = append(h.Bins, task.Bin{Label: name,
			Count: []int64{40, -60, 120, 90, 610, 480, 390, 210}[i]})
	}
	return h
}

// Labels returns labelled cases with two numbers or three features each, some of them without a
// label.
func Labels(rule bool) *task.Labels {
	l := &task.Labels{Features: []string{"age", "income"}, Outcome: [2]string{"owner", "tenant"}}
	if rule {
		l.Rule, l.Extra = "yes for age from 60 on, else no", 41
		l.RuleParts = &classify.PublishedRule{
			Conditions: []classify.RuleCondition{{Number: 1, Feature: "age", From: "60"}}}
	} else {
		l.Features = append(l.Features, "district")
	}
	for i := range 60 {
		c := task.LabelledCase{Values: []string{fmt.Sprint(i * 37 % 100), fmt.Sprint(1000 + i*i)},
			Label: "tenant"}
		switch {
		case !rule && i%4 == 0:
			c.Label = ""
			l.Without++
		case i*37%100 >= 60:
			c.Label = "owner"
			l.Yes++
		default:
			l.No++
		}
		if !rule {
			c.Values = append(c.Values, LongName)
		}
		l.Cases = append(l.Cases, c)
	}
	return l
}

// Features returns the columns of labelled cases.
func Features(r *task.Release) {
	specs := []domain.Spec{{Kind: domain.Integer, Lo: "0", Hi: "120"},
		{Kind: domain.Integer, Lo: "0", Hi: "5000"},
		{Kind: domain.Category, Categories: []string{LongName, "Hill"}}}
	r.Recipe.Task = "classify"
	r.Recipe.Others = []ask.Field{
		{Role: "outcome", Column: 4,
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"owner", "tenant"}}}}
	r.Plan.Others = []ask.PlanColumn{{Role: "outcome", Column: "ill", Domain: "yes or no"}}
	for i, name := range r.Answer.Result.(*task.Labels).Features {
		r.Recipe.Others = append(r.Recipe.Others,
			ask.Field{Role: "feature", Column: i + 1, Label: name, Domain: specs[i]})
		r.Plan.Others = append(r.Plan.Others,
			ask.PlanColumn{Role: "feature", Column: name,
				Domain: []string{"whole numbers from 0 to 120", "whole numbers from 0 to 5000",
					"one of 2"}[i]})
	}
}

// Voted returns labels by votes that take this many further cases.
func Voted(left uint64) *task.Release {
	l := Labels(false)
	l.Left = &task.VotesLeft{Cases: left, Unstable: 3}
	return Release("classify", "Label new cases",
		"Of 60 new cases 25 are labelled yes and 20 no; for 15 the votes were too close.", l,
		Features)
}

// distribution rises over n values from 0 to 119, half of the way at 41 and nine tenths at 70.
func distribution(n int) *task.Distribution {
	d := &task.Distribution{Total: 2000, Error: 61}
	for i := range n {
		at := 120 * i / n
		people := math.Round(2000 / (1 + math.Exp((41-float64(at))/13.2)))
		d.Points = append(d.Points,
			task.DistributionPoint{Value: fmt.Sprint(at), Code: fmt.Sprint(at),
				Below: people, UpTo: people + 2})
	}
	return d
}

// density has one peak, in twelve cells of ten values.
func density() *task.Density {
	d := &task.Density{People: 2000}
	sum := 0.0
	for i := range 12 {
		people := math.Round(400 * math.Exp(-float64((i-4)*(i-4))/8))
		sum += people
		code := fmt.Sprint(10*i + 9)
		d.Cells = append(d.Cells,
			task.DensityCell{First: fmt.Sprint(10 * i), Last: code, Code: code,
				People: people, Height: people / 10})
		d.Bands = append(d.Bands,
			task.DensityBand{Value: code, Code: code, Low: max(sum-60, 0),
				High: min(sum+60, 2000)})
	}
	return d
}

// clusters returns three groups by two numbers.
func clusters() *task.Clusters {
	return &task.Clusters{Columns: []string{"age", "wait_minutes"}, Error: 70, Least: 90,
		Centres: []task.Cluster{{Values: []string{"71", "31"}, People: 1404},
			{Values: []string{"9", "18"}, People: 850},
			{Values: []string{"34", "95"}, People: 310}}}
}

func twoCoordinates(r *task.Release) {
	for i, hi := range []string{"100", "300"} {
		r.Recipe.Others = append(r.Recipe.Others,
			ask.Field{Role: "coordinate", Column: i + 1,
				Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: hi}})
	}
}

// madeUp returns the distributions of this many columns, every second one of categories, and
// madeUpFields the columns.
func madeUp(columns int) *task.MadeUp {
	m := &task.MadeUp{People: 2000}
	for i, f := range madeUpFields(columns) {
		c := task.MadeUpColumn{Name: f.Label, Density: *density()}
		if i%2 == 1 {
			c.Missing, c.Density = 120_000, task.Density{People: 2000}
			for j, name := range f.Domain.Categories {
				c.Density.Cells = append(c.Density.Cells,
					task.DensityCell{First: name, Last: name, Code: fmt.Sprint(j),
						People: float64(800 - 250*j), Height: float64(800 - 250*j)})
			}
		}
		m.Columns = append(m.Columns, c)
	}
	return m
}

func madeUpFields(columns int) (list []ask.Field) {
	for i := range columns {
		f := ask.Field{Role: "column", Column: i + 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}}
		if i%2 == 1 {
			f.Label, f.Domain = "district",
				domain.Spec{Kind: domain.Category, Categories: []string{"Hill", "Mill", "Market"}}
		}
		if i > 1 {
			f.Label += fmt.Sprintf(", %d years before, %s", i, LongName)
		}
		list = append(list, f)
	}
	return list
}

// combinations returns a release of five attributes of two columns.
func combinations(width int) *task.Conjunctions {
	c := &task.Conjunctions{Width: width, Typical: 12, Attributes: []task.Attribute{
		{Name: "age ≥ 50", Column: "age", Side: task.FromCut},
		{Name: "age < 50", Column: "age", Side: task.BelowCut},
		{Name: "city = Hill", Column: "city", Of: 1}, {Name: "city = Mill", Column: "city", Of: 1},
		{Name: "city = Lake", Column: "city", Of: 1},
	}}
	c.Release = &query.Release{Format: 1, Method: query.ByMarginals, Kind: query.Conjunctions,
		Size: 5, Persons: 2000, Noise: 6, Width: 2,
		Counts: []int64{1100, 3, 500, 380, 220, 900, 310, 240, 350, 810, -4, 1, 620, 5, 570}}
	if width == 1 {
		c.Release.Width, c.Release.Counts = 1, []int64{1100, 900, 810, 620, 570}
	}
	return c
}

// Contacts returns a release of four places.
func Contacts() *task.Contacts {
	return &task.Contacts{Vertices: []string{"Hill", "Mill", "Lake", LongName}, Typical: 6,
		Release: &query.Release{Format: 1, Method: query.ByPairs, Kind: query.Cuts,
			Size: 4, Persons: 900, Noise: 2.8, Counts: []int64{310, 120, 85, 44, -2, 190}}}
}

// ManyContacts returns a release of 48 places, of which every fifth has much to do with its
// neighbours.
func ManyContacts(method query.Method) *task.Contacts {
	const size = 48
	r := &query.Release{Format: 1, Method: method, Kind: query.Cuts, Size: size, Persons: 9000,
		Noise: 2.8}
	c := &task.Contacts{Typical: 60, Release: r}
	for v := range size {
		c.Vertices = append(c.Vertices, fmt.Sprintf("Ward %d", v+1))
		for u := range v {
			count := int64((u*v)%5 - 1)
			if v%5 == 0 && v-u < 4 {
				count += int64(30 + v)
			}
			r.Counts = append(r.Counts, count)
		}
	}
	if method == query.ByPieces {
		one := query.Set{1 << 5}
		r.Counts, r.Means = nil, []int64{6100 << 20, 2300 << 20}
		r.Pieces = query.Decomposition{{Out: one}, {In: one}}
		r.Workloads = []query.Workload{{Chances: make([]uint64, size)}}
		for x := range size {
			r.Workloads[0].Chances[x] = 1 << 31
		}
	}
	return c
}

// relapses are curves that fall evenly, with a band that widens: of each group, or of everybody.
func relapses(groups ...string) *task.Survival {
	s := &task.Survival{Event: "relapse", People: 2000}
	if len(groups) == 0 {
		groups = []string{""}
	} else {
		s.Groups = "arm"
	}
	all := 1960 / int64(len(groups))
	for g, name := range groups {
		c := task.SurvivalCurve{Group: name, All: all, AllLow: all - 35, AllHigh: all + 35}
		left := all
		for month := int64(5); month <= 60; month += 5 {
			free := math.Round(1000*math.Pow(0.925-0.04*float64(g), float64(month)/5)) / 10
			off := 1 + float64(month)/10
			c.Points = append(c.Points, task.SurvivalPoint{Value: fmt.Sprint(month), Free: free,
				Low: free - off, High: free + off, AtRisk: left, AtRiskLow: max(left-70, 0),
				AtRiskHigh: left + 35})
			left -= all / 13
		}
		s.Curves = append(s.Curves, c)
	}
	return s
}

// cutoff returns a cut in values that is right most often at 60.
func cutoff() *task.Cutoff {
	c := &task.Cutoff{Rule: "yes from 60 on", Value: "60", At: "60", Above: true, Extra: 34}
	for age := 0; age < 120; age += 5 {
		right := 90 - math.Abs(float64(age-60))*0.7
		c.Curve = append(c.Curve,
			task.CutoffPoint{Value: fmt.Sprint(age), Right: right, Low: right - 5,
				High: min(right+5, 100), Chosen: age == 60})
	}
	return c
}
