package task

import "hush/core/phrase"

// asking is how a question is asked and found.
type asking struct{ sentence, synonyms phrase.Key }

// sentences are the questions as sentences with blanks (ask.Task.Sentence), and further words for
// them: what people call them elsewhere.
var sentences = map[string]asking{
	"histogram": {"How many {many} by {column}?",
		"bar chart, bins, frequency table, distribution, breakdown, count by"},
	"median": {"What is the median {column}?",
		"median, middle, typical, central tendency"},
	"quantiles": {"What are the quantiles of {column}?",
		"quartiles, percentiles, deciles, box plot, spread, range"},
	"distribution": {"What are all percentiles of {column}?",
		"cumulative curve, CDF, ECDF, percentile rank"},
	"density": {"How is {column} distributed?",
		"density, shape, curve, PDF, kernel, smooth histogram"},
	"mode": {"What is the most common {column}?",
		"mode, most common, winner, top, favourite, plurality, vote, argmax, noisy max"},
	"madeup": {"What would made-up {many} look like, by {column}?",
		"synthetic data, fake data, test data, sample, simulated"},
	"count": {"How many {many} have a {column} {group}?",
		"number, total, how many, headcount, size, count by group"},
	"share": {"What share of {many} have a {column} {group}?",
		"percentage, proportion, rate, fraction, part"},
	"mean": {"What is the mean {column} {group}?",
		"average, arithmetic mean, expected value, mean by group"},
	"sum": {"What is the sum of {column} {group}?",
		"total, add up, altogether, sum by group"},
	"variance": {"How much does {column} vary {group}?",
		"standard deviation, spread, dispersion, scatter, variability"},
	"cutoff": {"From which {column} on is {outcome} mostly yes?",
		"threshold, cut-point, decision boundary, ROC, limit"},
	"strongest": {"Which of {feature} has most to do with {outcome}?",
		"correlation, covariance, association, predictor, feature selection"},
	"rule": {"Which of {attribute} together predict {outcome}?",
		"rule, conjunction, if and, pattern, decision rule, PAC learning"},
	"classify": {"Which {outcome} would new cases get, by {feature}?",
		"classification, prediction, machine learning, label, model, decision stump"},
	"conjunctions": {"How many {many} have all of {attribute}?",
		"marginals, cross table, contingency table, combinations, pivot table, two-way table"},
	"clusters": {"Which groups of similar {many} are there, by {coordinate}?",
		"k-means, segments, clustering, types, similar people"},
	"contacts": {"How many {many} go from {from} to {to}?",
		"flows, origin and destination, network, graph cut, edges, migration, trips"},
}
