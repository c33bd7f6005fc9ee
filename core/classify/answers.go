package classify

import (
	"fmt"
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Method says how the rules of a vote get their persons.
type Method string

const (
	Partition Method = "partition" // each person counts for one rule
	Bootstrap Method = "bootstrap" // persons are drawn with replacement, as in the paper
)

// AnswersParams are the parameters of Answers.
type AnswersParams struct {
	// Class is what the rules are taken from. Required.
	Class Class

	// Epsilon and Delta are the privacy loss granted for all answers together, for one replaced
	// person. Required; Delta is above 0.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Persons is n, those without a point included. Required.
	Persons uint64

	// Queries is m, how many cases may be asked for: public ones, or such as depend on answers only
	// (H: answers.md public-cases). Required.
	Queries uint64

	// Beta is the probability with which Forecast may fail; 0 stands for 0.05.
	Beta float64

	// Method is how the rules get their persons; "" stands for Partition.
	Method Method

	// Plain leaves out the relabelling: each rule is learned from the labels as they are. It costs
	// no privacy, and needs labels on which rules of the class make few mistakes: a part of
	// mistakes may come out three times as large.
	Plain bool

	// Plan fixes what is otherwise chosen for the best forecast; nil chooses.
	Plan *Plan
}

// Plan holds the public quantities on which a run depends.
type Plan struct {
	// n̂, persons drawn at random, to be relabelled
	Rows        uint64          `json:"rows"`
	Rules       uint64          `json:"rules"`       // k, odd
	Unstable    uint64          `json:"unstable"`    // T, unstable answers allowed
	VoteEpsilon privacy.Epsilon `json:"voteEpsilon"` // spent on the votes, on the persons drawn
	Base        coin.Base       `json:"-"`           // r, of the choice of labels; nothing if Plain
}

// Answers labels public cases one at a time from private examples, nearly as well as the best rule
// of a class would, even where no rule of the class fits the labels (Algorithm A_PrivAgn).
//
// It draws Rows persons, relabels them by one rule of the class, deals them out to Rules learners,
// and lets the rules learned vote.
//
// # Guarantee
//
// (ε, δ)-DP for all answers together, for neighbours that differ in one replaced person, n and the
// cases public; a case may depend on the answers before it. Proof: answers.md.
//
// # Input and output
//
// n examples; then cases, as [StableVotes].
//
// # Errors
//
// [*param.Error] from the constructor: for a parameter, or (queries, persons) where so few persons
// cannot teach this many answers; its Want says what would do. From Start (persons) when there are
// not n examples, and what step returns. From Answer as StableVotes.
//
// # Cost and accuracy
//
// Class.Work(Rows) twice for the labels, Rules times that of one learner, and Rules coded
// comparisons for each case. Forecast.
//
// # Reference
//
// Nandi, Bassily, "Privately Answering Classification Queries in the Agnostic PAC Model", 2019,
// Algorithm 3 and Theorem 3.3. Differs: persons are dealt out without replacement (Partition),
// which needs no group privacy; relabelling costs 2·ln(1+r) in place of 3; all parameters are
// solved for.
type Answers struct {
	class   Class
	persons uint64
	method  Method
	beta    float64
	plan    Plan
	relabel *Relabelling // nil if Plain
	votes   *StableVotes
	spend   *meter.Spend
}

// NewAnswers checks the parameters and, without a Plan, finds the one with the best forecast.
func NewAnswers(p AnswersParams) (*Answers, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	plan := p.Plan
	if plan == nil {
		found, err := p.solve()
		if err != nil {
			return nil, err
		}
		plan = found
	}
	a := &Answers{class: p.Class, persons: p.Persons, method: p.Method, beta: p.Beta, plan: *plan}
	if err := a.build(p); err != nil {
		return nil, err
	}
	return a, nil
}

func (p *AnswersParams) check() error {
	const most = 1 << 32
	if p.Beta == 0 {
		p.Beta = 0.05
	}
	if p.Method == "" {
		p.Method = Partition
	}
	switch {
	case p.Class == nil:
		return refuse("class", param.NotSet, "a class of rules")
	case !p.Epsilon.IsSet(): // H: answers.md granted
		return refuse("epsilon", param.NotSet, "a number above 0 and at most 100")
	case p.Delta.IsZero(): // H: answers.md granted
		return refuse("delta", "0", "a number above 0 and below 1/n")
	case p.Persons == 0 || p.Persons > most: // H: answers.md persons
		return refuse("persons", strconv.FormatUint(p.Persons, 10), "from 1 to 2^32")
	case p.Queries == 0 || p.Queries > most:
		return refuse("queries", strconv.FormatUint(p.Queries, 10), "from 1 to 2^32")
	case !(p.Beta > 0 && p.Beta < 1):
		return refuse("beta", fmt.Sprintf("%g", p.Beta),
			"a number above 0 and below 1, or 0 for 0.05")
	case p.Method != Partition && p.Method != Bootstrap:
		return refuse("method", strconv.Quote(string(p.Method)), "partition or bootstrap")
	}
	if _, ok := p.Class.(Enumerable); !ok && !p.Plain { // H: relabel.md listed
		return refuse("class", p.Class, "a class whose labellings can be listed, or no relabelling")
	}
	return p.Delta.Check(p.Persons)
}

// build makes the parts of a plan and proves its loss.
func (a *Answers) build(p AnswersParams) error {
	plan := &a.plan
	switch {
	case plan.Rows == 0 || plan.Rows > p.Persons: // H: answers.md plan
		return refuse("plan", phrase.Of("%d rows", plan.Rows), "from 1 to %d rows", p.Persons)
	case plan.Rules == 0 || plan.Rules > plan.Rows || plan.Rules%2 == 0: // H: answers.md plan
		return refuse("plan", phrase.Of("%d rules", plan.Rules), "an odd number from 1 to %d",
			plan.Rows)
	case !plan.VoteEpsilon.IsSet():
		return refuse("plan", phrase.Key("no ε for the votes"), "a number above 0")
	}
	// On the persons drawn, δ may be n/n̂ times what it is on all; with Bootstrap half of it goes
	// to persons drawn too often.
	share := new(big.Rat).
		SetFrac(new(big.Int).SetUint64(p.Persons), new(big.Int).SetUint64(plan.Rows))
	within := share.Mul(share, p.Delta.Rat())
	if within.Cmp(mostDelta) > 0 {
		within.Set(mostDelta)
	}
	delta, err := privacy.NewDelta(within)
	if err != nil {
		return err // unreachable: capped below 1
	}
	var oftener privacy.Loss
	changes := uint64(1)
	if a.method == Bootstrap {
		delta = partOf(delta, big.NewRat(1, 2))
		var tail *big.Rat
		changes, tail = repeats(delta.Rat())
		if oftener, err = privacy.NewLoss(nil, tail); err != nil {
			return err // unreachable: a chance is not negative
		}
	}
	a.votes, err = NewStableVotes(StableVotesParams{
		Epsilon: plan.VoteEpsilon, Delta: delta, Queries: p.Queries, Unstable: plan.Unstable,
		Changes: changes})
	if err != nil {
		return err
	}
	onLabels, err := a.votes.Loss(1)
	if err != nil {
		return err // unreachable: the votes have a loss
	}
	onLabels = onLabels.Plus(oftener)
	if !p.Plain {
		if a.relabel, err = NewRelabelling(p.Class, plan.Base); err != nil {
			return err
		}
	}
	if err := a.price(onLabels); err != nil {
		return err
	}
	// H: answers.md within-granted
	if !a.spend.Loss.AtMost(privacy.ApproximateLoss(p.Epsilon, p.Delta)) {
		return refuse(
			"plan", phrase.Of("%d rows, ε %s for the votes", plan.Rows, plan.VoteEpsilon.String()),
			"fewer rows or a smaller ε for the votes: together they exceed the loss granted")
	}
	return nil
}

// price returns the price of votes, whose cost is onLabels where they see the labels, together with
// the relabelling, on persons drawn at random.
func (a *Answers) price(onLabels privacy.Loss) error {
	loss, err := lossOf(a.relabel, onLabels, a.plan.Rows, a.persons)
	if err != nil {
		return err
	}
	parts := []meter.Part{meter.Once(a.votes.spend.Loss)}
	if a.relabel != nil {
		parts = append(parts, meter.Once(a.relabel.spend.Loss))
	}
	a.spend = meter.Proved("votes of persons drawn at random", "classify/answers.md", loss,
		parts...)
	return nil
}

// lossOf returns the loss of votes on relabelled persons drawn from all.
func lossOf(relabel *Relabelling, onLabels privacy.Loss, rows,
	persons uint64) (privacy.Loss, error) {
	if relabel != nil {
		var err error
		if onLabels, err = relabel.LossOf(onLabels); err != nil {
			return privacy.Loss{}, err
		}
	}
	return onLabels.Subsampled(rows, persons)
}

// repeats returns the smallest K ≥ 1 such that one of n persons is among n draws with replacement
// more than K times with a chance of at most 1/(K+1)! ≤ delta: each of the (n choose K+1) groups of
// draws consists of that person alone with a chance of n^−(K+1).
func repeats(delta *big.Rat) (most uint64, chance *big.Rat) {
	product := big.NewInt(2)
	for most = 1; ; most++ {
		if chance = new(big.Rat).SetFrac(oneInt, product); chance.Cmp(delta) <= 0 {
			return most, chance
		}
		product.Mul(product, new(big.Int).SetUint64(most+2))
	}
}

// mostDelta keeps a δ on a few drawn persons below 1, where it still means something.
var mostDelta = big.NewRat(1, 4) // never written to

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (a *Answers) Loss(d privacy.Distance) (privacy.Loss, error) { return a.spend.Loss.Group(d) }

// Plan returns what the run will do, all public.
func (a *Answers) Plan() Plan { return a.plan }

// Start learns the rules, which stay secret, as do the persons drawn and the new labels
// (H: answers.md secret-rules). step may be nil; it is called with the number of rules learned,
// which is public.
func (a *Answers) Start(src coin.Source, examples []Example, step coin.Step) (*Ballot, error) {
	src = meter.Within(src, a.spend)
	rules, err := a.learn(src, examples, step)
	if err != nil {
		return nil, err
	}
	ballot, err := a.votes.Start(src, rules)
	if err != nil {
		return nil, err // unreachable: a plan has rules
	}
	ballot.columns = len(a.class.Sizes())
	return ballot, nil
}

// learn draws persons, relabels them, deals them out, and learns from each part.
func (a *Answers) learn(src coin.Source, examples []Example, step coin.Step) ([]Rule, error) {
	if uint64(len(examples)) != a.persons { // H: answers.md persons
		return nil, refuse("persons", strconv.Itoa(len(examples)),
			"%d examples, those without a point included", a.persons)
	}
	p := &pace{step: step}
	drawn := drawWithout(src, examples, int(a.plan.Rows), p)
	if p.err != nil {
		return nil, p.err
	}
	if a.relabel != nil {
		var err error
		if drawn, err = a.relabel.relabel(src, drawn, p); err != nil {
			return nil, err
		}
	}
	if a.method == Bootstrap {
		again := make([]Example, len(drawn))
		for i := range again {
			again[i] = drawn[src.Uniform(uint64(len(drawn)))]
		}
		drawn = again
	}
	sizes := a.class.Sizes()
	rules := make([]Rule, a.plan.Rules)
	for j := range rules {
		p := &pace{}
		if step != nil {
			p.step = func(int64, int64) error { return step(int64(j), int64(len(rules))) }
			if err := step(int64(j), int64(len(rules))); err != nil {
				return nil, err
			}
		}
		from, to := part(len(drawn), j, len(rules))
		if rules[j] = a.class.Learn(votes(drawn[from:to], sizes, p), p); p.err != nil {
			return nil, p.err
		}
	}
	return rules, nil
}

// part returns the j-th of k consecutive parts of n, whose sizes differ by at most one.
func part(n, j, k int) (from, to int) { return j * n / k, (j + 1) * n / k }

// drawWithout draws examples without replacement, in random order; fewer once p has ended.
func drawWithout(src coin.Source, examples []Example, count int, p *pace) []Example {
	order := make([]int, len(examples))
	for i := range order {
		order[i] = i
	}
	drawn := make([]Example, count)
	for i := range drawn {
		if !p.on() {
			return drawn[:i]
		}
		at := i + int(src.Uniform(uint64(len(order)-i)))
		order[i], order[at] = order[at], order[i]
		drawn[i] = examples[order[i]]
	}
	return drawn
}
