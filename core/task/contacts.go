package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	queries "hush/core/query"
)

// Contacts answers how many contacts there are between any group of vertices and the others. The
// whole of it is private: it can be kept, shared and asked without limit.
type Contacts struct {
	Vertices []string         `json:"vertices"`
	Typical  float64          `json:"typical"` // typical error of a cut, in contacts
	Release  *queries.Release `json:"release"`
}

const (
	roleFrom = "from"
	roleTo   = "to"

	paramShares = "shares"
	mostShares  = 4
)

var contactsTask = ask.Task{
	ID:        "contacts",
	Title:     "Contacts between groups",
	Question:  "How many contacts are there between these and all the others?",
	Sentence:  "How many {many} go from {from} to {to}?",
	Heading:   "Contacts between groups",
	Synonyms:  "flows, origin and destination, network, graph cut, edges, migration, trips",
	Answer:    "one release that answers it for every set, also later and without the data",
	Algorithm: "noisy counts of all pairs, or a decomposition of the cut function",
	How: "Each row is a contact of one person, from one place to another on a public list. With " +
		"many contacts for each pair of places, each pair is counted with noise, and a set's " +
		"contacts with the others are added up. With few contacts, the most influential places " +
		"split the sets into a few pieces. Each piece gets one noisy mean, which is near the " +
		"truth for all but a small part of its sets.",
	Simple: "Noise on the count of each pair of places is the simple mechanism, and better " +
		"for all but very many places.",
	Source: "Gupta, Hardt, Roth, Ullman 2011, Section 4.1; Dwork, McSherry, Nissim, Smith 2006",
	Limits: "A person counts with one contact, or, where a column names the persons, with as " +
		"many as you allow: all of them are protected together. A set with fewer contacts than " +
		"the error looks the same as one with none.",
	Judged: "Before release: the typical error for half of the places, or for the share that you " +
		"ask about, against the contacts that would leave such a set if all places were joined " +
		"alike. After: each count's error against that count, and all together against the " +
		"largest count.",
	Others: []ask.Role{
		{Name: roleFrom, Label: "the first end",
			Help:    "The public list of places, groups or whatever contacts join.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1},
		{Name: roleTo, Label: "the second end", Help: "The same list, in the same order.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1},
	},
	Params: []ask.Param{
		{Name: paramMethod, Label: "Method", Kind: ask.Chosen, Default: auto, Rivals: true,
			Choices: []ask.Choice{{Value: auto, Label: "the better one for this many contacts"},
				{Value: string(queries.ByPairs), Label: "count each pair"},
				{Value: string(queries.ByPieces), Label: "pieces of the cut function"}},
			Help: "Pairs have noise that grows with the number of places, and no other error. " +
				"Pieces have hardly any noise, but are wrong about sets unlike most others.",
			Effect: "Privacy is the same for both.", Tries: "pairs, pieces"},
		{Name: paramShares, Label: "Size of the sets, in % of the places", Kind: ask.Text,
			Default: "50",
			Help: "Up to 4 numbers from 1 to 99, ascending, such as 10, 50. Choose them by the " +
				"sets you are going to ask about, not by the data. Each piece has a mean for " +
				"each number, and a set gets the answer for the nearest number.",
			Effect: "It costs no privacy, but each further number adds noise to the means of all " +
				"pieces. Pairs answer all sets equally well, and need a number only for the " +
				"forecast."}},
	Example: &ask.Example{Sample: "visits", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: roleFrom, Column: 1, Label: "from", Domain: districts},
		{Role: roleTo, Column: 2, Label: "to", Domain: districts}}}},
	Tunes: byQuestions,
	Films: []string{"pieces", "laplace"},
	Costs: ask.Costs{
		"":              "query.Pairs",
		"method pieces": "query.Pieces",
	},
	Exact:    exactCuts,
	Unframed: "a map of pairs shows no errors",
	Prepare:  tuning(prepareContacts),
}

// contacts is a question with one of two methods.
type contacts struct {
	query    *ask.Query
	vertices []string
	pairs    *queries.Pairs
	pieces   *queries.Pieces
	most     int     // pieces
	shares   []int64 // sizes of sets asked about, as percentages of the places
	typical  float64
	atMean   float64 // of pieces: of a set that is as the mean of all
}

// the assumed error of pieces, as a part of the contacts, for choosing a method
const piecesOff = 0.05

// setsOff times √n is what sets are off by from their mean, which pieces answer: half of n contacts
// that are independent, with a standard deviation of √n/2.
const setsOff = 0.4

