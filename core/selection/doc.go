// Package selection chooses among private candidates: mechanisms, each private by itself, whose
// results carry a score. It publishes the best of many runs, or the first that is good enough, at
// two or three times the loss of one run, however many there are.
//
// Neighbouring data sets have the same public number of persons and differ in one person
// (replace-one). A [Candidate] is bound to the data and covered by a loss that the caller states;
// what this package adds is proved for any candidate with that loss.
//
// Which way is best for how many candidates: UTILITY.md, with a table and a chart that ./build.sh
// bench selection draws anew; [Advise] decides by proven bounds. Percentiles, Search and Unknown
// are for learning: nothing that is published rests on them.
//
// Only the result that is returned is covered. How many runs there were is secret, and with it all
// that tells it: no function here reports progress by runs, and how long a call takes is a known
// limit, since it depends on the number of runs. Do not publish durations.
package selection
