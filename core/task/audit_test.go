package task

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/selection"
)

func TestMain(m *testing.M) { audittest.Main(m) }

// questionAudit audits a whole question, from recipe to answer, on all data of a few persons;
// columns gives the codes of a person's value by column, the main one first.
type questionAudit struct {
	name    string
	recipe  ask.Recipe
	space   audit.Space
	columns func(value int) []uint64
}

func (a questionAudit) prepare() ask.Prepared {
	a.recipe.Version, a.recipe.Epsilon = ask.RecipeVersion, cmp.Or(a.recipe.Epsilon, "1")
	_, p, err := ask.Prepare(All{}, a.recipe, int64(a.space.Persons))
	return must(p, err)
}

// Data are the columns of a data set.
func (a questionAudit) data(rows []int) ask.Data {
	columns := make([]codes, len(a.columns(0)))
	for _, value := range rows {
		cells := make([]uint64, len(columns))
		for i := range cells {
			cells[i] = math.MaxUint64
		}
		if value != audit.None {
			cells = a.columns(value)
		}
		for i, cell := range cells {
			columns[i] = append(columns[i], cell)
		}
	}
	var d ask.Data
	if a.recipe.Column > 0 {
		once := ascending(columns[0])
		d.Main, columns = &ask.Column{Codes: columns[0], Once: &once}, columns[1:]
	}
	for _, c := range columns {
		d.Others = append(d.Others, &ask.Column{Codes: c})
	}
	return d
}

// ascending are the codes of those who have one, of one bit, as some questions take them.
func ascending(column codes) domain.Sorted {
	var list []uint64
	for _, code := range column {
		if code != math.MaxUint64 {
			list = append(list, code)
		}
	}
	slices.Sort(list)
	return domain.SortedCodes(list, 1)
}

// noiseTail is what is cut from each draw of noise.
var noiseTail = big.NewRat(1, 1<<10)

// audit is the law of the answer, as it is exported; a claim is allowed what is cut.
func (a questionAudit) audit(p ask.Prepared) audit.Audit[string] {
	claim := must(audit.ClaimOf(must(p.Loss())))
	claim.Delta = new(big.Rat).Add(claim.Delta, new(big.Rat).Mul(noiseTail, big.NewRat(4, 1)))
	return audit.Audit[string]{Name: a.name, Space: a.space, Claim: claim,
		Law: func(rows []int) (*coin.Law[string], error) {
			d := a.data(rows)
			return coin.Enumerate(coin.Limits{Tail: noiseTail},
				func(src coin.Source) (string, error) {
					result, err := p.Run(src, d, nil)
					if err != nil {
						return "", err
					}
					return string(must(json.Marshal(result))), nil
				})
		}}
}

func modeAudit(name string, persons int, params ask.Params) questionAudit {
	return questionAudit{
		name, ask.Recipe{
			Task: "mode", Column: 1,
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"a", "b"}},
			Params: params},
		audit.Space{Persons: persons, Values: 2}, func(value int) []uint64 {
			return []uint64{uint64(value)}
		}}
}

// densityAudit has the numbers 0 and 1, each counted, and a certificate of the largest error.
func densityAudit(name string) questionAudit {
	return questionAudit{name, ask.Recipe{Task: "density", Column: 1,
		Epsilon: "8", // three draws of more noise would be too many outcomes
		Domain:  domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"},
		Params:  ask.Params{paramMethod: methodHistogram, paramStated: given}},
		audit.Space{Persons: 2, Values: 2}, func(value int) []uint64 {
			return []uint64{uint64(value)}
		}}
}

// strongestAudit has persons with a yes or no and two columns of 0 and 1, one of them wider where
// they are compared in their own unit.
func strongestAudit(name string, params ask.Params) questionAudit {
	bit, wide := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"},
		domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "3"}
	return questionAudit{name, ask.Recipe{Task: "strongest", Params: params, Others: []ask.Field{
		{Role: ask.RoleOutcome, Column: 1,
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}},
		{Role: roleFeature, Column: 2, Domain: bit}, {Role: roleFeature, Column: 3, Domain: wide},
	}}, audit.Space{Persons: 2, Values: 8}, func(value int) []uint64 {
		return []uint64{uint64(value & 1), uint64(value >> 1 & 1), 3 * uint64(value>>2)}
	}}
}

