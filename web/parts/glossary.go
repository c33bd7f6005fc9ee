package parts

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/web/say"
)

// Slug writes words so that they need no escape in an address.
func Slug(text string) string {
	return strings.Join(
		strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}), "-")
}

// Word is a term of the field in plain words.
type Word struct {
	Term  phrase.Key
	Forms []phrase.Key // as it stands in texts, in lower case; empty: the term alone
	Plain phrase.Key
}

// Glossary lists every technical term of the page, from the promise to the mechanisms, in at most
// two sentences each. The page of words is drawn from it, and so are the explanations beside the
// texts that use them.
var Glossary = []Word{
	{"differential privacy", nil, "A promise about a computation: anyone who sees the result " +
		"learns almost the same about a person, whether that person's data was used or other " +
		"data in its place. It holds whatever else is known."},
	{"privacy loss", nil, "The most that a result can reveal about one person, measured by ε and " +
		"δ. Losses add up over results and never go down."},
	{"ε (epsilon)", []phrase.Key{"ε"}, "If one person's data had been different, no result would " +
		"have been more than e^ε times as likely: 1.11 times at ε = 0.1, 2.72 times at ε = 1. A " +
		"smaller ε is more private, and makes answers less exact."},
	{"δ (delta)", []phrase.Key{"δ"}, "The chance that the promise about ε fails; 0 is best. It " +
		"must be far below 1 divided by the number of people: δ = 1/n would allow one person's " +
		"data to be published unchanged."},
	{"ρ (rho)", []phrase.Key{"ρ"}, "A measure of privacy loss for Gaussian noise, " +
		"zero-concentrated differential privacy (zCDP). It adds up exactly, and becomes an ε " +
		"once a δ is chosen."},
	{"neighbours",
		[]phrase.Key{"neighbours", "differ in one person", "differ in all rows of one person"},
		"Two data sets that differ in one person and have the same number of people, which is " +
			"public. The promise says that the result hardly tells neighbours apart."},
	{"pure and approximate",
		[]phrase.Key{"pure differential privacy", "approximate differential privacy"},
		"A promise is pure where δ is 0, and approximate where δ is above 0 and the promise may " +
			"fail with that chance."},
	{"group privacy", []phrase.Key{"group privacy"}, "The promise for several people together: " +
		"where δ is 0, k people lose at most k times ε. That is why hiding all k rows of a " +
		"person takes k times the noise."},
	{"post-processing", []phrase.Key{"post-processing"}, "Work on a release that does not look " +
		"at the data again, such as rounding or drawing. It reveals nothing more and costs " +
		"nothing."},
	{"trade-off curve", []phrase.Key{"trade-off curve"}, "How well anyone can guess whether one " +
		"person's data was used: for each rate of false alarms, the lowest rate of misses. It " +
		"says as much as all pairs of ε and δ together."},
	{"public bounds", []phrase.Key{"possible value", "possible date", "public bounds"},
		"The range of values that you declare possible without looking at the data, since " +
			"bounds taken from the data would give away its extremes. It decides how much one " +
			"person can change the answer, and so how much noise is needed."},
	{"sensitivity", nil, "The most that one person can change an exact answer. Noise grows in " +
		"proportion to it, so narrower bounds make better answers."},
	{"mechanism", []phrase.Key{"mechanism"}, "A way to answer with a promise. It draws the " +
		"answer at random, so that every answer is possible and the likely ones are close to " +
		"the truth."},
	{"noise", []phrase.Key{"noise"}, "The random number that is added to an exact one before it " +
		"is shown. It hides any change that one person could make."},
	{"discrete Laplace mechanism", []phrase.Key{"discrete laplace"},
		"Adds a random whole number; each further step from zero is less likely by the same " +
			"factor. It is the usual noise for counts and sums with δ = 0."},
	{"discrete Gaussian mechanism", []phrase.Key{"discrete gaussian", "gaussian noise"},
		"Adds a random whole number from a bell curve. Its promise has a δ above 0, and it " +
			"hides many sums at once with less noise."},
	{"exponential mechanism", []phrase.Key{"exponential mechanism"},
		"Chooses among all possible answers at random. Each has a score that says how good it " +
			"is, and every further point makes an answer more likely by the same factor."},
	{"recursive exponential mechanism", []phrase.Key{"recursive exponential"},
		"Finds many quantiles: chooses the middle one, which splits the people in two, and goes " +
			"on in each half. Each person takes part once at each level: many quantiles cost " +
			"little more than one."},
	{"joint exponential mechanism", []phrase.Key{"joint exponential", "joint or recursive"},
		"Finds several quantiles at once: chooses among all ascending lists of values by a " +
			"score, the number of people too many or too few between them. It is the most exact " +
			"method, and takes the longest."},
	{"permute and flip", nil, "Chooses among all possible answers at random, like the " +
		"exponential mechanism, but is never worse. It goes through them in random order and " +
		"takes each with a chance that falls with every point by which its score is behind the " +
		"best."},
	{"sparse vector", []phrase.Key{"sparse vector"}, "Compares many questions with a threshold, " +
		"one after the other, and reports only whether each is above it (AboveThreshold). Only " +
		"the questions above it are paid for, however many are below."},
	{"random number of runs",
		[]phrase.Key{"random number of runs", "negative binomial", "logarithmic law"},
		"Runs something private a random number of times and releases only the best run; the " +
			"number stays secret. Its law decides the price, twice the privacy loss of one run " +
			"for the logarithmic law and two and a half times for a negative binomial of shape " +
			"1/2; cheaper laws take more runs."},
	{"random stopping", nil, "Runs something private until a coin says stop, and releases only " +
		"the best run. That costs three times the privacy loss of one run, however many there " +
		"were, and their number stays secret."},
	{"histogram", nil, "A count of people for each bin, where bins do not overlap. A person is " +
		"in one bin only, so all counts together cost one privacy loss."},
	{"contingency table", []phrase.Key{"contingency table", "marginal"},
		"Counts people for each combination of values of some columns. A marginal is such a " +
			"table for fewer columns, summed over the others."},
	{"quantile", []phrase.Key{"quantile"}, "The value below which a given share of the people " +
		"lies: with one half it is the median."},
	{"rank error", []phrase.Key{"wrong side", "away from the exact middle", "away from the middle"},
		"How far a value is from the one asked for, measured in people: how many would have to " +
			"move to the other side of it."},
	{"interior point", []phrase.Key{"interior point", "treelog"},
		"A value that is neither below nor above all of some people's values; for the people in " +
			"the middle it is a median. TreeLog walks down the tree of all possible values to " +
			"where those people separate, so the number of possible values hardly matters."},
	{"tree of counts", []phrase.Key{"tree of counts", "trees of counts"},
		"Counts people, with noise, in ranges of values and in ever smaller parts of them, and " +
			"makes the counts consistent. The number of people below a value is the sum of a few " +
			"such counts."},
	{"quantile tree", []phrase.Key{"quantile tree"}, "Finds cuts that split the people about " +
		"equally, from the middle outwards, and counts the people between them with noise. Sums " +
		"of these counts say how many people are below each value, for all values at once."},
	{"threshold", []phrase.Key{"threshold learning", "learning a threshold", "cut-off"},
		"A cut-off: everyone on one side of it gets a yes, and everyone on the other side a no. " +
			"A private one is learned from people whose answers are known, and misclassifies " +
			"few more of them than the best one does."},
	{"PAC learning", []phrase.Key{"pac learning"}, "Learning a rule from examples that is " +
		"probably approximately correct: most likely it is wrong about few other people of the " +
		"same kind. A private learner needs more examples."},
	{"statistical query", []phrase.Key{"statistical quer"}, "A question about a share: how many " +
		"people have a property. An algorithm that asks nothing else becomes private by adding " +
		"noise to each answer."},
	{"conjunction", []phrase.Key{"conjunction", "disjunction"},
		"Asks how many people have all of some attributes at once. A disjunction asks for at " +
			"least one of them."},
	{"multiplicative weights", []phrase.Key{"multiplicative weights", "mwem"},
		"Starts with a guess at the full table, and keeps correcting it where a noisy answer " +
			"shows the largest error (MWEM). The result answers every question of its kind."},
	{"maximum error rule", []phrase.Key{"maximum error rule", "merr"},
		"Approximates a distribution in rounds (MERR): each one chooses, privately, the place " +
			"where the approximation is worst, and splits there."},
	{"shape of a distribution", []phrase.Key{"log-concave", "modal", "hazard rate"},
		"k-modal: at most k peaks. Log-concave: one peak, with tails that fall at least " +
			"exponentially."},
	{"made-up data", []phrase.Key{"made-up data", "made-up rows"},
		"Synthetic data: rows about nobody in particular, drawn at random from released " +
			"distributions. Each column looks like the data, as far as the release goes, but " +
			"relations between columns that were released separately are lost."},
	{"living table", []phrase.Key{"living table"}, "Made-up data that keeps relations between " +
		"columns, saved so that anyone can ask it questions. Each answer has a range, or says " +
		"that it was not measured."},
	{"stability histogram", []phrase.Key{"stability histogram"},
		"Finds the values that many people share, without a list: each is counted with noise, " +
			"and only counts above a threshold are shown. A value of one person alone passes it " +
			"with a chance of at most δ."},
	{"95 of 100", []phrase.Key{"95 of 100", "95 %"}, "If the same answer were drawn again and " +
		"again, the truth would be within the stated range in at least 95 of 100 draws. This is " +
		"about the noise alone, and not about how the data were collected."},
	{"none", []phrase.Key{"no value", "count for nobody"}, "A row has no value where its cell is " +
		"empty, unreadable or out of bounds, or where the person does not meet a condition. Such " +
		"a row counts for nobody, but stays in n: leaving it out would reveal that something was " +
		"wrong with it."},
	{"n", []phrase.Key{"stays in n", "number of persons", "left out of n"},
		"The number of people in the data. It is public, and every promise here is about data " +
			"sets with the same n."},
	{"composition", []phrase.Key{"composition", "losses add up", "add up"},
		"What several releases cost together: basic composition adds up ε and δ, and always " +
			"holds. Advanced composition gives less for many releases, but only if every loss " +
			"was fixed before the first answer was seen."},
	{"accountant", nil, "Adds up what all releases cost together; here the ledger does. With a δ " +
		"set aside before the first release, it can also count by ρ, whatever is asked later."},
	{"ledger and limit", []phrase.Key{"limit for all releases", "of the limit"},
		"The ledger is this device's record of the budget spent on each data set. The limit is " +
			"the total that you allow: a release that would exceed it is refused."},
	{"codebook", []phrase.Key{"codebook"}, "What each column can hold, described once and in " +
		"public: ranges, categories, units. It comes from what you know, never from the data."},
	{"fingerprint", []phrase.Key{"fingerprint"}, "How the ledger recognises a data set: one " +
		"number made from all its bytes, and one made from its rows, both with a key that stays " +
		"in this browser. Nobody can find the data from these numbers."},
	{"release", []phrase.Key{"publish", "releasing"}, "An answer drawn once, with its promise. " +
		"Using it afterwards costs nothing more: a chart, a comparison or a rounded number " +
		"reveals no more than the answer does."},
	{"recipe", []phrase.Key{"recipe"}, "A whole question as text: the question, its column, its " +
		"bounds and its ε. It holds nothing of the data."},
}