func prepareContacts(q *ask.Query) (ask.Prepared, error) {
	from, to := q.Others[0], q.Others[1]
	c := &contacts{query: q, vertices: from.Field.Domain.Categories}
	if !slices.Equal(c.vertices, to.Field.Domain.Categories) {
		return nil, ask.Refuse(ask.OtherField(1, "categories"),
			phrase.Of("%d names", len(to.Field.Domain.Categories)),
			phrase.Of("the same %d names as for the first end, in the same order", len(c.vertices)))
	}
	v := float64(len(c.vertices))
	if len(c.vertices) < 2 || len(c.vertices) > 1024 {
		return nil, ask.Refuse(ask.OtherField(0, "categories"),
			phrase.Of("%d names", len(c.vertices)), phrase.Of("from 2 to 1024"))
	}
	if err := q.CheckPersons(mostWords / 4); err != nil {
		return nil, err
	}
	n := float64(max(q.People, 1))
	pairs, err := queries.NewPairs(queries.PairsParams{Epsilon: q.Epsilon})
	if err != nil {
		return nil, err
	}
	if c.shares, err = sharesOf(q.Param(paramShares)); err != nil {
		return nil, err
	}
	// for a set with such a part of the vertices: half of them has the most noise
	noise := pairs.StdDev() * v * math.Sqrt(c.even()) * math.Sqrt(2/math.Pi)
	switch method := q.Param(paramMethod); {
	case method == string(queries.ByPairs), method == auto && noise <= piecesOff*n:
		c.pairs, c.typical = pairs, noise
	default:
		var sets []queries.Workload
		for _, share := range c.shares {
			part, err := queries.Independent(len(c.vertices), big.NewRat(share, 100))
			if err != nil {
				return nil, err
			}
			sets = append(sets, part)
		}
		most, threshold := queries.PiecesAdvice(int(n), len(c.vertices), q.Epsilon, len(sets))
		c.pieces, err = queries.NewPieces(
			queries.PiecesParams{Epsilon: q.Epsilon, Most: most, Threshold: threshold,
				Workloads: sets, Signed: true})
		if err != nil {
			return nil, err
		}
		c.most = most
		c.atMean = piecesOff*n + 2*float64(most*len(sets))/q.Epsilon.Float64()
		c.typical = c.atMean + setsOff*math.Sqrt(n)
	}
	return c, nil
}

// sharesOf reads "10, 50".
func sharesOf(text string) (list []int64, err error) {
	refused := ask.Refuse(paramShares, fmt.Sprintf("%.20q", text),
		phrase.Of("up to %d whole numbers from 1 to 99, each above the one before", mostShares))
	for _, part := range strings.Split(text, ",") {
		share, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || share < 1 || share > 99 || len(list) == mostShares ||
			len(list) > 0 && share <= list[len(list)-1] {
			return nil, refused
		}
		list = append(list, share)
	}
	return list, nil
}

// even is the largest p·(1 − p) over the parts p asked about: half of the part of contacts that
// leave such a set if they join all places alike.
func (c *contacts) even() (most float64) {
	for _, share := range c.shares {
		p := float64(share) / 100
		most = max(most, p*(1-p))
	}
	return most
}

// halves reports whether the question is about sets of half of the places, and no others.
func (c *contacts) halves() bool { return len(c.shares) == 1 && c.shares[0] == 50 }

func (c *contacts) Loss() (privacy.Loss, error) {
	if c.pairs != nil {
		return c.pairs.Loss(1)
	}
	return c.pieces.Loss(1)
}

func (c *contacts) Algorithm() string {
	if c.pairs != nil {
		return c.query.Say.Format("noisy counts of the %d pairs",
			len(c.vertices)*(len(c.vertices)-1)/2)
	}
	return c.query.Say.Text("decomposition of the cut function into pieces")
}

// Bound is known where all error comes from noise.
func (c *contacts) Bound() float64 {
	if c.pairs != nil {
		return usualNoise * c.typical
	}
	return math.Inf(1)
}

// Typical is the error for a set of half of the places.
func (c *contacts) Typical() (off float64, exact bool) { return c.typical, false }

// As is the question with the typical error that an answer states: until 29 November 2026 that of
// pieces was of sets that are as their mean.
func (c *contacts) As(_ ask.Plan, was ask.Result) ask.Prepared {
	of, is := was.(*Contacts)
	if !is || c.pieces == nil || math.Abs(of.Typical-c.atMean) > 1e-9*c.atMean {
		return c
	}
	before := *c
	before.typical = c.atMean
	return &before
}

func (c *contacts) Unit() ask.Unit {
	if !c.halves() {
		return ask.Unit{Text: phrase.Of("contacts, for a set such as you ask about")}
	}
	return ask.Unit{Text: phrase.Of("contacts, for a set of half of the places")}
}

