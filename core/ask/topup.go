package ask

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Refining is a question whose answer can later be made more exact for the difference of the two
// losses: by a top-up or, with Gaussian noise, by a release that is averaged with the earlier ones
// (topup.md of core/basic).
type Refining interface {
	Prepared
	// Raw returns the numbers that the last run drew, and those that it averages with them; ok is
	// false where the run cannot be topped up.
	Raw() (head Head, ok bool)
	// Refine makes the next run a top-up of a run of first, which drew the numbers in head: the
	// same question with less ε.
	Refine(first Refining, head Head) (Debit, error)
	// Averages is the number of releases that the next run's answer averages.
	Averages() int
}

// Debit is the cost of a top-up beyond the releases before it.
type Debit struct {
	// Each is the cost for one entry of a person: a [privacy.Rest], or the loss of a separate
	// release that is averaged with those before.
	Each privacy.Loss
	// Person is the cost for all entries of a person; nil: it follows by group privacy.
	Person *privacy.Loss
}

// Head is the state from which a release can be topped up: the numbers that were drawn, before an
// answer was made of them. They are as public as the answer. A release has none where it cannot be
// topped up, and in releases of earlier versions.
type Head struct {
	// Sums were drawn by Laplace noise; Bases[j mod len] is the exact base of the noise on sum j.
	Sums  Sums     `json:"sums,omitempty"`
	Bases []string `json:"bases,omitempty"`
	// Draws are the draws of Gaussian noise, the first one first: the answer is their average
	// weighted by ρ.
	Draws []Draw `json:"draws,omitempty"`
	// Before are the answers that were topped up to reach this one, the first one first. Together
	// with this one they cost the loss of its plan.
	Before []Before `json:"before,omitempty"`
}

// Draw holds the numbers that one release with Gaussian noise drew.
type Draw struct {
	Rho  string `json:"rho"` // its cost for one entry of a person, exact
	Sums Sums   `json:"sums"`
}

// Before is an earlier answer of a chain of top-ups.
type Before struct {
	Epsilon string `json:"epsilon"`
	Digest  string `json:"digest"` // Release.Digest
}

// Sums are whole numbers, written as one text, since numbers in JSON have 53 bits.
type Sums []int64

// MarshalText writes "152 73 -5".
func (s Sums) MarshalText() ([]byte, error) {
	var text []byte
	for i, n := range s {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, n, 10)
	}
	return text, nil
}

// UnmarshalText reads what MarshalText writes, and refuses everything else.
func (s *Sums) UnmarshalText(text []byte) error {
	var read Sums
	if len(text) > 0 {
		for _, field := range strings.Split(string(text), " ") {
			n, err := strconv.ParseInt(field, 10, 64)
			if err != nil || strconv.FormatInt(n, 10) != field {
				return Refuse("sums", phrase.Of("%s", strconv.Quote(field)),
					phrase.Of("whole numbers of 64 bits"))
			}
			read = append(read, n)
		}
	}
	*s = read
	return nil
}

// TopUpPlan states the cost of a top-up, and how good the answer will be.
type TopUpPlan struct {
	// Plan is the plan of the question with the larger ε, as if it were asked first: its loss is
	// that of the whole chain of answers.
	Plan Plan `json:"plan"`
	// Debit is the amount paid now, beyond the payment for the answers before: a [privacy.Rest], or
	// the loss of the release that is averaged with them, whose ρ is the difference.
	Debit privacy.Loss `json:"debit"`
}

// Digest identifies a release that can be topped up, by its recipe, n and head; it is empty where
// the release cannot be. It has no key: a ledger that keeps digests adds its own.
func (r *Release[C]) Digest() string {
	if r.Head == nil {
		return ""
	}
	return r.Head.digest(r.Recipe, r.Plan.People)
}

func (h *Head) digest(r Recipe, people int64) string {
	sum := sha256.Sum256([]byte(KeyOf(r.Bare(), people, h)))
	return hex.EncodeToString(sum[:])
}

