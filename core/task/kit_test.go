package task

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
)

// feed hands a file to a pass in chunks of an awkward size.
func feed(t *testing.T, pass table.Pass, file []byte) {
	t.Helper()
	for chunk := range slices.Chunk(file, 1009) {
		if err := pass.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := pass.Close(); err != nil {
		t.Fatal(err)
	}
}

// open surveys a file in a session with seeded coins.
func open(t *testing.T, file []byte) *Session {
	t.Helper()
	s := NewSession(coin.NewSeeded(1))
	pass, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, file)
	return s
}

// askFor reads the recipe's column and runs it.
func askFor(t *testing.T, s *Session, r ask.Recipe, file []byte) *Release {
	t.Helper()
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if pass != nil {
		feed(t, pass, file)
	}
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return release
}

// dataOf reads what a recipe asks about.
func dataOf(t *testing.T, s *Session, r ask.Recipe, file []byte) ask.Data {
	t.Helper()
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	if pass != nil {
		feed(t, pass, file)
	}
	d, err := s.Data(r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// ages is a file of n rows with ages 0 to 99, each equally often, and every tenth city missing.
func ages(n int) []byte {
	var b strings.Builder
	b.WriteString("age,city\n")
	for i := range n {
		city := []string{"Bern", "Graz", "Ulm"}[i%3]
		if i%10 == 0 {
			city = ""
		}
		fmt.Fprintf(&b, "%d,%s\n", i%100, city)
	}
	return []byte(b.String())
}

func recipe(s *Session, task string, column int, d domain.Spec, params ask.Params) ask.Recipe {
	return ask.Recipe{Version: ask.RecipeVersion, Task: task, Table: must(s.Opened()).Options,
		Column: column + 1, Domain: d, Params: params, Epsilon: "1"}
}

var ageDomain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}

// ungrouped is a text with its numbers as programs write them.
func ungrouped(text string, err error) (string, error) {
	return strings.ReplaceAll(text, "\u00a0", ""), err
}

// set is the made-up data set of that name.
func set(name string) sample.Set {
	s, ok := sample.Named(name)
	if !ok {
		panic("no made-up data set " + name)
	}
	return s
}

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// parsed reads a number of a table, which may have a unit behind it.
func parsed(text string) float64 {
	number, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	x, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
