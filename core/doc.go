// Package core publishes figures about people from a program, without publishing the people: open a
// file, ask, see the price, release, and check a release without its data.
//
//	people, err := core.Open(file)                 // an io.ReadSeeker: CSV, TSV, gzip of them
//	ledger, err := core.NewLedger("3", "0.000001") // what all releases about these people may cost
//	age := core.Recipe{Task: "mean", Column: people.Column("age"), Label: "age", Epsilon: "0.5",
//		Domain: core.Domain{Kind: core.Integer, Lo: "0", Hi: "100"}} // public, never from the file
//	price, err := people.Price(age)                // spends nothing
//	fmt.Println(price.Loss, price.Verdict.Text)
//	release, err := people.Release(ledger, age)    // debits the ledger, then draws
//	fmt.Println(release.Statement)
//
// # What is promised
//
// Each release has the guarantee of its [Price], for neighbours that replace one person, n public;
// all releases of one ledger together cost at most its limit, by the plain sum of ε and of δ. A
// [Ledger] is debited before anything is drawn and never refunds. Coins come from the system's
// generator. The README.md of this directory lists every proof.
//
// # Behind it
//
// The questions are listed by [Tasks] and stand in core/task; how one goes from its recipe to its
// release is core/ask, and the algorithms with their proofs are in packages of their own, for
// those who study them. The command hush keeps a ledger on the disk that survives a crash.
package core