// FindWords lists the words whose term has a text, and then those whose explanation has it.
func FindWords(sought string) []Word {
	sought = strings.ToLower(strings.TrimSpace(sought))
	var named, explained []Word
	for _, w := range Glossary {
		term := strings.ToLower(strings.Join([]string{say.Text(w.Term), formsOf(w)}, " "))
		switch {
		case strings.Contains(term, sought):
			named = append(named, w)
		case strings.Contains(strings.ToLower(say.Text(w.Plain)), sought):
			explained = append(explained, w)
		}
	}
	return append(named, explained...)
}

func formsOf(w Word) string {
	var forms []string
	for _, f := range w.Forms {
		forms = append(forms, say.Text(f))
	}
	return strings.Join(forms, " ")
}

// wordsIn lists the words that a text uses, in the order of the glossary. A longer term hides a
// shorter one inside it.
func wordsIn(text string) []Word {
	text = strings.ToLower(text)
	var found []Word
	for _, w := range Glossary {
		forms := w.Forms
		if forms == nil {
			forms = []phrase.Key{w.Term}
		}
		for _, form := range forms {
			if strings.Contains(text, strings.ToLower(say.Text(form))) {
				found = append(found, w)
				break
			}
		}
	}
	return found
}

// Explain draws the words that texts use, to stand below the texts.
func Explain(texts ...string) app.UI { return &Explained{Text: strings.Join(texts, "\n")} }

// Explained draws the words that a text uses, folded away. They are looked up when the text
// changes.
type Explained struct {
	app.Compo

	Text string
}

// Render draws the words.
func (e *Explained) Render() app.UI {
	list := wordsIn(e.Text)
	if len(list) == 0 {
		return Absent()
	}
	return app.Details().Class("words no-print").Body(
		app.Summary().Text(say.Text("In plain words")),
		app.Dl().Class("small").Body(app.Range(list).Slice(func(i int) app.UI {
			return app.Div().Body(app.Dt().Text(say.Text(list[i].Term)),
				app.Dd().Text(say.Text(list[i].Plain)))
		})),
	)
}