// PlanTopUp prices a top-up of a release to a larger ε, and forecasts its error. It reads only
// public facts and released values, and spends nothing. A [*param.Error] (release, epsilon, topUp)
// says why there is no top-up; a fresh release is then the alternative. Top-ups are offered for the
// latest answer of a chain that this program drew from the open file; the caller ensures that the
// file is the same.
func (s *Session[C]) PlanTopUp(of *Release[C], epsilon string) (TopUpPlan, error) {
	t, err := s.toppingUp(of, epsilon)
	if err != nil {
		return TopUpPlan{}, err
	}
	return t.TopUpPlan, nil
}

// GoodTopUp returns the smallest ε of two digits at which a top-up of a release is good to publish,
// if its answer is about as large: by public facts and released values, as in Help. It returns a
// [*param.Error] (topUp) where no ε up to 10 suffices, and where the release is already good.
func (s *Session[C]) GoodTopUp(of *Release[C]) (epsilon string, err error) {
	h, err := s.helper(of.Recipe)
	if err != nil {
		return "", err
	}
	if of.Verdict == nil || of.Plan.Verdict == nil || of.Verdict.Grade == Good {
		return "", Refuse("topUp", phrase.Of("of an answer that is good, or not judged"),
			phrase.Of("a rough one"))
	}
	h.after(&judged{before: *of.Plan.Verdict, after: *of.Verdict})
	found, ok, err := h.first(h.epsilons(), of.Recipe, false)
	if err == nil && (!ok || found.Grade != Good) {
		err = Refuse("topUp", phrase.Of("of an answer that no ε up to 10 makes good"),
			phrase.Of("another question"))
	}
	return found.Recipe.Epsilon, err
}

// TopUp draws the answer to a released question again with a larger ε, from the numbers of the
// release. Its columns must be held (Encode). The caller has debited the plan's Debit before, and
// ensures that no other top-up of the same release is or will be drawn: the session refuses one of
// a release that it has topped up itself. Errors are those of PlanTopUp and Run.
func (s *Session[C]) TopUp(of *Release[C], epsilon string, step coin.Step) (*Release[C], error) {
	t, err := s.toppingUp(of, epsilon)
	if err != nil {
		return nil, err
	}
	data, err := s.Data(t.recipe)
	if err != nil {
		return nil, err
	}
	s.going, s.ready, s.last = nil, nil, nil
	s.succeeded[t.digest] = true
	spent := meter.New(s.src).Of(uint64(t.recipe.Use.Entries()))
	result, err := t.question.Run(spent, data, step)
	if err != nil {
		delete(s.succeeded, t.digest) // nobody saw the numbers drawn
	}
	if over := spent.Over(t.Debit); over != nil {
		s.succeeded[t.digest], err = true, over
	}
	if err != nil {
		return nil, phrase.Errorf("ask: %s: %w", t.recipe.Task, err)
	}
	next := s.released(t.query, t.question, t.Plan, t.recipe, result)
	if next.Head != nil {
		next.Head.Before = append(slices.Clone(of.Head.Before),
			Before{of.Recipe.Epsilon, t.digest})
	}
	return next, nil
}

// toppingUp is a top-up that is ready to run.
type toppingUp struct {
	TopUpPlan
	query    *Query
	question Refining
	recipe   Recipe
	digest   string
}

