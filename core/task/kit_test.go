package task

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
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

// ask reads the recipe's column and runs it.
func ask(t *testing.T, s *Session, r Recipe, file []byte) *Release {
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

func (s *Session) recipe(task string, column int, d domain.Spec, params Params) Recipe {
	return Recipe{Version: RecipeVersion, Task: task, Table: s.opened.Options, Column: column + 1, Domain: d, Params: params, Epsilon: "1"}
}

var ageDomain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}
