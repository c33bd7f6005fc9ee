package ask

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// The parameters of a recipe also say what is tried: "try-width" holds the values of "width", "try"
// how many of the combinations are tried, "try-good" or "try-best" what ends the search, and
// "try-halves" which rows the score looks at.
const (
	paramTry    = "try"
	ParamGood   = "try-good"   // by how many people an answer that is good enough is off at most
	ParamBest   = "try-best"   // one of this many percent of the best runs is wanted
	ParamHalves = "try-halves" // "true": runs see one half of the rows, and scores the other
	allTries    = "all"
	MostTries   = 32   // combinations that are tried
	mostEach    = 1000 // values of one parameter
	mostBest    = 50   // percent
)

// TryName is the name under which a recipe has the values of a parameter to be tried, as "1, 2, 5"
// or "1 to 20".
func TryName(parameter string) string { return paramTry + "-" + parameter }

// tryFields returns the fields in which a task's values to be tried are entered, beside those of
// its parameters.
func (t *Task) tryFields() (list []Param) {
	for _, p := range t.Params {
		if p.Tries != "" {
			list = append(list, Param{Name: TryName(p.Name), Kind: Text})
		}
	}
	if list != nil {
		list = append(list, Param{Name: paramTry, Kind: Text})
	}
	if list != nil {
		list = append(list, Param{Name: ParamBest, Kind: Text})
	}
	if list != nil && t.Aims {
		list = append(list, Param{Name: ParamGood, Kind: Text})
	}
	if list != nil && t.Halves {
		list = append(list, Param{Name: ParamHalves, Kind: Flag})
	}
	return list
}

// Tries reports whether values are to be tried.
func (q *Query) Tries() bool {
	return slices.ContainsFunc(q.Task.Params, func(p Param) bool { return q.triedOf(p) != "" })
}

// triedOf returns the list of values of a parameter to be tried, or an empty list if there are
// none.
func (q *Query) triedOf(p Param) string {
	if p.Tries == "" || q.Domain != nil && !p.AsksFor(q.Domain.Spec().Kind) {
		return ""
	}
	return strings.TrimSpace(q.Recipe.Params[TryName(p.Name)])
}

// Aim says which answer ends a search.
type Aim struct {
	People int64  // by this many an answer that is good enough may be off
	Runs   uint64 // above 0: a good enough answer is sought, in at most this many runs
}

const (
	seekWord = "search" // in place of a number of people
	seekRuns = 1 << 17  // minutes of runs, where no number is given
	mostSeek = 1 << 20
)

// GoodEnough returns the answer that ends the search; nil where the best of all is wanted.
func (q *Query) GoodEnough() (*Aim, error) {
	text := strings.TrimSpace(q.Recipe.Params[ParamGood])
	if text == "" {
		return nil, nil
	}
	if number, is := strings.CutPrefix(text, seekWord); is {
		runs := uint64(seekRuns)
		var err error
		if number = strings.TrimSpace(number); number != "" {
			runs, err = strconv.ParseUint(number, 10, 64)
		}
		if err != nil || runs < 1 || runs > mostSeek {
			return nil, Refuse(ParamGood, fmt.Sprintf("%.20q", text),
				phrase.Of(`"search", or "search" and a number of runs up to %d`, mostSeek))
		}
		return &Aim{Runs: runs}, nil
	}
	people, err := strconv.ParseInt(text, 10, 64)
	if err != nil || people < 0 || people > q.People {
		return nil, Refuse(ParamGood, fmt.Sprintf("%.20q", text),
			phrase.Of(`a whole number of people from 0 to %d, "search", or nothing`, q.People))
	}
	return &Aim{People: people}, nil
}

// SearchDelta returns the δ of a search for a good enough run: the recipe's own where the question
// takes a δ, else the default.
func (q *Query) SearchDelta() (privacy.Delta, error) {
	delta, err := q.ownDelta()
	if q.takesDelta() {
		delta, err = q.personDelta()
	}
	if err == nil && delta.IsZero() {
		return delta, Refuse(ParamDelta, q.Param(ParamDelta),
			phrase.Of("auto, or a number above 0: samples may mislead"))
	}
	return q.forEach(delta, err)
}

// OneOfBest is the percentage of all runs that are good enough; one of these is wanted with
// probability 95 %. It is 0 where none is given.
func (q *Query) OneOfBest() (percent int64, err error) {
	text := strings.TrimSpace(q.Recipe.Params[ParamBest])
	if text == "" {
		return 0, nil
	}
	percent, err = strconv.ParseInt(text, 10, 64)
	if err != nil || percent < 1 || percent > mostBest {
		return 0, Refuse(ParamBest, fmt.Sprintf("%.20q", text),
			phrase.Of("a whole number from 1 to %d, or nothing", mostBest))
	}
	if q.Recipe.Params[ParamGood] != "" {
		return 0, Refuse(ParamBest, text,
			phrase.Of("nothing where the first answer that is good enough is wanted"))
	}
	return percent, nil
}

// InHalves reports whether runs see one half of the rows and scores the other. Each person is then
// one row.
func (q *Query) InHalves() (bool, error) {
	if q.Recipe.Params[ParamHalves] != "true" {
		return false, nil
	}
	if r := q.Recipe; r.Person != 0 || r.Use != nil || r.Count != 0 {
		return false, Refuse(ParamHalves, "true",
			phrase.Of("no where a row is not one person: one person could be in both halves"))
	}
	return true, nil
}

// Combination is one value of each parameter that is tuned.
type Combination struct {
	Label  string // "Bin width 5"
	Value  string // "5"
	Params Params
}

