package task

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/privacy"
	"hush/core/selection"
)

// covarianceSteps is how many parts a column's range has when its values are multiplied.
const covarianceSteps = 1024

const (
	paramScale = "scale"
	byRange    = "range"
	byUnits    = "units"

	selectGeneralised = "generalised"
	widestRange       = 1 << 20 // parts of the widest column's range in which ranges are told, rounded up
)

var strongestTask = ask.Task{
	ID:        "strongest",
	Title:     "Strongest relation",
	Question:  "Which column has most to do with a yes or no?",
	Answer:    "the name of one column, and how strongly it goes with the answer",
	Algorithm: "permute and flip, or the generalised exponential mechanism, over absolute covariances",
	How: "For each column, how much higher its values are among those with a yes than among those with a no is worked out, on a scale on which nobody counts more than one person. " +
		"One column is drawn at random, and each person's worth of relation less makes it less likely by the same factor.",
	Simple: "The exponential mechanism would be the simple one. Permute and flip is as simple, and never worse at the same ε; the generalised one is for columns of which a person moves some more than others.",
	Source: "McKenna, Sheldon 2020; Raskhodnikova, Smith 2016; Liu, Talwar 2019",
	Limits: "Compared is how much higher a column is among those with a yes: other relations are not seen, and none of them is a cause.",
	Others: []ask.Role{
		{
			Name: ask.RoleOutcome, Label: "the yes or no", Help: "List two categories: first what counts as yes, then what counts as no.",
			Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2,
		},
		{
			Name: roleFeature, Label: "the value to compare", Help: "Two or more columns of numbers or times, of which one is chosen. A value counts by its place in the whole range, so choose ranges no wider than needed.",
			Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp}, Min: 2, Max: 32,
		},
	},
	Params: []ask.Param{
		{
			Name: paramScale, Label: "Columns are compared", Kind: ask.Chosen, Default: byRange,
			Choices: []ask.Choice{{Value: byRange, Label: "each by its own range"}, {Value: byUnits, Label: "in their own unit, which is the same for all"}},
			Help:    "By its range a column that is narrow can be as strong as a wide one. In one unit, such as money, the larger difference is the stronger relation.",
			Effect:  "In one unit a person can move a wide column more than a narrow one; the generalised mechanism then keeps narrow ones sharp.",
		},
		{
			Name: paramSelector, Label: "How the winner is chosen", Kind: ask.Chosen, Default: auto,
			Choices: []ask.Choice{{Value: auto, Label: "by the smaller proven bound"}, {Value: selectFlip, Label: "permute and flip"}, {Value: selectGeneralised, Label: "generalised exponential mechanism"}},
			Help:    "Which bound is smaller is told by public facts: how the columns' ranges differ.",
			Effect:  "Both keep ε.",
		},
		countParam,
	},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: ask.RoleOutcome, Column: 4, Label: "department", Domain: domain.Spec{Kind: domain.Category, Categories: []string{"heart", "children"}}},
		{Role: roleFeature, Column: 1, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}},
		{Role: roleFeature, Column: 2, Label: "wait_minutes", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}},
		{Role: roleFeature, Column: 5, Label: "visits", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "40"}},
	}}},
	Films:   []string{"flip"},
	Prepare: prepareStrongest,
}

// strongest chooses a column by the absolute covariance with the outcome: see strongest.md.
type strongest struct {
	query   *ask.Query
	weights []int64  // of each column's covariance: its range, where columns are compared in their own unit; else 1
	widest  int64    // the largest of them
	whole   *big.Rat // the range of the widest column in its own unit; nil: columns are compared by their ranges
	flip    *mechanism.PermuteAndFlip
	general *selection.Generalised // in its place, where its bound is smaller
	counted privacy.Epsilon        // for the strength; not set: it is not released
}

func prepareStrongest(q *ask.Query) (ask.Prepared, error) {
	if err := q.CheckPersons(1 << 32); err != nil {
		return nil, err
	}
	s, epsilon := &strongest{query: q, widest: 1}, q.Epsilon
	if err := s.weigh(); err != nil {
		return nil, err
	}
	if q.Flag(paramCounted) {
		s.counted, epsilon = q.Epsilon.Part(1, 4), q.Epsilon.Part(3, 4)
	}
	var err error
	if s.flip, err = mechanism.NewPermuteAndFlip(mechanism.PermuteAndFlipParams{Epsilon: epsilon, Sensitivity: s.moves(s.widest)}); err != nil {
		return nil, err
	}
	var sensitivities []uint64
	for _, weight := range s.weights {
		sensitivities = append(sensitivities, s.moves(weight))
	}
	general, err := selection.NewGeneralised(selection.GeneralisedParams{Epsilon: epsilon, Sensitivities: sensitivities})
	if err != nil {
		return nil, err
	}
	// The bound of permute and flip is the same whichever column is best, the other's is small for a narrow one.
	if chosen := q.Param(paramSelector); chosen == selectGeneralised || chosen == auto && s.mean(general) < float64(s.flipBound()) {
		s.general = general
	}
	return s, nil
}

