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

// Glossary lists every technical term of the page, from the promise to the mechanisms. The page of
// words is drawn from it, and so are the explanations beside the texts that use them.
var Glossary = []Word{
	{"differential privacy", nil, "A promise about a computation, not about data: anyone who " +
		"sees the result learns almost the same about a person, whether that person's data was " +
		"used or other data in its place. It holds whatever else is known."},
	{"privacy loss", nil, "The most that a result can reveal about one person. It is measured by " +
		"ε and δ, adds up over results, and never goes down again."},
	{"ε (epsilon)", []phrase.Key{"ε"}, "The main number of a promise. If one person's data had " +
		"been different, no result would have been more than e^ε times as likely. At ε = 0.1 " +
		"that is 1.11 times, at ε = 1 it is 2.72 times. Smaller is more private, and makes " +
		"answers less exact."},
	{"δ (delta)", []phrase.Key{"δ"}, "The chance that the promise about ε fails. 0 is best. " +
		"Anything else must be far below 1 divided by the number of people: with δ = 1/n " +
		"somebody's data could be published unchanged."},
	{"ρ (rho)", []phrase.Key{"ρ"}, "Another measure of privacy loss, for Gaussian noise: " +
		"zero-concentrated differential privacy. It adds up exactly, and turns into an ε once a " +
		"δ is chosen."},
	{"neighbours",
		[]phrase.Key{"neighbours", "differ in one person", "differ in all rows of one person"},
		"Two data sets of the same size that differ in one person; all others are the same. The " +
			"promise says that the result hardly tells neighbours apart. The number of people is " +
			"the same in both, so it is public."},
	{"pure and approximate",
		[]phrase.Key{"pure differential privacy", "approximate differential privacy"},
		"A promise is pure where δ is 0, and approximate where δ is above 0 and the promise may " +
			"fail with that chance."},
	{"public bounds", []phrase.Key{"possible value", "possible date", "public bounds"},
		"The range of values that you declare possible, from what you know without looking at " +
			"the data. It decides how much one person can change the answer, and so how much " +
			"noise is needed. Bounds taken from the data would give away its extremes."},
	{"mechanism", []phrase.Key{"mechanism"}, "A way to answer with a promise. It draws the " +
		"answer at random, so that every answer is possible and the likely ones are close to the " +
		"truth."},
	{"noise", []phrase.Key{"noise"}, "The random number that is added to an exact one before it " +
		"is shown. It hides any change that one person could make."},
	{"discrete Laplace mechanism", []phrase.Key{"discrete laplace"}, "Adds a random whole number " +
		"that is likely to be small: each further step away is less likely by the same factor. " +
		"The usual noise for counts and sums, with δ = 0."},
	{"discrete Gaussian mechanism", []phrase.Key{"discrete gaussian", "gaussian noise"},
		"Adds a random whole number from a bell curve. Its promise has a δ above 0, and it hides " +
			"many sums at once with less noise."},
	{"exponential mechanism", []phrase.Key{"exponential mechanism"}, "Chooses among all possible " +
		"answers at random. Each has a score for how good it is, and every further point of the " +
		"score makes an answer more likely by the same factor."},
	{"recursive exponential mechanism", []phrase.Key{"recursive exponential"}, "Finds many " +
		"quantiles: it chooses the middle one, which splits the people in two, and goes on in " +
		"each half. Each person takes part once at each level, which is why many quantiles cost " +
		"little more than one."},
	{"joint exponential mechanism", []phrase.Key{"joint exponential", "joint or recursive"},
		"Finds several quantiles at once: it chooses among all ascending lists of values by a " +
			"score, the number of people too many or too few between them. It is the most exact " +
			"way, and takes the most work."},
	{"permute and flip", nil, "Chooses among all possible answers at random, like the " +
		"exponential mechanism, and better. It goes through them in random order and takes each " +
		"with a chance that falls with every point its score lies behind the best."},
	{"random number of runs",
		[]phrase.Key{"random number of runs", "negative binomial", "logarithmic law"},
		"Runs something private a random number of times and releases the best run alone; the " +
			"number stays secret. The law of that number decides the price. Logarithmic costs " +
			"twice the privacy loss of one run, negative binomial of shape 1/2 two and a half " +
			"times, random stopping three times. Cheaper laws take more runs."},
	{"random stopping", nil, "Runs something private again and again; after each run a coin " +
		"decides whether to stop. The best run is released alone, for three times the privacy " +
		"loss of one run, however many there were. Their number stays secret."},
	{"interior point", []phrase.Key{"interior point", "treelog"}, "A value that is neither below " +
		"nor above all of some people's values. Found for the people in the middle, it is a " +
		"median. TreeLog finds it by walking down the tree of all possible values to the place " +
		"where those people separate, so the number of possible values hardly matters."},
	{"tree of counts", []phrase.Key{"tree of counts", "trees of counts"}, "Counts people, with " +
		"noise, in ranges of values, in their parts, and so on down to single values or to " +
		"ranges with few people. The counts are made consistent, and the number of people below " +
		"a value is a sum of a few of them."},
	{"quantile tree", []phrase.Key{"quantile tree"}, "Finds cuts that split the people about " +
		"equally, from the middle outwards, and counts the people between them with noise. Sums " +
		"of these counts say how many people are below each value, for all values at once."},
	{"made-up data", []phrase.Key{"made-up data", "made-up rows"}, "Rows about nobody in " +
		"particular, drawn at random from released distributions. They look like the data column " +
		"by column, as far as the release goes. Relations between columns that were released " +
		"separately are not in them."},
	{"stability histogram", []phrase.Key{"stability histogram"}, "Finds the values that many " +
		"people share, without a list of them: each is counted with noise, and only counts above " +
		"a threshold are shown. The threshold is so high that a value of one person alone passes " +
		"it with a chance of at most δ."},
	{"95 of 100", []phrase.Key{"95 of 100", "95 %"}, "If the same answer were drawn again and " +
		"again, the truth would be within the stated range in at least 95 of 100 draws. This is " +
		"about the noise alone, and not about how the data were collected."},
	{"rank error", []phrase.Key{"wrong side", "away from the exact middle", "away from the middle"},
		"How far a value is from the one asked for, measured in people: how many would have to " +
			"move to the other side of it."},
	{"none", []phrase.Key{"no value", "count for nobody"}, "A row has no value where its cell is " +
		"empty, unreadable or out of bounds, or where the person does not meet a condition. It " +
		"counts for nobody, but the row stays in n: leaving it out would show that something was " +
		"wrong with it."},
	{"n", []phrase.Key{"stays in n", "number of persons", "left out of n"}, "The number of " +
		"people in the data. It is public, and every promise here is about data sets with the " +
		"same n."},
	{"composition", []phrase.Key{"composition", "losses add up", "add up"}, "What several " +
		"releases cost together. Basic composition adds up ε and δ, and always holds. Advanced " +
		"composition gives less for many releases, but only if every loss was fixed before the " +
		"first answer was seen. A limit with a δ set aside before the first release can also " +
		"count by ρ, whatever is asked later."},
	{"ledger and limit", []phrase.Key{"limit for all releases", "of the limit"}, "The ledger is " +
		"this device's record of the budget spent on each data set. The limit is the most that " +
		"you allow in all: a release that would go beyond it is refused."},
	{"fingerprint", []phrase.Key{"fingerprint"}, "How the ledger recognises a data set: by a " +
		"number made from all its bytes, and one made from its rows, with a key that stays in " +
		"this browser. Nobody can find the data from them."},
	{"release", []phrase.Key{"publish", "releasing"}, "An answer drawn once, with its promise. " +
		"Using it afterwards costs nothing more: a chart, a comparison, a rounded number reveal " +
		"no more than it does."},
	{"recipe", []phrase.Key{"recipe"}, "A whole question as text: the question, its column, its " +
		"bounds and its ε. It holds nothing of the data."},
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

// Explained are the words that a text uses, folded away. They are looked up when the text changes.
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
