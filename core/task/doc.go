// Package task is the catalogue: what a person can ask, with its parameters, cost, forecast, algorithm and kind of
// answer. It is the only package that knows all the others; the form, the link, the export and the reference page are
// drawn from it.
//
// A question travels as a Recipe (public: it holds no data). Session.Plan turns it into a Plan, the cost and the
// expected error from public facts alone; Session.Run turns it into a Release.
//
// Adding a task touches its own algorithm's package and one file here, which declares a Task and its prepare function;
// a new kind of answer is a Result in that file, and its view on the page.
package task
