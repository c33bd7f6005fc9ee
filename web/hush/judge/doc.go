// Package judge tests the command hush as a stranger would: it builds and drives the program alone,
// and computes on its own what must have been spent. It holds tests only, and imports nothing of
// this module, so that no mistake of the engine can hide in its judge.
//
// # Run
//
//	go test -short ./web/hush/judge
//
// walks for some seconds. Each walk has a seed, which a failure names:
//
//	go test ./web/hush/judge -run TestWalk -walks 500 -seed 7 -timeout 0
//
// walks 500 times, with the seeds 7 to 506. Kills and races depend on the clock too: a seed brings
// back the files, the questions and the order of the steps.
//
//	JUDGE_DRAWS=1280 go test ./web/hush/judge -run TestAttack -parallel 2 -timeout 0 -v
//
// attacks each question, at ε = 1 and 4, by that many draws of each of two neighbouring files, and
// logs what is claimed and the lower bound that was found; ATTACK.md has them.
//
//	go test ./web/hush/judge -run TestFaults -v
//
// builds the command once with each fault of faults.txt, which must be found; a short run takes the
// first.
//
// # What it knows
//
// The laws of noise and how far one replaced person moves a sum, both from the documentation; and
// of a run what anybody can read: exit codes, releases, the list of the ledger.
package judge
