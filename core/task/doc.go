// Package task is the catalogue: what a person can ask, a file for each question, named after its
// ID, with its parameters, texts, cost, forecast and kind of answer. The form, the link, the export
// and the reference page are drawn from it. How a question goes from its recipe to its release is
// core/ask; the algorithms and their proofs are in packages of their own, and this is the only one
// that knows them all.
//
// Adding a question of a kind of answer that there is takes one file and one line of the catalogue
// (catalogue.go). The file declares an ask.Task, whose Prepare makes of a checked query an
// ask.Prepared: the algorithm with its loss, its forecast, and its answer as a result. A new kind
// of answer is an ask.Result, one more line of the catalogue, and its view on the page.
package task
