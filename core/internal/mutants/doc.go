// Package mutants keeps a list of small changes to the code that each break a guarantee, and which
// short test fails at each: mutants.txt. It holds tests only.
//
// # Run
//
//	go test ./core/internal/mutants
//
// checks in well under a second that every change still applies: that the text it replaces stands
// in its file exactly once.
//
//	go test ./core/internal/mutants -run TestMutants -parallel 2 -timeout 0 -mutate 1..20 -v
//
// applies the changes 1 to 20 (also 7,10..12 or all), each to an overlay of the tree and never to
// the tree itself, and runs the one test named beside it, which must fail. That takes a minute for
// about ten of them on two cores.
//
//	… -mutate 1..20 -search .,task,internal/replay
//
// searches these packages for a short test that fails, where no test is named or the named one
// passes ("." is the changed package), and at the end rewrites the list with the tests found.
//
// # Losses
//
//	go test ./core/internal/mutants -run TestLosses -timeout 0 -losses task/finding,basic/noise -v
//
// deletes, halves and doubles each call of OfPerson, Group, Part, Loss and Plus that makes a loss
// or an ε, in the files below core that begin so (or all). The tests of core are built once, with a
// switch around each call; each short test runs once without a change, and says which changes would
// change what it does. Of those tests the cheapest come first, behind those that failed at other
// changes of the file. The log names who killed which, and ends with how many are alive.
//
// All 252 calls, 756 changes, took half an hour on two cores that others used too; a third of it is
// the tests without a change. 74 lived, most of them a Group of several persons that no test asked
// for; of these 2 live, and break nothing: half the share of the search for a threshold
// (selection/contest.go), whose loss is the sum of its parts, and twice the loss of the sparse
// vector that sampled percentiles may draw (selection/sampled.go), as a second one is refused all
// the same.
//
// # Entries
//
// An entry has the file, below core or beginning with web/, and what is broken, the text that the
// change replaces, line by line after "-", the new text after "+", and after "=" the package and
// the test that fails, or "nothing" where none is known: it survives.
//
// A change that provably breaks nothing is no entry. One was tried: rounding the squares of an
// exponential's upper end down (privacy/bounds.go, expFixed). expSeries ends at least 2 units above
// e^y, which is at least 1; a square at least doubles what an end has too much, and rounding takes
// less than one unit of it.
package mutants
