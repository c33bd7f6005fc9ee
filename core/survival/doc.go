// Package survival estimates how many people are still without an event after a time, although
// some people were only followed for a while: the survival curve of Kaplan and Meier, with a band
// that holds for the noise, and how many are at risk.
//
// A person has a step of a public grid of time and an end: the event, or censored, which is that
// the person was followed no longer. [Line] lays all ends out as cells of one line, [Survival]
// counts the persons in them with noise, in a tree (package density), and [Curve] is made from its
// sums alone.
//
// # Accuracy
//
// Root mean square error over 32 steps at ε = 1, mean of 200 releases, on the lung data that
// lifelines ships (228 people) and on copies of it; published before are .04 at ε = 10 and 228
// people (arXiv 2412.05164):
//
//	people  error  half of the band
//	228     .0257  .203
//	2 052   .0061  .052
//	20 064  .0006  .007
package survival