// moves is by how much one person moves a score of that weight.
func (s *strongest) moves(weight int64) uint64 { return uint64(covarianceSteps * weight) }

// weigh finds what one step of each column's range is worth.
func (s *strongest) weigh() error {
	fields, first := s.query.Role(roleFeature)
	var ranges []*big.Rat
	widest := new(big.Rat)
	for i, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil {
			return ask.OtherFault(first+i, err)
		}
		_, numeric := f.Values.(domain.Numeric)
		if _, all := fields[0].Values.(domain.Numeric); s.query.Param(paramScale) == byUnits && (numeric != all || !numeric && f.Domain.Kind != fields[0].Domain.Kind) {
			return ask.Refuse(ask.OtherField(first+i, "kind"), string(f.Domain.Kind), message.Text("the kind of the first column, where columns are compared in their own unit"))
		}
		r := new(big.Rat).SetInt(new(big.Int).SetUint64(size - 1))
		ranges = append(ranges, r.Mul(r, stepOf(f.Values)))
		if r.Cmp(widest) > 0 {
			widest = r
		}
		s.weights = append(s.weights, 1)
	}
	if s.query.Param(paramScale) != byUnits {
		return nil
	}
	s.whole = widest
	for i, r := range ranges {
		if widest.Sign() > 0 {
			part := new(big.Rat).Quo(r, widest)
			part.Mul(part, big.NewRat(widestRange, 1))
			s.weights[i] = max(ceil(part).Int64(), 1)
		}
		s.widest = max(s.widest, s.weights[i])
	}
	return nil
}

func (s *strongest) Loss() (loss privacy.Loss, err error) {
	if s.general != nil {
		loss, err = s.general.Loss(1)
	} else {
		loss, err = s.flip.Loss(1)
	}
	if s.counted.IsSet() {
		loss = loss.Plus(privacy.PureLoss(s.counted))
	}
	return loss, err
}

func (s *strongest) Algorithm() string {
	if s.general != nil {
		return message.Text("generalised exponential mechanism over absolute covariances")
	}
	return message.Text("permute and flip over absolute covariances")
}

// strength writes a score of the mechanism as the covariance in percent of the largest possible one: that of half of the people with a yes,
// at the upper end of the range, and the others at its lower end, n/4. In the columns' unit it is what the means of the two halves would differ by.
func (s *strongest) strength(steps float64) string {
	if s.whole == nil {
		return fmt.Sprintf("%.2g", s.amount(steps))
	}
	return fmt.Sprintf("%.4g", s.amount(steps))
}

func (s *strongest) amount(steps float64) float64 {
	whole := 100.0
	if s.whole != nil {
		whole, _ = s.whole.Float64()
	}
	return whole * math.Max(0, steps) / float64(s.moves(s.widest)) / (float64(max(s.query.People, 1)) / 4)
}

// measure is what strength is in, behind a number.
func (s *strongest) measure() string {
	if s.whole == nil {
		return " %"
	}
	return ""
}

func (s *strongest) flipBound() int64 {
	return s.flip.ErrorBound(basic.Beta, big.NewInt(int64(len(s.weights))))
}

// mean is that of the bounds for each column as the best.
func (s *strongest) mean(general *selection.Generalised) float64 {
	sum := 0.0
	for i := range s.weights {
		sum += general.ErrorBound(i)
	}
	return sum / float64(len(s.weights))
}

// behind is by how much the score chosen is behind at most, whichever column is best.
func (s *strongest) behind() float64 {
	if s.general == nil {
		return float64(s.flipBound())
	}
	worst := 0.0
	for i := range s.weights {
		worst = math.Max(worst, s.general.ErrorBound(i))
	}
	return worst
}

func (s *strongest) Bound() float64 { return s.amount(s.behind()) }

func (s *strongest) Unit() ask.Unit {
	if s.whole != nil {
		return ask.Unit{Text: message.Text("in the columns' unit")}
	}
	return ask.Unit{Text: message.Text("% of the strongest possible relation"), Of: ask.OfPercent}
}

// noise is that on the strength of a column.
func (s *strongest) noise(column int) (*mechanism.Laplace, error) {
	return mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: s.counted, L1Sensitivity: s.moves(s.weights[column])})
}

