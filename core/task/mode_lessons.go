package task

import (
	"errors"
	"fmt"
	"math/big"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

// Ways to choose the most frequent value that only lessons offer, for candidates that can only be
// run: a candidate is one possible value, drawn at random, with a noisy count of the people who
// have it (selection.Contest).

const mostContenders = 1 << 12 // values in a lesson

var contestChoices = []ask.Choice{
	{Value: string(selection.BySplitting), Label: "every value, ε split among them"},
	{Value: string(selection.ByAmplifying), Label: "each once, then one result or none"},
	{Value: string(selection.ByStopping), Label: "random stopping, 3 × one run"},
	{Value: string(selection.ByHardStop), Label: "random stopping, at most 32 runs a value"},
	{Value: string(selection.ByApproximate),
		Label: "random stopping with a limit, Gaussian runs that have a δ"},
	{Value: string(selection.ByBinomial), Label: "negative binomial stopping, 2.5 × one run"},
	{Value: string(selection.ByLogarithmic), Label: "logarithmic stopping, 2 × one run"},
	{Value: string(selection.ByOracle), Label: "percentile search, exact oracle"},
	{Value: string(selection.BySampling), Label: "percentile search, sampled"},
	{Value: string(selection.ByThreshold), Label: "search for a threshold, then 2 × one run"},
}

// Reached describes how good a choice is and what it took. It is shown in lessons only: no
// guarantee covers it.
type Reached struct {
	// percentage of the other values that fewer people have
	Percentile float64 `json:"percentile"`
	Drawn      int64   `json:"drawn"` // candidates drawn
}

// contest is one of these ways, with its texts.
type contest struct {
	*selection.Contest
	name  string
	facts []ask.Forecast
}

// newContest prepares one of these ways for this many values.
func newContest(q *ask.Query, chosen string, epsilon privacy.Epsilon,
	size *big.Int) (*contest, error) {
	if size.Cmp(big.NewInt(mostContenders)) > 0 {
		return nil, ask.Refuse(paramSelector, fmt.Sprintf("%q", chosen),
			phrase.Of("at most %d possible values", mostContenders))
	}
	p := selection.ContestParams{Way: selection.Way(chosen), Epsilon: epsilon,
		Candidates: size.Int64(), Persons: q.People}
	if way := p.Way; way == selection.BySampling || way == selection.ByThreshold ||
		way == selection.ByApproximate {
		var err error
		if p.Delta, err = q.AllowedDelta(); err != nil {
			return nil, err
		}
		if p.Delta.IsZero() {
			return nil, ask.Refuse(ask.ParamDelta, q.Param(ask.ParamDelta),
				phrase.Of("auto, or a number above 0: this algorithm needs one"))
		}
	}
	c, err := ask.Remember(q, p, selection.NewContest)
	var refused *param.Error
	if errors.As(err, &refused) && refused.Field == "way" {
		return nil, ask.Refuse(paramSelector, refused.Value, refused.Want)
	}
	if err != nil {
		return nil, err
	}
	name, facts := told(q.Say, p, c.Facts(), c.ErrorBound())
	return &contest{c, name, facts}, nil
}

// whereSearchesPay is the result of comparing them (TestSearchesPayNowhereInReach).
const whereSearchesPay = "The percentile searches pay only if far more than billions of runs " +
	"cost nothing. Then they come near twice the loss of one run and hardly ever miss, while " +
	"random stopping stays at three times and logarithmic stopping misses more often. With fewer " +
	"runs they leave less of ε for one run than random stopping does."

// promise is the last line of every forecast.
func promise(say *message.Language) ask.Forecast {
	return ask.Forecast{Label: say.Text("The price is for"), Value: say.Text("the value alone"),
		Detail: say.Text("only lessons show how many candidates were drawn and the percentile " +
			"reached: these have no guarantee")}
}

// told returns a way's name and its description before a run.
func told(say *message.Language, p selection.ContestParams, f selection.ContestFacts,
	off int64) (name string, facts []ask.Forecast) {
	all := p.Epsilon.Float64()
	switch p.Way {
	case selection.BySplitting:
		return say.Text("a noisy count of every value, the budget split"), []ask.Forecast{
			{Label: say.Text("Proven price"), Value: say.Format("%d × one run", p.Candidates),
				Detail: say.Format(
					"each candidate is paid for: %s in all; for fewer than three nothing costs "+
						"less", epsilonText(all))},
			{Label: say.Text("One run has"), Value: epsilonText(f.Run),
				Detail: say.Text(
					"counts of one column would cost less together; candidates in general do not")},
			{Label: say.Text("Candidates drawn"), Value: fmt.Sprint(p.Candidates),
				Detail: say.Text("each once")},
		}
	case selection.ByAmplifying:
		return say.Text("each candidate once, then one of the results or none"), []ask.Forecast{
			{Label: say.Text("Proven price"), Value: say.Format("%s × one run", "2"),
				Detail: say.Format("Appendix C of Liu and Talwar, however many candidates there "+
					"are: %s in all", epsilonText(all))},
			{Label: say.Text("One run has"), Value: epsilonText(f.Run),
				Detail: say.Text("for the noisy count of one value")},
			{Label: say.Text("Candidates drawn"), Value: fmt.Sprint(p.Candidates),
				Detail: say.Text("each once; then one result is drawn by its score, against " +
					"“none” with a weight that no result exceeds, so that often none wins")},
		}
	case selection.ByOracle:
		return say.Text("percentile search with an exact oracle"), []ask.Forecast{
			{Label: say.Text("Proven price"), Value: epsilonText(all),
				Detail: say.Text("for all answers together (Theorem 4.1 of Liu and Talwar); the " +
					"oracle's candidates cost nothing")},
			{Label: say.Text("Answers are within"), Value: "± " + people(say, off),
				Detail: say.Format("in 95 of 100 choices: %.3g in log-odds, which one person "+
					"moves by twice ε = %.3g of a candidate", f.Apart, f.Run)},
			{Label: say.Text("Questions"), Value: say.Format("at most %d", f.Questions),
				Detail: say.Text("each value at each level, from half of the people down; the " +
					"probabilities are exact, which a black box would not reveal")},
		}
	case selection.BySampling:
		return say.Text("percentile search with sampled candidates"), []ask.Forecast{
			{Label: say.Text("Proven price"), Value: epsilonText(all),
				Detail: say.Format("and δ = %s for all answers together (Theorem 4.4 of Liu and "+
					"Talwar); the candidates cost nothing more", p.Delta)},
			{Label: say.Text("One run has"), Value: epsilonText(f.Run),
				Detail: say.Text("so little, since one person moves a measured log-odds by twice " +
					"that, and a slack as large")},
			{Label: say.Text("Answers are within"), Value: "± " + people(say, off),
				Detail: say.Text("in about half of the choices")},
			{Label: say.Text("Candidates drawn"),
				Value: say.Format("%s for each question", shortCount(say, f.Samples)),
				Detail: say.Format(
					"of which there are at most %d; their number is drawn from its law at once",
					f.Questions)},
		}
	case selection.ByThreshold:
		return say.Text("a search for a threshold, then runs until one reaches it"), []ask.Forecast{
			{Label: say.Text("Proven price"),
				Value: say.Format("2 × one run, and ε = %.3g", f.Search),
				Detail: say.Format("with δ = %s (Theorem 4.7 of Liu and Talwar), nearly all of "+
					"the rest for the search: %s in all", p.Delta, epsilonText(all))},
			{Label: say.Text("One run has"), Value: epsilonText(f.Run),
				Detail: say.Format("the most for which %s runs suffice, as many as a computer "+
					"makes in hours; random stopping leaves a third of all, ε = %.3g",
					shortCount(say, selection.MostDrawn), all/3)},
			{Label: say.Text("Candidates drawn"),
				Value: say.Format("%s and more", shortCount(say, f.Samples)),
				Detail: say.Text(
					"to find the threshold; their number is drawn from its law at once")},
			{Label: say.Text("Misses"), Value: "50 %",
				Detail: say.Text("of the choices at most miss the best level")},
		}
	}
	var times, source string
	run := say.Text("for the noisy count of one value drawn at random")
	ends := say.Text("a coin that nobody sees ends the runs")
	switch p.Way {
	case selection.ByHardStop, selection.ByApproximate:
		times, name = say.Text("a little more than 3"), say.Text("random stopping with a limit")
		source = say.Text("Theorem 3.5 of Liu and Talwar, with a hard stop")
		ends = say.Format("a coin that nobody sees ends the runs, or the limit of %d",
			f.Limit)
		if p.Way == selection.ByApproximate {
			source = say.Text("Theorem 3.4 of Liu and Talwar, with a hard stop and a δ")
			run = say.Format("and δ = %.2g, for the Gaussian count of one value drawn at random; "+
				"δ grows with the number of runs expected", f.Delta)
		}
	case selection.ByStopping:
		times, name, source = "3", say.Text("random stopping"),
			say.Text("Theorem 3.2 of Liu and Talwar")
	case selection.ByBinomial:
		times, name, source = "2.5", say.Text("stopping by the negative binomial law of shape 1/2"),
			say.Text("Papernot and Steinke")
	default:
		times, name, source = "2", say.Text("stopping by the logarithmic law"),
			say.Text("Papernot and Steinke")
	}
	return name, []ask.Forecast{
		{Label: say.Text("Proven price"), Value: say.Format("%s × one run", times),
			Detail: say.Format("%s, however many runs there are: %s in all", source,
				epsilonText(all))},
		{Label: say.Text("One run has"), Value: epsilonText(f.Run),
			Detail: run},
		{Label: say.Text("Candidates drawn"), Value: say.Format("%.0f expected", f.Runs),
			Detail: ends},
		{Label: say.Text("Misses"), Value: fmt.Sprintf("%.2g %%", 100*f.Miss),
			Detail: say.Text("of the choices never draw the most frequent value")},
	}
}

// shortCount writes a large number with its magnitude.
func shortCount(say *message.Language, n uint64) string {
	switch {
	case n >= 1_000_000_000:
		return say.Format("%.3g billion", float64(n)/1e9)
	case n >= 1_000_000:
		return say.Format("%.3g million", float64(n)/1e6)
	case n >= 1000:
		return say.Format("%.3g thousand", float64(n)/1e3)
	}
	return fmt.Sprint(n)
}
