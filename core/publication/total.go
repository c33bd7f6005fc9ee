package publication

import (
	"math/big"
	"slices"
	"strconv"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/task"
)

// Total is the guarantee for everything on a page.
type Total struct {
	Loss  privacy.Loss
	Parts []Part // it is their sum; in the order of their first figures
}

// Part is a release, a chain of top-ups, or a plan: whatever is paid for at once.
type Part struct {
	Figures []int        // the numbers on the page of the figures it pays for, from 1
	Loss    privacy.Loss // of all of it
	// Plan is the plan's number in Page.Plans, from 1; 0: it is no plan.
	Plan int
	// Questions is how many a plan has, on the page or not, and Apart their plain sum.
	Questions int
	Apart     privacy.Loss
	// Of are the questions of a plan, which its loss cannot contradict; nil: it is no plan.
	Of []privacy.Planned
}

// Total recomputes what the page promises from its recipes, plans and numbers of people; it
// believes nothing that its releases state about that.
//
// The loss is that of all releases on the page together, if each was drawn as its recipe says (H:
// total.md drawn-as-said), once where it is one pointer (H: total.md drawn-once), those of a plan
// with the plan, which was fixed before (H: total.md plan-first), and those of a chain on each
// other (H: total.md topped-up): a plan by [privacy.ComposePlan], with its questions that are not
// on the page; a chain of top-ups by its last release, or with Gaussian noise by the sum of its
// releases; all else by the plain sum, which holds however each question was chosen. A release of a
// plan is one whose recipe is a question of the plan, each question once; one that only names a
// plan is paid for by itself.
// Proof: total.md.
//
// *param.Error where a question cannot be priced, where the figures of a plan are about different
// numbers of people, and where its δ is too small for it; [privacy.ErrNoBound] where a release has
// no ε.
func (p Page) Total() (Total, error) { return p.total(task.PriceTogether) }

// pricing prices the questions of a plan together, as [task.PriceTogether] does.
type pricing func(questions []ask.Recipe, people int64, delta string) (ask.Together, error)

func (p Page) total(price pricing) (Total, error) {
	var t Total
	list := p.drawn()
	for i := range p.Plans {
		part, err := p.planned(i, list, price)
		if err != nil {
			return Total{}, err
		}
		if part != nil {
			t.add(*part)
		}
	}
	for _, d := range list {
		if d.paid {
			continue
		}
		// H: total.md own-prices
		plan, err := task.Price(nil, d.release.Recipe, d.release.Plan.People)
		if err != nil {
			return Total{}, err
		}
		loss, err := averaged(d.release, plan.Loss)
		if err != nil {
			return Total{}, err
		}
		t.add(Part{Figures: d.figures, Loss: loss, Apart: loss})
	}
	if len(t.Parts) == 1 {
		t.Loss = t.Parts[0].Loss
		return t, nil
	}
	epsilon, delta := new(big.Rat), new(big.Rat)
	for _, part := range t.Parts {
		one, known := part.Loss.Epsilon()
		if !known {
			return Total{}, privacy.ErrNoBound
		}
		epsilon.Add(epsilon, one)
		delta.Add(delta, part.Loss.Delta())
	}
	var err error
	t.Loss, err = privacy.NewLoss(epsilon, delta) // a ρ of chains does not add up: total.md
	return t, err
}

// averaged returns the loss of a chain of answers that are averages of Gaussian noise: the plain
// sum of its releases, each with its ρ and the δ of the last, and no less than the loss of the
// last. Answers may have decided how far the chain goes, so the loss of the last alone is too
// small.
func averaged(r *task.Release, last privacy.Loss) (privacy.Loss, error) {
	if r.Head == nil || len(r.Head.Draws) < 2 {
		return last, nil
	}
	delta, err := privacy.NewDelta(last.Delta())
	if err != nil {
		return last, err
	}
	entries := big.NewRat(r.Recipe.Use.Entries(), 1)
	var sum privacy.Loss
	for _, draw := range r.Head.Draws {
		rho, err := privacy.ParseRho(draw.Rho)
		if err != nil {
			return last, err
		}
		// of all entries of a person: group.md of core/privacy
		whole := rho.Rat()
		if rho, err = privacy.NewRho(whole.Mul(whole, entries).Mul(whole, entries)); err != nil {
			return last, err
		}
		one, err := privacy.ConcentratedLoss(rho).At(delta)
		if err != nil {
			return last, err
		}
		sum = sum.Plus(one)
	}
	epsilon, known := sum.Epsilon()
	least, also := last.Epsilon()
	if !known || !also {
		return last, privacy.ErrNoBound
	}
	if epsilon.Cmp(least) < 0 {
		epsilon = least
	}
	return privacy.NewLoss(epsilon, sum.Delta())
}

// add inserts a part before the parts whose figures come later.
func (t *Total) add(part Part) {
	i := slices.IndexFunc(t.Parts, func(p Part) bool { return p.Figures[0] > part.Figures[0] })
	if i < 0 {
		i = len(t.Parts)
	}
	t.Parts = slices.Insert(t.Parts, i, part)
}