func (c *contacts) Forecast() []ask.Forecast {
	off, n := int64(math.Ceil(c.typical)), c.query.People
	sets := c.query.Say.Format("of all %d contacts, for a set of half of the places", n)
	if !c.halves() {
		sets = c.query.Say.Format("of all %d contacts, for sets of about %s %% of the places", n,
			strings.Trim(fmt.Sprint(c.shares), "[]"))
	}
	detail := percentOf(c.query.Say, off, n) + " " + sets
	if c.pieces != nil {
		detail += c.query.Say.Text("; a rule of thumb, for all but a small part of the sets, and " +
			"single ones may be far off")
	} else {
		detail += c.query.Say.Text("; smaller for small sets; all of it is noise, and it does " +
			"not grow with the contacts")
	}
	list := []ask.Forecast{
		{Label: c.query.Say.Text("An answer is off by, typically"),
			Value: c.query.Say.Format("%d contacts", off), Detail: detail},
		{Label: c.query.Say.Text("Places"), Value: fmt.Sprint(len(c.vertices)),
			Detail: c.query.Say.Text(
				"with 2 to the power of that many sets, all of which can be asked for")},
	}
	if c.pieces != nil {
		list = append(list, ask.Forecast{Label: c.query.Say.Text("Means"),
			Value: c.query.Say.Format("at most %d", c.most*len(c.shares)),
			Detail: c.query.Say.Format("of %d pieces, for %d parts of the places; the noise of "+
				"each grows with their number", c.most, len(c.shares))})
	}
	return list
}

// Judge compares the typical error for a set of half of the places with half of all contacts, the
// number that leave it, and after the release each count of the table with itself.
func (c *contacts) Judge(r ask.Result) ask.Verdict {
	show := func(x float64) string {
		return c.query.Say.Format("%s contacts", phrase.AtMost(math.Ceil(x)))
	}
	if r == nil {
		what := phrase.Key("the half of all that leave half of the places")
		if !c.halves() {
			what = "those that leave such a set, if they join all places alike"
		}
		return c.query.Because(
			ask.Typically(c.typical, 2*c.even()*float64(c.query.People)).Verdict(), show, what)
	}
	var list []ask.Against
	for _, found := range r.(*Contacts).listed() {
		list = append(list, found.against())
	}
	return c.query.Because(ask.OfCounts(list), show, "the count that most are in")
}

func (c *contacts) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	edges := make([]queries.Edge, max(c.query.People, 1))
	for i := range edges {
		edges[i] = queries.Edge{-1, -1}
	}
	from, to := values(data.Others[0]), values(data.Others[1])
	forEachPerson(from, c.query.People, func(row, person int) {
		u, hasU := from.Code(row)
		v, hasV := to.Code(row)
		if hasU && hasV {
			edges[person] = queries.Edge{int(u), int(v)}
		}
	})
	graph, err := queries.NewGraph(len(c.vertices), edges)
	if err != nil {
		return nil, err
	}
	var release *queries.Release
	if c.pairs != nil {
		release, err = c.pairs.Release(src, graph, step)
	} else {
		release, err = c.pieces.Release(src, graph, step)
	}
	if err != nil {
		return nil, err
	}
	return &Contacts{c.vertices, c.typical, release}, nil
}

// perfect returns the best score; a score is minus the number of people by which answers are off.
func (*contacts) perfect() (int64, bool) { return 0, true }

// score is minus the mean error of answers for random sets of vertices.
func (c *contacts) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	score := queries.NewCutScore(len(c.vertices))
	stopped := error(nil)
	ends := valuesOf(data.Others)
	forEachPerson(ends[0], c.query.People, func(row, person int) {
		if step != nil && person%(1<<12) == 0 && stopped == nil {
			stopped = step(0, 1)
		}
		u, hasU := ends[0].Code(row)
		v, hasV := ends[1].Code(row)
		if hasU && hasV && stopped == nil {
			score.Edge(u, v)
		}
	})
	if stopped != nil {
		return 0, 0, stopped
	}
	points, err = score.Points(func(set []int) (float64, error) {
		found, err := r.(*Contacts).Ask(set)
		return found.People, err
	})
	return points, 1, err
}

func (c *contacts) State(r ask.Result) string {
	if !c.halves() {
		return c.query.Say.Format("Contacts between any of %d places and all others: typically "+
			"within %s of the true number, for about %s %% of the places.", len(c.vertices),
			message.Grouped(int64(math.Ceil(c.typical))),
			strings.Trim(fmt.Sprint(c.shares), "[]"))
	}
	return c.query.Say.Format("Contacts between any of %d places and all others: typically "+
		"within %s of the true number, for half of the places.", len(c.vertices),
		message.Grouped(int64(math.Ceil(c.typical))))
}

// Kind is "contacts".
func (c *Contacts) Kind() string { return "contacts" }

