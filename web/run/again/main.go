// This program asks the question of recipe.json again, natively, of a CSV file: a new draw, which
// costs the privacy loss of the recipe once more. It comes with a release, as it stands in
// web/run/again of Hush's sources, and runs inside of a copy of them:
//
//	cd HUSH && go run PATH/run/main.go PATH/recipe.json DATA.csv            says what it would cost, and draws nothing
//	cd HUSH && go run PATH/run/main.go -spend PATH/recipe.json DATA.csv     spends that, and writes the release as JSON
//
// No ledger hears of it: add the loss yourself to whatever was spent on the same people before.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/table/decoding"
	"hush/core/task"
)

func main() {
	spend := flag.Bool("spend", false, "draw the answer: its privacy loss is then spent, for good")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(),
			"Usage: go run main.go [-spend] recipe.json data.csv")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := answer(flag.Arg(0), flag.Arg(1), *spend); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// answer prices the question, and answers it if that may be spent.
func answer(recipeName, dataName string, spend bool) error {
	text, err := os.ReadFile(recipeName)
	if err != nil {
		return err
	}
	var recipe ask.Recipe
	if err := json.Unmarshal(text, &recipe); err != nil {
		return fmt.Errorf("%s: %w", recipeName, err)
	}
	data, err := os.Open(dataName)
	if err != nil {
		return err
	}
	defer data.Close()

	session := task.NewSession(coin.NewCrypto())
	session.Decoders = decoding.Web
	if err := session.Load(data, recipe); err != nil {
		return err
	}
	plan, err := session.Plan(recipe)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		os.Stderr, "%s of %s, %d people. A new draw costs %s, on top of all that was spent on "+
			"them before.\n",
		plan.Task, plan.Column, plan.People, plan.Loss)
	if !spend {
		fmt.Fprintln(os.Stderr, "Nothing is drawn. Add -spend to spend that and draw.")
		return nil
	}
	release, err := session.Run(recipe, nil)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, release.Statement)
	_, err = fmt.Print(release.JSON(""))
	return err
}