// TestAuditQuestions runs whole questions on all data sets.
func TestAuditQuestions(t *testing.T) {
	for _, a := range []questionAudit{
		modeAudit("most frequent value, permute and flip", 3, ask.Params{paramCounted: "false"}),
		modeAudit("most frequent value, margin-based", 3,
			ask.Params{paramCounted: "false", paramSelector: selectMargin, ask.ParamDelta: "0.05"}),
		// As many as it takes for two values that compete to leave the choice of nothing behind.
		modeAudit("most frequent value of 12, margin-based", 12,
			ask.Params{paramCounted: "false", paramSelector: selectMargin, ask.ParamDelta: "0.01"}),
		modeAudit("most frequent value, and how many have it", 2, nil),
		modeAudit("most frequent value, every count, the budget split", 2,
			ask.Params{paramCounted: "false", paramSelector: string(selection.BySplitting)}),
		strongestAudit("strongest relation, permute and flip", ask.Params{paramCounted: "false"}),
		densityAudit("density, and its largest error"),
	} {
		if testing.Short() && a.recipe.Task != "mode" {
			continue // some seconds of big fractions
		}
		audittest.Holds(t, a.audit(a.prepare()))
	}
}

func TestPlantedQuestions(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	a := modeAudit("most frequent value whose count has a sixteenth of its noise", 2, nil)
	m := a.prepare().(*mode)
	m.count = must(
		mechanism.NewLaplace(
			mechanism.LaplaceParams{Epsilon: must(privacy.ParseEpsilon("4")), L1Sensitivity: 1}))
	twin := a.audit(m)
	twin.Claim = a.audit(a.prepare()).Claim
	audittest.Caught(t, twin)

	a = densityAudit("density whose largest error has a sixteenth of its noise")
	d := a.prepare().(*densityQuery)
	d.off.largest = must(mechanism.NewLargestError(
		mechanism.LargestErrorParams{Epsilon: must(privacy.ParseEpsilon("19.2"))}))
	twin = a.audit(d)
	twin.Claim = a.audit(a.prepare()).Claim
	audittest.Caught(t, twin)
}

// choosy is a question whose answers have a law of their own for each value of one person, and
// points: what is beaten gets likelier, and what beats it less.
type choosy struct {
	*histogram
	points func(answer, value int) int64
}

var choosyWeights = [2][3]uint64{{40, 60, 200}, {80, 120, 100}}

func (c choosy) Run(src coin.Source, d ask.Data, _ coin.Step) (ask.Result, error) {
	weights, left := choosyWeights[valueOf(d)], uint64(300)
	for answer, w := range weights {
		if w == left || src.Bernoulli(coin.Ratio(w, left)) {
			return &Winner{Value: fmt.Sprint(answer)}, nil
		}
		left -= w
	}
	panic("no weight")
}

func valueOf(d ask.Data) int {
	if _, known := d.Main.Codes.Code(0); known {
		return 1
	}
	return 0
}

func (c choosy) score(r ask.Result, d ask.Data, _ coin.Step) (int64, uint64, error) {
	return c.points(int(r.(*Winner).Value[0]-'0'), valueOf(d)), 1, nil
}

// tunedOf tries this many values of a choosy question, each run of which is 2-odds private with a
// score of ε = 1/2.
func tunedOf(values int, points func(answer, value int) int64) *tuned {
	half := must(privacy.ParseEpsilon("0.5"))
	t := &tuned{query: &ask.Query{Task: &histogramTask, Epsilon: half},
		tried: make([]ask.Combination, values), noise: half}
	for range values {
		t.inner = append(t.inner, choosy{nil, points})
	}
	t.one = must(privacy.LossFromOdds(big.NewRat(2, 1), nil)).Plus(privacy.PureLoss(t.noise))
	t.law = must(repeats(t.query, int64(values)))
	return t
}

// steady points tell nothing of the data, and order the answers; telling ones move with the person
// by one point.
func steady(answer, _ int) int64 { return 10 * int64(answer) }

func telling(answer, value int) int64 {
	if answer == 2 {
		return int64(1 - value)
	}
	return 0
}