// Table lists, where pairs were counted, the contacts of each vertex with all others and between
// each two; otherwise the pieces.
func (c *Contacts) Table(say ask.Voice, _ string) [][]string {
	if !c.Paired() {
		rows := [][]string{
			{say.Text("Sets with"), say.Text("and without"), say.Text("Contacts with others"), "±"}}
		for _, p := range c.Pieces() {
			row := append([]string{strings.Join(p.With, ", "), strings.Join(p.Without, ", ")},
				p.Found.cells()...)
			if p.Share > 0 {
				row = append(row, fmt.Sprint(p.Share))
			}
			rows = append(rows, row)
		}
		if len(c.Release.Workloads) > 1 {
			rows[0] = append(rows[0], say.Text("% of the places"))
		}
		return rows
	}
	rows := [][]string{{say.Text("Between"), say.Text("and"), say.Text("Contacts"), "±"}}
	for x, name := range c.Vertices {
		if found, err := c.Ask([]int{x}); err == nil {
			rows = append(rows, append([]string{name, say.Text("all others")}, found.cells()...))
		}
	}
	for y, other := range c.Vertices {
		for x, one := range c.Vertices[:y] {
			if len(rows) > maxListed {
				return rows
			}
			if found, err := c.Between(x, y); err == nil {
				rows = append(rows, append([]string{one, other}, found.cells()...))
			}
		}
	}
	return rows
}

// listed returns the counts in the rows of the table.
func (c *Contacts) listed() (list []Found) {
	if !c.Paired() {
		for _, p := range c.Pieces() {
			list = append(list, p.Found)
		}
		return list
	}
	for x := range c.Vertices {
		if found, err := c.Ask([]int{x}); err == nil {
			list = append(list, found)
		}
	}
	for y := range c.Vertices {
		for x := range y {
			if len(list)+1 > maxListed {
				return list
			}
			if found, err := c.Between(x, y); err == nil {
				list = append(list, found)
			}
		}
	}
	return list
}

func (f Found) cells() []string {
	return []string{fmt.Sprintf("%.0f", f.People), fmt.Sprintf("%.0f", f.Error)}
}

// PieceOfCuts is the answer of a release by pieces for all sets with and without certain
// influential places, and with about a given part of all places, in percent: 0 where there is one
// part only.
type PieceOfCuts struct {
	With, Without []string
	Share         int
	Found
}

// Pieces lists the pieces; empty where pairs of vertices were counted.
func (c *Contacts) Pieces() (list []PieceOfCuts) {
	for i, p := range c.Release.Pieces {
		piece := PieceOfCuts{}
		for _, x := range p.In.Members() {
			piece.With = append(piece.With, c.Vertices[x])
		}
		for _, x := range p.Out.Members() {
			piece.Without = append(piece.Without, c.Vertices[x])
		}
		for w := range c.Release.Workloads {
			if mean, ok := c.Release.Mean(w, i); ok {
				piece.Found = c.found(mean)
				if len(c.Release.Workloads) > 1 {
					piece.Share = c.Release.Workloads[w].Percent()
				}
				list = append(list, piece)
			}
		}
	}
	return list
}

// Ask answers how many contacts join the chosen vertices with the others, from the release alone.
func (c *Contacts) Ask(chosen []int) (Found, error) {
	set, err := queries.NewSet(len(c.Vertices), chosen...)
	if err != nil {
		return Found{}, err
	}
	answer, err := c.Release.Ask(set)
	return c.found(answer), err
}

// Paired reports whether the contacts between any two vertices are known, because pairs were
// counted.
func (c *Contacts) Paired() bool { return c.Release.Method == queries.ByPairs }

// Between answers how many contacts join two vertices, where pairs were counted.
func (c *Contacts) Between(x, y int) (Found, error) {
	answer, err := c.Release.Between(x, y)
	return c.found(answer), err
}

func (c *Contacts) found(answer queries.Answer) Found {
	if c.Paired() {
		return foundOf(answer)
	}
	return Found{answer.Persons, answer.Share, max(c.Typical, answer.Noise), false}
}

// Check refuses a release that does not fit the vertices.
func (c *Contacts) Check() error {
	if c.Release == nil || c.Release.Size != len(c.Vertices) || c.Release.Kind != queries.Cuts {
		return ask.Refuse("vertices", fmt.Sprint(len(c.Vertices)),
			phrase.Of("as many as the release of their cuts has"))
	}
	return nil
}

// exactCuts compares the released contacts of each place with all others with the true ones.
func exactCuts(_ ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	c := answer.(*Contacts)
	for x, name := range c.Vertices {
		is := exactCount(people, func(p ask.Person) bool {
			from, to := p.Others[0], p.Others[1]
			return from >= 0 && to >= 0 && (from == int64(x)) != (to == int64(x))
		})
		found, err := c.Ask([]int{x})
		if err != nil {
			found.People = math.NaN()
		}
		list = append(list, miss(name, found.People-is, 3*found.Error+2))
	}
	return list
}
