package ask

import (
	"errors"
	"maps"
	"math/big"
	"slices"
	"sort"
	"strings"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
)

// Limits of Help: on what it suggests, and on the work that this takes.
const (
	mostHelp       = 4
	mostHelpPlans  = 80
	mostHelpBins   = 12
	leastHelpBins  = 3
	leastHelpParts = 2 // groups, or categories
	mostWorse      = 2 // times the error that was forecast
	mostOfRange    = 2 // times what a narrower range is judged against
)

// judged is a release's question with its verdicts before and after.
type judged struct {
	key           string
	before, after Verdict
}

// Help lists changes that would improve the answer to a question, the best first, and works each
// out by planning the changed question. It reads public facts only, among them the verdict on the
// last release of the same question, and spends nothing. The list is empty where the answer is
// good, and where no known change helps.
func (s *Session[C]) Help(r Recipe) ([]Help, error) {
	h, err := s.helper(r)
	if err != nil {
		return nil, err
	}
	if s.last != nil && s.last.key == KeyOf(r) {
		h.after(s.last)
	}
	if h.grade == Good {
		return nil, nil
	}
	return h.all()
}

// after makes a helper start from the verdict on a release.
func (h *helper) after(last *judged) { h.last, h.grade, h.sized = last, last.after.Grade, false }

// helper returns a helper for a question that has not been answered yet.
func (s *Session[C]) helper(r Recipe) (*helper, error) {
	people, err := s.check(r)
	if err != nil {
		return nil, err
	}
	q, p, err := newQuery(s.Say, s.catalogue, r, people, s.memory)
	if err != nil {
		return nil, err
	}
	if err := q.Task.offered(r.Params); err != nil {
		return nil, err
	}
	before := q.before(p)
	return &helper{query: q, grade: before.Grade, even: before.About, sized: before.From != "",
		off:  before.Error,
		left: mostHelpPlans,
		plan: func(r Recipe) (Verdict, error) {
			q, p, err := newQuery(s.Say, s.catalogue, r, people, s.memory)
			if err != nil {
				return Verdict{}, err
			}
			return q.before(p), nil
		}}, nil
}

// helper looks for better questions.
type helper struct {
	query *Query
	grade Grade   // of the question as it is
	even  float64 // what it is judged against: for bins, a count
	sized bool    // it hangs on the size of the answer
	off   float64 // its error
	last  *judged // its release; nil: there is none
	plan  func(r Recipe) (Verdict, error)
	left  int // plans that may still be made
}

// change is one way to change a question.
type change struct {
	text   string
	exact  bool
	narrow bool // the range gets narrower
	loss   bool // it costs privacy: epsilon
	// of a change of ε
	epsilon float64
	change  func(r *Recipe)
}

func (c change) of(r Recipe) Recipe {
	r.Params = maps.Clone(r.Params)
	c.change(&r)
	return r
}

// all tries each way of changing the question alone, and then several at once.
func (h *helper) all() (list []Help, err error) {
	var both []change
	ways := [][]change{h.bins(), h.ranges(), h.epsilons(), h.groups()}
	if h.grade == Unknown && h.sized {
		ways = [][]change{h.ranges()}
	}
	for _, way := range ways {
		found, ok, err := h.first(way, h.query.Recipe, false)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, found)
		}
		if len(way) > 0 && !way[0].loss {
			both = append(both, way[len(way)/2])
		}
	}
	exact := slices.DeleteFunc(slices.Clone(both), func(c change) bool { return !c.exact })
	for _, changes := range [][]change{exact, both} {
		good := slices.ContainsFunc(list, func(help Help) bool {
			return !help.Grade.worse(Unknown)
		})
		if good || h.grade == Unknown && h.sized || len(changes) == 0 {
			continue
		}
		found, ok, err := h.together(changes)
		if err != nil {
			return nil, err
		}
		if ok {
			list = append(list, found)
		}
	}
	if slices.ContainsFunc(list, func(help Help) bool { return !help.Grade.worse(Unknown) }) {
		list = slices.DeleteFunc(list, func(help Help) bool {
			free := h.sized && help.Recipe.Domain.Hi != h.query.Recipe.Domain.Hi
			return help.Grade.worse(Unknown) && !free
		})
	}
	slices.SortStableFunc(list, func(a, b Help) int {
		switch {
		case a.Exact == b.Exact:
			return 0
		case a.Exact:
			return -1
		}
		return 1
	})
	return list[:min(len(list), mostHelp)], nil
}