// law returns the law of the release. With repetitions it applies the formula of best.md to the law
// of one run, itself found by enumeration; the tail cut from one run, 2^-29, moves the result by at
// most 40 times that, the mean number of runs, far less than the claim allows.
func (a tunedAudit) law(rows []int) (*coin.Law[string], error) {
	person := ask.Data{Main: &ask.Column{Codes: codes{math.MaxUint64}}}
	if rows[0] != audit.None {
		person.Main = &ask.Column{Codes: codes{0}}
	}
	if a.t.law == nil && a.t.until == nil {
		return coin.Enumerate(coin.Limits{Tail: noiseTail}, func(src coin.Source) (string, error) {
			result, err := a.t.Run(src, person, nil)
			if err != nil {
				return "", err
			}
			return result.(*bestRun).Result.(*Winner).Value, nil
		})
	}
	type scored struct {
		answer string
		score  int64
	}
	one, err := coin.Enumerate(coin.Limits{Tail: big.NewRat(1, 1<<30)},
		func(src coin.Source) (scored, error) {
			run, err := a.t.candidate(src, 0, person, nil)
			if err != nil {
				return scored{}, err
			}
			return scored{run.Output.result.Result.(*Winner).Value, run.Score}, nil
		})
	if err != nil {
		return nil, err
	}
	if g := a.t.until; g != nil {
		return firstGood(one, big.NewRat(1, int64(g.search.Calls(0))),
			func(o scored) (string, bool) { return o.answer, o.score >= g.threshold }), nil
	}
	at := map[int64]*big.Rat{}
	for _, o := range one.Outcomes() {
		if at[o.score] == nil {
			at[o.score] = new(big.Rat)
		}
		at[o.score].Add(at[o.score], one.Mass(o))
	}
	law := coin.NewLaw[string]()
	for _, o := range one.Outcomes() {
		above := new(big.Rat)
		for score, mass := range at {
			if score > o.score {
				above.Add(above, mass)
			}
		}
		// F(1 − above) − F(1 − above − at), in the part that this outcome has of those with its
		// score.
		p := new(big.Rat).
			Sub(a.generating(above), a.generating(new(big.Rat).Add(above, at[o.score])))
		law.Add(o.answer, p.Mul(p, new(big.Rat).Quo(one.Mass(o), at[o.score])))
	}
	law.AddCut(new(big.Rat).Sub(big.NewRat(1, 1), law.Total()))
	return law, nil
}

// firstGood is the law of the first good run, of runs of one law after each of which, unless it is
// good, a coin ends them with nothing: V = p + q(1−γ)V for each good outcome.
func firstGood[T comparable](one *coin.Law[T], stop *big.Rat,
	good func(T) (string, bool)) *coin.Law[string] {
	bad := new(big.Rat)
	for _, o := range one.Outcomes() {
		if _, ok := good(o); !ok {
			bad.Add(bad, one.Mass(o))
		}
	}
	ends := new(big.Rat).Sub(big.NewRat(1, 1), stop)
	ends.Sub(big.NewRat(1, 1), ends.Mul(ends, bad))
	law := coin.NewLaw[string]()
	for _, o := range one.Outcomes() {
		if answer, ok := good(o); ok {
			law.Add(answer, new(big.Rat).Quo(one.Mass(o), ends))
		}
	}
	law.Add("nothing", new(big.Rat).Quo(bad.Mul(bad, stop), ends))
	law.AddCut(new(big.Rat).Sub(big.NewRat(1, 1), law.Total()))
	return law
}

// fourTried is the law of repetitions for four values, whose generating function is below.
const fourTried = "negative binomial of shape 1/2, stop 1/40"

// generating is F(1 − u) of fourTried, (γ + (1−γ)u)^(−1/2) − 1 over γ^(−1/2) − 1, to 200 binary
// digits.
func (a tunedAudit) generating(u *big.Rat) *big.Rat {
	if a.t.law.Rule.String() != fourTried {
		panic("another law: " + a.t.law.Rule.String())
	}
	stop := big.NewRat(1, 40)
	less := func(x *big.Rat) *big.Rat {
		root, _ := new(big.Float).Sqrt(new(big.Float).SetPrec(200).SetRat(x.Inv(x))).Rat(nil)
		return root.Sub(root, big.NewRat(1, 1))
	}
	x := new(big.Rat).Sub(big.NewRat(1, 1), stop)
	x.Mul(x, u).Add(x, stop)
	return x.Quo(less(x), less(new(big.Rat).Set(stop)))
}

type tunedAudit struct {
	name string
	t    *tuned
}