// toppingUp checks a release and prepares the same question with a larger ε. It prepares the
// released question too, since its loss and its noise must be those of the release.
func (s *Session[C]) toppingUp(of *Release[C], epsilon string) (*toppingUp, error) {
	switch {
	case of.Head == nil:
		return nil, Refuse("release", phrase.Of("without the numbers that were drawn"),
			phrase.Of("a release that can be topped up: ask again"))
	case of.Unverified:
		return nil, Refuse("release", phrase.Of("from a file"),
			phrase.Of("one of this ledger: anybody can write a file"))
	case of.Origin != s.src.Origin():
		return nil, Refuse("release", string(of.Origin),
			phrase.Of("coins of the kind that are drawn now, %s", string(s.src.Origin())))
	case len(of.Head.Bases) > 0 && !keepsRows(of.Recipe):
		return nil, Refuse("release", phrase.Of("with rows drawn of each person"),
			phrase.Of("one of the same rows: ask again"))
	}
	t := &toppingUp{recipe: of.Recipe, digest: of.Digest()}
	if s.succeeded[t.digest] {
		return nil, Refuse("release", phrase.Of("one that was topped up before"),
			phrase.Of("the latest answer of its chain"))
	}
	t.recipe.Epsilon = epsilon
	_, first, before, err := s.refining(of.Recipe)
	if err != nil {
		return nil, err
	}
	if was, _ := of.Plan.Loss.Epsilon(); before.People != of.Plan.People ||
		!samePromise(before.Loss, of.Plan.Loss) {
		return nil, Refuse("release", phrase.Of("ε = %s of %d people", privacy.Number(was),
			of.Plan.People), phrase.Of("what its question costs in the open file"))
	}
	if t.query, t.question, t.Plan, err = s.refining(t.recipe); err != nil {
		return nil, err
	}
	debit, err := t.question.Refine(first, *of.Head)
	if err != nil {
		return nil, err
	}
	spent, err := debit.of(t.recipe)
	if err != nil {
		return nil, err
	}
	if debit.Each.IsRest() {
		t.Debit, err = privacy.Rest(t.Plan.Loss, before.Loss, spent.Rho())
	} else if t.Debit = spent; err == nil {
		t.Plan, err = t.query.plan(t.question) // now it states how good an average is
	}
	if err != nil {
		return nil, Refuse("epsilon", epsilon, phrase.Of("more than before, %s",
			of.Recipe.Epsilon))
	}
	if !meter.Covers(t.Debit, spent) { // the meter would find it after the debit
		return nil, phrase.Errorf("ask: internal error: a top-up to ε = %s spends %s, more than %s",
			epsilon, spent, t.Debit)
	}
	return t, nil
}

// of returns the debit for a person.
func (d Debit) of(r Recipe) (privacy.Loss, error) {
	switch entries := r.Use.Entries(); {
	case entries == 1:
		return d.Each, nil
	case d.Person != nil:
		return *d.Person, nil
	default:
		return d.Each.Group(privacy.Distance(entries))
	}
}

// refining prepares and prices a question that can be topped up, for a run of its own.
func (s *Session[C]) refining(r Recipe) (q *Query, p Refining, plan Plan, err error) {
	at, err := s.at(r)
	if err != nil {
		return nil, nil, plan, err
	}
	q, prepared, err := at(r.Epsilon)
	if err != nil {
		return nil, nil, plan, err
	}
	if err := q.checkNamed(); err != nil {
		return nil, nil, plan, err
	}
	if err := q.Task.offered(r.Params); err != nil {
		return nil, nil, plan, err
	}
	p, is := prepared.(Refining)
	if !is {
		return nil, nil, plan, Refuse("release", r.Task, phrase.Of("a question that is answered "+
			"by sums with noise"))
	}
	plan, err = q.plan(prepared)
	return q, p, plan, err
}

// keepsRows reports whether each pass over a file reads the same rows: where a column names the
// persons, each pass draws rows.
func keepsRows(r Recipe) bool { return r.Person == 0 }

// samePromise compares stated losses: a ρ is rounded in files.
func samePromise(a, b privacy.Loss) bool {
	x, known := a.Epsilon()
	y, also := b.Epsilon()
	return known && also && x.Cmp(y) == 0 && a.Delta().Cmp(b.Delta()) == 0
}

// headOf returns the head from which a run that was just made can be topped up, or nil if it cannot
// be.
func headOf(p Prepared, r Recipe) *Head {
	question, is := p.(Refining)
	if !is {
		return nil
	}
	head, ok := question.Raw()
	if !ok || len(head.Bases) > 0 && !keepsRows(r) {
		return nil
	}
	return &head
}