// drawn is a release of a page, and the figures that show it or what it was topped up from.
type drawn struct {
	release *task.Release
	figures []int
	plan    int
	paid    bool // as a part of something else
}

// drawn returns the releases of a page, each once, with chains of top-ups drawn together.
func (p Page) drawn() (list []*drawn) {
	place := map[*task.Release]*drawn{}
	for i, f := range p.Figures() {
		if d := place[f.Release]; d != nil {
			d.figures = append(d.figures, i+1)
			continue
		}
		d := &drawn{release: f.Release, figures: []int{i + 1}, plan: f.Plan}
		place[f.Release], list = d, append(list, d)
	}
	for _, last := range list {
		if last.release.Head == nil {
			continue
		}
		for _, before := range last.release.Head.Before {
			i := slices.IndexFunc(list, func(d *drawn) bool {
				return !d.paid && d.plan == 0 && d != last && d.release.Digest() == before.Digest &&
					refines(last.release, d.release)
			})
			if i >= 0 {
				list[i].paid = true
				last.figures = append(last.figures, list[i].figures...)
				slices.Sort(last.figures)
			}
		}
	}
	return list
}

// refines reports whether a release can be a top-up of another: the same question with more ε.
func refines(last, first *task.Release) bool {
	more, err1 := privacy.ParseEpsilon(last.Recipe.Epsilon)
	less, err2 := privacy.ParseEpsilon(first.Recipe.Epsilon)
	a, b := last.Recipe.Bare(), first.Recipe.Bare()
	a.Epsilon = b.Epsilon
	return err1 == nil && err2 == nil && more.Cmp(less) > 0 && ask.KeyOf(a) == ask.KeyOf(b) &&
		last.Plan.People == first.Plan.People
}

// planned returns the price of a plan; its releases are then paid for. It is nil if none of them is
// on the page.
func (p Page) planned(index int, list []*drawn, price pricing) (*Part, error) {
	plan := p.Plans[index]
	part := &Part{Plan: index + 1, Questions: len(plan.Questions)}
	taken := make([]bool, len(plan.Questions))
	var people int64
	for _, d := range list {
		if d.paid || d.plan != index+1 {
			continue
		}
		key := ask.KeyOf(d.release.Recipe.Bare())
		for i, question := range plan.Questions {
			if taken[i] || ask.KeyOf(question.Bare()) != key {
				continue
			}
			if people > 0 && people != d.release.Plan.People {
				return nil, ask.Refuse("plan", phrase.Of("%d and %d people", people,
					d.release.Plan.People), phrase.Of("figures of one file"))
			}
			people = d.release.Plan.People
			taken[i], d.paid = true, true
			part.Figures = append(part.Figures, d.figures...)
			break
		}
	}
	if people == 0 {
		return nil, nil
	}
	slices.Sort(part.Figures)
	together, err := price(plan.Questions, people, plan.Delta)
	if err != nil {
		return nil, err
	}
	part.Loss, part.Apart, part.Of = together.Total.Loss, together.Apart, together.Parts()
	if littleMore(part.Apart, part.Loss) || privacy.Contradiction(part.Of, part.Loss) != nil {
		part.Loss = part.Apart
	}
	return part, nil
}

// littleMore reports whether the plain sum's ε is within a thousandth of a total's that has more δ:
// no δ is worth that.
func littleMore(sum, total privacy.Loss) bool {
	a, known := sum.Epsilon()
	b, also := total.Epsilon()
	return known && also && sum.Delta().Cmp(total.Delta()) < 0 &&
		a.Cmp(b.Mul(b, big.NewRat(1001, 1000))) <= 0
}

// Saved returns how much less ε the parts of a page cost than its questions one by one; nil if that
// is nothing, or if an ε is not known.
func (t Total) Saved() *big.Rat {
	saved := new(big.Rat)
	for _, part := range t.Parts {
		apart, known := part.Apart.Epsilon()
		together, also := part.Loss.Epsilon()
		if !known || !also {
			return nil
		}
		saved.Add(saved, apart.Sub(apart, together))
	}
	if saved.Sign() <= 0 {
		return nil
	}
	return saved
}

// mostKeys is the largest number of figures that a page shows at its top.
const mostKeys = 4

// Keys returns the numbers of the figures, from 1, that are shown in large type at the top of a
// page: the first four whose answer is one number that is good to publish.
func (p Page) Keys() (keys []int) {
	for i, f := range p.Figures() {
		if len(keys) < mostKeys && single(f.Release) {
			keys = append(keys, i+1)
		}
	}
	return keys
}

// single reports whether an answer is one number that is good to publish, or says nothing of that,
// as those of earlier versions.
func single(r *task.Release) bool {
	if r.Verdict != nil && r.Verdict.Grade != ask.Good {
		return false
	}
	switch a := r.Answer.Result.(type) {
	case *task.Estimates:
		if len(a.Rows) != 1 || a.Rows[0].Group != "" {
			return false
		}
		_, err := strconv.ParseFloat(a.Rows[0].Value, 64)
		return err == nil
	case *task.Median:
		return true
	}
	return false
}