// Combinations lists the combinations to be tried; all names the parameters that they combine. Both
// depend on the recipe alone.
func (q *Query) Combinations() (all string, list []Combination, err error) {
	var tuned []Param
	var values [][]string
	var names []phrase.Key
	grid := 1
	for _, p := range q.Task.Params {
		text := q.triedOf(p)
		if text == "" {
			continue
		}
		each, err := p.valuesOf(text)
		if err != nil {
			return "", nil, err
		}
		tuned, values, names = append(tuned, p), append(values, each), append(names, p.Label)
		if grid *= len(each); grid > 1<<30 {
			return "", nil,
				Refuse(TryName(p.Name), phrase.Of("too many values"), phrase.Of("fewer of them"))
		}
	}
	which, err := q.drawn(grid, KeyOf(q.Task.ID, names, values))
	if err != nil {
		return "", nil, err
	}
	for _, at := range which {
		c := Combination{Params: Params{}}
		var labels, shown []string
		for i, p := range tuned {
			value := values[i][at%len(values[i])]
			at /= len(values[i])
			c.Params[p.Name] = value
			labels, shown = append(labels, q.Say.Text(p.Label)+" "+p.shown(q.Say, value)),
				append(shown, p.shown(q.Say, value))
		}
		c.Label, c.Value = strings.Join(labels, ", "), strings.Join(shown, ", ")
		list = append(list, c)
	}
	var of []string
	for _, name := range names {
		of = append(of, q.Say.Text(name))
	}
	return strings.Join(of, ", "), list, nil
}

// drawn returns the numbers of the combinations to be tried, out of grid: all of them, or some
// drawn at random with the grid's own text as the seed, so that every reader of the recipe finds
// the same.
func (q *Query) drawn(grid int, text string) ([]int, error) {
	asked, many := strings.TrimSpace(q.Recipe.Params[paramTry]), grid
	if asked != "" && asked != allTries {
		n, err := strconv.Atoi(asked)
		if err != nil || n < 2 || n > MostTries {
			return nil, Refuse(paramTry, fmt.Sprintf("%.20q", asked),
				phrase.Of(`"all", or a number from 2 to %d`, MostTries))
		}
		many = min(n, grid)
	}
	switch {
	case grid < 2:
		return nil, Refuse(q.FirstTried(), phrase.Of("one value"),
			phrase.Of("several different values"))
	case many > MostTries:
		return nil, Refuse(paramTry, phrase.Of("%d combinations", grid),
			phrase.Of("a number of them from 2 to %d, to be drawn at random, or fewer values",
				MostTries))
	}
	var which []int
	if many == grid {
		for i := range grid {
			which = append(which, i)
		}
		return which, nil
	}
	hash := fnv.New64a()
	hash.Write([]byte(text))
	src := coin.NewSeeded(coin.Seed(hash.Sum64()))
	for len(which) < many {
		if i := int(src.Uniform(uint64(grid))); !slices.Contains(which, i) {
			which = append(which, i)
		}
	}
	slices.Sort(which)
	return which, nil
}

// FirstTried is the name of the first field with values to be tried.
func (q *Query) FirstTried() string {
	i := slices.IndexFunc(q.Task.Params, func(p Param) bool { return q.triedOf(p) != "" })
	return TryName(q.Task.Params[i].Name)
}

// valuesOf reads "1, 2, 5" and "1 to 20".
func (p Param) valuesOf(text string) (list []string, err error) {
	field := TryName(p.Name)
	for part := range strings.SplitSeq(text, ",") {
		part = strings.TrimSpace(part)
		first, last, isRange := span(part)
		if !isRange {
			first, last = 0, 0
		}
		if last-first >= mostEach {
			return nil, Refuse(field, fmt.Sprintf("%.40q", part),
				phrase.Of("at most %d values", mostEach))
		}
		for n := first; n <= last; n++ {
			value := part
			if isRange {
				value = strconv.Itoa(n)
			}
			if err := p.Check(value); err != nil {
				return nil, TryFault(field, err)
			}
			if slices.Contains(list, value) {
				return nil, Refuse(field, fmt.Sprintf("%.40q twice", value),
					phrase.Of("different values"))
			}
			list = append(list, value)
		}
	}
	return list, nil
}

// span reads "1 to 20".
func span(text string) (first, last int, ok bool) {
	from, to, found := strings.Cut(text, " to ")
	first, err1 := strconv.Atoi(strings.TrimSpace(from))
	last, err2 := strconv.Atoi(strings.TrimSpace(to))
	return first, last, found && err1 == nil && err2 == nil && first <= last && first > -1<<30 &&
		last < 1<<30
}

// shown is a value as people read it.
func (p Param) shown(say *message.Language, value string) string {
	for _, c := range p.Choices {
		if c.Value == value {
			return say.Text(c.Label)
		}
	}
	return value
}

// TryFault marks the field that holds a list of values to be tried.
func TryFault(field string, err error) error {
	return Refuse(field, phrase.Of("one that is refused: %s", err),
		phrase.Of("values that are each possible"))
}

// Tuned says which values of parameters were chosen privately, and among which.
type Tuned struct {
	// its label; of several with commas between, as in Value and Among
	Parameter string   `json:"parameter"`
	Value     string   `json:"value"`
	Among     []string `json:"among"`
	By        string   `json:"by"` // what the noisy score counts
	// Good is how many people the first good enough answer may be off by at most, according to its
	// noisy score. In at most 5 of 100 cases a search releases an answer that is off by more than
	// Within; this says nothing about the answers that are released. Within is 0 where the search
	// was for the best of all.
	Good   int64 `json:"good,omitempty"`
	Within int64 `json:"within,omitempty"`
}

// Best is a Result that was chosen among those of many runs: what its method Best returns is
// released.
type Best interface {
	Result
	Best() (of Result, how Tuned)
}
