// Package selection chooses among private candidates: mechanisms, each private on its own, whose
// results carry a score. It publishes the best of many runs, or the first that is good enough, at
// two or three times the loss of one run, however many runs there are.
//
// Neighbouring data sets have the same public number of persons and differ in one person
// (replace-one). A [Candidate] is bound to the data and covered by a loss that the caller states;
// what this package adds is proved for any candidate with that loss.
//
// UTILITY.md shows which way is best for how many candidates, with a table and a chart that
// ./build.sh bench selection redraws; [Advise] decides by proven bounds. Percentiles, Search and
// Unknown are for learning: no published result rests on them.
//
// Only the returned result is covered. The number of runs is secret, and so is anything that
// reveals it: no function here reports progress by runs. The duration of a call depends on that
// number, a known limit; do not publish durations.
package selection
