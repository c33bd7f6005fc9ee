// Package classify answers questions "which label would this case get?" from private labelled data:
// a case is public, the persons whose labels teach the answer are not.
//
// A [Class] is a set of rules (cuts, boxes, halfspaces, trees) on points of public columns. Answers
// gives private labels for a number of cases; [SemiPrivate] publishes a rule, found with the help
// of public points; [Universal] does the one and then the other. Logistic regression
// ([Logistic], not for releases) stands beside them for comparison: COMPARED.md.
//
// Neighbouring data sets replace one person, point or label or both, n being public. A person
// without a point is none: the person counts for n and for nothing else.
//
// # How many persons it takes
//
// Persons for which a plan of [Answers] is found, for ε = 1, δ = 10^-9 and thresholds, by the
// number of cases: as in the paper, and without relabelling, where some threshold fits all labels
// (TestRequirements):
//
//	cases  relabelled  plain
//	1      5.1e+04     9.5e+03
//	10     4.4e+05     7.6e+04
//	100    3.0e+06     5.1e+05
//	1000   1.0e+07     1.9e+06
//	10000  3.9e+07     6.8e+06
//
// They grow like the number of cases as long as few of them may be unstable, and then like its
// root. A rule by SemiPrivate takes some thousand persons for any number of cases, but public
// points, or a column of finitely many values: where it will do, it is the better choice.
// UTILITY.md has the errors by the number of cases, and what is left of the paper's claim that many
// of them come for nothing.
package classify