func (s *strongest) Forecast() []ask.Forecast {
	list := []ask.Forecast{{Label: message.Text("Behind the strongest by at most"), Value: s.strength(s.behind()) + s.measure(), Detail: message.Format("in 95 of 100 releases; %s", map[bool]string{true: message.Text("of the strongest possible relation"), false: message.Text("in the columns' unit")}[s.whole == nil])}}
	fields, _ := s.query.Role(roleFeature)
	why := message.Format("its bound is %s%s", s.strength(float64(s.flipBound())), s.measure())
	if general := s.general; general != nil {
		why = message.Format("its bound is %s%s on average, the narrower the best column the smaller; that of permute and flip is %s%s for each", s.strength(s.mean(general)), s.measure(), s.strength(float64(s.flipBound())), s.measure())
		for i, f := range fields {
			list = append(list, ask.Forecast{Label: message.Format("Behind %s, if that is the strongest", f.Name()), Value: s.strength(general.ErrorBound(i)) + s.measure(), Detail: message.Text("in 95 of 100 releases")})
		}
	}
	if s.counted.IsSet() {
		for i := range fields {
			if noise, err := s.noise(i); err == nil && s.weights[i] == s.widest {
				list = append(list, ask.Forecast{Label: message.Text("Its strength"), Value: "± " + s.strength(float64(noise.ErrorBound(basic.Beta))) + s.measure(), Detail: message.Text("in 95 of 100 releases; less for narrower columns")})
				break
			}
		}
	}
	list = append(list, ask.Forecast{Label: message.Text("Used"), Value: s.Algorithm(), Detail: why})
	if s.whole != nil {
		return append(list, ask.Forecast{Label: message.Text("Strength"), Value: message.Text("is a difference"), Detail: message.Text("by which the means of those with a yes and those with a no differ, if they are equally many; else less")})
	}
	return append(list, ask.Forecast{Label: "100 %", Value: message.Text("would be"), Detail: message.Text("one half of the people with a yes, all at one end of the range, the other half at the other end")})
}

func (s *strongest) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	fields, first := s.query.Role(roleFeature)
	scores := make([]int64, len(fields))
	for i, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil {
			return nil, err // unreachable: it was checked
		}
		if scores[i], err = covariance(values(data.Others[first+i]), values(data.Others[0]), size, s.weights[i], s.query.People, step); err != nil {
			return nil, err
		}
	}
	i, err := s.choose(src, scores)
	if err != nil {
		return nil, err
	}
	out := &Winner{Value: fields[i].Name(), Behind: s.strength(s.behind()) + s.measure(), Score: message.Text("strength, %")}
	if s.whole != nil {
		out.Score = message.Text("difference, in the columns' unit")
	}
	if s.counted.IsSet() {
		noise, err := s.noise(i)
		if err != nil {
			return nil, err
		}
		out.Count, out.Error = s.strength(float64(noise.Noise().AddTo(src, scores[i]))), s.strength(float64(noise.ErrorBound(basic.Beta)))
	}
	return out, nil
}

func (s *strongest) choose(src coin.Source, scores []int64) (int, error) {
	if s.general != nil {
		return s.general.Release(src, scores, nil)
	}
	return s.flip.Release(src, scores, nil)
}

// covariance is ⌊weight·|m·Σxy − Σx·Σy|/n⌋ over the m persons with both, x in 1024 parts of a range of size values and y 1 for the first category, else
// 0. One person moves it by at most 1024·weight (strongest.md).
func covariance(feature, outcome basic.Values, size uint64, weight, n int64, step coin.Step) (int64, error) {
	personsAt := personsIn(feature)
	var m, x, y, xy int64
	for i := range feature.Len() {
		if step != nil && i%(1<<18) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		persons := int64(min(personsAt(i), 1<<32))
		code, known := feature.Code(i)
		answer, answered := outcome.Code(i)
		if !known || !answered {
			continue
		}
		part := covarianceSteps * persons
		if size > 1 {
			hi, lo := bits.Mul64(min(code, size-1), covarianceSteps)
			whole, _ := bits.Div64(hi, lo, size-1)
			part = int64(whole) * persons
		}
		m, x = m+persons, x+part
		if answer == 0 {
			y, xy = y+persons, xy+part
		}
	}
	product := new(big.Int).Mul(big.NewInt(m), big.NewInt(xy))
	product.Sub(product, new(big.Int).Mul(big.NewInt(x), big.NewInt(y))).Abs(product).Mul(product, big.NewInt(weight))
	return product.Quo(product, big.NewInt(max(n, 1))).Int64(), nil
}

func (s *strongest) State(result ask.Result) string {
	r := result.(*Winner)
	outcome, _ := s.query.Role(ask.RoleOutcome)
	of := " " + message.Text("of the strongest possible relation")
	if s.whole != nil {
		of = " " + message.Text("of the columns' unit")
	}
	text := message.Format("Of the columns compared, %s goes most with %s; at most %s%s behind the best (in 95 of 100 releases).", r.Value, outcome[0].Name(), r.Behind, of)
	if r.Count != "" {
		text += " " + message.Format("Its strength is about %s%s (± %s, in 95 of 100 releases).", r.Count, s.measure(), r.Error)
	}
	return text
}
