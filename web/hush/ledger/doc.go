// Package ledger keeps on a disk what static/ledger.js keeps in a browser: which releases were made
// from which data set, and what each of them cost; and, with it, the answers.
//
// # Files
//
// A directory holds all of it, readable to its owner alone:
//
//	ledger.json   accounts and debits, and the key that data sets are named with
//	answers/      one release a file, by the id of its debit and its number in a plan
//	lock          held by the run that writes
//
// ledger.json is replaced as a whole: the new one is written beside it, is on the disk (fsync), and
// takes its name (rename). It ends with a checksum of itself. Export and Merge speak the ledger
// file of the page.
//
// # Rules
//
//   - No data, no names or addresses, no statistics: keyed fingerprints, questions, hashes of
//     queries, exact losses, times.
//   - A debit is on the disk before the draw that it pays for, and is never taken back.
//   - What was drawn is on the disk before anybody sees it. A run that was killed between the two
//     is finished by the next that asks the same: an answer that is there is shown, one that is not
//     is drawn, and neither costs anything.
//   - One run writes at a time. The lock is flock's, which ends with the process, whatever ends it;
//     it holds between processes of one machine, and on network file systems as far as they do
//     flock. Where a system has no flock, the lock is a file that is there or not: a run that was
//     killed leaves it, and the message says which to remove.
//   - It does no arithmetic on losses: web/engine adds exact fractions and decides.
package ledger
