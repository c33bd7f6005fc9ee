// Package mutants changes the code in small ways that break a guarantee, or may, and looks for the
// short test that fails. It holds tests only. What a rule can change, a rule changes; mutants.txt
// lists what no rule makes, with the test that fails at it.
//
// # Rules
//
//	go test ./core/internal/mutants -run TestRules -timeout 0 -rules coin/,meter/whole.go -v
//
// makes these changes, one after the other, of every expression and statement of the packages or
// files, as long as they compile, and logs which test fails:
//
//	boundary    a < b is a <= b, or between whole numbers a < b - 1; so for >, <= and >=
//	negated     a comparison or condition says the contrary
//	opposite    + and -, * and /, << and >>, & and |, && and || change places
//	part        of two operands the left one alone, or the right one
//	constant    a condition is true, or false; a number is 0, or 1; a record is empty
//	off by one  a whole number is one more, or one less
//	scaled      a number is twice as large, or half
//	sibling     a name says Down for Up, max for min, Sub for Add, Denom for Num, hi for lo, …
//	call        in place of a call stands its receiver or one of its arguments
//	argument    one is left out, or changes places with the next
//	statement   it is left out, or one of its assignments is; an error is passed over
//
// The tests of the package are built once, with a switch around each place; each of its short tests
// runs once without a change, and says which places it comes to. Of those tests the cheapest come
// first, behind those that failed at other changes of the file. Examples do not count, nor do tests
// that fail with the switches alone, as those that count what is allocated. The log ends with how
// many changes live, and how many no test comes to.
//
//	… -rules all -sample 50
//
// takes 50 changes of each package, the same ones as long as it has as many. Without -rules, 40 of
// the meter are taken, which takes seconds; half of them must be noticed.
//
// The rules make 293 000 changes in all. Of some packages, the changes that were run, and what
// became of them:
//
//	package         made   run  killed  alive  no test comes to it
//	meter           2535  2535    1893    509                  133
//	coin            7343   300     254     42                    4
//	privacy        16585   150     114     36                    0
//	mechanism      10709   400     294     43                   63
//
// Most live changes alter texts for people, how fast something is, or what a test of another
// package sees. What broke a promise has its test now: in the meter a series that went up before
// it went down, a move down in one of several ways, a draw without a claim, squares of several
// entries, the base of a choice, and what lies above exact odds; in coin the bounds of a chance
// beyond 64 bits, and the lowest score of more than 4096 where it is not among the last; in
// mechanism the chance of the coins for a Gaussian draw far out, and noise of base 1; in privacy
// the rounding of the worst choice.
//
// A killed change says that something notices, and that may be a test of fixed bytes. Which law or
// audit holds a guarantee is for the list and for the proofs. Some changes only tests of another
// package see: -search task,internal/replay runs those too.
//
// Two rules made little: another variable or field of the type in place of one (54 000 changes, 14
// of them in the list of before), and a slice without an end (32 000, 6).
//
// # The list
//
//	go test ./core/internal/mutants
//
// checks that every change of mutants.txt still applies: that the text it replaces stands in its
// file exactly once. TestRules fails for one that a rule makes.
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
// An entry has the file, below core or beginning with web/, and what is broken, the text that the
// change replaces, line by line after "-", the new text after "+", and after "=" the package and
// the test that fails, or "nothing" where none is known: it survives.
//
// A change that provably breaks nothing is no entry. One was tried: rounding the squares of an
// exponential's upper end down (privacy/bounds.go, expFixed). expSeries ends at least 2 units above
// e^y, which is at least 1; a square at least doubles what an end has too much, and rounding takes
// less than one unit of it.
//
// A rule makes 455 of the 920 entries there were before the rules, but for parentheses and fields
// that are left out where they are 0. For 94 more it makes a change of the same place in the same
// direction (false for a condition that holds less often, one off for far off), and the test that
// the entry named was seen to fail at it.
//
// # Losses
//
//	go test ./core/internal/mutants -run TestLosses -timeout 0 -losses task/finding,basic/noise -v
//
// deletes, halves and doubles each call of OfPerson, Group, Part, Loss and Plus that makes a loss
// or an ε, in the files below core that begin so (or all), with a switch around each call as above.
// Tests of all packages of core count, and examples too.
//
// All 252 calls, 756 changes, took half an hour on two cores that others used too; a third of it is
// the tests without a change. 74 lived, most of them a Group of several persons that no test asked
// for; of these 2 live, and break nothing: half the share of the search for a threshold
// (selection/contest.go), whose loss is the sum of its parts, and twice the loss of the sparse
// vector that sampled percentiles may draw (selection/sampled.go), as a second one is refused all
// the same.
package mutants
