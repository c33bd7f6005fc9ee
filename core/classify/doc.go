// Package classify answers questions "which label would this case get?" from private labelled data: a case is public, the persons whose
// labels teach the answer are not.
//
// A Class is a set of rules (cuts, boxes, halfspaces, trees) on points of public columns. Answers gives private labels for a number of
// cases; SemiPrivate publishes a rule, found with the help of public points; Universal does the one and then the other. Votes alone
// (Poll) and logistic regression (Logistic, not for releases) stand beside them for comparison.
//
// Neighbouring data sets replace one person, point or label or both, n being public. A person without a point is none: the
// person counts for n and for nothing else.
package classify