// first returns the smallest change along a way that makes the answer good, or else better. Larger
// changes are taken to help more.
func (h *helper) first(way []change, from Recipe, narrowed bool) (found Help, ok bool, err error) {
	verdicts := map[int]Verdict{}
	at := func(i int) Grade {
		if v, known := verdicts[i]; known {
			return v.Grade
		}
		v, fault := h.judge(way[i].of(from), way[i].narrow || narrowed)
		if fault != nil && err == nil {
			err = fault
		}
		verdicts[i] = v
		return v.Grade
	}
	if h.sized && len(way) > 0 && way[0].narrow { // helps whatever the answer is, and is free
		at(0)
		return h.found(way[0], from, verdicts[0]), err == nil && verdicts[0].Error < h.off, err
	}
	grades := []Grade{Unknown, Rough} // good at least from some size on
	switch h.grade {
	case Unknown:
		grades = []Grade{Good}
	case Rough:
		grades = grades[:1]
	}
	for _, wanted := range grades {
		i := searchFrom(len(way), h.guess(way, from, wanted), func(i int) bool {
			return !at(i).worse(wanted)
		})
		if err != nil {
			return found, false, err
		}
		if i < len(way) && !at(i).worse(wanted) {
			return h.found(way[i], from, verdicts[i]), true, err
		}
	}
	return found, false, err
}

// found describes a change that helps, with the verdict on the changed question.
func (h *helper) found(c change, from Recipe, v Verdict) Help {
	return Help{Text: c.text, Recipe: c.of(from), Grade: v.Grade, From: v.From, Error: v.Error,
		Exact: c.exact}
}

// guess returns where along a way to look first: errors are nearly proportional to 1/ε.
func (h *helper) guess(way []change, from Recipe, wanted Grade) int {
	if len(way) == 0 || !way[0].loss {
		return len(way) / 2
	}
	v, err := h.judge(from, false)
	if err != nil || !(v.Error > 0 && v.About > 0) {
		return len(way) / 2
	}
	part := goodPart
	if wanted == Rough {
		part = roughPart
	}
	need := h.query.Epsilon.Float64() * v.Error / v.About * float64(part)
	return sort.Search(len(way), func(i int) bool { return way[i].epsilon >= need })
}

// searchFrom is sort.Search that looks near a guess first.
func searchFrom(n, guess int, f func(i int) bool) int {
	low, high := 0, n // the answer is from low to high
	if guess = min(guess, n-1); n > 0 && f(guess) {
		high = guess
		for step := 1; high > 0; step *= 2 {
			i := max(high-step, 0)
			if !f(i) {
				low = i + 1
				break
			}
			high = i
		}
	} else if n > 0 {
		low = guess + 1
		for step := 1; low < n; step *= 2 {
			i := min(low+step-1, n-1)
			if f(i) {
				high = i
				break
			}
			low = i + 1
		}
	}
	return low + sort.Search(high-low, func(i int) bool { return f(low + i) })
}

// together makes several changes at once, and then looks for the ε.
func (h *helper) together(changes []change) (found Help, ok bool, err error) {
	from, exact, narrow := h.query.Recipe, true, false
	var texts []string
	for _, c := range changes {
		from = c.of(from)
		exact, narrow, texts = exact && c.exact, narrow || c.narrow, append(texts, c.text)
	}
	found, ok, err = h.first(h.epsilons(), from, narrow)
	found.Text = h.query.Say.Format("%s, and %s", strings.Join(texts, ", "), found.Text)
	found.Exact = exact
	return found, ok, err
}

// judge returns the verdict on a changed question; a refused question counts as mostly noise. Where
// there is a verdict on a release, what is known of its answer is carried over.
func (h *helper) judge(r Recipe, narrow bool) (Verdict, error) {
	if h.left--; h.left < 0 {
		return Verdict{Grade: Noise}, nil
	}
	v, err := h.plan(r)
	if refused := new(param.Error); errors.As(err, &refused) {
		return Verdict{Grade: Noise}, nil
	}
	if err != nil || h.last == nil {
		return v, err
	}
	was, is, about := h.last.before, h.last.after, h.last.after.About
	if is.expected != 0 {
		about = is.expected
	}
	if !(was.Error > 0 && was.About > 0 && is.Error > 0 && about > 0) {
		return v, nil
	}
	switch {
	case !narrow:
		about *= v.About / was.About
	case about > mostOfRange*v.About: // the answer itself may lie beyond the range
		v.Grade = Noise
		return v, nil
	default:
		about = min(about, v.About)
	}
	// Where the release is noise, the ratio of its error to the forecast is not stated: groups are
	// unequal, and most have less than an equal share of the people.
	worse := min(max(is.Error/was.Error, 1), mostWorse)
	if is.Grade == Noise && is.expected != 0 {
		worse = mostWorse
	}
	if g := Judge(v.Error*worse, about); v.Grade == Unknown || g.worse(v.Grade) {
		v.Grade = g
	}
	return v, nil
}