func (a tunedAudit) audit(loss privacy.Loss) audit.Audit[string] {
	claim := must(audit.ClaimOf(loss))
	claim.Delta = new(big.Rat).Add(claim.Delta, new(big.Rat).Mul(noiseTail, big.NewRat(4, 1)))
	return audit.Audit[string]{Name: a.name, Space: audit.Space{Persons: 1, Values: 1},
		Claim: claim, Law: a.law}
}

// TestAuditTuned: the best of two runs, each paid for, and of a random number of runs, with points
// of both kinds.
func TestAuditTuned(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	for _, values := range []int{2, 4} {
		for kind, points := range map[string]func(int, int) int64{
			"steady": steady, "telling": telling} {
			a := tunedAudit{fmt.Sprintf("%d values tried, %s points", values, kind),
				tunedOf(values, points)}
			audittest.Holds(t, a.audit(must(a.t.Loss())))
		}
	}
}

func TestPlantedTuned(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of big fractions")
	}
	for _, values := range []int{2, 4} {
		a := tunedAudit{fmt.Sprintf("best of %d values tried at the loss of one run", values),
			tunedOf(values, steady)}
		audittest.Caught(t, a.audit(a.t.one))
	}
}

// goodEnough is a question that is asked with four values until an answer is off by nobody.
func goodEnough(points func(int, int) int64) *tuned {
	t := tunedOf(4, points)
	t.law = nil
	t.until = &goal{search: must(selection.Until(t.one, 4, privacy.Delta{})), threshold: 1}
	return t
}

// onlyOne has points for the answer that gets likelier with them; no other is ever good.
func onlyOne(answer, value int) int64 {
	if answer == 2 {
		return int64(1 - value)
	}
	return -100
}

// TestAuditGoodEnough: the first run that is good enough, or nothing.
func TestAuditGoodEnough(t *testing.T) {
	for kind, points := range map[string]func(int, int) int64{
		"steady": steady, "telling": telling, "one answer's": onlyOne} {
		a := tunedAudit{fmt.Sprintf("until one of 4 values tried is good enough, %s points", kind),
			goodEnough(points)}
		audittest.Holds(t, a.audit(must(a.t.Loss())))
	}
}

// TestPlantedGoodEnough: the search at the loss of one run, and with scores that have a fourth of
// their noise.
func TestPlantedGoodEnough(t *testing.T) {
	a := tunedAudit{"until one is good enough, at the loss of one run", goodEnough(onlyOne)}
	audittest.Caught(t, a.audit(a.t.one))
	a.name, a.t.noise = "until one is good enough, by a score with a fourth of its noise",
		must(privacy.ParseEpsilon("2"))
	audittest.Caught(t, a.audit(must(a.t.Loss())))
}

// far is a choosy question whose points move by this many for one person.
type far struct {
	choosy
	moves int64
}

func (f far) score(r ask.Result, d ask.Data, step coin.Step) (int64, uint64, error) {
	points, _, err := f.choosy.score(r, d, step)
	return f.moves * points, uint64(f.moves), err
}

// TestAuditRun: one run and its noisy score, both known, cost what each run is taken to cost; so
// does a run whose points move by more than one.
func TestAuditRun(t *testing.T) {
	for _, moves := range []int64{1, 4} {
		tried := tunedOf(2, nil)
		tried.inner[0] = far{choosy{nil, telling}, moves}
		claim := must(audit.ClaimOf(tried.one))
		claim.Delta = new(big.Rat).Add(claim.Delta, new(big.Rat).Mul(noiseTail, big.NewRat(4, 1)))
		audittest.Holds(t, audit.Audit[string]{
			Name:  fmt.Sprintf("one run of those tried, points that move by %d", moves),
			Space: audit.Space{Persons: 1, Values: 1}, Claim: claim,
			Law: func(rows []int) (*coin.Law[string], error) {
				person := ask.Data{Main: &ask.Column{Codes: codes{math.MaxUint64}}}
				if rows[0] != audit.None {
					person.Main = &ask.Column{Codes: codes{0}}
				}
				return coin.Enumerate(coin.Limits{Tail: noiseTail},
					func(src coin.Source) (string, error) {
						run, err := tried.candidate(src, 0, person, nil)
						if err != nil {
							return "", err
						}
						return fmt.Sprint(run.Output.result.Result.(*Winner).Value, run.Score), nil
					})
			},
		})
	}
}
