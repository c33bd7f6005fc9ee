// Package task is the catalogue of questions that a person can ask: one file for each, named after
// its ID, with its parameters, texts, cost, forecast and kind of answer. The form, the link, the
// export and the reference page are drawn from it. Package core/ask takes a question from its
// recipe to its release; the algorithms and their proofs are in packages of their own, and only
// this package knows all of them.
//
// A program imports hush/core, which stands on this package.
//
// # How it is built
//
// A question stands whole in its file: its ask.Task, with the truth that tests hold its answers
// against, and the ask.Prepared that its Prepare makes of a checked query: the algorithm with its
// loss, its forecast, its verdict, its picture to come, and its answer as a result. Adding one of a
// kind of answer that there is takes that file and one line of the catalogue (catalogue.go). A new
// kind of answer is an ask.Result, one more line of the catalogue, and its view on the page.
//
// Files refer downwards: the catalogue to the questions, these to what several share. Nothing that
// is shared knows a question.
package task
