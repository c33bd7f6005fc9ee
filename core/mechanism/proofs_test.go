package mechanism

import (
	"go/ast"
	"os"
	"strings"
	"testing"

	"hush/core/internal/prooftest"
)

// Every exported mechanism, that is every exported type with a Loss, has x.md beside its x.go, an
// example, and proofs name only what exists.
func TestProofsNameWhatExists(t *testing.T) {
	p, mechanisms := prooftest.Check(t, os.DirFS(".")), 0
	for name, file := range p.Types {
		if !ast.IsExported(name) || !p.Functions[name+".Loss"] {
			continue
		}
		mechanisms++
		if proof := strings.TrimSuffix(file, ".go") + ".md"; !p.Files[proof] {
			t.Errorf("%s has no proof file %s", name, proof)
		}
		if !p.Tests["Example"+name] {
			t.Errorf("%s has no example", name)
		}
		if !p.Functions["New"+name] {
			t.Errorf("%s has no constructor New%s", name, name)
		}
	}
	if mechanisms < 12 {
		t.Errorf("%d mechanisms found", mechanisms)
	}
}