// epsilons returns the changes to an ε of two digits, above the question's and up to 10.
func (h *helper) epsilons() (way []change) {
	for _, epsilon := range twoDigits(h.query.Epsilon.Rat(), big.NewRat(10, 1)) {
		text := epsilon.String()
		way = append(way, change{text: "ε = " + text, exact: true, loss: true,
			epsilon: epsilon.Float64(), change: func(r *Recipe) { r.Epsilon = text }})
	}
	return way
}

// groups returns the changes to fewer groups or fewer categories; a person must choose which of
// them to merge.
func (h *helper) groups() (way []change) {
	r, say := h.query.Recipe, h.query.Say
	if r.Group != nil && len(r.Group.Names) > 0 {
		names := r.Group.Names
		for n := len(names) - 1; n >= leastHelpParts; n-- {
			way = append(way, change{text: say.Format("%d groups, not %d", n, len(names)),
				change: func(r *Recipe) {
					fewer := GroupsOf(r.Group.Column, r.Group.Spec().Among(names[:n]))
					fewer.Label = r.Group.Label
					r.Group = fewer
				}})
		}
	}
	if names := r.Domain.Categories; h.query.Task.Bins != "" && r.Domain.Kind == domain.Category {
		for n := len(names) - 1; n >= leastHelpParts; n-- {
			way = append(way, change{text: say.Format("%d categories, not %d", n, len(names)),
				change: func(r *Recipe) { r.Domain = r.Domain.Among(names[:n]) }})
		}
	}
	return way
}

// bins returns the changes to wider bins.
func (h *helper) bins() (way []change) {
	name, q := h.query.Task.Bins, h.query
	if name == "" || q.Domain == nil || q.Recipe.Domain.Kind == domain.Category {
		return nil
	}
	step := big.NewRat(1, 1)
	if numeric, is := q.Domain.(domain.Numeric); is {
		_, step = numeric.Linear()
	}
	all := new(big.Rat).Mul(new(big.Rat).SetInt(q.Domain.Size()), step)
	most := new(big.Rat).Quo(all, big.NewRat(leastHelpBins, 1))
	width, ok := new(big.Rat).SetString(q.Param(name))
	if !ok { // bins that were made for the range: as wide as they are on average
		part := new(big.Rat).SetFloat64(h.even / float64(max(q.People, 1)))
		if part == nil {
			return nil
		}
		width = part.Mul(part, all)
	}
	now := message.Prose(floatOf(width))
	unit := big.NewRat(1, 1_000_000)
	for ; len(way) < mostHelpBins && unit.Cmp(most) <= 0; unit.Mul(unit, big.NewRat(10, 1)) {
		for _, times := range []int64{1, 2, 5} {
			wider := new(big.Rat).Mul(unit, big.NewRat(times, 1))
			if wider.Cmp(width) <= 0 || wider.Cmp(most) > 0 ||
				!new(big.Rat).Quo(wider, step).IsInt() {
				continue
			}
			places, _ := wider.FloatPrec()
			text := wider.FloatString(places)
			way = append(way, change{exact: true,
				text: q.Say.Format("Bins of %s, not %s", message.GroupedText(text), now),
				change: func(r *Recipe) {
					if r.Params == nil {
						r.Params = Params{}
					}
					r.Params[name] = text
					delete(r.Params, ParamEdges)
				}})
		}
	}
	return way
}

// ranges returns the changes to narrower ranges of the main column, from the public ladder.
func (h *helper) ranges() (way []change) {
	q := h.query
	if q.Task.Bins != "" || len(q.Task.Domains) == 0 || q.Task.Counts {
		return nil // a count within a narrower range is another count
	}
	for _, spec := range codebook.Narrower(q.Recipe.Domain) {
		way = append(way, change{exact: true, narrow: true,
			text:   q.Say.Format("A range up to %s", q.WithUnit(message.GroupedText(spec.Hi))),
			change: func(r *Recipe) { r.Domain = spec }})
	}
	return way
}

func floatOf(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}
