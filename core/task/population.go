package task

import (
	"math"
	"math/big"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/classify"
	"hush/core/message"
	"hush/core/phrase"
)

// Population states what an answer about the people of a file implies for the population from which
// they were drawn at random, if they were: a sentence, and the formulas behind it. It uses public
// facts and the loss alone. ok is false for answers that are neither distributions nor rules.
//
// Sources: Dvoretzky, Kiefer, Wolfowitz, 1956, with the constant of Massart, 1990; Vapnik and
// Chervonenkis, 1971, as in Devroye, Györfi, Lugosi, 1996, Theorem 12.5; Hoeffding, 1963. From
// privacy: replacing the person that a rule is tried on by a fresh one moves what the rule does by
// the total variation between neighbours, at most (e^ε − 1 + 2δ)/(e^ε + 1) (Kairouz, Oh, Viswanath,
// 2015), so that is how far its mean right answers in the file and in the population lie apart.
func Population(say *message.Language,
	r *Release) (sentence, formulas string, ok bool) {
	n := float64(r.Plan.People)
	if n < 1 || r.Recipe.Use != nil { // the rows of one person are not drawn one by one
		return "", "", false
	}
	percent := func(part float64) string { return phrase.AtMost(100 * math.Min(part, 1)) }
	switch r.Answer.Result.(type) {
	case *Distribution, *Density, *Quantiles, *Median:
		off := math.Sqrt(math.Log(2/basic.Beta) / (2 * n))
		return say.Format("If these people were drawn at random from a population, its share at "+
				"or below any value is within %s percentage points of theirs in 95 of 100 such "+
				"draws; the error of the release comes on top.",
				percent(off)),
			say.Text("√(ln(2/0.05)/2n) for all values at once (Dvoretzky, Kiefer, Wolfowitz; " +
				"Massart)"), true
	}
	_, p, err := ask.Prepare(All{}, r.Recipe, r.Plan.People)
	if err != nil {
		return "", "", false
	}
	growth := 0.0 // logarithm of the number of ways in which 2n people can be labelled
	switch q := p.(type) {
	case *cutoff:
		stumps, err := classify.NewStumps(classify.StumpsParams{Sizes: []uint64{1 << 62}})
		if err != nil {
			return "", "", false // unreachable: one column
		}
		growth = stumps.LogGrowth(int(2 * n))
	case *rule:
		count, _ := new(big.Float).SetInt(q.count).Float64()
		growth = math.Ln2 + math.Log(count) // each conjunction, and its opposite
	case *labelling:
		growth = q.class.LogGrowth(int(2 * n))
	default:
		return "", "", false
	}
	off := math.Sqrt(8 / n * (growth + math.Log(4/basic.Beta)))
	private, known := generalises(r)
	text := say.Format("If these people were drawn at random from a population, a rule of this "+
		"kind is right in it as often as among them, within %s percentage points, in 95 of 100 "+
		"such draws.",
		percent(off))
	if known && private < 1 {
		text += " " + say.Format("Privacy alone says %s points, on average, for any kind of rule.",
			percent(private))
	}
	return text, say.Text("√(8/n · (ln(ways to label 2n people) + ln(4/0.05))), for all rules at " +
		"once (Vapnik, Chervonenkis); by privacy (e^ε − 1 + 2δ)/(e^ε + 1)"), true
}

// generalises returns the total variation between neighbours that a loss allows.
func generalises(r *Release) (off float64, known bool) {
	epsilon, known := r.Plan.Loss.Epsilon()
	if !known || !r.Plan.Loss.Protects() {
		return 0, false
	}
	e, _ := epsilon.Float64()
	delta, _ := r.Plan.Loss.Delta().Float64()
	return math.Tanh(e/2) + 2*delta/(math.Exp(e)+1), true
}
