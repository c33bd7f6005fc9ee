// Package task is the catalogue: what a person can ask, a file for each question, named after its
// ID, with its parameters, texts, cost, forecast and kind of answer. The form, the link, the export
// and the reference page are drawn from it. How a question goes from its recipe to its release is
// core/ask; the algorithms and their proofs are in packages of their own, and this is the only one
// that knows them all.
//
// # In a program
//
// A program imports this package with hush/core/ask, coin, domain, privacy and table, and
// hush/core/verify to check a release without its data. What these export is written down in
// core/internal/api, and a test holds it. The examples ask ten questions; this is a whole program,
// to copy from:
//
//	package main
//
//	import (
//		"fmt"
//		"log"
//		"os"
//
//		"hush/core/ask"
//		"hush/core/coin"
//		"hush/core/domain"
//		"hush/core/table"
//		"hush/core/task"
//	)
//
//	func main() {
//		file, err := os.Open("people.csv")
//		if err != nil {
//			log.Fatal(err)
//		}
//		session := task.NewSession(coin.NewCrypto())
//		opened, err := session.Open(file, table.Options{}) // look at opened: it proposes
//		if err != nil {
//			log.Fatal(err)
//		}
//		recipe := ask.Recipe{
//			Version: ask.RecipeVersion, Task: "mean", Table: opened.Options, Column: 1, Label: "age",
//			Domain:  domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}, // public, never from the file
//			Epsilon: "0.5",
//		}
//		if err := session.Read(file, recipe); err != nil {
//			log.Fatal(err)
//		}
//		plan, err := session.Plan(recipe) // spends nothing
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println("It costs", plan.Loss) // write that down, on the disk, before the next line
//		release, err := session.Run(recipe, nil)
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(release.Statement)
//		os.WriteFile("release.json", []byte(release.JSON("")), 0o600)
//	}
//
// The library keeps no ledger: the losses of releases about the same people add up
// (privacy.Loss.Plus), and a program writes each down before the draw. The command hush (web/run)
// does that.
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
